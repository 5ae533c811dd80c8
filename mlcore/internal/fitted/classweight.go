package fitted

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// ClassFactors returns what the weights of each class's rows are multiplied by, nil
// for 1 everywhere. total holds the sums of these weights.
func ClassFactors(c mlcore.ClassWeight, total []float64) ([]float64, error) {
	switch {
	case c.Balanced && c.Weights != nil:
		return nil, fmt.Errorf("%w: ClassWeight has both Balanced and Weights; choose one", mlcore.ErrConfig)
	case c.Balanced:
		sum, present := 0.0, 0
		for _, v := range total {
			if sum += v; v > 0 {
				present++
			}
		}
		// In a unit in which the products cannot overflow.
		unit, own := factor.UnitOf(sum), make([]float64, len(total))
		for k, v := range total {
			if own[k] = 1; v > 0 {
				own[k] = sum / unit / float64(float64(present)*float64(v/unit))
			}
			if math.IsInf(own[k], 1) {
				return nil, fmt.Errorf("%w: class %d has a weight of %v, of %v in all, which ClassWeight.Balanced cannot make up for", mlcore.ErrConfig, k, v, sum)
			}
		}
		return own, nil
	case c.Weights == nil:
		return nil, nil
	case len(c.Weights) != len(total):
		return nil, fmt.Errorf("%w: ClassWeight.Weights has %d entries for %d classes", mlcore.ErrConfig, len(c.Weights), len(total))
	}
	for k, v := range c.Weights {
		if v-v != 0 || v <= 0 {
			return nil, fmt.Errorf("%w: ClassWeight.Weights[%d] is %v; it is finite and positive", mlcore.ErrConfig, k, v)
		}
	}
	return slices.Clone(c.Weights), nil
}

// FactorsOf is [ClassFactors] for rows of class codes y, below classes, and weights w,
// nil for all 1.
func FactorsOf(c mlcore.ClassWeight, y []int, w []float64, classes int) ([]float64, error) {
	total := make([]float64, classes)
	for i, k := range y {
		total[k] += given.Weight(w, i)
	}
	return ClassFactors(c, total)
}

// WeighClasses returns w, nil for all 1, times the class weights of the rows: w itself
// where there are none.
func WeighClasses(c mlcore.ClassWeight, y []int, w []float64, classes int) ([]float64, error) {
	factor, err := FactorsOf(c, y, w, classes)
	if factor == nil || err != nil {
		return w, err
	}
	own := make([]float64, len(y))
	for i, k := range y {
		own[i] = float64(factor[k] * given.Weight(w, i))
	}
	if err := mlcore.CheckWeights(own, len(y)); err != nil {
		return nil, fmt.Errorf("with ClassWeight: %w", err)
	}
	return own, nil
}

// NoClassWeight refuses class weights where numbers are predicted.
func NoClassWeight(c mlcore.ClassWeight) error {
	if c.Balanced || c.Weights != nil {
		return fmt.Errorf("%w: ClassWeight is for classification", mlcore.ErrConfig)
	}
	return nil
}

package preprocess

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/order"
	"gonum.org/v1/gonum/mat"
)

// A BinStrategy says where a [DiscretizerConfig] cuts.
type BinStrategy int

const (
	// UniformBins cuts the range of the training rows into intervals of one
	// width. It is the default.
	UniformBins BinStrategy = iota
	// QuantileBins cuts it into intervals whose numbers of training rows are as
	// equal as possible, at quantiles that are interpolated between values. Cuts
	// that coincide because values are repeated count as one cut. Between two cuts
	// there may be no training row: quarters of 1, 4, 5 and 5 are cut at 3.25, 4.5
	// and 5, and both fives are on the last cut.
	QuantileBins
	// MDL cuts where class labels change, as often as the minimum description
	// length principle justifies (Fayyad & Irani, 1993, "Multi-interval
	// discretization of continuous-valued attributes for classification
	// learning"). It finds the number of Bins itself.
	MDL
)

// DiscretizerConfig turns numeric columns into categories. A value on a cut belongs
// to the interval above it, and the outermost intervals are open, so that any number
// falls into one. Missing values do not count and stay missing. The zero value cuts
// all numeric columns into 5 intervals of equal width.
type DiscretizerConfig struct {
	// Strategy says where to cut.
	Strategy BinStrategy
	// Bins is the number of intervals, at least 2; 0 means 5, as in scikit-learn.
	// It cannot be combined with MDL.
	Bins int
	// Letters names the intervals A, B, C ... (to Z, then interval 27 and on)
	// and not by their bounds.
	Letters bool
	// Columns names those to cut; nil means all numeric ones.
	Columns []string
}

// Fit finds the cuts in the training rows. A column without any value is an error
// that wraps [mlcore.ErrEmpty]. A column that is constant, or that MDL does not
// cut, becomes one level.
func (c DiscretizerConfig) Fit(train *mlcore.Dataset) (*Discretizer, error) {
	if c.Bins != 0 && c.Strategy == MDL {
		return nil, configError("Bins is %d, but MDL finds the number of intervals itself", c.Bins)
	}
	if c.Bins == 0 {
		c.Bins = 5
	}
	switch {
	case c.Strategy < UniformBins || c.Strategy > MDL:
		return nil, configError("no such Strategy: %d", int(c.Strategy))
	case c.Bins < 2 || c.Bins > maxBins:
		return nil, configError("Bins is %d; it is 2 to %d", c.Bins, maxBins)
	}
	picked, err := start(train, c.Columns, numeric)
	if err != nil {
		return nil, err
	}
	if c.Strategy == MDL && train.Y == nil {
		return nil, dataError(train, mlcore.ErrConfig, "MDL cuts where class labels change, and there are none")
	}
	m := &Discretizer{
		shape:  shape{slices.Clone(train.Columns), slices.Clone(train.Columns)},
		picked: picked, cuts: make([][]float64, len(picked)),
	}
	for p, j := range picked {
		v := present(train, j)
		if len(v) == 0 {
			return nil, columnError(train, mlcore.ErrEmpty, j, "has no value in the training rows; drop it")
		}
		switch c.Strategy {
		case UniformBins:
			m.cuts[p] = equalWidth(slices.Min(v), slices.Max(v), c.Bins)
		case QuantileBins:
			sortForQuantiles(v, c.Bins)
			m.cuts[p] = quantileCuts(v, c.Bins)
		case MDL:
			m.cuts[p] = mdlCuts(labelled(train, j), train.NumClasses())
		}
		m.out[j].Levels = levelNames(m.cuts[p], c.Letters)
	}
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c DiscretizerConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// maxBins keeps a mistyped number from taking all memory.
const maxBins = 1 << 16

func equalWidth(least, greatest float64, bins int) []float64 {
	// Halves, so that the range cannot overflow.
	step := (float64(greatest/2) - float64(least/2)) / float64(bins)
	cuts := make([]float64, 0, bins-1)
	wide := math.IsInf(greatest-least, 0)
	for k := 1; k < bins; k++ {
		cut := least + float64(2*float64(k)*step)
		if wide { // then twice the step times k may be infinite too
			cut = given.Between(least, greatest, float64(k)/float64(bins))
		}
		cuts = addCut(cuts, cut, least, greatest)
	}
	return cuts
}

// sortForQuantiles sorts as far as quantileCuts looks: it puts the numbers that it reads at
// their places.
func sortForQuantiles(v []float64, bins int) {
	if bins > 16 { // so many parts are soon as much work as all of it
		slices.Sort(v)
		return
	}
	done := 0
	place := func(k int) {
		if k >= done && k < len(v) {
			order.Partition(v[done:], k-done)
			done = k + 1
		}
	}
	place(0)
	for k := 1; k < bins; k++ {
		low := quantilePlace(len(v), float64(k)/float64(bins))
		place(int(low))
		place(int(low) + 1)
	}
	place(len(v) - 1)
}

// quantileCuts looks at the numbers that sortForQuantiles has put at their places.
func quantileCuts(sorted []float64, bins int) []float64 {
	cuts := make([]float64, 0, bins-1)
	for k := 1; k < bins; k++ {
		cuts = addCut(cuts, quantile(sorted, float64(k)/float64(bins)), sorted[0], sorted[len(sorted)-1])
	}
	return cuts
}

// addCut appends a cut unless it leaves an interval of the training range empty.
func addCut(cuts []float64, cut, least, greatest float64) []float64 {
	last := least
	if len(cuts) > 0 {
		last = cuts[len(cuts)-1]
	}
	if cut > last && cut <= greatest {
		cuts = append(cuts, cut)
	}
	return cuts
}

func levelNames(cuts []float64, letters bool) []string {
	bounds := boundNames(cuts)
	names := make([]string, len(cuts)+1)
	for k := range names {
		switch {
		case letters && k < 26:
			names[k] = string(rune('A' + k))
		case letters:
			names[k] = fmt.Sprintf("interval %d", k+1)
		case len(cuts) == 0:
			names[k] = "all"
		case k == 0:
			names[k] = "< " + bounds[0]
		case k == len(cuts):
			names[k] = ">= " + bounds[k-1]
		default:
			names[k] = bounds[k-1] + " to " + bounds[k]
		}
	}
	return names
}

// boundNames writes cuts with six digits, or as many as tell them apart.
func boundNames(cuts []float64) []string {
	names := make([]string, len(cuts))
	for digits := 6; ; digits++ {
		distinct := true
		for k, v := range cuts {
			names[k] = strconv.FormatFloat(v, 'g', digits, 64)
			distinct = distinct && (k == 0 || names[k] != names[k-1])
		}
		// 17 digits tell any two numbers apart.
		if distinct || digits == 17 {
			return names
		}
	}
}

// A Discretizer is a fitted [DiscretizerConfig].
type Discretizer struct {
	shape
	picked []int
	cuts   [][]float64 // of the picked columns
}

// Cuts returns the cuts of column j, ascending: interval k is from cut k-1 up to but
// not including cut k. It is nil for a column that the configuration leaves alone
// and for one that is a single interval.
func (m *Discretizer) Cuts(j int) []float64 {
	if p, ok := slices.BinarySearch(m.picked, j); ok {
		return slices.Clone(m.cuts[p])
	}
	return nil
}

func (m *Discretizer) mapRow(dst, src []float64) (int, error) {
	copy(dst, src)
	for p, j := range m.picked {
		if math.IsNaN(src[j]) {
			continue
		}
		// The number of cuts up to and including the value.
		k, equal := slices.BinarySearch(m.cuts[p], src[j])
		if equal {
			k++
		}
		dst[j] = float64(k)
	}
	return 0, nil
}

// Transform makes categories; see [Transformer].
func (m *Discretizer) Transform(ds *mlcore.Dataset) (*mlcore.Dataset, error) {
	return transform(m, ds)
}

// TransformRows makes categories; see [Transformer].
func (m *Discretizer) TransformRows(X mat.Matrix) (*mat.Dense, error) { return transformRows(m, X) }

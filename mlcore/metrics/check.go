package metrics

import (
	"errors"
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ErrProbability: a probability below 0 or above 1, or probabilities of one row
// that do not sum to 1.
var ErrProbability = errors.New("bad probability")

// sumTolerance is how far from 1 the probabilities of a row may sum: room for
// those that were computed or stored as float32.
const sumTolerance = 1e-6

func checkLengths(truth, predicted int, what string) error {
	if truth != predicted {
		return fmt.Errorf("metrics: %w: truth has %d rows, %s has %d", mlcore.ErrShape, truth, what, predicted)
	}
	if truth == 0 {
		return fmt.Errorf("metrics: %w: truth has no rows; a score needs at least one", mlcore.ErrEmpty)
	}
	return nil
}

// checkWeights is for n rows that checkLengths has passed.
func checkWeights(w []float64, n int) error {
	if w == nil {
		return nil
	}
	if len(w) != n {
		return fmt.Errorf("metrics: %w: truth has %d rows, w has %d weights", mlcore.ErrShape, n, len(w))
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}

func checkCodes(what string, y []int, classes int) error {
	if err := mlcore.CheckLabels(y, len(y), classes); err != nil {
		return fmt.Errorf("metrics: %s: %w", what, err)
	}
	return nil
}

func checkFinite(what string, v []float64) error {
	for i, x := range v {
		if x-x != 0 {
			return fmt.Errorf("metrics: %s: %w: %v in row %d", what, mlcore.ErrNonFinite, x, i)
		}
	}
	return nil
}

// checkBinary checks truth of 0 and 1 with one score a row.
func checkBinary(truth []int, score []float64, w []float64) error {
	if err := checkLengths(len(truth), len(score), "score"); err != nil {
		return err
	}
	if err := checkCodes("truth", truth, 2); err != nil {
		return err
	}
	if err := checkFinite("score", score); err != nil {
		return err
	}
	return checkWeights(w, len(truth))
}

// checkBinaryProba is checkBinary for scores that are probabilities.
func checkBinaryProba(truth []int, prob, w []float64) error {
	if err := checkBinary(truth, prob, w); err != nil {
		return err
	}
	for i, p := range prob {
		if p < 0 || p > 1 {
			return fmt.Errorf("metrics: %w: %v in row %d; probabilities are 0 to 1", ErrProbability, p, i)
		}
	}
	return nil
}

// checkMulticlass checks truth of K classes with n×K scores and returns K.
func checkMulticlass(truth []int, scores mat.Matrix, w []float64) (int, error) {
	if mlcore.CheckSize(scores) != nil {
		return 0, fmt.Errorf("metrics: %w: scores is nil or empty; it needs a row for each of truth and a column for each class", mlcore.ErrEmpty)
	}
	n, classes := scores.Dims()
	if err := checkLengths(len(truth), n, "scores"); err != nil {
		return 0, err
	}
	if err := checkCodes("truth", truth, classes); err != nil {
		return 0, err
	}
	for i := range n {
		for j := range classes {
			if v := scores.At(i, j); v-v != 0 {
				return 0, fmt.Errorf("metrics: scores: %w: %v in row %d, column %d", mlcore.ErrNonFinite, v, i, j)
			}
		}
	}
	return classes, checkWeights(w, n)
}

// checkProba is checkMulticlass for scores that are probabilities.
func checkProba(truth []int, proba mat.Matrix, w []float64) (int, error) {
	classes, err := checkMulticlass(truth, proba, w)
	if err != nil {
		return 0, err
	}
	for i := range truth {
		sum := 0.0
		for j := range classes {
			p := proba.At(i, j)
			if p < 0 || p > 1 {
				return 0, fmt.Errorf("metrics: %w: %v in row %d, column %d; probabilities are 0 to 1", ErrProbability, p, i, j)
			}
			sum += p
		}
		if math.Abs(sum-1) > sumTolerance {
			return 0, fmt.Errorf("metrics: %w: those of row %d sum to %v, not 1", ErrProbability, i, sum)
		}
	}
	return classes, nil
}

// checkTargets checks real targets and predictions.
func checkTargets(truth, predicted, w []float64) error {
	if err := checkLengths(len(truth), len(predicted), "predicted"); err != nil {
		return err
	}
	if err := checkFinite("truth", truth); err != nil {
		return err
	}
	if err := checkFinite("predicted", predicted); err != nil {
		return err
	}
	return checkWeights(w, len(truth))
}

// unit is a power of two that brings weights of the given size near 1 where they are
// so large or so small that products of them would overflow or underflow, and else
// 1. Scores, which depend on the ratios of weights alone, do not change by it.
func unit(size float64) float64 {
	_, exponent := math.Frexp(size)
	if exponent > -200 && exponent < 200 {
		return 1
	}
	return math.Ldexp(1, min(-exponent, 1023))
}

// inUnits returns checked weights as multiples of their unit.
func inUnits(w []float64) []float64 {
	by := unit(floats.Sum(w))
	if by == 1 {
		return w
	}
	return floats.ScaleTo(make([]float64, len(w)), by, w)
}

// weightedMean is Σ w v / Σ w over n rows that have been checked.
func weightedMean(n int, w []float64, v func(i int) float64) float64 {
	w = inUnits(w)
	sum, total := 0.0, 0.0
	for i := range n {
		wi := given.Weight(w, i)
		if wi == 0 {
			continue
		}
		sum += float64(wi * v(i))
		total += wi
	}
	return sum / total
}

package metrics

import (
	"fmt"
	"slices"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"gonum.org/v1/gonum/mat"
)

// logLossClip keeps log loss finite: probabilities are taken to be at least this
// and at most 1 less it. It is the spacing of float64 at 1, as in scikit-learn.
const logLossClip = 0x1p-52

// LogLoss is the mean of -log of the probability given to the true class, in nats:
// log_loss, or cross-entropy. Proba is n×K with a column for each of the codes
// 0..K-1. Probabilities are clipped to [2^-52, 1-2^-52], so that a row whose true
// class was given the probability 0 costs 36.04 and not infinity. Errors wrap
// [ErrProbability] or mlcore.ErrEmpty, ErrShape, ErrLabel, ErrNonFinite or
// ErrWeight.
func LogLoss(truth []int, proba mat.Matrix, w []float64) (float64, error) {
	if _, err := checkProba(truth, proba, w); err != nil {
		return 0, err
	}
	return weightedMean(len(truth), w, func(i int) float64 { return surprise(proba.At(i, truth[i])) }), nil
}

// BinaryLogLoss is [LogLoss] for truth of 0 and 1 and the probability of 1.
func BinaryLogLoss(truth []int, prob, w []float64) (float64, error) {
	if err := checkBinaryProba(truth, prob, w); err != nil {
		return 0, err
	}
	return weightedMean(len(truth), w, func(i int) float64 {
		if truth[i] == 1 {
			return surprise(prob[i])
		}
		return surprise(1 - prob[i])
	}), nil
}

func surprise(p float64) float64 { return -elementary.Log(min(max(p, logLossClip), 1-logLossClip)) }

// BrierScore is the mean squared distance of the probability of class 1 from the
// truth of 0 or 1: brier_score_loss, 0 to 1, lower is better. Errors are as in
// [LogLoss].
func BrierScore(truth []int, prob, w []float64) (float64, error) {
	if err := checkBinaryProba(truth, prob, w); err != nil {
		return 0, err
	}
	return weightedMean(len(truth), w, func(i int) float64 {
		d := prob[i] - float64(truth[i])
		return d * d
	}), nil
}

// MulticlassBrierScore is Brier's own score, 0 to 2: the mean over the rows of the
// squared distances summed over the n×K probabilities. For two classes it is
// twice [BrierScore] (scikit-learn halves it there unless scale_by_half=False).
func MulticlassBrierScore(truth []int, proba mat.Matrix, w []float64) (float64, error) {
	classes, err := checkProba(truth, proba, w)
	if err != nil {
		return 0, err
	}
	return weightedMean(len(truth), w, func(i int) float64 {
		sum := 0.0
		for j := range classes {
			d := proba.At(i, j) - indicator(j == truth[i])
			sum += float64(d * d)
		}
		return sum
	}), nil
}

// A BinStrategy says where the bins of a calibration curve lie.
type BinStrategy int

const (
	// UniformBins are of equal width on [0, 1].
	UniformBins BinStrategy = iota
	// QuantileBins hold equally many rows, as far as ties allow.
	QuantileBins
)

// maxBins keeps a mistyped number from taking all memory.
const maxBins = 1 << 20

// CalibrationConfig holds the settings of a calibration curve. Its zero value has
// scikit-learn's defaults.
type CalibrationConfig struct {
	// Bins is the number of bins, 5 where it is 0.
	Bins int
	// Strategy is UniformBins by default.
	Strategy BinStrategy
}

// A CalibrationCurve compares predicted probabilities with the shares of
// positive rows, bin by bin. Bins without rows are left out, so the slices may
// be shorter than the number of bins.
type CalibrationCurve struct {
	// MeanPredicted is the mean predicted probability of class 1 in each bin,
	// ascending.
	MeanPredicted []float64
	// FractionPositive is the share of rows in the bin that are of class 1.
	FractionPositive []float64
	// Counts is the number of rows in the bin.
	Counts []int
}

// Points returns MeanPredicted and FractionPositive, the coordinates of the curve, which
// package plotx draws.
func (c CalibrationCurve) Points() (predicted, positive []float64) {
	return c.MeanPredicted, c.FractionPositive
}

// Calibration bins rows by their probability of class 1: calibration_curve, which
// has no sample weights. A probability on the border of two bins belongs to the
// lower. Errors are as in [LogLoss], and mlcore.ErrConfig for Bins out of range or an
// unknown strategy.
func Calibration(truth []int, prob []float64, cfg CalibrationConfig) (CalibrationCurve, error) {
	if err := checkBinaryProba(truth, prob, nil); err != nil {
		return CalibrationCurve{}, err
	}
	bins := cfg.Bins
	switch {
	case bins == 0:
		bins = 5
	case bins < 0 || bins > maxBins:
		return CalibrationCurve{}, fmt.Errorf("metrics: %w: %d bins; 0 means 5, and at most %d are possible", mlcore.ErrConfig, bins, maxBins)
	}
	var at func(q float64) float64
	switch cfg.Strategy {
	case UniformBins:
		at = func(q float64) float64 { return q }
	case QuantileBins:
		sorted := slices.Sorted(slices.Values(prob))
		// To percent and back, as scikit-learn goes: its rounding decides on which side
		// of a border that falls on a row the row itself lies.
		at = func(q float64) float64 { return quantile(sorted, float64(q*100)/100) }
	default:
		return CalibrationCurve{}, fmt.Errorf("metrics: %w: strategy %d; it is UniformBins or QuantileBins", mlcore.ErrConfig, cfg.Strategy)
	}
	borders := make([]float64, bins-1)
	step := 1 / float64(bins)
	for b := range borders {
		borders[b] = at(float64(b+1) * step)
	}
	sums, positive, counts := make([]float64, bins), make([]int, bins), make([]int, bins)
	for i, p := range prob {
		b := sort.SearchFloat64s(borders, p) // the number of borders below p
		sums[b] += p
		positive[b] += truth[i]
		counts[b]++
	}
	var c CalibrationCurve
	for b, n := range counts {
		if n > 0 {
			c.MeanPredicted = append(c.MeanPredicted, sums[b]/float64(n))
			c.FractionPositive = append(c.FractionPositive, float64(positive[b])/float64(n))
			c.Counts = append(c.Counts, n)
		}
	}
	return c, nil
}

// quantile interpolates linearly between order statistics: definition 7 of
// Hyndman & Fan (1996), NumPy's default.
func quantile(sorted []float64, q float64) float64 {
	at := float64(q * float64(len(sorted)-1))
	i := min(int(at), len(sorted)-1)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	a, b, t := sorted[i], sorted[i+1], at-float64(i)
	// From the nearer end, so that equal neighbours give exactly their value.
	if t < 0.5 {
		return a + float64((b-a)*t)
	}
	return b - float64((b-a)*(1-t))
}

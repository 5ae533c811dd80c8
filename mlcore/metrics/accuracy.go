package metrics

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Accuracy is the share of rows, or of their weight, that were predicted right:
// accuracy_score. Errors wrap mlcore.ErrEmpty, ErrShape, ErrLabel or ErrWeight.
func Accuracy(truth, predicted []int, w []float64) (float64, error) {
	return share(truth, predicted, w, true)
}

// ErrorRate is 1 - accuracy, the share that was predicted wrong: zero_one_loss.
func ErrorRate(truth, predicted []int, w []float64) (float64, error) {
	return share(truth, predicted, w, false)
}

// share does not go by way of a matrix, which for large codes would be larger
// than the data.
func share(truth, predicted []int, w []float64, right bool) (float64, error) {
	if err := checkLengths(len(truth), len(predicted), "predicted"); err != nil {
		return 0, err
	}
	if err := checkCodes("truth", truth, 0); err != nil {
		return 0, err
	}
	if err := checkCodes("predicted", predicted, 0); err != nil {
		return 0, err
	}
	if err := checkWeights(w, len(truth)); err != nil {
		return 0, err
	}
	return weightedMean(len(truth), w, func(i int) float64 {
		return indicator((truth[i] == predicted[i]) == right)
	}), nil
}

// TopKAccuracy is the share of rows whose true class is among the k of highest
// score: top_k_accuracy_score. Scores is n×K, one column per class; they need
// not be probabilities. Of equal scores the lower class comes first, as in
// predictions (in scikit-learn the higher). A k outside 1..K wraps
// mlcore.ErrConfig.
func TopKAccuracy(truth []int, scores mat.Matrix, k int, w []float64) (float64, error) {
	classes, err := checkMulticlass(truth, scores, w)
	if err != nil {
		return 0, err
	}
	if k < 1 || k > classes {
		return 0, fmt.Errorf("metrics: %w: the top %d of %d classes; k is 1 to %d", mlcore.ErrConfig, k, classes, classes)
	}
	return weightedMean(len(truth), w, func(i int) float64 {
		before, own := 0, scores.At(i, truth[i])
		for j := range classes {
			if s := scores.At(i, j); s > own || s == own && j < truth[i] {
				before++
			}
		}
		return indicator(before < k)
	}), nil
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

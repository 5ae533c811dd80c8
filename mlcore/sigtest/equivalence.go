package sigtest

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// PairedTOST tests whether two models are equivalent: whether the mean difference of
// pairs, first less second, lies between low and high, the bounds within which a
// difference does not matter, such as -.01 and .01 for error rates. The null hypothesis is
// that it does not, so a small p-value speaks for equivalence. Two one-sided t tests are
// done, one that the mean is above low and one that it is below high, and the larger
// p-value counts (Schuirmann, 1987, Journal of Pharmacokinetics and Biopharmaceutics 15).
// p is below .05 exactly where the 90 % interval of the mean difference lies between the
// bounds.
//
// Statistic, PValue and Alternative are those of the test that decides: [Greater] for the
// one against low, [Less] for the one against high. At least two pairs are needed.
// Differences without spread, also where all are 0, are an error that wraps
// [ErrDegenerate].
//
// Over the folds of a cross-validation use [CorrectedResampledTOST].
func PairedTOST(a, b []float64, low, high float64) (Result, error) {
	return tost("paired TOST", a, b, 0, low, high)
}

// CorrectedResampledTOST is [PairedTOST] corrected for training sets that overlap, with the
// standard error of [CorrectedResampledT]; testTrainRatio is the number of test rows over
// the number of training rows, 1/(K-1) for K folds.
func CorrectedResampledTOST(a, b []float64, testTrainRatio, low, high float64) (Result, error) {
	if err := checkRatio(testTrainRatio); err != nil {
		return Result{}, err
	}
	return tost("corrected resampled TOST", a, b, testTrainRatio, low, high)
}

func tost(method string, a, b []float64, ratio, low, high float64) (Result, error) {
	if v := low + high; v-v != 0 {
		return Result{}, fmt.Errorf("%w: bounds %v and %v", mlcore.ErrNonFinite, low, high)
	}
	if !(low < high) {
		return Result{}, fmt.Errorf("%w: bounds %v and %v; the first is the lower one", mlcore.ErrConfig, low, high)
	}
	mean, se, err := pairedError(method, a, b, ratio)
	if err != nil {
		return Result{}, err
	}
	out := Result{Method: method, DF: float64(len(a) - 1), N: len(a)}
	// The bound that is nearer, or that the mean is beyond, has the larger p-value.
	if mean-low <= high-mean {
		out.Alternative, out.Statistic = Greater, (mean-low)/se
	} else {
		out.Alternative, out.Statistic = Less, (mean-high)/se
	}
	if v := out.Statistic; v-v == 0 {
		out.PValue = out.Alternative.pick(studentTails(out.Statistic, out.DF))
	}
	return out.finite()
}

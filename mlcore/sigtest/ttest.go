package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// studentT finishes a t test: mean is the difference of means, standardError its
// standard error, scale the size of the numbers it was computed from.
func studentT(method string, mean, standardError, df, scale float64, n int, alt Alternative) (Result, error) {
	out := Result{Method: method, Alternative: alt, DF: df, N: n}
	if negligible(standardError, scale) {
		if !negligible(math.Abs(mean), scale) {
			return Result{}, fmt.Errorf("%w: %s, every difference is the same; use a sign or randomisation test", ErrDegenerate, method)
		}
		out.PValue = 1
		return out.finite()
	}
	out.Statistic = mean / standardError
	if v := out.Statistic + df; v-v != 0 {
		return out.finite()
	}
	out.PValue = alt.pick(studentTails(out.Statistic, df))
	return out.finite()
}

// TwoSampleT is Student's t test of two independent samples with equal
// variances: (mean a - mean b) / sqrt(s²(1/n + 1/m)), where s² is the pooled
// variance, with n+m-2 degrees of freedom. Each sample needs a row, both together
// three. Samples that are constant and equal give p = 1; constant and different
// ones an error that wraps [ErrDegenerate].
func TwoSampleT(a, b []float64, alt Alternative) (Result, error) {
	if err := checkTwo(a, b, 1, alt); err != nil {
		return Result{}, err
	}
	n, m := float64(len(a)), float64(len(b))
	df := n + m - 2
	if df < 1 {
		return Result{}, fmt.Errorf("%w: samples of 1 and 1 rows; one needs at least 2", mlcore.ErrShape)
	}
	ma, va := meanVariance(a)
	mb, vb := meanVariance(b)
	pooled := (float64((n-1)*va) + float64((m-1)*vb)) / df
	return studentT("two-sample t, equal variances", ma-mb, math.Sqrt(pooled*(1/n+1/m)), df, largest(a, b), len(a)+len(b), alt)
}

// WelchT is the t test of two independent samples whose variances may differ:
// (mean a - mean b) / sqrt(va/n + vb/m) with the degrees of freedom of Welch and
// Satterthwaite, (va/n + vb/m)² / ((va/n)²/(n-1) + (vb/m)²/(m-1)) (Welch, 1947,
// Biometrika 34). Each sample needs two rows. Constant samples are treated as by
// [TwoSampleT], with n+m-2 degrees of freedom.
func WelchT(a, b []float64, alt Alternative) (Result, error) {
	if err := checkTwo(a, b, 2, alt); err != nil {
		return Result{}, err
	}
	n, m := float64(len(a)), float64(len(b))
	ma, va := meanVariance(a)
	mb, vb := meanVariance(b)
	qa, qb := va/n, vb/m
	df := n + m - 2
	if sum := qa + qb; sum > 0 {
		// Shares, not squares: the squares of small variances underflow.
		sa, sb := qa/sum, qb/sum
		df = 1 / (float64(sa*sa)/(n-1) + float64(sb*sb)/(m-1))
	}
	return studentT("Welch t", ma-mb, math.Sqrt(qa+qb), df, largest(a, b), len(a)+len(b), alt)
}

// PairedT is Student's t test of the differences of pairs, such as two models'
// errors on the same folds: mean / (s / sqrt(n)) with n-1 degrees of freedom.
// At least two pairs are needed. Differences that are all 0 give p = 1; all the
// same and not 0, an error that wraps [ErrDegenerate].
//
// Over the folds of a cross-validation the test finds a difference too easily,
// because training sets overlap: see [CorrectedResampledT].
func PairedT(a, b []float64, alt Alternative) (Result, error) {
	return pairedT("paired t", a, b, 0, alt)
}

// CorrectedResampledT is [PairedT] corrected for training sets that overlap, for
// the J results of a repeated cross-validation or of repeated random splits:
// mean / sqrt((1/J + testTrainRatio) s²) with J-1 degrees of freedom, where
// testTrainRatio is the number of test rows over the number of training rows,
// 1/(K-1) for K folds. (Nadeau & Bengio, 2003, Machine Learning 52, section 5;
// for repeated cross-validation Bouckaert & Frank, 2004, PAKDD.)
func CorrectedResampledT(a, b []float64, testTrainRatio float64, alt Alternative) (Result, error) {
	if err := checkRatio(testTrainRatio); err != nil {
		return Result{}, err
	}
	return pairedT("corrected resampled t", a, b, testTrainRatio, alt)
}

func pairedT(method string, a, b []float64, ratio float64, alt Alternative) (Result, error) {
	if err := alt.check(); err != nil {
		return Result{}, err
	}
	if err := checkPaired(a, b, 2); err != nil {
		return Result{}, err
	}
	mean, variance := meanVariance(differences(a, b))
	n := float64(len(a))
	// The spread is judged before it is scaled, so that the correction does not
	// make rounding count.
	if negligible(math.Sqrt(variance), largest(a, b)) {
		variance = 0
	}
	return studentT(method, mean, math.Sqrt((1/n+ratio)*variance), n-1, largest(a, b), len(a), alt)
}

func checkTwo(a, b []float64, atLeast int, alt Alternative) error {
	if err := alt.check(); err != nil {
		return err
	}
	if err := checkSample("first", a, atLeast); err != nil {
		return err
	}
	return checkSample("second", b, atLeast)
}

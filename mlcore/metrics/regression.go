package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/order"
)

// MSE is the mean squared error, Σ w (y-f)² / Σ w, in squared units of the target.
// Errors wrap mlcore.ErrEmpty, ErrShape, ErrNonFinite or ErrWeight; ErrNonFinite
// also where the mean overflows.
func MSE(truth, predicted, w []float64) (float64, error) {
	if err := checkTargets(truth, predicted, w); err != nil {
		return 0, err
	}
	mean, exponent := meanSquare(truth, predicted, w)
	return finite(math.Ldexp(mean, 2*exponent))
}

// RMSE is the root of [MSE], in units of the target, also where the MSE itself would
// overflow or underflow. Errors are as in MSE.
func RMSE(truth, predicted, w []float64) (float64, error) {
	if err := checkTargets(truth, predicted, w); err != nil {
		return 0, err
	}
	mean, exponent := meanSquare(truth, predicted, w)
	return finite(math.Ldexp(math.Sqrt(mean), exponent))
}

// leastSquare is where the digits of squares, times weights in their unit, begin to
// underflow.
const leastSquare = 0x1p-700

// meanSquare returns the weighted mean of the squared differences of checked targets, as
// a number to be multiplied by 2 to the power of twice the exponent. That is 0 unless
// squares would leave the range of float64.
func meanSquare(truth, predicted, w []float64) (mean float64, exponent int) {
	if w == nil {
		for i, t := range truth {
			d := t - predicted[i]
			mean += float64(d * d)
		}
		mean /= float64(len(truth))
	} else {
		mean = weightedMean(len(truth), w, func(i int) float64 {
			d := truth[i] - predicted[i]
			return d * d
		})
	}
	if mean >= leastSquare && mean <= math.MaxFloat64 {
		return mean, 0
	}
	return scaledMean(truth, predicted, w, func(d float64) float64 { return d * d })
}

// scaledMean is the weighted mean of f of the differences, after all are divided by 2 to
// the power of the exponent, so that the greatest of the rows that count is near 1.
func scaledMean(truth, predicted, w []float64, f func(d float64) float64) (mean float64, exponent int) {
	differences, most := make([]float64, len(truth)), 0.0
	for by := 1.0; ; by = 0.5 { // halves where whole numbers overflow
		most = 0
		for i := range truth {
			if given.Weight(w, i) == 0 {
				continue
			}
			differences[i] = float64(by*truth[i]) - float64(by*predicted[i])
			most = max(most, math.Abs(differences[i]))
		}
		if most == 0 {
			return 0, 0
		}
		if most <= math.MaxFloat64 {
			_, exponent = math.Frexp(most)
			mean = weightedMean(len(truth), w, func(i int) float64 { return f(math.Ldexp(differences[i], -exponent)) })
			if by != 1 {
				exponent++
			}
			return mean, exponent
		}
	}
}

// MAE is the mean absolute error, Σ w |y-f| / Σ w, in units of the target. Errors are as
// in [MSE].
func MAE(truth, predicted, w []float64) (float64, error) {
	if err := checkTargets(truth, predicted, w); err != nil {
		return 0, err
	}
	mae := 0.0
	if w == nil {
		for i, t := range truth {
			mae += math.Abs(t - predicted[i])
		}
		mae /= float64(len(truth))
	} else {
		mae = weightedMean(len(truth), w, func(i int) float64 { return math.Abs(truth[i] - predicted[i]) })
	}
	if mae >= leastSquare && mae <= math.MaxFloat64 {
		return mae, nil
	}
	mean, exponent := scaledMean(truth, predicted, w, math.Abs)
	return finite(math.Ldexp(mean, exponent))
}

// MedianAE is the median absolute error, in units of the target. Where half the
// weight lies on either side, as with an even number of equal weights, it is the
// mean of the two middle errors.
func MedianAE(truth, predicted, w []float64) (float64, error) {
	if err := checkTargets(truth, predicted, w); err != nil {
		return 0, err
	}
	if w == nil {
		return finite(medianDifference(truth, predicted))
	}
	type weighed struct{ v, w float64 }
	var errs []weighed
	total := 0.0
	for i := range truth {
		if wi := given.Weight(w, i); wi > 0 {
			errs = append(errs, weighed{math.Abs(truth[i] - predicted[i]), wi})
			total += wi
		}
	}
	slices.SortStableFunc(errs, func(a, b weighed) int { return cmp.Compare(a.v, b.v) })
	half, below := float64(total/2), 0.0
	for i, e := range errs {
		below += e.w
		switch {
		// Sums of weights such as 0.1 miss their half by rounding.
		case i+1 < len(errs) && math.Abs(below-half) <= 1e-12*total:
			return finite(float64(e.v/2) + float64(errs[i+1].v/2))
		case below > half:
			return finite(e.v)
		}
	}
	return finite(errs[len(errs)-1].v)
}

// medianDifference is the median of the absolute differences.
func medianDifference(a, b []float64) float64 {
	v := make([]float64, len(a))
	for i := range v {
		v[i] = math.Abs(a[i] - b[i])
	}
	half := len(v) / 2
	order.Partition(v, half)
	if len(v)%2 == 1 {
		return v[half]
	}
	return float64(slices.Max(v[:half])/2) + float64(v[half]/2)
}

// MaxError is the largest absolute error, in units of the target.
func MaxError(truth, predicted []float64) (float64, error) {
	if err := checkTargets(truth, predicted, nil); err != nil {
		return 0, err
	}
	worst := 0.0
	for i := range truth {
		worst = max(worst, math.Abs(truth[i]-predicted[i]))
	}
	return finite(worst)
}

// R2 is the coefficient of determination, 1 - Σ w (y-f)² / Σ w (y-mean)²: 1 is
// perfect, 0 no better than the mean of truth, and below 0 worse. It is undefined
// where all true values of positive weight are equal, however good the
// predictions are (scikit-learn puts 1 for perfect and 0 for other ones, unless
// force_finite=False). Errors are as in [MSE]; one that wraps ErrNonFinite says that R2
// itself overflows, not the squares.
func R2(truth, predicted, w []float64) (float64, error) {
	if err := checkTargets(truth, predicted, w); err != nil {
		return 0, err
	}
	// Compared as values: the mean of many 0.1 need not be 0.1.
	if constant(truth, w) {
		return math.NaN(), nil
	}
	residual, deviation := squares(truth, predicted, w)
	if !(deviation >= leastSquare && deviation <= math.MaxFloat64 && residual <= math.MaxFloat64) {
		// Divided by the greatest of them true values are near 1, and predictions
		// overflow where R2 does.
		most := 0.0
		for i, y := range truth {
			if given.Weight(w, i) > 0 {
				most = max(most, math.Abs(y))
			}
		}
		_, exponent := math.Frexp(most)
		y, f := make([]float64, len(truth)), make([]float64, len(truth))
		for i := range truth {
			y[i], f[i] = math.Ldexp(truth[i], -exponent), math.Ldexp(predicted[i], -exponent)
		}
		residual, deviation = squares(y, f, w)
	}
	return finite(1 - residual/deviation)
}

// squares returns the weighted sums of the squared differences between truth and
// predictions and between truth and its mean.
func squares(truth, predicted, w []float64) (residual, deviation float64) {
	mean := weightedMean(len(truth), w, func(i int) float64 { return truth[i] })
	w = inUnits(w)
	for i, y := range truth {
		wi := given.Weight(w, i)
		if wi == 0 { // its error may overflow
			continue
		}
		residual += float64(wi * (y - predicted[i]) * (y - predicted[i]))
		deviation += float64(wi * (y - mean) * (y - mean))
	}
	return residual, deviation
}

func constant(v, w []float64) bool {
	first := -1
	for i := range v {
		switch {
		case given.Weight(w, i) == 0:
		case first < 0:
			first = i
		case v[i] != v[first]:
			return false
		}
	}
	return true
}

// finite returns v, or an error where arithmetic on finite targets overflowed.
func finite(v float64) (float64, error) {
	if v-v != 0 {
		return 0, fmt.Errorf("metrics: %w: the errors overflow; rescale the target", mlcore.ErrNonFinite)
	}
	return v, nil
}

package sigtest

import (
	"fmt"
	"math"
)

// Scores5x2 are a model's scores or errors in five 2-fold cross-validations:
// [i][j] is fold j of repetition i. Both models must have had the same folds.
type Scores5x2 = [5][2]float64

// FiveByTwoT is Dietterich's 5x2cv paired t test: with p(i,j) the difference in
// fold j of repetition i and s²(i) the variance of the two in repetition i,
//
//	t = p(1,1) / sqrt((s²(1) + ... + s²(5)) / 5)
//
// with 5 degrees of freedom (Dietterich, 1998, Neural Computation 10, section
// 3.5). If all ten differences are 0, p is 1; if the two folds of each repetition
// agree and the differences are not 0, the error wraps [ErrDegenerate].
func FiveByTwoT(a, b Scores5x2, alt Alternative) (Result, error) {
	if err := alt.check(); err != nil {
		return Result{}, err
	}
	first, _, variances, scale, err := fiveByTwo(a, b)
	if err != nil {
		return Result{}, err
	}
	return studentT("5x2cv t", first, math.Sqrt(variances/5), 5, scale, 10, alt)
}

// FiveByTwoF is Alpaydin's combined 5x2cv F test, which uses all ten differences
// where [FiveByTwoT] has one in its numerator:
//
//	F = (sum of all p(i,j)²) / (2 (s²(1) + ... + s²(5)))
//
// with 10 and 5 degrees of freedom (Alpaydin, 1999, Neural Computation 11). It is
// two-sided by nature. Degenerate differences are treated as by FiveByTwoT.
func FiveByTwoF(a, b Scores5x2) (Result, error) {
	_, squares, variances, _, err := fiveByTwo(a, b)
	if err != nil {
		return Result{}, err
	}
	out := Result{Method: "combined 5x2cv F", DF: 10, DF2: 5, N: 10, PValue: 1}
	if squares == 0 {
		return out, nil
	}
	out.Statistic = squares / (2 * variances)
	if math.IsInf(out.Statistic, 0) || math.IsNaN(out.Statistic) {
		return out.finite()
	}
	out.PValue = fUpper(out.Statistic, 10, 5)
	return out.finite()
}

// fiveByTwo returns the first difference, the sum of squared differences, the sum
// of the variances and the size of the scores. Where differences are nothing but
// rounding all are 0.
func fiveByTwo(a, b Scores5x2) (first, squares, variances, scale float64, err error) {
	for i := range a {
		for _, s := range []struct {
			name string
			v    [2]float64
		}{{"first", a[i]}, {"second", b[i]}} {
			if err := checkFinite(fmt.Sprintf("%s model's repetition %d", s.name, i), s.v[:]); err != nil {
				return 0, 0, 0, 0, err
			}
		}
		scale = max(scale, largest(a[i][:], b[i][:]))
	}
	var biggest, spread float64
	for i := range a {
		d1, d2 := a[i][0]-b[i][0], a[i][1]-b[i][1]
		squares += float64(d1*d1) + float64(d2*d2)
		// The variance of two numbers is half their squared distance.
		variances += float64(float64((d1-d2)*(d1-d2)) / 2)
		biggest = max(biggest, math.Abs(d1), math.Abs(d2))
		spread = max(spread, math.Abs(d1-d2))
	}
	if negligible(biggest, scale) {
		return 0, 0, 0, scale, nil
	}
	if negligible(spread, scale) {
		return 0, 0, 0, 0, fmt.Errorf("%w: 5x2cv, the two folds of every repetition give the same difference", ErrDegenerate)
	}
	return a[0][0] - b[0][0], squares, variances, scale, nil
}

package preprocess

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mathext"
)

// centred takes the mean off values, in place, in a unit that keeps their squares in the
// range of float64. It is nil where all are equal but for rounding.
func centred(v []float64) []float64 {
	if given.Constant(extremes(v)) {
		return nil
	}
	toUnit(v)
	most := kernel.MaxAbs(v) // below 1 only where numbers are subnormal
	takeMean(v)
	if kernel.MaxAbs(v) < far*most {
		takeMean(v)
	}
	// Values that differ in their last digits alone are tiny now.
	toUnit(v)
	return v
}

// far is how small deviations from the mean are, in units of the greatest value, where the
// rounding of the mean, by many rows, may be as great. The mean is then taken again.
const far = 0x1p-20

func takeMean(v []float64) {
	mean := 0.0
	for _, x := range v {
		mean += x
	}
	kernel.Shift(v, -mean/float64(len(v)))
}

// toUnit divides values by a power of two, which changes no digit, so that the greatest
// lies between 1 and 2.
func toUnit(v []float64) {
	_, e := math.Frexp(kernel.MaxAbs(v))
	if unit := math.Ldexp(1, max(e-1, -1022)); unit != 1 {
		kernel.Divide(v, unit)
	}
}

// analysisOfVariance returns the F statistic of a column's values between the classes, and its
// p-value: the variance of the class means over that within the classes.
func analysisOfVariance(ds *mlcore.Dataset, values []float64) (f, p float64, err error) {
	count, mean := make([]float64, ds.NumClasses()), make([]float64, ds.NumClasses())
	first := make([]int, ds.NumClasses()) // row of a class
	for i := len(ds.Y) - 1; i >= 0; i-- {
		count[ds.Y[i]]++
		first[ds.Y[i]] = i
	}
	classes := 0
	for _, n := range count {
		if n > 0 {
			classes++
		}
	}
	n := ds.Len()
	switch {
	case classes < 2:
		return 0, 0, dataError(ds, mlcore.ErrOneClass, "the F score compares classes, and the training rows have one")
	case n <= classes:
		return 0, 0, dataError(ds, mlcore.ErrEmpty, "%d rows of %d classes; the F score needs more rows than classes", n, classes)
	}
	v := centred(values)
	if v == nil {
		return 0, 1, nil
	}
	varies := make([]bool, len(count))
	for i, k := range ds.Y {
		mean[k] += v[i]
		varies[k] = varies[k] || v[i] != v[first[k]]
	}
	between, within := 0.0, 0.0
	for k, c := range count {
		if c > 0 {
			mean[k] /= c
			if !varies[k] { // the mean of three 0.1 need not be 0.1
				mean[k] = v[first[k]]
			}
			between += float64(c * mean[k] * mean[k])
		}
	}
	for i, k := range ds.Y {
		within += float64((v[i] - mean[k]) * (v[i] - mean[k]))
	}
	d1, d2 := float64(classes-1), float64(n-classes)
	f = (between / d1) / (within / d2)
	return f, fUpper(f, d1, d2), nil
}

// chiSquared returns how far the sums of column j in the classes are from what the sizes
// of the classes make one expect: the sum of (observed - expected)²/expected, and its
// p-value.
func chiSquared(ds *mlcore.Dataset, j int) (chi2, p float64, err error) {
	observed, count := make([]float64, ds.NumClasses()), make([]float64, ds.NumClasses())
	total := 0.0
	for i, k := range ds.Y {
		v := ds.X.At(i, j)
		if v < 0 {
			return 0, 0, columnError(ds, mlcore.ErrColumn, j, "holds %v in row %d; ChiSquared is for counts, none below 0", v, i)
		}
		observed[k] += v
		total += v
		count[k]++
	}
	if total-total != 0 {
		return 0, 0, columnError(ds, mlcore.ErrNonFinite, j, "has a sum beyond the range of float64; bring it to a moderate scale")
	}
	classes := 0
	for k, c := range count {
		if c == 0 {
			continue
		}
		classes++
		if expected := float64(total * (c / float64(ds.Len()))); expected > 0 {
			d := observed[k] - expected
			chi2 += float64(d * (d / expected))
		}
	}
	if classes < 2 {
		return 0, 0, dataError(ds, mlcore.ErrOneClass, "ChiSquared compares classes, and the training rows have one")
	}
	if total == 0 {
		return 0, 1, nil
	}
	return chi2, mathext.GammaIncRegComp(float64(classes-1)/2, chi2/2), nil
}

// fUpper returns P(F >= f) with d1 and d2 degrees of freedom.
func fUpper(f, d1, d2 float64) float64 {
	if math.IsInf(f, 1) {
		return 0
	}
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+float64(d1*f)))
}

package ada511

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/stat"
)

// MeanCurve is the curve of the mean of y over seeds, 0 to seeds-1, with the
// standard error of the mean as bars. Different seeds have to stand for data or
// draws that are independent.
func MeanCurve(name string, xs []float64, seeds int, y func(x float64, seed uint64) float64) plotx.Series {
	s := plotx.Series{Name: name, Dots: true}
	for _, x := range xs {
		values := assess.Seeds(seeds, func(seed uint64) float64 { return y(x, seed) })
		mean, sd := stat.MeanStdDev(values, nil)
		s.X, s.Y = append(s.X, x), append(s.Y, mean)
		s.Err = append(s.Err, sd/math.Sqrt(float64(seeds)))
	}
	return s
}

// Verdict compares two models on pairs of values, such as their errors on data sets
// that were drawn independently of each other, by the paired t test, and says the
// result in words. (For the folds of a cross-validation, whose training sets
// overlap, there is assess.Compare.)
func Verdict(nameA string, a []float64, nameB string, b []float64) string {
	s := fmt.Sprintf("%s %.4f, %s %.4f", nameA, stat.Mean(a, nil), nameB, stat.Mean(b, nil))
	r, err := sigtest.PairedT(a, b, sigtest.TwoSided)
	if err != nil {
		return s + ": " + err.Error()
	}
	words := "no difference to be seen"
	if r.PValue < 0.05 {
		words = "a real difference"
	}
	p := fmt.Sprintf("p = %.3f", r.PValue)
	if r.PValue < 0.001 {
		p = "p < 0.001"
	}
	return fmt.Sprintf("%s: %s (t = %.2f with %.0f degrees of freedom, %s)", s, words, r.Statistic, r.DF, p)
}

// HoldBack parts a data set whose rows are in no order that matters: the first n
// rows are for validation, the others for training.
func HoldBack(ds *mlcore.Dataset, n int) (train, validation *mlcore.Dataset) {
	rows := make([]int, ds.Len())
	for i := range rows {
		rows[i] = i
	}
	return ds.Subset(rows[n:]), ds.Subset(rows[:n])
}

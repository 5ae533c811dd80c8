package sigtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"gonum.org/v1/gonum/mat"
)

// Nemenyi holds what a critical-difference diagram shows.
type Nemenyi struct {
	// Alpha is the chance of any false alarm among all pairs.
	Alpha float64
	// CriticalDifference is the distance of average ranks from which two models
	// differ significantly.
	CriticalDifference float64
	// Order lists the models from the best average rank to the worst, the lower
	// index first on a tie.
	Order []int
	// Groups lists the bars of the diagram: runs of Order whose first and last do
	// not differ significantly, as long as possible, two models or more.
	Groups [][]int
	// P holds the p-value of each pair of models, k×k; 1 on the diagonal.
	P *mat.SymDense
}

// Nemenyi compares all pairs of models by their average ranks (Nemenyi, 1963;
// Demšar, 2006, section 3.2.2). Look at it only if the Friedman test has
// rejected.
func (r *FriedmanResult) Nemenyi(alpha float64) (*Nemenyi, error) {
	cd, err := CriticalDifference(alpha, r.Models, r.DataSets)
	if err != nil {
		return nil, err
	}
	k := r.Models
	out := &Nemenyi{Alpha: alpha, CriticalDifference: cd, Order: make([]int, k), P: mat.NewSymDense(k, nil)}
	d := newStudentizedRange(k)
	for i := range k {
		out.Order[i] = i
		for j := i; j < k; j++ {
			q := math.Abs(r.AverageRanks[i]-r.AverageRanks[j]) / rankError(k, r.DataSets) * math.Sqrt2
			out.P.SetSym(i, j, d.upper(q))
		}
	}
	slices.SortStableFunc(out.Order, func(i, j int) int { return cmp.Compare(r.AverageRanks[i], r.AverageRanks[j]) })
	end := 0
	for lo := range k {
		hi := lo + 1
		for hi < k && r.AverageRanks[out.Order[hi]]-r.AverageRanks[out.Order[lo]] < cd {
			hi++
		}
		// A run that ends where the one before did lies within it.
		if hi > end && hi-lo > 1 {
			out.Groups = append(out.Groups, slices.Clone(out.Order[lo:hi]))
		}
		end = max(end, hi)
	}
	return out, nil
}

// Diagram returns CriticalDifference, Alpha and Groups, which package plotx draws over the
// average ranks.
func (n *Nemenyi) Diagram() (criticalDifference, alpha float64, groups [][]int) {
	return n.CriticalDifference, n.Alpha, n.Groups
}

// CriticalDifference returns q sqrt(k(k+1)/(6N)) for k models on N data sets,
// where q is [StudentizedRangeQuantile](1-alpha, k) / sqrt(2): the values of
// Table 5(a) in Demšar, 2006, such as 2.569 for 4 models and alpha 0.05.
func CriticalDifference(alpha float64, models, dataSets int) (float64, error) {
	if dataSets < 1 {
		return 0, fmt.Errorf("%w: %d data sets", mlcore.ErrEmpty, dataSets)
	}
	if err := checkAlpha(alpha); err != nil {
		return 0, err
	}
	q, err := StudentizedRangeQuantile(1-alpha, models)
	if err != nil {
		return 0, err
	}
	return q / math.Sqrt2 * rankError(models, dataSets), nil
}

// StudentizedRangeQuantile returns the quantile of the range (largest less
// smallest) of k independent standard normal variables: the studentised range
// with infinitely many degrees of freedom. Its distribution function
//
//	P(Q < q) = k ∫ φ(z) (Φ(z) - Φ(z-q))^(k-1) dz
//
// is summed by the trapezoidal rule, which for such an integrand is good to
// rounding, and inverted by the secant method and bisection. Probabilities from 0 up to 1 - 1e-9, k
// from 2 to 10000; there is no table.
func StudentizedRangeQuantile(p float64, k int) (float64, error) {
	if !(p >= 0 && p <= 1-1e-9) {
		return 0, fmt.Errorf("%w: probability %v is not in [0, 1-1e-9]", mlcore.ErrConfig, p)
	}
	if k < 2 || k > 10000 {
		return 0, fmt.Errorf("%w: a range of %d; 2 to 10000", mlcore.ErrConfig, k)
	}
	if p == 0 {
		return 0, nil
	}
	// The range of 10000 exceeds 16 with a chance below 1e-9.
	d := newStudentizedRange(k)
	return rootOfSmooth(0, 16, 1e-13, func(q float64) float64 { return d.below(q) - p }), nil
}

// A studentizedRange is the distribution of the range of k variables: the terms of its sum at
// each z that do not depend on q.
type studentizedRange struct {
	k int
	// z are the places, weight is e^(-z²/2) and share Φ(z).
	z, weight, share []float64
}

// rangeStep is between two places.
const rangeStep = 1. / 32

func newStudentizedRange(k int) *studentizedRange {
	const ends = 9 * 32
	d := &studentizedRange{k: k}
	for i := -ends; i <= ends; i++ {
		z := float64(float64(i) * rangeStep)
		d.z = append(d.z, z)
		d.weight = append(d.weight, elementary.Exp(-z*z/2))
		d.share = append(d.share, normalUpper(-z))
	}
	return d
}

// below returns P(Q < q).
func (d *studentizedRange) below(q float64) float64 {
	sum := 0.0
	for i, z := range d.z {
		sum += float64(d.weight[i] * elementary.Pow(d.share[i]-normalUpper(q-z), float64(d.k-1)))
	}
	return float64(d.k) * rangeStep / math.Sqrt(2*math.Pi) * sum
}

// upper returns P(Q >= q).
func (d *studentizedRange) upper(q float64) float64 { return min(1, max(0, 1-d.below(q))) }

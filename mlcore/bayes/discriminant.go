package bayes

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// centred are the rows of some classes less the means of their classes, times the root
// of their share of the weight, so that the sums of products of its columns are the
// covariances. Columns are in units of their standard deviations.
type centred struct {
	rows    *mat.Dense
	class   []int     // of each row
	weights []float64 // of the rows; nil where all are 1
	scale   []float64 // the unit of each column; 1 where it does not vary
	flat    []bool    // the columns that do not vary within a class
}

// newCentred takes the rows of positive weight for which keep holds. means are K×d, and
// what is left of the rows' means is added to them: the last digits of columns that are
// far from 0. Up to so many goroutines do some of the columns each.
func newCentred(X *mat.Dense, y []int, w, means []float64, keep func(class int) bool, workers int) *centred {
	n, d := X.Dims()
	var rows []int
	for _, i := range given.Weighted(w, n) {
		if keep(y[i]) {
			rows = append(rows, i)
		}
	}
	c := &centred{rows: mat.NewDense(len(rows), d, nil), class: given.Pick(y, rows), weights: given.Pick(w, rows), scale: make([]float64, d), flat: make([]bool, d)}
	s := rowWeights{of: c.weights, classes: make([]float64, len(means)/d)}
	for i, k := range c.class {
		s.classes[k] += given.Weight(s.of, i)
		s.total += given.Weight(s.of, i)
	}
	s.own = inUnits(s.of, c.class, s.classes)
	// Nothing fails.
	par.Sure(par.Chunks(d, momentColumns(d, workers), workers, func(lo, hi int) error {
		greatest := make([]float64, hi-lo)
		for at, i := range rows {
			row, mean := c.part(at, lo, hi), means[c.class[at]*d:][lo:hi]
			for j, v := range X.RawRowView(i)[lo:hi] {
				greatest[j] = max(greatest[j], math.Abs(v))
				row[j] = v - mean[j]
			}
		}
		c.correct(&s, means, lo, hi)
		c.standardise(&s, greatest, lo, hi)
		return nil
	}))
	return c
}

// rowWeights are the weights of rows, nil where all are 1, and their sum.
type rowWeights struct {
	of      []float64
	total   float64
	own     []float64 // in a unit of each class
	classes []float64 // their sums
}

// part is the columns lo to hi-1 of row i.
func (c *centred) part(i, lo, hi int) []float64 { return c.rows.RawRowView(i)[lo:hi] }

// correct takes the means of the centred rows off them, in the columns lo to hi-1.
func (c *centred) correct(s *rowWeights, means []float64, lo, hi int) {
	d, width := len(c.scale), hi-lo
	left := make([]float64, len(s.classes)*width)
	for i, k := range c.class {
		kernel.AddScaled(left[k*width:][:width], given.Weight(s.own, i), c.part(i, lo, hi))
	}
	for k, total := range s.classes {
		if total > 0 {
			own := left[k*width:][:width]
			kernel.Divide(own, total)
			kernel.AddScaled(means[k*d+lo:][:width], 1, own)
		}
	}
	for i, k := range c.class {
		kernel.AddScaled(c.part(i, lo, hi), -1, left[k*width:][:width])
	}
}

// standardise divides the columns lo to hi-1 by their standard deviations, and multiplies the
// rows by the roots of their shares of the total weight. A deviation that is no more than the
// rounding of numbers of the given size, one for each of the columns, is none.
func (c *centred) standardise(s *rowWeights, size []float64, lo, hi int) {
	units, sums := make([]float64, hi-lo), make([]float64, hi-lo)
	for i := range c.class {
		for j, v := range c.part(i, lo, hi) {
			units[j] = max(units[j], math.Abs(v))
		}
	}
	for j, greatest := range units {
		units[j] = factor.UnitOf(greatest) // so that squares are in range
	}
	for i := range c.class {
		row, share := c.part(i, lo, hi), given.Weight(s.of, i)/s.total
		for j, unit := range units {
			v := row[j] / unit
			row[j] = v
			sums[j] += float64(share * float64(v*v))
		}
	}
	scale, flat := c.scale[lo:hi], c.flat[lo:hi]
	for j, sum := range sums {
		sums[j] = math.Sqrt(sum)
		scale[j] = float64(sums[j] * units[j])
		if given.Rounding(scale[j], size[j]) {
			scale[j], flat[j] = 1, true
		}
	}
	for i := range c.class {
		row, root := c.part(i, lo, hi), math.Sqrt(given.Weight(s.of, i)/s.total)
		for j, deviation := range sums {
			if flat[j] {
				row[j] = 0
				continue
			}
			row[j] = row[j] / deviation * root
		}
	}
}

// tolerance returns a Tol that is in range, 1e-4 for 0.
func tolerance(tol float64) (float64, error) {
	if tol == 0 {
		return 1e-4, nil
	}
	if !(tol > 0 && tol < 1) {
		return 0, fmt.Errorf("bayes: %w: Tol is %v; it is between 0 and 1", mlcore.ErrConfig, tol)
	}
	return tol, nil
}

// prior is P(c) of class k, 0 where it is never predicted.
func (c *classes) prior(k int) float64 { return elementary.Exp(c.logPrior[k]) }

// present counts the classes that have rows of positive weight.
func (c *classes) present() int {
	n := 0
	for _, v := range c.weight {
		if v > 0 {
			n++
		}
	}
	return n
}

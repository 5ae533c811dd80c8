package bayes

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// centred are the rows of some classes less the means of their classes, times the root
// of their share of the weight, so that the sums of products of its columns are the
// covariances. Columns are in units of their standard deviations.
type centred struct {
	rows  *mat.Dense
	class []int     // of each row
	scale []float64 // the unit of each column; 1 where it does not vary
	flat  []bool    // the columns that do not vary within a class
}

// newCentred takes the rows of positive weight for which keep holds. means are K×d, and
// what is left of the rows' means is added to them: the last digits of columns that are
// far from 0.
func newCentred(X *mat.Dense, y []int, w, means []float64, keep func(class int) bool) *centred {
	n, d := X.Dims()
	c := &centred{scale: make([]float64, d), flat: make([]bool, d)}
	var rows []int
	for _, i := range given.Weighted(w, n) {
		if keep(y[i]) {
			rows = append(rows, i)
		}
	}
	c.class, w = given.Pick(y, rows), given.Pick(w, rows)
	c.rows = given.Subset(X, rows)
	greatest := make([]float64, d)
	for i, k := range c.class {
		row := c.rows.RawRowView(i)
		for j, v := range row {
			greatest[j] = max(greatest[j], math.Abs(v))
			row[j] = v - means[k*d+j]
		}
	}
	c.correct(w, means)
	total := 0.0
	for i := range rows {
		total += given.Weight(w, i)
	}
	c.standardise(w, total, greatest)
	return c
}

// correct takes the means of the centred rows off them.
func (c *centred) correct(w, means []float64) {
	_, d := c.rows.Dims()
	left, weight := make([]float64, len(means)), make([]float64, len(means)/d)
	for i, k := range c.class {
		wi := given.Weight(w, i)
		weight[k] += wi
		kernel.AddScaled(left[k*d:][:d], wi, c.rows.RawRowView(i))
	}
	for at := range left {
		if total := weight[at/d]; total > 0 {
			left[at] /= total
			means[at] += left[at]
		}
	}
	for i, k := range c.class {
		kernel.AddScaled(c.rows.RawRowView(i), -1, left[k*d:][:d])
	}
}

// standardise divides each column by its standard deviation, and multiplies the rows by the
// roots of their shares of the total weight. A deviation that is no more than the rounding of
// numbers of the given size, one for each column, is none.
func (c *centred) standardise(w []float64, total float64, size []float64) {
	d := len(c.scale)
	units, sums := make([]float64, d), make([]float64, d)
	for i := range c.class {
		for j, v := range c.rows.RawRowView(i) {
			units[j] = max(units[j], math.Abs(v))
		}
	}
	for j, greatest := range units {
		units[j] = factor.UnitOf(greatest) // so that squares are in range
	}
	for i := range c.class {
		row, share := c.rows.RawRowView(i)[:d], given.Weight(w, i)/total
		for j, unit := range units {
			v := row[j] / unit
			row[j] = v
			sums[j] += float64(share * float64(v*v))
		}
	}
	for j, sum := range sums {
		sums[j] = math.Sqrt(sum)
		c.scale[j] = float64(sums[j] * units[j])
		if !(c.scale[j] > float64(0x1p-50*size[j])) {
			c.scale[j], c.flat[j] = 1, true
		}
	}
	for i := range c.class {
		row, root := c.rows.RawRowView(i)[:d], math.Sqrt(given.Weight(w, i)/total)
		for j, deviation := range sums {
			if c.flat[j] {
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

// Package sparse holds rows of which most values are 0. Dense rows flow in; what they
// are multiplied by touches only the values that are not 0.
package sparse

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// share is the greatest share of values that are not 0 for which this form is faster.
const share = 0.25

// Rows are the values that are not 0: row i holds value[e] in column column[e], for e
// from start[i] to start[i+1]-1.
type Rows struct {
	start  []int
	column []int32
	value  []float64
}

// Of returns this form of rows of d values, one after the other, or nil if too few of
// the values are 0.
func Of(values []float64, d, workers int) *Rows {
	n := len(values) / d
	r := &Rows{start: make([]int, n+1)}
	each := func(f func(i int, row []float64)) {
		par.Sure(par.Chunks(n, max(1, chunk/d), workers, func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				f(i, values[i*d:(i+1)*d])
			}
			return nil
		}))
	}
	each(func(i int, row []float64) {
		count := 0
		for _, v := range row {
			if v != 0 {
				count++
			}
		}
		r.start[i+1] = count
	})
	for i, count := range r.start[1:] {
		r.start[i+1] = r.start[i] + count
	}
	count := r.start[n]
	if float64(count) > share*float64(len(values)) {
		return nil
	}
	r.column, r.value = make([]int32, count), make([]float64, count)
	each(func(i int, row []float64) {
		e := r.start[i]
		for j, v := range row {
			if v != 0 {
				r.column[e], r.value[e] = int32(j), v
				e++
			}
		}
	})
	return r
}

// chunk is how many values one goroutine reads at a time.
const chunk = 1 << 16

// Dot returns the product of row i and v.
func (r *Rows) Dot(i int, v []float64) float64 {
	sum, values := 0.0, r.value[r.start[i]:r.start[i+1]]
	for e, j := range r.column[r.start[i]:r.start[i+1]] {
		sum += float64(values[e] * v[j])
	}
	return sum
}

// Square returns the product of row i with itself.
func (r *Rows) Square(i int) float64 { return kernel.SumSquares(r.value[r.start[i]:r.start[i+1]]) }

// AddSquares adds a times the squares of row i to y.
func (r *Rows) AddSquares(y []float64, a float64, i int) {
	values := r.value[r.start[i]:r.start[i+1]]
	for e, j := range r.column[r.start[i]:r.start[i+1]] {
		y[j] += float64(a * float64(values[e]*values[e]))
	}
}

// AddScaled adds a times row i to y.
func (r *Rows) AddScaled(y []float64, a float64, i int) {
	values := r.value[r.start[i]:r.start[i+1]]
	for e, j := range r.column[r.start[i]:r.start[i+1]] {
		y[j] += float64(a * values[e])
	}
}

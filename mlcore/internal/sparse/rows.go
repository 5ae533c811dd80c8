// Package sparse holds rows of which most values are 0. Dense rows flow in; what they
// are multiplied by touches only the values that are not 0.
package sparse

import "github.com/mllabs-go/mllabs/mlcore/internal/kernel"

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
func Of(values []float64, d int) *Rows {
	count := 0
	for _, v := range values {
		if v != 0 {
			count++
		}
	}
	if float64(count) > share*float64(len(values)) {
		return nil
	}
	r := &Rows{start: make([]int, 1, len(values)/d+1), column: make([]int32, 0, count), value: make([]float64, 0, count)}
	for lo := 0; lo < len(values); lo += d {
		for j, v := range values[lo : lo+d] {
			if v != 0 {
				r.column, r.value = append(r.column, int32(j)), append(r.value, v)
			}
		}
		r.start = append(r.start, len(r.column))
	}
	return r
}

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

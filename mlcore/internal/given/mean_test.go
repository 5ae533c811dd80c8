package given

import (
	"math"
	"testing"
)

// By hand. What leaves the range of float64 is a sum, or its addends.
func TestMean(t *testing.T) {
	const most = math.MaxFloat64
	equal := make([]float64, 11) // whose elevenths, added up, are beyond the range
	for i := range equal {
		equal[i] = most
	}
	for _, tc := range []struct {
		name       string
		v, w       []float64
		want, near float64 // near: the greatest relative error
	}{
		{"one", []float64{-3}, nil, -3, 0},
		{"equal weights", []float64{1, 2, 6}, nil, 3, 0},
		{"weights", []float64{1, 2, 6}, []float64{2, 1, 1}, 2.5, 0},
		{"weights of 0", []float64{1, 2, 6}, []float64{0, 0, 2}, 6, 0},
		{"great sum", []float64{most, most / 2, most / 2, most / 2}, nil, most / 8 * 5, 1e-15},
		{"sum of both signs", []float64{most, most, -most, -most, -most, most, most, most}, nil, most / 4, 1e-15},
		{"great weights", []float64{4e10, 8e10}, []float64{1e300, 3e300}, 7e10, 1e-15},
		{"tiny weights", []float64{4e-10, 8e-10}, []float64{1e-320, 3e-320}, 7e-10, 1e-3}, // of 13 bits
		{"tiny weights and numbers", []float64{4e-200, 8e-200}, []float64{0x1p-1000, 3 * 0x1p-1000}, 7e-200, 1e-15},
		{"the greatest numbers", equal, nil, most, 0},
		{"the least numbers", []float64{-most, -most, -most}, []float64{0.1, 0.7, 0.3}, -most, 1e-15},
	} {
		if got := Mean(tc.v, tc.w); !(math.Abs(got-tc.want) <= tc.near*math.Abs(tc.want)) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

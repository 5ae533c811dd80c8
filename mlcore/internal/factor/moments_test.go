package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Sums of products are gonum's, and have the same bits however many goroutines add parts of
// the rows, or some of the columns.
func TestMomentsOfManyColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{300, 299}, {1024, 130}, {2100, 180}, {3000, 63}, {40, 9}} {
		n, d := size[0], size[1]
		X := mat.NewDense(n, d, nil)
		weights := make([]float64, n)
		for i := range n {
			weights[i] = float64(i%3) / 2
			for j := range d {
				X.Set(i, j, r.NormFloat64())
			}
		}
		for _, w := range [][]float64{nil, weights} {
			var first Moments
			for _, workers := range []int{1, 2, 3, 16} {
				tall := Tall{X: X, Weights: w, Workers: workers}
				m := tall.Moments()
				if workers > 1 {
					for i := range d {
						if !slices.Equal(m.Product[i*d+i:(i+1)*d], first.Product[i*d+i:(i+1)*d]) {
							t.Fatalf("%v: row %d differs with %d goroutines", size, i, workers)
						}
					}
					if m.Weight != first.Weight || !slices.Equal(m.Square, first.Square) || !slices.Equal(m.sum, first.sum) {
						t.Fatalf("%v: sums differ with %d goroutines", size, workers)
					}
					continue
				}
				first = m
				scaled := mat.DenseCopyOf(X)
				if w != nil {
					scaled.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(w[i]) }, X)
				}
				var want mat.Dense
				want.Mul(scaled.T(), scaled)
				for i := range d {
					for j := i; j < d; j++ {
						if got, want := m.Product[i*d+j], want.At(i, j); !(math.Abs(got-want) <= 1e-11*float64(n)) {
							t.Fatalf("%v: product of columns %d and %d is %v, want %v", size, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

// The runs of columns are all of them, in order.
func TestColumnEnds(t *testing.T) {
	for _, c := range []int{1, 8, 63, 64, 128, 136, 1000, 2001} {
		for _, runs := range []int{1, 2, 3, 16, 100} {
			ends, before := columnEnds(c, runs), 0
			for _, end := range ends {
				if end <= before {
					t.Errorf("%d columns in %d runs: ends %v", c, runs, ends)
				}
				before = end
			}
			if before != c || len(ends) > max(runs, 1) {
				t.Errorf("%d columns in %d runs: ends %v", c, runs, ends)
			}
		}
	}
}

package metrics

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Distances that are made once for two rows have the sums, to the last bit, of those that are
// made for each: of one tile and several, of few and many clusters, of copies, of columns of
// any number and size, for any number of goroutines.
func TestSumsOfPairs(t *testing.T) {
	rng := mlcore.NewRand(14)
	sumsBy := func(each func(x *mat.Dense, labels []int, k int, use func(int, []float64) error) error, x *mat.Dense, labels []int, k int) [][]float64 {
		sums := make([][]float64, len(labels))
		if err := each(x, labels, k, func(i int, own []float64) error { sums[i] = slices.Clone(own); return nil }); err != nil {
			t.Fatal(err)
		}
		return sums
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{2, 3, 63, 64, 65, 128, 300} {
		for _, d := range []int{1, 4, 70} {
			for name, size := range map[string]float64{"ones": 1, "small": 1e-150, "large": 1e150, "too large": 1e200} {
				for _, k := range []int{2, 7, n} {
					x, labels := mat.NewDense(n, d, nil), make([]int, n)
					for i := range n {
						labels[i] = rng.IntN(k)
						for j := range d {
							x.Set(i, j, size*math.Floor(8*rng.NormFloat64())/8)
						}
					}
					x.SetRow(n-1, x.RawRowView(0))
					want := sumsBy(eachSumsOfRows, x, labels, k)
					for _, workers := range []int{1, 3} {
						runtime.GOMAXPROCS(workers)
						got := sumsBy(eachSumsOfPairs, x, labels, k)
						for i := range n {
							if !slices.Equal(got[i], want[i]) {
								t.Fatalf("%d × %d, %s, %d clusters, %d workers, row %d: sums %v, want %v", n, d, name, k, workers, i, got[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}

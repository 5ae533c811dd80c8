package neighbors

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The distances of many rows at a time have the bits of those of one pair after the other.
func TestPairwiseHasTheBitsOfPairs(t *testing.T) {
	rng := mlcore.NewRand(5)
	for _, metric := range []Metric{Euclidean, SquaredEuclidean, Manhattan, Chebyshev, Minkowski(3)} {
		for _, d := range []int{1, 2, 3, 4, 5, 7, 8, 21, 131, 300, 800} {
			for _, n := range []int{1, 2, 9, 64, 150} {
				X := mat.NewDense(n, d, nil)
				for i := range n {
					for j := range d {
						X.Set(i, j, rng.NormFloat64())
					}
				}
				if n > 2 {
					X.SetRow(n-1, X.RawRowView(0)) // a distance of 0
				}
				s := newSpace(metric, nil, d)
				for _, workers := range []int{1, 3} {
					got, err := Pairwise(X, metric, workers)
					if err != nil {
						t.Fatal(err)
					}
					for i := range n {
						for j := range i {
							want := s.finish(s.reduced(X.RawRowView(i), X.RawRowView(j), math.Inf(1)))
							if math.Float64bits(got.At(i, j)) != math.Float64bits(want) {
								t.Fatalf("%v, %d x %d, %d workers: rows %d and %d are %v apart, want %v", metric, n, d, workers, i, j, got.At(i, j), want)
							}
						}
					}
				}
			}
		}
	}
}

// The greatest difference is exact, so that the oracle of Chebyshev distances needs neither
// strands nor units. In the unit of the tiny columns the huge one, which is constant, is
// infinite.
func TestChebyshevOfTinyBesideAHugeColumn(t *testing.T) {
	rng := mlcore.NewRand(8)
	const n = 40
	for _, d := range []int{3, 8, 9, 12, 64} {
		X := mat.NewDense(n, d, nil)
		X.Apply(func(_, j int, _ float64) float64 {
			if j == 4 {
				return 1e200
			}
			return rng.NormFloat64() * 1e-200
		}, X)
		want := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i {
				most := 0.0
				for c, v := range X.RawRowView(i) {
					most = max(most, math.Abs(v-X.At(j, c)))
				}
				want.SetSym(i, j, most)
			}
		}
		got, err := Pairwise(X, Chebyshev, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range i {
				if got.At(i, j) != want.At(i, j) {
					t.Fatalf("%d columns: rows %d and %d are %v apart, want %v", d, i, j, got.At(i, j), want.At(i, j))
				}
			}
		}
		if tree, err := SpanningTree(X, Chebyshev, 2); err != nil || !slices.Equal(tree, prim(want)) {
			t.Errorf("%d columns: the tree is %v, want %v", d, tree, prim(want))
		}
	}
}

// Rows within a radius come in their order, whether few of them are or most.
func TestWithinIsInOrder(t *testing.T) {
	const n = 3000
	rng := mlcore.NewRand(6)
	X := mat.NewDense(n, 2, nil)
	for i := range n {
		X.SetRow(i, []float64{rng.Float64(), rng.Float64()})
	}
	m, err := Config{}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	queries := X.Slice(0, 50, 0, 2).(*mat.Dense)
	for _, radius := range []float64{0, 0.01, 0.05, 0.3, 2} {
		t.Run(fmt.Sprint(radius), func(t *testing.T) {
			rows, distances, err := m.Within(queries, radius)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				var want []int
				var apart []float64
				for r := range n {
					// Two columns are summed in this order.
					a, b := X.At(i, 0)-X.At(r, 0), X.At(i, 1)-X.At(r, 1)
					if v := math.Sqrt(float64(a*a) + float64(b*b)); v <= radius {
						want, apart = append(want, r), append(apart, v)
					}
				}
				if !slices.Equal(rows[i], want) || !slices.Equal(distances[i], apart) {
					t.Fatalf("row %d: %v at %v, want %v at %v", i, rows[i], distances[i], want, apart)
				}
			}
		})
	}
}

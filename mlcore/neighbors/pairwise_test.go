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
				if testing.Short() && n*d > 40_000 {
					continue
				}
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
				if h, err := rowsOf(X, metric); err != nil || s.measure() != nil && h.pairwiseTiles(mat.NewSymDense(n, nil), h.data, 1) != nil {
					t.Errorf("%v, %d x %d: the tiles leave the work to pairs", metric, n, d)
				}
			}
		}
	}
}

// So have those of numbers whose squares or sums are out of range, and so are the errors. The
// rows are more than a block, and the columns of every strand.
func TestPairwiseOutOfRangeHasTheBitsOfPairs(t *testing.T) {
	const n, d = 40, 9
	covariance := mat.NewSymDense(d, nil)
	for j := range d {
		covariance.SetSym(j, j, float64(j+1))
	}
	rng := mlcore.NewRand(9)
	for name, value := range map[string]func(i, j int) float64{
		"tiny":               func(_, _ int) float64 { return rng.NormFloat64() * 1e-300 },
		"small squares":      func(_, _ int) float64 { return rng.NormFloat64() * 1e-160 },
		"great squares":      func(_, _ int) float64 { return rng.NormFloat64() * 1e160 },
		"huge":               func(_, _ int) float64 { return rng.NormFloat64() * 1e300 },
		"too far":            func(i, _ int) float64 { return []float64{1, 1.7e308, -1.7e308}[max(0, i-n+3)] },
		"one far row":        func(i, _ int) float64 { return rng.NormFloat64() * []float64{1e40, 1e-170}[min(1, i)] },
		"near to each other": func(i, _ int) float64 { return float64(i) * 1e-292 },
		"subnormal":          func(_, _ int) float64 { return float64(rng.IntN(40)) * 5e-324 },
		"a huge column":      func(_, j int) float64 { return []float64{1e200, rng.NormFloat64() * 1e-200}[min(1, j)] },
	} {
		X := mat.NewDense(n, d, nil)
		X.Apply(func(i, j int, _ float64) float64 { return value(i, j) }, X)
		for _, metric := range []Metric{Euclidean, SquaredEuclidean, Manhattan, Chebyshev, Mahalanobis(covariance)} {
			h, err := rowsOf(X, metric)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Pairwise(X, metric, 2)
			data, room := h.placedData(), make([]float64, d)
			var wrong error
			for i := range n {
				for j := i + 1; j < n && wrong == nil; j++ {
					want := h.apart(i, j, h.space.reduced(data[i*d:][:d], data[j*d:][:d], math.Inf(1)), room)
					wrong = h.checkDistance(i, j, want)
					if err == nil && math.Float64bits(got.At(i, j)) != math.Float64bits(want) {
						t.Fatalf("%s, %v: rows %d and %d are %v apart, want %v", name, metric, i, j, got.At(i, j), want)
					}
				}
			}
			if fmt.Sprint(err) != fmt.Sprint(wrong) {
				t.Errorf("%s, %v: error %v, want %v", name, metric, err, wrong)
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
			if alone, err := m.RowsWithin(queries, radius); err != nil || fmt.Sprint(alone) != fmt.Sprint(rows) {
				t.Fatalf("rows alone differ: %v", err)
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

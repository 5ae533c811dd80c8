package neighbors

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// mostlyZeros are rows with about one value in so many, which of draws.
func mostlyZeros(rng *rand.Rand, n, d, every int, of func() float64) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	X.Apply(func(_, _ int, _ float64) float64 {
		if rng.IntN(every) != 0 {
			return 0
		}
		return of()
	}, X)
	return X
}

// Sparse rows find what the definition says, to the last bit: with ties, equal rows, rows of
// zeros, products that cancel, values of all sizes, and queries that are not sparse.
func TestSparseRowsAgree(t *testing.T) {
	rng := mlcore.NewRand(31)
	halves := func() float64 { return float64(rng.IntN(5)-2) / 2 }
	sizes := func() float64 { return rng.NormFloat64() * math.Pow(10, float64(rng.IntN(60)-30)) }
	unit := mostlyZeros(rng, 300, 80, 30, rng.NormFloat64)
	for i := range 300 {
		row := unit.RawRowView(i)
		length := math.Sqrt(sumSquares(row, make([]float64, 80), math.Inf(1)))
		for j := range row {
			row[j] /= max(length, 1e-9)
		}
	}
	for _, data := range []struct {
		name string
		X, Q *mat.Dense
	}{
		{"normal", mostlyZeros(rng, 700, 60, 40, rng.NormFloat64), mostlyZeros(rng, 30, 60, 30, rng.NormFloat64)},
		{"halves", mostlyZeros(rng, 700, 40, 20, halves), mostlyZeros(rng, 30, 40, 5, halves)},
		{"of all sizes", mostlyZeros(rng, 500, 50, 30, sizes), mostlyZeros(rng, 30, 50, 10, sizes)},
		{"of length 1", unit, unit.Slice(0, 30, 0, 80).(*mat.Dense)},
		{"fewer rows than columns", mostlyZeros(rng, 12, 90, 60, rng.NormFloat64), mostlyZeros(rng, 30, 90, 20, rng.NormFloat64)},
		{"dense queries", mostlyZeros(rng, 300, 30, 20, rng.NormFloat64), reals(rng, 20, 30, 1)},
		{"queries of zeros", mostlyZeros(rng, 300, 30, 20, rng.NormFloat64), mat.NewDense(3, 30, nil)},
		{"far queries", mostlyZeros(rng, 300, 30, 20, rng.NormFloat64), mostlyZeros(rng, 20, 30, 5, func() float64 { return 1e17 * rng.NormFloat64() })},
		{"tiny", mostlyZeros(rng, 300, 30, 20, func() float64 { return 1e-290 * rng.NormFloat64() }), mostlyZeros(rng, 20, 30, 5, func() float64 { return 1e-290 * rng.NormFloat64() })},
		{"huge", mostlyZeros(rng, 300, 30, 20, func() float64 { return 1e290 * rng.NormFloat64() }), mostlyZeros(rng, 20, 30, 5, func() float64 { return 1e290 * rng.NormFloat64() })},
	} {
		n, _ := data.X.Dims()
		for _, metric := range []Metric{Euclidean, SquaredEuclidean} {
			if metric.kind == squaredEuclidean && (data.name == "tiny" || data.name == "huge") {
				continue // distances out of range
			}
			index, err := Config{Metric: metric}.Fit(mlcore.FromMatrix(data.X, make([]float64, n), nil))
			if err != nil {
				t.Fatal(err)
			}
			if _, sparse := index.near.index.(*kdTree).packed.(*sparseRows); !sparse {
				t.Errorf("%s: not sparse rows", data.name)
			}
			s := &index.near.space
			want := plainly(s, data.X, data.Q, n)
			for _, k := range []int{1, 5, n} {
				rows, dist, err := index.Neighbors(data.Q, k)
				if err != nil {
					t.Fatalf("%s: %v", data.name, err)
				}
				for i := range rows {
					for j, row := range rows[i] {
						if c := want[i][j]; row != int(c.row) || dist.At(i, j) != c.dist {
							t.Fatalf("%s, %v, query %d: neighbour %d of %d is row %d at %v, want row %d at %v", data.name, metric, i, j, k, row, dist.At(i, j), c.row, c.dist)
						}
					}
				}
			}
			radius := want[0][min(7, n-1)].dist
			within, _, err := index.Within(data.Q, radius)
			if err != nil {
				t.Fatal(err)
			}
			for i := range within {
				count := 0
				for _, c := range want[i] {
					if c.dist <= radius {
						count++
					}
				}
				if len(within[i]) != count {
					t.Errorf("%s, %v, query %d: %d rows within %v, want %d", data.name, metric, i, len(within[i]), radius, count)
				}
			}
		}
	}
}

// Rows that are not sparse, and sparse ones of whole numbers, have other forms.
func TestSparseRowsAreFew(t *testing.T) {
	rng := mlcore.NewRand(32)
	for name, X := range map[string]*mat.Dense{
		"every other value": mostlyZeros(rng, 300, 60, 2, rng.NormFloat64),
		"whole numbers":     mostlyZeros(rng, 300, 60, 40, func() float64 { return 1 }),
	} {
		index, err := Config{}.Fit(mlcore.FromMatrix(X, make([]float64, 300), nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, sparse := index.near.index.(*kdTree).packed.(*sparseRows); sparse {
			t.Errorf("%s: sparse rows", name)
		}
	}
}

// A query whose square overflows still finds every row.
func TestSparseRowsFarFromAQuery(t *testing.T) {
	rng := mlcore.NewRand(33)
	const n, d = 300, 30
	index, err := Config{}.Fit(mlcore.FromMatrix(mostlyZeros(rng, n, d, 40, rng.NormFloat64), make([]float64, n), nil))
	if err != nil {
		t.Fatal(err)
	}
	Q := mat.NewDense(1, d, nil)
	Q.Apply(func(_, _ int, _ float64) float64 { return 1e170 }, Q)
	rows, dist, err := index.Neighbors(Q, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows[0]) != n || math.Abs(dist.At(0, n-1)/(1e170*math.Sqrt(d))-1) > 1e-12 {
		t.Errorf("%d rows, the last at %v; want %d at about %v", len(rows[0]), dist.At(0, n-1), n, 1e170*math.Sqrt(d))
	}
}

package neighbors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// wholes are rows of whole numbers from least to least+span-1: many ties.
func wholes(rng *rand.Rand, n, d, least, span int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(least+rng.IntN(span)))
		}
	}
	return X
}

func reals(rng *rand.Rand, n, d int, scale float64) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, 3+scale*rng.NormFloat64())
		}
	}
	return X
}

// plainly finds neighbours by the definition: all rows, sorted by reduced
// distance and then by index.
func plainly(s *space, X, Q *mat.Dense, k int) [][]candidate {
	n, d := X.Dims()
	queries, _ := Q.Dims()
	all := make([][]candidate, queries)
	for i := range queries {
		q := s.place(Q.RawRowView(i), make([]float64, d))
		near := make([]candidate, n)
		for r := range n {
			x := s.place(X.RawRowView(r), make([]float64, d))
			near[r] = candidate{s.reduced(q, x, math.Inf(1)), int32(r)}
			if s.kind == euclidean && s.weights == nil {
				sum := 0.0
				for j := range q {
					sum += (q[j] - x[j]) * (q[j] - x[j])
				}
				if math.Abs(near[r].dist-sum) > 1e-12*sum {
					panic("reduced is not the sum of squares")
				}
			}
		}
		slices.SortStableFunc(near, func(a, b candidate) int {
			switch {
			case a.dist < b.dist:
				return -1
			case a.dist > b.dist:
				return 1
			}
			return 0
		})
		all[i] = near[:k]
		for j := range all[i] {
			all[i][j].dist = s.finish(all[i][j].dist)
		}
	}
	return all
}

// Every search of every metric, on data with and without ties, finds what the
// definition says, to the last bit.
func TestSearchesAgree(t *testing.T) {
	t.Run("in the chosen forms", checkSearches)
	if fastNarrow {
		fastNarrow = false
		defer func() { fastNarrow = true }()
		t.Run("in plain forms", checkSearches)
	}
}

// farOut makes rows of which every seventh has a value that is a thousand times as large
// as others.
func farOut(rng *rand.Rand, n, d int) *mat.Dense {
	X := reals(rng, n, d, 1)
	for i := 0; i < n; i += 7 {
		X.Set(i, i%d, 1000*X.At(i, i%d))
	}
	return X
}

// shifted adds a number to each value.
func shifted(X *mat.Dense, by float64) *mat.Dense {
	X.Apply(func(_, _ int, v float64) float64 { return v + by }, X)
	return X
}

func checkSearches(t *testing.T) {
	rng := mlcore.NewRand(7)
	cov := mat.NewSymDense(3, []float64{2, 0.3, 0, 0.3, 1, -0.2, 0, -0.2, 0.5})
	for _, data := range []struct {
		name string
		X, Q *mat.Dense
	}{
		{"letters", wholes(rng, 600, 16, 0, 16), wholes(rng, 15, 16, 0, 16)},
		{"negative wholes in 3-D", wholes(rng, 300, 3, -20, 41), wholes(rng, 15, 3, -20, 41)},
		{"queries beyond the rows", wholes(rng, 600, 3, 0, 5), wholes(rng, 15, 3, -3, 11)},
		{"queries between the rows", wholes(rng, 300, 3, 0, 5), reals(rng, 15, 3, 2)},
		{"wide wholes", wholes(rng, 300, 7, -500, 1000), wholes(rng, 15, 7, -500, 1000)},
		{"wide wholes in 16-D", wholes(rng, 300, 16, -500, 1000), wholes(rng, 15, 16, -500, 1000)},
		{"the widest bytes", wholes(rng, 300, 9, 0, 128), wholes(rng, 15, 9, 0, 128)},
		{"far from 0", shifted(wholes(rng, 300, 3, 0, 9), 1<<40), shifted(wholes(rng, 15, 3, 0, 9), 1<<40)},
		{"bits", wholes(rng, 300, 12, 0, 2), wholes(rng, 15, 12, 0, 2)},
		{"30 columns", wholes(rng, 200, 30, 0, 4), wholes(rng, 10, 30, 0, 4)},
		{"70 columns", wholes(rng, 80, 70, 0, 4), wholes(rng, 10, 70, 0, 4)},
		{"all alike", wholes(rng, 150, 3, 4, 1), wholes(rng, 5, 3, 3, 3)},
		{"reals", reals(rng, 300, 3, 1), reals(rng, 15, 3, 1.5)},
		{"small reals", reals(rng, 300, 3, 1e-9), reals(rng, 15, 3, 1e-9)},
		{"reals in 16-D", reals(rng, 300, 16, 1), reals(rng, 15, 16, 1.5)},
		{"one column", reals(rng, 300, 1, 1), reals(rng, 15, 1, 2)},
		{"some far out", farOut(rng, 500, 17), farOut(rng, 25, 17)},
		{"far from 0 in 20-D", shifted(reals(rng, 300, 20, 1), 1e9), shifted(reals(rng, 15, 20, 1), 1e9)},
		{"queries far away", reals(rng, 300, 8, 1), reals(rng, 15, 8, 1e6)},
	} {
		_, d := data.X.Dims()
		weights := make([]float64, d)
		for j := range weights {
			weights[j] = float64(j%3) + 0.25
		}
		for _, cfg := range []Config{
			{Metric: Euclidean}, {Metric: SquaredEuclidean}, {Metric: Manhattan}, {Metric: Chebyshev},
			{Metric: Minkowski(3)}, {Metric: Minkowski(1.5)}, {Metric: Minkowski(11)}, {Metric: Hamming}, {Metric: Mahalanobis(cov)},
			{Metric: Euclidean, FeatureWeights: weights}, {Metric: Chebyshev, FeatureWeights: weights},
			{Metric: Minkowski(1.5), FeatureWeights: weights}, {Metric: Hamming, FeatureWeights: weights},
			{Metric: MetricFunc("canberra", canberra)},
		} {
			if cfg.Metric.kind == mahalanobis && d != 3 {
				continue
			}
			name := fmt.Sprintf("%s, %s, weights %v", data.name, cfg.Metric, cfg.FeatureWeights != nil)
			s := newSpace(cfg.Metric, cfg.FeatureWeights, d)
			s.scale(mat.DenseCopyOf(data.X).RawMatrix().Data, d)
			want := plainly(&s, data.X, data.Q, 9)
			for _, search := range []Search{Auto, Brute, KDTree} {
				cfg.Search = search
				if search == KDTree && !cfg.Metric.hasBoxes() {
					continue
				}
				m, err := cfg.FitRegressor(mlcore.FromMatrix(data.X, make([]float64, data.X.RawMatrix().Rows), nil))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				workers := []int{1}
				if search == Auto {
					workers = []int{1, 3}
				}
				for _, workers := range workers {
					m.near.cfg.Workers = workers
					rows, dist, err := m.Neighbors(data.Q, 9)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					for i := range rows {
						for j, c := range want[i] {
							if rows[i][j] != int(c.row) || dist.At(i, j) != c.dist {
								t.Fatalf("%s, search %d, query %d: neighbour %d is row %d at %v, want row %d at %v",
									name, search, i, j, rows[i][j], dist.At(i, j), c.row, c.dist)
							}
						}
					}
				}
			}
		}
	}
}

// The forms in bytes and in single precision find what the definition says, to the last
// bit, in rows that are hard for them, in several leaves, with and without ties.
func TestNarrowFormsAgree(t *testing.T) {
	rng := mlcore.NewRand(9)
	scaled := func(X *mat.Dense, by, plus float64) *mat.Dense {
		X.Apply(func(_, _ int, v float64) float64 { return v*by + plus }, X)
		return X
	}
	huge := reals(rng, 700, 8, 1)
	huge.SetRow(300, []float64{1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9})
	twice := reals(rng, 700, 5, 1)
	for i := 1; i < 700; i += 2 {
		twice.SetRow(i, twice.RawRowView(i-1))
	}
	ends := func(least, most float64) *mat.Dense { // the first four rows are at the ends of a span
		X := wholes(rng, 300, 4, int(least), int(most-least)+1)
		X.SetRow(0, []float64{least, least, least, least})
		X.SetRow(1, []float64{most, most, most, most})
		X.SetRow(2, []float64{least, most, least, most})
		X.SetRow(3, []float64{least, least, most, least + 1})
		return X
	}
	span127, span128 := ends(-50, 77), ends(-50, 78)
	grouped, sparse, near := reals(rng, 900, 50, 1e-3), reals(rng, 900, 50, 1), reals(rng, 60, 50, 1)
	grouped.Apply(func(i, _ int, v float64) float64 { return v + float64(i%3) }, grouped)
	sparse.Apply(func(i, j int, v float64) float64 {
		if (i*i+7*j)%50 > 1 {
			return 0
		}
		return v
	}, sparse)
	near.Apply(func(i, _ int, v float64) float64 { return v * math.Pow(10, float64(i%7)*5) }, near)
	sizes := reals(rng, 700, 5, 1)
	sizes.Apply(func(_, _ int, v float64) float64 { return v * math.Exp(30*rng.NormFloat64()) }, sizes)
	for _, data := range []struct {
		name string
		X, Q *mat.Dense
	}{
		{"letters", wholes(rng, 3000, 16, 0, 16), wholes(rng, 15, 16, 0, 16)},
		{"wholes in 2-D", wholes(rng, 900, 2, -50, 101), wholes(rng, 15, 2, -60, 121)},
		{"the widest span of bytes", span127, span127.Slice(0, 20, 0, 4).(*mat.Dense)},
		{"a span too wide for bytes", span128, span128.Slice(0, 20, 0, 4).(*mat.Dense)},
		{"tenths amid wholes", wholes(rng, 900, 2, 0, 12), scaled(wholes(rng, 60, 2, 0, 120), 0.1, 0)},
		{"distances beyond 16 bits", wholes(rng, 300, 300, 0, 128), wholes(rng, 5, 300, 0, 128)},
		{"reals in 4-D", reals(rng, 1500, 4, 1), reals(rng, 15, 4, 1.5)},
		{"reals in 33-D", reals(rng, 400, 33, 1), reals(rng, 10, 33, 1.5)},
		{"reals in 100-D", reals(rng, 200, 100, 1), reals(rng, 5, 100, 1.5)},
		{"reals in 900-D", reals(rng, 150, 900, 1), reals(rng, 5, 900, 1.2)},
		{"far from 0", scaled(reals(rng, 700, 5, 1), 1e-3, 1e6), scaled(reals(rng, 15, 5, 1), 1e-3, 1e6)},
		{"far too far from 0", scaled(wholes(rng, 700, 5, 0, 3), 1e-6, 1e9), scaled(wholes(rng, 15, 5, 0, 3), 1e-6, 1e9)},
		{"tiny", scaled(reals(rng, 700, 5, 1), 1e-150, 0), scaled(reals(rng, 15, 5, 1), 1e-150, 0)},
		{"huge", scaled(reals(rng, 700, 5, 1), 1e150, 0), scaled(reals(rng, 15, 5, 1), 1e150, 0)},
		{"one huge row", huge, reals(rng, 15, 8, 1)},
		{"far queries", reals(rng, 700, 5, 1), scaled(reals(rng, 15, 5, 1), 1e20, 0)},
		{"every row twice", twice, reals(rng, 15, 5, 1)},
		{"the rows themselves", twice, twice.Slice(0, 15, 0, 5).(*mat.Dense)},
		{"all sizes", sizes, sizes.Slice(100, 115, 0, 5).(*mat.Dense)},
		{"all alike", wholes(rng, 150, 5, 4, 1), wholes(rng, 5, 5, 3, 3)},
		{"tenths", scaled(wholes(rng, 700, 5, 0, 5), 0.1, 0), scaled(wholes(rng, 15, 5, 0, 5), 0.1, 0)},
		{"many queries in 50-D", reals(rng, 1100, 50, 1), reals(rng, 130, 50, 1.5)},
		{"groups far apart in 50-D", grouped, grouped.Slice(0, 60, 0, 50).(*mat.Dense)},
		{"mostly zeros in 50-D", sparse, sparse.Slice(0, 60, 0, 50).(*mat.Dense)},
		{"near and far queries in 50-D", reals(rng, 300, 50, 1), near},
	} {
		n, d := data.X.Dims()
		for _, metric := range []Metric{Euclidean, Manhattan} {
			s := newSpace(metric, nil, d)
			s.scale(data.X.RawMatrix().Data, d)
			want := plainly(&s, data.X, data.Q, 9)
			for _, search := range []Search{KDTree, Brute} {
				m, err := Config{Metric: metric, Search: search}.FitRegressor(mlcore.FromMatrix(data.X, make([]float64, n), nil))
				if err != nil {
					t.Fatal(err)
				}
				rows, dist, err := m.Neighbors(data.Q, 9)
				if err != nil {
					t.Fatalf("%s: %v", data.name, err)
				}
				for i := range rows {
					for j, c := range want[i] {
						if rows[i][j] != int(c.row) || dist.At(i, j) != c.dist {
							t.Fatalf("%s, %v, search %d, query %d: neighbour %d is row %d at %v, want row %d at %v",
								data.name, metric, search, i, j, rows[i][j], dist.At(i, j), c.row, c.dist)
						}
					}
				}
			}
		}
	}
}

// canberra is Σ|a-b|/(|a|+|b|), which this package does not have.
func canberra(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		if d := math.Abs(a[j] - b[j]); d > 0 {
			sum += d / (math.Abs(a[j]) + math.Abs(b[j]))
		}
	}
	return sum
}

// The quick forms are used where they can be: without that the test above
// would prove nothing about them.
func TestQuickFormsAreUsed(t *testing.T) {
	rng := mlcore.NewRand(8)
	fit := func(X *mat.Dense, cfg Config) index {
		n, _ := X.Dims()
		m, err := cfg.FitRegressor(mlcore.FromMatrix(X, make([]float64, n), nil))
		if err != nil {
			t.Fatal(err)
		}
		return m.near.index
	}
	letters := wholes(rng, 700, 16, 0, 16)
	if fastNarrow {
		for _, metric := range []Metric{Euclidean, Manhattan} {
			if _, narrow := fit(letters, Config{Metric: metric}).(*kdTree).packed.(*byteRows); !narrow {
				t.Errorf("letters by %v: no bytes", metric)
			}
		}
		for _, X := range []*mat.Dense{wholes(rng, 100, 16, -500, 1000), reals(rng, 100, 4, 1)} {
			if _, narrow := fit(X, Config{}).(*kdTree).packed.(*singleRows); !narrow {
				t.Errorf("wide wholes or reals: not in single precision")
			}
			if p, narrow := fit(X, Config{Metric: Manhattan}).(*kdTree).packed.(*singleRows); !narrow || !p.sizes {
				t.Errorf("wide wholes or reals by Manhattan: not in single precision")
			}
			if !fit(X, Config{Search: Brute}).(*kdTree).canGoTogether(mostTogether) {
				t.Errorf("wide wholes or reals, by brute force: queries go one by one")
			}
		}
		fastNarrow = false
		defer func() { fastNarrow = true }()
	}
	if _, few := fit(reals(rng, 100, 4, 1), Config{}).(*kdTree).packed.(*quantised); !few {
		t.Errorf("reals: not in few bits")
	}
	for _, X := range []*mat.Dense{wholes(rng, 100, 16, -500, 1000), reals(rng, 100, 8, 1)} {
		if _, rounded := fit(X, Config{Metric: Manhattan}).(*kdTree).packed.(*roundedBytes); !rounded {
			t.Errorf("wide wholes or reals by Manhattan: not rounded to bytes")
		}
	}
	tree, ok := fit(letters, Config{}).(*kdTree)
	if p, short := tree.packed.(*packedRows); !ok || len(tree.nodes) == 1 || !short || p.fours == nil {
		t.Errorf("letters: no tree of packed rows")
	}
	if _, short := fit(letters, Config{Metric: Manhattan}).(*kdTree).packed.(*packedBytes); !short {
		t.Errorf("letters by Manhattan: no packed bytes")
	}
	if tree, ok := fit(letters, Config{Search: Brute}).(*kdTree); !ok || len(tree.nodes) != 1 {
		t.Errorf("brute force: not a single leaf")
	}
	if p, short := fit(wholes(rng, 100, 16, -500, 1000), Config{}).(*kdTree).packed.(*packedRows); !short || p.fours != nil {
		t.Errorf("wide wholes: not packed in a number of words other than 4")
	}
	if tree := fit(reals(rng, 100, 3, 1), Config{}).(*kdTree); tree.packed != nil {
		t.Errorf("reals are packed")
	}
	if _, ok := fit(letters, Config{Metric: Hamming}).(*hammingIndex); !ok {
		t.Errorf("letters by Hamming: no bit sets")
	}
	for _, X := range []*mat.Dense{wholes(rng, 100, 64, 0, 4), reals(rng, 1000, 3, 1)} {
		if _, ok := fit(X, Config{Metric: Hamming}).(*bruteIndex); !ok {
			t.Errorf("too many columns or values: bit sets all the same")
		}
	}
}

// All rows are looked through where they vary in many directions, and a tree passes over
// boxes where they lie near a plane of few, however it is turned. The oracle is that of the
// participation ratio of the covariance matrix; that of m samples of d independent
// columns is d/(1 + d/m) on average.
func TestDirectionsThatMatter(t *testing.T) {
	rng := mlcore.NewRand(12)
	turned := func(n, d, m int) *mat.Dense {
		var X mat.Dense
		// Rows of an orthogonal matrix.
		var qr mat.QR
		qr.Factorize(reals(rng, d, d, 1))
		var q mat.Dense
		qr.QTo(&q)
		X.Mul(reals(rng, n, m, 1), q.Slice(0, m, 0, d))
		return &X
	}
	for _, tc := range []struct {
		name       string
		X          *mat.Dense
		want, near float64
		through    bool // all rows
	}{
		{"20 columns", reals(rng, 3000, 20, 1), 20 / 1.02, 0.3, true},
		{"three of 20 directions", turned(3000, 20, 3), 3, 0.1, false},
		{"15 of 30 directions", turned(3000, 30, 15), 15 / 1.015, 0.3, true},
		{"few columns", reals(rng, 3000, 8, 1), 8, 0.2, false},
		{"all alike", wholes(rng, 100, 12, 4, 1), math.NaN(), 0, false},
		{"one value far out", func() *mat.Dense { X := reals(rng, 900, 20, 1); X.Set(5, 3, 1e12); return X }(), 1, 0.01, false},
	} {
		n, d := tc.X.Dims()
		got := directionsThatMatter(tc.X.RawMatrix().Data, d)
		if !(math.Abs(got-tc.want) <= tc.near) && !(math.IsNaN(got) && math.IsNaN(tc.want)) {
			t.Errorf("%s: %v directions, want %v within %v", tc.name, got, tc.want, tc.near)
		}
		m, err := Config{}.FitRegressor(mlcore.FromMatrix(tc.X, make([]float64, n), nil))
		if err != nil {
			t.Fatal(err)
		}
		if through := len(m.near.index.(*kdTree).nodes) == 1; fastNarrow && n > 1000 && through != tc.through {
			t.Errorf("%s: all rows are looked through: %t, want %t", tc.name, through, tc.through)
		}
	}
}

// Leaves are as large as the columns that matter to distances allow. The oracle is that
// of the participation ratio: that of m columns equally wide, beside others that are
// narrow, is m.
func TestLeafSizes(t *testing.T) {
	rng := mlcore.NewRand(10)
	for _, tc := range []struct {
		name        string
		d, wide     int
		width, rest float64
		want        int
	}{
		{"all alike", 16, 16, 1, 1, 1024},
		{"seconds beside scores", 16, 1, 1e9, 1, 64},
		{"four of sixteen", 16, 4, 1000, 1, 256},
		{"constant", 5, 5, 0, 0, 64},
		{"constant beside others", 8, 3, 1, 0, 192},
		{"huge", 4, 2, 1e308, 1, 128},
		{"tiny", 4, 2, 1e-300, 1e-310, 128},
	} {
		X := mat.NewDense(200, tc.d, nil)
		X.Apply(func(i, j int, _ float64) float64 {
			width := tc.rest
			if j < tc.wide {
				width = tc.width
			}
			return []float64{0, width, width * rng.Float64()}[min(i, 2)]
		}, X)
		data := X.RawMatrix().Data
		if got := narrowLeafRows(data, tc.d); got != tc.want {
			t.Errorf("%s: %d rows, want %d", tc.name, got, tc.want)
		}
	}
}

// amid finds the nearest of rows the query of which is q. Row 2 is farther, row 34 is
// nearest, in another panel, and all others are farthest. Every second row is the one
// before with the other sign, so that all means are 0.
func amid(t *testing.T, cfg Config, q, farther, nearest []float64) (row int, distance float64) {
	t.Helper()
	const n = 64
	d := len(q)
	X := mat.NewDense(n, d, nil)
	for i := 0; i < n; i += 2 {
		for j := range d {
			v := 1.5
			switch i {
			case 2:
				v = farther[j]
			case 34:
				v = nearest[j]
			}
			X.Set(i, j, v)
			X.Set(i+1, j, -v)
		}
	}
	m, err := cfg.FitRegressor(mlcore.FromMatrix(X, make([]float64, n), nil))
	if err != nil {
		t.Fatal(err)
	}
	rows, dist, err := m.Neighbors(mat.NewDense(1, d, q), 1)
	if err != nil {
		t.Fatal(err)
	}
	return rows[0][0], dist.At(0, 0)
}

// The nearest row and the query are on different sides of the middle between two numbers
// of float32, so that rounding sets them apart as far as the bound allows. Worked by hand:
// the other row is 2⁻³⁶ away in each column, the nearest 2⁻³⁹.
func TestNearestIsRoundedAway(t *testing.T) {
	const middle = 1 + 0x1p-24
	for _, d := range []int{4, 7, 40} {
		q, farther, nearest := make([]float64, d), make([]float64, d), make([]float64, d)
		for j := range d {
			q[j], farther[j], nearest[j] = middle-0x1p-40, middle-0x1p-40-0x1p-36, middle+0x1p-40
		}
		row, got := amid(t, Config{Search: Brute}, q, farther, nearest)
		if want := 0x1p-39 * math.Sqrt(float64(d)); row != 34 || math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d columns: row %d at %v, want 34 at %v", d, row, got, want)
		}
	}
}

// Each square of the nearest row's differences but the first is just above half of what
// is needed to change the sum in single precision, so that every addition is rounded up.
// Worked by hand: the squared distances are 1 + 200·2⁻²⁴ and 1 + 201·2⁻²⁴, and rounded 1 + 400·2⁻²⁴.
func TestSumsAreRoundedUp(t *testing.T) {
	const d, small = 402, 0x1p-12 * (1 + 0x1p-20)
	q, farther, nearest := make([]float64, d), make([]float64, d), make([]float64, d)
	nearest[0], farther[0] = 1, math.Sqrt(1+201*0x1p-24)
	want := 1.0
	for j := 2; j < d; j += 2 { // the columns of one strand
		nearest[j] = small
		want += small * small
	}
	row, got := amid(t, Config{Search: Brute}, q, farther, nearest)
	if want = math.Sqrt(want); row != 34 || math.Abs(got-want) > 1e-12 {
		t.Errorf("row %d at %v, want 34 at %v", row, got, want)
	}
}

// Where squares underflow, neighbours are those of the same rows times a power of two,
// which changes no digit.
func TestSquaresUnderflow(t *testing.T) {
	const d, n, k = 4, 500, 5
	X := reals(mlcore.NewRand(11), n, d, 1)
	metric := Mahalanobis(mat.NewDiagDense(d, []float64{1, 1, 1, 1}))
	s := newSpace(metric, nil, d)
	want := plainly(&s, X, X, k)
	X.Scale(0x1p-537, X)
	m, err := Config{Metric: metric, Search: Brute}.FitRegressor(mlcore.FromMatrix(X, make([]float64, n), nil))
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := m.Neighbors(X, k)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		for j, c := range want[i] {
			if rows[i][j] != int(c.row) {
				t.Fatalf("query %d: neighbour %d is row %d, want %d", i, j, rows[i][j], c.row)
			}
		}
	}
}

// The bound on rounding in single precision is meaningless from 2²⁴ columns on: such rows
// are left in double precision. These zeros are never read, so that they take no memory.
func TestSinglePrecisionOfTooManyColumns(t *testing.T) {
	const d = 1 << 24
	if p := packSingleRows(make([]float64, d), d, false, 1); p != nil {
		room := new(packedQuery)
		t.Errorf("%d columns in single precision, with a limit of %+v", d, p.query(make([]float64, d), room).limit)
	}
}

// The largest products that a packed form must hold: every value at an end of
// its range.
func TestPackedProductsDoNotOverflow(t *testing.T) {
	for d := 1; d <= 40; d++ {
		for _, top := range []float64{1, 3, 15, 16, 255, 1000, 32767} {
			data := make([]float64, 2*d)
			for j := range d {
				data[d+j] = top
			}
			p := packRows(data, d, 1)
			if p == nil {
				continue
			}
			for row := range 2 {
				q := p.query(data[row*d:(row+1)*d], new(packedQuery))
				var h nearest
				h.reset(2)
				p.scan(q, &places{perm: []int32{0, 1}}, 0, 2, &h, math.Inf(1))
				got := h.sorted()
				want := []candidate{{0, int32(row)}, {float64(d) * top * top, int32(1 - row)}}
				if !slices.Equal(got, want) {
					t.Errorf("%d columns up to %v, from row %d: %v, want %v", d, top, row, got, want)
				}
			}
		}
	}
}

// The largest distances that packed bytes must hold, in both directions.
func TestPackedBytesDoNotOverflow(t *testing.T) {
	for d := 1; d <= 40; d++ {
		data := make([]float64, 2*d)
		for j := range d {
			data[d+j] = 127
		}
		p := packBytes(data, d, 1)
		for row := range 2 {
			q := p.query(data[row*d:(row+1)*d], new(packedQuery))
			var h nearest
			h.reset(2)
			p.scan(q, &places{perm: []int32{0, 1}}, 0, 2, &h, math.Inf(1))
			want := []candidate{{0, int32(row)}, {float64(d) * 127, int32(1 - row)}}
			if got := h.sorted(); !slices.Equal(got, want) {
				t.Errorf("%d columns, from row %d: %v, want %v", d, row, got, want)
			}
		}
	}
}

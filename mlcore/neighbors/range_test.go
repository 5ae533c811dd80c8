package neighbors_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// TestDistancesAtTheEndsOfTheRange: rows at 0, a, 2a and 4a with a query at 1.25a,
// whatever a is. By hand the two nearest are at a and 2a, at distances a/4 and 3a/4
// (in two equal columns times 2^(1/p)), so that inverse distances weigh 3 to 1 and
// Gaussian weights of width 3a/4·2^(1/p) are e^(-1/18) to e^(-1/2).
func TestDistancesAtTheEndsOfTheRange(t *testing.T) {
	for _, a := range []float64{1, 0x1p-400, 0x1p400, 0x1p-600, 0x1p600, 0x1p-1000, 0x1p1000} {
		X := mat.NewDense(4, 2, []float64{0, 0, a, a, 2 * a, 2 * a, 4 * a, 4 * a})
		q := mat.NewDense(1, 2, []float64{1.25 * a, 1.25 * a})
		for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev, neighbors.Minkowski(3), neighbors.Minkowski(1.5)} {
			for weights, share := range map[neighbors.Weights]float64{
				neighbors.Uniform: 0.5, neighbors.InverseDistance: 0.75, neighbors.Gaussian: 1 / (1 + math.Exp(-4./9)),
			} {
				for _, search := range []neighbors.Search{neighbors.Brute, neighbors.Auto} {
					cfg := neighbors.Config{Neighbors: 2, Metric: metric, Weights: weights, Search: search}
					m, err := cfg.FitRegressor(mlcore.FromMatrix(X, []float64{7, 1, 0, 7}, nil))
					if err != nil {
						t.Fatal(err)
					}
					got, err := m.Predict(q)
					if err != nil {
						t.Errorf("%v, a = %v: %v", metric, a, err)
						continue
					}
					if math.Abs(got[0]-share) > 1e-14 {
						t.Errorf("%v, a = %v, weights %v: %v, want %v", metric, a, weights, got[0], share)
					}
					_, distances, err := m.Neighbors(q, 1)
					if err != nil {
						t.Fatal(err)
					}
					if ratio := distances.At(0, 0) / a; !(ratio >= 0.25 && ratio <= 0.5) {
						t.Errorf("%v, a = %v: distance %v", metric, a, distances.At(0, 0))
					}
				}
			}
		}
	}
}

// TestDistancesOutOfRange: where no float64 holds the distance, a prediction is an
// error, not NaN.
func TestDistancesOutOfRange(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	far := mat.NewDense(1, 1, []float64{1e200})
	for _, weights := range []neighbors.Weights{neighbors.Uniform, neighbors.InverseDistance, neighbors.Gaussian} {
		m, err := neighbors.Config{Neighbors: 2, Metric: neighbors.SquaredEuclidean, Weights: weights}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 1}, nil))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := m.PredictProba(far); !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("weights %v, query 1e200: %v, error %v, want one that wraps ErrNonFinite", weights, p, err)
		}
	}
	tiny := mat.NewDense(3, 1, []float64{1e-200, 2e-200, 3e-200})
	m, err := neighbors.Config{Neighbors: 2, Metric: neighbors.SquaredEuclidean, Weights: neighbors.InverseDistance}.FitClassifier(mlcore.FromMatrix(tiny, []int{0, 1, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(mat.NewDense(1, 1, []float64{4e-200})); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("squared distances that vanish: error %v, want one that wraps ErrNonFinite", err)
	}
	// A wide gap beside a narrow bandwidth weighs nothing, and equal distances weigh
	// the same.
	g, err := neighbors.Config{Neighbors: 2, Weights: neighbors.Gaussian, Bandwidth: 1e-300}.FitRegressor(mlcore.FromMatrix(mat.NewDense(2, 1, []float64{0, 1e10}), []float64{1, 2}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[float64]float64{1e9: 1, 5e9: 1.5} {
		if got, err := g.Predict(mat.NewDense(1, 1, []float64{q})); err != nil || got[0] != want {
			t.Errorf("at %v: %v (%v), want %v", q, got, err, want)
		}
	}
}

// TestMetricFuncOutOfRange: the answers of a function are checked.
func TestMetricFuncOutOfRange(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		metric := neighbors.MetricFunc("odd", func(a, b []float64) float64 {
			if b[0] == 2 || a[0] == 2 {
				return bad
			}
			return math.Abs(a[0] - b[0])
		})
		m, err := neighbors.Config{Neighbors: 1, Metric: metric}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 1}, nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Predict(mat.NewDense(1, 1, []float64{1})); !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("a distance of %v: error %v, want one that wraps ErrNonFinite", bad, err)
		}
	}
}

// TestDistancesBesideAFarRow: one row so far away that the powers of the differences of
// the others vanish beside its own. The nearest rows are (2,0), (1,0), (3,0) and (1,0),
// as is plain to see, at distances .2, about .1, 0 and .1.
func TestDistancesBesideAFarRow(t *testing.T) {
	queries := mat.NewDense(4, 2, []float64{2.2, 0, 1.1, 0.1, 3, 0, 0.9, 0})
	metrics := []neighbors.Metric{
		neighbors.Euclidean, neighbors.Manhattan, neighbors.Chebyshev,
		neighbors.Minkowski(1.5), neighbors.Minkowski(20), neighbors.Minkowski(50), neighbors.Minkowski(1000),
		neighbors.Mahalanobis(mat.NewDiagDense(2, []float64{1, 1})),
	}
	for _, metric := range metrics {
		for _, far := range []float64{1e8, 1e20, 1e200, 1e300} {
			for _, features := range [][]float64{nil, {1, 0.5}} {
				if features != nil && metric.String() == "Mahalanobis" {
					continue
				}
				for _, search := range []neighbors.Search{neighbors.Brute, neighbors.KDTree} {
					X := mat.NewDense(5, 2, []float64{0, 0, 1, 0, 2, 0, 3, 0, 0, far})
					cfg := neighbors.Config{Neighbors: 1, Metric: metric, FeatureWeights: features, Search: search}
					m, err := cfg.FitRegressor(mlcore.FromMatrix(X, []float64{0, 1, 2, 3, 4}, nil))
					if err != nil {
						t.Fatal(err)
					}
					near, distances, err := m.Neighbors(queries, 1)
					if err != nil {
						t.Errorf("%v, far %v: %v", metric, far, err)
						continue
					}
					for i, want := range []struct{ row, distance, off float64 }{{2, 0.2, 0}, {1, 0.15, 0.05}, {3, 0, 0}, {1, 0.1, 0}} {
						if got := distances.At(i, 0); near[i][0] != int(want.row) || math.Abs(got-want.distance) > want.off+1e-13 {
							t.Errorf("%v, far %v, feature weights %v: query %d is nearest to row %d, at %v; want row %v at %v", metric, far, features, i, near[i][0], got, want.row, want.distance)
						}
					}
				}
			}
		}
	}
}

// TestQueriesTogetherOutOfRange: the same where the queries go through the rows together.
// Rows are at 0, 3u, 6u, ... in each of four columns, but the last, and by hand query i, at
// (3i+1)u, is nearest to rows i and i+1, at distances 2u and 4u.
func TestQueriesTogetherOutOfRange(t *testing.T) {
	const n, d = 20, 4
	for _, u := range []float64{1, 1e-160, 1e-170, 1e-300} {
		X, queries := mat.NewDense(n, d, nil), mat.NewDense(n-2, d, nil)
		for i := range n {
			for j := range d {
				X.Set(i, j, float64(3*i)*u)
				if i == n-1 {
					X.Set(i, j, 1000)
				}
				if i < n-2 {
					queries.Set(i, j, float64(3*i+1)*u)
				}
			}
		}
		m, err := neighbors.Config{Neighbors: 2, Search: neighbors.Brute}.FitRegressor(mlcore.FromMatrix(X, make([]float64, n), nil))
		if err != nil {
			t.Fatal(err)
		}
		near, distances, err := m.Neighbors(queries, 2)
		if err != nil {
			t.Errorf("u = %v: %v", u, err)
			continue
		}
		for i := range n - 3 {
			if !slices.Equal(near[i], []int{i, i + 1}) || math.Abs(distances.At(i, 0)/u-2) > 1e-12 || math.Abs(distances.At(i, 1)/u-4) > 1e-12 {
				t.Errorf("u = %v: query %d is nearest to rows %v, at %v u", u, i, near[i], distances.RawRowView(i))
			}
		}
	}
}

// TestQueryFarFromTheRows: the powers of its differences overflow, its distances do not.
// By hand: row 3 is the nearest, at far - 3, which is far but for its last digits.
func TestQueryFarFromTheRows(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 2, 3})
	for _, metric := range []neighbors.Metric{neighbors.Euclidean, neighbors.Minkowski(3), neighbors.Minkowski(50), neighbors.Mahalanobis(mat.NewDiagDense(1, []float64{1}))} {
		for far, row := range map[float64]int{1e4: 3, 1e9: 3, 1e200: 0} { // all rows are equally far from the last
			m, err := neighbors.Config{Neighbors: 1, Metric: metric}.FitRegressor(mlcore.FromMatrix(X, []float64{0, 1, 2, 3}, nil))
			if err != nil {
				t.Fatal(err)
			}
			near, distances, err := m.Neighbors(mat.NewDense(1, 1, []float64{far}), 1)
			if err != nil {
				t.Errorf("%v, query %v: %v", metric, far, err)
			} else if got := distances.At(0, 0); near[0][0] != row || math.Abs(got/(far-float64(row))-1) > 1e-14 {
				t.Errorf("%v, query %v: row %d at %v, want %d", metric, far, near[0][0], got, row)
			}
		}
	}
}

// TestTreeNearTheGreatestNumber: seen from so far away that their squared distances are next
// to the greatest number, rows are equally far, to the last digit, and the first come first.
func TestTreeNearTheGreatestNumber(t *testing.T) {
	rng := mlcore.NewRand(5)
	for _, d := range []int{1, 2, 3} {
		X := mat.NewDense(500, d, nil)
		X.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, X)
		for metric, fars := range map[string][]float64{"Euclidean": {1e150, 6e153, 9e153, 1.3e154}, "Manhattan": {1e300, 8e307, 1.7e308}, "Chebyshev": {1e300, 1.7e308}} {
			measure := map[string]neighbors.Metric{"Euclidean": neighbors.Euclidean, "Manhattan": neighbors.Manhattan, "Chebyshev": neighbors.Chebyshev}[metric]
			m, err := neighbors.Config{Metric: measure, Search: neighbors.KDTree}.Fit(mlcore.FromMatrix(X, make([]float64, 500), nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, far := range fars {
				q := mat.NewDense(1, d, nil)
				q.Set(0, 0, far)
				if near, _, err := m.Neighbors(q, 3); err != nil || !slices.Equal(near[0], []int{0, 1, 2}) {
					t.Errorf("%s, %d columns, query at %v: rows %v (%v), want the first", metric, d, far, near, err)
				}
			}
		}
	}
}

// TestMahalanobisFarFromZero: what is added to all rows changes no distance. The rows
// are whole numbers, and so are the sums.
func TestMahalanobisFarFromZero(t *testing.T) {
	metric := neighbors.Mahalanobis(mat.NewSymDense(2, []float64{1, 1 - 0x1p-20, 1 - 0x1p-20, 1}))
	at := func(offset float64) (near [][]int, distances *mat.Dense) {
		X, q := mat.NewDense(6, 2, nil), mat.NewDense(3, 2, nil)
		for i, v := range []float64{0, 0, 1, 0, 3, 3, 7, 6, 2, 9, 5, 5} {
			X.Set(i/2, i%2, v+offset)
		}
		for i, v := range []float64{1, 1, 6, 7, 0, 9} {
			q.Set(i/2, i%2, v+offset)
		}
		m, err := neighbors.Config{Neighbors: 1, Metric: metric}.FitRegressor(mlcore.FromMatrix(X, make([]float64, 6), nil))
		if err != nil {
			t.Fatal(err)
		}
		near, distances, err = m.Neighbors(q, 6)
		if err != nil {
			t.Fatal(err)
		}
		return near, distances
	}
	near, distances := at(0)
	for _, offset := range []float64{0x1p20, 0x1p30, -0x1p50} {
		gotNear, got := at(offset)
		for i := range near {
			if !slices.Equal(gotNear[i], near[i]) || !mat.EqualApprox(got, distances, 1e-9) {
				t.Errorf("%v away from 0, query %d: rows %v at %v, want %v at %v", offset, i, gotNear[i], got.RawRowView(i), near[i], distances.RawRowView(i))
			}
		}
	}
}

// TestMeansOutOfRange: a mean is found where the products that it is made of overflow. The
// oracle is the mean of weights and targets 2^-1000 times as large.
func TestMeansOutOfRange(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{0, 1, 2})
	fit := func(cfg neighbors.Config, y, w []float64, q float64) (float64, error) {
		cfg.Neighbors = 3
		m, err := cfg.FitRegressor(mlcore.FromMatrix(X, y, w))
		if err != nil {
			return 0, err
		}
		got, err := m.Predict(mat.NewDense(1, 1, []float64{q}))
		if err != nil {
			return 0, err
		}
		return got[0], nil
	}
	times := func(exponent int, v ...float64) []float64 {
		for i := range v {
			v[i] = math.Ldexp(v[i], exponent)
		}
		return v
	}
	for _, weights := range []neighbors.Weights{neighbors.Uniform, neighbors.InverseDistance, neighbors.Gaussian} {
		for _, linear := range []bool{false, true} {
			cfg := neighbors.Config{Weights: weights, LocalLinear: linear}
			for _, exponents := range [][2]int{{1021, 0}, {1021, 1014}, {500, 900}, {-1000, -100}, {-500, -600}} {
				want, err := fit(cfg, []float64{100, 200, 250}, []float64{1, 1, 0.5}, 0.01)
				if err != nil {
					t.Fatal(err)
				}
				got, err := fit(cfg, times(exponents[1], 100, 200, 250), times(exponents[0], 1, 1, 0.5), 0.01)
				if back := math.Ldexp(got, -exponents[1]); err != nil || math.Abs(back-want) > 1e-12*want {
					t.Errorf("%v, linear %t, weights and targets times 2^%v: %v, %v; want %v", weights, linear, exponents, back, err, want)
				}
			}
		}
	}
	if got, err := fit(neighbors.Config{}, []float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}, nil, 1); err == nil && got != math.MaxFloat64 {
		t.Errorf("the mean of the greatest numbers is %v", got)
	}
	if got, err := fit(neighbors.Config{LocalLinear: true}, []float64{0, 1, 2}, nil, 1e308); err != nil || math.Abs(got-1e308) > 1e296 {
		t.Errorf("y = x at 1e308: %v, %v", got, err)
	}
	if got, err := fit(neighbors.Config{LocalLinear: true}, []float64{0, 10, 20}, nil, 1e308); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("y = 10x at 1e308: %v, error %v, want one that wraps ErrNonFinite", got, err)
	}
}

package tree_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// Multiplying by a power of two changes no digit of a binary number, so weights
// and targets in another such unit have to give the same tree, bit for bit, with
// the values of its leaves in that unit. The oracle is the fit in units of 1.

func unitsData() (X *mat.Dense, classes []int, targets, w []float64) {
	r := rand.New(rand.NewPCG(6, 0))
	const n = 60
	X = mat.NewDense(n, 3, nil)
	for i := range n {
		for j := range 3 {
			X.Set(i, j, math.Round(r.NormFloat64()*8)/8)
		}
		classes = append(classes, r.IntN(3))
		targets = append(targets, X.At(i, 0)+r.NormFloat64())
		w = append(w, math.Round(r.Float64()*16)/16)
	}
	return X, classes, targets, w
}

func scaled(v []float64, exponent int) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Ldexp(x, exponent)
	}
	return out
}

func TestUnitOfWeights(t *testing.T) {
	X, classes, targets, w := unitsData()
	for _, exponent := range []int{600, -600, 1000, -1060} {
		other := scaled(w, exponent)
		for _, criterion := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
			cfg := tree.Config{Criterion: criterion, MaxDepth: 4, MinWeightFractionLeaf: 0.02}
			want, err := cfg.FitClassifier(mlcore.FromMatrix(X, classes, w))
			if err != nil {
				t.Fatal(err)
			}
			got, err := cfg.FitClassifier(mlcore.FromMatrix(X, classes, other))
			if err != nil {
				t.Errorf("%v, weights times 2^%d: %v", criterion, exponent, err)
				continue
			}
			a, _ := want.PredictProba(X)
			b, _ := got.PredictProba(X)
			if got.NumNodes() != want.NumNodes() || !mat.Equal(a, b) {
				t.Errorf("%v, weights times 2^%d: %d nodes, want %d", criterion, exponent, got.NumNodes(), want.NumNodes())
			}
		}
		for _, criterion := range []tree.Criterion{tree.SquaredError, tree.AbsoluteError} {
			cfg := tree.Config{Criterion: criterion, MaxDepth: 4}
			want, err := cfg.FitRegressor(mlcore.FromMatrix(X, targets, w))
			if err != nil {
				t.Fatal(err)
			}
			got, err := cfg.FitRegressor(mlcore.FromMatrix(X, targets, other))
			if err != nil {
				t.Errorf("%v, weights times 2^%d: %v", criterion, exponent, err)
				continue
			}
			a, _ := want.Predict(X)
			b, _ := got.Predict(X)
			if !slices.Equal(a, b) {
				t.Errorf("%v, weights times 2^%d: another tree, of %d nodes in place of %d", criterion, exponent, got.NumNodes(), want.NumNodes())
			}
		}
	}
}

func TestUnitOfTargets(t *testing.T) {
	X, _, targets, w := unitsData()
	for _, exponent := range []int{450, -300, -500, -540, -700, -1000} {
		for _, cfg := range []tree.Config{
			{MaxDepth: 4},
			{MaxDepth: 4, Criterion: tree.AbsoluteError},
			{MaxDepth: 4, MaxLeafNodes: 5},
		} {
			want, err := cfg.FitRegressor(mlcore.FromMatrix(X, targets, w))
			if err != nil {
				t.Fatal(err)
			}
			got, err := cfg.FitRegressor(mlcore.FromMatrix(X, scaled(targets, exponent), w))
			if err != nil {
				t.Errorf("%v, targets times 2^%d: %v", cfg.Criterion, exponent, err)
				continue
			}
			a, _ := want.Predict(X)
			b, _ := got.Predict(X)
			if !slices.Equal(scaled(a, exponent), b) {
				t.Errorf("%v, targets times 2^%d: another tree, of %d nodes in place of %d", cfg.Criterion, exponent, got.NumNodes(), want.NumNodes())
			}
		}
	}
	// MinImpurityDecrease is in the unit of the impurity: here the square.
	var nodes [2]int
	for k, exponent := range []int{0, -450} {
		cfg := tree.Config{MinImpurityDecrease: math.Ldexp(0.05, 2*exponent)}
		m, err := cfg.FitRegressor(mlcore.FromMatrix(X, scaled(targets, exponent), w))
		if err != nil {
			t.Fatal(err)
		}
		nodes[k] = m.NumNodes()
	}
	if nodes[0] < 3 || nodes[0] > 29 || nodes[0] != nodes[1] {
		t.Errorf("with MinImpurityDecrease %v nodes, want a few, and the same number twice", nodes)
	}
}

// TestTargetsWithoutSquares: targets whose squares are not finite are refused.
func TestTargetsWithoutSquares(t *testing.T) {
	X, _, targets, w := unitsData()
	for _, exponent := range []int{508, 700, 1000} {
		_, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, scaled(targets, exponent), w))
		if !errors.Is(err, mlcore.ErrNonFinite) {
			t.Errorf("targets times 2^%d: error %v, want one that wraps ErrNonFinite", exponent, err)
		}
	}
}

// TestCriterionOfRegression: a criterion of classification that was asked for by
// name is refused, not taken for the default.
func TestCriterionOfRegression(t *testing.T) {
	X, _, targets, _ := unitsData()
	for _, criterion := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		if _, err := (tree.Config{Criterion: criterion}).FitRegressor(mlcore.FromMatrix(X, targets, nil)); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%v in a regressor: error %v, want one that wraps ErrConfig", criterion, err)
		}
	}
	if _, err := (tree.Config{}).FitRegressor(mlcore.FromMatrix(X, targets, nil)); err != nil {
		t.Errorf("the default in a regressor: %v", err)
	}
}

// By hand: after x <= 2 a loss of 1 remains, less than after any other test. One weight
// is so great that sums of the others are rounded beside it.
func TestGreatWeightOfOneRow(t *testing.T) {
	X, y, w := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{2, 2, 1, 3}, []float64{1, 0x1p53, 1, 3}
	for _, criterion := range []tree.Criterion{tree.SquaredError, tree.AbsoluteError} {
		m, err := tree.Config{Criterion: criterion, MaxDepth: 1}.FitRegressor(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := m.Predict(X); !slices.Equal(got, []float64{2, 2, 2, 3}) {
			t.Errorf("%v: predictions %v, want 2, 2, 2 and 3", criterion, got)
		}
	}
}

// The unit of the targets changes no split, with a MinImpurityDecrease in that unit, which is
// squared in a squared error: also where the best split gains nothing, or rounding less.
func TestUnitOfTargetsAndDecrease(t *testing.T) {
	for seed := range uint64(60) {
		r := mlcore.NewRand(seed)
		n := 10 + r.IntN(50)
		X, y := mat.NewDense(n, 3, nil), make([]float64, n)
		for i := range n {
			for j := range 3 {
				X.Set(i, j, float64(r.IntN(4)))
			}
			y[i] = X.At(i, 0) + r.NormFloat64()
		}
		for power, criterion := range []tree.Criterion{1: tree.AbsoluteError, 2: tree.SquaredError} {
			if power == 0 {
				continue
			}
			for _, decrease := range []float64{0, .03} {
				want, err := tree.Config{Criterion: criterion, MinImpurityDecrease: decrease}.FitRegressor(mlcore.FromMatrix(X, y, nil))
				if err != nil {
					t.Fatal(err)
				}
				for _, unit := range []int{-300, -30, 30, 300} {
					scaled := make([]float64, n)
					for i, v := range y {
						scaled[i] = math.Ldexp(v, unit)
					}
					got, err := tree.Config{Criterion: criterion, MinImpurityDecrease: math.Ldexp(decrease, power*unit)}.FitRegressor(mlcore.FromMatrix(X, scaled, nil))
					if err != nil {
						t.Fatal(err)
					}
					if got.NumNodes() != want.NumNodes() {
						t.Errorf("seed %d, %v, a decrease of %v, targets times 2^%d: %d nodes, want %d", seed, criterion, decrease, unit, got.NumNodes(), want.NumNodes())
					}
				}
			}
		}
	}
}

// A MinImpurityDecrease of 1e-12 asks for any gain: by hand, halves that are as mixed as the
// whole are not split, and one row in a thousand is split off.
func TestLeastDecrease(t *testing.T) {
	same := mlcore.FromMatrix(mat.NewDense(6, 1, []float64{1, 1, 1, 2, 2, 2}), []int{0, 1, 0, 0, 1, 0}, nil)
	x, y := make([]float64, 1000), make([]int, 1000)
	x[0], y[0] = 1, 1
	one := mlcore.FromMatrix(mat.NewDense(1000, 1, x), y, nil)
	for _, criterion := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		for _, splitter := range []tree.Splitter{tree.Best, tree.Random} {
			cfg := tree.Config{Criterion: criterion, Splitter: splitter, MinImpurityDecrease: 1e-12}
			for _, tc := range []struct {
				ds    *mlcore.Dataset
				nodes int
			}{{same, 1}, {one, 3}} {
				m, err := cfg.FitClassifier(tc.ds)
				if err != nil {
					t.Fatal(err)
				}
				if m.NumNodes() != tc.nodes {
					t.Errorf("%v, splitter %v, %d rows: %d nodes, want %d", criterion, splitter, len(tc.ds.Y), m.NumNodes(), tc.nodes)
				}
			}
		}
	}
}

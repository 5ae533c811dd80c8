package tree_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// configs covers the ways of growing.
var configs = []struct {
	name   string
	cfg    tree.Config
	levels []int
}{
	{"full", tree.Config{}, nil},
	{"entropy", tree.Config{Criterion: tree.Entropy, MaxDepth: 6}, nil},
	{"lab", tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast}, nil},
	{"best first", tree.Config{MaxLeafNodes: 12}, nil},
	{"drawn features", tree.Config{MaxFeatures: 2, Seed: 4}, nil},
	{"random", tree.Config{Splitter: tree.Random, MaxFeatures: 3, Seed: 4}, nil},
	{"random, at least", tree.Config{Splitter: tree.Random, Rule: tree.AtLeast, Seed: 4}, nil},
	{"candidates", tree.Config{RandomCandidates: 5, Seed: 4, MaxDepth: 8}, nil},
	{"categories", tree.Config{MaxDepth: 6}, []int{6, 0, 6, 0}},
	{"two columns", tree.Config{Features: []int{3, 1}}, nil},
}

func fitBytes(t *testing.T, cfg tree.Config, levels []int, X *mat.Dense, y []int, w []float64) []byte {
	t.Helper()
	m, err := cfg.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, w), levels))
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func regressBytes(t *testing.T, cfg tree.Config, levels []int, X *mat.Dense, y, w []float64) []byte {
	t.Helper()
	cfg.Criterion = tree.DefaultCriterion
	m, err := cfg.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, y, w), levels))
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWeightsOfOneAreNone(t *testing.T) {
	X, y, target := tied(5, 200, 4, 3)
	one := slices.Repeat([]float64{1}, 200)
	for _, tc := range configs {
		if !bytes.Equal(fitBytes(t, tc.cfg, tc.levels, X, y, nil), fitBytes(t, tc.cfg, tc.levels, X, y, one)) {
			t.Errorf("%s: classifiers differ", tc.name)
		}
		if !bytes.Equal(regressBytes(t, tc.cfg, tc.levels, X, target, nil), regressBytes(t, tc.cfg, tc.levels, X, target, one)) {
			t.Errorf("%s: regressors differ", tc.name)
		}
	}
}

func TestWeightsAreCopies(t *testing.T) {
	X, y, _ := tied(6, 150, 4, 3)
	w := weights("whole", 150)
	w[3], w[77] = 0, 0
	var rows []int
	for i, k := range w {
		for range int(k) {
			rows = append(rows, i)
		}
	}
	X2, y2 := mat.NewDense(len(rows), 4, nil), make([]int, len(rows))
	for k, i := range rows {
		X2.SetRow(k, X.RawRowView(i))
		y2[k] = y[i]
	}
	for _, tc := range configs {
		if tc.levels == nil && tc.cfg.Splitter == tree.Best && tc.cfg.RandomCandidates == 0 {
			// Random thresholds are drawn between the same bounds, so they agree
			// too, but sums of copies and products may differ by rounding.
			a, err := tc.cfg.FitClassifier(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Fatal(err)
			}
			b, err := tc.cfg.FitClassifier(mlcore.FromMatrix(X2, y2, nil))
			if err != nil {
				t.Fatal(err)
			}
			if a.Text() != b.Text() {
				t.Errorf("%s: weights and copies give different trees", tc.name)
			}
		}
	}
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	X, y, target := tied(7, 220, 4, 4)
	perm := mlcore.NewRand(1).Perm(220)
	X2, y2, target2 := mat.NewDense(220, 4, nil), make([]int, 220), make([]float64, 220)
	for k, i := range perm {
		X2.SetRow(k, X.RawRowView(i))
		y2[k], target2[k] = y[i], target[i]
	}
	for _, tc := range configs {
		if !bytes.Equal(fitBytes(t, tc.cfg, tc.levels, X, y, nil), fitBytes(t, tc.cfg, tc.levels, X2, y2, nil)) {
			t.Errorf("%s: the tree depends on the order of the rows", tc.name)
		}
		cfg := tc.cfg
		cfg.Criterion = tree.DefaultCriterion
		a, err := cfg.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, target, nil), tc.levels))
		if err != nil {
			t.Fatal(err)
		}
		b, err := cfg.FitRegressor(fixture.Levels(mlcore.FromMatrix(X2, target2, nil), tc.levels))
		if err != nil {
			t.Fatal(err)
		}
		if a.Text() != b.Text() {
			t.Errorf("%s: the regression tree depends on the order of the rows", tc.name)
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	X, y, target := continuous(9000, 12) // large enough to be searched in parallel
	for _, cfg := range []tree.Config{{}, {Criterion: tree.Entropy, MaxLeafNodes: 40}} {
		one, many := cfg, cfg
		one.Workers, many.Workers = 1, 7
		if !bytes.Equal(fitBytes(t, one, nil, X, y, nil), fitBytes(t, many, nil, X, y, nil)) {
			t.Errorf("%+v: workers change the classifier", cfg)
		}
		if !bytes.Equal(regressBytes(t, one, nil, X, target, nil), regressBytes(t, many, nil, X, target, nil)) {
			t.Errorf("%+v: workers change the regressor", cfg)
		}
	}
}

// On targets 0 and 1 the variance p(1-p) is half the Gini impurity.
func TestGiniIsTwiceTheVariance(t *testing.T) {
	X, y, _ := tied(12, 240, 4, 2)
	target := make([]float64, len(y))
	for i, k := range y {
		target[i] = float64(k)
	}
	c, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	cn, rn := c.Nodes(), r.Nodes()
	if len(cn) != len(rn) {
		t.Fatalf("%d and %d nodes", len(cn), len(rn))
	}
	for i := range cn {
		if cn[i].Feature != rn[i].Feature || !near(cn[i].Impurity, 2*rn[i].Impurity, 1e-12) || !cn[i].Leaf() && cn[i].Threshold != rn[i].Threshold {
			t.Fatalf("node %d: %+v and %+v", i, cn[i], rn[i])
		}
	}
}

func TestRandomSplitsAreAllowedSplits(t *testing.T) {
	X, y, _ := tied(13, 300, 4, 3)
	for _, cfg := range []tree.Config{
		{Splitter: tree.Random}, {Splitter: tree.Random, Rule: tree.AtLeast}, {RandomCandidates: 3}, {RandomCandidates: 3, Rule: tree.AtLeast},
		{Splitter: tree.Random, MinSamplesLeaf: 7},
	} {
		seen := map[string]bool{}
		for seed := range uint64(5) {
			cfg.Seed = seed
			m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Fatal(err)
			}
			seen[m.Text()] = true
			for i, n := range m.Nodes() {
				if n.Samples < max(1, cfg.MinSamplesLeaf) {
					t.Errorf("%+v: node %d has %d rows", cfg, i, n.Samples)
				}
				if cfg.Rule == tree.AtLeast && !n.Leaf() && !slices.Contains(mat.Col(nil, n.Feature, X), n.Threshold) {
					t.Errorf("%+v: threshold %v is not a value of the data", cfg, n.Threshold)
				}
			}
			if cfg.Splitter == tree.Random && cfg.MinSamplesLeaf == 0 {
				// Grown to the end a random tree is still pure wherever rows differ.
				best, _ := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
				if a, b := accuracy(t, m, X, y), accuracy(t, best, X, y); a != b {
					t.Errorf("%+v: training accuracy %v, want %v", cfg, a, b)
				}
			}
		}
		if len(seen) < 4 {
			t.Errorf("%+v: 5 seeds gave %d trees", cfg, len(seen))
		}
	}
}

func TestMissingValuesGoToTheBetterSide(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		name  string
		x     []float64
		y     []int
		query []float64
		want  []int
	}{
		{"with the high", []float64{1, 2, 3, 4, nan, nan}, []int{0, 0, 1, 1, 1, 1}, []float64{nan, 1, 4}, []int{1, 0, 1}},
		{"with the low", []float64{1, 2, 3, 4, nan, nan}, []int{0, 0, 1, 1, 0, 0}, []float64{nan, 1, 4}, []int{0, 0, 1}},
		{"apart", []float64{1, 2, 3, 4, nan, nan}, []int{0, 0, 0, 0, 1, 1}, []float64{nan, 1, 4}, []int{1, 0, 0}},
		{"unseen, to the heavier", []float64{1, 2, 3, 4, 5, 6}, []int{0, 0, 1, 1, 1, 1}, []float64{nan, 1, 4}, []int{1, 0, 1}},
	} {
		for _, cfg := range []tree.Config{{AllowMissing: true}, {AllowMissing: true, Criterion: tree.Misclassification, Rule: tree.AtLeast}, {AllowMissing: true, Splitter: tree.Random, Seed: 1, MaxDepth: 9}} {
			m, err := cfg.FitClassifier(mlcore.FromMatrix(column(tc.x...), tc.y, nil))
			if err != nil {
				t.Fatal(err)
			}
			if cfg.Splitter == tree.Random && tc.name == "unseen, to the heavier" {
				continue // where its threshold falls is chance
			}
			got, err := m.Predict(column(tc.query...))
			if err != nil || !slices.Equal(got, tc.want) {
				t.Errorf("%s, %+v: %v (%v), want %v", tc.name, cfg, got, err, tc.want)
			}
			target := make([]float64, len(tc.y))
			for i, k := range tc.y {
				target[i] = float64(k)
			}
			cfg.Criterion = tree.DefaultCriterion
			r, err := cfg.FitRegressor(mlcore.FromMatrix(column(tc.x...), target, nil))
			if err != nil {
				t.Fatal(err)
			}
			values, err := r.Predict(column(tc.query...))
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range tc.want {
				if values[i] != float64(k) {
					t.Errorf("%s, %+v: regression %v, want %v", tc.name, cfg, values, tc.want)
					break
				}
			}
		}
	}
	// A category that is missing is one more category.
	m, err := tree.Config{AllowMissing: true}.FitClassifier(fixture.Levels(mlcore.FromMatrix(column(0, 1, 2, nan, 0, nan), []int{0, 1, 0, 1, 0, 1}, nil), []int{3}))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Predict(column(nan, 0, 1, 2)); err != nil || !slices.Equal(got, []int{1, 0, 1, 0}) {
		t.Errorf("categories: %v (%v), want 1 0 1 0", got, err)
	}
}

func TestBadInput(t *testing.T) {
	X, y := column(1, 2, 3, 4), []int{0, 1, 0, 1}
	nan := math.NaN()
	for _, tc := range []struct {
		name string
		cfg  tree.Config
		X    *mat.Dense
		y    []int
		w    []float64
		want error
		says string
	}{
		{"NaN", tree.Config{}, column(1, nan, 3, 4), y, nil, mlcore.ErrNonFinite, "row 1, column 0"},
		{"infinity, even with missing values", tree.Config{AllowMissing: true}, column(1, 2, math.Inf(1), 4), y, nil, mlcore.ErrNonFinite, "row 2"},
		{"nil", tree.Config{}, nil, nil, nil, mlcore.ErrEmpty, "0 rows"},
		{"few labels", tree.Config{}, X, y[:3], nil, mlcore.ErrShape, "3 labels"},
		{"negative label", tree.Config{}, X, []int{0, -1, 0, 1}, nil, mlcore.ErrLabel, "row 1"},
		{"negative weight", tree.Config{}, X, y, []float64{1, 1, -1, 1}, mlcore.ErrWeight, "row 2"},
		{"no weight", tree.Config{}, X, y, []float64{0, 0, 0, 0}, mlcore.ErrWeight, "0"},
		{"weight of no class", tree.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{0, 0}}}, X, y, nil, mlcore.ErrConfig, "ClassWeight.Weights[0] is 0"},
		{"class weights", tree.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1}}}, X, y, nil, mlcore.ErrConfig, "1 entries for 2"},
		{"criterion of regression", tree.Config{Criterion: tree.SquaredError}, X, y, nil, mlcore.ErrConfig, "regression"},
		{"criterion", tree.Config{Criterion: 17}, X, y, nil, mlcore.ErrConfig, "17"},
		{"rule", tree.Config{Rule: 5}, X, y, nil, mlcore.ErrConfig, "5"},
		{"splitter", tree.Config{Splitter: 5}, X, y, nil, mlcore.ErrConfig, "5"},
		{"depth", tree.Config{MaxDepth: -1}, X, y, nil, mlcore.ErrConfig, "MaxDepth"},
		{"leaf", tree.Config{MinSamplesLeaf: 5}, X, y, nil, mlcore.ErrConfig, "MinSamplesLeaf is 5"},
		{"leaf nodes", tree.Config{MaxLeafNodes: 1}, X, y, nil, mlcore.ErrConfig, "MaxLeafNodes"},
		{"features", tree.Config{MaxFeatures: 2}, X, y, nil, mlcore.ErrConfig, "MaxFeatures"},
		{"fraction", tree.Config{MinWeightFractionLeaf: 0.6}, X, y, nil, mlcore.ErrConfig, "0.6"},
		{"decrease", tree.Config{MinImpurityDecrease: nan}, X, y, nil, mlcore.ErrConfig, "NaN"},
		{"columns", tree.Config{Features: []int{1}}, X, y, nil, mlcore.ErrConfig, "column 1"},
		{"column twice", tree.Config{Features: []int{0, 0}}, X, y, nil, mlcore.ErrConfig, "twice"},
	} {
		_, err := tc.cfg.FitClassifier(mlcore.FromMatrix(tc.X, tc.y, tc.w))
		if !errors.Is(err, tc.want) || !strings.Contains(fmt.Sprint(err), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.want, tc.says)
		}
	}
	if _, err := (tree.Config{Criterion: tree.Entropy}).FitRegressor(mlcore.FromMatrix(X, []float64{1, 2, 3, 4}, nil)); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("entropy for regression: error %v", err)
	}
	if _, err := (tree.Config{}).FitRegressor(mlcore.FromMatrix(X, []float64{1, 2, nan, 4}, nil)); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("NaN target: error %v", err)
	}
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		X    mat.Matrix
		want error
	}{{mat.NewDense(1, 2, nil), mlcore.ErrShape}, {column(nan), mlcore.ErrNonFinite}, {nil, mlcore.ErrEmpty}, {&mat.Dense{}, mlcore.ErrShape}} {
		if _, err := m.Predict(tc.X); !errors.Is(err, tc.want) {
			t.Errorf("predict: error %v, want %v", err, tc.want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	X, y, target := tied(15, 200, 4, 3)
	for _, tc := range configs {
		m, err := tc.cfg.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, nil), tc.levels))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := m.PredictProba(X)
		cfg := tc.cfg
		cfg.Criterion = tree.DefaultCriterion
		r, err := cfg.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, target, nil), tc.levels))
		if err != nil {
			t.Fatal(err)
		}
		wantR, _ := r.Predict(X)
		for _, form := range []string{"binary", "JSON"} {
			m2, r2 := pass(t, form, m), pass(t, form, r)
			got, err := m2.PredictProba(X)
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("%s, %s: probabilities differ (%v)", tc.name, form, err)
			}
			gotR, err := r2.Predict(X)
			if err != nil || !slices.Equal(gotR, wantR) {
				t.Errorf("%s, %s: predictions differ (%v)", tc.name, form, err)
			}
			if m2.Graphviz() != m.Graphviz() {
				t.Errorf("%s, %s: node tables differ", tc.name, form)
			}
		}
	}
}

// pass sends a model through one of its forms.
func pass[M any](t *testing.T, form string, m M) M {
	t.Helper()
	encode, decode := modelfile.Marshal, modelfile.Unmarshal[M]
	if form == "JSON" {
		encode, decode = modelfile.MarshalJSON, modelfile.UnmarshalJSON[M]
	}
	data, err := encode(m)
	if err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	back, err := decode(data)
	if err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	return back
}

func TestConcurrentPrediction(t *testing.T) {
	X, y, _ := tied(16, 3000, 4, 3)
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := m.Predict(X)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := m.Predict(X); err != nil || !slices.Equal(got, want) {
				t.Errorf("another answer at the same time (%v)", err)
			}
		})
	}
	wg.Wait()
}

func TestInputsAreNotChanged(t *testing.T) {
	X, y, _ := tied(17, 120, 4, 3)
	w := weights("real", 120)
	cfg := tree.Config{Features: []int{3, 0, 1}, ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 2, 3}}}
	X2, y2, w2 := mat.DenseCopyOf(X), slices.Clone(y), slices.Clone(w)
	if _, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, w)); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(X, X2) || !slices.Equal(y, y2) || !slices.Equal(w, w2) || !slices.Equal(cfg.Features, []int{3, 0, 1}) || !slices.Equal(cfg.ClassWeight.Weights, []float64{1, 2, 3}) {
		t.Error("fitting changed its input")
	}
}

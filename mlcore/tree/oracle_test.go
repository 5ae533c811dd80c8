package tree_test

import (
	"encoding/json"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// maybe is a number that JSON writes as null (NaN) or "inf".
type maybe float64

func (v *maybe) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null":
		*v = maybe(math.NaN())
		return nil
	case `"inf"`:
		*v = maybe(math.Inf(1))
		return nil
	}
	return json.Unmarshal(b, (*float64)(v))
}

// sklearnCase is one answer of scikit-learn, as scripts/oracles/tree.py
// writes it.
type sklearnCase struct {
	Name   string
	Params struct {
		Criterion             string
		MaxDepth              int                `json:"max_depth"`
		MinSamplesSplit       int                `json:"min_samples_split"`
		MinSamplesLeaf        int                `json:"min_samples_leaf"`
		MinWeightFractionLeaf float64            `json:"min_weight_fraction_leaf"`
		MinImpurityDecrease   float64            `json:"min_impurity_decrease"`
		MaxLeafNodes          int                `json:"max_leaf_nodes"`
		ClassWeight           map[string]float64 `json:"class_weight"`
	}
	Regression    bool
	X, Queries    [][]maybe
	Y             []float64
	W             []float64
	Depth, Leaves int
	Importances   []float64
	Answers       json.RawMessage
	Leaf          []int
	Nodes         *struct {
		Feature   []int
		Threshold []maybe
		Impurity  []float64
		Samples   []int
		Weight    []float64
	}
	Path *struct {
		Alphas, Impurities, Cuts []float64
		CutLeaves                []int       `json:"cut_leaves"`
		CutAnswers               [][]float64 `json:"cut_answers"`
	}
}

func matrix(rows [][]maybe) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		for j, v := range row {
			X.Set(i, j, float64(v))
		}
	}
	return X
}

func (c *sklearnCase) config() tree.Config {
	p := c.Params
	cfg := tree.Config{
		MaxDepth: p.MaxDepth, MinSamplesSplit: p.MinSamplesSplit, MinSamplesLeaf: p.MinSamplesLeaf,
		MinWeightFractionLeaf: p.MinWeightFractionLeaf, MinImpurityDecrease: p.MinImpurityDecrease,
		MaxLeafNodes: p.MaxLeafNodes, AllowMissing: true,
	}
	switch p.Criterion {
	case "entropy":
		cfg.Criterion = tree.Entropy
	case "absolute_error":
		cfg.Criterion = tree.AbsoluteError
	}
	if p.ClassWeight != nil {
		cfg.ClassWeight.Weights = []float64{p.ClassWeight["0"], p.ClassWeight["1"], p.ClassWeight["2"]}
	}
	return cfg
}

// fitted is what the two kinds of tree share.
type fitted interface {
	Apply(mat.Matrix) ([]int, error)
	Nodes() []tree.Node
	Depth() int
	NumLeaves() int
	FeatureImportances() []float64
	PruningPath() tree.PruningPath
}

func TestAgainstScikitLearn(t *testing.T) {
	file := oracle.Load[struct{ Cases []*sklearnCase }](t, "testdata/peers.json")
	if len(file.Cases) < 20 {
		t.Fatalf("only %d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			X, Q := matrix(c.X), matrix(c.Queries)
			if c.Regression {
				m, err := c.config().FitRegressor(mlcore.FromMatrix(X, c.Y, c.W))
				if err != nil {
					t.Fatal(err)
				}
				var want []float64
				if err := json.Unmarshal(c.Answers, &want); err != nil {
					t.Fatal(err)
				}
				got, err := m.Predict(Q)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "prediction", got, want)
				c.compare(t, m, Q)
				c.comparePath(t, m, func(alpha float64) (int, []float64) {
					p, err := m.Prune(alpha)
					if err != nil {
						t.Fatal(err)
					}
					got, err := p.Predict(Q)
					if err != nil {
						t.Fatal(err)
					}
					return p.NumLeaves(), got
				})
				return
			}
			y := make([]int, len(c.Y))
			for i, v := range c.Y {
				y[i] = int(v)
			}
			m, err := c.config().FitClassifier(mlcore.FromMatrix(X, y, c.W))
			if err != nil {
				t.Fatal(err)
			}
			var want [][]float64
			if err := json.Unmarshal(c.Answers, &want); err != nil {
				t.Fatal(err)
			}
			got, err := m.PredictProba(Q)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				compare(t, "probabilities", got.RawRowView(i), want[i])
			}
			c.compare(t, m, Q)
			c.comparePath(t, m, func(alpha float64) (int, []float64) {
				p, err := m.Prune(alpha)
				if err != nil {
					t.Fatal(err)
				}
				got, err := p.Predict(Q)
				if err != nil {
					t.Fatal(err)
				}
				classes := make([]float64, len(got))
				for i, k := range got {
					classes[i] = float64(k)
				}
				return p.NumLeaves(), classes
			})
		})
	}
}

// compare reports the first difference beyond rounding.
func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !near(got[i], want[i], 1e-9) {
			t.Fatalf("%s %d: %v, want %v", what, i, got[i], want[i])
		}
	}
}

func (c *sklearnCase) compare(t *testing.T, m fitted, Q *mat.Dense) {
	t.Helper()
	if m.Depth() != c.Depth || m.NumLeaves() != c.Leaves {
		t.Errorf("depth %d, %d leaves; want %d, %d", m.Depth(), m.NumLeaves(), c.Depth, c.Leaves)
	}
	compare(t, "importance", m.FeatureImportances(), c.Importances)
	if c.Nodes == nil {
		return
	}
	leaves, err := m.Apply(Q)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range c.Leaf {
		if leaves[i] != want {
			t.Fatalf("query %d is in leaf %d, want %d", i, leaves[i], want)
		}
	}
	nodes := m.Nodes()
	if len(nodes) != len(c.Nodes.Feature) {
		t.Fatalf("%d nodes, want %d", len(nodes), len(c.Nodes.Feature))
	}
	for i, n := range nodes {
		threshold := float64(c.Nodes.Threshold[i])
		if n.Feature != c.Nodes.Feature[i] || !n.Leaf() && n.Threshold != threshold && !near(n.Threshold, threshold, 1e-9) ||
			!near(n.Impurity, c.Nodes.Impurity[i], 1e-9) || n.Samples != c.Nodes.Samples[i] || !near(n.Weight, c.Nodes.Weight[i], 1e-9) {
			t.Fatalf("node %d: %+v; want feature %d, threshold %v, impurity %v, %d samples, weight %v",
				i, n, c.Nodes.Feature[i], threshold, c.Nodes.Impurity[i], c.Nodes.Samples[i], c.Nodes.Weight[i])
		}
	}
}

// comparePath compares pruning paths: theirs may hold an alpha more than once.
func (c *sklearnCase) comparePath(t *testing.T, m fitted, prune func(alpha float64) (leaves int, answers []float64)) {
	t.Helper()
	if c.Path == nil {
		return
	}
	var alphas, impurities []float64
	for i, a := range c.Path.Alphas {
		if last := len(alphas) - 1; last >= 0 && a <= alphas[last]+1e-12 {
			impurities[last] = c.Path.Impurities[i]
			continue
		}
		alphas, impurities = append(alphas, a), append(impurities, c.Path.Impurities[i])
	}
	got := m.PruningPath()
	compare(t, "alpha", got.Alphas, alphas)
	compare(t, "impurity on the path", got.Impurities, impurities)
	for i, alpha := range c.Path.Cuts {
		leaves, answers := prune(alpha)
		if leaves != c.Path.CutLeaves[i] {
			t.Errorf("pruned at %v: %d leaves, want %d", alpha, leaves, c.Path.CutLeaves[i])
		}
		compare(t, "pruned prediction", answers, c.Path.CutAnswers[i])
	}
}

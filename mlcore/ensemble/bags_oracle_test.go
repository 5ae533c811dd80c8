package ensemble_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The answers of scikit-learn, as scripts/oracles/ensemble_bags.py writes them.
type bagsFile struct {
	AdaBoost []struct {
		Name                   string
		Classes, Rounds, Depth int
		X, Queries             [][]float64
		Y                      []int
		Decisions              [][]float64
		Staged                 [][][]float64
		Importances            []float64
	}
	X      [][]float64
	Y      []int
	Target []float64
	Bags   map[string]spread
}

func TestAdaBoostValuesAgainstScikitLearn(t *testing.T) {
	for _, c := range oracle.Load[bagsFile](t, "testdata/peers_bags.json").AdaBoost {
		t.Run(c.Name, func(t *testing.T) {
			cfg := ensemble.AdaBoostConfig{Estimators: c.Rounds, Tree: tree.Config{Criterion: tree.Gini, MaxDepth: c.Depth, MinSamplesLeaf: 8}}
			m, err := cfg.FitClassifier(fixture.Classes(mlcore.FromMatrix(oracle.Matrix(c.X), c.Y, nil), c.Classes))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "importance", m.FeatureImportances(), c.Importances, 1e-9)
			Q := oracle.Matrix(c.Queries)
			f, err := m.DecisionFunction(Q)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.Decisions {
				compare(t, "decision value", f.RawRowView(i), want, 1e-9)
			}
			stages, err := m.StagedPredictProba(Q)
			if err != nil || len(stages) != len(c.Staged) {
				t.Fatalf("%d stages (%v), want %d", len(stages), err, len(c.Staged))
			}
			for s, want := range c.Staged {
				for i := range want {
					compare(t, "probability", stages[s].RawRowView(i), want[i], 1e-9)
				}
			}
		})
	}
}

// A class without rows is never decided for, and two classes with rows of three decide as two
// do: the oracle is the same data with other codes.
func TestAdaBoostDecisionsOfClassesWithoutRows(t *testing.T) {
	X, y, _ := made(9, 120)
	two, apart := make([]int, len(y)), make([]int, len(y))
	for i, k := range y {
		two[i] = min(k, 1)
		apart[i] = 2 * two[i]
	}
	decisions := func(y []int) *mat.Dense {
		m, err := ensemble.AdaBoostConfig{Estimators: 5}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.DecisionFunction(X)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	one, three := decisions(two), decisions(apart)
	for i := range y {
		if row := three.RawRowView(i); !math.IsInf(row[1], -1) || math.Abs(row[2]-row[0]-one.At(i, 0)) > 1e-15 {
			t.Fatalf("row %d: decision values %v, of two classes %v", i, row, one.At(i, 0))
		}
	}
}

// Members that are no trees have no importances.
func TestAdaBoostWithoutImportances(t *testing.T) {
	X, y, _ := made(9, 60)
	m, err := ensemble.AdaBoostConfig{Estimators: 3, Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if v := m.FeatureImportances(); v != nil {
		t.Errorf("importances %v of naive Bayes", v)
	}
}

func TestBagsOutOfBagAgainstScikitLearn(t *testing.T) {
	c := oracle.Load[bagsFile](t, "testdata/peers_bags.json")
	X := oracle.Matrix(c.X)
	grown, machine := mlcore.LearnClassifier(tree.Config{}.FitClassifier), mlcore.LearnClassifier(svm.LinearConfig{}.FitClassifier)
	for name, cfg := range map[string]ensemble.BaggingConfig{
		"trees":        {Learner: grown},
		"machines":     {Learner: machine},
		"two features": {Learner: grown, FeaturesPerEstimator: 2},
	} {
		cfg.Estimators, cfg.OutOfBag, cfg.Seed = 50, true, 1
		m, err := cfg.FitClassifier(mlcore.FromMatrix(X, c.Y, nil))
		if err != nil {
			t.Fatal(err)
		}
		within(t, name, m.OutOfBag().Score, c.Bags[name])
	}
	m, err := ensemble.BaggingConfig{RegressorLearner: mlcore.LearnRegressor(tree.Config{}.FitRegressor), Estimators: 50, OutOfBag: true, Seed: 1}.FitRegressor(mlcore.FromMatrix(X, c.Target, nil))
	if err != nil {
		t.Fatal(err)
	}
	within(t, "regression trees", m.OutOfBag().Score, c.Bags["regression trees"])
}

// The oracle is arithmetic over the samples that the learners are given: column 0 numbers the
// rows, and a member predicts how many rows its sample has of class 1, or the least target.
func TestBagsOutOfBagByHand(t *testing.T) {
	const n, members = 40, 6
	X, y, target, w := mat.NewDense(n, 1, nil), make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		X.Set(i, 0, float64(i))
		y[i], target[i], w[i] = i%2, float64(i*i%17), float64(i%3)
	}
	var samples [][]float64 // of the rows, in the order of the members
	seen := func(ds *mlcore.Dataset) { samples = append(samples, mat.Col(nil, 0, ds.X)) }
	classifier := func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		seen(ds)
		return bayes.GaussianConfig{}.FitClassifier(ds)
	}
	regressor := func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
		seen(ds)
		return tree.Config{MaxDepth: 2}.FitRegressor(ds)
	}
	for _, voting := range []ensemble.VotingRule{ensemble.SoftVoting, ensemble.HardVoting} {
		samples = nil
		m, err := ensemble.BaggingConfig{Learner: classifier, Estimators: members, Voting: voting, OutOfBag: true, Workers: 1}.FitClassifier(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		o, right, all := m.OutOfBag(), 0.0, 0.0
		for i := range n {
			sum, votes := [2]float64{}, 0
			for k, member := range m.Members() {
				if slices.Contains(samples[k], float64(i)) {
					continue
				}
				votes++
				row := X.Slice(i, i+1, 0, 1)
				guess, err := member.Predict(row)
				if err != nil {
					t.Fatal(err)
				}
				p, err := member.(mlcore.ProbClassifier).PredictProba(row)
				if err != nil {
					t.Fatal(err)
				}
				if voting == ensemble.HardVoting {
					sum[guess[0]]++
				} else {
					sum[0], sum[1] = sum[0]+p.At(0, 0), sum[1]+p.At(0, 1)
				}
			}
			if votes != o.Votes[i] || w[i] == 0 && votes != members {
				t.Fatalf("row %d: %d members left it out, %d are counted", i, votes, o.Votes[i])
			}
			if votes == 0 {
				if !math.IsNaN(o.Proba.At(i, 0)) {
					t.Errorf("row %d, which all were fitted to: %v", i, o.Proba.RawRowView(i))
				}
				continue
			}
			compare(t, "out of bag", o.Proba.RawRowView(i), []float64{sum[0] / float64(votes), sum[1] / float64(votes)}, 1e-12)
			all += w[i]
			if (sum[1] > sum[0]) == (y[i] == 1) {
				right += w[i]
			}
		}
		if math.Abs(o.Score-right/all) > 1e-12 {
			t.Errorf("voting %v: score %v, want %v", voting, o.Score, right/all)
		}
	}
	samples = nil
	m, err := ensemble.BaggingConfig{RegressorLearner: regressor, Estimators: members, OutOfBag: true, Workers: 1}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	o := m.OutOfBag()
	for i := range n {
		sum, votes := 0.0, 0
		for k, member := range m.Members() {
			if !slices.Contains(samples[k], float64(i)) {
				v, err := member.Predict(X.Slice(i, i+1, 0, 1))
				if err != nil {
					t.Fatal(err)
				}
				sum, votes = sum+v[0], votes+1
			}
		}
		if votes != o.Votes[i] || votes > 0 && math.Abs(o.Prediction[i]-sum/float64(votes)) > 1e-12 {
			t.Errorf("row %d: %v of %d members, want %v of %d", i, o.Prediction[i], o.Votes[i], sum/float64(votes), votes)
		}
	}
	if m, err := (ensemble.BaggingConfig{Learner: classifier, OutOfBag: true, Sampling: ensemble.AllRows, Workers: 1}).FitClassifier(mlcore.FromMatrix(X, y, nil)); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("out of bag of all rows: %v, error %v", m, err)
	}
	if m, err := (ensemble.BaggingConfig{Learner: classifier, Workers: 1}).FitClassifier(mlcore.FromMatrix(X, y, nil)); err != nil || m.OutOfBag() != nil {
		t.Errorf("out-of-bag results nobody asked for (%v)", err)
	}
}

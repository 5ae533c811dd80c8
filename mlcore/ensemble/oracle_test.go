package ensemble_test

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// spread is the scores of several random states.
type spread struct{ Mean, Min, Max float64 }

// The answers of scikit-learn, as scripts/oracles/ensemble.py writes them.
type sklearnFile struct {
	AdaBoost []struct {
		Name            string
		Classes, Rounds int
		Depth           int
		MinLeaf         int     `json:"min_leaf"`
		LearningRate    float64 `json:"learning_rate"`
		X, Queries      [][]float64
		Y               []int
		W               []float64
		Alphas, Errors  []float64
		Predictions     []int
		Probabilities   [][]float64
		Staged          [][]int
	}
	Forest struct {
		X, Queries   [][]float64
		Y            []int
		Target       []float64
		QueryY       []int     `json:"query_y"`
		QueryTarget  []float64 `json:"query_target"`
		Accuracy     spread
		OOB          spread
		Importances  []float64
		R2           spread
		OOBR2        spread `json:"oob_r2"`
		ExtraTreesR2 spread `json:"extratrees_r2"`
	}
	Files []struct {
		File   string
		Label  int
		Drop   []int
		Rows   int
		Models map[string]spread
	}
}

func sklearn(t *testing.T) sklearnFile {
	t.Helper()
	return oracle.Load[sklearnFile](t, "testdata/peers.json")
}

func compare(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d, want %d", what, len(got), len(want))
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > tol {
			t.Fatalf("%s %d: %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestAdaBoostAgainstScikitLearn(t *testing.T) {
	cases := sklearn(t).AdaBoost
	if len(cases) < 5 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			base := tree.Config{Criterion: tree.Gini, MaxDepth: c.Depth, MinSamplesLeaf: c.MinLeaf}
			for _, cfg := range []ensemble.AdaBoostConfig{
				{Estimators: c.Rounds, LearningRate: c.LearningRate, Tree: base},
				{Estimators: c.Rounds, LearningRate: c.LearningRate, Learner: mlcore.LearnClassifier(base.FitClassifier)},
			} {
				m, err := cfg.FitClassifier(fixture.Classes(mlcore.FromMatrix(oracle.Matrix(c.X), c.Y, c.W), c.Classes))
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "alpha", m.Alphas(), c.Alphas, 1e-9)
				compare(t, "error", m.Errors(), c.Errors, 1e-9)
				Q := oracle.Matrix(c.Queries)
				got, err := m.Predict(Q)
				if err != nil || !slices.Equal(got, c.Predictions) {
					t.Errorf("predictions %v (%v), want %v", got, err, c.Predictions)
				}
				p, err := m.PredictProba(Q)
				if err != nil {
					t.Fatal(err)
				}
				for i, want := range c.Probabilities {
					compare(t, "probability", p.RawRowView(i), want, 1e-9)
				}
				stages, err := m.StagedPredict(Q)
				if err != nil || len(stages) != len(c.Staged) {
					t.Fatalf("%d stages (%v), want %d", len(stages), err, len(c.Staged))
				}
				for k := range stages {
					if !slices.Equal(stages[k], c.Staged[k]) {
						t.Fatalf("stage %d: %v, want %v", k, stages[k], c.Staged[k])
					}
				}
			}
		})
	}
}

// within reports a score outside the spread of scikit-learn's random states and
// as much again, and 0.005.
func within(t *testing.T, what string, got float64, s spread) {
	t.Helper()
	slack := s.Max - s.Min + 0.005
	if got < s.Min-slack || got > s.Max+slack {
		t.Errorf("%s: %.4f, scikit-learn has %.4f to %.4f", what, got, s.Min, s.Max)
	}
}

func r2(y, guess []float64) float64 {
	mean, rss, tss := 0.0, 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for i, v := range y {
		rss += (v - guess[i]) * (v - guess[i])
		tss += (v - mean) * (v - mean)
	}
	return 1 - rss/tss
}

func TestForestsAgainstScikitLearn(t *testing.T) {
	c := sklearn(t).Forest
	X, Q := oracle.Matrix(c.X), oracle.Matrix(c.Queries)
	f, err := ensemble.ForestConfig{OutOfBag: true, Seed: 1}.FitClassifier(mlcore.FromMatrix(X, c.Y, nil))
	if err != nil {
		t.Fatal(err)
	}
	within(t, "forest accuracy", accuracy(t, f, Q, c.QueryY), c.Accuracy)
	within(t, "forest out-of-bag accuracy", f.OutOfBag().Score, c.OOB)
	compare(t, "importance", f.FeatureImportances(), c.Importances, 0.02)
	r, err := ensemble.ForestConfig{OutOfBag: true, Seed: 1}.FitRegressor(mlcore.FromMatrix(X, c.Target, nil))
	if err != nil {
		t.Fatal(err)
	}
	guess, err := r.Predict(Q)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "forest R²", r2(c.QueryTarget, guess), c.R2)
	within(t, "forest out-of-bag R²", r.OutOfBag().Score, c.OOBR2)
	e, err := ensemble.ExtraTreesConfig{Seed: 1}.FitRegressor(mlcore.FromMatrix(X, c.Target, nil))
	if err != nil {
		t.Fatal(err)
	}
	if guess, err = e.Predict(Q); err != nil {
		t.Fatal(err)
	}
	within(t, "ExtraTrees R²", r2(c.QueryTarget, guess), c.ExtraTreesR2)
}

// code turns a table into numbers as the script does: numbers as they are, text
// by its rank among the column's values.
func code(t *testing.T, rows [][]string, label int, drop []int) (X *mat.Dense, y []int) {
	t.Helper()
	var columns [][]float64
	for j := range rows[0] {
		values, text := make([]float64, len(rows)), false
		for i, row := range rows {
			v, err := strconv.ParseFloat(row[j], 64)
			values[i], text = v, text || err != nil
		}
		if text {
			var distinct []string
			for _, row := range rows {
				distinct = append(distinct, row[j])
			}
			slices.Sort(distinct)
			distinct = slices.Compact(distinct)
			for i, row := range rows {
				values[i] = float64(sort.SearchStrings(distinct, row[j]))
			}
		}
		if j == label {
			for _, v := range values {
				y = append(y, int(v))
			}
		} else if !slices.Contains(drop, j) {
			columns = append(columns, values)
		}
	}
	X = mat.NewDense(len(rows), len(columns), nil)
	for j, c := range columns {
		X.SetCol(j, c)
	}
	return X, y
}

// setOf is the name of the set that a file belongs to.
func setOf(t *testing.T, file string) string {
	t.Helper()
	for _, set := range datasets.All() {
		for _, f := range set.Files {
			if f.Name == file {
				return set.Name
			}
		}
	}
	t.Fatalf("no set has a file %q", file)
	return ""
}

func TestScoresOnTheCoursesData(t *testing.T) {
	for _, f := range sklearn(t).Files {
		t.Run(f.File, func(t *testing.T) {
			if testing.Short() && f.Rows > 5000 {
				t.Skip("large")
			}
			X, y := code(t, datasetstest.Fields(t, setOf(t, f.File), f.File), f.Label, f.Drop)
			if len(y) != f.Rows {
				t.Fatalf("%d rows, want %d", len(y), f.Rows)
			}
			_, d := X.Dims()
			var train, test []float64
			var trainY, testY []int
			for i := range y {
				if i%5 == 4 {
					test, testY = append(test, X.RawRowView(i)...), append(testY, y[i])
				} else {
					train, trainY = append(train, X.RawRowView(i)...), append(trainY, y[i])
				}
			}
			A, B := mat.NewDense(len(trainY), d, train), mat.NewDense(len(testY), d, test)
			classes := mlcore.CountClasses(y)
			for _, m := range []struct {
				name    string
				learner mlcore.ClassifierLearner
			}{
				{"tree", mlcore.LearnClassifier(tree.Config{}.FitClassifier)},
				{"entropy tree", mlcore.LearnClassifier(tree.Config{Criterion: tree.Entropy}.FitClassifier)},
				{"forest", mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier)},
				{"extratrees", mlcore.LearnClassifier(ensemble.ExtraTreesConfig{}.FitClassifier)},
				{"adaboost", mlcore.LearnClassifier(ensemble.AdaBoostConfig{Tree: tree.Config{MaxDepth: 1}}.FitClassifier)},
			} {
				model, err := m.learner(fixture.Classes(mlcore.FromMatrix(A, trainY, nil), classes))
				if err != nil {
					t.Fatal(err)
				}
				got := accuracy(t, model, B, testY)
				s := f.Models[m.name]
				t.Logf("%s: %.4f, scikit-learn %.4f (%.4f to %.4f)", m.name, got, s.Mean, s.Min, s.Max)
				// One test row more or less is allowed for on small sets.
				s.Min -= 1 / float64(len(testY))
				s.Max += 1 / float64(len(testY))
				within(t, m.name, got, s)
			}
		})
	}
}

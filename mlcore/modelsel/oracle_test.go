package modelsel_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// answers is testdata/peers.json: data and what scikit-learn makes of them.
// scripts/oracles/modelsel.py made it; the file holds versions.
type answers struct {
	X          [][]float64 `json:"X"`
	Labels     []int       `json:"labels"`
	Targets    []float64   `json:"targets"`
	Weights    []float64   `json:"weights"`
	Neighbours []int       `json:"neighbours"`
	Shares     []float64   `json:"shares"`
	Folds      []struct {
		Kind   string  `json:"kind"`
		N      int     `json:"n"`
		K      int     `json:"k"`
		Labels []int   `json:"labels"`
		Groups []int   `json:"groups"`
		Rare   bool    `json:"rare"`
		Tests  [][]int `json:"tests"`
	} `json:"folds"`
	Parts []struct {
		Counts      []int   `json:"counts"`
		Test        float64 `json:"test"`
		Train       float64 `json:"train"`
		TrainCounts []int   `json:"train_counts"`
		TestCounts  []int   `json:"test_counts"`
	} `json:"parts"`
	CrossValidation map[string]struct {
		Test  []float64 `json:"test"`
		Train []float64 `json:"train"`
	} `json:"cross_validation"`
	Repeated struct {
		Tests  [][]int   `json:"tests"`
		Scores []float64 `json:"scores"`
	} `json:"repeated"`
	Predictions struct {
		Classes []int       `json:"classes"`
		Proba   [][]float64 `json:"proba"`
	} `json:"predictions"`
	Searches map[string]table `json:"searches"`
	Nested   struct {
		Inner struct {
			Scores []float64 `json:"scores"`
			Best   []int     `json:"best"`
		} `json:"inner"`
		Rotating struct {
			Best                 []int       `json:"best"`
			Validation           [][]float64 `json:"validation"`
			Scores               []float64   `json:"scores"`
			ScoresWithValidation []float64   `json:"scores_with_validation"`
		} `json:"rotating"`
	} `json:"nested"`
	Curves map[string]struct {
		X     []float64   `json:"x"`
		Train [][]float64 `json:"train"`
		Test  [][]float64 `json:"test"`
	} `json:"curves"`
}

type table struct {
	Params [][]string  `json:"params"`
	Folds  [][]float64 `json:"folds"`
	Mean   []float64   `json:"mean"`
	Std    []float64   `json:"std"`
	Rank   []int       `json:"rank"`
	Best   int         `json:"best"`
	Refit  []int       `json:"refit"`
}

func scikitLearn(t *testing.T) (answers, *mat.Dense) {
	t.Helper()
	a := oracle.Load[answers](t, "testdata/peers.json")
	return a, oracle.Matrix(a.X)
}

func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) })
}

func testsOf(f *modelsel.Folds) [][]int {
	var tests [][]int
	for _, fold := range f.All() {
		tests = append(tests, fold.Test)
	}
	return tests
}

func TestFoldsAgainstScikitLearn(t *testing.T) {
	a, _ := scikitLearn(t)
	for _, tc := range a.Folds {
		s := map[string]modelsel.Splitter{
			"KFold":           modelsel.KFold{Folds: tc.K},
			"LeaveOneOut":     modelsel.LeaveOneOut{},
			"StratifiedKFold": modelsel.StratifiedKFold{Folds: tc.K, AllowRare: tc.Rare},
			"GroupKFold":      modelsel.GroupKFold{Folds: tc.K},
		}[tc.Kind]
		rows := modelsel.Rows{N: tc.N, Labels: tc.Labels, Groups: tc.Groups}
		f, err := s.Split(rows)
		if err != nil {
			t.Errorf("%s, %d rows: %v", tc.Kind, tc.N, err)
			continue
		}
		if got := testsOf(f); !slices.EqualFunc(got, tc.Tests, slices.Equal) {
			t.Errorf("%s, %d rows in %d:\n%v\nscikit-learn\n%v", tc.Kind, tc.N, tc.K, got, tc.Tests)
		}
		if tc.Rare {
			if _, err := (modelsel.StratifiedKFold{Folds: tc.K}).Split(rows); !errors.Is(err, mlcore.ErrConfig) {
				t.Errorf("a class with fewer rows than the %d folds: %v", tc.K, err)
			}
		}
	}
}

func TestPartsAgainstScikitLearn(t *testing.T) {
	a, _ := scikitLearn(t)
	for _, tc := range a.Parts {
		var labels []int
		for class, n := range tc.Counts {
			labels = append(labels, slices.Repeat([]int{class}, n)...)
		}
		f, err := modelsel.StratifiedShuffleSplit{Splits: 3, TestSize: tc.Test, TrainSize: tc.Train, Seed: 1}.Split(modelsel.Rows{N: len(labels), Labels: labels})
		if err != nil {
			t.Fatal(err)
		}
		for i, fold := range f.All() {
			train, test := classCounts(labels, fold.Train, len(tc.Counts)), classCounts(labels, fold.Test, len(tc.Counts))
			if !slices.Equal(train, tc.TrainCounts) || !slices.Equal(test, tc.TestCounts) {
				t.Errorf("%v, test %v, train %v, split %d: %v and %v, scikit-learn %v and %v", tc.Counts, tc.Test, tc.Train, i, train, test, tc.TrainCounts, tc.TestCounts)
			}
		}
	}
}

func classCounts(labels, rows []int, classes int) []int {
	counts := make([]int, classes)
	for _, r := range rows {
		counts[labels[r]]++
	}
	return counts
}

func TestCrossValidateAgainstScikitLearn(t *testing.T) {
	a, X := scikitLearn(t)
	two := make([]int, len(a.Labels))
	for i, c := range a.Labels {
		two[i] = min(c, 1)
	}
	compared := 0
	compare := func(name string, s modelsel.Scores) {
		t.Helper()
		compared++
		want := a.CrossValidation[name]
		if !near(s.Test, want.Test) || !near(s.Train, want.Train) {
			t.Errorf("%s: test %v, training %v; scikit-learn %v, %v", name, s.Test, s.Train, want.Test, want.Train)
		}
	}
	options := func(scorers ...modelsel.Scorer) modelsel.Options {
		return modelsel.Options{Splitter: modelsel.StratifiedKFold{}, Scorers: scorers, TrainScores: true}
	}
	nb := bayes.GaussianConfig{}.FitClassifier
	opt := options(modelsel.Accuracy, modelsel.BalancedAccuracy, modelsel.MacroF1, modelsel.LogLoss, modelsel.ROCAUCOneVsRest)
	r, err := modelsel.CrossValidate(nb, mlcore.FromMatrix(X, a.Labels, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Scores {
		compare(s.Scorer, s)
	}
	if r, err = modelsel.CrossValidate(nb, mlcore.FromMatrix(X, two, nil), options(modelsel.ROCAUC)); err != nil {
		t.Fatal(err)
	}
	compare("ROC AUC", r.Scores[0])
	if r, err = modelsel.CrossValidate(nb, mlcore.FromMatrix(X, a.Labels, a.Weights), options()); err != nil {
		t.Fatal(err)
	}
	compare("weighted accuracy", r.Scores[0])
	opt = options(modelsel.R2, modelsel.MSE, modelsel.RMSE, modelsel.MAE)
	opt.Splitter = modelsel.KFold{}
	if r, err = modelsel.CrossValidate(neighbors.Config{Neighbors: 5}.FitRegressor, mlcore.FromMatrix(X, a.Targets, nil), opt); err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Scores {
		compare(s.Scorer, s)
	}
	if compared != len(a.CrossValidation) {
		t.Errorf("%d scores compared, scikit-learn has %d", compared, len(a.CrossValidation))
	}
}

// Folds that scikit-learn drew, three times five.
func TestRepeatedFoldsOfScikitLearn(t *testing.T) {
	a, X := scikitLearn(t)
	var folds modelsel.Predefined
	for _, test := range a.Repeated.Tests {
		folds = append(folds, modelsel.Fold{Test: test})
	}
	r, err := modelsel.CrossValidate(neighbors.Config{Neighbors: 3}.FitClassifier, mlcore.FromMatrix(X, a.Labels, nil), modelsel.Options{Splitter: folds})
	if err != nil {
		t.Fatal(err)
	}
	if !near(r.Scores[0].Test, a.Repeated.Scores) {
		t.Errorf("%v, scikit-learn %v", r.Scores[0].Test, a.Repeated.Scores)
	}
}

func TestCrossValPredictAgainstScikitLearn(t *testing.T) {
	a, X := scikitLearn(t)
	opt := modelsel.Options{Splitter: modelsel.StratifiedKFold{Folds: 4}}
	nb := bayes.GaussianConfig{}.FitClassifier
	classes, err := modelsel.CrossValPredict(nb, mlcore.FromMatrix(X, a.Labels, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(classes.Values, a.Predictions.Classes) {
		t.Errorf("%v, scikit-learn %v", classes.Values, a.Predictions.Classes)
	}
	proba, err := modelsel.CrossValPredictProba(nb, mlcore.FromMatrix(X, a.Labels, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range a.Predictions.Proba {
		if !near(proba.Values.RawRowView(i), want) {
			t.Errorf("row %d: %v, scikit-learn %v", i, proba.Values.RawRowView(i), want)
		}
	}
	if !slices.Equal(proba.Fold, classes.Fold) {
		t.Error("the two disagree about which fold tested which row")
	}
}

func knnGrid(neighbours []int) []modelsel.Candidate[neighbors.Config] {
	return modelsel.Grid(neighbors.Config{}, varyK(neighbours))
}

func varyK(neighbours []int) modelsel.Axis[neighbors.Config] {
	return modelsel.Vary("n_neighbors", func(c *neighbors.Config, v int) { c.Neighbors = v }, neighbours...)
}

func TestSearchAgainstScikitLearn(t *testing.T) {
	a, X := scikitLearn(t)
	grid := modelsel.Grid(neighbors.Config{}, varyK(a.Neighbours), modelsel.Vary("weights", func(c *neighbors.Config, v string) {
		c.Weights = map[string]neighbors.Weights{"uniform": neighbors.Uniform, "distance": neighbors.InverseDistance}[v]
	}, "uniform", "distance"))
	r, err := modelsel.Search(neighbors.Config.FitClassifier, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.SearchOptions{Options: modelsel.Options{Splitter: modelsel.StratifiedKFold{}}})
	if err != nil {
		t.Fatal(err)
	}
	want := a.Searches["accuracy"]
	checkTable(t, want, r.Table, r.Best)
	var moved mat.Dense
	moved.Apply(func(_, _ int, v float64) float64 { return v + 0.3 }, X)
	got, err := r.Model.Predict(&moved)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want.Refit) {
		t.Errorf("the final fit predicts %v, scikit-learn's %v", got, want.Refit)
	}

	losses, err := modelsel.Search(neighbors.Config.FitRegressor, knnGrid(a.Neighbours), mlcore.FromMatrix(X, a.Targets, nil), modelsel.SearchOptions{
		Options: modelsel.Options{Splitter: modelsel.KFold{Folds: 4}, Scorers: []modelsel.Scorer{modelsel.MSE}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want = a.Searches["MSE"]
	want.Mean, want.Folds = negated(want.Mean), slices.Clone(want.Folds) // scikit-learn negates losses
	for i, scores := range want.Folds {
		want.Folds[i] = negated(scores)
	}
	checkTable(t, want, losses.Table, losses.Best)
}

func negated(v []float64) []float64 {
	n := make([]float64, len(v))
	for i := range v {
		n[i] = -v[i]
	}
	return n
}

func checkTable(t *testing.T, want table, got []modelsel.Row[neighbors.Config], best int) {
	t.Helper()
	if len(got) != len(want.Mean) || best != want.Best {
		t.Errorf("%d candidates, best %d; scikit-learn %d, best %d", len(got), best, len(want.Mean), want.Best)
	}
	for i, row := range got {
		var params []string
		for _, p := range row.Params {
			params = append(params, p.Value)
		}
		s := row.Scores[0]
		k := float64(len(s.Test))
		population := s.SD() * math.Sqrt((k-1)/k)
		if !slices.Equal(params, want.Params[i]) || row.Rank != want.Rank[i] || !near(s.Test, want.Folds[i]) || !near([]float64{s.Mean(), population}, []float64{want.Mean[i], want.Std[i]}) {
			t.Errorf("candidate %d (%v): rank %d, %v, mean %v, SD %v; scikit-learn (%v): rank %d, %v, mean %v, SD %v",
				i, row.Candidate, row.Rank, s.Test, s.Mean(), population, want.Params[i], want.Rank[i], want.Folds[i], want.Mean[i], want.Std[i])
		}
	}
}

func TestNestedAgainstScikitLearn(t *testing.T) {
	a, X := scikitLearn(t)
	outer := modelsel.Options{Splitter: modelsel.StratifiedKFold{}}
	fit, grid := neighbors.Config.FitClassifier, knnGrid(a.Neighbours)
	inner, err := modelsel.NestedCrossValidate(fit, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.NestedOptions{Options: outer, Inner: modelsel.StratifiedKFold{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	checkNested(t, "inner cross-validation", inner, a.Nested.Inner.Best, a.Nested.Inner.Scores)
	want := a.Nested.Rotating
	for _, both := range []bool{false, true} {
		scores := want.Scores
		if both {
			scores = want.ScoresWithValidation
		}
		r, err := modelsel.RotatingCrossValidate(fit, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.NestedOptions{Options: outer, AddValidation: both})
		if err != nil {
			t.Fatal(err)
		}
		checkNested(t, "rotating validation fold", r, want.Best, scores)
		for i, f := range r.Folds {
			for c, row := range f.Table {
				if !near(row.Scores[0].Test, want.Validation[i][c:c+1]) {
					t.Errorf("fold %d, %v: validation score %v, want %v", i, row.Candidate, row.Scores[0].Test, want.Validation[i][c])
				}
			}
		}
	}
}

func checkNested(t *testing.T, name string, r *modelsel.NestedResult[neighbors.Config], best []int, scores []float64) {
	t.Helper()
	var chosen []int
	for _, f := range r.Folds {
		chosen = append(chosen, f.Best)
	}
	if !slices.Equal(chosen, best) || !near(r.Scores[0].Test, scores) {
		t.Errorf("%s: chosen %v with scores %v, scikit-learn %v with %v", name, chosen, r.Scores[0].Test, best, scores)
	}
}

func TestCurvesAgainstScikitLearn(t *testing.T) {
	a, X := scikitLearn(t)
	opt := modelsel.Options{Splitter: modelsel.StratifiedKFold{}}
	learning, err := modelsel.LearningCurve(bayes.GaussianConfig{}.FitClassifier, mlcore.FromMatrix(X, a.Labels, nil), modelsel.LearningCurveOptions{Options: opt, TrainSizes: a.Shares, NoShuffle: true})
	if err != nil {
		t.Fatal(err)
	}
	validation, err := modelsel.ValidationCurve(func(k int, ds *mlcore.Dataset) (*neighbors.Classifier, error) {
		return neighbors.Config{Neighbors: k}.FitClassifier(ds)
	}, a.Neighbours, mlcore.FromMatrix(X, a.Labels, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*modelsel.Curve{"learning": learning, "validation": validation} {
		want := a.Curves[name]
		if !slices.Equal(c.X, want.X) || c.Scorer != "accuracy" {
			t.Errorf("%s: %s at %v, want accuracy at %v", name, c.Scorer, c.X, want.X)
		}
		for i, p := range c.Points {
			if !near(p.Test, want.Test[i]) || !near(p.Train, want.Train[i]) {
				t.Errorf("%s curve at %v: test %v, training %v; scikit-learn %v, %v", name, c.X[i], p.Test, p.Train, want.Test[i], want.Train[i])
			}
		}
	}
}

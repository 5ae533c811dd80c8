package ensemble_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// stackable is 60 rows of two numbers and a category, with classes and targets.
func stackable() *mlcore.Dataset {
	rng := mlcore.NewRand(3)
	ds := &mlcore.Dataset{
		Name: "stackable", X: mat.NewDense(60, 3, nil), ClassNames: []string{"no", "yes", "maybe"},
		Columns: []mlcore.Column{{Name: "a"}, {Name: "b"}, {Name: "colour", Levels: []string{"red", "green"}}},
	}
	for i := range 60 {
		a, b, c := 2*rng.Float64()-1, 2*rng.Float64()-1, float64(i%2)
		ds.X.SetRow(i, []float64{a, b, c})
		ds.Y = append(ds.Y, i%3)
		ds.Target = append(ds.Target, a*b+c)
	}
	return ds
}

func TestStackingByProperties(t *testing.T) {
	ds := stackable()
	gaussian := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	numbers, err := ds.Select("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	cfg := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{smallTree, without(gaussian)}, FinalLearner: smallTree, Passthrough: true}
	plain := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{smallTree, gaussian}}
	regress := ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{smallRegressionTree}, FinalRegressorLearner: smallRegressionTree, Passthrough: true}

	t.Run("columns of the final learner", func(t *testing.T) {
		var seen *mlcore.Dataset
		spy := regress
		spy.FinalRegressorLearner = func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
			seen = ds
			return tree.Config{}.FitRegressor(ds)
		}
		if _, err := spy.FitRegressor(ds); err != nil {
			t.Fatal(err)
		}
		if got, want := seen.FeatureNames(), []string{"learner 0", "a", "b", "colour"}; !slices.Equal(got, want) || !seen.Columns[3].Categorical() {
			t.Errorf("columns %q, want %q with a categorical colour", got, want)
		}
		classes := cfg
		classes.FinalLearner = func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
			seen = ds
			return tree.Config{}.FitClassifier(ds)
		}
		if _, err := classes.FitClassifier(numbers); err != nil {
			t.Fatal(err)
		}
		want := []string{"learner 0: no", "learner 0: yes", "learner 0: maybe", "learner 1: no", "learner 1: yes", "learner 1: maybe", "a", "b"}
		if got := seen.FeatureNames(); !slices.Equal(got, want) {
			t.Errorf("columns %q, want %q", got, want)
		}
		// The second learner's models tell no probabilities: one 1 a row.
		for i := range seen.Len() {
			row := seen.X.RawRowView(i)[3:6]
			if slices.Max(row) != 1 || row[0]+row[1]+row[2] != 1 {
				t.Fatalf("row %d of a learner without probabilities is %v", i, row)
			}
		}
	})
	t.Run("no row is predicted by a member that has seen it", func(t *testing.T) {
		// A learner that remembers its rows, and knows nothing else.
		memory := func(ds *mlcore.Dataset) (mlcore.Regressor, error) { return remember(ds), nil }
		var seen *mlcore.Dataset
		spy := ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{memory}, FinalRegressorLearner: func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
			seen = ds
			return tree.Config{}.FitRegressor(ds)
		}}
		m, err := spy.FitRegressor(numbers)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range mat.Col(nil, 0, seen.X) {
			if v != unseen {
				t.Fatalf("the final learner is shown %v for row %d by a member that was fitted to it", v, i)
			}
		}
		inputs, err := m.FinalInputs(numbers.X)
		if err != nil {
			t.Fatal(err)
		}
		if got := mat.Col(nil, 0, inputs); !slices.Equal(got, numbers.Target) {
			t.Error("the members of the model were not fitted to all the rows")
		}
	})
	t.Run("rows of weight 0 are as if absent", func(t *testing.T) {
		weighted := *numbers
		weighted.Weights = slices.Repeat([]float64{1}, 60)
		var rest []int
		for i := range 60 {
			if i%7 == 0 {
				weighted.Weights[i] = 0
			} else {
				rest = append(rest, i)
			}
		}
		all, err := plain.FitClassifier(&weighted)
		some, err2 := plain.FitClassifier(weighted.Subset(rest))
		if !bytes.Equal(marshal(t, all, err), marshal(t, some, err2)) {
			t.Error("leaving rows of weight 0 out makes another model")
		}
	})
	t.Run("workers", func(t *testing.T) {
		var first []byte
		for _, workers := range []int{1, 2, 7} {
			c := plain
			c.Workers = workers
			m, err := c.FitClassifier(numbers)
			if data := marshal(t, m, err); first == nil {
				first = data
			} else if !bytes.Equal(data, first) {
				t.Errorf("%d workers make another model than one", workers)
			}
		}
	})
}

// unseen is what remember predicts for a row that it was not fitted to.
const unseen = -1e9

type memory struct{ ds *mlcore.Dataset }

func remember(ds *mlcore.Dataset) mlcore.Regressor { return memory{ds} }

func (m memory) NumFeatures() int { return m.ds.NumFeatures() }

func (m memory) Predict(X mat.Matrix) ([]float64, error) {
	n, _ := X.Dims()
	y := slices.Repeat([]float64{unseen}, n)
	for i := range n {
		for r := range m.ds.Len() {
			if slices.Equal(mat.Row(nil, i, X), m.ds.X.RawRowView(r)) {
				y[i] = m.ds.Target[r]
			}
		}
	}
	return y, nil
}

func TestStackingRefuses(t *testing.T) {
	ds := stackable()
	gap := *ds
	gap.X = mat.DenseCopyOf(ds.X)
	gap.X.Set(41, 1, math.NaN())
	rare := *ds
	rare.Y = make([]int, 60)
	rare.Y[5], rare.Y[6] = 1, 2
	trees := []mlcore.ClassifierLearner{smallTree}
	regressionTrees := []mlcore.RegressorLearner{smallRegressionTree}
	narrow := func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
		part, err := ds.Select("a")
		if err != nil {
			return nil, err
		}
		return smallTree(part)
	}
	for _, c := range []struct {
		name   string
		config ensemble.StackingConfig
		ds     *mlcore.Dataset
		want   error
		says   string
	}{
		{"no learner", ensemble.StackingConfig{}, ds, mlcore.ErrConfig, "at least one of Learners"},
		{"learners of the other kind", ensemble.StackingConfig{Learners: trees, RegressorLearners: regressionTrees}, ds, mlcore.ErrConfig, "are for FitRegressor"},
		{"a nil learner", ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{smallTree, nil}}, ds, mlcore.ErrConfig, "learner 1 is nil"},
		{"a learner without a model", ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, nil }}}, ds, mlcore.ErrConfig, "neither a model nor an error"},
		{"a final learner without a model", ensemble.StackingConfig{Learners: trees, FinalLearner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, nil }}, ds, mlcore.ErrConfig, "the final learner"},
		{"a member of other columns", ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{narrow}}, ds, mlcore.ErrShape, ""},
		{"a missing value", ensemble.StackingConfig{Learners: trees}, &gap, mlcore.ErrNonFinite, "row 41, column 1"},
		{"too few rows of a class", ensemble.StackingConfig{Learners: trees}, &rare, mlcore.ErrConfig, "use fewer folds"},
		{"folds that leave rows out", ensemble.StackingConfig{Learners: trees, Splitter: modelsel.ShuffleSplit{}}, ds, mlcore.ErrConfig, "tests every row once"},
		{"a categorical column in logistic regression", ensemble.StackingConfig{Learners: trees, Passthrough: true}, ds, mlcore.ErrColumn, "colour"},
		{"no rows", ensemble.StackingConfig{Learners: trees}, &mlcore.Dataset{}, mlcore.ErrEmpty, ""},
		{"no Dataset", ensemble.StackingConfig{Learners: trees}, nil, mlcore.ErrEmpty, "nil"},
	} {
		if _, err := c.config.FitClassifier(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
	if _, err := (ensemble.StackingConfig{RegressorLearners: regressionTrees, FinalLearner: smallTree}).FitRegressor(ds); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("FinalLearner given to FitRegressor: error %v, want ErrConfig", err)
	}
	if _, err := (ensemble.StackingConfig{RegressorLearners: regressionTrees}).FitRegressor(ds.Subset([]int{0})); err == nil {
		t.Error("one row: no error")
	}
	for _, zero := range []any{new(ensemble.Stacking), new(ensemble.StackingRegressor)} {
		if _, err := modelfile.Marshal(zero); !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("saving a zero %T: error %v, want ErrNotFitted", zero, err)
		}
	}
}

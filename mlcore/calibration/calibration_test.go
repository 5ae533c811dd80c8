package calibration_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// copied is a problem that naive Bayes is far too sure of: two classes whose only
// feature is there many times.
func copied(n, columns int, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed)
	X, y := mat.NewDense(n, columns, nil), make([]int, n)
	for i := range n {
		y[i] = rng.IntN(2)
		v := float64(y[i]) + rng.NormFloat64()
		for j := range columns {
			X.Set(i, j, v+0.01*rng.NormFloat64())
		}
	}
	return mlcore.FromMatrix(X, y, nil)
}

// Calibrated naive Bayes knows how little it knows. The truth is a logistic function, so
// that the expected log loss of the best answer is that of the logistic regression.
func TestOverconfidenceIsCured(t *testing.T) {
	train, test := copied(4000, 8, 1), copied(4000, 8, 2)
	naive := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	loss := func(m mlcore.Classifier, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.(mlcore.ProbClassifier).PredictProba(test.X)
		if err != nil {
			t.Fatal(err)
		}
		l, err := metrics.LogLoss(test.Y, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	plain := loss(naive(train))
	best := loss(linear.LogisticConfig{}.FitClassifier(train))
	if plain < best+0.5 {
		t.Fatalf("naive Bayes has a log loss of %v, the best of %v: there is nothing to cure", plain, best)
	}
	for _, c := range []calibration.Config{{}, {Method: calibration.Isotonic}, {Single: true}} {
		c.Learner = naive
		most := best + 0.02
		if c.Method == calibration.Sigmoid {
			most = best + 0.05 // of probabilities a sigmoid is not the right form
		}
		if got := loss(c.FitClassifier(train)); got > most {
			t.Errorf("%v, single %v: log loss %v, the best is %v", c.Method, c.Single, got, best)
		}
	}
}

// A learner that returns a fitted model calibrates that model.
func TestFittedModel(t *testing.T) {
	train, held := copied(500, 4, 3), copied(300, 4, 4)
	naive, err := bayes.GaussianConfig{}.FitClassifier(train)
	if err != nil {
		t.Fatal(err)
	}
	m, err := calibration.Config{
		Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return naive, nil },
		Single:  true,
	}.FitClassifier(held)
	if err != nil {
		t.Fatal(err)
	}
	if members := m.Members(); len(members) != 1 || members[0] != mlcore.Classifier(naive) {
		t.Errorf("members %v, want the fitted model alone", members)
	}
	// By its own folds the function is fitted to all held-out rows: another splitter
	// finds the same.
	again, err := calibration.Config{
		Learner:  func(*mlcore.Dataset) (mlcore.Classifier, error) { return naive, nil },
		Splitter: modelsel.KFold{Folds: 3, Shuffle: true, Seed: 9},
		Single:   true,
	}.FitClassifier(held)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.PredictProba(train.X)
	q, err2 := again.PredictProba(train.X)
	if err != nil || err2 != nil || !mat.Equal(p, q) {
		t.Errorf("other folds calibrate a fitted model otherwise (%v, %v)", err, err2)
	}
}

// Rows of weight 0 are treated as absent, and a class without rows has probability 0.
func TestRowsWithoutWeight(t *testing.T) {
	ds := copied(200, 3, 5)
	ds.ClassNames = []string{"no", "yes", "never"}
	c := calibration.Config{Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)}
	ds.Weights = slices.Repeat([]float64{1}, 200)
	var rows []int
	for i := range ds.Weights {
		if i%3 == 0 {
			ds.Weights[i] = 0
		} else {
			rows = append(rows, i)
		}
	}
	a, err := c.FitClassifier(ds)
	b, err2 := c.FitClassifier(ds.Subset(rows))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	p, err := a.PredictProba(ds.X)
	q, err2 := b.PredictProba(ds.X)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if !mat.Equal(p, q) {
		t.Error("rows of weight 0 count")
	}
	for i := range 200 {
		if p.At(i, 2) != 0 || math.Abs(p.At(i, 0)+p.At(i, 1)-1) > 1e-12 {
			t.Fatalf("row %d: probabilities %v", i, p.RawRowView(i))
		}
	}
}

// mute is a classifier without scores.
type mute struct{}

func (mute) NumFeatures() int                    { return 3 }
func (mute) NumClasses() int                     { return 2 }
func (mute) Predict(X mat.Matrix) ([]int, error) { n, _ := X.Dims(); return make([]int, n), nil }

func TestRefused(t *testing.T) {
	naive := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	ds := copied(60, 3, 6)
	oneClass, rare := *ds, *ds
	oneClass.Y = make([]int, 60)
	rare.Y = append([]int{2, 2}, ds.Y[2:]...)
	rare.ClassNames = []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		cfg  calibration.Config
		ds   *mlcore.Dataset
		want error
		says string
	}{
		"no learner":    {calibration.Config{}, ds, mlcore.ErrConfig, "Learner is nil"},
		"no method":     {calibration.Config{Learner: naive, Method: 5}, ds, mlcore.ErrConfig, "Method(5)"},
		"one class":     {calibration.Config{Learner: naive}, &oneClass, mlcore.ErrOneClass, "class 0"},
		"a rare class":  {calibration.Config{Learner: naive}, &rare, mlcore.ErrConfig, "class 2 has 2 rows, fewer than the 5 folds"},
		"no scores":     {calibration.Config{Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return mute{}, nil }}, ds, mlcore.ErrConfig, "neither probabilities nor decision values"},
		"neither":       {calibration.Config{Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, nil }}, ds, mlcore.ErrConfig, "neither a model nor an error"},
		"not every row": {calibration.Config{Learner: naive, Single: true, Splitter: modelsel.ShuffleSplit{}}, ds, mlcore.ErrConfig, "every row once"},
		"unseen classes": {calibration.Config{Learner: mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier), Splitter: modelsel.Predefined{
			{Train: []int{2, 3, 4, 5, 6, 7, 8, 9}, Test: []int{0, 1, 10, 11, 12}},
		}}, &rare, mlcore.ErrNonFinite, "fold 0: non-finite value: a score of class 2"},
	} {
		if _, err := c.cfg.FitClassifier(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", name, err, c.want, c.says)
		}
	}
}

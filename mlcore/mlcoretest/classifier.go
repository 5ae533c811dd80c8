package mlcoretest

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Classifier runs the battery on a classifier. config returns its configuration
// with at most the given number of goroutines and always the same seed.
func Classifier[M mlcore.Classifier, C ClassifierConfig[M]](t *testing.T, traits Traits, config func(workers int) C) {
	s := subject[int]{
		Traits: traits,
		labels: func(p problem) []int { return p.y },
		train: func(workers int, ds *mlcore.Dataset) (model[int], error) {
			return asClassifier(config(workers).FitClassifier(ds))
		},
		dataset: func(X *mat.Dense, y []int, w []float64) *mlcore.Dataset {
			ds := mlcore.FromMatrix(X, y, w)
			ds.ClassNames = classNames[:max(len(ds.ClassNames), 1)]
			return ds
		},
		zero: func() any { return zeroOf[M]() },
	}
	s.run(t)
	t.Run("predictions", s.classifierPredictions)
	t.Run("bad labels", s.badLabels)
	t.Run("one class", s.oneClass)
	s.when(t, !traits.Binary && !traits.CountsClasses, "shifted labels", func(t *testing.T) { shiftedLabels(t, s) })
	t.Run("class names", s.classNames)
}

// classNames are those of the battery's Datasets.
var classNames = []string{"north", "east", "south", "west"}

func asClassifier[M mlcore.Classifier](m M, err error) (model[int], error) {
	if err != nil {
		return model[int]{}, err
	}
	return classifierModel(m), nil
}

func classifierModel(c mlcore.Classifier) model[int] {
	m := model[int]{fitted: c, predict: c.Predict}
	m.like = func(fitted any) model[int] { return classifierModel(fitted.(mlcore.Classifier)) }
	m.outputs = func(X mat.Matrix) ([]float64, error) {
		if p, ok := c.(mlcore.ProbClassifier); ok {
			proba, err := p.PredictProba(X)
			if err != nil {
				return nil, err
			}
			return proba.RawMatrix().Data, nil
		}
		y, err := c.Predict(X)
		out := make([]float64, len(y))
		for i, v := range y {
			out[i] = float64(v)
		}
		return out, err
	}
	return m
}

func (s subject[L]) classifierPredictions(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	c := s.mustFit(t, 0, p.X, s.labels(p), nil).fitted.(mlcore.Classifier)
	if c.NumFeatures() != s.columns() || c.NumClasses() != slices.Max(p.y)+1 {
		t.Errorf("%d features and %d classes, want %d and %d", c.NumFeatures(), c.NumClasses(), s.columns(), slices.Max(p.y)+1)
	}
	y, err := c.Predict(p.queries)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := p.queries.Dims()
	if err := mlcore.CheckLabels(y, n, c.NumClasses()); err != nil {
		t.Errorf("predictions: %v", err)
	}
	// Queries come from the classes in turn; chance is a third, or a half.
	right := 0
	for i, v := range y {
		if v == i%c.NumClasses() {
			right++
		}
	}
	if float64(right) < 0.6*float64(n) {
		t.Errorf("%d of %d queries right: it has learnt nothing", right, n)
	}
	pc, ok := c.(mlcore.ProbClassifier)
	if !ok {
		return
	}
	proba, err := pc.PredictProba(p.queries)
	if err != nil {
		t.Fatal(err)
	}
	if r, k := proba.Dims(); r != n || k != c.NumClasses() {
		t.Fatalf("probabilities are %d×%d, want %d×%d", r, k, n, c.NumClasses())
	}
	for i := range n {
		sum := 0.0
		for _, v := range proba.RawRowView(i) {
			if !(v >= 0 && v <= 1+1e-12) {
				t.Fatalf("probability %v in row %d", v, i)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("probabilities of row %d sum to %v", i, sum)
		}
	}
}

func (s subject[L]) badLabels(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	_, err := s.fit(1, p.X, replaced(s.labels(p), 8, -1), nil)
	checkError(t, "a negative label", err, mlcore.ErrLabel, "row 8")
}

func (s subject[L]) oneClass(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	m, err := s.fit(1, p.X, make([]L, rows), nil)
	if s.NeedsTwoClasses {
		checkError(t, "one class", err, mlcore.ErrOneClass, "")
		return
	}
	if err != nil {
		t.Fatalf("one class: %v", err)
	}
	y, err := m.predict(p.queries)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Max(y) != 0 {
		t.Errorf("trained on class 0 alone, predicts %v", y)
	}
}

// shiftedLabels adds 1 to every label: class 0 has no rows then, and predictions
// move along.
func shiftedLabels(t *testing.T, s subject[int]) {
	p := makeProblem(s.Traits, rows)
	shifted := make([]int, rows)
	for i, v := range p.y {
		shifted[i] = v + 1
	}
	var predictions [2][]int
	for k, y := range [][]int{p.y, shifted} {
		var err error
		if predictions[k], err = s.mustFit(t, 1, p.X, y, nil).predict(p.queries); err != nil {
			t.Fatal(err)
		}
	}
	for i := range predictions[0] {
		if predictions[0][i]+1 != predictions[1][i] {
			t.Fatalf("query %d: class %d, and %d with labels one higher", i, predictions[0][i], predictions[1][i])
		}
	}
}

// classNames fits to a Dataset that names a class that has no rows: the model knows
// it, and answers by name.
func (s subject[L]) classNames(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	ds := s.describe(p.X, s.labels(p), nil)
	if !s.Binary {
		ds.ClassNames = classNames
	}
	m, err := s.train(1, ds)
	if err != nil {
		t.Fatal(err)
	}
	c := m.fitted.(mlcore.Classifier)
	if c.NumClasses() != len(ds.ClassNames) {
		t.Errorf("%d classes, the Dataset names %d", c.NumClasses(), len(ds.ClassNames))
	}
	queries := s.describe(p.queries, nil, nil)
	names, err := mlcore.PredictNames(c, queries)
	if err != nil {
		t.Fatal(err)
	}
	codes, err := mlcore.Predict(c, queries)
	if err != nil {
		t.Fatal(err)
	}
	for i, code := range codes {
		if names[i] != ds.ClassNames[code] {
			t.Fatalf("row %d: class %d by the name of %q, want %q", i, code, names[i], ds.ClassNames[code])
		}
	}
	if p, ok := c.(mlcore.ProbClassifier); ok {
		proba, err := mlcore.PredictProba(p, queries)
		if err != nil {
			t.Fatal(err)
		}
		if _, k := proba.Dims(); k != len(ds.ClassNames) {
			t.Errorf("probabilities of %d classes, the Dataset names %d", k, len(ds.ClassNames))
		}
	}
	ds.Y = nil
	_, err = s.train(1, ds)
	checkError(t, "no labels", err, mlcore.ErrLabel, "no class labels")
}

package mlcoretest

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Classifier runs the battery on a classifier.
func Classifier(t *testing.T, spec ClassifierSpec) {
	s := subject[int]{
		Traits: spec.Traits,
		labels: func(p problem) []int { return p.y },
		fit: func(workers int, X mat.Matrix, y []int, w []float64) (model[int], error) {
			c, err := spec.Learn(workers)(X, y, w)
			if err != nil {
				return model[int]{}, err
			}
			return classifierModel(c), nil
		},
		decode: func(data []byte) (model[int], error) {
			c, err := spec.Decode(data)
			if err != nil {
				return model[int]{}, err
			}
			return classifierModel(c), nil
		},
	}
	s.run(t)
	t.Run("predictions", func(t *testing.T) { classifierPredictions(t, spec) })
	t.Run("bad labels", func(t *testing.T) { badLabels(t, spec) })
	t.Run("one class", func(t *testing.T) { oneClass(t, spec) })
	t.Run("shifted labels", func(t *testing.T) { shiftedLabels(t, spec) })
}

func classifierModel(c mlcore.Classifier) model[int] {
	m := model[int]{fitted: c, predict: c.Predict}
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

func classifierPredictions(t *testing.T, spec ClassifierSpec) {
	p := makeProblem(spec.Traits, rows)
	c, err := spec.Learn(0)(p.X, p.y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.NumFeatures() != columns || c.NumClasses() != slices.Max(p.y)+1 {
		t.Errorf("%d features and %d classes, want %d and %d", c.NumFeatures(), c.NumClasses(), columns, slices.Max(p.y)+1)
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

func badLabels(t *testing.T, spec ClassifierSpec) {
	p := makeProblem(spec.Traits, rows)
	y := slices.Clone(p.y)
	y[8] = -1
	_, err := spec.Learn(1)(p.X, y, nil)
	checkError(t, "a negative label", err, mlcore.ErrLabel, "row 8")
}

func oneClass(t *testing.T, spec ClassifierSpec) {
	p := makeProblem(spec.Traits, rows)
	c, err := spec.Learn(1)(p.X, make([]int, rows), nil)
	if spec.NeedsTwoClasses {
		checkError(t, "one class", err, mlcore.ErrOneClass, "")
		return
	}
	if err != nil {
		t.Fatalf("one class: %v", err)
	}
	y, err := c.Predict(p.queries)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Max(y) != 0 {
		t.Errorf("trained on class 0 alone, predicts %v", y)
	}
}

// shiftedLabels adds 1 to every label: class 0 has no rows then, and predictions
// move along.
func shiftedLabels(t *testing.T, spec ClassifierSpec) {
	if spec.Binary || spec.CountsClasses {
		t.Log("not asked of a classifier of two classes, or that depends on their number")
		return
	}
	p := makeProblem(spec.Traits, rows)
	shifted := make([]int, rows)
	for i, v := range p.y {
		shifted[i] = v + 1
	}
	var predictions [2][]int
	for k, y := range [][]int{p.y, shifted} {
		c, err := spec.Learn(1)(p.X, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if predictions[k], err = c.Predict(p.queries); err != nil {
			t.Fatal(err)
		}
	}
	for i := range predictions[0] {
		if predictions[0][i]+1 != predictions[1][i] {
			t.Fatalf("query %d: class %d, and %d with labels one higher", i, predictions[0][i], predictions[1][i])
		}
	}
}

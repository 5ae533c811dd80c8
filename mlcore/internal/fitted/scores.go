package fitted

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// A Form says what the columns of a classifier's scores are.
type Form int

const (
	OneScore  Form = iota // for the higher of two classes
	Decisions             // one for each of K classes
	Estimates             // one for each of K classes, and their sum is 1
)

// Estimator returns m where it estimates class probabilities. A pipeline, a stack or a
// threshold has a PredictProba whatever model is inside, so that the model inside is
// asked; the error names that one.
func Estimator(m mlcore.Classifier) (mlcore.ProbClassifier, error) {
	if given.IsNil(m) {
		return nil, mlcore.ErrNotFitted
	}
	p, ok := m.(mlcore.ProbClassifier)
	if !ok {
		return nil, fmt.Errorf("%w: a %T does not estimate class probabilities; calibration.Config adds them to any learner of scores", mlcore.ErrConfig, m)
	}
	if inner := inside(m); !given.IsNil(inner) {
		if _, err := Estimator(inner); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// inside returns the model whose answers m hands on, or nil.
func inside(m mlcore.Classifier) mlcore.Classifier {
	switch m := m.(type) {
	case interface{ Model() mlcore.Classifier }: // a pipeline
		return m.Model()
	case interface{ Model() mlcore.ProbClassifier }: // a threshold
		return m.Model()
	case interface{ Final() mlcore.Classifier }: // a stack
		return m.Final()
	}
	return nil
}

// Scores returns the scores that a model has of the rows of X: decision values where it
// has such, else probabilities. A pipeline has those of its model. A stack and a threshold
// have their probabilities, as calibrated models of them were always fitted to; only a stack
// that estimates none has the decision values of its final model. Another may have written
// the model.
func Scores(m mlcore.Classifier, X mat.Matrix) (scores *mat.Dense, form Form, err error) {
	return asked(m, X, false)
}

// Rankings is [Scores] for those who only compare rows: a stack and a threshold have the
// decision values of the model inside where that has some.
func Rankings(m mlcore.Classifier, X mat.Matrix) (scores *mat.Dense, form Form, err error) {
	return asked(m, X, true)
}

func asked(m mlcore.Classifier, X mat.Matrix, ranking bool) (scores *mat.Dense, form Form, err error) {
	defer par.Recover(&err)
	if scores, form, err = scoresOf(m, X, ranking); err != nil {
		return nil, 0, err
	}
	n, _ := X.Dims()
	rows := 0
	if scores != nil {
		rows, _ = scores.Dims()
	}
	if rows != n {
		return nil, 0, fmt.Errorf("%w: a %T has scores for %d of %d rows", mlcore.ErrShape, m, rows, n)
	}
	return scores, form, nil
}

func scoresOf(m mlcore.Classifier, X mat.Matrix, ranking bool) (*mat.Dense, Form, error) {
	switch model := m.(type) {
	case interface { // a pipeline
		TransformRows(X mat.Matrix) (*mat.Dense, error)
		Model() mlcore.Classifier
	}:
		ready, err := model.TransformRows(X)
		if err != nil {
			return nil, 0, err
		}
		return scoresOf(model.Model(), ready, ranking)
	case interface { // a stack
		FinalInputs(X mat.Matrix) (*mat.Dense, error)
		Final() mlcore.Classifier
	}:
		if p, err := Estimator(m); err == nil && !ranking {
			proba, err := p.PredictProba(X)
			return proba, Estimates, err
		}
		inputs, err := model.FinalInputs(X)
		if err != nil {
			return nil, 0, err
		}
		return scoresOf(model.Final(), inputs, ranking)
	case interface { // a threshold
		Threshold() float64
		Model() mlcore.ProbClassifier
	}:
		if p, err := Estimator(m); err == nil && !ranking {
			proba, err := p.PredictProba(X)
			return proba, Estimates, err
		}
		return scoresOf(model.Model(), X, ranking)
	case interface {
		DecisionFunction(X mat.Matrix) (*mat.Dense, error)
	}:
		f, err := model.DecisionFunction(X)
		if err != nil {
			return nil, 0, err
		}
		if _, k := f.Dims(); k == 1 {
			return f, OneScore, nil
		}
		return f, Decisions, nil
	case interface { // a machine for each pair of classes
		Decision(X mat.Matrix) (*mat.Dense, error)
		Pairs() [][2]int
		NumClasses() int
	}:
		f, err := model.Decision(X)
		if err != nil || len(model.Pairs()) == 1 {
			return f, OneScore, err
		}
		return votes(f, model.Pairs(), model.NumClasses()), Decisions, nil
	case interface { // a plane for each class
		Decision(X mat.Matrix) (*mat.Dense, error)
		Heads() []int
		NumClasses() int
	}:
		f, err := model.Decision(X)
		if err != nil || len(model.Heads()) == 1 {
			return f, OneScore, err
		}
		return spread(f, model.Heads(), model.NumClasses()), Decisions, nil
	case mlcore.ProbClassifier:
		p, err := model.PredictProba(X)
		return p, Estimates, err
	}
	return nil, 0, fmt.Errorf("%w: a %T estimates neither probabilities nor decision values that could be calibrated", mlcore.ErrConfig, m)
}

// votes makes scores of classes of the decision values of pairs, as scikit-learn does for
// one-vs-one machines: the number of pairs that a class wins, and less than a third up or
// down by how clearly.
func votes(decisions *mat.Dense, pairs [][2]int, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	out := mat.NewDense(n, classes, nil)
	sure := make([]float64, classes)
	for i := range n {
		clear(sure)
		row := out.RawRowView(i)
		for p, f := range decisions.RawRowView(i) {
			low, high := pairs[p][0], pairs[p][1]
			sure[low] -= f
			sure[high] += f
			if f > 0 {
				row[high]++
			} else {
				row[low]++
			}
		}
		for k, v := range sure {
			row[k] += v / (3 * (math.Abs(v) + 1))
		}
	}
	return out
}

// spread puts column j of the decision values to class heads[j]; the other classes have
// -Inf.
func spread(decisions *mat.Dense, heads []int, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	out := mat.NewDense(n, classes, nil)
	for i := range n {
		row := out.RawRowView(i)
		for k := range row {
			row[k] = math.Inf(-1)
		}
		for j, v := range decisions.RawRowView(i) {
			row[heads[j]] = v
		}
	}
	return out
}

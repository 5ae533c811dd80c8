package calibration

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// columns is how many scores a row has: one for two classes that occur, which speaks for
// the higher, or one for each.
func (m *Classifier) columns() int {
	if len(m.present) == 2 {
		return 1
	}
	return len(m.present)
}

// head is the class that column j of the scores speaks for.
func (m *Classifier) head(j int) int { return m.present[len(m.present)-m.columns()+j] }

// A form says what the columns of a classifier's scores are.
type form int

const (
	oneScore      form = iota // for the higher of two classes
	decisions                 // one for each of K classes
	probabilities             // one for each of K classes, and their sum is 1
)

// asked is scoresOf of a model that another may have written.
func asked(model mlcore.Classifier, X mat.Matrix) (scores *mat.Dense, f form, err error) {
	defer par.Recover(&err)
	if scores, f, err = scoresOf(model, X); err != nil {
		return nil, 0, err
	}
	n, _ := X.Dims()
	rows := 0
	if scores != nil {
		rows, _ = scores.Dims()
	}
	if rows != n {
		return nil, 0, fmt.Errorf("%w: a %T has scores for %d of %d rows", mlcore.ErrShape, model, rows, n)
	}
	return scores, f, nil
}

// scores returns what a classifier says for each class that occurs, n×columns.
func (m *Classifier) scores(model mlcore.Classifier, X mat.Matrix) (*mat.Dense, error) {
	scores, form, err := asked(model, X)
	if err != nil {
		return nil, err
	}
	n, k := scores.Dims()
	last := m.present[len(m.present)-1]
	switch {
	case form == oneScore && len(m.present) == 2:
		return mat.DenseCopyOf(scores), nil
	case form == oneScore:
		return nil, fmt.Errorf("%w: a %T has scores for 2 classes, and rows are of %d; each fold has to train on rows of every class", mlcore.ErrShape, model, len(m.present))
	case k <= last:
		return nil, fmt.Errorf("%w: a %T has scores for %d classes and none for class %d; each fold has to train on rows of every class", mlcore.ErrShape, model, k, last)
	}
	out := mat.NewDense(n, m.columns(), nil)
	for i := range n {
		row, to := scores.RawRowView(i), out.RawRowView(i)
		for j := range to {
			to[j] = row[m.head(j)]
		}
		if len(to) == 1 && form == decisions {
			to[0] -= row[m.present[0]]
		}
	}
	return out, nil
}

// scoresOf returns the scores that a model has.
func scoresOf(model mlcore.Classifier, X mat.Matrix) (*mat.Dense, form, error) {
	switch model := model.(type) {
	case interface { // a pipeline
		TransformRows(X mat.Matrix) (*mat.Dense, error)
		Model() mlcore.Classifier
	}:
		ready, err := model.TransformRows(X)
		if err != nil {
			return nil, 0, err
		}
		return scoresOf(model.Model(), ready)
	case interface {
		DecisionFunction(X mat.Matrix) (*mat.Dense, error)
	}:
		f, err := model.DecisionFunction(X)
		if err != nil {
			return nil, 0, err
		}
		if _, k := f.Dims(); k == 1 {
			return f, oneScore, nil
		}
		return f, decisions, nil
	case interface { // a machine for each pair of classes
		Decision(X mat.Matrix) (*mat.Dense, error)
		Pairs() [][2]int
		NumClasses() int
	}:
		f, err := model.Decision(X)
		if err != nil || len(model.Pairs()) == 1 {
			return f, oneScore, err
		}
		return votes(f, model.Pairs(), model.NumClasses()), decisions, nil
	case interface { // a plane for each class
		Decision(X mat.Matrix) (*mat.Dense, error)
		Heads() []int
		NumClasses() int
	}:
		f, err := model.Decision(X)
		if err != nil || len(model.Heads()) == 1 {
			return f, oneScore, err
		}
		return spread(f, model.Heads(), model.NumClasses()), decisions, nil
	case mlcore.ProbClassifier:
		p, err := model.PredictProba(X)
		return p, probabilities, err
	}
	return nil, 0, fmt.Errorf("%w: a %T estimates neither probabilities nor decision values that could be calibrated", mlcore.ErrConfig, model)
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

package ensemble

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// An addend is a tree as the models of gradient boosting need it.
type addend interface {
	// AddValues adds the predictions for rows lo to hi-1 of X to the same places
	// of dst.
	AddValues(dst []float64, X *mat.Dense, lo, hi int)
}

// boosted is what the models of gradient boosting share: first scores, and trees
// that add to them, that of round r and output k at r·outputs+k.
type boosted[T addend] struct {
	described
	features             int
	levels               []int
	missing              bool
	start                []float64
	trees                []T
	training, validation []float64
	stopped, interrupted bool
}

// NumFeatures is the number of columns that the model was fitted with.
func (m *boosted[T]) NumFeatures() int { return m.features }

// Rounds is the number of rounds that the model kept, 0 for a model that was
// not fitted.
func (m *boosted[T]) Rounds() int { return len(m.trees) / max(1, len(m.start)) }

// TrainingLoss returns the weighted mean loss of the training rows after each
// round that was made, including those that early stopping took back.
func (m *boosted[T]) TrainingLoss() []float64 { return slices.Clone(m.training) }

// ValidationLoss returns the mean loss of the validation rows after each round
// that was made, or nil where there were none.
func (m *boosted[T]) ValidationLoss() []float64 { return slices.Clone(m.validation) }

// Status says whether training ended after all rounds (IterationLimit), because the
// loss of the validation rows no longer fell (EarlyStopped) or because Progress asked
// for the end (Interrupted), and how many rounds were made, including those that
// early stopping took back. TrainingLoss and ValidationLoss hold the losses.
func (m *boosted[T]) Status() mlcore.Status {
	s := mlcore.Status{Outcome: mlcore.IterationLimit, Iterations: len(m.training)}
	if m.stopped {
		s.Outcome = mlcore.EarlyStopped
	}
	if m.interrupted {
		s.Outcome = mlcore.Interrupted
	}
	return s
}

func (m *boosted[T]) check(X mat.Matrix) error {
	if err := checkInput(X, m.features, m.levels, m.missing); err != nil {
		return fmt.Errorf("ensemble: %w", err)
	}
	return nil
}

func (m *boosted[T]) outputs() int { return len(m.start) }

// startScores returns the first scores of n rows, output by output.
func (m *boosted[T]) startScores(n int) []float64 {
	scores := make([]float64, n*m.outputs())
	for k, s := range m.start {
		for i := range n {
			scores[k*n+i] = s
		}
	}
	return scores
}

// add adds the trees of rounds from to to-1 to the scores of the rows of X.
func (m *boosted[T]) add(scores []float64, X *mat.Dense, from, to int) {
	n, _ := X.Dims()
	par.Sure(par.Chunks(n, blockRows(n, 0), 0, func(lo, hi int) error {
		for t := from * m.outputs(); t < to*m.outputs(); t++ {
			k := t % m.outputs()
			m.trees[t].AddValues(scores[k*n:(k+1)*n], X, lo, hi)
		}
		return nil
	}))
}

// scores returns the final scores, output by output.
func (m *boosted[T]) scores(X mat.Matrix) ([]float64, error) {
	if err := m.check(X); err != nil {
		return nil, err
	}
	x := given.Dense(X)
	n, _ := x.Dims()
	s := m.startScores(n)
	m.add(s, x, 0, m.Rounds())
	return s, nil
}

// stages yields the number of rounds, 1 to Rounds, with the scores after them,
// which are good until the next.
func (m *boosted[T]) stages(X mat.Matrix) (iter.Seq2[int, []float64], error) {
	if err := m.check(X); err != nil {
		return nil, err
	}
	x := given.Dense(X)
	n, _ := x.Dims()
	return func(yield func(int, []float64) bool) {
		s := m.startScores(n)
		for r := range m.Rounds() {
			m.add(s, x, r, r+1)
			if !yield(r+1, s) {
				return
			}
		}
	}, nil
}

// boostedRegressor is a boosted model of regression.
type boostedRegressor[T addend] struct{ boosted[T] }

// Predict returns the score of each row of X. [mlcore.Regressor] says what it does
// not check in X.
func (m *boostedRegressor[T]) Predict(X mat.Matrix) ([]float64, error) { return m.scores(X) }

// StagedPredict yields for 1, 2, … rounds what Predict would return after them:
//
//	stages, err := m.StagedPredict(X)
//	for round, y := range stages { … }
func (m *boostedRegressor[T]) StagedPredict(X mat.Matrix) (iter.Seq2[int, []float64], error) {
	return mapStages(&m.boosted, X, slices.Clone)
}

// mapStages yields f of the scores of each stage.
func mapStages[T addend, V any](m *boosted[T], X mat.Matrix, f func([]float64) V) (iter.Seq2[int, V], error) {
	stages, err := m.stages(X)
	if err != nil {
		return nil, err
	}
	return func(yield func(int, V) bool) {
		for round, s := range stages {
			if !yield(round, f(s)) {
				return
			}
		}
	}, nil
}

// boostedClassifier is a boosted model of classification.
type boostedClassifier[T addend] struct {
	boosted[T]
	classes int
}

// NumClasses is K: predictions are in 0..K-1.
func (m *boostedClassifier[T]) NumClasses() int { return m.classes }

// Predict returns for each row of X the most probable class, the lowest on a tie.
// [mlcore.Classifier] says what it does not check in X.
func (m *boostedClassifier[T]) Predict(X mat.Matrix) ([]int, error) {
	s, err := m.scores(X)
	if err != nil {
		return nil, err
	}
	return m.decide(s), nil
}

// PredictProba returns an n×K matrix of class probabilities: the logistic
// function of a single score, the softmax of several.
func (m *boostedClassifier[T]) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	s, err := m.scores(X)
	if err != nil {
		return nil, err
	}
	return m.proba(s), nil
}

// DecisionFunction returns the scores of which PredictProba makes
// probabilities: n×1 log odds of class 1 for two classes, n×K scores otherwise.
func (m *boostedClassifier[T]) DecisionFunction(X mat.Matrix) (*mat.Dense, error) {
	s, err := m.scores(X)
	if err != nil {
		return nil, err
	}
	n := len(s) / m.outputs()
	return mat.DenseCopyOf(mat.NewDense(m.outputs(), n, s).T()), nil
}

// StagedPredict yields for 1, 2, … rounds what Predict would return after them:
//
//	stages, err := m.StagedPredict(X)
//	for round, y := range stages { … }
func (m *boostedClassifier[T]) StagedPredict(X mat.Matrix) (iter.Seq2[int, []int], error) {
	return mapStages(&m.boosted, X, m.decide)
}

// StagedPredictProba yields for 1, 2, … rounds what PredictProba would return
// after them.
func (m *boostedClassifier[T]) StagedPredictProba(X mat.Matrix) (iter.Seq2[int, *mat.Dense], error) {
	return mapStages(&m.boosted, X, m.proba)
}

func (m *boostedClassifier[T]) decide(scores []float64) []int {
	n := len(scores) / m.outputs()
	best := make([]int, n)
	if m.outputs() == 1 {
		for i, s := range scores {
			if m.classes == 2 && s > 0 {
				best[i] = 1
			}
		}
		return best
	}
	for i := range best {
		for k := range m.outputs() {
			if scores[k*n+i] > scores[best[i]*n+i] {
				best[i] = k
			}
		}
	}
	return best
}

func (m *boostedClassifier[T]) proba(scores []float64) *mat.Dense {
	n := len(scores) / m.outputs()
	p := mat.NewDense(n, m.classes, nil)
	for i := range n {
		row := p.RawRowView(i)
		switch {
		case m.classes == 1:
			row[0] = 1
		case m.outputs() == 1:
			e := expOf(-math.Abs(scores[i]))
			row[0], row[1] = 1/(1+e), e/(1+e)
			if scores[i] > 0 {
				row[0], row[1] = row[1], row[0]
			}
		default:
			for k := range row {
				row[k] = scores[k*n+i]
			}
			kernel.Softmax(kernel.Matrix{Data: row, Rows: 1, Cols: len(row)})
		}
	}
	return p
}

// expOf is e^x, the same on every processor.
func expOf(x float64) float64 {
	e := [1]float64{x}
	kernel.Exp(e[:])
	return e[0]
}

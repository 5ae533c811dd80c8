package neighbors

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// A Classifier predicts the class that most of the nearest training rows have.
// It is immutable and safe for concurrent use.
type Classifier struct {
	described
	near    *neighbourhood
	labels  []int // of the rows kept
	classes int
}

type described = fitted.Model

// FitClassifier keeps the rows and class labels of a Dataset, and its sample weights.
// Its columns are numeric; [Hamming] and a [MetricFunc] take categorical ones too. More
// neighbours than rows are an error that wraps [mlcore.ErrConfig]. The model carries
// the names of columns and classes.
func (c Config) FitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	return fitted.Classifier(ds, c.takes(), c.fitClassifier)
}

func (c Config) fitClassifier(ds *mlcore.Dataset) (*Classifier, error) {
	if c.LocalLinear {
		return nil, fmt.Errorf("neighbors: %w: LocalLinear is for regression", mlcore.ErrConfig)
	}
	near, err := c.fit(ds)
	if err != nil {
		return nil, err
	}
	m := &Classifier{near: near, classes: ds.NumClasses(), labels: make([]int, len(near.rows))}
	for i, r := range near.rows {
		m.labels[i] = ds.Y[r]
	}
	return m, nil
}

// NumFeatures is the number of columns that Predict expects.
func (m *Classifier) NumFeatures() int { return m.near.features() }

// NumClasses is the number of classes.
func (m *Classifier) NumClasses() int { return m.classes }

// Predict returns the class of each row of X with the largest vote among its K
// neighbours, the lowest class on a tie. [mlcore.Classifier] says what it does
// not check in X.
func (m *Classifier) Predict(X mat.Matrix) ([]int, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	n, _ := X.Dims()
	y := make([]int, n)
	err := m.near.queries(X, m.near.cfg.k(), func(i int, _ []float64, near []candidate, s *scratch) error {
		y[i] = kernel.ArgMax(m.vote(near, s))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return y, nil
}

// PredictProba returns an n×K matrix of each class's share of the vote.
func (m *Classifier) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	n, _ := X.Dims()
	if n == 0 {
		return nil, fmt.Errorf("neighbors: %w: X has no rows", mlcore.ErrEmpty)
	}
	proba := mat.NewDense(n, m.classes, nil)
	err := m.near.queries(X, m.near.cfg.k(), func(i int, _ []float64, near []candidate, s *scratch) error {
		votes := m.vote(near, s)
		sum := 0.0
		for _, v := range votes {
			sum += v
		}
		for c, v := range votes {
			proba.Set(i, c, v/sum)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return proba, nil
}

// Neighbors returns the k training rows nearest to each row of X, nearest
// first: their indices in the X that the model was fitted to, and an n×k matrix
// of their distances. k need not be the model's K.
func (m *Classifier) Neighbors(X mat.Matrix, k int) (indices [][]int, distances *mat.Dense, err error) {
	return m.near.neighbors(X, k)
}

func (m *Classifier) vote(near []candidate, s *scratch) []float64 {
	if s.votes == nil {
		s.votes = make([]float64, m.classes)
	}
	clear(s.votes)
	for j, w := range m.near.votes(near, s) {
		s.votes[m.labels[near[j].row]] += w
	}
	return s.votes
}

package neighbors

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"gonum.org/v1/gonum/mat"
)

// A Regressor predicts from the targets of the nearest training rows: their
// weighted mean, or the line fitted to them. It is immutable and safe for
// concurrent use.
type Regressor struct {
	described
	near    *neighbourhood
	targets []float64 // of the rows kept
}

// TrainRegressor keeps the rows and targets of a Dataset, and its sample weights; see
// [Config.TrainClassifier].
func (c Config) TrainRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	return fitted.Regressor(ds, c.takes(), c.FitRegressor)
}

// FitRegressor is the low-level form of TrainRegressor: it keeps X (n×d), targets y
// and optional sample weights w. All must be finite. More neighbours than rows are
// an error that wraps [mlcore.ErrConfig].
func (c Config) FitRegressor(X mat.Matrix, y, w []float64) (*Regressor, error) {
	near, err := c.fit(X, w)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	m := &Regressor{near: near, targets: make([]float64, len(near.rows))}
	for i, r := range near.rows {
		m.targets[i] = y[r]
	}
	return m, nil
}

// NumFeatures is the number of columns that Predict expects.
func (m *Regressor) NumFeatures() int { return m.near.features() }

// Predict returns the prediction for each row of X.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	n, _ := X.Dims()
	y := make([]float64, n)
	err := m.near.queries(X, m.near.cfg.k(), func(i int, q []float64, near []candidate, s *scratch) error {
		w := m.near.votes(near, s)
		var sum, total float64
		for j, c := range near {
			sum += float64(w[j] * m.targets[c.row])
			total += w[j]
		}
		y[i] = sum / total
		if m.near.cfg.LocalLinear {
			y[i] += m.slope(q, near, w, total, y[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return y, nil
}

// Neighbors returns the k training rows nearest to each row of X, nearest
// first: their indices in the X that the model was fitted to, and an n×k matrix
// of their distances. k need not be the model's K.
func (m *Regressor) Neighbors(X mat.Matrix, k int) (indices [][]int, distances *mat.Dense, err error) {
	return m.near.neighbors(X, k)
}

// slope returns how far the weighted least-squares plane through the neighbours
// is, at q, from their weighted mean target. With x and y centred on their
// weighted means, the plane's slope solves √w x b = √w y; where that leaves
// directions free, the shortest b is taken, from the singular value
// decomposition.
func (m *Regressor) slope(q []float64, near []candidate, w []float64, total, mean float64) float64 {
	d, k := m.near.d, len(near)
	centre := make([]float64, d)
	for j, c := range near {
		for f := range centre {
			centre[f] += float64(w[j] / total * m.near.at(c.row, f))
		}
	}
	a := mat.NewDense(k, d, nil)
	b := mat.NewDense(k, 1, nil)
	for j, c := range near {
		root := math.Sqrt(w[j])
		for f := range centre {
			a.Set(j, f, root*(m.near.at(c.row, f)-centre[f]))
		}
		b.Set(j, 0, root*(m.targets[c.row]-mean))
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return 0
	}
	// The usual tolerance of a numerical rank (Golub & Van Loan, 5.4.1).
	rank := svd.Rank(float64(max(k, d)) * 0x1p-52)
	if rank == 0 {
		return 0
	}
	var beta mat.Dense
	svd.SolveTo(&beta, b, rank)
	sum := 0.0
	for f := range centre {
		sum += float64((q[f] - centre[f]) * beta.At(f, 0))
	}
	return sum
}

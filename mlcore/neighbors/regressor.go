package neighbors

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
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

// FitRegressor keeps the rows and targets of a Dataset, and its sample weights;
// otherwise it is like [Config.FitClassifier].
func (c Config) FitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	return fitted.Regressor(ds, c.takes(), c.fitRegressor)
}

func (c Config) fitRegressor(ds *mlcore.Dataset) (*Regressor, error) {
	near, err := c.fit(ds)
	if err != nil {
		return nil, err
	}
	m := &Regressor{near: near, targets: make([]float64, len(near.rows))}
	for i, r := range near.rows {
		m.targets[i] = ds.Target[r]
	}
	return m, nil
}

// NumFeatures is the number of columns that Predict expects.
func (m *Regressor) NumFeatures() int { return m.near.features() }

// Predict returns the prediction for each row of X. [mlcore.Regressor] says what
// it does not check in X.
func (m *Regressor) Predict(X mat.Matrix) ([]float64, error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	n, _ := X.Dims()
	y := make([]float64, n)
	err := m.near.queries(X, m.near.cfg.k(), func(i int, q []float64, near []candidate, s *scratch) error {
		w := m.near.votes(near, s)
		mean, total := m.mean(near, w)
		y[i] = mean
		if m.near.cfg.LocalLinear {
			y[i] += m.slope(q, near, w, total, mean)
		}
		if y[i]-y[i] != 0 {
			return fmt.Errorf("neighbors: %w: the prediction of row %d overflows", mlcore.ErrNonFinite, i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return y, nil
}

// mean returns the mean target of neighbours by their weights w, and the sum of these. Where
// products leave the range, or may have lost digits below it, w is divided by its unit.
func (m *Regressor) mean(near []candidate, w []float64) (mean, total float64) {
	sum := 0.0
	for j, c := range near {
		sum += float64(w[j] * m.targets[c.row])
		total += w[j]
	}
	const least = 0x1p-900
	if mean = sum / total; mean-mean == 0 && math.Abs(sum) > least && total > least {
		return mean, total
	}
	greatest := 0.0
	for _, c := range near {
		greatest = max(greatest, math.Abs(m.targets[c.row]))
	}
	unit, target := factor.Unit(w), factor.UnitOf(greatest)
	sum, total = 0, 0
	for j, c := range near {
		w[j] /= unit
		sum += float64(w[j] * (m.targets[c.row] / target))
		total += w[j]
	}
	return float64(sum/total) * target, total
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
//
// Coordinates are taken relative to the nearest row. Their differences are exact
// to their own size, so what rounding leaves where the neighbours do not differ is
// small beside their spread, however far they are from 0.
func (m *Regressor) slope(q []float64, near []candidate, w []float64, total, mean float64) float64 {
	d, k := m.near.d, len(near)
	a, centre := make([]float64, k*d), make([]float64, d)
	for j, c := range near {
		row := a[j*d : (j+1)*d]
		for f := range row {
			row[f] = m.near.at(c.row, f) - m.near.at(near[0].row, f)
			centre[f] += float64(w[j] / total * row[f])
		}
	}
	for j := range near {
		root := math.Sqrt(w[j])
		row := a[j*d : (j+1)*d]
		for f := range row {
			row[f] = float64(root * (row[f] - centre[f]))
		}
	}
	unit := factor.Unit(a)
	for i := range a {
		a[i] /= unit
	}
	sum, least := 0.0, 0.0
	// k centred rows span at most k-1 directions.
	for i, dir := range factor.Thin(a, k, d)[:min(k-1, d)] {
		// The usual tolerance of a numerical rank (Golub & Van Loan, 5.4.1).
		if i == 0 {
			least = float64(max(k, d)) * 0x1p-52 * dir.Value
		}
		if dir.Value <= least {
			break
		}
		along, away := 0.0, 0.0
		for j, c := range near {
			along += float64(dir.Image[j] * float64(math.Sqrt(w[j])*(m.targets[c.row]-mean)))
		}
		for f := range centre {
			away += float64((q[f] - m.near.at(near[0].row, f) - centre[f]) / unit * dir.Right[f])
		}
		sum += float64(along / dir.Value * (away / dir.Value))
	}
	return sum
}

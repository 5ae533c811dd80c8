package neighbors

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// An Index finds the training rows that are near to others, and predicts nothing. It is
// immutable and safe for concurrent use.
type Index struct {
	described
	near *neighbourhood
}

// Fit keeps the rows of a Dataset to be searched, whatever its labels; those of weight 0
// are left out, and other weights do not count. Weights, Bandwidth and LocalLinear, which
// are about predictions, must not be set.
func (c Config) Fit(ds *mlcore.Dataset) (*Index, error) {
	if c.Weights != Uniform || c.Bandwidth != 0 || c.LocalLinear {
		return nil, fmt.Errorf("neighbors: %w: Weights, Bandwidth and LocalLinear do not go with an Index, which predicts nothing", mlcore.ErrConfig)
	}
	return fitted.Unlabelled(ds, c.takes(), func(ds *mlcore.Dataset) (*Index, error) {
		near, err := c.fit(ds)
		if err != nil {
			return nil, err
		}
		near.weights = nil
		return &Index{near: near}, nil
	})
}

// NumFeatures is the number of columns of the rows.
func (m *Index) NumFeatures() int { return m.near.features() }

// Len is the number of rows that are searched.
func (m *Index) Len() int {
	if m.near == nil {
		return 0
	}
	return len(m.near.rows)
}

// Rows returns which of the rows that it was fitted to are searched, ascending: all but
// those of weight 0. It is nil of an Index that is not fitted.
func (m *Index) Rows() []int {
	if m.near == nil {
		return nil
	}
	rows := make([]int, len(m.near.rows))
	for i, row := range m.near.rows {
		rows[i] = int(row)
	}
	return rows
}

// Neighbors returns the k rows nearest to each row of X, nearest first: their indices in
// the X that the Index was fitted to, and an n×k matrix of their distances. A k of 0
// means Neighbors of the configuration.
func (m *Index) Neighbors(X mat.Matrix, k int) (indices [][]int, distances *mat.Dense, err error) {
	if k == 0 && m.near != nil {
		k = m.near.cfg.k()
	}
	return m.near.neighbors(X, k)
}

// Within returns for each row of X the rows that are no farther than radius from it, by
// their indices in the X that the Index was fitted to, ascending, and their distances.
func (m *Index) Within(X mat.Matrix, radius float64) (indices [][]int, distances [][]float64, err error) {
	n, err := m.checkWithin(X, radius)
	if err != nil {
		return nil, nil, err
	}
	indices, distances = make([][]int, n), make([][]float64, n)
	err = m.within(X, radius, false, func(i, found int) func(row int, dist float64) {
		if found > 0 {
			indices[i], distances[i] = make([]int, 0, found), make([]float64, 0, found)
		}
		return func(row int, dist float64) {
			indices[i], distances[i] = append(indices[i], row), append(distances[i], dist)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return indices, distances, nil
}

// RowsWithin returns the indices of [Index.Within] alone, in half the bytes. By Euclidean
// distance, squared or not, without FeatureWeights it is also faster where many rows are within
// the radius: of those that lie in a box of the search tree within it no distance is found.
func (m *Index) RowsWithin(X mat.Matrix, radius float64) ([][]int32, error) {
	n, err := m.checkWithin(X, radius)
	if err != nil {
		return nil, err
	}
	indices := make([][]int32, n)
	err = m.within(X, radius, true, func(i, found int) func(row int, dist float64) {
		if found > 0 {
			indices[i] = make([]int32, 0, found)
		}
		return func(row int, _ float64) { indices[i] = append(indices[i], int32(row)) }
	})
	if err != nil {
		return nil, err
	}
	return indices, nil
}

// checkWithin validates what Within gets, and returns the number of rows of X.
func (m *Index) checkWithin(X mat.Matrix, radius float64) (n int, err error) {
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return 0, fmt.Errorf("neighbors: %w", err)
	}
	if !(radius >= 0) {
		return 0, fmt.Errorf("neighbors: %w: the radius is %v; it is not negative", mlcore.ErrConfig, radius)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return 0, fmt.Errorf("neighbors: %w", err)
	}
	n, _ = X.Dims()
	return n, nil
}

// within finds the rows within the radius of each row of X. begin is called with a row of X
// and about how many are found, and what it returns with each of them, ascending, and its
// distance, which means nothing if rowsAlone.
func (m *Index) within(X mat.Matrix, radius float64, rowsAlone bool, begin func(i, found int) func(row int, dist float64)) error {
	n, _ := X.Dims()
	h := m.near
	reach, sure := h.space.reach(radius), 0.0
	if rowsAlone && radius >= 0x1p-1000 && reach > leastReduced && reach <= math.MaxFloat64 {
		sure = reach * (1 - 1e-8) // below what rounding can do
	}
	makeScratch := func() *scratch {
		return &scratch{row: make([]float64, h.d), placed: make([]float64, h.d)}
	}
	const chunk = 32
	return par.DoWith((n+chunk-1)/chunk, h.cfg.Workers, makeScratch, func(s *scratch, c int) error {
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			s.best.reset(everyRow)
			s.best.reach, s.best.sure = reach, sure
			q := mat.Row(s.row, i, X)
			h.index.search(h.space.place(q, s.placed), &s.best, s)
			if s.wrong != nil {
				return fmt.Errorf("neighbors: row %d of X: %w", i, s.wrong)
			}
			near := s.inOrder(len(h.rows))
			take := begin(i, len(near))
			for _, c := range near {
				if c.dist == isSure {
					take(int(h.rows[c.row]), c.dist)
					continue
				}
				dist := h.space.finish(c.dist)
				if row := h.row(c.row); h.space.lost(c.dist, q, row) {
					dist = h.space.distance(q, row, s.placed)
				}
				if dist <= radius {
					take(int(h.rows[c.row]), dist)
				}
			}
		}
		return nil
	})
}

// inOrder returns the candidates by their rows, of which there are n.
func (s *scratch) inOrder(n int) []candidate {
	near := s.best.heap
	// To sort takes some steps for each candidate, to mark their rows one step for each and
	// one for 64 rows.
	const steps = 4
	if len(near)*steps < n/64 {
		slices.SortFunc(near, func(a, b candidate) int { return cmp.Compare(a.row, b.row) })
		return near
	}
	if len(s.byRow) < n {
		s.byRow, s.marks = make([]float64, n), make([]uint64, n/64+1)
	}
	for _, c := range near {
		s.byRow[c.row] = c.dist
		s.marks[c.row/64] |= 1 << (c.row % 64)
	}
	near = near[:0]
	for at, word := range s.marks {
		for ; word != 0; word &= word - 1 {
			row := at*64 + bits.TrailingZeros64(word)
			near = append(near, candidate{s.byRow[row], int32(row)})
		}
		s.marks[at] = 0
	}
	return near
}

// reach returns a reduced distance that is no less than that of any row whose distance is
// within the radius, nor than those that may be out of range.
func (s *space) reach(radius float64) float64 {
	r := (radius + 0x1p-1074) / s.unit // the distance may have been rounded to the radius, if that is subnormal
	switch s.kind {
	case euclidean, mahalanobis:
		r *= r
	case squaredEuclidean:
		r /= s.unit
	case minkowski:
		r = elementary.Pow(r, s.p)
	case hamming:
		r *= s.total
	}
	// Above what rounding can do; packed rows have whole numbers of 64 bits.
	r = math.Nextafter(float64(r*(1+1e-9)), math.Inf(1))
	if r > 1<<50 {
		return math.Inf(1)
	}
	return max(r, leastReduced)
}

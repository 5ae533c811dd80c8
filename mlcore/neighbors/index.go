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
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
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
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return nil, nil, fmt.Errorf("neighbors: %w", err)
	}
	if !(radius >= 0) {
		return nil, nil, fmt.Errorf("neighbors: %w: the radius is %v; it is not negative", mlcore.ErrConfig, radius)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, nil, fmt.Errorf("neighbors: %w", err)
	}
	n, _ := X.Dims()
	indices, distances = make([][]int, n), make([][]float64, n)
	h := m.near
	reach := h.space.reach(radius)
	makeScratch := func() *scratch {
		return &scratch{row: make([]float64, h.d), placed: make([]float64, h.d)}
	}
	const chunk = 32
	err = par.DoWith((n+chunk-1)/chunk, h.cfg.Workers, makeScratch, func(s *scratch, c int) error {
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			s.best.reset(everyRow)
			s.best.reach = reach
			q := mat.Row(s.row, i, X)
			h.index.search(h.space.place(q, s.placed), &s.best, s)
			if s.wrong != nil {
				return fmt.Errorf("neighbors: row %d of X: %w", i, s.wrong)
			}
			near := s.inOrder(len(h.rows))
			if len(near) > 0 {
				indices[i], distances[i] = make([]int, 0, len(near)), make([]float64, 0, len(near))
			}
			for _, c := range near {
				dist := h.space.finish(c.dist)
				if row := h.row(c.row); h.space.lost(c.dist, q, row) {
					dist = h.space.distance(q, row, s.placed)
				}
				if dist <= radius {
					indices[i] = append(indices[i], int(h.rows[c.row]))
					distances[i] = append(distances[i], dist)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return indices, distances, nil
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
	r := radius / s.unit
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

// Pairwise returns the distances of all pairs of the n rows of X, an n×n matrix. One that is
// negative or not finite is an error that wraps [mlcore.ErrNonFinite]. workers is the greatest
// number of goroutines; 0 means one per processor.
func Pairwise(X mat.Matrix, metric Metric, workers int) (*mat.SymDense, error) {
	h, err := rowsOf(X, metric)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	data := h.placedData()
	out := mat.NewSymDense(n, nil)
	if h.space.sumsSquares() && d > 0 {
		if ok := h.pairwiseSquares(out, data, workers); ok {
			return out, nil
		}
		// Some pair has to be looked at more closely.
	}
	plain := h.space.unit == 1 && (h.space.kind == manhattan || h.space.kind == chebyshev) // nothing is left to do
	room := func() []float64 { return make([]float64, d) }
	err = par.DoWith(n, workers, room, func(room []float64, i int) error {
		to, placed := out.RawSymmetric().Data[i*n:][:n], data[i*d:][:d]
		for j := i + 1; j < n; j++ {
			reduced := h.space.reduced(placed, data[j*d:][:d], math.Inf(1))
			if plain && reduced >= leastReduced && reduced <= math.MaxFloat64 {
				to[j] = reduced
				continue
			}
			dist := h.apart(i, j, reduced, room)
			if err := h.checkDistance(i, j, dist); err != nil {
				return err
			}
			to[j] = dist
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// rowsOf returns the rows of X, whose distances are to be found, without anything to search
// them by.
func rowsOf(X mat.Matrix, metric Metric) (*neighbourhood, error) {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("neighbors: %w", err)
	}
	n, d := X.Dims()
	if err := metric.check(d); err != nil {
		return nil, err
	}
	h := &neighbourhood{cfg: Config{Metric: metric}, d: d, space: newSpace(metric, nil, d), data: make([]float64, 0, n*d)}
	read := given.Rows(X)
	for i := range n {
		h.data = append(h.data, read(i)...)
	}
	h.space.scale(h.data, d)
	return h, nil
}

// apart is the distance of rows i and j, given the reduced one.
func (h *neighbourhood) apart(i, j int, reduced float64, room []float64) float64 {
	p, q := h.row(int32(i)), h.row(int32(j))
	if h.space.lost(reduced, p, q) {
		return h.space.distance(p, q, room)
	}
	return h.space.finish(reduced)
}

// checkDistance returns an error if the distance of rows i and j is negative or not finite.
func (h *neighbourhood) checkDistance(i, j int, dist float64) error {
	if dist >= 0 && dist <= math.MaxFloat64 {
		return nil
	}
	return fmt.Errorf("neighbors: %w: the %v distance of rows %d and %d is %v; distances are finite and not negative", mlcore.ErrNonFinite, h.space.Metric, i, j, dist)
}

// pairwiseSquares sets the distances above the diagonal of those metrics whose reduced
// distances are sums of squares. It reports false where one of them is out of range.
//
// Many rows at a time are several times as fast as pairs. A sum has four strands as that of
// kernel.SquaredDistance has, for the same digits: the columns from a place on, each fourth
// one, and to the first strand those that are left over.
func (h *neighbourhood) pairwiseSquares(out *mat.SymDense, data []float64, workers int) bool {
	n, d := len(data)/h.d, h.d
	width := max(8, min(128, 1<<14/d/8*8)) // of tiles that stay in a processor's cache
	order, strands := strandOrder(d)
	rows := make([]float64, len(data)) // the columns of each strand side by side
	for i := range n {
		for at, j := range order {
			rows[i*d+at] = data[i*d+j]
		}
	}
	type room struct{ tile, sums []float64 }
	newRoom := func() *room { return &room{make([]float64, d*width), make([]float64, 4*width)} }
	tiles := (n + width - 1) / width
	err := par.DoWith(tiles, workers, newRoom, func(r *room, at int) error {
		first := (tiles - 1 - at) * width // the one with the most pairs first
		size := min(width, n-first)
		tile := r.tile[:d*size]
		for t := range size {
			for j, v := range rows[(first+t)*d:][:d] {
				tile[j*size+t] = v
			}
		}
		s0, s1, s2, s3 := r.sums[:size], r.sums[width:][:size], r.sums[2*width:][:size], r.sums[3*width:][:size]
		for i := range first + size {
			x := rows[i*d:][:d]
			for s, sums := range [][]float64{s0, s1, s2, s3} {
				lo, hi := strands[s], strands[s+1]
				kernel.SquaredDistances(sums, x[lo:hi], kernel.Matrix{Data: tile[lo*size : hi*size], Rows: hi - lo, Cols: size}, 0)
			}
			from := max(0, i+1-first)
			to := out.RawSymmetric().Data[i*n+first:][:size]
			for t := from; t < size; t++ {
				reduced := (s0[t] + s1[t]) + (s2[t] + s3[t])
				if !(reduced >= leastReduced && reduced <= math.MaxFloat64) && (reduced != 0 || h.space.differ(h.row(int32(i)), h.row(int32(first+t)))) {
					return mlcore.ErrNonFinite
				}
				to[t] = reduced
			}
			if h.space.kind != squaredEuclidean && h.space.unit == 1 {
				for t := from; t < size; t++ {
					to[t] = math.Sqrt(to[t])
				}
				continue
			}
			for t := from; t < size; t++ {
				if to[t] = h.space.finish(to[t]); math.IsInf(to[t], 1) {
					return mlcore.ErrNonFinite
				}
			}
		}
		return nil
	})
	return err == nil
}

// strandOrder returns the columns in the order of their strands, and where each begins.
func strandOrder(d int) (order []int, strands [5]int) {
	whole := d / 4 * 4
	for s := range 4 {
		strands[s] = len(order)
		for j := s; j < whole; j += 4 {
			order = append(order, j)
		}
		for j := whole; s == 0 && j < d; j++ {
			order = append(order, j)
		}
	}
	strands[4] = len(order)
	return order, strands
}

package neighbors

import (
	"errors"
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

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
	if d > 0 && h.space.measure() != nil {
		switch err := h.pairwiseTiles(out, data, workers); {
		case err == nil:
			return out, nil
		case !errors.Is(err, mlcore.ErrNonFinite):
			return nil, err
		}
		// Some pair has to be looked at more closely.
	}
	room := func() []float64 { return make([]float64, d) }
	err = par.DoWith(n, workers, room, func(room []float64, i int) error {
		to, placed := out.RawSymmetric().Data[i*n:][:n], data[i*d:][:d]
		for j := i + 1; j < n; j++ {
			dist := h.apart(i, j, h.space.reduced(placed, data[j*d:][:d], math.Inf(1)), room)
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

// pairwiseTiles sets the distances above the diagonal of the metrics of which there are
// kernels. It returns [mlcore.ErrNonFinite] where one of them is out of range.
//
// Many rows at a time are several times as fast as pairs. A distance is made of four strands as
// that of one pair is, for the same digits: the columns from a place on, each fourth one, and to
// the first strand those that are left over.
func (h *neighbourhood) pairwiseTiles(out *mat.SymDense, data []float64, workers int) error {
	const block = 32 // rows that go past a strand of a tile while it is in the nearest cache
	n, d := len(data)/h.d, h.d
	width := max(16, min(128, 12288/d/16*16)) // of tiles a strand of which fits there
	order, strands := strandOrder(d)
	rows := make([]float64, len(data)) // the columns of each strand side by side
	for i := range n {
		for at, j := range order {
			rows[i*d+at] = data[i*d+j]
		}
	}
	measure := h.space.measure()
	type room struct {
		tile []float64
		sums [4][]float64 // of each strand
	}
	newRoom := func() *room {
		r := &room{tile: make([]float64, d*width)}
		for s := range r.sums {
			r.sums[s] = make([]float64, block*width)
		}
		return r
	}
	tiles := (n + width - 1) / width
	return par.DoWith(tiles, workers, newRoom, func(r *room, at int) error {
		first := (tiles - 1 - at) * width // the one with the most pairs first
		size := min(width, n-first)
		tile := r.tile[:d*size]
		for t := range size {
			for j, v := range rows[(first+t)*d:][:d] {
				tile[j*size+t] = v
			}
		}
		for lo := 0; lo < first+size; lo += block {
			hi := min(lo+block, first+size)
			for s, sums := range r.sums {
				from, to := strands[s], strands[s+1]
				points := kernel.Matrix{Data: tile[from*size : to*size], Rows: to - from, Cols: size}
				for i := lo; i < hi; i++ {
					measure(sums[(i-lo)*size:][:size], rows[i*d+from:i*d+to], points, 0)
				}
			}
			for i := lo; i < hi; i++ {
				skip := max(0, i+1-first)
				to := out.RawSymmetric().Data[i*n+first:][skip:size]
				var sums [4][]float64
				for s := range sums {
					sums[s] = r.sums[s][(i-lo)*size:][skip:size]
				}
				h.space.joinStrands(to, &sums)
				for t, reduced := range to {
					if !(reduced >= leastReduced && reduced <= math.MaxFloat64) && (reduced != 0 || h.space.differ(h.row(int32(i)), h.row(int32(first+skip+t)))) {
						return mlcore.ErrNonFinite
					}
				}
				if !h.space.finishAll(to) {
					return mlcore.ErrNonFinite
				}
			}
		}
		return nil
	})
}

// measure is the kernel that finds strands of reduced distances, nil where there is none.
//
// In another unit than 1 a huge coordinate is infinite, and where two are, their difference is
// NaN. Sums keep it, which shows that the pair has to be looked at more closely; the kernel of
// the greatest may lose it, and the greater differences with it.
func (s *space) measure() func(dst, x []float64, points kernel.Matrix, first int) {
	switch {
	case s.sumsSquares():
		return kernel.SquaredDistances
	case s.kind == manhattan && s.weights == nil:
		return kernel.ManhattanDistances
	case s.kind == chebyshev && s.weights == nil && s.unit == 1:
		return kernel.ChebyshevDistances
	}
	return nil
}

// joinStrands sets reduced distances, given what their strands come to, in which they may lie.
func (s *space) joinStrands(reduced []float64, strands *[4][]float64) {
	s0, s1, s2, s3 := strands[0][:len(reduced)], strands[1][:len(reduced)], strands[2][:len(reduced)], strands[3][:len(reduced)]
	if s.kind == chebyshev {
		for t := range reduced {
			reduced[t] = max(s0[t], s1[t], s2[t], s3[t])
		}
		return
	}
	for t := range reduced {
		reduced[t] = (s0[t] + s1[t]) + (s2[t] + s3[t])
	}
}

// finishAll turns reduced distances of the metrics that have a kernel into distances. It reports
// false where one of them is not finite.
func (s *space) finishAll(r []float64) bool {
	switch {
	case s.unit == 1 && (s.kind == euclidean || s.kind == mahalanobis):
		for t, v := range r {
			r[t] = math.Sqrt(v)
		}
	case s.unit != 1:
		for t, v := range r {
			if r[t] = s.finish(v); math.IsInf(r[t], 1) {
				return false
			}
		}
	}
	return true
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

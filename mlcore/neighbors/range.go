package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
)

// A unit that suits the rows on the whole does not suit all pairs of rows: beside one
// row that is far away, the powers of the differences of the others may vanish, and those
// of a query that is far from all rows may overflow. Reduced distances below leastReduced
// have lost digits to that, or all of them.
const leastReduced = 0x1p-960

// outOfRange reports whether any of the reduced distances of the rows found nearest to
// query q is too large or too small to tell rows apart.
func (h *neighbourhood) outOfRange(q []float64, near []candidate) bool {
	for _, c := range near {
		if h.space.lost(c.dist, q, h.row(c.row)) {
			return true
		}
	}
	return false
}

// lost reports whether the reduced distance of two rows is out of range.
func (s *space) lost(reduced float64, a, b []float64) bool {
	switch {
	case s.kind == hamming || s.kind == function:
		return false
	case reduced >= leastReduced && reduced <= math.MaxFloat64:
		return false
	}
	return reduced != 0 || s.differ(a, b)
}

// differ reports whether rows differ in a column that counts, so that their distance is
// not 0. What a function makes of rows is its own affair.
func (s *space) differ(a, b []float64) bool {
	if s.kind == function {
		return false
	}
	for j, v := range a {
		if v != b[j] && (s.weights == nil || s.weights[j] > 0) {
			return true
		}
	}
	return false
}

// inRange finds the k rows nearest to query q with a unit for each pair of rows.
func (h *neighbourhood) inRange(q []float64, k int, s *scratch) []candidate {
	s.best.reset(k)
	for row := range h.rows {
		s.best.offer(h.space.distance(q, h.row(int32(row)), s.placed), int32(row))
	}
	return s.best.sorted()
}

// distance is the distance between rows as they came, whatever the size of their
// differences, for which it needs room.
func (s *space) distance(a, b, diff []float64) float64 {
	for j, v := range a {
		diff[j] = float64(v/2) - float64(b[j]/2) // halves cannot overflow
		if s.weights != nil && s.weights[j] == 0 {
			diff[j] = 0
		}
	}
	unit := reduce(diff) * 2
	if s.kind == mahalanobis {
		for i := len(diff) - 1; i >= 0; i-- { // what is overwritten is not read again
			sum := 0.0
			for j, v := range diff[:i+1] {
				sum += float64(s.whiten[i*s.size+j] * v)
			}
			diff[i] = sum
		}
		unit *= reduce(diff)
	}
	sum := 0.0
	for j, v := range diff {
		if part := s.part(math.Abs(v), j); s.kind == chebyshev {
			sum = max(sum, part)
		} else {
			sum += part
		}
	}
	switch s.kind {
	case euclidean, mahalanobis:
		sum = math.Sqrt(sum)
	case squaredEuclidean:
		sum *= unit
	case minkowski:
		sum = elementary.Pow(sum, 1/s.p)
	}
	return sum * unit
}

// reduce divides numbers by their [factor.Unit], and returns it.
func reduce(v []float64) float64 {
	unit := factor.Unit(v)
	for j := range v {
		v[j] /= unit
	}
	return unit
}

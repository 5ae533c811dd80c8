package cart

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A Sample is the training rows as the growing of one tree sees them.
type Sample struct {
	Rows    []int32   // rows of positive weight
	Samples int       // how many they are, copies included
	Scale   float64   // what a weight of 1 stands for
	Total   float64   // Σ W over Rows
	W       []float64 // by row; nil: all 1
	copies  []int32   // by row; nil: one each. Copies count as rows.
	counts  bool      // whether W is the number of copies
}

// NewSample leaves out rows without weight, and divides equal weights out, so
// that weights of 1/n or 0.1 give the same splits, ties and all, as none. The rows
// are put in memory where that is large enough.
func NewSample(memory []int32, n int, w []float64, copies []int32) (*Sample, error) {
	s := &Sample{Rows: reuse.Slice(memory, n)[:0], copies: copies, Scale: 1}
	if w != nil && copies != nil && areCopies(w, copies) {
		s.W, s.counts = w, true
		s.takeCopied()
		if len(s.Rows) == 0 {
			return nil, fmt.Errorf("%w: every row has weight 0", mlcore.ErrWeight)
		}
		return s, nil
	}
	whole := w != nil && copies != nil
	rows, k := s.Rows[:n], 0
	for i := range rows {
		rows[k] = int32(i)
		if w == nil || w[i] > 0 {
			k++
		}
	}
	s.Rows = rows[:k]
	total, greatest := 0.0, 0.0
	if w != nil {
		for _, i := range s.Rows {
			v := w[i]
			total += v
			if v > greatest {
				greatest = v
			}
		}
	}
	s.Total = total
	if copies != nil {
		for _, i := range s.Rows {
			whole = whole && w[i] == float64(copies[i])
			s.Samples += int(copies[i])
		}
	}
	if len(s.Rows) == 0 {
		return nil, fmt.Errorf("%w: every row has weight 0", mlcore.ErrWeight)
	}
	if math.IsInf(s.Total, 1) {
		return nil, fmt.Errorf("%w: the weights, times how often rows occur, sum to %v", mlcore.ErrWeight, s.Total)
	}
	if copies == nil {
		s.Samples = len(s.Rows)
	}
	switch {
	case w == nil:
		s.Total, s.counts = float64(n), true
	case whole:
		s.W, s.counts = w, true
	case copies == nil && s.allWeigh(w, greatest):
		s.Scale, s.Total, s.counts = greatest, float64(len(s.Rows)), true
	default:
		s.W = w
		s.moderate(greatest)
	}
	return s, nil
}

// allWeigh reports whether the rows have the same weight.
func (s *Sample) allWeigh(w []float64, weight float64) bool {
	for _, i := range s.Rows {
		if w[i] != weight {
			return false
		}
	}
	return true
}

// areCopies reports whether weights are the numbers of copies.
func areCopies(w []float64, copies []int32) bool {
	for i, k := range copies {
		if w[i] != float64(k) {
			return false
		}
	}
	return true
}

// takeCopied takes the rows that have copies. Each is written and kept or not, since
// which ones a forest draws cannot be foreseen.
func (s *Sample) takeCopied() {
	rows, k := s.Rows[:len(s.copies)], 0
	for i, n := range s.copies {
		rows[k] = int32(i)
		if n > 0 {
			k++
		}
		s.Samples += int(n)
	}
	s.Rows, s.Total = rows[:k], float64(s.Samples)
}

// Weights and targets are multiplied where their squares could leave the range of
// float64. Powers of two change no digit.
const (
	greatWeight = 0x1p60
	smallWeight = 0x1p-60
	smallTarget = 0x1p-400
)

// moderate brings weights of which the greatest is out of bounds near 1. Rows of
// which nothing remains beside it are left out.
func (s *Sample) moderate(greatest float64) {
	if greatest >= smallWeight && greatest <= greatWeight {
		return
	}
	_, e := math.Frexp(greatest)
	given, rows := s.W, s.Rows
	s.W, s.Rows = make([]float64, len(given)), rows[:0]
	s.Scale, s.Total = math.Ldexp(1, e-1), 0
	for _, i := range rows {
		if s.W[i] = math.Ldexp(given[i], 1-e); s.W[i] > 0 {
			s.Rows = append(s.Rows, i)
			s.Total += s.W[i]
		}
	}
}

// targets returns y in units of which sums of squares are finite and not 0, and
// the unit.
func (s *Sample) targets(y []float64) ([]float64, float64, error) {
	greatest, at := 0.0, int32(0)
	for _, i := range s.Rows {
		if v := math.Abs(y[i]); v > greatest {
			greatest, at = v, i
		}
	}
	sum := 2 * greatest * max(1, s.Total)
	if most := max(sum*sum, 4*greatest*greatest*(s.Total*s.Scale)); math.IsInf(most, 1) {
		return nil, 0, fmt.Errorf("%w: sums of weight times squared target are too large, with the target %v of row %d; give targets or weights in a greater unit", mlcore.ErrNonFinite, y[at], at)
	}
	if greatest == 0 || greatest >= smallTarget {
		return y, 1, nil
	}
	_, e := math.Frexp(greatest)
	own := make([]float64, len(y))
	for _, i := range s.Rows {
		own[i] = math.Ldexp(y[i], 1-e)
	}
	return own, math.Ldexp(1, e-1), nil
}

// leafWeight is the least weight of a leaf.
func (s *Sample) leafWeight(cfg Config) float64 {
	w := cfg.MinWeightFractionLeaf * s.Total
	if s.counts {
		w = max(w, float64(cfg.MinSamplesLeaf))
	}
	return w
}

// withCopies checks w and copies and multiplies them. Without copies it is w.
func withCopies(n int, w []float64, copies []int32) ([]float64, error) {
	if err := mlcore.CheckWeights(w, n); err != nil || copies == nil {
		return w, err
	}
	if len(copies) != n {
		return nil, fmt.Errorf("%w: X has %d rows, copies has %d", mlcore.ErrShape, n, len(copies))
	}
	product := make([]float64, n)
	for i, k := range copies {
		if k < 0 {
			return nil, fmt.Errorf("%w: %d copies of row %d", mlcore.ErrWeight, k, i)
		}
		product[i] = float64(k)
		if w != nil {
			product[i] *= w[i]
		}
	}
	return product, nil
}

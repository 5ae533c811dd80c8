package cart

import (
	"fmt"

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
	whole := w != nil && copies != nil
	equal, first := true, 0.0
	for i := range n {
		if w != nil {
			if w[i] == 0 {
				continue
			}
			if len(s.Rows) == 0 {
				first = w[i]
			}
			equal = equal && w[i] == first
			whole = whole && w[i] == float64(copies[i])
			s.Total += w[i]
		}
		s.Rows = append(s.Rows, int32(i))
		if copies != nil {
			s.Samples += int(copies[i])
		}
	}
	if len(s.Rows) == 0 {
		return nil, fmt.Errorf("%w: every row has weight 0", mlcore.ErrWeight)
	}
	if copies == nil {
		s.Samples = len(s.Rows)
	}
	switch {
	case w == nil:
		s.Total, s.counts = float64(n), true
	case whole:
		s.W, s.counts = w, true
	case equal && copies == nil:
		s.Scale, s.Total, s.counts = first, float64(len(s.Rows)), true
	default:
		s.W = w
	}
	return s, nil
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

//go:build !purego

package svm

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/processor"
)

// useAVX2 chooses the assembly. Tests turn it off to compare.
var useAVX2 = processor.AVX2

// extremes are those of each lane, of which lane k looks at places k, lanes+k and so on.
type extremes struct {
	high, low [lanes]float64
	at        [lanes]int64 // of high
	first     [lanes]int64 // the place where the lane begins
}

// Implemented in scan_amd64.s.

//go:noescape
func promisingAVX(slope, down, diagonal, row *float64, from, n int, p *promise) int

//go:noescape
func followAVX(slope, up, down, rowI, rowJ *float64, n int, by float64, e *extremes)

// promising passes over active variables, from that at from on, of which none is better
// than p has it. The next that may be better is one of those from lo to hi-1.
func (s *smo) promising(p *promise, row []float64, from int) (lo, hi int) {
	whole := s.active &^ (lanes - 1)
	if !useAVX2 || from >= whole {
		return from, s.active
	}
	_ = row[whole-1]
	lo = promisingAVX(&s.g[0], &s.down[0], &s.diagonal[0], &row[0], from, whole, p)
	return lo, min(lo+lanes, s.active)
}

// followHead does the first variables, and returns how many those are.
func (s *smo) followHead(by float64, rowI, rowJ []float64) int {
	whole := s.active &^ (lanes - 1)
	if !useAVX2 || whole == 0 {
		return 0
	}
	_, _ = rowI[whole-1], rowJ[whole-1]
	e := extremes{}
	for k := range lanes {
		e.high[k], e.low[k], e.first[k] = math.Inf(-1), math.Inf(1), int64(k)
	}
	followAVX(&s.g[0], &s.up[0], &s.down[0], &rowI[0], &rowJ[0], whole, by, &e)
	for k, high := range e.high {
		if at := int(e.at[k]); high > s.high || high == s.high && at < s.best {
			s.high, s.best = high, at
		}
		s.low = min(s.low, e.low[k])
	}
	return whole
}

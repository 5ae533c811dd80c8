package cart

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A fenwick holds weights at the ascending places levels, and answers for their
// weighted median and the loss around it in logarithmic time (Fenwick, 1994).
type fenwick struct {
	levels []float64
	sums   []float64 // pairs: Σ w, Σ w·level
	w, s   float64
}

func newFenwick(levels, buf []float64) *fenwick {
	f := &fenwick{levels: levels, sums: reuse.Slice(buf, 2*len(levels)+2)}
	clear(f.sums)
	return f
}

func (f *fenwick) add(rank int32, w float64) {
	ws := float64(w * f.levels[rank])
	f.w += w
	f.s += ws
	for k := int(rank) + 1; k <= len(f.levels); k += k & -k {
		f.sums[2*k] += w
		f.sums[2*k+1] += ws
	}
}

// median returns the weighted median, midway where two values share it, and the
// sum of w·|level - median|.
func (f *fenwick) median() (med, loss float64) {
	half := float64(f.w / 2)
	// Rounding must not make two halves unequal.
	slack := float64(1e-12 * f.w)
	at, wBelow, sBelow := 0, 0.0, 0.0
	step := 1
	for step*2 <= len(f.levels) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		// Never past the last level, not even where weights that were taken away again
		// have left sums that do not agree.
		if k := at + step; k < len(f.levels) && wBelow+f.sums[2*k] < half-slack {
			at = k
			wBelow += f.sums[2*k]
			sBelow += f.sums[2*k+1]
		}
	}
	// levels[at] is the lower median; if half of the weight is at or below it,
	// the next level that has weight shares.
	lower := f.levels[at]
	med = lower
	if wUpTo := f.prefix(at + 1); math.Abs(wUpTo-half) <= slack {
		for k := at + 1; k < len(f.levels); k++ {
			if f.prefix(k+1)-wUpTo > slack {
				med = float64(lower/2) + float64(f.levels[k]/2)
				break
			}
		}
	}
	// The loss is the same anywhere between the two, so take it at the lower.
	return med, float64(lower*wBelow) - sBelow + (f.s - sBelow) - float64(lower*(f.w-wBelow))
}

func (f *fenwick) prefix(k int) float64 {
	sum := 0.0
	for ; k > 0; k -= k & -k {
		sum += f.sums[2*k]
	}
	return sum
}

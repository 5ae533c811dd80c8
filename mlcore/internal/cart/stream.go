package cart

import (
	"math/bits"
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A stream draws the numbers of mlcore.NewRand. It knows its generator, so that there
// are no calls through an interface, which take as long as the drawing.
type stream struct{ rand.PCG }

func newStream(seed uint64) *stream {
	s := mlcore.DeriveSeed(seed)
	return &stream{*rand.NewPCG(s, mlcore.DeriveSeed(s))}
}

// intN is that of rand.Rand for 1 <= n: the high half of the product of n and 64 bits
// (Lemire, 2019, "Fast random integer generation in an interval") or, for powers of two,
// the low bits.
func (s *stream) intN(n int) int {
	x, m := s.Uint64(), uint64(n)
	if m&(m-1) == 0 {
		return int(x & (m - 1))
	}
	hi, lo := bits.Mul64(x, m)
	if lo < m {
		for bound := -m % m; lo < bound; {
			hi, lo = bits.Mul64(s.Uint64(), m)
		}
	}
	return int(hi)
}

// share is Float64 of rand.Rand: uniform in [0, 1).
func (s *stream) share() float64 { return float64(s.Uint64()<<11>>11) / (1 << 53) }

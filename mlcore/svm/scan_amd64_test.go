//go:build !purego

package svm

import (
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/processor"
)

// The oracle is the loop in Go, which looks at one variable after the other. There are
// few different numbers, so that many are as good as the best.
func TestScansAgainstOneAfterTheOther(t *testing.T) {
	if !processor.AVX2 {
		t.Skip("needs a processor with AVX2")
	}
	defer func() { useAVX2 = true }()
	inf := math.Inf(1)
	special := [...]float64{0, math.Copysign(0, -1), inf, -inf, math.NaN(), 1e300, -1e300}
	for seed := range uint64(2000) {
		rng := mlcore.NewRand(seed)
		n := 1 + rng.IntN(40)
		numbers := func() []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(rng.IntN(5)-2) / 2
				if seed%4 == 0 {
					v[i] = rng.NormFloat64()
				}
				if seed%3 == 0 && rng.IntN(6) == 0 {
					v[i] = special[rng.IntN(len(special))]
				}
			}
			return v
		}
		g, up, down, diagonal, rowI, rowJ := numbers(), numbers(), numbers(), numbers(), numbers(), numbers()
		for i := range n {
			if rng.IntN(4) == 0 {
				up[i] = -inf
			}
			if rng.IntN(4) == 0 {
				down[i] = inf
			}
		}
		run := func(vectors bool) string {
			useAVX2 = vectors
			s := &smo{g: append([]float64(nil), g...), up: up, down: down, diagonal: diagonal, active: n, high: 1, best: n / 2}
			partner := s.partner(n/2, rowI)
			s.follow(0.5, rowI, rowJ)
			return fmt.Sprint(partner, s.best, math.Float64bits(s.high), math.Float64bits(s.low), s.g)
		}
		if fast, plain := run(true), run(false); fast != plain {
			t.Fatalf("seed %d, %d variables: the assembly has %s, Go %s", seed, n, fast, plain)
		}
	}
}

package evolve_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/evolve"
)

// BenchmarkOnes counts the ones of a thousand bits.
func BenchmarkOnes(b *testing.B) {
	ones := func(g []bool) float64 {
		n := 0.0
		for _, bit := range g {
			if bit {
				n++
			}
		}
		return n
	}
	for b.Loop() {
		if _, err := evolve.Run(evolve.Config{Seed: 1}, evolve.Bits{Length: 1000}, ones); err != nil {
			b.Fatal(err)
		}
	}
}

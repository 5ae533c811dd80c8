package sigtest_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
)

// Losses of two models on 4000 examples, the size of Letter's test set.
func benchmarkLosses() (a, b []float64) {
	rng := mlcore.NewRand(9)
	a, b = make([]float64, 4000), make([]float64, 4000)
	for i := range a {
		if rng.IntN(5) == 0 {
			a[i] = 1
		}
		if rng.IntN(6) == 0 {
			b[i] = 1
		}
	}
	return a, b
}

func BenchmarkBootstrap(b *testing.B) {
	losses, _ := benchmarkLosses()
	for b.Loop() {
		if _, err := (sigtest.BootstrapConfig{Kind: sigtest.BCa}).Interval(losses); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRandomSwitches(b *testing.B) {
	first, second := benchmarkLosses()
	for b.Loop() {
		if _, err := (sigtest.PermutationConfig{}).Paired(first, second); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNemenyi(b *testing.B) {
	r, err := sigtest.FriedmanConfig{LowerIsBetter: true}.Test(demsar())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Nemenyi(0.05); err != nil {
			b.Fatal(err)
		}
	}
}

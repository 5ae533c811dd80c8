package metrics_test

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
)

func BenchmarkConfusion(b *testing.B) {
	rng := mlcore.NewRand(1)
	truth, predicted := make([]int, 100_000), make([]int, 100_000)
	for i := range truth {
		truth[i], predicted[i] = rng.IntN(26), rng.IntN(26)
	}
	for b.Loop() {
		if _, err := metrics.Confusion(truth, predicted, 26, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkROCAUC(b *testing.B) {
	rng := mlcore.NewRand(1)
	truth, score := make([]int, 100_000), make([]float64, 100_000)
	for i := range truth {
		truth[i], score[i] = rng.IntN(2), rng.Float64()
	}
	for b.Loop() {
		if _, err := metrics.ROCAUC(truth, score, nil); err != nil {
			b.Fatal(err)
		}
	}
}

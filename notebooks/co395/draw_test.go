package co395

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

func TestDrawFrom(t *testing.T) {
	rng, counts := mlcore.NewRand(1), make([]float64, 4)
	for range 10000 {
		counts[DrawFrom([]float64{1, 0, 3, 0}, rng)]++
	}
	if counts[1]+counts[3] != 0 || math.Abs(counts[0]-2500) > 220 { // five standard deviations
		t.Errorf("%v, want about 2500, 0, 7500, 0", counts)
	}
}

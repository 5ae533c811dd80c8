package cluster

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A row is the first to be drawn with a probability in proportion to its weight, within
// five standard deviations of a binomial share.
func TestRandomRowsByWeight(t *testing.T) {
	w := []float64{1, 2, 5}
	rows := newTable(mat.NewDense(3, 1, []float64{0, 1, 2}), w, nil)
	const draws = 20_000
	counts := make([]float64, 3)
	rng := mlcore.NewRand(1)
	for range draws {
		counts[rows.randomRows(2, rng)[0]]++
	}
	for i, wi := range w {
		want := wi / 8
		if got := counts[i] / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
			t.Errorf("row %d comes first with %v, want %v", i, got, want)
		}
	}
}

package co395

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
)

// Neither class is common and no feature helps: with 20,000 tosses all shares lie
// within four standard errors, 4*sqrt(.25/20000) = 0.0142, of one half.
func TestMakeCoins(t *testing.T) {
	ds := MakeCoins(20000, 2, 3)
	heads := float64(ds.ClassCounts()[0]) / 20000
	if math.Abs(heads-0.5) > 0.0142 {
		t.Errorf("%.4f of the tosses are heads", heads)
	}
	stump := assess.Model(tree.Config{MaxDepth: 1}.FitClassifier)
	if e := assess.TestError(stump, MakeCoins(100, 2, 4), ds); math.Abs(e-0.5) > 0.0142 {
		t.Errorf("error rate %.4f on coins", e)
	}
}

// By hand: 1, 2, 3, 6 have the variance (4+1+0+9)/3 = 14/3, and 4 of them.
func TestMeanSE(t *testing.T) {
	mean, se := MeanSE([]float64{1, 2, 3, 6})
	if mean != 3 || math.Abs(se-math.Sqrt(14./12)) > 1e-12 {
		t.Errorf("mean %g, standard error %g", mean, se)
	}
}

func TestRest(t *testing.T) {
	for _, c := range []struct {
		n     int
		leave [][]int
		want  []int
	}{
		{3, nil, []int{0, 1, 2}},
		{5, [][]int{{1, 4}}, []int{0, 2, 3}},
		{5, [][]int{{4}, {0, 1}}, []int{2, 3}},
		{2, [][]int{{0}, {1}}, []int{}},
	} {
		if got := Rest(c.n, c.leave...); !slices.Equal(got, c.want) {
			t.Errorf("Rest(%d, %v) = %v, want %v", c.n, c.leave, got, c.want)
		}
	}
}

package ada511

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestBootstrap(t *testing.T) {
	rows := Bootstrap(5000, 1, 0)
	if !slices.Equal(rows, Bootstrap(5000, 1, 0)) || slices.Equal(rows, Bootstrap(5000, 1, 1)) {
		t.Error("the draws are not those of the member")
	}
	different := len(slices.Compact(slices.Sorted(slices.Values(rows))))
	// 1 - 1/e of the rows are drawn at least once; the standard deviation is about 0.31/√n.
	if share := float64(different) / 5000; math.Abs(share-(1-1/math.E)) > 4*0.31/math.Sqrt(5000) {
		t.Errorf("%.4f of the rows are drawn", share)
	}
}

// The recipe's own words are the oracle: two features differ by the noise of both,
// with the variance 2·0.49.
func TestMakeEchoes(t *testing.T) {
	ds := MakeEchoes(4000, 3)
	if err := ds.Validate(); err != nil {
		t.Fatal(err)
	}
	a, b := mat.Col(nil, 0, ds.X), mat.Col(nil, 7, ds.X)
	var difference []float64
	for i := range a {
		difference = append(difference, a[i]-b[i])
	}
	if v := stat.Variance(difference, nil); math.Abs(v/0.98-1) > 4*math.Sqrt(2.0/4000) {
		t.Errorf("variance %v of the difference of two features, want 0.98", v)
	}
}

// Two models of two training sets at one point, by hand. Model 0 predicts 0 and 2,
// model 1 predicts 0 and 4: variances 2 and 8, covariance 4, so the mean variance is 5
// and the correlation 4/5. The means are 0 and 3, with the variance 4.5, and their
// mean 1.5 is 0.5 away from the truth.
func TestSpread(t *testing.T) {
	predictions := [][][]float64{{{0}, {0}}, {{2}, {4}}}
	if v, c := Spread(predictions); v != 5 || c != 0.8 {
		t.Errorf("variance %v, correlation %v", v, c)
	}
	for m, want := range map[int][2]float64{1: {2, 0}, 2: {4.5, 0.25}} {
		if v, b := Averaged(predictions, m, []float64{1 + float64(m-1)}); v != want[0] || b != want[1] {
			t.Errorf("%d models: variance %v, squared bias %v, want %v", m, v, b, want)
		}
	}
}

// With all features the forest is a bag, whose error is below that of its trees.
func TestEchoForest(t *testing.T) {
	test := MakeEchoes(300, 99)
	trees, single, together := EchoForest(8, 1, test)
	if len(trees) != 50 || len(trees[7]) != 300 || !(together < single) || together < 0.01 {
		t.Errorf("%d trees, errors %v and %v", len(trees), single, together)
	}
}

// By hand: log-odds of 0 and ln 3 are the probabilities one half and three quarters.
func TestScores(t *testing.T) {
	if p := FromLogOdds([]float64{0, math.Log(3)}); p[0] != 0.5 || math.Abs(p[1]-0.75) > 1e-15 {
		t.Errorf("probabilities %v", p)
	}
	if got := Numbers([]int{1, 0}); !slices.Equal(got, []float64{1, 0}) {
		t.Errorf("numbers %v", got)
	}
	if got := ClassesOf([]float64{-1, 0, 2}); !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("classes %v", got)
	}
	X := mat.NewDense(2, 1, []float64{0, 1})
	m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, []float64{5, 9}, nil))
	if err != nil {
		t.Fatal(err)
	}
	scores := []float64{1, 1}
	Move(scores, m, X, map[int]float64{1: 4, 2: -2}, 0.5) // the root is node 0
	if !slices.Equal(scores, []float64{3, 0}) {
		t.Errorf("scores %v", scores)
	}
}

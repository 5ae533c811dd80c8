package lab3

import (
	"math"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/assess"
	"gonum.org/v1/gonum/mat"
)

// Six samples on a line whose tree is drawn by hand: 0 below 3, 1 below 5, else 2.
func six() *mlcore.Dataset {
	return mlcore.FromMatrix(Column(1, 2, 3, 4, 5, 6), []int{0, 0, 1, 1, 2, 2}, nil)
}

func TestThresholds(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{2, 7.75, 1, 7.25, 2, -8, 1, 7.75})
	for feature, want := range [][]float64{{1, 2}, {-8, 7.25, 7.75}} {
		if got := Thresholds(X, feature); !reflect.DeepEqual(got, want) {
			t.Errorf("feature %d: %v, want %v", feature, got, want)
		}
	}
}

// The loss is |threshold - 3.5|, which is least at 3 and 4.
func TestLossCurve(t *testing.T) {
	got := LossCurve(six(), 0, func(_ int, at float64) float64 { return math.Abs(at - 3.5) })
	if !reflect.DeepEqual(got.X, []float64{1, 2, 3, 4, 5, 6}) || !reflect.DeepEqual(got.Y, []float64{2.5, 1.5, .5, .5, 1.5, 2.5}) ||
		!reflect.DeepEqual(got.Marks, []int{2, 3}) || !got.Steps {
		t.Errorf("%+v", got)
	}
}

func TestTreeLearner(t *testing.T) {
	leaf := func(_ *mat.Dense, y []int, opts TreeOptions) *Tree { return &Tree{Class: len(y) + opts.MinSize} }
	class := func(t *Tree, X *mat.Dense) []int { return EachRow(X, func([]float64) int { return t.Class }) }
	if got := TreeLearner(leaf, class, TreeOptions{MinSize: 10})(six(), Column(0, 0)); !reflect.DeepEqual(got, []int{16, 16}) {
		t.Errorf("%v", got)
	}
}

// Ten samples on a line: no cut lowers the number of errors, and Gini's first cut is at 5.
func TestGrowBy(t *testing.T) {
	ds := mlcore.FromMatrix(Column(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), []int{0, 0, 0, 0, 1, 0, 1, 0, 1, 0}, nil)
	for criterion, want := range map[tree.Criterion][]int{
		tree.Misclassification: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		tree.Gini:              ds.Y,
	} {
		if got := GrowBy(criterion, 1)(ds, ds.X); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %v", criterion, got)
		}
	}
}

// Leaves and training error by hand; the library's own cross-validation is the oracle
// of the third number.
func TestMeasureTree(t *testing.T) {
	var X []float64
	var y []int
	for i := range 60 {
		X, y = append(X, float64(i)), append(y, i/20)
	}
	ds := mlcore.FromMatrix(Column(X...), y, nil)
	for _, tc := range []struct {
		opts     TreeOptions
		leaves   int
		training float64
	}{{TreeOptions{}, 3, 0}, {TreeOptions{MaxDepth: 1}, 2, 1.0 / 3}, {TreeOptions{MinSize: 31}, 1, 2.0 / 3}} {
		got, err := MeasureTree(ds, tc.opts)
		held := assess.CrossValidation(assess.Model(TreeConfig(tc.opts).FitClassifier), ds, 10, 5, 0).Mean()
		if err != nil || got.Leaves != tc.leaves || math.Abs(got.Training-tc.training) > 1e-12 || got.Held != held {
			t.Errorf("%+v: %+v, %v", tc.opts, got, err)
		}
	}
	if _, err := MeasureTree(mlcore.FromMatrix(Column(1, math.NaN()), []int{0, 1}, nil), TreeOptions{}); err == nil {
		t.Error("no error for a value that is no number")
	}
}

func TestVoteError(t *testing.T) {
	for _, tc := range []struct {
		y    []int
		want float64
	}{{[]int{0, 0, 0, 0, 1, 0, 1, 0, 1, 0}, 0.3}, {[]int{7, 7}, 0}, {[]int{5, 2, 9, 2}, 0.5}} {
		if got := VoteError(tc.y); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", tc.y, got, tc.want)
		}
	}
}

// The Gini impurity 2p(1-p) at 0.3 is 0.42, and 0.3 after a cut into 0 and 0.5.
func TestChordPanel(t *testing.T) {
	p, err := ChordPanel("Gini", func(p float64) float64 { return 2 * p * (1 - p) }, 0, 0.3, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if a := p.Arrows[0]; p.Title.Text != "Gini: gain 0.12" || math.Abs(a.From-0.42) > 1e-12 || math.Abs(a.To-0.3) > 1e-12 || a.X != 0.3 {
		t.Errorf("%q %+v", p.Title.Text, a)
	}
}

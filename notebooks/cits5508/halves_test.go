package cits5508

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// Where the targets are a step without noise, the large tree has two leaves and is right
// everywhere; a choice of the last place is the single leaf, whose error is worked from the
// means of the training half.
func TestPruneHalves(t *testing.T) {
	x, y := mat.NewDense(20, 1, nil), make([]float64, 20)
	for i := range y {
		x.Set(i, 0, float64(i))
		if i >= 10 {
			y[i] = 1
		}
	}
	choice := PruningChoice{
		Middle: func(alphas []float64) []float64 { return []float64{0, 2 * alphas[1]} },
		Choose: func(errors, se []float64) (lowest, rule int) { return 0, len(errors) - 1 },
		Folds:  2, Repeats: 1,
	}
	halves := PruneHalves(tree.Config{}, mlcore.FromMatrix(x, y, nil), 5, choice)
	for i, h := range halves {
		if h.LargeLeaves != 2 || h.LowestLeaves != 2 || h.RuleLeaves != 1 || h.Large != h.Lowest {
			t.Errorf("half %d: %+v", i, h)
		}
		if h.Rule < 0.24 || h.Rule > 0.6 { // 0.25 where both halves have as many ones
			t.Errorf("half %d: the error of a single leaf is %v", i, h.Rule)
		}
	}
}

func TestDescribeDifferences(t *testing.T) {
	got := DescribeDifferences("a", []float64{1, -1, 0, 2})
	want := "a: mean 0.500, standard deviation 1.291, the middle 4 from -1.000 to 2.000\nabove 0 in 2, 0 in 1, below 0 in 1, as high as the first in 2"
	if got != want {
		t.Errorf("%s", got)
	}
}

func TestLogSalary(t *testing.T) {
	players := dataframe.New(series.New([]string{"a", "b", "c"}, series.String, "player"),
		series.New([]float64{1, 500, math.NaN()}, series.Float, "Salary"))
	got := players.Mutate(LogSalary(players)).Col("log salary").Float()
	if got[0] != 0 || math.Abs(got[1]-6.214608098422191) > 1e-12 || !math.IsNaN(got[2]) {
		t.Errorf("%v", got)
	}
	if kept := players.Col("Salary").Float(); kept[1] != 500 {
		t.Errorf("the salaries became %v", kept)
	}
}

// A tree of two questions has two lines, within the axes of the samples.
func TestDrawRegions(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{0, 0, 1, 5, 4, 0, 5, 1, 4, 8, 5, 9})
	ds := mlcore.FromMatrix(X, []float64{0, 0, 5, 5, 9, 9}, nil)
	m, err := tree.Config{}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := plotx.Scatter(thirds(ds), "")
	if err != nil {
		t.Fatal(err)
	}
	p := DrawRegions(ds, m, "regions")
	if p.X.Min != plain.X.Min || p.X.Max != plain.X.Max || p.Y.Min != plain.Y.Min || p.Y.Max != plain.Y.Max {
		t.Errorf("axes %v to %v and %v to %v, want those of the samples", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	with, err := plotx.PNG(p)
	if err != nil {
		t.Fatal(err)
	}
	one, err := tree.Config{MaxLeafNodes: 2}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	less, err := plotx.PNG(DrawRegions(ds, one, "regions"))
	if err != nil {
		t.Fatal(err)
	}
	if m.NumLeaves() != 3 || bytes.Equal(with, less) {
		t.Errorf("%d leaves, and the drawing is that of one question", m.NumLeaves())
	}
}

// Rows 1 and 3 of four are apart from the others.
func TestApart(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{5, 6, 7, 8}, nil)
	rest, chosen := apart(ds, []int{3, 1}, "a", "b")
	if rest.Name != "a" || chosen.Name != "b" || len(rest.X) != 2 || rest.X[1] != 3 || chosen.X[0] != 2 || chosen.Y[1] != 8 {
		t.Errorf("%+v and %+v", rest, chosen)
	}
}

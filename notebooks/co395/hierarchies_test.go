package co395

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestDendrograms(t *testing.T) {
	six := mat.NewDense(6, 2, []float64{0, 0, 1.1, 0, 2.4, 0, 3.9, 0.2, 6, 3, 6.4, 3.6})
	if p := Dendrograms(six, 2, nil, 0, cluster.Single, cluster.Ward); len(p) != 2 {
		t.Errorf("%d dendrograms of 2 linkages", len(p))
	}
}

// The recipe's own numbers, five standard errors wide.
func TestMakeBridge(t *testing.T) {
	const n, bridge = 4020, 20
	ds := MakeBridge(n, bridge, 1)
	if c := ds.ClassCounts(); c[0] != n/2 || c[1] != n/2 {
		t.Errorf("counts %v", c)
	}
	for i := range bridge {
		want := 0.15 + 0.3*float64(i)
		if x, y := ds.X.At(i, 0), ds.X.At(i, 1); math.Abs(x-want) > 1e-12 || math.Abs(y) > 0.75 {
			t.Errorf("point %d of the bridge at (%v, %v), want about (%v, 0)", i, x, y, want)
		}
	}
	for class := range 2 {
		var x, y []float64
		for i := bridge; i < n; i++ {
			if ds.Y[i] == class {
				x, y = append(x, ds.X.At(i, 0)), append(y, ds.X.At(i, 1))
			}
		}
		mx, sx := stat.MeanStdDev(x, nil)
		my, sy := stat.MeanStdDev(y, nil)
		const tol = 5 * 0.8 / 44 // √2000
		if math.Abs(mx-6*float64(class)) > tol || math.Abs(my) > tol || math.Abs(sx-0.8) > tol || math.Abs(sy-0.8) > tol {
			t.Errorf("cloud %d: (%.3f, %.3f) with %.3f and %.3f", class, mx, my, sx, sy)
		}
	}
}

// The values that are drawn, by hand.
func TestStabilityPanel(t *testing.T) {
	p := StabilityPanel("a", []float64{2, 3}, []float64{0.9, 0.8}, [][]float64{{0.1, 0.3}, {0.4, 0.6}})
	if p.X.Min != 1.7 || p.X.Max != 3.3 || p.Y.Min > 0.1 || p.Y.Max != 1.03 || len(p.Keys) != 4 {
		t.Errorf("axes %v to %v and %v to %v, %d keys", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max, len(p.Keys))
	}
	if linkageName(cluster.Ward) != "Ward's linkage" || linkageName(cluster.Single) != "single linkage" {
		t.Errorf("%q and %q", linkageName(cluster.Ward), linkageName(cluster.Single))
	}
}

// By hand: draw 0 has its highest value at 3 and draw 1 a tie of 2 and 4.
func TestMostStable(t *testing.T) {
	table := [][]float64{{0.5, 0.9, 0.7}, {0.75, 0.1, 0.75}}
	won, mean := MostStable(2, 2, 4, func(seed uint64, k int) float64 { return table[seed][k-2] })
	if !slices.Equal(won, []int{1, 1, 0}) || math.Abs(mean[0]-0.625) > 1e-15 || math.Abs(mean[2]-0.725) > 1e-15 {
		t.Errorf("%v, %v", won, mean)
	}
}

func TestGroupsOfRows(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{1, 2, 5, 6, 3, 5})
	if got := Middle(X, []int{0, 2}); !slices.Equal(got, []float64{2, 3.5}) {
		t.Errorf("the mean of (1, 2) and (3, 5) is %v", got)
	}
	if got := Singles(X); len(got) != 3 || !slices.Equal(got[1], []int{1}) {
		t.Errorf("single rows %v", got)
	}
	if got := GroupOf([][]int{{0, 3}, {2, 1, 4}}); !slices.Equal(got, []int{0, 1, 1, 0, 1}) {
		t.Errorf("groups of rows %v", got)
	}
}

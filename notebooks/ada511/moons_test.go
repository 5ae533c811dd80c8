package ada511

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"gonum.org/v1/gonum/mat"
)

// The tips and tops of the half circles, by the recipe of the moons.
func TestMoonsRuleOnTheArcs(t *testing.T) {
	for _, c := range []struct {
		name   string
		x1, x2 float64
		want   int
	}{
		{"top of the upper moon", 0, 1, 0},
		{"left end of the upper moon", -1, 0, 0},
		{"right end of the upper moon", 1, 0, 0},
		{"bottom of the lower moon", 1, -0.5, 1},
		{"left end of the lower moon", 0, 0.5, 1},
		{"right end of the lower moon", 2, 0.5, 1},
	} {
		if got := MoonsRule(mat.NewDense(1, 2, []float64{c.x1, c.x2}), 0.1)[0]; got != c.want {
			t.Errorf("%s: class %d, want %d", c.name, got, c.want)
		}
	}
}

// The map (x1, x2) -> (1-x1, 0.5-x2) takes each moon to the other, so the rule gives
// the other class there.
func TestMoonsRuleIsSymmetric(t *testing.T) {
	X := datasets.MakeMoons(200, 0.3, 1).X
	turned := mat.DenseCopyOf(X)
	for i := range 200 {
		turned.SetRow(i, []float64{1 - X.At(i, 0), 0.5 - X.At(i, 1)})
	}
	a, b := MoonsRule(X, 0.3), MoonsRule(turned, 0.3)
	for i := range a {
		if a[i]+b[i] != 1 {
			t.Fatalf("row %d: classes %d and, turned, %d", i, a[i], b[i])
		}
	}
}

// With little noise the moons do not overlap, and the rule makes no mistake. The
// recipe is that of ADA511: as many points of either moon, and a noise of sd in both
// coordinates.
func TestMoonsRecipe(t *testing.T) {
	ds := datasets.MakeMoons(400, 0.05, 3)
	ones, off := 0, 0.0
	for i, want := range MoonsRule(ds.X, 0.05) {
		if ds.Y[i] != want {
			t.Fatalf("row %d of the moons: class %d, rule %d", i, ds.Y[i], want)
		}
		ones += ds.Y[i]
		x1, x2 := ds.X.At(i, 0), ds.X.At(i, 1)
		if want == 1 {
			x1, x2 = 1-x1, 0.5-x2
		}
		off += (math.Hypot(x1, x2) - 1) * (math.Hypot(x1, x2) - 1) / 400
	}
	if ones != 200 {
		t.Errorf("%d of 400 points in class 1, want 200", ones)
	}
	if sd := math.Sqrt(off); math.Abs(sd-0.05) > 0.01 {
		t.Errorf("standard deviation %.4f from the circle, want about 0.05", sd)
	}
}

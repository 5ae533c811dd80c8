package datasets

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Each recipe's own words are the oracle.
func TestMakeCurves(t *testing.T) {
	t.Run("sine", func(t *testing.T) {
		ds := MakeSine(80, 3)
		x := mat.Col(nil, 0, ds.X)
		if !slices.IsSorted(x) || x[0] < 0 || x[79] >= 5 {
			t.Errorf("x from %v to %v, sorted %v", x[0], x[79], slices.IsSorted(x))
		}
		moved := 0
		for i, v := range x {
			off := math.Abs(ds.Target[i] - math.Sin(v))
			if i%5 != 0 && off != 0 || off > 1.5 {
				t.Errorf("row %d is off by %v", i, off)
			}
			if off != 0 {
				moved++
			}
		}
		if moved != 16 {
			t.Errorf("%d rows were moved, want 16", moved)
		}
	})
	for _, tc := range []struct {
		ds     *mlcore.Dataset
		lo, hi float64
		f      func(float64) float64
		sd     float64
	}{
		{MakeNoisySine(2000, 0.1, 1), 0, 2 * math.Pi, math.Sin, 0.1},
		{MakeQuadratic(2000, 0.025, 1), -0.5, 0.5, func(x float64) float64 { return x * x }, 0.025},
	} {
		t.Run(tc.ds.Name, func(t *testing.T) {
			x := mat.Col(nil, 0, tc.ds.X)
			noise := make([]float64, len(x))
			for i, v := range x {
				noise[i] = tc.ds.Target[i] - tc.f(v)
			}
			if slices.Min(x) < tc.lo || slices.Max(x) >= tc.hi {
				t.Errorf("x from %v to %v", slices.Min(x), slices.Max(x))
			}
			// Of 2000 draws, mean and sd are within 4 standard errors.
			mean, sd := stat.MeanStdDev(noise, nil)
			if math.Abs(mean) > 4*tc.sd/math.Sqrt(2000) || math.Abs(sd/tc.sd-1) > 4/math.Sqrt(4000) {
				t.Errorf("noise has mean %v and sd %v, want 0 and %v", mean, sd, tc.sd)
			}
		})
	}
}

func TestMakePoints(t *testing.T) {
	t.Run("moons without noise", func(t *testing.T) {
		ds := MakeMoons(101, 0, 5)
		if got := ds.ClassCounts(); got[0] != 50 || got[1] != 51 {
			t.Errorf("class counts %v", got)
		}
		for i, c := range ds.Y {
			x1, x2 := ds.X.At(i, 0), ds.X.At(i, 1)
			if c == 1 {
				x1, x2 = 1-x1, 0.5-x2
			}
			if math.Abs(math.Hypot(x1, x2)-1) > 1e-12 || x2 < -1e-12 {
				t.Errorf("row %d, class %d, is not on its half circle", i, c)
			}
		}
		if slices.IsSorted(ds.Y) {
			t.Error("rows are not shuffled")
		}
	})
	t.Run("circles without noise", func(t *testing.T) {
		ds := MakeCircles(101, 0.4, 0, 5)
		if got := ds.ClassCounts(); got[0] != 50 || got[1] != 51 {
			t.Errorf("class counts %v", got)
		}
		angles := [2][]float64{}
		for i, c := range ds.Y {
			x1, x2 := ds.X.At(i, 0), ds.X.At(i, 1)
			if radius := []float64{1, 0.4}[c]; math.Abs(math.Hypot(x1, x2)-radius) > 1e-12 {
				t.Errorf("row %d, class %d, is not on its circle", i, c)
			}
			angles[c] = append(angles[c], math.Atan2(x2, x1))
		}
		for c, a := range angles { // at equal distances, all the way round
			slices.Sort(a)
			for k := range a[1:] {
				if step := 2 * math.Pi / float64(len(a)); math.Abs(a[k+1]-a[k]-step) > 1e-9 {
					t.Errorf("class %d: angles %v and %v are not %v apart", c, a[k], a[k+1], step)
				}
			}
		}
		if slices.IsSorted(ds.Y) {
			t.Error("rows are not shuffled")
		}
	})
	t.Run("clouds", func(t *testing.T) {
		ds := MakeClouds(4000, 1.5, 1)
		for c, centre := range []float64{-1.5, 1.5} {
			for j := range 2 {
				var v []float64
				for i, y := range ds.Y {
					if y == c {
						v = append(v, ds.X.At(i, j))
					}
				}
				mean, sd := stat.MeanStdDev(v, nil)
				if len(v) != 2000 || math.Abs(mean-centre) > 4*0.75/math.Sqrt(2000) || math.Abs(sd/0.75-1) > 4/math.Sqrt(4000) {
					t.Errorf("class %d, column %d: %d points, mean %v, sd %v", c, j, len(v), mean, sd)
				}
			}
		}
	})
	t.Run("boundaries", func(t *testing.T) {
		linear, box := MakeLinearBoundary(500, 2), MakeBoxBoundary(500, 2)
		for i := range 500 {
			if (linear.X.At(i, 0)+linear.X.At(i, 1) > 0) != (linear.Y[i] == 1) {
				t.Errorf("linear, row %d", i)
			}
			if (box.X.At(i, 0) < 0.5 && box.X.At(i, 1) < 0) != (box.Y[i] == 1) {
				t.Errorf("box, row %d", i)
			}
		}
	})
	for _, make := range []func(seed uint64) *mlcore.Dataset{
		func(s uint64) *mlcore.Dataset { return MakeMoons(30, 0.2, s) },
		func(s uint64) *mlcore.Dataset { return MakeCircles(30, 0.5, 0.2, s) },
		func(s uint64) *mlcore.Dataset { return MakeBlobs(30, mat.NewDense(3, 3, nil), 1, s) },
		func(s uint64) *mlcore.Dataset { return MakeSine(30, s) },
		func(s uint64) *mlcore.Dataset { return MakeBoxBoundary(30, s) },
	} {
		a, b, c := make(1), make(1), make(2)
		if err := a.Validate(); err != nil {
			t.Error(err)
		}
		if !mat.Equal(a.X, b.X) || mat.Equal(a.X, c.X) {
			t.Errorf("%s: the seed does not settle the data", a.Name)
		}
	}
}

package cits5508

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/notebooks/peers"
)

// The committed file is whole: each series has its points, and each point what a figure
// draws of it.
func TestGrowthIsWhole(t *testing.T) {
	g, err := peers.ParseGrowth(growthFile)
	if err != nil {
		t.Fatal(err)
	}
	if g.Measured == "" || g.Machine == "" || g.Processors < 1 {
		t.Errorf("measured %q on %q with %d processors", g.Measured, g.Machine, g.Processors)
	}
	for _, name := range []string{"go", "python", "scikit-learn", "lightgbm"} {
		if g.Versions[name] == "" {
			t.Errorf("the version of %s is missing: %v", name, g.Versions)
		}
	}
	for _, p := range g.Points {
		if p.Score <= 0 || p.Score > 1 || p.PeakBytes < 1<<20 || (p.LeftOut == "") != (p.PeerPeakBytes >= 1<<20) || (p.LeftOut == "") != (p.PeerScore > 0) {
			t.Errorf("%v: %+v", p.GrowthCase, p)
		}
		// Both sides learn from the same data: neither may win by learning nothing.
		if p.LeftOut == "" && (p.Score < 0.8*p.PeerScore || p.PeerScore < 0.8*p.Score) {
			t.Errorf("%v: scores %v and %v", p.GrowthCase, p.Score, p.PeerScore)
		}
	}
}

func TestGrowthCurves(t *testing.T) {
	for axis, want := range map[peers.Axis][]float64{
		peers.Rows:    {1000, 10_000, 100_000, 1_000_000},
		peers.Columns: {5, 10, 20, 40, 80},
		peers.Classes: {2, 4, 8, 16, 32},
		peers.Threads: {1, 2},
	} {
		for _, work := range []string{peers.CART, peers.Forest, peers.Boosting, peers.Prediction} {
			if work == peers.Prediction && axis != peers.Rows {
				continue
			}
			left := 0
			for _, p := range Growth().Along(axis, work) {
				if p.LeftOut != "" {
					left++
				}
			}
			both := GrowthTimes(axis, work)
			if len(both) != 2 || !slices.Equal(both[0].X, want) || !slices.Equal(both[1].X, want[:len(want)-left]) || slices.Min(both[0].Y) <= 0 || slices.Min(both[1].Y) <= 0 {
				t.Errorf("times of %s against %s: %+v", work, axis, both)
			}
		}
	}
	first := Growth().Along(peers.Rows, peers.CART)[0]
	if times := GrowthTimes(peers.Rows, peers.CART); times[0].Y[0] != first.Seconds || times[1].Y[0] != first.PeerSeconds {
		t.Errorf("times %v and %v, want those of %+v", times[0].Y[0], times[1].Y[0], first)
	}
}

// By hand: 2 x goes through (4, 8), where the first curve ends.
func TestGuided(t *testing.T) {
	first := plotx.Series{X: []float64{1, 4}, Y: []float64{5, 8}}
	curves := guided("g", func(x float64) float64 { return x }, first, plotx.Series{Name: "other"})
	if len(curves) != 3 || curves[1].Name != "other" || curves[2].Name != "g" || !curves[2].Dashed || !slices.Equal(curves[2].Y, []float64{2, 8}) {
		t.Errorf("curves %+v", curves)
	}
}

// By hand: the guide is 50 at 1000 rows and 0.5 at 10, so that the axis spans a factor of 100,
// and 100 to the power .04 more at each end.
func TestGrowthPanel(t *testing.T) {
	first := plotx.Series{Name: "first", X: []float64{10, 1000}, Y: []float64{3, 50}}
	p := GrowthPanel("t", func(rows float64) float64 { return rows }, first)
	if math.Abs(p.Y.Max/p.Y.Min-math.Pow(100, 1.08)) > 1e-6 || len(p.Keys) < 2 {
		t.Errorf("from %v to %v, %d keys", p.Y.Min, p.Y.Max, len(p.Keys))
	}
}

func TestLogLog(t *testing.T) {
	p := logLog("t", "x", "y", plotx.Series{X: []float64{1, 10}, Y: []float64{2, 20}})
	const room = 1.0964782 // 10 to the power .04
	got := []float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}
	for i, want := range []float64{1 / room, 10 * room, 2 / room, 20 * room} {
		if math.Abs(got[i]-want) > 1e-6 {
			t.Errorf("axes %v, want %v at %d", got, want, i)
		}
	}
	if p.Title.Text != "t" {
		t.Errorf("title %q", p.Title.Text)
	}
	defer func() {
		if recover() == nil {
			t.Error("a value of 0 has no logarithm: no panic")
		}
	}()
	logLog("t", "x", "y", plotx.Series{X: []float64{0, 10}, Y: []float64{2, 20}})
}

// The oracle is scipy's linregress of the logarithms: stderr times t.ppf(0.975, n - 2).
func TestSlopeMargin(t *testing.T) {
	for _, tc := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 4}, []float64{5, 20, 80}, 0},
		{[]float64{1, 10, 100, 1000}, []float64{1, 100, 10, 10}, 1.8254609533779926},
		{[]float64{1, 2, 4, 8, 16}, []float64{1, 2, 5, 8, 20}, 0.16730323189306023},
	} {
		if got := SlopeMargin(tc.x, tc.y); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%v and %v: %v, want %v", tc.x, tc.y, got, tc.want)
		}
	}
	if got := SlopeMargin([]float64{1, 2}, []float64{1, 2}); !math.IsNaN(got) {
		t.Errorf("two points: %v", got)
	}
}

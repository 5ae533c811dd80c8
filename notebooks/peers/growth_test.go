package peers

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// measured is a growth whose every point is there, with times that tell them apart.
func measured() *Growth {
	g := &Growth{Measured: "1 January 2026", Machine: "m", Processors: 2, Versions: map[string]string{"go": "go1.26"}}
	for i, c := range GrowthGrid() {
		p := GrowthPoint{GrowthCase: c, Runs: 5, Seconds: float64(i + 1), PeakBytes: 1 << 20}
		if c.LeftOut == "" {
			p.PeerSeconds, p.PeerPeakBytes = 2, 2<<20
		}
		g.Points = append(g.Points, p)
	}
	return g
}

func TestGrowthGridHasEachCaseOnce(t *testing.T) {
	grid := GrowthGrid()
	seen := map[GrowthCase]bool{}
	for _, c := range grid {
		if c.Peer == "" || seen[c] {
			t.Errorf("%v: twice or without a peer", c)
		}
		seen[c] = true
	}
	// By hand: three works of 4 + 5 + 5 + 2 cases, of which 3 are shared between axes,
	// and 4 of prediction.
	if len(grid) != 3*13+4 {
		t.Errorf("%d cases, want 43", len(grid))
	}
}

func TestAlong(t *testing.T) {
	g := measured()
	slices.Reverse(g.Points)
	for _, c := range []struct {
		axis Axis
		want []int
		rows int // of all points, 0 where rows grow
	}{
		{Rows, []int{1000, 10_000, 100_000, 1_000_000}, 0},
		{Columns, []int{5, 10, 20, 40, 80}, 10_000},
		{Classes, []int{2, 4, 8, 16, 32}, 10_000},
		{Threads, []int{1, 2}, 100_000},
	} {
		for _, work := range []string{CART, Forest, Boosting, Prediction} {
			var got []int
			for _, p := range g.Along(c.axis, work) {
				got = append(got, c.axis.Of(p.GrowthCase))
				if p.Work != work || (c.rows > 0 && p.Rows != c.rows) {
					t.Errorf("%s along %s: %v", work, c.axis, p.GrowthCase)
				}
			}
			if want := c.want; work == Prediction && c.axis != Rows {
				if len(got) > 1 {
					t.Errorf("%s along %s: %v, though only its rows grow", work, c.axis, got)
				}
			} else if !slices.Equal(got, want) {
				t.Errorf("%s along %s: %v, want %v", work, c.axis, got, want)
			}
		}
	}
}

func TestParseGrowth(t *testing.T) {
	write := func(change func(g *Growth)) []byte {
		g := measured()
		change(g)
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	whole := write(func(*Growth) {})
	g, err := ParseGrowth(whole)
	if err != nil || len(g.Points) != len(GrowthGrid()) || g.Points[2].Seconds != 3 || g.Points[2].PeakBytes != 1<<20 || g.Versions["go"] != "go1.26" {
		t.Errorf("whole: %+v, error %v", g, err)
	}
	for _, c := range []struct {
		name string
		data []byte
		is   error  // nil: of encoding/json
		says string // part of the message
	}{
		{"empty", nil, nil, "EOF"},
		{"cut off", whole[:len(whole)/2], nil, "unexpected EOF"},
		{"a field of another file", []byte(`{"workload": "CART"}`), nil, `unknown field "workload"`},
		{"a point is missing", write(func(g *Growth) { g.Points = g.Points[:7] }), mlcore.ErrShape, "7 points"},
		{"two points are exchanged", write(func(g *Growth) { g.Points[0], g.Points[1] = g.Points[1], g.Points[0] }), mlcore.ErrShape, "point 0"},
		{"another size", write(func(g *Growth) { g.Points[5].Columns = 7 }), mlcore.ErrShape, "7 columns"},
		{"no time", write(func(g *Growth) { g.Points[3].Seconds = 0 }), mlcore.ErrEmpty, "point 3"},
		{"no time of the peer", write(func(g *Growth) { g.Points[4].PeerSeconds = 0 }), mlcore.ErrEmpty, "point 4"},
		{"no runs", write(func(g *Growth) { g.Points[4].Runs = 0 }), mlcore.ErrEmpty, "0 runs"},
	} {
		g, err := ParseGrowth(c.data)
		if err == nil || g != nil || (c.is != nil && !errors.Is(err, c.is)) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, error %v, want one that says %q", c.name, g, err, c.says)
		}
	}
}

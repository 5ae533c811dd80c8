package bench

import (
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A worker finds what was drawn by its name alone; other names are nothing that was drawn.
func TestDrawnAgain(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range Drawn(3, 200) {
		again, found := drawnAs(w.Name)
		if !found || again.Name != w.Name || again.Key != w.Key || again.estimator != w.estimator {
			t.Fatalf("%q is found as %q (%t)", w.Name, again.Name, found)
		}
		if kind := strings.SplitN(w.Name, ": ", 2)[1]; seen[w.Name] || kind == "" {
			t.Errorf("%q is drawn twice", w.Name)
		}
		seen[w.Name] = true
	}
	for _, name := range []string{"", "CART fit, Letter", "drawn", "drawn 3", "drawn 3 0: k-NN of another shape", "drawn 3 -1: "} {
		if w, found := drawnAs(name); found {
			t.Errorf("%q is found as %q", name, w.Name)
		}
	}
}

// Shapes are what their names say, counted in the data themselves, and every contender
// can do its work on them.
func TestDrawnShapes(t *testing.T) {
	for _, tc := range []struct {
		name string
		s    shape
		ok   func(ds *mlcore.Dataset) bool
	}{
		{"plain", shape{rows: 70, columns: 9, classes: 2, copies: 1}, func(ds *mlcore.Dataset) bool { return len(distinct(ds, 0)) == 70 }},
		{"three classes", shape{rows: 400, columns: 9, classes: 3, copies: 1}, func(ds *mlcore.Dataset) bool { return len(ds.ClassNames) == 3 }},
		{"zeros", shape{rows: 400, columns: 20, classes: 2, copies: 1, zeros: 0.9}, func(ds *mlcore.Dataset) bool {
			zeros := 0
			for _, v := range ds.X.RawMatrix().Data {
				if v == 0 {
					zeros++
				}
			}
			return zeros > 7000 && zeros < 7400
		}},
		{"copies", shape{rows: 400, columns: 5, classes: 2, copies: 10}, func(ds *mlcore.Dataset) bool { return len(distinct(ds, 2)) == 40 }},
		{"steps", shape{rows: 400, columns: 5, classes: 2, copies: 1, steps: 6}, func(ds *mlcore.Dataset) bool { d := len(distinct(ds, 1)); return d > 4 && d < 10 }},
		{"rank 1", shape{rows: 50, columns: 5, classes: 2, copies: 1, rank: 1}, func(ds *mlcore.Dataset) bool {
			a, b := ds.X.At(0, 1)/ds.X.At(0, 0), ds.X.At(9, 1)/ds.X.At(9, 0)
			return a-b < 1e-9 && b-a < 1e-9
		}},
	} {
		ds, _, err := tc.s.make()
		if err != nil || ds.X.RawMatrix().Rows != tc.s.rows || ds.NumFeatures() != tc.s.columns || !tc.ok(ds) {
			t.Errorf("%s: not the shape %v (%v)", tc.name, tc.s, err)
		}
	}
	rng := mlcore.NewRand(1)
	for _, c := range contenders {
		if s := drawShape(rng, c); c.predicts != (s.queries == s.rows) {
			t.Errorf("%s: %d test rows for %d", c.name, s.queries, s.rows)
		}
		data := shape{rows: 60, columns: 6, classes: 2, copies: 1}.make
		if c.targets {
			data = withTargets(data)
		}
		train, test, err := data()
		if err != nil {
			t.Fatal(err)
		}
		work, err := c.prepare(train, test)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		score, err := work()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if v, err := score(); err != nil || v != v {
			t.Errorf("%s: score %v, %v", c.name, v, err)
		}
	}
}

// distinct are the values of a column.
func distinct(ds *mlcore.Dataset, j int) map[float64]bool {
	values := map[float64]bool{}
	for i := range ds.X.RawMatrix().Rows {
		values[ds.X.At(i, j)] = true
	}
	return values
}

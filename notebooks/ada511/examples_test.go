package ada511

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Four rows, counted by hand.
func TestColumns(t *testing.T) {
	rows := []Example{{"A": "y", "L": "go"}, {"A": "x", "L": "stay"}, {"A": "y", "L": "stay"}, {"A": "z", "L": "go"}}
	if got := Values(rows, "A"); !slices.Equal(got, []string{"x", "y", "z"}) {
		t.Errorf("values %q", got)
	}
	if got := Counts(rows, "A"); !slices.Equal(got, []float64{1, 2, 1}) {
		t.Errorf("counts %v", got)
	}
	if got := Where(rows, "A", "y"); len(got) != 2 || got[1]["L"] != "stay" {
		t.Errorf("where A is y: %v", got)
	}
	for _, tc := range []struct {
		name, column, want string
		rows               []Example
	}{
		{"commonest", "A", "y", rows}, {"first on a tie", "L", "go", rows}, {"no rows", "A", "", nil},
	} {
		if got := Commonest(tc.rows, tc.column); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	list := []string{"a", "b", "c"}
	if got := Without(list, "b"); !slices.Equal(got, []string{"a", "c"}) || list[1] != "b" {
		t.Errorf("without b: %q, and the list itself %q", got, list)
	}
}

func TestNode(t *testing.T) {
	n := Ask("Sunny", Say("stay"), Ask("Warm", Say("stay"), Say("go")))
	if got := n.String(); got != "Sunny(no: stay, yes: Warm(no: stay, yes: go))" {
		t.Errorf("string %q", got)
	}
	d := n.Drawing("go", "stay")
	if leaf := d.Children[1].Children[1]; len(d.Children) != 2 || d.Children[0].Class != 1 || leaf.Class != 0 || leaf.Edge != "yes" {
		t.Errorf("drawing %+v", d)
	}
}

// The recipe's own words are the oracle.
func TestBeach(t *testing.T) {
	gone := 0
	for _, e := range EightDays() {
		if e["Beach"] == "go" {
			gone++
		}
		want := "stay"
		if e["Workday"] == "no" && (e["Sunny"] == "yes" || e["Warm"] == "yes") {
			want = "go"
		}
		if e["Beach"] != want || len(e) != 4 {
			t.Errorf("%v", e)
		}
	}
	if gone != 3 {
		t.Errorf("one goes on %d of 8 days, want 3", gone)
	}
	ds := BeachDays(5000, 2)
	if err := ds.Validate(); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for i, y := range ds.Y {
		if y != decision(ds.X.RawRowView(i)) {
			changed++
		}
	}
	if math.Abs(float64(changed)/5000-0.1) > 4*math.Sqrt(0.09/5000) {
		t.Errorf("%d of 5000 days with a change of mind", changed)
	}
	for j, c := range ds.Columns {
		counts := make([]float64, len(c.Levels))
		for _, v := range mat.Col(nil, j, ds.X) {
			counts[int(v)]++
		}
		p := 1 / float64(len(counts))
		for _, n := range counts {
			if math.Abs(n/5000-p) > 4*math.Sqrt(p*(1-p)/5000) {
				t.Errorf("%s: counts %v", c.Name, counts)
			}
		}
	}
}

// Entropies of 1/2, 1/4 and 1/4, and of all four rows apart.
func TestBitsAndFrame(t *testing.T) {
	rows := []Example{{"A": "y", "L": "go"}, {"A": "x", "L": "stay"}, {"A": "y", "L": "stay"}, {"A": "z", "L": "go"}}
	for _, tc := range []struct {
		columns []string
		want    float64
	}{{[]string{"A"}, 1.5}, {[]string{"L"}, 1}, {[]string{"A", "L"}, 2}, {nil, 0}} {
		if got := Bits(rows, tc.columns...); math.Abs(got-tc.want) > 1e-12 || math.Signbit(got) {
			t.Errorf("%q: %v Sh, want %v", tc.columns, got, tc.want)
		}
	}
	// "a" and "bc" are not "ab" and "c".
	if got := Bits([]Example{{"A": "a", "B": "bc"}, {"A": "ab", "B": "c"}}, "A", "B"); got != 1 {
		t.Errorf("two different pairs: %v Sh", got)
	}
	df := FrameOf(rows)
	if names := df.Names(); df.Nrow() != 4 || !slices.Equal(names, []string{"A", "L"}) {
		t.Errorf("%d rows, columns %q", df.Nrow(), names)
	}
	if got := df.Col("L").Records(); !slices.Equal(got, []string{"go", "stay", "stay", "go"}) {
		t.Errorf("column L: %q", got)
	}
}

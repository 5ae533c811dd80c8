package uci

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// Eight panels with the same axis, which begins at 0; the table's oracle are differences of the
// report's Table 2, by hand.
func TestCharts(t *testing.T) {
	figures, table := Charts()
	if len(figures) != 8 || len(table) != 9 {
		t.Fatal(len(figures), table)
	}
	for i, f := range figures {
		p, ok := f.(*plotx.Panel)
		if !ok || p.X.Min != 0 || p.X.Max != 118 {
			t.Errorf("panel %d: %T", i, f)
		}
		if _, err := plotx.PNG(f); err != nil {
			t.Errorf("panel %d: %v", i, err)
		}
	}
	for row, want := range map[int]string{
		0: "[figure algorithms whose car breast ecoli mushroom letter]",
		1: "[2a forest, k-NN the report's 89.2, 76.6 (+12.6) 96.0, 97.1 (-1.2) 94.9, 84.5 (+10.4) 100.0, 100.0 (0.0) 66.0, 87.4 (-21.4)]",
		3: "[2b forest, ID3 the report's 89.2, 90.3 (-1.0) 96.0, 92.9 (+3.0) 94.9, 77.6 (+17.3) 100.0, 100.0 (0.0) 66.0, 76.0 (-10.0)]",
		5: "[3a bagged NB, naive Bayes the report's 70.6, 61.7 (+8.9) 97.0, 97.3 (-0.3) 75.5, 80.6 (-5.1) 95.0, 96.4 (-1.4) 70.3, 72.5 (-2.2)]",
		7: "[3b stumps, ID3 the report's 81.4, 90.3 (-8.8) 96.3, 92.9 (+3.3) 80.3, 77.6 (+2.7) 98.5, 100.0 (-1.5) 47.5, 76.0 (-28.5)]",
	} {
		if got := fmt.Sprint(table[row]); got != want {
			t.Errorf("row %d: %s, want %s", row, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	got := valueTable([]string{"a"}, mat.NewDense(1, 5, []float64{1, 2, 3, 4, 5.25}), "%.1f")
	if fmt.Sprint(got) != "[[ car breast ecoli mushroom letter] [a 1.0 2.0 3.0 4.0 5.2]]" {
		t.Error(got)
	}
}

// Oracle: comparisons.json read by hand, and names that are not there.
func TestScoreOf(t *testing.T) {
	for _, tc := range []struct {
		set    Set
		family string
		err    error
	}{{Car, "ID3", nil}, {Letter, "gradient boosting", nil}, {Car, "oracle", mlcore.ErrConfig}, {"X", "ID3", mlcore.ErrConfig}} {
		s, err := scoreOf(tc.set, tc.family)
		if !errors.Is(err, tc.err) || err == nil && (s.Set != tc.set || s.Family != tc.family || len(s.Accuracies) != 10) {
			t.Errorf("%s, %s: %+v, %v", tc.set, tc.family, s, err)
		}
	}
	if _, err := Means([]string{"ID3", "oracle"}); !errors.Is(err, mlcore.ErrConfig) {
		t.Error(err)
	}
	if _, err := ChosenTable([]string{"oracle"}); !errors.Is(err, mlcore.ErrConfig) {
		t.Error(err)
	}
}

func TestCommonest(t *testing.T) {
	for _, tc := range []struct {
		names []string
		best  string
		times int
	}{{[]string{"a", "b", "b"}, "b", 2}, {[]string{"b", "a", "a", "b"}, "b", 2}, {nil, "", 0}} {
		if best, times := commonest(tc.names); best != tc.best || times != tc.times {
			t.Errorf("%v: %s, %d", tc.names, best, times)
		}
	}
}

// The control: 3 of 21 attributes on Mushroom and 4 of 16 on Letter, so 1 in 28.
func TestSkipControl(t *testing.T) {
	table, chance, err := SkipControl(Mushroom, Letter)
	if err != nil || math.Abs(chance-1./28) > 1e-12 {
		t.Fatal(table, chance, err)
	}
	for i, want := range []string{"mushroom 21 habitat 3 of 21", "letter 16 yegvx 4 of 16"} {
		r := table[i+1]
		if got := fmt.Sprintf("%s %s %s %s", r[0], r[1], r[3], r[4]); got != want {
			t.Errorf("%s, want %s (%v)", got, want, r)
		}
	}
	if _, _, err := SkipControl("X"); !errors.Is(err, mlcore.ErrConfig) {
		t.Error(err)
	}
}

// Oracle: the experiment itself, run in file order without the last attribute.
func TestOrderTable(t *testing.T) {
	load(t, Ecoli)
	r := mustRun(t, Experiment{
		Repeats: 1, Splitter: inFileOrder,
		Only: func(s Set, a Algorithm) bool { return s == Ecoli && a == NaiveBayes },
		Settings: func(s Set) Settings {
			c := DefaultSettings(s)
			c.SkipLast = true
			return c
		},
	})
	ours := r.Cells[0].TenTimes()
	table, err := OrderTable(Ecoli, Mushroom, Letter)
	if err != nil || len(table) != 4 {
		t.Fatal(table, err)
	}
	want := []string{"ecoli", "80.60 ± 3.93", fmt.Sprintf("%.2f ± %.2f", ours.Mean, ours.SD)}
	if !slices.Equal(table[1][:3], want) {
		t.Errorf("%q, want %q", table[1], want)
	}
	for _, line := range table[1:] {
		if slices.Contains(line, "") || line[2] == line[3] {
			t.Errorf("%q", line)
		}
	}
	if _, err := OrderTable("X"); !errors.Is(err, mlcore.ErrConfig) {
		t.Error(err)
	}
}

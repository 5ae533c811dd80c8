package uci

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
)

// Oracle: comparisons.json worked out in Python, the distribution of t by Simpson's rule. An
// algorithm beside itself differs nowhere.
func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		set             Set
		first, second   string
		want            []float64 // points, half the interval, t, p
		name            string
		paired, correct string
	}{
		{Breast, "ID3", "stumps", []float64{1.718397, 1.762241, 2.205875, 0.054813}, "breast: stumps - ID3", "0.003", "0.055"},
		{Ecoli, "k-NN", "forest", []float64{-7.884109, 4.296091, -4.151470, 0.002479}, "ecoli: forest - k-NN", "< 0.001", "0.002"},
		{Mushroom, "ID3", "stumps", []float64{0, 0.157721, 0, 1}, "mushroom: stumps - ID3", "1.000", "1.000"},
		{Car, "ID3", "ID3", []float64{0, 0, 0, 1}, "car: ID3 - ID3", "1.000", "1.000"},
	} {
		d, err := Compare(tc.set, tc.first, tc.second)
		if err != nil {
			t.Fatal(err)
		}
		if !closeTo([]float64{d.Points, d.Half, d.T, d.P()}, tc.want) || d.Pair != tc.name || d.Paired != tc.paired || d.Corrected != tc.correct {
			t.Errorf("%+v, want %+v", d, tc)
		}
		if len(d.Folds()) != 10 {
			t.Errorf("%s: %d folds", d.Pair, len(d.Folds()))
		}
	}
	for _, names := range [][2]string{{"ID3", "oracle"}, {"oracle", "ID3"}} {
		if _, err := Compare(Car, names[0], names[1]); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%v: %v", names, err)
		}
	}
}

// Ten differences whose sum is 0 but for rounding make no -0.00 in a table.
func TestCompareHasNoNegativeZero(t *testing.T) {
	d, err := Compare(Breast, "k-NN", "k-NN +")
	if err != nil || d.Points != 0 || d.T != 0 || math.Signbit(d.Points) || math.Signbit(d.T) || d.P() != 1 {
		t.Errorf("%+v, p %v, %v", d, d.P(), err)
	}
}

func closeTo(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 2e-6 })
}

func TestPText(t *testing.T) {
	for p, want := range map[float64]string{0: "< 0.001", 3e-19: "< 0.001", 0.00099: "< 0.001", 0.001: "0.001", 0.0548: "0.055", 1: "1.000"} {
		if got := PText(p); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

// By hand: of p-values 0.02, 0.04 and 0.03 the smallest fails at 0.05/3, and with it all of
// them; a fourth of 0.001 passes at 0.05/4, and the next fails at 0.05/3.
func TestAfterHolm(t *testing.T) {
	list := []Difference{{Pair: "a", p: 0.02}, {Pair: "b", p: 0.04}, {Pair: "c", p: 0.03}}
	if held, err := AfterHolm(list); err != nil || len(held) != 0 {
		t.Errorf("%v, %v", held, err)
	}
	list = append(list, Difference{Pair: "d", p: 0.001})
	if held, err := AfterHolm(list); err != nil || len(held) != 1 || held[0].Pair != "d" {
		t.Errorf("%v, %v", held, err)
	}
	if _, err := AfterHolm([]Difference{{p: math.NaN()}}); err == nil {
		t.Error("a p-value that is no number is taken")
	}
}

// Oracle: the ranks of comparisons.json worked out in Python. ID3 and the stumps tie on
// Mushroom, so Friedman's 9.542857 is divided by 1 - 6/1050.
func TestFriedman(t *testing.T) {
	six := []string{"ID3", "forest", "stumps", "naive Bayes", "bagged NB", "k-NN"}
	r, err := Friedman(six)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{3.9, 3.8, 5.1, 3, 3.6, 1.6}; !closeTo(r.AverageRanks, want) {
		t.Errorf("%v, want %v", r.AverageRanks, want)
	}
	if want := (12 * 5 / 42. * (3.9*3.9 + 3.8*3.8 + 5.1*5.1 + 3*3 + 3.6*3.6 + 1.6*1.6 - 6*49/4.)) / (1 - 6./1050); math.Abs(r.ChiSquared.Statistic-want) > 1e-9 {
		t.Errorf("%v, want %v", r.ChiSquared.Statistic, want)
	}
	if _, err := Friedman([]string{"ID3", "oracle"}); !errors.Is(err, mlcore.ErrConfig) {
		t.Error(err)
	}
}

func TestFiguresOfFamilies(t *testing.T) {
	families := []string{"ID3", "forest", "k-NN"}
	ranks, err := RankDiagram("t", families)
	if err != nil {
		t.Fatal(err)
	}
	means, table := MeansFigure("t", families)
	for _, f := range []plotx.Figure{ranks, means} {
		if _, err := plotx.PNG(f); err != nil {
			t.Error(err)
		}
	}
	if len(table) != 4 || table[2][0] != "forest" {
		t.Errorf("table %v", table)
	}
	if _, err := RankDiagram("t", []string{"oracle"}); !errors.Is(err, mlcore.ErrConfig) {
		t.Error(err)
	}
}

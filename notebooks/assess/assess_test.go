package assess

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// majority predicts the commonest class, the lowest on a tie.
func majority(train *mlcore.Dataset, X *mat.Dense) []int {
	counts := train.ClassCounts()
	n, _ := X.Dims()
	return slices.Repeat([]int{slices.Index(counts, slices.Max(counts))}, n)
}

// line is x = 0, 1, 2, ... with the given labels.
func line(y ...int) *mlcore.Dataset {
	X := mat.NewDense(len(y), 1, nil)
	for i := range y {
		X.Set(i, 0, float64(i))
	}
	return mlcore.FromMatrix(X, y, nil)
}

// Worked by hand. Left out of 0 0 0 1 1, each 0 leaves a tie, which is called 0, and
// each 1 a majority of 0. With one neighbour 0 0 1 1 is learned by heart, and left
// out each sample's nearest, the lower of two, is of its own class but for the
// third.
func TestErrors(t *testing.T) {
	nearest := Model(neighbors.Config{Neighbors: 1}.FitClassifier)
	for _, tc := range []struct {
		name string
		got  float64
		want float64
	}{
		{"error rate", ErrorRate([]int{0, 1, 1, 2}, []int{0, 1, 2, 2}), 0.25},
		{"training, majority", TrainingError(majority, line(0, 0, 0, 1, 1)), 0.4},
		{"training, one neighbour", TrainingError(nearest, line(0, 0, 1, 1)), 0},
		{"test", TestError(majority, line(0, 0, 1), line(1, 1, 0, 0)), 0.5},
		{"leave one out, majority", LeaveOneOutError(majority, line(0, 0, 0, 1, 1)), 0.4},
		{"leave one out, one neighbour", LeaveOneOutError(nearest, line(0, 0, 1, 1)), 0.25},
	} {
		if math.Abs(tc.got-tc.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

// Folds are stratified: of 8 zeros and 4 ones each of 4 folds tests 2 and 1, so that
// the majority errs on a third everywhere.
func TestCrossValidation(t *testing.T) {
	ds := line(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
	s := CrossValidation(majority, ds, 4, 3, 7)
	if len(s.Errors) != 12 || math.Abs(s.Mean()-1.0/3) > 1e-15 || s.StdDev() > 1e-15 {
		t.Errorf("%+v", s)
	}
	if got, want := s.String(), "error rate 0.333 (4 folds, 3 times)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	nearest := Model(neighbors.Config{Neighbors: 1}.FitClassifier)
	a, b := CrossValidation(nearest, ds, 4, 3, 7), CrossValidation(nearest, ds, 4, 3, 8)
	if slices.Equal(a.Errors, b.Errors) {
		t.Error("another seed gives the same folds")
	}
	if again := CrossValidation(nearest, ds, 4, 3, 7); !slices.Equal(a.Errors, again.Errors) {
		t.Error("the same seed gives other folds")
	}
}

// Differences of 0.1 and 0.2 on two folds: mean 0.15, variance 0.005; corrected
// (1/2 + 1) 0.005 = 0.0075, so t = 0.15/sqrt(0.0075) = sqrt 3. With one degree of
// freedom p = 1 - 2 atan(t)/pi = 1/3.
func TestCompare(t *testing.T) {
	scores := func(errors ...float64) Scores { return Scores{Errors: errors, Folds: len(errors), Repeats: 1} }
	c := Compare("left", scores(0.2, 0.3), "right", scores(0.1, 0.1))
	if math.Abs(c.T-math.Sqrt(3)) > 1e-12 || c.DF != 1 || math.Abs(c.P-1.0/3) > 1e-12 {
		t.Errorf("%+v", c)
	}
	many := func(low, high float64) Scores {
		return scores(slices.Repeat([]float64{low, high}, 10)...)
	}
	for _, tc := range []struct {
		name string
		c    Comparison
		want string
	}{
		{"no difference shown", c, "left 0.2500, right 0.1000: a difference of 0.1500; corrected t = 1.73 with 1 degree of freedom, p = 0.333. These folds do not show a difference."},
		{"the second is better", Compare("a", many(0.3, 0.4), "b", many(0.1, 0.1)), "p < 0.001. b has the lower error rate."},
		{"the first is better", Compare("a", many(0.1, 0.1), "b", many(0.3, 0.4)), "a has the lower error rate."},
		{"the same", Compare("a", scores(0.1, 0.2), "b", scores(0.1, 0.2)), "a 0.1500, b 0.1500: the same error rate on every fold."},
		{"no minus before 0.00", Compare("a", scores(0.1, 0.3, 0.2), "b", scores(0.2, 0.1, 0.3001)), "corrected t = 0.00 with"},
		{"no spread", Compare("a", scores(0.25, 0.5), "b", scores(0, 0.25)), "no spread to judge it by"},
	} {
		if got := tc.c.String(); !strings.Contains(got, tc.want) {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), "different folds") {
			t.Errorf("scores of different folds: %v", r)
		}
	}()
	Compare("a", Scores{Errors: []float64{1, 2}, Folds: 2, Repeats: 1, Seed: 1}, "b", scores(1, 2))
}

// The oracle is scipy 1.17: with d the differences of 4 folds, twice,
// t = d.mean() / sqrt((1/8 + 1/3) * d.var(ddof=1)) and p = 2 * stats.t.sf(t, 7).
func TestCompareRepeated(t *testing.T) {
	scores := func(errors ...float64) Scores { return Scores{Errors: errors, Folds: 4, Repeats: 2, Seed: 3} }
	c := Compare("a", scores(.25, .125, .375, .25, .5, .125, .25, .375), "b", scores(.125, .125, .25, .25, .25, .25, .125, .25))
	if math.Abs(c.T-1.0077072431089862) > 1e-12 || c.DF != 7 || math.Abs(c.P-0.34715139658848476) > 1e-12 {
		t.Errorf("%+v", c)
	}
}

// The oracle is scipy 1.17.1: with d the differences above, d.mean() -+
// stats.t.ppf(.975, 7) * sqrt((1/8 + 1/3) * d.var(ddof=1)), and without the 1/3.
func TestVerdicts(t *testing.T) {
	a, b := []float64{.25, .125, .375, .25, .5, .125, .25, .375}, []float64{.125, .125, .25, .25, .25, .25, .125, .25}
	scores := func(errors []float64) Scores { return Scores{Errors: errors, Folds: 4, Repeats: 2, Seed: 3} }
	folds, pairs := Compare("a", scores(a), "b", scores(b)), ComparePairs("a", a, "b", b)
	for _, c := range []struct {
		name         string
		got          Comparison
		lower, upper float64
	}{{"folds", folds, -0.10519835201415889, 0.2614483520141589}, {"pairs", pairs, -0.017612498201698107, 0.1738624982016981}} {
		if math.Abs(c.got.Lower-c.lower) > 1e-12 || math.Abs(c.got.Upper-c.upper) > 1e-12 || c.got.Difference != 0.078125 {
			t.Errorf("%s: %+v, want %v to %v", c.name, c.got, c.lower, c.upper)
		}
	}
	if math.Abs(pairs.P-0.09497649243577527) > 1e-12 {
		t.Errorf("p of pairs is %v", pairs.P)
	}
	same := Compare("a", scores(a), "c", scores(a))
	for _, c := range []struct {
		name string
		got  string
		want string
	}{
		{"one", Verdicts(folds), "a 0.2812, b 0.2031: a less b is 0.0781, 95 % interval -0.1052 to 0.2614 (corrected t = 1.01, df = 7, p = 0.347). No difference is shown, but any difference inside the interval is still possible."},
		{"pairs", Verdicts(pairs), "(t = 1.93, df = 7, p = 0.095)"},
		// Holm multiplies the smaller of two p-values by 2.
		{"two", Verdicts(folds, pairs), "p = 0.190)"},
		{"two, at the end", Verdicts(folds, pairs), "still possible.\n(The p-values are corrected together by Holm, for 2 comparisons; each interval is one of 95 % by itself.)"},
		{"the same model does not count", Verdicts(pairs, same), "p = 0.095). No difference is shown, but any difference inside the interval is still possible.\na 0.2812, c 0.2812: the same error rate on every fold."},
		{"a difference", Verdicts(ComparePairs("a", []float64{.3, .4, .3, .4, .3}, "b", []float64{.1, .1, .1, .1, .1})), "p < 0.001). b has the lower error rate."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s: %s\nlacks %s", c.name, c.got, c.want)
		}
	}
	if Verdicts() != "" {
		t.Error("nothing to judge has a verdict")
	}
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), "pairs are needed") {
			t.Errorf("values without pairs: %v", r)
		}
	}()
	ComparePairs("a", []float64{1}, "b", []float64{1, 2})
}

func TestCurveAndMean(t *testing.T) {
	c := Curve("square", []float64{1, 2, 3}, func(x float64) float64 { return x * x })
	if c.Name != "square" || !slices.Equal(c.Y, []float64{1, 4, 9}) {
		t.Errorf("%+v", c)
	}
	if got := Mean(4, func(seed uint64) float64 { return float64(seed) }); got != 1.5 {
		t.Errorf("mean of 0 to 3 is %v", got)
	}
}

// Error rates 0, 0 and 0.5, 0.25 have the means 0.25 and 0.125.
func TestMeanScores(t *testing.T) {
	scores := func(seed uint64) Scores {
		return Scores{Errors: []float64{0.5 * float64(seed), 0.25 * float64(seed)}, Folds: 2, Repeats: 1, Seed: 9}
	}
	if got := MeanScores(2, scores); !slices.Equal(got.Errors, []float64{0.25, 0.125}) || got.Folds != 2 || got.Seed != 9 {
		t.Errorf("%+v", got)
	}
	defer func() {
		if r := recover(); !strings.Contains(fmt.Sprint(r), "different folds") {
			t.Errorf("scores of different folds: %v", r)
		}
	}()
	MeanScores(2, func(seed uint64) Scores { return Scores{Errors: []float64{0}, Folds: 1, Repeats: 1, Seed: seed} })
}

func TestClassMap(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	f := ClassMap(majority, mlcore.FromMatrix(X, []int{0, 0, 1, 0}, nil), "Majority")
	if _, err := plotx.PNG(f); err != nil {
		t.Error(err)
	}
}

// Of several panics that of the lowest number arrives, in the caller's goroutine.
func TestPanicReachesTheCaller(t *testing.T) {
	defer func() {
		if r := recover(); r != "row 3" {
			t.Errorf("recovered %v", r)
		}
	}()
	inParallel(50, func(i int) {
		if i >= 3 {
			panic(fmt.Sprint("row ", i))
		}
	})
}

func TestHoldOut(t *testing.T) {
	train, test := HoldOut(line(0, 1, 0, 1, 0), 3)
	if got := mat.Col(nil, 0, test.X); !slices.Equal(got, []float64{0, 3}) {
		t.Errorf("for testing %v, want rows 0 and 3", got)
	}
	if got := mat.Col(nil, 0, train.X); !slices.Equal(got, []float64{1, 2, 4}) {
		t.Errorf("for training %v, want rows 1, 2 and 4", got)
	}
}

func TestPlane(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{0, 10, 2, 30})
	got := Plane(mlcore.FromMatrix(X, []int{0, 1}, nil), 3)
	want := mat.NewDense(9, 2, []float64{0, 10, 1, 10, 2, 10, 0, 20, 1, 20, 2, 20, 0, 30, 1, 30, 2, 30})
	if !mat.Equal(got.X, want) || len(got.Y) != 9 || got.Validate() != nil {
		t.Errorf("%v", mat.Formatted(got.X))
	}
}

func TestSeconds(t *testing.T) {
	runs := 0
	if s := Seconds(func() { runs++ }); runs != 4 || s < 0 {
		t.Errorf("%d runs, %v seconds", runs, s)
	}
}

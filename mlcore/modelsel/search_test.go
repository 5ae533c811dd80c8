package modelsel_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
)

// settings is a configuration of a learner that predicts right on the rows that
// right says.
type settings struct {
	Depth int
	Rate  float64
	Kind  string
}

func TestGrid(t *testing.T) {
	grid := modelsel.Grid(settings{Kind: "base", Rate: 9},
		modelsel.Vary("depth", func(c *settings, v int) { c.Depth = v }, 1, 2),
		modelsel.Vary("rate", func(c *settings, v float64) { c.Rate = v }, 0.5, 1, 2))
	var says []string
	for _, c := range grid {
		says = append(says, c.String())
		if want := fmt.Sprintf("depth=%d rate=%v", c.Config.Depth, c.Config.Rate); c.String() != want || c.Config.Kind != "base" {
			t.Errorf("%+v says %q", c.Config, c)
		}
	}
	if want := []string{"depth=1 rate=0.5", "depth=1 rate=1", "depth=1 rate=2", "depth=2 rate=0.5", "depth=2 rate=1", "depth=2 rate=2"}; !slices.Equal(says, want) {
		t.Errorf("%q, want %q", says, want)
	}
	if one := modelsel.Grid(settings{Depth: 3}); len(one) != 1 || one[0].Config.Depth != 3 || one[0].String() != "" {
		t.Errorf("no axes: %+v, want the base alone", one)
	}
	if none := modelsel.Grid(settings{}, modelsel.Vary("depth", func(c *settings, v int) { c.Depth = v })); len(none) != 0 {
		t.Errorf("an axis without values: %+v", none)
	}
}

func TestRandom(t *testing.T) {
	draws := func(seed uint64, n int) []modelsel.Candidate[settings] {
		list, err := modelsel.Random(n, seed, settings{},
			modelsel.DrawFrom("depth", func(c *settings, v int) { c.Depth = v }, modelsel.IntRange(-2, 2)),
			modelsel.DrawFrom("rate", func(c *settings, v float64) { c.Rate = v }, modelsel.LogUniform(1e-3, 1e3)),
			modelsel.DrawFrom("kind", func(c *settings, v string) { c.Kind = v }, modelsel.Choice("a", "b")))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	const n = 6000
	list := draws(1, n)
	depths, kinds, decades := map[int]int{}, map[string]int{}, map[int]int{}
	for _, c := range list {
		depths[c.Config.Depth]++
		kinds[c.Config.Kind]++
		decades[int(math.Floor(math.Log10(c.Config.Rate)))]++
		if want := fmt.Sprintf("depth=%d rate=%.4g kind=%s", c.Config.Depth, c.Config.Rate, c.Config.Kind); c.String() != want {
			t.Fatalf("%q, want %q", c, want)
		}
	}
	// Counts of equally likely outcomes, each within five standard deviations.
	even := func(name string, counts []int, outcomes int) {
		t.Helper()
		p := 1 / float64(outcomes)
		if len(counts) != outcomes {
			t.Errorf("%s: %d outcomes, want %d", name, len(counts), outcomes)
		}
		for _, c := range counts {
			if math.Abs(float64(c)-n*p) > 5*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%s: counts %v, want about %v each", name, counts, n*p)
			}
		}
	}
	even("depth", []int{depths[-2], depths[-1], depths[0], depths[1], depths[2]}, len(depths))
	even("kind", []int{kinds["a"], kinds["b"]}, len(kinds))
	even("decade of rate", []int{decades[-3], decades[-2], decades[-1], decades[0], decades[1], decades[2]}, len(decades))
	if !reflect.DeepEqual(draws(1, 10), list[:10]) {
		t.Error("a shorter list is not the beginning of a longer one")
	}
	if reflect.DeepEqual(draws(2, 10), list[:10]) {
		t.Error("another seed draws the same")
	}
	uniform, err := modelsel.Random(n, 3, settings{}, modelsel.DrawFrom("rate", func(c *settings, v float64) { c.Rate = v }, modelsel.Uniform(-1, 3)))
	if err != nil {
		t.Fatal(err)
	}
	quarters := make([]int, 4)
	for _, c := range uniform {
		quarters[int(math.Floor(c.Config.Rate))+1]++
	}
	even("uniform", quarters, 4)
}

// The upper end is left out, as the comment says, also where low + u (high - low) with
// u < 1 would be rounded up to it.
func TestUniformLeavesItsEndOut(t *testing.T) {
	for _, tc := range [][2]float64{{1, 1 + 0x1p-52}, {1, 1 + 0x1p-51}, {-1 - 0x1p-52, -1}, {0, math.SmallestNonzeroFloat64}, {1e300, math.Nextafter(1e300, 2e300)}} {
		list, err := modelsel.Random(100, 1, settings{}, modelsel.DrawFrom("rate", func(c *settings, v float64) { c.Rate = v }, modelsel.Uniform(tc[0], tc[1])))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			if v := c.Config.Rate; !(v >= tc[0] && v < tc[1]) {
				t.Errorf("Uniform(%v, %v) drew %v", tc[0], tc[1], v)
				break
			}
		}
	}
}

// fold i of k tests rows 4i to 4i+3, of which a candidate gets right[i] right.
func fitScripted(right []int, ds *mlcore.Dataset) (echo, error) {
	return func(row int) int {
		if row%4 < right[row/4] {
			return 0
		}
		return 1
	}, nil
}

func TestChoice(t *testing.T) {
	// Three folds of four rows, all of class 0, and the rows that each candidate
	// gets right in them. Means 1/2, 2/3, 5/6, 5/6, 5/6: the last three tie, two in
	// another order of folds. The best has SD 1/4·√(1/3) = 0.1443, SE 0.0833: within
	// it are means of 3/4 and more.
	scripted := [][]int{{2, 2, 2}, {2, 3, 3}, {4, 3, 3}, {3, 4, 3}, {3, 3, 4}}
	nearly := append([][]int{{3, 3, 3}}, scripted...)
	for _, tc := range []struct {
		name       string
		candidates [][]int
		opt        modelsel.SearchOptions
		best       int
		ranks      []int
	}{
		{"ties go to the first", scripted, modelsel.SearchOptions{}, 2, []int{5, 4, 1, 1, 1}},
		{"one standard error, none near", scripted, modelsel.SearchOptions{OneStandardError: true}, 2, []int{5, 4, 1, 1, 1}},
		{"one standard error", nearly, modelsel.SearchOptions{OneStandardError: true}, 0, []int{4, 6, 5, 1, 1, 1}},
		{"without it", nearly, modelsel.SearchOptions{}, 3, []int{4, 6, 5, 1, 1, 1}},
		{"lower is better", scripted, modelsel.SearchOptions{Options: modelsel.Options{Scorers: []modelsel.Scorer{modelsel.ErrorRate}}}, 2, []int{5, 4, 1, 1, 1}},
		{"one standard error of a loss", nearly, modelsel.SearchOptions{Options: modelsel.Options{Scorers: []modelsel.Scorer{modelsel.ErrorRate}}, OneStandardError: true}, 0, []int{4, 6, 5, 1, 1, 1}},
		{"the first scorer decides", scripted, modelsel.SearchOptions{Options: modelsel.Options{Scorers: []modelsel.Scorer{{Name: "none", Labels: func([]int, []int, []float64) (float64, error) { return 0, nil }}, modelsel.Accuracy}}}, 0, []int{1, 1, 1, 1, 1}},
	} {
		tc.opt.Splitter, tc.opt.NoRefit = modelsel.KFold{Folds: 3}, true
		r, err := modelsel.Search(fitScripted, modelsel.List(tc.candidates...), mlcore.FromMatrix(numbered(12), make([]int, 12), nil), tc.opt)
		if err != nil {
			t.Fatal(err)
		}
		var ranks []int
		for _, row := range r.Table {
			ranks = append(ranks, row.Rank)
		}
		if r.Best != tc.best || !slices.Equal(ranks, tc.ranks) || r.Model != nil {
			t.Errorf("%s: best %d, ranks %v; want %d, %v", tc.name, r.Best, ranks, tc.best, tc.ranks)
		}
		if got := r.Chosen(); !slices.Equal(got.Config, tc.candidates[tc.best]) {
			t.Errorf("%s: chosen %v", tc.name, got.Config)
		}
	}
}

// Fold scores 0.1, 0.2, 0.3 add up to more than 0.3, 0.2, 0.1 in floating point, and
// are no better.
func TestRoundingDoesNotChoose(t *testing.T) {
	tenths := modelsel.Scorer{Name: "tenths", Labels: func(_, predicted []int, _ []float64) (float64, error) {
		return float64(predicted[0]) / 10, nil
	}}
	fit := func(right []int, _ *mlcore.Dataset) (echo, error) {
		return func(row int) int { return right[row] }, nil
	}
	r, err := modelsel.Search(fit, modelsel.List([]int{3, 2, 1}, []int{1, 2, 3}), mlcore.FromMatrix(numbered(3), []int{0, 0, 0}, nil), modelsel.SearchOptions{
		Options: modelsel.Options{Splitter: modelsel.LeaveOneOut{}, Scorers: []modelsel.Scorer{tenths}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Table[1].Scores[0].Mean() <= r.Table[0].Scores[0].Mean() {
		t.Fatal("the means do not differ by rounding: the test tests nothing")
	}
	if r.Best != 0 || r.Table[0].Rank != 1 || r.Table[1].Rank != 1 {
		t.Errorf("best %d, ranks %d and %d; want the first of two equals", r.Best, r.Table[0].Rank, r.Table[1].Rank)
	}
}

// The rows of every fit within an outer fold: none of its test rows.
func TestNestedSearchSeesNoTestRow(t *testing.T) {
	const n, k = 30, 5
	outer := modelsel.KFold{Folds: k}
	folds := mustSplit(t, outer, modelsel.Rows{N: n})
	search := func(candidates []modelsel.Candidate[int], s *spy, rotate bool) error {
		fit := func(_ int, ds *mlcore.Dataset) (echo, error) { return s.fit(ds.X, ds.Y, ds.Weights) }
		opt := modelsel.NestedOptions{Options: modelsel.Options{Splitter: outer, Workers: 1}}
		if rotate {
			_, err := modelsel.RotatingCrossValidate(fit, candidates, mlcore.FromMatrix(numbered(n), make([]int, n), nil), opt)
			return err
		}
		opt.Inner = modelsel.KFold{Folds: 3}
		_, err := modelsel.NestedCrossValidate(fit, candidates, mlcore.FromMatrix(numbered(n), make([]int, n), nil), opt)
		return err
	}
	for _, tc := range []struct {
		rotate     bool
		fitsAFold  int
		rows, last int // of the fits that compare, of the one that is tested
	}{
		{false, 2*3 + 1, 16, 24},
		{true, 2 + 1, 18, 18},
	} {
		s := new(spy)
		if err := search(modelsel.List(1, 2), s, tc.rotate); err != nil {
			t.Fatal(err)
		}
		if len(s.fits) != k*tc.fitsAFold {
			t.Fatalf("%d fits, want %d", len(s.fits), k*tc.fitsAFold)
		}
		for f, rows := range s.fits {
			fold, want := f/tc.fitsAFold, tc.rows
			if f%tc.fitsAFold == tc.fitsAFold-1 {
				want = tc.last
			}
			if len(rows) != want {
				t.Errorf("rotate %v, fit %d has %d rows, want %d", tc.rotate, f, len(rows), want)
			}
			for _, r := range rows {
				if slices.Contains(folds.At(fold).Test, r) || (tc.rotate && slices.Contains(folds.At((fold+1)%k).Test, r)) {
					t.Fatalf("rotate %v, fold %d: fit %d is given row %d", tc.rotate, fold, f, r)
				}
			}
		}
	}
}

// Groups stay together in the inner folds too.
func TestNestedGroups(t *testing.T) {
	const n = 36
	groups := make([]int, n)
	for i := range groups {
		groups[i] = i % 9
	}
	s := new(spy)
	fit := func(_ int, ds *mlcore.Dataset) (echo, error) { return s.fit(ds.X, ds.Y, ds.Weights) }
	_, err := modelsel.NestedCrossValidate(fit, modelsel.List(1), mlcore.FromMatrix(numbered(n), make([]int, n), nil), modelsel.NestedOptions{
		Options: modelsel.Options{Splitter: modelsel.GroupKFold{Folds: 3}, Groups: groups}, Inner: modelsel.GroupKFold{Folds: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range s.fits {
		counts := make([]int, 9)
		for _, r := range rows {
			counts[groups[r]]++
		}
		for g, c := range counts {
			if c != 0 && c != 4 {
				t.Errorf("a fit has %d of the 4 rows of group %d", c, g)
			}
		}
	}
}

// Each share of the training rows holds the smaller ones, and all folds have as
// many.
func TestLearningCurveTakesEverMore(t *testing.T) {
	const n = 23
	s := new(spy)
	opt := modelsel.LearningCurveOptions{Options: modelsel.Options{Splitter: modelsel.KFold{Folds: 3}, Workers: 1}, TrainSizes: []float64{0.01, 0.4, 1}, Seed: 6}
	c, err := modelsel.LearningCurve(mlcore.OnMatrix(s.fit), mlcore.FromMatrix(numbered(n), make([]int, n), nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 6, 15}; !slices.Equal(c.X, want) {
		t.Errorf("sizes %v, want %v", c.X, want)
	}
	for f := 0; f < len(s.fits); f += 3 {
		small, middle, all := s.fits[f], s.fits[f+1], s.fits[f+2]
		if !slices.Equal(small, all[:1]) || !slices.Equal(middle, all[:6]) || len(all) != 15 || slices.IsSorted(all) {
			t.Errorf("fold %d: %v, %v, %v", f/3, small, middle, all)
		}
	}
	test, sds := c.Test()
	train, _ := c.Train()
	for i := range c.X {
		if test[i] != 1 || train[i] != 1 || sds[i] != 0 {
			t.Errorf("at %v rows: test %v ± %v, training %v, want 1", c.X[i], test[i], sds[i], train[i])
		}
	}
}

// Shuffling the training rows of a fold is not to change the folds, which others may
// use at the same time.
func TestLearningCurveLeavesFoldsAsTheyAre(t *testing.T) {
	folds := modelsel.Predefined{{Train: []int{0, 1, 2, 3, 4, 5, 6, 7}, Test: []int{8, 9}}}
	opt := modelsel.LearningCurveOptions{Options: modelsel.Options{Splitter: folds}}
	if _, err := modelsel.LearningCurve(mlcore.OnMatrix(new(spy).fit), mlcore.FromMatrix(numbered(10), make([]int, 10), nil), opt); err != nil {
		t.Fatal(err)
	}
	if want := allRows(8); !slices.Equal(folds[0].Train, want) {
		t.Errorf("training rows %v, want %v", folds[0].Train, want)
	}
}

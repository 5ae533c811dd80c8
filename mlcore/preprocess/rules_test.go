package preprocess_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// made is what a step makes of rows after it was fitted to them.
func made(t *testing.T, step preprocess.Step, ds *mlcore.Dataset) (preprocess.Transformer, *mlcore.Dataset) {
	t.Helper()
	f, err := step.FitStep(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Transformer.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	return f.Transformer, out
}

// mixed is a category between two numbers, some of each missing, by hand.
func mixed() *mlcore.Dataset {
	nan := math.NaN()
	return &mlcore.Dataset{
		X: mat.NewDense(6, 3, []float64{
			1, 0, 10,
			2, 1, nan,
			3, 1, 30,
			nan, 2, 40,
			5, nan, 50,
			6, 1, 60,
		}),
		Columns: []mlcore.Column{{Name: "a"}, {Name: "b", Levels: []string{"red", "green", "blue"}}, {Name: "c"}},
		Target:  []float64{1, 2, 4, 8, 16, 6},
	}
}

// By hand: a category is imputed by its mode whatever the Strategy, 0 of 0, 0, 0, 1, 1, 2, 2,
// whose median is 1 and whose mean is 6/7, and what is missing in a column that is not named
// stays missing.
func TestImputerOfCategoriesAndOfSomeColumns(t *testing.T) {
	for strategy, a := range map[preprocess.Strategy]float64{preprocess.Mean: 17. / 5, preprocess.Median: 3} {
		_, out := made(t, preprocess.ImputerConfig{Strategy: strategy, Columns: []string{"a", "b"}}, mixed())
		if got := out.X.At(3, 0); math.Abs(got-a) > 1e-12 || out.X.At(4, 1) != 1 {
			t.Errorf("strategy %v: %v and category %v, want %v and 1", strategy, got, out.X.At(4, 1), a)
		}
		if v := out.X.At(1, 2); !math.IsNaN(v) {
			t.Errorf("strategy %v: column c is not to be imputed and has %v", strategy, v)
		}
		codes := &mlcore.Dataset{X: mat.NewDense(8, 1, []float64{0, 2, 0, 1, 1, 2, 0, math.NaN()}), Columns: mixed().Columns[1:2]}
		if _, out := made(t, preprocess.ImputerConfig{Strategy: strategy}, codes); out.X.At(7, 0) != 0 {
			t.Errorf("strategy %v: category %v, want 0", strategy, out.X.At(7, 0))
		}
	}
}

// By hand: an encoded column stands between two that stay as they are. Without smoothing
// the levels are the means 1 of red, 4 of green and 8 of blue, 16 of missing, and 37/6, the
// mean of all rows, is an unknown category.
func TestEncodersBetweenNumbers(t *testing.T) {
	whole := mixed().Subset([]int{0, 2, 5})
	_, out := made(t, preprocess.OneHotConfig{}, whole)
	if want := mat.NewDense(3, 4, []float64{1, 1, 0, 10, 3, 0, 1, 30, 6, 0, 1, 60}); !mat.Equal(out.X, want) {
		t.Errorf("one-hot\n%v", mat.Formatted(out.X))
	}
	ds := mixed()
	m, err := preprocess.TargetEncoderConfig{Smooth: preprocess.PriorRows(0)}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range m.Columns() {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("columns %v", names)
	}
	got, err := m.TransformRows(mat.NewDense(5, 3, []float64{-1, 0, -2, -3, 1, -4, -5, 2, -6, -7, math.NaN(), -8, -9, 3, -10}))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range []float64{1, 4, 8, 16, 37. / 6} {
		if want := []float64{float64(-1 - 2*i), b, float64(-2 - 2*i)}; math.Abs(got.At(i, 1)-b) > 1e-12 || got.At(i, 0) != want[0] || got.At(i, 2) != want[2] {
			t.Errorf("row %d becomes %v, want %v", i, got.RawRowView(i), want)
		}
	}
}

// Numbers in another unit have encodings and F scores in that unit, also where squares leave
// the range of float64 and where the last row, of the mean of all, says nothing of the unit.
// A power of two changes no digit.
func TestTargetsAndScoresInAnyUnit(t *testing.T) {
	at := func(unit float64) ([]float64, []float64) {
		X := mat.NewDense(6, 2, []float64{0, 1, 0, 2, 1, 4, 1, -3, 0, -4, 1, 0})
		X.Apply(func(_, j int, v float64) float64 {
			if j == 1 {
				return v * unit
			}
			return v
		}, X)
		ds := &mlcore.Dataset{X: X, Columns: []mlcore.Column{{Name: "b", Levels: []string{"x", "y"}}, {Name: "v"}}}
		for _, y := range []float64{3, 5, -1, -4, -3, 0} {
			ds.Target = append(ds.Target, y*unit)
		}
		m, err := preprocess.TargetEncoderConfig{}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		codes := m.Encodings(0).RawMatrix().Data
		for i := range codes {
			codes[i] /= unit
		}
		s, err := preprocess.SelectConfig{}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		return codes, s.Scores()
	}
	codes, scores := at(1)
	for _, unit := range []float64{0x1p-700, 0x1p-400, 0x1p400, 0x1p700} {
		c, s := at(unit)
		for i := range codes {
			if !near(c[i], codes[i]) {
				t.Errorf("in units of %v: encodings %v, want %v", unit, c, codes)
				break
			}
		}
		if !near(s[1], scores[1]) {
			t.Errorf("in units of %v: F %v, want %v", unit, s, scores)
		}
	}
	// A constant target has nothing to do with any column.
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{1, 2, 3, 5}), []float64{7, 7, 7, 7}, nil)
	if m, err := (preprocess.SelectConfig{}).Fit(ds); err != nil || m.Scores()[0] != 0 || m.PValues()[0] != 1 {
		t.Errorf("a constant target: %v, %v (%v)", m.Scores(), m.PValues(), err)
	}
}

// By hand. 999997 and 1000003 have the mean 1000000 and the standard deviation 3; a column of
// zeros keeps its zeros; -1 to 0 is a range, though one end is 0; the Scale of a column that
// is not scaled is 1, its Shift 0; and a range beyond the greatest number is an error.
func TestScalersByHand(t *testing.T) {
	ds := mlcore.FromMatrix[int](mat.NewDense(2, 3, []float64{999997, 0, 4, 1000003, 0, 8}), nil, nil)
	scaler, out := made(t, preprocess.StandardScalerConfig{Columns: []string{"x0", "x1"}}, ds)
	if want := mat.NewDense(2, 3, []float64{-1, 0, 4, 1, 0, 8}); !mat.EqualApprox(out.X, want, 1e-9) {
		t.Errorf("standardised\n%v", mat.Formatted(out.X))
	}
	if s := scaler.(*preprocess.Scaler); s.Scale()[2] != 1 || s.Shift()[2] != 0 || s.Scale()[1] != 1 || math.Abs(s.Scale()[0]-3) > 1e-9 {
		t.Errorf("scales %v, shifts %v", s.Scale(), s.Shift())
	}
	_, out = made(t, preprocess.MinMaxScalerConfig{Min: -1, Max: 0}, ds)
	if want := mat.NewDense(2, 3, []float64{-1, -1, -1, 0, -1, 0}); !mat.EqualApprox(out.X, want, 1e-12) {
		t.Errorf("from -1 to 0\n%v", mat.Formatted(out.X))
	}
	wide := mlcore.FromMatrix[int](mat.NewDense(2, 1, []float64{-1.7e308, 1.7e308}), nil, nil)
	if _, err := (preprocess.MinMaxScalerConfig{}).Fit(wide); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("a range beyond the greatest number: %v", err)
	}
}

// A PCA that was never fitted has no components, of no length.
func TestZeroPCA(t *testing.T) {
	if r, c := new(preprocess.PCA).Components().Dims(); r != 0 || c != 0 {
		t.Errorf("a zero PCA has %d×%d loadings", r, c)
	}
}

// By hand: a column that does not vary explains nothing, the other all, so that one component
// has the whole variance. Rows that are all alike have components, of no variance.
func TestComponentsOfConstantColumns(t *testing.T) {
	ds := mlcore.FromMatrix[int](mat.NewDense(3, 2, []float64{-2, 7, 0, 7, 2, 7}), nil, nil)
	m, _ := made(t, preprocess.PCAConfig{Share: 1}, ds)
	if v := m.(*preprocess.PCA).ExplainedVariance(); len(v) != 1 || math.Abs(v[0]-4) > 1e-12 {
		t.Errorf("the whole variance is in %v, want 4 alone", v)
	}
	for _, d := range []int{1, 2, 60} {
		alike := mat.NewDense(3, d, slices.Repeat([]float64{2.5}, 3*d))
		m, out := made(t, preprocess.PCAConfig{}, mlcore.FromMatrix[int](alike, nil, nil))
		for k, v := range m.(*preprocess.PCA).ExplainedVarianceRatio() {
			if v != 0 || out.X.At(1, k) != 0 {
				t.Errorf("%d columns that do not vary: component %d explains %v, score %v", d, k, v, out.X.At(1, k))
			}
		}
	}
	// The column that is not analysed comes first and stays.
	if _, out := made(t, preprocess.PCAConfig{Columns: []string{"x1"}}, ds); out.X.At(2, 0) != 2 || out.X.At(2, 1) != 0 {
		t.Errorf("rows\n%v", mat.Formatted(out.X))
	}
	// Both columns rise together: the first component of such a row is beyond float64.
	m, _ = made(t, preprocess.PCAConfig{}, mlcore.FromMatrix[int](mat.NewDense(3, 2, []float64{1, 1, 2, 2, 3, 3}), nil, nil))
	if _, err := m.TransformRows(mat.NewDense(1, 2, []float64{1.7e308, 1.7e308})); !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "component 1 overflows") {
		t.Errorf("a row far away: %v", err)
	}
}

// The cut between two numbers next to each other is the upper one: a value on a cut belongs
// to the interval above it. A column that is one interval has the level "all". Cuts are
// within the range also where halves of the ends round up, as of 1 and 3 times the least
// number.
func TestCutsByHand(t *testing.T) {
	next := math.Nextafter(1, 2)
	x, y := slices.Repeat([]float64{1}, 10), make([]int, 20)
	for i := range 10 {
		x, y[10+i] = append(x, next), 1
	}
	m, _ := made(t, preprocess.DiscretizerConfig{Strategy: preprocess.MDL}, oneColumn(x, y))
	if cuts := m.(*preprocess.Discretizer).Cuts(0); !slices.Equal(cuts, []float64{next}) {
		t.Errorf("cuts %v, want %v", cuts, next)
	}
	for _, strategy := range []preprocess.BinStrategy{preprocess.UniformBins, preprocess.QuantileBins, preprocess.MDL} {
		m, _ := made(t, preprocess.DiscretizerConfig{Strategy: strategy}, oneColumn([]float64{4, 4, 4}, []int{0, 1, 1}))
		if levels := m.Columns()[0].Levels; !slices.Equal(levels, []string{"all"}) {
			t.Errorf("%v: levels %q of a constant", strategy, levels)
		}
	}
	least, greatest := 1*math.SmallestNonzeroFloat64, 3*math.SmallestNonzeroFloat64
	m, _ = made(t, preprocess.DiscretizerConfig{Bins: 3}, oneColumn([]float64{least, greatest}, []int{0, 1}))
	for _, cut := range m.(*preprocess.Discretizer).Cuts(0) {
		if !(cut > least && cut <= greatest) {
			t.Errorf("cut %v leaves an interval between %v and %v empty", cut, least, greatest)
		}
	}
}

// By hand, Ross's estimate: two categories of the rows 0 and 1 and of 10 and 11 have one
// neighbour each, and the next row of all is no nearer: ψ(4) + ψ(1) - ψ(2) - ψ(1), which is
// 1/2 + 1/3. A row whose category no other has takes no part. Information is never below 0:
// of categories in all combinations there is none.
func TestInformationByHand(t *testing.T) {
	score := func(ds *mlcore.Dataset) float64 {
		m, err := preprocess.SelectConfig{Score: preprocess.MutualInformation}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		return m.Scores()[0]
	}
	for _, c := range []struct {
		x []float64
		y []int
	}{{[]float64{0, 1, 10, 11}, []int{0, 0, 1, 1}}, {[]float64{0, 1, 10, 11, 5}, []int{0, 0, 1, 1, 2}}, {[]float64{0, 1, 10.75, 11, 10.5}, []int{0, 0, 2, 2, 1}}} {
		if got := score(oneColumn(c.x, c.y)); math.Abs(got-5./6) > 1e-9 {
			t.Errorf("%v: information %v, want 5/6", c, got)
		}
	}
	for rows := 2; rows <= 9; rows++ {
		for columns := 2; columns <= 9; columns++ {
			var x []float64
			var y []int
			for i := range rows * columns {
				for range (i%rows + 1) * (i/rows + 2) { // as often as the two are by themselves
					x, y = append(x, float64(i%rows)), append(y, i/rows)
				}
			}
			ds := oneColumn(x, y)
			for l := range rows {
				ds.Columns[0].Levels = append(ds.Columns[0].Levels, fmt.Sprint(l))
			}
			if got := score(ds); !(got >= 0 && got < 1e-12) || math.Signbit(got) && got != 0 {
				t.Errorf("%d by %d categories in all combinations: information %v", rows, columns, got)
			}
		}
	}
}

// By hand: the second row is nearer to the query at 1e200 than the first at -1e200, though
// squares overflow. Of rows that are equally far the first is taken: with two neighbours
// the nearer third row leaves place for the first alone.
func TestNeighboursOfGaps(t *testing.T) {
	for _, unit := range []float64{1, 1e200, 1e-200} {
		if got := imputed(t, preprocess.KNNImputerConfig{Neighbors: 1}, mat.NewDense(2, 2, []float64{5, -unit, 7, 0.5 * unit}), unit); got != 7 {
			t.Errorf("in units of %v: %v, want 7", unit, got)
		}
	}
	if got := imputed(t, preprocess.KNNImputerConfig{Neighbors: 2}, mat.NewDense(3, 2, []float64{10, 2, 20, -2, 30, 1}), 0); got != 20 {
		t.Errorf("%v, want 20, the mean of the first and the third row", got)
	}
}

// The draws of DownSampleConfig: over seeds, each row of the larger class is kept as often
// as the others, within five standard deviations of a binomial share of 2/6.
func TestDownSampleDraws(t *testing.T) {
	ds := oneColumn(make([]float64, 8), []int{0, 1, 1, 1, 0, 1, 1, 1})
	const draws = 3000
	counts := make([]float64, 8)
	for seed := range uint64(draws) {
		rows, err := preprocess.DownSampleConfig{Seed: seed}.Rows(ds)
		if err != nil || len(rows) != 4 || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 4 {
			t.Fatalf("rows %v (%v)", rows, err)
		}
		for _, i := range rows {
			counts[i]++
		}
	}
	for i, n := range counts {
		want := 1. / 3
		if ds.Y[i] == 0 {
			want = 1
		}
		if got := n / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
			t.Errorf("row %d is kept with %v, want %v", i, got, want)
		}
	}
}

// Of many columns, the most important are kept and the first among equals, as a stable sort
// has it; more than a dozen, since short lists are sorted in another way.
func TestManyColumnsInOrder(t *testing.T) {
	const d = 60
	X := mat.NewDense(2*d, d, nil)
	y := make([]int, 2*d)
	for i := range y {
		y[i] = i % 2
		for j := range d {
			X.Set(i, j, float64((i*(j+3)+j*j)%17))
		}
		X.Set(i, 50, float64(i%2)+0.001*float64(i%3))
	}
	importance := func(j int) float64 { return float64(j * 7 % 10) }
	order := make([]int, d)
	for j := range order {
		order[j] = j
	}
	sort.SliceStable(order, func(a, b int) bool { return importance(order[a]) > importance(order[b]) })
	want := slices.Sorted(slices.Values(order[:15]))
	ds := mlcore.FromMatrix(X, y, nil)
	m, err := preprocess.RFEConfig{Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.FitClassifier), FeaturesToSelect: 15, Step: d - 15,
		Importances: func(any) ([]float64, error) {
			v := make([]float64, d)
			for j := range v {
				v[j] = importance(j)
			}
			return v, nil
		}}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Kept(); !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
	// The same of scores: the columns are four alike, again and again.
	for j := range d {
		for i := range y {
			X.Set(i, j, X.At(i, 50)*float64(j%4)+float64((j%4+1)*(i%5)))
		}
	}
	s, err := preprocess.SelectConfig{K: 20}.Fit(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	scores := s.Scores()
	sort.SliceStable(order, func(a, b int) bool {
		if scores[order[a]] == scores[order[b]] {
			return order[a] < order[b]
		}
		return scores[order[a]] > scores[order[b]]
	})
	if got, want := s.Kept(), slices.Sorted(slices.Values(order[:20])); !slices.Equal(got, want) {
		t.Errorf("selected %v, want %v", got, want)
	}
	if s, err = (preprocess.SelectConfig{}).Fit(mlcore.FromMatrix(X, y, nil)); err != nil || len(s.Kept()) != 10 {
		t.Errorf("%d columns by default (%v), want 10", len(s.Kept()), err)
	}
}

// Settings of elimination by their documentation: half of the columns but at least one, a
// share that is less than one column is one, as many columns may be kept as there are, and
// the numbers of columns of a curve end at the least.
func TestEliminationSettings(t *testing.T) {
	X := mat.NewDense(40, 5, nil)
	y, target := make([]int, 40), make([]float64, 40)
	rng := mlcore.NewRand(3)
	for i := range y {
		for j := range 5 {
			X.Set(i, j, rng.NormFloat64())
		}
		target[i] = 2*X.At(i, 1) + X.At(i, 3) + 0.1*rng.NormFloat64()
		if target[i] > 0 {
			y[i] = 1
		}
	}
	classes, numbers := mlcore.FromMatrix(X, y, nil), mlcore.FromMatrix(X, target, nil)
	stump := mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier)
	line := mlcore.LearnRegressor(linear.RidgeConfig{}.FitRegressor)
	alone := mlcore.FromMatrix(mat.DenseCopyOf(X.Slice(0, 40, 1, 2)), y, nil)
	if m, err := (preprocess.RFEConfig{Learner: stump}).Fit(alone); err != nil || !slices.Equal(m.Kept(), []int{0}) {
		t.Errorf("of one column %v is kept (%v)", m, err)
	}
	if m, err := (preprocess.RFEConfig{Learner: stump, StepShare: 0.1, FeaturesToSelect: 3}).Fit(classes); err != nil || len(m.Kept()) != 3 || slices.Max(m.Ranking()) != 3 {
		t.Errorf("a tenth of five columns at a time: %v", err)
	}
	nothing := preprocess.RFEConfig{Learner: stump, Importances: func(any) ([]float64, error) { return nil, nil }}
	if _, err := nothing.Fit(classes); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("Importances that says nothing: %v", err)
	}
	if _, err := (preprocess.RFECVConfig{Learner: stump, MinFeaturesToSelect: -1}).Fit(classes); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("MinFeaturesToSelect -1: %v", err)
	}
	if _, err := (preprocess.SelectConfig{FDR: -0.1}).Fit(classes); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "FDR is -0.1") {
		t.Errorf("FDR -0.1: %v", err)
	}
	if m, err := (preprocess.RFECVConfig{Learner: stump, MinFeaturesToSelect: 5}).Fit(classes); err != nil || len(m.Kept()) != 5 {
		t.Errorf("as many columns as there are: %v", err)
	}
	for _, c := range []struct {
		name        string
		cfg, same   preprocess.RFECVConfig
		ds          *mlcore.Dataset
		scorer      string
		numbersOfXs []float64
	}{
		{"classes", preprocess.RFECVConfig{Learner: stump, Step: 3}, preprocess.RFECVConfig{Learner: stump, Step: 3, Splitter: modelsel.StratifiedKFold{Shuffle: true}}, classes, modelsel.Accuracy.Name, []float64{1, 2, 5}},
		{"numbers", preprocess.RFECVConfig{RegressorLearner: line, Step: 3}, preprocess.RFECVConfig{RegressorLearner: line, Step: 3, Splitter: modelsel.KFold{Shuffle: true}}, numbers, modelsel.R2.Name, []float64{1, 2, 5}},
		{"log loss", preprocess.RFECVConfig{Learner: stump, Scorer: modelsel.LogLoss}, preprocess.RFECVConfig{Learner: stump, Scorer: modelsel.LogLoss}, classes, modelsel.LogLoss.Name, []float64{1, 2, 3, 4, 5}},
		{"mean absolute error", preprocess.RFECVConfig{RegressorLearner: line, Scorer: modelsel.MAE}, preprocess.RFECVConfig{RegressorLearner: line, Scorer: modelsel.MAE}, numbers, modelsel.MAE.Name, []float64{1, 2, 3, 4, 5}},
	} {
		m, err := c.cfg.Fit(c.ds)
		if err != nil {
			t.Fatal(c.name, err)
		}
		same, err := c.same.Fit(c.ds)
		if err != nil {
			t.Fatal(c.name, err)
		}
		curve := m.Curve()
		if curve.Scorer != c.scorer || !slices.Equal(curve.X, c.numbersOfXs) || !reflect.DeepEqual(curve, same.Curve()) {
			t.Errorf("%s: scorer %q at %v", c.name, curve.Scorer, curve.X)
		}
		for i, p := range curve.Points {
			if len(p.Test) != len(p.Train) || len(p.Test) < 2 {
				t.Errorf("%s: %d scores of test rows and %d of training rows at %v", c.name, len(p.Test), len(p.Train), curve.X[i])
			}
		}
	}
}

// A row number that a step asks for has to be one of the rows; of two columns with the same
// levels, the one whose encoder ignores unknown categories is told from the other.
func TestPipelineByItsRules(t *testing.T) {
	ds := &mlcore.Dataset{
		X:       mat.NewDense(4, 3, []float64{0, 1, 5, 1, 0, 6, 0, 0, 7, 1, 1, 9}),
		Columns: []mlcore.Column{{Name: "a", Levels: []string{"no", "yes"}}, {Name: "b", Levels: []string{"no", "yes"}}, {Name: "x"}},
		Target:  []float64{1, 2, 3, 5},
	}
	line := mlcore.LearnRegressor(linear.RidgeConfig{}.FitRegressor)
	ignoring := preprocess.OneHotConfig{Columns: []string{"a"}, Unknown: mlcore.UnknownIgnore}
	for name, c := range map[string]struct {
		steps []preprocess.Step
		want  []mlcore.Unknown
	}{
		"a first":  {[]preprocess.Step{ignoring, preprocess.OneHotConfig{}}, []mlcore.Unknown{mlcore.UnknownIgnore, mlcore.UnknownError, mlcore.UnknownError}},
		"b first":  {[]preprocess.Step{preprocess.OneHotConfig{Columns: []string{"b"}}, ignoring}, []mlcore.Unknown{mlcore.UnknownIgnore, mlcore.UnknownError, mlcore.UnknownError}},
		"together": {[]preprocess.Step{preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}}, []mlcore.Unknown{mlcore.UnknownIgnore, mlcore.UnknownIgnore, mlcore.UnknownError}},
	} {
		m, err := preprocess.PipelineConfig{Steps: c.steps, RegressorLearner: line}.FitRegressor(ds)
		if err != nil {
			t.Fatal(name, err)
		}
		for j, column := range m.Schema().Columns {
			if column.Unknown != c.want[j] {
				t.Errorf("%s: column %s: %v, want %v", name, column.Name, column.Unknown, c.want[j])
			}
		}
	}
	// A pipeline for classes shows its steps no numbers to predict, one for numbers no classes.
	both := *ds
	both.Y, both.ClassNames = []int{0, 1, 0, 1}, []string{"no", "yes"}
	for _, classes := range []bool{false, true} {
		looks := stepFunc(func(train *mlcore.Dataset) (preprocess.FittedStep, error) {
			if (train.Y != nil) != classes || (train.Target != nil) == classes {
				t.Errorf("for classes %v: a step sees labels %v and targets %v", classes, train.Y, train.Target)
			}
			return preprocess.FittedStep{Rows: []int{0, 1, 2, 3}}, nil
		})
		c, err := preprocess.PipelineConfig{Steps: []preprocess.Step{looks, preprocess.OneHotConfig{}}}, error(nil)
		if classes {
			c.Learner = mlcore.LearnClassifier(tree.Config{}.FitClassifier)
			_, err = c.FitClassifier(&both)
		} else {
			c.RegressorLearner = line
			_, err = c.FitRegressor(&both)
		}
		if err != nil {
			t.Error(err)
		}
	}
	for _, row := range []int{-1, 4} {
		asks := stepFunc(func(*mlcore.Dataset) (preprocess.FittedStep, error) {
			return preprocess.FittedStep{Rows: []int{0, 1, row}}, nil
		})
		_, err := preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.OneHotConfig{}, asks}, RegressorLearner: line}.FitRegressor(ds)
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), fmt.Sprintf("asks for row %d of 4", row)) {
			t.Errorf("row %d: %v", row, err)
		}
	}
}

// Products by hand: of 130 columns there are 130 of one, 8515 of two and 374660 of three
// factors, more than a million factors in all. A Polynomial that is not fitted has none.
func TestTooManyProducts(t *testing.T) {
	X := mat.NewDense(2, 130, nil)
	if _, err := (preprocess.PolynomialConfig{Degree: 3}).Fit(mlcore.FromMatrix[int](X, nil, nil)); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("1,141,140 factors: %v", err)
	}
	if powers := new(preprocess.Polynomial).Powers(); len(powers) != 0 {
		t.Errorf("powers %v of nothing", powers)
	}
}

// Rows that are none go through a step and have its columns; a column of a category without
// levels is not a number.
func TestTransformOfNoRows(t *testing.T) {
	ds := mixed()
	m, out := made(t, preprocess.TargetEncoderConfig{}, ds)
	none := *ds
	none.X, none.Target = nil, nil
	got, err := m.Transform(&none)
	if err != nil || got.Len() != 0 || !reflect.DeepEqual(got.Columns, out.Columns) {
		t.Errorf("no rows: %v (%v)", got, err)
	}
	other := *ds
	other.Columns = slices.Clone(ds.Columns)
	other.Columns[0].Levels = []string{}
	if _, err := m.Transform(&other); !errors.Is(err, mlcore.ErrColumn) {
		t.Errorf("a number that has become a category: %v", err)
	}
}

// What is written is read again: one neighbour, all components, components of no variance,
// levels that are ignored, and imputers that have no numeric column to impute.
func TestReadsTransformersAtTheBorders(t *testing.T) {
	plane := mlcore.FromMatrix[int](mat.NewDense(4, 2, []float64{1, 2, 3, 5, 4, 4, 8, 1}), nil, nil)
	alike := mlcore.FromMatrix[int](mat.NewDense(3, 1, []float64{4, 4, 4}), nil, nil)
	categories := &mlcore.Dataset{X: mat.NewDense(3, 1, []float64{0, 1, 0}), Columns: []mlcore.Column{{Name: "b", Levels: []string{"x", "y"}}}}
	for name, c := range map[string]struct {
		step preprocess.Step
		ds   *mlcore.Dataset
	}{
		"one neighbour":              {preprocess.KNNImputerConfig{Neighbors: 1}, plane},
		"no number to impute":        {preprocess.KNNImputerConfig{}, categories},
		"all components":             {preprocess.PCAConfig{}, plane},
		"components of no variance":  {preprocess.PCAConfig{}, alike},
		"one component":              {preprocess.PCAConfig{Components: 1}, plane},
		"a cut into one interval":    {preprocess.DiscretizerConfig{}, alike},
		"encoding, unknown ignored":  {preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}, categories},
		"numbering, unknown ignored": {preprocess.OrdinalConfig{Unknown: mlcore.UnknownIgnore}, categories},
		"constant products":          {preprocess.PolynomialConfig{Degree: 1}, alike},
	} {
		m, _ := made(t, c.step, c.ds)
		text, err := modelfile.MarshalJSON(m)
		if err != nil {
			t.Fatal(name, err)
		}
		back, err := modelfile.UnmarshalJSON[preprocess.Transformer](text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := modelfile.MarshalJSON(back)
		if err != nil || string(again) != string(text) {
			t.Errorf("%s: another transformer after a round trip (%v)", name, err)
		}
		query := mat.NewDense(1, len(c.ds.Columns), nil)
		if strings.Contains(name, "ignored") {
			query.Set(0, 0, 2)
		}
		want, err := m.TransformRows(query)
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := back.TransformRows(query); err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v after a round trip, want %v (%v)", name, got, want, err)
		}
	}
}

// A pipeline's file whose steps do not fit together, or not the model, is refused, and so
// are transformers with fields that no fit makes.
func TestRefusesDamagedPipelines(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(6, 2, []float64{1, 2, 3, 5, 4, 4, 8, 1, 2, 2, 7, 3}), []float64{1, 2, 3, 5, 4, 2}, nil)
	line := mlcore.LearnRegressor(linear.RidgeConfig{}.FitRegressor)
	fit := func(steps ...preprocess.Step) any {
		m, err := preprocess.PipelineConfig{Steps: steps, RegressorLearner: line}.FitRegressor(ds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	parts := func(m any) map[string]any {
		text, err := modelfile.MarshalJSON(m)
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		return file
	}
	scaled := fit(preprocess.StandardScalerConfig{})
	selected := fit(preprocess.StandardScalerConfig{}, preprocess.SelectConfig{K: 1})
	swap := func(to, from any, field string) error {
		file, other := parts(to), parts(from)
		if !fixture.Put(file["model"], field, other["model"].(map[string]any)[field]) {
			t.Fatalf("there is no %s in %v", field, file)
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = modelfile.UnmarshalJSON[any](text)
		return err
	}
	if err := swap(scaled, scaled, "model"); err != nil {
		t.Fatal(err)
	}
	wide := mlcore.FromMatrix(mat.NewDense(6, 3, []float64{1, 2, 3, 5, 4, 4, 8, 1, 2, 2, 7, 3, 9, 8, 1, 4, 4, 7}), ds.Target, nil)
	other, err := preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.StandardScalerConfig{}}, RegressorLearner: line}.FitRegressor(wide)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"the model of another": swap(scaled, selected, "model"),
		"steps of another":     swap(scaled, selected, "steps"),
		"steps of more":        swap(scaled, other, "steps"),
	} {
		if !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A column of another name than the first step knows.
	edit := func(m any, path string, value any) error {
		file := parts(m)
		if !fixture.Put(file["model"], path, value) {
			t.Fatalf("there is no %s in %v", path, file)
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = modelfile.UnmarshalJSON[any](text)
		return err
	}
	knn, _ := made(t, preprocess.KNNImputerConfig{}, ds)
	pca, _ := made(t, preprocess.PCAConfig{}, ds)
	subset, _ := made(t, preprocess.OrdinalConfig{}, ds)
	for _, c := range []struct {
		model any
		path  string
		value any
	}{
		{scaled, "input_columns/0/name", "z"}, {scaled, "input_columns", []any{}}, {fit(), "input_columns", []any{}}, {subset, "input_columns", []any{}},
		{knn, "rows", []float64{1, 2, 3}}, {knn, "rows", []float64{}}, {pca, "variance", []float64{3, 2, 1}},
	} {
		if err := edit(c.model, c.path, c.value); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%T with %s %v: %v", c.model, c.path, c.value, err)
		}
	}
	file := parts(pca)
	for path, value := range map[string][]float64{"variance": {3, 2, 1}, "loadings": {1, 0, 0, 1, 1, 0}} {
		fixture.Put(file["model"], path, value)
	}
	three, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := modelfile.UnmarshalJSON[any](three); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("three components of two columns: %v", err)
	}
	// The same number twice is no cut.
	m, _ := made(t, preprocess.DiscretizerConfig{Bins: 3}, mlcore.FromMatrix[int](mat.NewDense(2, 1, []float64{0, 3}), nil, nil))
	text, err := modelfile.MarshalJSON(m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), "[1, 2]") != 1 {
		t.Fatalf("no cuts 1 and 2 in\n%s", text)
	}
	for cuts, want := range map[string]error{"[1, 2]": nil, "[1, 1]": mlcore.ErrCorrupt, "[2, 1]": mlcore.ErrCorrupt} {
		if _, err := modelfile.UnmarshalJSON[any]([]byte(strings.Replace(string(text), "[1, 2]", cuts, 1))); !errors.Is(err, want) {
			t.Errorf("cuts %s: %v, want %v", cuts, err, want)
		}
	}
}

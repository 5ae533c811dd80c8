package preprocess_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// tested are scores of columns, null for one that is not finite.
type tested struct {
	Scores  []*float64 `json:"scores"`
	PValues []*float64 `json:"p_values"`
}

// selectionPeers is testdata/peers_selection.json; scripts/oracles/preprocess_selection.py
// made it.
type selectionPeers struct {
	X           table     `json:"X"`
	Scaled      table     `json:"scaled"`
	Codes       table     `json:"codes"`
	Counts      table     `json:"counts"`
	Y           []int     `json:"y"`
	Target      []float64 `json:"target"`
	FClasses    tested    `json:"f_classes"`
	FNumbers    tested    `json:"f_numbers"`
	Chi2        tested    `json:"chi2"`
	Information []struct {
		Neighbors      int       `json:"neighbors"`
		NumbersClasses []float64 `json:"numbers_classes"`
		NumbersNumbers []float64 `json:"numbers_numbers"`
		CodesClasses   []float64 `json:"codes_classes"`
		CodesNumbers   []float64 `json:"codes_numbers"`
	} `json:"information"`
	Kept map[string]map[string][]int `json:"kept"`
	RFE  []struct {
		Task     string  `json:"task"`
		Features int     `json:"features"`
		Step     float64 `json:"step"`
		Ranking  []int   `json:"ranking"`
	} `json:"rfe"`
	RFECV []struct {
		Task    string      `json:"task"`
		Step    int         `json:"step"`
		Least   int         `json:"least"`
		Ranking []int       `json:"ranking"`
		Sizes   []float64   `json:"sizes"`
		Means   []float64   `json:"means"`
		Folds   [][]float64 `json:"folds"`
	} `json:"rfecv"`
}

func (o selectionPeers) classes(rows table, categorical bool, columns ...int) *mlcore.Dataset {
	ds := rows.dataset("made up", categorical, columns...)
	ds.Y, ds.ClassNames = o.Y, []string{"low", "middling", "high"}
	return ds
}

func (o selectionPeers) numbers(rows table, categorical bool, columns ...int) *mlcore.Dataset {
	ds := rows.dataset("made up", categorical, columns...)
	ds.Target = o.Target
	return ds
}

func selected(t *testing.T, c preprocess.SelectConfig, ds *mlcore.Dataset) *preprocess.Selection {
	t.Helper()
	m, err := c.Fit(ds)
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return m
}

func TestSelectionAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[selectionPeers](t, "testdata/peers_selection.json")
	classes, numbers := o.classes(o.X, false), o.numbers(o.X, false)
	for _, c := range []struct {
		name   string
		config preprocess.SelectConfig
		ds     *mlcore.Dataset
		want   tested
	}{
		{"F of classes", preprocess.SelectConfig{}, classes, o.FClasses},
		{"F of numbers", preprocess.SelectConfig{}, numbers, o.FNumbers},
		{"chi squared", preprocess.SelectConfig{Score: preprocess.ChiSquared}, o.classes(o.Counts, false), o.Chi2},
	} {
		m := selected(t, c.config, c.ds)
		for j := range c.want.Scores {
			score, p := 0.0, 1.0 // a constant column, of which scikit-learn says NaN
			if c.want.Scores[j] != nil {
				score, p = *c.want.Scores[j], *c.want.PValues[j]
			}
			// Column 5 of X, far from 0, has five digits that differ.
			if got := m.Scores()[j]; math.Abs(got-score) > 1e-7*max(1, score) {
				t.Errorf("%s: column %d scores %v, scikit-learn %v", c.name, j, got, score)
			}
			if got := m.PValues()[j]; math.Abs(got-p) > 1e-7*p {
				t.Errorf("%s: p-value %v of column %d, scikit-learn %v", c.name, got, j, p)
			}
		}
	}
	rest := []int{0, 1, 2, 3, 6, 7}
	for _, want := range o.Information {
		c := preprocess.SelectConfig{Score: preprocess.MutualInformation, Neighbors: want.Neighbors}
		for name, pair := range map[string]struct {
			ds   *mlcore.Dataset
			want []float64
		}{
			"numbers and classes":    {o.classes(o.X, false, rest...), want.NumbersClasses},
			"numbers and numbers":    {o.numbers(o.X, false, rest...), want.NumbersNumbers},
			"categories and classes": {o.classes(o.Codes, true), want.CodesClasses},
			"categories and numbers": {o.numbers(o.Codes, true), want.CodesNumbers},
		} {
			m := selected(t, c, pair.ds)
			if got := m.Scores(); !slices.EqualFunc(got, pair.want, near) {
				t.Errorf("%d neighbours, %s: %v, scikit-learn %v", want.Neighbors, name, got, pair.want)
			}
			if m.PValues() != nil {
				t.Errorf("%s: mutual information has p-values", name)
			}
		}
	}
	for task, ds := range map[string]*mlcore.Dataset{"classes": classes, "numbers": numbers, "fdr": numbers} {
		for setting, want := range o.Kept[task] {
			c := preprocess.SelectConfig{}
			if task == "fdr" {
				c.FDR, _ = strconv.ParseFloat(setting, 64)
			} else {
				c.K, _ = strconv.Atoi(setting)
			}
			if got := selected(t, c, ds).Kept(); !slices.Equal(got, want) {
				t.Errorf("%s, %+v: columns %v, scikit-learn %v", task, c, got, want)
			}
		}
	}
}

func TestEliminationAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[selectionPeers](t, "testdata/peers_selection.json")
	classes, numbers := o.classes(o.Scaled, false), o.numbers(o.Scaled, false)
	logistic := mlcore.LearnClassifier(linear.LogisticConfig{Tol: 1e-12}.FitClassifier)
	least := mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor)
	for _, want := range o.RFE {
		c, ds := preprocess.RFEConfig{Learner: logistic, FeaturesToSelect: want.Features}, classes
		if want.Task == "numbers" {
			c.Learner, c.RegressorLearner, ds = nil, least, numbers
		}
		if want.Step < 1 {
			c.StepShare = want.Step
		} else {
			c.Step = int(want.Step)
		}
		m, err := c.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Ranking(); !slices.Equal(got, want.Ranking) {
			t.Errorf("%s, %d features, step %v: ranking %v, scikit-learn %v", want.Task, want.Features, want.Step, got, want.Ranking)
		}
		if m.Curve() != nil {
			t.Error("a curve without cross-validation")
		}
	}
	for _, want := range o.RFECV {
		c, ds := preprocess.RFECVConfig{Learner: logistic, Step: want.Step, MinFeaturesToSelect: want.Least, Splitter: modelsel.StratifiedKFold{Folds: 4}}, classes
		if want.Task == "numbers" {
			c.Learner, c.RegressorLearner, c.Splitter, ds = nil, least, modelsel.KFold{Folds: 4}, numbers
		}
		m, err := c.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s, step %d", want.Task, want.Step)
		if got := m.Ranking(); !slices.Equal(got, want.Ranking) {
			t.Errorf("%s: ranking %v, scikit-learn %v", name, got, want.Ranking)
		}
		curve := m.Curve()
		if !slices.Equal(curve.X, want.Sizes) {
			t.Fatalf("%s: numbers of columns %v, scikit-learn %v", name, curve.X, want.Sizes)
		}
		for i, point := range curve.Points {
			if !near(point.Mean(), want.Means[i]) {
				t.Errorf("%s: mean score %v with %v columns, scikit-learn %v", name, point.Mean(), curve.X[i], want.Means[i])
			}
			for f, v := range point.Test {
				if !near(v, want.Folds[f][i]) {
					t.Errorf("%s: score %v in fold %d with %v columns, scikit-learn %v", name, v, f, curve.X[i], want.Folds[f][i])
				}
			}
		}
	}
}

// grouped is four rows of two classes and columns that are worked by hand: F of a is
// (4·1²/1) / (4·0.5²/2) = 8, b is constant, c has no scatter within classes, d equals a.
func grouped() *mlcore.Dataset {
	return &mlcore.Dataset{
		Name: "grouped",
		X: mat.NewDense(4, 5, []float64{
			0.5, 0.1, 3, 0.5, 0,
			1.5, 0.1, 3, 1.5, 1,
			2.5, 0.1, 7, 2.5, 0,
			3.5, 0.1, 7, 3.5, 1,
		}),
		Columns: []mlcore.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "kind", Levels: []string{"x", "y"}}},
		Y:       []int{0, 0, 1, 1}, ClassNames: []string{"no", "yes"},
	}
}

func TestSelectionByHand(t *testing.T) {
	ds := grouped()
	m := selected(t, preprocess.SelectConfig{K: 2}, ds)
	scores := m.Scores()
	if !near(scores[0], 8) || scores[1] != 0 || !math.IsInf(scores[2], 1) || scores[3] != scores[0] || !math.IsNaN(scores[4]) {
		t.Errorf("scores %v, want 8, 0, +Inf, 8 and NaN", scores)
	}
	// P(F(1, 2) >= 8) = 1 - √(8/10): F(1, 2) is t² of two degrees of freedom.
	if p := m.PValues(); !near(p[0], 1-math.Sqrt(0.8)) || p[1] != 1 || p[2] != 0 || !math.IsNaN(p[4]) {
		t.Errorf("p-values %v, want %v, 1, 0 and NaN", p, 1-math.Sqrt(0.8))
	}
	// Of a and d, which are equal, the first is kept; kind is handed on.
	out, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.FeatureNames(), []string{"a", "c", "kind"}; !slices.Equal(got, want) || !reflect.DeepEqual(out.X.RawRowView(2), []float64{2.5, 7, 0}) {
		t.Errorf("columns %q and row %v, want %q", got, out.X.RawRowView(2), want)
	}
	if got := selected(t, preprocess.SelectConfig{Share: 0.3}, ds).Kept(); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("a share of 0.3 of four columns keeps %v, want 2 and 4", got)
	}
	if got := selected(t, preprocess.SelectConfig{}, ds).Kept(); len(got) != 5 {
		t.Errorf("the zero value keeps %v of four columns", got)
	}
	if got := selected(t, preprocess.SelectConfig{Columns: []string{"b", "d"}, K: 1}, ds).Kept(); !slices.Equal(got, []int{0, 2, 3, 4}) {
		t.Errorf("of b and d, with the others handed on, %v are kept", got)
	}
	// Neither far values nor huge nor tiny ones change F.
	for _, unit := range []float64{1e300, 1e-300, 1e9} {
		scaled := grouped()
		for i := range 4 {
			scaled.X.Set(i, 0, unit*scaled.X.At(i, 0))
		}
		if got := selected(t, preprocess.SelectConfig{}, scaled).Scores()[0]; !near(got, 8) {
			t.Errorf("times %v: F is %v, want 8", unit, got)
		}
		scaled.Y, scaled.Target = nil, []float64{unit, unit, 3 * unit, 3 * unit}
		// The correlation of 1, 2, 3, 4 and 1, 1, 2, 2 is 2/√5, so F is (4/5)/(1/5)·2.
		if got := selected(t, preprocess.SelectConfig{}, scaled).Scores()[0]; !near(got, 8) {
			t.Errorf("targets times %v: F is %v, want 8", unit, got)
		}
	}
	// One bit of a fair coin that tells the class: log 2; a coin that does not: 0.
	bits := grouped()
	bits.Columns[1].Levels, bits.Columns[2].Levels = []string{"x", "y"}, []string{"x", "y"}
	for i, k := range bits.Y {
		bits.X.Set(i, 1, float64(k))
		bits.X.Set(i, 2, float64(i%2))
	}
	information := selected(t, preprocess.SelectConfig{Score: preprocess.MutualInformation, Columns: []string{"b", "c"}}, bits).Scores()
	if !near(information[1], math.Ln2) || information[2] != 0 {
		t.Errorf("information %v, want log 2 and 0", information[1:3])
	}
	// A missing category is a category.
	for i, k := range bits.Y {
		if k == 1 {
			bits.X.Set(i, 1, math.NaN())
		}
	}
	if got := selected(t, preprocess.SelectConfig{Score: preprocess.MutualInformation, Columns: []string{"b"}}, bits).Scores()[1]; !near(got, math.Ln2) {
		t.Errorf("information of a gap that tells the class: %v, want log 2", got)
	}
}

// Copies of a few values: the noise decides between them, from the seed alone.
func TestInformationOfCopies(t *testing.T) {
	rng := mlcore.NewRand(2)
	ds := &mlcore.Dataset{X: mat.NewDense(120, 3, nil), Columns: []mlcore.Column{{Name: "same"}, {Name: "other"}, {Name: "constant"}}}
	for i := range 120 {
		v := float64(rng.IntN(4))
		ds.X.SetRow(i, []float64{1e9 + v, float64(rng.IntN(4)), 5})
		ds.Target = append(ds.Target, v)
	}
	scores := func(seed uint64, workers int) []float64 {
		return selected(t, preprocess.SelectConfig{Score: preprocess.MutualInformation, Seed: seed, Workers: workers}, ds).Scores()
	}
	first := scores(1, 1)
	if first[0] < 1 || first[1] > 0.2 || first[2] > 0.2 {
		t.Errorf("information %v, want much of the first column and little of the others", first)
	}
	for _, workers := range []int{2, 7} {
		if got := scores(1, workers); !slices.Equal(got, first) {
			t.Errorf("%d workers: %v, one %v", workers, got, first)
		}
	}
	if slices.Equal(scores(2, 1), first) {
		t.Error("another seed draws the same noise")
	}
}

// What is constant tells nothing, and nothing can be told about it: exactly 0, as the
// comment of SelectConfig says, and not what the neighbours of noise come to.
func TestInformationOfConstants(t *testing.T) {
	for _, n := range []int{5, 8, 20, 200} {
		rng := mlcore.NewRand(3, uint64(n))
		ds := &mlcore.Dataset{X: mat.NewDense(n, 4, nil), Columns: []mlcore.Column{{Name: "constant"}, {Name: "drawn"}, {Name: "kind", Levels: []string{"a", "b"}}, {Name: "sort", Levels: []string{"a", "b"}}}, ClassNames: []string{"a", "b", "c"}}
		classes, numbers := make([]int, n), make([]float64, n)
		for i := range n {
			ds.X.SetRow(i, []float64{5, rng.NormFloat64(), 1, float64(i / 2 % 2)})
			classes[i], numbers[i] = i%3, rng.NormFloat64()
		}
		for _, tc := range []struct {
			name   string
			y      []int
			target []float64
			zero   []int
		}{
			{"classes", classes, nil, []int{0, 2}},
			{"classes beside a constant target", classes, make([]float64, n), []int{0, 2}},
			{"numbers", nil, numbers, []int{0, 2}},
			{"a constant target", nil, make([]float64, n), []int{0, 1, 2, 3}},
			{"one class", make([]int, n), nil, []int{0, 1, 2, 3}},
		} {
			ds.Y, ds.Target = tc.y, tc.target
			for seed := range uint64(5) {
				scores := selected(t, preprocess.SelectConfig{Score: preprocess.MutualInformation, Seed: seed}, ds).Scores()
				for _, j := range tc.zero {
					if scores[j] != 0 {
						t.Errorf("%d rows, %s: %s has the information %v, want 0", n, tc.name, ds.Columns[j].Name, scores[j])
					}
				}
				if len(tc.zero) == 2 && n == 200 && scores[1] == 0 && scores[3] == 0 {
					t.Errorf("%s: no column has any information", tc.name)
				}
			}
		}
	}
}

func TestSelectionRefuses(t *testing.T) {
	ds := grouped()
	change := func(f func(ds *mlcore.Dataset)) *mlcore.Dataset {
		other := grouped()
		f(other)
		return other
	}
	gap := change(func(ds *mlcore.Dataset) { ds.X.Set(2, 3, math.NaN()) })
	bare := change(func(ds *mlcore.Dataset) { ds.Y = nil })
	numbers := change(func(ds *mlcore.Dataset) { ds.Y, ds.Target = nil, []float64{1, 2, 3, 4} })
	oneClass := change(func(ds *mlcore.Dataset) { ds.Y = []int{1, 1, 1, 1} })
	below := change(func(ds *mlcore.Dataset) { ds.X.Set(1, 0, -1) })
	type config = preprocess.SelectConfig
	information := preprocess.MutualInformation
	for _, c := range []struct {
		name   string
		config config
		ds     *mlcore.Dataset
		want   error
		says   string
	}{
		{"a missing value", config{}, gap, mlcore.ErrNonFinite, "row 2, column 3 (d)"},
		{"nothing to judge by", config{}, bare, mlcore.ErrLabel, "neither labels"},
		{"one class", config{}, oneClass, mlcore.ErrOneClass, ""},
		{"one class, chi squared", config{Score: preprocess.ChiSquared}, oneClass, mlcore.ErrOneClass, ""},
		{"as many classes as rows", config{}, ds.Subset([]int{0, 3}), mlcore.ErrEmpty, "more rows than classes"},
		{"two rows of numbers", config{}, numbers.Subset([]int{0, 3}), mlcore.ErrEmpty, "needs 3"},
		{"chi squared of numbers", config{Score: preprocess.ChiSquared}, numbers, mlcore.ErrLabel, "class labels"},
		{"a negative count", config{Score: preprocess.ChiSquared}, below, mlcore.ErrColumn, "holds -1 in row 1"},
		{"a categorical column", config{Columns: []string{"kind"}}, ds, mlcore.ErrColumn, "kind"},
		{"two rules", config{K: 1, FDR: 0.1}, ds, mlcore.ErrConfig, "set one"},
		{"K too great", config{K: 5}, ds, mlcore.ErrConfig, "5 of 4"},
		{"a negative K", config{K: -1}, ds, mlcore.ErrConfig, "at least 1"},
		{"a share above 1", config{Share: 1.5}, ds, mlcore.ErrConfig, "at most 1"},
		{"a share of NaN", config{Share: math.NaN()}, ds, mlcore.ErrConfig, "at most 1"},
		{"a rate of 1", config{FDR: 1}, ds, mlcore.ErrConfig, "below 1"},
		{"no such score", config{Score: 9}, ds, mlcore.ErrConfig, "no such Score"},
		{"a rate of no p-values", config{Score: information, FDR: 0.1}, ds, mlcore.ErrConfig, "no p-values"},
		{"a seed for F", config{Seed: 1}, ds, mlcore.ErrConfig, "Neighbors and Seed"},
		{"neighbours for F", config{Neighbors: 1}, ds, mlcore.ErrConfig, "Neighbors and Seed"},
		{"more neighbours than rows", config{Score: information, Neighbors: 4}, ds, mlcore.ErrConfig, "there are 4 rows"},
		{"no column is found", config{FDR: 1e-9, Columns: []string{"a", "b"}}, ds, mlcore.ErrColumn, "the least p-value"},
		{"no numeric column", config{}, &mlcore.Dataset{X: mat.NewDense(1, 1, nil), Columns: ds.Columns[4:], Y: []int{0}, ClassNames: ds.ClassNames}, mlcore.ErrColumn, "no numeric column"},
	} {
		if _, err := c.config.FitStep(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
}

// Importances that are equal: of copies the first column stays, whatever the learner.
func TestEliminationOfCopies(t *testing.T) {
	ds := grouped()
	even := func(model any) ([]float64, error) {
		return slices.Repeat([]float64{1}, model.(mlcore.Classifier).NumFeatures()), nil
	}
	grown := mlcore.LearnClassifier(tree.Config{}.FitClassifier)
	m, err := preprocess.RFEConfig{Learner: grown, FeaturesToSelect: 2, Importances: even}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Ranking(), []int{1, 1, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("ranking %v, want %v", got, want)
	}
	// A tree needs c alone, and says so. Half of five columns is two.
	if m, err = (preprocess.RFEConfig{Learner: grown}).Fit(ds); err != nil {
		t.Fatal(err)
	}
	if got := m.Kept(); len(got) != 2 || !slices.Contains(got, 0) {
		t.Errorf("a tree keeps %v, want its first split's column and another", got)
	}
	if m, err = (preprocess.RFEConfig{Learner: grown, FeaturesToSelect: 5}).Fit(ds); err != nil || len(m.Kept()) != 5 {
		t.Errorf("all five columns: %v (%v)", m, err)
	}
}

func TestEliminationByManyWorkers(t *testing.T) {
	o := oracle.Load[selectionPeers](t, "testdata/peers_selection.json")
	var first *preprocess.Elimination
	for _, workers := range []int{1, 2, 7} {
		m, err := preprocess.RFECVConfig{Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier), Scorer: modelsel.ErrorRate, Workers: workers}.Fit(o.classes(o.X, false))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = m
			// Losses: the number of columns with the least error is chosen, the
			// smallest of those.
			means, _ := m.Curve().Test()
			best := slices.Index(means, slices.Min(means))
			if got := len(m.Kept()); float64(got) != m.Curve().X[best] {
				t.Errorf("%d columns are kept; errors are %v with %v", got, means, m.Curve().X)
			}
			continue
		}
		if !reflect.DeepEqual(m, first) {
			t.Errorf("%d workers eliminate other columns than one", workers)
		}
	}
	data, err := modelfile.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.Unmarshal[*preprocess.Elimination](data)
	if err != nil || !slices.Equal(back.Ranking(), first.Ranking()) || !slices.Equal(back.Kept(), first.Kept()) {
		t.Errorf("after a round trip %v, want %v (%v)", back, first, err)
	}
}

func TestEliminationRefuses(t *testing.T) {
	ds := grouped()
	gaussian := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	grown, regression := mlcore.LearnClassifier(tree.Config{}.FitClassifier), mlcore.LearnRegressor(tree.Config{}.FitRegressor)
	numbers, err := ds.Select("a", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	importances := func(v []float64, err error) func(any) ([]float64, error) {
		return func(any) ([]float64, error) { return v, err }
	}
	type config = preprocess.RFEConfig
	for _, c := range []struct {
		name string
		step preprocess.Step
		want error
		says string
	}{
		{"no learner", config{}, mlcore.ErrConfig, "one of them only"},
		{"two learners", config{Learner: grown, RegressorLearner: regression}, mlcore.ErrConfig, "one of them only"},
		{"a learner of numbers that are not there", config{RegressorLearner: regression}, mlcore.ErrLabel, "Target"},
		{"a learner without importances", config{Learner: gaussian}, mlcore.ErrConfig, "neither FeatureImportances nor Coef"},
		{"a learner without a model", config{Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, nil }}, mlcore.ErrConfig, "neither a model"},
		{"too many columns", config{Learner: grown, FeaturesToSelect: 4}, mlcore.ErrConfig, "4 of 3"},
		{"a negative step", config{Learner: grown, Step: -1}, mlcore.ErrConfig, "at least 1"},
		{"a share of 1", config{Learner: grown, StepShare: 1}, mlcore.ErrConfig, "below 1"},
		{"two steps", config{Learner: grown, Step: 1, StepShare: 0.5}, mlcore.ErrConfig, "set one"},
		{"two importances of three", config{Learner: grown, Importances: importances([]float64{1, 2}, nil)}, mlcore.ErrShape, "2 importances of 3"},
		{"an importance of NaN", config{Learner: grown, Importances: importances([]float64{1, math.NaN(), 1}, nil)}, mlcore.ErrNonFinite, "column 1"},
		{"a negative importance", config{Learner: grown, Importances: importances([]float64{1, 1, -1}, nil)}, mlcore.ErrNonFinite, "column 2"},
		{"an error of Importances", config{Learner: grown, Importances: importances(nil, mlcore.ErrColumn)}, mlcore.ErrColumn, "Importances"},
		{"more folds than rows", preprocess.RFECVConfig{Learner: grown}, mlcore.ErrConfig, "folds"},
		{"too many columns at least", preprocess.RFECVConfig{Learner: grown, MinFeaturesToSelect: 4}, mlcore.ErrConfig, "4 of 3"},
		{"a scorer of numbers", preprocess.RFECVConfig{Learner: grown, Scorer: modelsel.MSE, Splitter: modelsel.KFold{Folds: 2}}, mlcore.ErrConfig, "judges numbers"},
	} {
		if _, err := c.step.FitStep(numbers); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
}

// Whole numbers that are moved by 2^50 stay what they are, and F with them. The rounding
// of their mean is as great as they differ.
func TestScoresOfFarColumns(t *testing.T) {
	for _, n := range []int{3, 4, 30, 2000} {
		rng := mlcore.NewRand(5, uint64(n))
		near0, far := mat.NewDense(n, 3, nil), mat.NewDense(n, 3, nil)
		y, target, farTarget := make([]int, n), make([]float64, n), make([]float64, n)
		for i := range n {
			y[i], target[i] = i%2, float64(rng.IntN(5)+i%3)
			farTarget[i] = target[i] - 0x1p50
			for j := range 3 {
				v := float64((i+j)%3 + rng.IntN(3))
				near0.Set(i, j, v)
				far.Set(i, j, v+[]float64{0, 0x1p50, -0x1p51}[j])
			}
		}
		for name, c := range map[string][2]*mlcore.Dataset{
			"classes":     {mlcore.FromMatrix(near0, y, nil), mlcore.FromMatrix(far, y, nil)},
			"numbers":     {mlcore.FromMatrix(near0, target, nil), mlcore.FromMatrix(far, target, nil)},
			"far numbers": {mlcore.FromMatrix(near0, target, nil), mlcore.FromMatrix(far, farTarget, nil)},
		} {
			want, got := selected(t, preprocess.SelectConfig{K: 1}, c[0]).Scores(), selected(t, preprocess.SelectConfig{K: 1}, c[1]).Scores()
			for j := range want {
				if !(math.Abs(got[j]-want[j]) <= 1e-12*want[j]) && !(want[j] > 1e12 && got[j] > 1e12) {
					t.Errorf("%d rows, %s, column %d: F is %v, and %v where the column is near 0", n, name, j, got[j], want[j])
				}
			}
		}
	}
}

// A column that is constant in each class tells them apart without fail, as scipy's
// f_oneway has it, whatever the mean of equal numbers is rounded to.
func TestScoreOfClassesWithoutSpread(t *testing.T) {
	for _, n := range []int{6, 7, 33, 300} {
		X, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			y[i] = i % 3
			X.SetRow(i, []float64{[]float64{0.1, 0.4, 0.7}[y[i]], []float64{1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.2}[y[i]]})
		}
		if m := selected(t, preprocess.SelectConfig{}, mlcore.FromMatrix(X, y, nil)); !math.IsInf(m.Scores()[0], 1) || !math.IsInf(m.Scores()[1], 1) || m.PValues()[0] != 0 {
			t.Errorf("%d rows: F is %v (p %v), want +Inf", n, m.Scores(), m.PValues())
		}
	}
}

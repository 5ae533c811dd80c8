package inspection_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// peers is testdata/peers.json; scripts/oracles/inspection.py made it.
type peers struct {
	X       [][]float64 `json:"X"`
	Two     []int       `json:"two"`
	Three   []int       `json:"three"`
	Weights []float64   `json:"weights"`
	Cases   []struct {
		Model       string      `json:"model"`
		Features    []int       `json:"features"`
		Points      int         `json:"points"`
		Percentiles [2]float64  `json:"percentiles"`
		Weighted    bool        `json:"weighted"`
		LogOdds     bool        `json:"log_odds"`
		Class       int         `json:"class"`
		Values      [][]float64 `json:"values"`
		Average     []float64   `json:"average"`
		Individual  [][]float64 `json:"individual"`
	} `json:"cases"`
}

// formula is 2a² - ab + 3c + d, where d is the code of a category.
type formula struct{}

func (formula) NumFeatures() int { return 4 }

func (formula) Predict(X mat.Matrix) ([]float64, error) {
	n, _ := X.Dims()
	y := make([]float64, n)
	for i := range y {
		a := X.At(i, 0)
		y[i] = 2*a*a - a*X.At(i, 1) + 3*X.At(i, 2) + X.At(i, 3)
	}
	return y, nil
}

// data are the rows of the oracle: three numbers and a category, or the numbers alone.
func (o peers) data(columns int) *mlcore.Dataset {
	ds := &mlcore.Dataset{Name: "made up", X: mat.DenseCopyOf(oracle.Matrix(o.X).Slice(0, len(o.X), 0, columns))}
	for j := range columns {
		ds.Columns = append(ds.Columns, mlcore.Column{Name: string(rune('a' + j))})
	}
	if columns == 4 {
		ds.Columns[3].Levels = []string{"north", "east", "south", "west"}
	}
	return ds
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func TestAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[peers](t, "testdata/peers.json")
	three, two := o.data(3), o.data(3)
	three.Y, three.ClassNames = o.Three, []string{"low", "middling", "high"}
	two.Y, two.ClassNames = o.Two, []string{"no", "yes"}
	gaussian, err := bayes.GaussianConfig{}.FitClassifier(three)
	if err != nil {
		t.Fatal(err)
	}
	logistic, err := linear.LogisticConfig{Tol: 1e-12}.FitClassifier(two)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range o.Cases {
		name := fmt.Sprintf("case %d, %s on %v", i, want.Model, want.Features)
		cfg := inspection.PartialDependenceConfig{GridResolution: want.Points, Percentiles: want.Percentiles, LogOdds: want.LogOdds, Individual: true}
		for _, j := range want.Features {
			cfg.Features = append(cfg.Features, string(rune('a'+j)))
		}
		var got *inspection.PartialDependence
		tolerance := 1e-9
		switch want.Model {
		case "formula":
			ds := o.data(4)
			if want.Weighted {
				ds.Weights = o.Weights
			}
			got, err = cfg.Regressor(formula{}, ds)
		case "bayes":
			cfg.Class = three.ClassNames[want.Class]
			got, err = cfg.Classifier(gaussian, three)
		case "logistic":
			tolerance = 1e-6 // both sides stop near the optimum
			got, err = cfg.Classifier(logistic, two)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for f, values := range want.Values {
			if !slices.EqualFunc(got.Axes[f].Values, values, near) {
				t.Errorf("%s: grid %v, scikit-learn %v", name, got.Axes[f].Values, values)
			}
		}
		within := func(a, b float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }
		if !slices.EqualFunc(got.Average, want.Average, within) {
			t.Errorf("%s: %v, scikit-learn %v", name, got.Average, want.Average)
		}
		for i, row := range want.Individual {
			if !slices.EqualFunc(got.Individual.RawRowView(i), row, within) {
				t.Errorf("%s: row %d is %v, scikit-learn %v", name, i, got.Individual.RawRowView(i), row)
			}
		}
	}
}

// Of five rows a = 0 to 4 with b = 0, 0, 0, 0, 10, and 2a² - ab: the mean at a is
// 2a² - 2a, and the curves of single rows are 2a² and 2a² - 10a.
func TestByHand(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(5, 4, nil), TargetName: "rent"}
	for j := range 4 {
		ds.Columns = append(ds.Columns, mlcore.Column{Name: string(rune('a' + j))})
	}
	for i := range 5 {
		ds.X.Set(i, 0, float64(i))
	}
	ds.X.Set(4, 1, 10)
	cfg := inspection.PartialDependenceConfig{Features: []string{"a"}, Individual: true}
	d, err := cfg.Regressor(formula{}, ds)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 0, 4, 12, 24}; !slices.EqualFunc(d.Average, want, near) || d.Response != "rent" {
		t.Errorf("%s: %v, want rent: %v", d.Response, d.Average, want)
	}
	if want := []float64{0, -8, -12, -12, -8}; !slices.Equal(d.Individual.RawRowView(4), want) {
		t.Errorf("the last row is %v, want %v", d.Individual.RawRowView(4), want)
	}
	// The deciles of 0 to 4 by scipy.stats.mstats.mquantiles.
	if want := []float64{0, 0.44, 0.96, 1.48, 2, 2.52, 3.04, 3.56, 4}; !slices.EqualFunc(d.Axes[0].Deciles, want, near) {
		t.Errorf("deciles %v, want %v", d.Axes[0].Deciles, want)
	}
	other := ds.Subset([]int{0, 1, 2, 3, 4})
	for i := range 5 {
		other.X.Set(i, 2, float64(i)) // moves whole curves
	}
	if d, err = cfg.Regressor(formula{}, other); err != nil {
		t.Fatal(err)
	}
	c := d.Centered()
	if want := []float64{0, 0, 4, 12, 24}; !slices.EqualFunc(c.Average, want, near) || c.Response != "change of rent" {
		t.Errorf("centred: %s %v, want %v", c.Response, c.Average, want)
	}
	if want := []float64{0, 2, 8, 18, 32}; !slices.EqualFunc(c.Individual.RawRowView(3), want, near) {
		t.Errorf("centred: row 3 is %v, want %v", c.Individual.RawRowView(3), want)
	}
	if d.Average[0] == 0 || d.Individual.At(3, 0) == 0 {
		t.Error("Centered changed what it was made of")
	}
	// Weights of 0, 1 and 3 are as many copies.
	weighted := ds.Subset([]int{0, 1, 4})
	weighted.Weights = []float64{0, 1, 3}
	copies, err := cfg.Regressor(formula{}, ds.Subset([]int{1, 4, 4, 4}))
	if err != nil {
		t.Fatal(err)
	}
	if d, err = cfg.Regressor(formula{}, weighted); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(d.Average, copies.Average, near) || len(d.Average) != 2 {
		t.Errorf("weights: %v, copies: %v", d.Average, copies.Average)
	}
	// One row: one point.
	if d, err = cfg.Regressor(formula{}, ds.Subset([]int{4})); err != nil || !slices.Equal(d.Average, []float64{-8}) {
		t.Errorf("one row: %v (%v), want -8", d, err)
	}
	// A gap in the feature makes no point and is filled in; one elsewhere is the model's.
	gap := ds.Subset([]int{0, 1, 2})
	gap.X.Set(1, 0, math.NaN())
	if d, err = cfg.Regressor(formula{}, gap); err != nil || !slices.Equal(d.Axes[0].Values, []float64{0, 2}) || !slices.Equal(d.Average, []float64{0, 8}) {
		t.Errorf("with a gap: %+v (%v)", d, err)
	}
}

// Columns are found by name and codes by the names of levels, as the model has them.
func TestAlignsRows(t *testing.T) {
	o := oracle.Load[peers](t, "testdata/peers.json")
	ds := o.data(4)
	for i := range ds.Len() {
		ds.Target = append(ds.Target, ds.X.At(i, 0)+10*ds.X.At(i, 3))
	}
	m, err := tree.Config{MaxDepth: 5}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	turned := &mlcore.Dataset{X: mat.NewDense(ds.Len(), 4, nil), Columns: slices.Clone(ds.Columns)}
	slices.Reverse(turned.Columns)
	turned.Columns[0].Levels = []string{"west", "south", "east", "north"}
	for i := range ds.Len() {
		for j := range 4 {
			turned.X.Set(i, j, ds.X.At(i, 3-j))
		}
		turned.X.Set(i, 0, 3-ds.X.At(i, 3))
	}
	cfg := inspection.PartialDependenceConfig{Features: []string{"d", "a"}, GridResolution: 7}
	want, err := cfg.Regressor(m, ds)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cfg.Regressor(m, turned)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("columns in another order make %v, want %v", got, want)
	}
	if names := got.Axes[0].Names(); !slices.Equal(names, []string{"north", "east", "west"}) || got.Axes[1].Names() != nil {
		t.Errorf("names %q, want the categories that occur", names)
	}
	for _, workers := range []int{1, 2, 7} {
		cfg.Workers = workers
		if got, err = cfg.Regressor(m, ds); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: another answer (%v)", workers, err)
		}
	}
}

// A category that the model has not seen, and ignores, makes no point.
func TestUnknownCategory(t *testing.T) {
	o := oracle.Load[peers](t, "testdata/peers.json")
	ds := o.data(4)
	for i := range ds.Len() {
		ds.Target = append(ds.Target, ds.X.At(i, 3))
	}
	m, err := preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.TargetEncoderConfig{}}, RegressorLearner: mlcore.LearnRegressor(tree.Config{}.FitRegressor)}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	other := o.data(4)
	other.Columns[3].Levels = []string{"abroad", "east", "south", "west"}
	d, err := inspection.PartialDependenceConfig{Features: []string{"d"}}.Regressor(m, other)
	if err != nil {
		t.Fatal(err)
	}
	if names := d.Axes[0].Names(); !slices.Equal(names, []string{"east", "west"}) {
		t.Errorf("points at %q, want east and west", names)
	}
}

func TestRefuses(t *testing.T) {
	o := oracle.Load[peers](t, "testdata/peers.json")
	ds := o.data(3)
	ds.Y, ds.ClassNames = o.Three, []string{"low", "middling", "high"}
	two := *ds
	two.Y, two.ClassNames = o.Two, []string{"no", "yes"}
	three, err := bayes.GaussianConfig{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	pure, err := tree.Config{}.FitClassifier(&two)
	if err != nil {
		t.Fatal(err)
	}
	even := ds.Subset([]int{0, 1, 2, 3})
	even.X = mat.NewDense(4, 3, []float64{1, 1, 1, 1, 2, 2, 1, 3, 3, 2, 4, 4})
	gap := ds.Subset([]int{0, 1})
	gap.X = mat.NewDense(2, 3, []float64{math.NaN(), 1, 1, math.NaN(), 1, 1})
	a := []string{"a"}
	type config = inspection.PartialDependenceConfig
	for _, c := range []struct {
		name   string
		config config
		m      mlcore.ProbClassifier
		ds     *mlcore.Dataset
		want   error
		says   string
	}{
		{"no feature", config{}, three, ds, mlcore.ErrConfig, "one or two"},
		{"three features", config{Features: []string{"a", "b", "c"}}, three, ds, mlcore.ErrConfig, "one or two"},
		{"a feature twice", config{Features: []string{"a", "a"}}, three, ds, mlcore.ErrConfig, "twice"},
		{"no such feature", config{Features: []string{"z"}, Class: "low"}, three, ds, mlcore.ErrColumn, `"z"`},
		{"three classes and none named", config{Features: a}, three, ds, mlcore.ErrConfig, "3 classes"},
		{"no such class", config{Features: a, Class: "huge"}, three, ds, mlcore.ErrLabel, `"huge"`},
		{"one point", config{Features: a, GridResolution: 1}, three, ds, mlcore.ErrConfig, "GridResolution"},
		{"percentiles that fall", config{Features: a, Percentiles: [2]float64{0.9, 0.1}}, three, ds, mlcore.ErrConfig, "Percentiles"},
		{"a percentile of NaN", config{Features: a, Percentiles: [2]float64{0, math.NaN()}}, three, ds, mlcore.ErrConfig, "Percentiles"},
		{"percentiles that are one", config{Features: a, Class: "low", GridResolution: 2, Percentiles: [2]float64{0, 0.5}}, three, even, mlcore.ErrConfig, "further apart"},
		{"a feature without values", config{Features: a, Class: "low"}, three, gap, mlcore.ErrEmpty, "(a)"},
		{"log odds of certain rows", config{Features: a, LogOdds: true}, pure, &two, mlcore.ErrNonFinite, "leave LogOdds out"},
		{"no rows", config{Features: a, Class: "low"}, three, &mlcore.Dataset{}, mlcore.ErrEmpty, ""},
		{"no Dataset", config{Features: a, Class: "low"}, three, nil, mlcore.ErrEmpty, "nil"},
		{"a model that is not fitted", config{Features: a}, new(bayes.Gaussian), ds, mlcore.ErrNotFitted, ""},
		{"no model", config{Features: a}, nil, ds, mlcore.ErrNotFitted, ""},
		{"a nil pointer", config{Features: a}, (*bayes.Gaussian)(nil), ds, mlcore.ErrNotFitted, ""},
	} {
		if _, err := c.config.Classifier(c.m, c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
	for name, c := range map[string]config{"Class": {Features: a, Class: "low"}, "LogOdds": {Features: a, LogOdds: true}} {
		if _, err := c.Regressor(formula{}, o.data(4)); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%s for a regressor: error %v, want ErrConfig", name, err)
		}
	}
	if _, err := (config{Features: a}).Regressor((*tree.Regressor)(nil), ds); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a nil pointer for a regressor: error %v, want ErrNotFitted", err)
	}
	if d := new(inspection.PartialDependence).Centered(); len(d.Average) != 0 {
		t.Errorf("a zero value, centred: %v", d)
	}
	if d := (&inspection.PartialDependence{Average: []float64{-1.5e308, 1.5e308}}).Centered(); !slices.Equal(d.Average, []float64{0, math.Inf(1)}) {
		t.Errorf("a change beyond all numbers: %v", d.Average)
	}
	if _, err := (config{Features: a}).Regressor(formula{}, ds); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("three columns for a model of four: error %v, want ErrShape", err)
	}
	far := o.data(4)
	far.X.Set(0, 0, -1.7e308)
	far.X.Set(1, 0, 1.7e308)
	d, err := config{Features: []string{"a"}, Percentiles: [2]float64{0, 1}, GridResolution: 5}.Regressor(level{}, far)
	if err != nil || !slices.EqualFunc(d.Axes[0].Values, []float64{-1.7e308, -0.85e308, 0, 0.85e308, 1.7e308}, near) {
		t.Errorf("values that are far apart: %v (%v)", d, err)
	}
}

// level predicts 1, or what is wanted in its place.
type level struct {
	formula
	wanted []float64 // of rows
}

func (m level) Predict(X mat.Matrix) ([]float64, error) {
	n, _ := X.Dims()
	if m.wanted != nil {
		return m.wanted[:n], nil
	}
	return slices.Repeat([]float64{1}, n), nil
}

// The mean of predictions whose sum no number holds, by hand.
func TestMeanOfGreatPredictions(t *testing.T) {
	o := oracle.Load[peers](t, "testdata/peers.json")
	for _, c := range []struct {
		predicted, weights []float64
		want               float64
	}{
		{[]float64{1.5e308, 1.5e308, 1.5e308}, nil, 1.5e308},
		{[]float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}, []float64{1, 0.1, 7}, math.MaxFloat64},
		{[]float64{1.5e308, -1.5e308, 1.5e308, -1.5e308}, []float64{5, 5, 1, 1}, 0},
		{[]float64{1e300, 2e300}, []float64{3e10, 1e10}, 1.25e300},
	} {
		ds := o.data(4).Subset([]int{0, 1, 2, 3}[:len(c.predicted)])
		ds.Weights = c.weights
		d, err := inspection.PartialDependenceConfig{Features: []string{"a"}}.Regressor(level{wanted: c.predicted}, ds)
		if err != nil || math.Abs(d.Average[0]-c.want) > 1e-15*1e308 || d.Centered().Average[1] != 0 {
			t.Errorf("%v by weights %v: %+v (%v), want %v", c.predicted, c.weights, d, err, c.want)
		}
	}
}

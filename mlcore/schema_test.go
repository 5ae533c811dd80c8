package mlcore_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// trained is the Schema of a model that was fitted to a Dataset like [small], whose
// colours were listed in another order.
func trained(unknown mlcore.Unknown) *mlcore.Schema {
	levels := []string{"blue", "red", mlcore.UnknownName}
	return &mlcore.Schema{
		Columns:    []mlcore.Column{{Name: "colour", Levels: levels, Unknown: unknown}, {Name: "size"}},
		ClassNames: []string{"yes", "no"},
	}
}

// small has the colours red, green and blue in rows 0, 1 and 2; the expected
// matrices are worked by hand.
func TestAlign(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		name   string
		schema *mlcore.Schema
		change func(d *mlcore.Dataset)
		want   []float64 // colour, size; nil: an error
		err    error
		says   string
	}{
		{"the same", small().Schema(), nil, []float64{1, 0, 2, 1, 3, 2}, nil, ""},
		{"unknown level", trained(mlcore.UnknownLevel), nil, []float64{1, 1, 2, 2, 0, 3}, nil, ""},
		{"unknown missing", trained(mlcore.UnknownMissing), nil, []float64{1, 1, nan, 2, 0, 3}, nil, ""},
		{"unknown refused", trained(mlcore.UnknownError), nil, nil, mlcore.ErrLevel, `"green" in row 1, column 1 (colour)`},
		{"missing stays missing", trained(mlcore.UnknownLevel), func(d *mlcore.Dataset) { d.X.Set(0, 1, nan) }, []float64{nan, 1, 2, 2, 0, 3}, nil, ""},
		{"no such column", trained(mlcore.UnknownLevel), func(d *mlcore.Dataset) { d.Columns[0].Name = "length" }, nil, mlcore.ErrColumn, `"size"`},
		{"other kind", trained(mlcore.UnknownLevel), func(d *mlcore.Dataset) { d.Columns[1].Levels = nil }, nil, mlcore.ErrColumn, `"colour" is numeric`},
		{"bad code", trained(mlcore.UnknownLevel), func(d *mlcore.Dataset) { d.X.Set(2, 1, 7) }, nil, mlcore.ErrLevel, "row 2, column 1 (colour)"},
		{"unknown class", trained(mlcore.UnknownLevel), func(d *mlcore.Dataset) { d.ClassNames = []string{"no", "perhaps"} }, nil, mlcore.ErrLevel, `"perhaps" in row 1`},
		{"bad class", trained(mlcore.UnknownLevel), func(d *mlcore.Dataset) { d.Y[0] = 9 }, nil, mlcore.ErrLabel, "9 in row 0"},
	} {
		d := small()
		if tc.change != nil {
			tc.change(d)
		}
		got, err := d.Align(tc.schema)
		if !errors.Is(err, tc.err) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.err)
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: error %q does not say %q", tc.name, err, tc.says)
			}
			continue
		}
		if !slices.EqualFunc(got.X.RawMatrix().Data, tc.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s: X is %v, want %v", tc.name, got.X.RawMatrix().Data, tc.want)
		}
		if want := []string{"no", "yes", "yes"}; !slices.EqualFunc(got.Y, want, func(k int, name string) bool { return got.ClassNames[k] == name }) {
			t.Errorf("%s: classes %v of %v, want %v", tc.name, got.Y, got.ClassNames, want)
		}
	}
}

// second predicts the code in its first column.
type second struct{ schema *mlcore.Schema }

func (m second) Schema() *mlcore.Schema { return m.schema }
func (m second) NumFeatures() int       { return len(m.schema.Columns) }
func (m second) NumClasses() int        { return 2 }

func (m second) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = int(X.At(i, 0))
	}
	return y, nil
}

func TestPredictNames(t *testing.T) {
	s := trained(mlcore.UnknownError)
	d := small().Subset([]int{0, 2}) // red and blue
	names, err := mlcore.PredictNames(second{s}, d)
	if want := []string{"no", "yes"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("names %q (%v), want %q", names, err, want)
	}
	if _, err := mlcore.PredictNames(second{s}, small()); !errors.Is(err, mlcore.ErrLevel) {
		t.Errorf("a colour that is not known: %v", err)
	}
	s.ClassNames = s.ClassNames[:1]
	if _, err := mlcore.PredictNames(second{s}, d); !errors.Is(err, mlcore.ErrLabel) || !strings.Contains(err.Error(), "class 1 for row 0") {
		t.Errorf("a class without a name: %v", err)
	}
	if _, err := mlcore.Predict(second{s}, &mlcore.Dataset{}); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := mlcore.PredictNames(bare{}, d); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("a model without a Schema: %v", err)
	}
}

// bare is a classifier that was never told of names.
type bare struct{}

func (bare) NumFeatures() int                    { return 2 }
func (bare) NumClasses() int                     { return 2 }
func (bare) Predict(X mat.Matrix) ([]int, error) { return nil, nil }

func TestFromMatrix(t *testing.T) {
	X := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	d := mlcore.FromMatrix(X, []int{0, 2}, []float64{1, 2})
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	if d.X != X || d.NumClasses() != 3 || d.ClassNames[2] != "2" || d.Columns[1].Name != "x1" || d.Weights[1] != 2 {
		t.Errorf("made %+v", d)
	}
	if d := mlcore.FromMatrix(X, []float64{5, 6}, nil); d.Y != nil || d.Target[1] != 6 || d.X != X || d.Validate() != nil {
		t.Errorf("made %+v for a regression", d)
	}
	for name, d := range map[string]*mlcore.Dataset{
		"nil":            mlcore.FromMatrix(nil, []int{1}, nil),
		"no labels":      mlcore.FromMatrix(X, []int{}, nil),
		"too few labels": mlcore.FromMatrix(X, []int{1}, nil),
		"wild label":     mlcore.FromMatrix(X, []int{0, 1 << 30}, nil),
		"weight":         mlcore.FromMatrix(X, []int{0, 1}, []float64{1, -1}),
	} {
		if d.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestOnMatrix(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(2, 1, []float64{1, 2}), []float64{3, 5}, []float64{1, 3})
	mean, err := mlcore.OnMatrix(func(X mat.Matrix, y, w []float64) (float64, error) {
		return (w[0]*y[0] + w[1]*y[1]) / (w[0] + w[1]), nil
	})(ds)
	if err != nil || mean != 4.5 {
		t.Errorf("weighted mean %v (%v), want 4.5", mean, err)
	}
}

func TestStatusString(t *testing.T) {
	s := mlcore.Status{Outcome: mlcore.IterationLimit, Iterations: 7, Measure: 0.25, Advice: "raise MaxIter"}
	if got, want := s.String(), "iteration limit after 7 iterations (measure 0.25): raise MaxIter"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := mlcore.Outcome(99).String(); got != "Outcome(99)" {
		t.Errorf("an unknown outcome is %q", got)
	}
}

// A Dataset without a name leaves no empty place in an error: frame.ToDataset makes
// such by default.
func TestErrorsOfUnnamedDatasets(t *testing.T) {
	d := small()
	d.Name = ""
	bad := *d
	bad.Weights = []float64{1}
	fit := func(ds *mlcore.Dataset) error {
		_, err := linear.RidgeConfig{}.FitRegressor(ds)
		return err
	}
	_, selected := d.Select("none")
	_, aligned := d.Align(&mlcore.Schema{Columns: []mlcore.Column{{Name: "none"}}})
	_, searched := modelsel.CrossValidate(linear.RidgeConfig{}.FitRegressor, d, modelsel.Options{})
	for name, err := range map[string]error{
		"Validate": bad.Validate(), "Select": selected, "Align": aligned, "CrossValidate": searched,
		"a fit to bad data": fit(&bad), "a fit to a categorical column": fit(d),
	} {
		if err == nil || strings.HasPrefix(err.Error(), ":") || strings.Contains(err.Error(), ": :") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What cannot be brought into the form of a model is an error and neither a panic nor
// a prediction from the wrong column.
func TestPredictRefuses(t *testing.T) {
	two := func() *mlcore.Dataset {
		return mlcore.FromMatrix(mat.NewDense(2, 2, []float64{0, 1, 1, 0}), []int{0, 1}, nil)
	}
	model, err := tree.Config{}.FitClassifier(two())
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		change func(d *mlcore.Dataset)
		err    error
	}{
		"more columns described than there are": {func(d *mlcore.Dataset) { d.Columns = append(d.Columns, mlcore.Column{Name: "x2"}) }, mlcore.ErrShape},
		"moved columns that are not there":      {func(d *mlcore.Dataset) { d.Columns = []mlcore.Column{{Name: "z"}, {Name: "x1"}, {Name: "x0"}} }, mlcore.ErrShape},
		"fewer columns described":               {func(d *mlcore.Dataset) { d.Columns = d.Columns[:1] }, mlcore.ErrShape},
		"two columns of one name": {func(d *mlcore.Dataset) {
			d.X = mat.NewDense(1, 3, []float64{1, 0, 1})
			d.Columns = []mlcore.Column{{Name: "x1"}, {Name: "x0"}, {Name: "x0"}}
		}, mlcore.ErrColumn},
	} {
		d := two()
		tc.change(d)
		if _, err := mlcore.PredictNames(model, d); !errors.Is(err, tc.err) {
			t.Errorf("%s: PredictNames says %v, want %v", name, err, tc.err)
		}
		if _, err := d.Align(model.Schema()); !errors.Is(err, tc.err) {
			t.Errorf("%s: Align says %v, want %v", name, err, tc.err)
		}
	}
	if _, err := two().Align(nil); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("Align to no Schema: %v", err)
	}
	if _, err := (*mlcore.Dataset)(nil).Align(model.Schema()); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("Align of a nil Dataset: %v", err)
	}
	for name, m := range map[string]mlcore.ProbClassifier{"nil": nil, "typed nil": (*tree.Classifier)(nil), "zero": &tree.Classifier{}} {
		if _, err := mlcore.PredictNames(m, two()); !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("PredictNames of a %s model: %v", name, err)
		}
		if _, err := mlcore.PredictProba(m, two()); !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("PredictProba of a %s model: %v", name, err)
		}
	}
}

// A function that is not there is an error, not a panic in one of the goroutines of an
// ensemble.
func TestNilFunctions(t *testing.T) {
	_, classify := mlcore.LearnClassifier[*tree.Classifier](nil)(small())
	_, regress := mlcore.LearnRegressor[*tree.Regressor](nil)(small())
	_, bare := mlcore.OnMatrix[int, *tree.Classifier](nil)(small())
	_, bagged := ensemble.BaggingConfig{Learner: mlcore.LearnClassifier[*tree.Classifier](nil)}.FitClassifier(small())
	for name, err := range map[string]error{"LearnClassifier": classify, "LearnRegressor": regress, "OnMatrix": bare, "bagging": bagged} {
		if !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%s of nil: %v", name, err)
		}
	}
	if _, err := mlcore.OnMatrix(func(mat.Matrix, []int, []float64) (*tree.Classifier, error) { return nil, nil })(nil); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("a nil Dataset: %v", err)
	}
}

// Models are immutable: what happens to the Dataset after the fit is nothing to them.
func TestModelKeepsItsNames(t *testing.T) {
	d := small()
	model, err := tree.Config{}.FitClassifier(d)
	if err != nil {
		t.Fatal(err)
	}
	d.Columns[0].Name, d.Columns[1].Levels[0], d.ClassNames[0] = "length", "crimson", "never"
	if !model.Schema().Equal(small().Schema()) {
		t.Errorf("the model's Schema is now %v", model.Schema())
	}
}

// Labels without names of classes are no codes of anything: AdaBoost and frame.ToGota
// ran out of range, and what was fitted could not say what it predicts.
func TestLabelsWithoutClassNames(t *testing.T) {
	d := small()
	d.ClassNames = nil
	if err := d.Validate(); !errors.Is(err, mlcore.ErrLabel) {
		t.Errorf("Validate: %v", err)
	}
	if _, err := (ensemble.AdaBoostConfig{}).FitClassifier(d); !errors.Is(err, mlcore.ErrLabel) {
		t.Errorf("AdaBoost: %v", err)
	}
	if _, err := frame.ToGota(d); !errors.Is(err, mlcore.ErrLabel) {
		t.Errorf("ToGota: %v", err)
	}
}

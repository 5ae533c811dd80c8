package preprocess_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// Rows 4 and 5 are held out and lie far from the others. The oracle is the mean of
// 1, 2, 3 and 6, which is 3, and their standard deviation, the root of 14/4; with the
// rows that are held out they would be 702 and more than 900.
func TestPipelineDoesNotLeak(t *testing.T) {
	all := &mlcore.Dataset{
		X:          mat.NewDense(6, 1, []float64{1, 2, 3, 6, 1000, 3200}),
		Columns:    []mlcore.Column{{Name: "x"}},
		Y:          []int{0, 0, 1, 1, 0, 1},
		ClassNames: []string{"no", "yes"},
	}
	train, test := all.Subset([]int{0, 1, 2, 3}), all.Subset([]int{4, 5})
	m, err := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.ImputerConfig{}, preprocess.StandardScalerConfig{}},
		Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
	}.FitClassifier(train)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		if got := m.Transformers()[0].(*preprocess.Imputer).Values(); got[0] != 3 {
			t.Errorf("%s: imputes %v, want the training rows' mean, 3", when, got)
		}
		scaler := m.Transformers()[1].(*preprocess.Scaler)
		if mean, sd := scaler.Shift()[0], scaler.Scale()[0]; mean != 3 || math.Abs(sd-math.Sqrt(14./4)) > 1e-15 {
			t.Errorf("%s: mean %v and standard deviation %v, want 3 and %v", when, mean, sd, math.Sqrt(14./4))
		}
	}
	check("after fitting")
	together, err := m.TransformRows(test.X)
	if err != nil {
		t.Fatal(err)
	}
	for i := range test.Len() {
		alone, err := m.TransformRows(test.X.Slice(i, i+1, 0, 1))
		if err != nil {
			t.Fatal(err)
		}
		want := (test.X.At(i, 0) - 3) / math.Sqrt(14./4)
		if alone.At(0, 0) != together.At(i, 0) || math.Abs(alone.At(0, 0)-want) > 1e-12*want {
			t.Errorf("test row %d: %v alone, %v together, want %v", i, alone.At(0, 0), together.At(i, 0), want)
		}
	}
	check("after predicting")
}

// A step that only watches.
type spy struct{ seen *[][]float64 }

func (s spy) FitStep(train *mlcore.Dataset) (preprocess.FittedStep, error) {
	*s.seen = append(*s.seen, mat.Col(nil, 0, train.X))
	return preprocess.FittedStep{}, nil
}

// Classes of 4 rows and 1: the oracle is the rule that classes are brought to one
// size, that the learner sees it and that predictions do not.
func TestResampling(t *testing.T) {
	X := mat.NewDense(6, 1, []float64{10, 20, 30, 40, 50, 60})
	y, w := []int{0, 1, 0, 0, 0, 1}, []float64{1, 2, 1, 1, 1, 0}
	for name, tc := range map[string]struct {
		step   preprocess.Step
		counts [2]int
		weight float64 // of each row of class 1
	}{
		"up":   {preprocess.UpSampleConfig{Seed: 3}, [2]int{4, 4}, 2},
		"down": {preprocess.DownSampleConfig{Seed: 3}, [2]int{1, 1}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var seen [][]float64
			m, err := preprocess.PipelineConfig{
				Steps: []preprocess.Step{spy{&seen}, tc.step, spy{&seen}},
				Learner: func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
					X, y, w := ds.X, ds.Y, ds.Weights
					var counts [2]int
					for i, k := range y {
						counts[k]++
						if want := []float64{1, tc.weight}[k]; w[i] != want {
							t.Errorf("row %d of class %d has weight %v, want %v", i, k, w[i], want)
						}
						if fromY := X.At(i, 0) == 20; fromY != (k == 1) {
							t.Errorf("x = %v has label %d", X.At(i, 0), k)
						}
					}
					if counts != tc.counts {
						t.Errorf("the learner sees %v rows of the classes, want %v", counts, tc.counts)
					}
					return bayes.GaussianConfig{}.FitClassifier(ds)
				},
			}.FitClassifier(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Fatal(err)
			}
			// Row 5 has weight 0 and is not there for the first step either.
			if want := []float64{10, 20, 30, 40, 50}; !slices.Equal(seen[0], want) {
				t.Errorf("the first step sees %v, want %v", seen[0], want)
			}
			if len(seen[1]) != tc.counts[0]+tc.counts[1] {
				t.Errorf("the step after it sees %v", seen[1])
			}
			if got, err := m.Predict(X); err != nil || len(got) != 6 {
				t.Errorf("%d predictions for 6 rows (%v)", len(got), err)
			}
		})
	}
}

func TestResamplingRows(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(5, 1, nil), Columns: []mlcore.Column{{Name: "x"}}, Y: []int{2, 0, 2, 2, 0}, ClassNames: []string{"a", "b", "c"}}
	up, err := preprocess.UpSampleConfig{}.Rows(ds)
	if err != nil {
		t.Fatal(err)
	}
	if len(up) != 6 || !slices.Equal(up[:5], []int{0, 1, 2, 3, 4}) || ds.Y[up[5]] != 0 {
		t.Errorf("up-sampling 2 and 3 rows: %v, want all and one more of rows 1 and 4", up)
	}
	down, err := preprocess.DownSampleConfig{}.Rows(ds)
	if err != nil {
		t.Fatal(err)
	}
	if len(down) != 4 || !slices.IsSorted(down) || len(slices.Compact(slices.Clone(down))) != 4 || !slices.Contains(down, 1) || !slices.Contains(down, 4) {
		t.Errorf("down-sampling 2 and 3 rows: %v, want rows 1, 4 and two of 0, 2, 3", down)
	}
}

// The oracle is that class codes are names: which rows are drawn does not depend on them.
func TestResamplingDoesNotDependOnClassCodes(t *testing.T) {
	y := []int{2, 0, 2, 2, 0, 1, 2, 0, 1, 2, 2}
	rows := func(y []int) (up, down []int) {
		ds := mlcore.FromMatrix(mat.NewDense(len(y), 1, nil), y, nil)
		up, err := preprocess.UpSampleConfig{Seed: 5}.Rows(ds)
		if err != nil {
			t.Fatal(err)
		}
		if down, err = (preprocess.DownSampleConfig{Seed: 5}).Rows(ds); err != nil {
			t.Fatal(err)
		}
		return up, down
	}
	up, down := rows(y)
	for _, codes := range [][]int{{1, 0, 2}, {2, 0, 1}, {5, 3, 0}} {
		renamed := make([]int, len(y))
		for i, k := range y {
			renamed[i] = codes[k]
		}
		if u, d := rows(renamed); !slices.Equal(u, up) || !slices.Equal(d, down) {
			t.Errorf("with codes %v: rows %v and %v, with others %v and %v", codes, u, d, up, down)
		}
	}
}

// The oracle is arithmetic. Of N = 8 rows of two classes, 4 each, in order, the cut
// in the middle has gain 1 and must exceed (log2(7) + log2(7) - 2)/8 = 0.452: it is
// taken, and its sides are pure. Of 4 rows, 2 each, gain 1 must exceed
// (log2(3) + log2(7) - 2)/4 = 0.598. Of 2 rows, gain 1 must exceed
// (log2(1) + log2(7) - 2)/2 = 0.404. Classes that take turns gain too little:
// the best cut of a b a b a b, after one row, has gain 1 - 5/6 H(2, 3) = 0.191
// and must exceed (log2(5) + log2(7) - 2 + 2 H(2, 3))/6 = 0.845.
func TestMDLByHand(t *testing.T) {
	for name, tc := range map[string]struct {
		x    []float64
		y    []int
		want []float64
	}{
		"8 rows":        {[]float64{1, 2, 3, 4, 6, 7, 8, 9}, []int{0, 0, 0, 0, 1, 1, 1, 1}, []float64{5}},
		"not in order":  {[]float64{9, 1, 8, 2, 7, 3, 6, 4}, []int{1, 0, 1, 0, 1, 0, 1, 0}, []float64{5}},
		"4 rows":        {[]float64{1, 2, 3, 4}, []int{0, 0, 1, 1}, []float64{2.5}},
		"2 rows":        {[]float64{1, 2}, []int{0, 1}, []float64{1.5}},
		"taking turns":  {[]float64{1, 2, 3, 4, 5, 6}, []int{0, 1, 0, 1, 0, 1}, nil},
		"one value":     {[]float64{1, 1, 1, 1}, []int{0, 0, 1, 1}, nil},
		"one class":     {[]float64{1, 2, 3, 4}, []int{0, 0, 0, 0}, nil},
		"missing":       {[]float64{1, math.NaN(), 2, 3, math.NaN(), 4}, []int{0, 1, 0, 1, 0, 1}, []float64{2.5}},
		"three classes": {[]float64{1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24}, []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, []float64{7.5, 17.5}},
	} {
		ds := &mlcore.Dataset{X: mat.NewDense(len(tc.x), 1, tc.x), Columns: []mlcore.Column{{Name: "x"}}, Y: tc.y, ClassNames: []string{"a", "b", "c"}}
		m, err := preprocess.DiscretizerConfig{Strategy: preprocess.MDL}.Fit(ds)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := m.Cuts(0); !slices.Equal(got, tc.want) {
			t.Errorf("%s: cuts %v, want %v", name, got, tc.want)
		}
	}
}

// Levels must have names of their own even where cuts are close to each other; the
// oracle is the arithmetic of the cuts, 1000000 + 1/4, 2/4 and 3/4.
func TestLevelNamesDiffer(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(2, 1, []float64{1e6, 1e6 + 1}), Columns: []mlcore.Column{{Name: "x"}}}
	m, err := preprocess.DiscretizerConfig{Bins: 4}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"< 1000000.2", "1000000.2 to 1000000.5", "1000000.5 to 1000000.8", ">= 1000000.8"}
	if got := m.Columns()[0].Levels; !slices.Equal(got, want) {
		t.Errorf("levels %q, want %q", got, want)
	}
}

// With 3 rows of 4 columns there are 3 components, of which the last is none. The
// oracle is geometry: a rotation keeps distances from the mean.
func TestPCAWithFewRows(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(3, 4, []float64{1, 5, 2, 0, 4, 4, 8, 1, -2, 3, 5, 7})}
	for _, name := range []string{"a", "b", "c", "d"} {
		ds.Columns = append(ds.Columns, mlcore.Column{Name: name})
	}
	m, err := preprocess.PCAConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Columns) != 3 || m.ExplainedVariance()[2] > 1e-12 {
		t.Fatalf("%d components with variances %v, want 3 and the last 0", len(out.Columns), m.ExplainedVariance())
	}
	mean := []float64{1, 4, 5, 8. / 3}
	for i := range 3 {
		var before, after float64
		for j, v := range ds.X.RawRowView(i) {
			before += (v - mean[j]) * (v - mean[j])
		}
		for _, v := range out.X.RawRowView(i) {
			after += v * v
		}
		if math.Abs(before-after) > 1e-9 {
			t.Errorf("row %d: squared distance from the mean %v, of the components %v", i, before, after)
		}
	}
}

// Columns that are not expanded come first, in both forms; the products are by hand.
func TestPolynomialOfSomeColumns(t *testing.T) {
	ds := mixedColumns()
	m, err := preprocess.PolynomialConfig{Columns: []string{"c", "a"}}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.FeatureNames(), []string{"b", "d", "a", "c", "a^2", "a c", "c^2"}; !slices.Equal(got, want) {
		t.Errorf("columns %q, want %q", got, want)
	}
	if got, want := out.X.RawRowView(1), []float64{1, 0, 2.5, 30, 6.25, 75, 900}; !slices.Equal(got, want) {
		t.Errorf("row 1 %v, want %v", got, want)
	}
	if !slices.Equal(out.Columns[0].Levels, ds.Columns[2].Levels) {
		t.Error("a categorical column has lost its levels")
	}
	rows, err := m.TransformRows(ds.X)
	if err != nil || !mat.Equal(rows, out.X) {
		t.Errorf("bare rows %v (%v), want %v", rows, err, out.X)
	}
}

func TestErrors(t *testing.T) {
	ds := &mlcore.Dataset{
		Name:       "sample",
		X:          mat.NewDense(3, 2, []float64{1, 0, 2, 0, 4, 1}),
		Columns:    []mlcore.Column{{Name: "size"}, {Name: "colour", Levels: []string{"red", "blue", "grey"}}},
		Y:          []int{0, 1, 1},
		ClassNames: []string{"no", "yes"},
	}
	with := func(i, j int, v float64) *mlcore.Dataset {
		d := *ds
		d.X = mat.DenseCopyOf(ds.X)
		d.X.Set(i, j, v)
		return &d
	}
	nan := math.NaN()
	hollow := with(0, 0, nan)
	hollow.X.SetCol(0, []float64{nan, nan, nan})
	other := *ds
	other.Columns = []mlcore.Column{ds.Columns[0], {Name: "colour", Levels: []string{"blue", "grey", "red"}}}
	unlabelled := *ds
	unlabelled.Y = nil
	for name, tc := range map[string]struct {
		step        preprocess.Step
		train, then *mlcore.Dataset // then nil: fitting fails
		want        error
		says        string
	}{
		"no such column":        {preprocess.ImputerConfig{Columns: []string{"weight"}}, ds, nil, mlcore.ErrColumn, `"weight"`},
		"column twice":          {preprocess.ImputerConfig{Columns: []string{"size", "size"}}, ds, nil, mlcore.ErrColumn, "twice"},
		"scaling categories":    {preprocess.StandardScalerConfig{Columns: []string{"colour"}}, ds, nil, mlcore.ErrColumn, "not numeric"},
		"encoding numbers":      {preprocess.OneHotConfig{Columns: []string{"size"}}, ds, nil, mlcore.ErrColumn, "not categorical"},
		"nothing to impute by":  {preprocess.ImputerConfig{}, hollow, nil, mlcore.ErrEmpty, "column 0 (size)"},
		"nothing to scale by":   {preprocess.StandardScalerConfig{}, hollow, nil, mlcore.ErrEmpty, "column 0 (size)"},
		"strategy":              {preprocess.ImputerConfig{Strategy: 9}, ds, nil, mlcore.ErrConfig, "9"},
		"range":                 {preprocess.MinMaxScalerConfig{Min: 2, Max: 1}, ds, nil, mlcore.ErrConfig, "from 2 to 1"},
		"bins":                  {preprocess.DiscretizerConfig{Bins: 1}, ds, nil, mlcore.ErrConfig, "Bins is 1"},
		"MDL without labels":    {preprocess.DiscretizerConfig{Strategy: preprocess.MDL}, &unlabelled, nil, mlcore.ErrConfig, "none"},
		"sampling no labels":    {preprocess.UpSampleConfig{}, &unlabelled, nil, mlcore.ErrConfig, "no class labels"},
		"components":            {preprocess.PCAConfig{Components: 2}, ds, nil, mlcore.ErrConfig, "there are 1"},
		"share":                 {preprocess.PCAConfig{Share: 2}, ds, nil, mlcore.ErrConfig, "Share is 2"},
		"degree":                {preprocess.PolynomialConfig{Degree: -1}, ds, nil, mlcore.ErrConfig, "Degree is -1"},
		"too many products":     {preprocess.PolynomialConfig{Degree: 1 << 30}, ds, nil, mlcore.ErrConfig, "factors in all out of 1 columns"},
		"products of none":      {preprocess.PolynomialConfig{}, mustSelect(t, ds, "colour"), nil, mlcore.ErrColumn, "no numeric column"},
		"missing in products":   {preprocess.PolynomialConfig{}, ds, with(1, 0, nan), mlcore.ErrNonFinite, "impute it first: in row 1, column 0 (size)"},
		"product overflows":     {preprocess.PolynomialConfig{}, ds, with(2, 0, 1e200), mlcore.ErrNonFinite, `"size^2" overflows; scale the columns first: in row 2, column 0 (size)`},
		"missing in components": {preprocess.PCAConfig{}, with(1, 0, nan), nil, mlcore.ErrNonFinite, "column 0 (size) has no value in row 1"},
		"infinity":              {preprocess.ImputerConfig{}, with(1, 0, math.Inf(1)), nil, mlcore.ErrNonFinite, "row 1, column 0"},
		"unknown, one-hot":      {preprocess.OneHotConfig{}, ds, with(2, 1, 2), mlcore.ErrLevel, `"grey" is in no training row (set Unknown or AllLevels if that may be): in row 2, column 1 (colour)`},
		"unknown, ordinal":      {preprocess.OrdinalConfig{}, ds, with(2, 1, 2), mlcore.ErrLevel, "row 2, column 1 (colour)"},
		"missing, one-hot":      {preprocess.OneHotConfig{}, ds, with(0, 1, nan), mlcore.ErrNonFinite, "row 0, column 1 (colour)"},
		"other levels":          {preprocess.OneHotConfig{}, ds, &other, mlcore.ErrColumn, "colour"},
		"one level, dropped":    {preprocess.OneHotConfig{DropFirst: true}, mustSelect(t, ds.Subset([]int{0, 1}), "colour"), nil, mlcore.ErrColumn, "leaves none"},
	} {
		f, err := tc.step.FitStep(tc.train)
		if tc.then != nil {
			if err != nil {
				t.Errorf("%s: fit: %v", name, err)
				continue
			}
			_, err = f.Transformer.Transform(tc.then)
		}
		if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", name, err, tc.want, tc.says)
		}
	}
	for name, c := range map[string]preprocess.PipelineConfig{
		"no learner":   {},
		"nil step":     {Steps: []preprocess.Step{nil}, Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)},
		"row too high": {Steps: []preprocess.Step{rowsStep{7}}, Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)},
	} {
		if _, err := c.FitClassifier(ds); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("pipeline with %s: error %v, want ErrConfig", name, err)
		}
	}
}

type rowsStep []int

func (s rowsStep) FitStep(*mlcore.Dataset) (preprocess.FittedStep, error) {
	return preprocess.FittedStep{Rows: s}, nil
}

func mustSelect(t *testing.T, ds *mlcore.Dataset, names ...string) *mlcore.Dataset {
	t.Helper()
	ds, err := ds.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// A model without probabilities, which says class 1 of everything.
type always1 struct{}

func (always1) NumFeatures() int                    { return 1 }
func (always1) NumClasses() int                     { return 2 }
func (always1) Predict(X mat.Matrix) ([]int, error) { return []int{1, 1}, nil }

// Class 2 has a row of weight 0 only, so that the model knows of two classes; the
// oracle is what PredictProba and NumClasses promise.
func TestMoreClassesThanTheModel(t *testing.T) {
	X, y, w := mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 1, 2}, []float64{1, 1, 0}
	two := X.Slice(0, 2, 0, 1)
	for name, tc := range map[string]struct {
		learner mlcore.ClassifierLearner
		want    []float64 // of the second row; nil: no probabilities
	}{
		"probabilities": {mlcore.LearnClassifier(bayes.GaussianConfig{VarSmoothing: 0.01}.FitClassifier), []float64{0, 1, 0}},
		"none":          {func(*mlcore.Dataset) (mlcore.Classifier, error) { return always1{}, nil }, nil},
	} {
		m, err := preprocess.PipelineConfig{Learner: tc.learner}.FitClassifier(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p, err := m.PredictProba(two)
		if tc.want == nil {
			if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "always1 does not estimate class probabilities") {
				t.Errorf("%s: error %v", name, err)
			}
			if y, err := m.Predict(two); err != nil || m.NumClasses() != 3 || y[1] != 1 {
				t.Errorf("%s: predicts %v, error %v", name, y, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r, c := p.Dims(); m.NumClasses() != 3 || r != 2 || c != 3 {
			t.Fatalf("%s: %d classes and %d×%d probabilities, want 3 and 2×3", name, m.NumClasses(), r, c)
		}
		for k, want := range tc.want {
			if math.Abs(p.At(1, k)-want) > 1e-9 {
				t.Errorf("%s: probabilities %v, want %v", name, p.RawRowView(1), tc.want)
				break
			}
		}
	}
	if _, err := (preprocess.PipelineConfig{
		Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return always1{}, nil },
	}).FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 0}, nil)); !errors.Is(err, mlcore.ErrLabel) {
		t.Errorf("a model of more classes than the data: error %v, want ErrLabel", err)
	}
}

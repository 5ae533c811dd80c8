package preprocess_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// A table has null for a missing value.
type table [][]*float64

// oracle is testdata/peers.json: data and what scikit-learn makes of them.
// scripts/oracles/preprocess.py made it; the file holds versions.
type answers struct {
	MadeUp struct {
		X           table            `json:"X"`
		Queries     table            `json:"queries"`
		Holes       table            `json:"holes"`
		HoleQueries table            `json:"hole_queries"`
		Codes       table            `json:"codes"`
		CodeQueries table            `json:"code_queries"`
		Answers     map[string]table `json:"answers"`
		Edges       [][]float64      `json:"edges"`
		PCA         struct {
			Components [][]float64 `json:"components"`
			Variance   []float64   `json:"variance"`
			Ratio      []float64   `json:"ratio"`
			Queries    table       `json:"queries"`
			Kept       int         `json:"kept for 0.99"`
		} `json:"pca"`
		Polynomial []struct {
			Degree          int      `json:"degree"`
			InteractionOnly bool     `json:"interaction_only"`
			Bias            bool     `json:"bias"`
			Names           []string `json:"names"`
			Powers          [][]int  `json:"powers"`
			Queries         table    `json:"queries"`
		} `json:"polynomial"`
	} `json:"made_up"`
	Ecoli struct {
		Cuts    [][]float64 `json:"cuts"`
		Letters []string    `json:"letters"`
	} `json:"ecoli"`
}

func scikitLearn(t *testing.T) answers {
	t.Helper()
	return oracle.Load[answers](t, "testdata/peers.json")
}

// dataset makes a Dataset of a table, with numeric columns or with levels a to d.
func (rows table) dataset(name string, categorical bool, columns ...int) *mlcore.Dataset {
	if columns == nil {
		for j := range rows[0] {
			columns = append(columns, j)
		}
	}
	ds := &mlcore.Dataset{Name: name, X: mat.NewDense(len(rows), len(columns), nil)}
	for k, j := range columns {
		c := mlcore.Column{Name: fmt.Sprintf("c%d", j)}
		if categorical {
			c.Levels = []string{"a", "b", "c", "d"}
		}
		ds.Columns = append(ds.Columns, c)
		for i, row := range rows {
			v := math.NaN()
			if row[j] != nil {
				v = *row[j]
			}
			ds.X.Set(i, k, v)
		}
	}
	return ds
}

// fitted fits a step and returns its transformer.
func fitted(t *testing.T, step preprocess.Step, train *mlcore.Dataset) preprocess.Transformer {
	t.Helper()
	f, err := step.FitStep(train)
	if err != nil {
		t.Fatal(err)
	}
	return f.Transformer
}

func equal(t *testing.T, name string, got *mat.Dense, want *mat.Dense) {
	t.Helper()
	n, d := want.Dims()
	if r, c := got.Dims(); r != n || c != d {
		t.Fatalf("%s: %d×%d, scikit-learn %d×%d", name, r, c, n, d)
	}
	for i := range n {
		for j := range d {
			g, w := got.At(i, j), want.At(i, j)
			if math.IsNaN(g) != math.IsNaN(w) || math.Abs(g-w) > 1e-9*max(1, math.Abs(w)) {
				t.Errorf("%s: row %d, column %d: %v, scikit-learn %v", name, i, j, g, w)
			}
		}
	}
}

func TestAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t).MadeUp
	whole := func(rows table) *mlcore.Dataset { return rows.dataset("made up", false) }
	codes := func(rows table) *mlcore.Dataset { return rows.dataset("made up", true) }
	without3 := func(rows table) *mlcore.Dataset { return rows.dataset("made up", false, 0, 1, 2, 4) }
	cases := map[string]struct {
		step           preprocess.Step
		train, queries *mlcore.Dataset
	}{
		"impute mean":            {preprocess.ImputerConfig{}, whole(o.Holes), whole(o.HoleQueries)},
		"impute median":          {preprocess.ImputerConfig{Strategy: preprocess.Median}, whole(o.Holes), whole(o.HoleQueries)},
		"impute mode":            {preprocess.ImputerConfig{Strategy: preprocess.Mode}, whole(o.Holes), whole(o.HoleQueries)},
		"standard":               {preprocess.StandardScalerConfig{}, whole(o.X), whole(o.Queries)},
		"standard, holes":        {preprocess.StandardScalerConfig{}, whole(o.Holes), whole(o.HoleQueries)},
		"standard, no mean":      {preprocess.StandardScalerConfig{NoMean: true}, whole(o.X), whole(o.Queries)},
		"standard, no sd":        {preprocess.StandardScalerConfig{NoStd: true}, whole(o.X), whole(o.Queries)},
		"min-max":                {preprocess.MinMaxScalerConfig{}, whole(o.X), whole(o.Queries)},
		"min-max, holes":         {preprocess.MinMaxScalerConfig{}, whole(o.Holes), whole(o.HoleQueries)},
		"min-max, -1 to 3, clip": {preprocess.MinMaxScalerConfig{Min: -1, Max: 3, Clip: true}, whole(o.X), whole(o.Queries)},
		"equal width":            {preprocess.DiscretizerConfig{Bins: 4}, o.X.dataset("", false, 0, 1, 2), o.Queries.dataset("", false, 0, 1, 2)},
		"quantile":               {preprocess.DiscretizerConfig{Bins: 4, Strategy: preprocess.QuantileBins}, without3(o.X), without3(o.Queries)},
		"one-hot":                {preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}, codes(o.Codes), codes(o.CodeQueries)},
		"one-hot, drop first":    {preprocess.OneHotConfig{DropFirst: true}, codes(o.Codes), codes(o.Codes)},
		"ordinal":                {preprocess.OrdinalConfig{Unknown: mlcore.UnknownIgnore}, codes(o.Codes), codes(o.CodeQueries)},
	}
	if len(cases) != len(o.Answers) {
		t.Errorf("%d cases, scikit-learn answered %d", len(cases), len(o.Answers))
	}
	for name, c := range cases {
		out, err := fitted(t, c.step, c.train).Transform(c.queries)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := out.Validate(); err != nil {
			t.Errorf("%s: what comes out: %v", name, err)
		}
		equal(t, name, out.X, o.Answers[name].dataset("", false).X)
	}

	m, err := preprocess.DiscretizerConfig{Bins: 4, Strategy: preprocess.QuantileBins}.Fit(without3(o.X))
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range o.Edges {
		if got := m.Cuts(j); !slices.EqualFunc(got, want, near) {
			t.Errorf("quantile cuts of column %d: %v, scikit-learn %v", j, got, want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// scikit-learn 1.9 has the same rule for signs, so signs are compared too.
func TestPCAAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t).MadeUp
	train, queries := o.X.dataset("", false, 0, 1, 2, 4), o.Queries.dataset("", false, 0, 1, 2, 4)
	m, err := preprocess.PCAConfig{}.Fit(train)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range o.PCA.Components {
		if got := mat.Row(nil, k, m.Components()); !slices.EqualFunc(got, want, near) {
			t.Errorf("component %d: %v, scikit-learn %v", k, got, want)
		}
	}
	if got := m.ExplainedVariance(); !slices.EqualFunc(got, o.PCA.Variance, near) {
		t.Errorf("variances %v, scikit-learn %v", got, o.PCA.Variance)
	}
	if got := m.ExplainedVarianceRatio(); !slices.EqualFunc(got, o.PCA.Ratio, near) {
		t.Errorf("shares %v, scikit-learn %v", got, o.PCA.Ratio)
	}
	out, err := m.Transform(queries)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "PCA", out.X, o.PCA.Queries.dataset("", false).X)

	if m, err = (preprocess.PCAConfig{Share: 0.99}).Fit(train); err != nil {
		t.Fatal(err)
	}
	if got := len(m.Columns()); got != o.PCA.Kept {
		t.Errorf("%d components explain 0.99, scikit-learn keeps %d", got, o.PCA.Kept)
	}
}

func TestPolynomialAgainstScikitLearn(t *testing.T) {
	o := scikitLearn(t).MadeUp
	train, queries := o.X.dataset("", false, 0, 1, 2, 4), o.Queries.dataset("", false, 0, 1, 2, 4)
	for _, want := range o.Polynomial {
		c := preprocess.PolynomialConfig{Degree: want.Degree, InteractionOnly: want.InteractionOnly, IncludeBias: want.Bias}
		m, err := c.Fit(train)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Transform(queries)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.FeatureNames(); !slices.Equal(got, want.Names) {
			t.Errorf("%+v: columns %q, scikit-learn %q", c, got, want.Names)
		}
		if got := m.Powers(); !reflect.DeepEqual(got, want.Powers) {
			t.Errorf("%+v: powers %v, scikit-learn %v", c, got, want.Powers)
		}
		equal(t, fmt.Sprintf("%+v", c), out.X, want.Queries.dataset("", false).X)
	}
}

// The UCI report cuts Ecoli into four intervals of equal width, A to D; the oracle
// is scikit-learn's KBinsDiscretizer.
func TestEcoliInFourIntervals(t *testing.T) {
	o := scikitLearn(t).Ecoli
	ds := datasetstest.Load(t, "ecoli")
	names := []string{"mcg", "gvh", "lip", "aac", "alm1", "alm2"}
	ds, err := ds.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := preprocess.DiscretizerConfig{Bins: 4, Letters: true}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range o.Cuts {
		// Of lip, with two values only, the cuts between are kept.
		if got := m.Cuts(j); !slices.EqualFunc(got, want, near) {
			t.Errorf("%s: cuts %v, scikit-learn %v", names[j], got, want)
		}
	}
	for i, want := range o.Letters {
		got := ""
		for j, c := range out.Columns {
			got += c.Levels[int(out.X.At(i, j))]
		}
		if got != want {
			t.Errorf("row %d: %s, scikit-learn %s", i, got, want)
		}
	}
}

// The UCI report replaces the missing values of the Breast set by the mode. The
// oracle is a count of the file's lines: bare_nuclei is 1 in 402 of 699, more than
// any other, and missing in 16.
func TestBreastByMode(t *testing.T) {
	ds := datasetstest.Load(t, "breast")
	m, err := preprocess.ImputerConfig{Strategy: preprocess.Mode}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	ones, filled := 0, 0
	for i := range out.Len() {
		for j, v := range out.X.RawRowView(i) {
			if math.IsNaN(ds.X.At(i, j)) {
				filled++
				if j != 5 || v != 1 {
					t.Errorf("row %d, column %d becomes %v, want 1 in column 5", i, j, v)
				}
			}
		}
		if out.X.At(i, 5) == 1 {
			ones++
		}
	}
	if filled != 16 || ones != 402+16 {
		t.Errorf("%d values filled in and %d ones, want 16 and 418", filled, ones)
	}
}

// The oracle is Weka's supervised Discretize filter, which is Fayyad and Irani's
// method: the intervals that a public listing of its output gives for iris.
func TestMDLOfIris(t *testing.T) {
	m, err := preprocess.DiscretizerConfig{Strategy: preprocess.MDL}.Fit(datasetstest.Load(t, "iris"))
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range [][]float64{{5.55, 6.15}, {2.95, 3.35}, {2.45, 4.75}, {0.8, 1.75}} {
		if got := m.Cuts(j); !slices.EqualFunc(got, want, near) {
			t.Errorf("column %d: cuts %v, Weka %v", j, got, want)
		}
	}
}

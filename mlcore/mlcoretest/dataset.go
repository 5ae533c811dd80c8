package mlcoretest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// fromDataset fits to a Dataset: the model knows what its columns mean, and finds them
// in other data by name.
func (s subject[L]) fromDataset(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	var w []float64
	if !s.IgnoresWeights {
		w, _ = repeats(rows)
	}
	ds := s.describe(p.X, s.labels(p), w)
	m, err := s.train(1, ds)
	if err != nil {
		t.Fatal(err)
	}
	d, ok := m.fitted.(mlcore.Described)
	if !ok {
		t.Fatalf("a %T has no Schema method", m.fitted)
	}
	schema := *ds.Schema()
	if s.IgnoresUnknown {
		schema.Columns = slices.Clone(schema.Columns)
		for j := range schema.Columns {
			if schema.Columns[j].Categorical() {
				schema.Columns[j].Unknown = mlcore.UnknownIgnore
			}
		}
	}
	if !d.Schema().Equal(&schema) {
		t.Fatalf("the Schema is %v, want %v", d.Schema(), &schema)
	}
	told, err := m.predict(p.queries)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := p.queries.Dims()
	queries := s.describe(p.queries, nil, nil)
	for _, other := range []struct {
		name string
		ds   *mlcore.Dataset
	}{
		{"the same columns", queries},
		{"columns in another order and one too many", reversed(queries)},
		{"levels in another order", recoded(queries)},
	} {
		got, err := mlcore.Predict(m, other.ds)
		if err != nil {
			t.Errorf("%s: %v", other.name, err)
		} else if !s.unlabelled && len(got) != n || !slices.Equal(got, told) {
			t.Errorf("%s: other predictions", other.name)
		}
	}
	_, err = mlcore.Predict(m, mlcore.FromMatrix(p.queries, s.labels(problem{}), nil))
	checkError(t, "columns of other names", err, mlcore.ErrColumn, "length")
}

// Predict and Schema make a model what mlcore.Predict takes.
func (m model[L]) Predict(X mat.Matrix) ([]L, error) { return m.predict(X) }

// Schema is that of the fitted model.
func (m model[L]) Schema() *mlcore.Schema { return m.fitted.(mlcore.Described).Schema() }

// reversed has the columns of ds from the last to the first, and one more.
func reversed(ds *mlcore.Dataset) *mlcore.Dataset {
	n, d := ds.X.Dims()
	out := &mlcore.Dataset{Name: "reversed", X: mat.NewDense(n, d+1, nil)}
	for j := d - 1; j >= 0; j-- {
		for i := range n {
			out.X.Set(i, len(out.Columns), ds.X.At(i, j))
		}
		out.Columns = append(out.Columns, ds.Columns[j])
	}
	out.Columns = append(out.Columns, mlcore.Column{Name: "weather"})
	return out
}

// recoded has the levels of each categorical column in the opposite order.
func recoded(ds *mlcore.Dataset) *mlcore.Dataset {
	out := *ds
	out.X, out.Columns = mat.DenseCopyOf(ds.X), slices.Clone(ds.Columns)
	for j, c := range out.Columns {
		if !c.Categorical() {
			continue
		}
		out.Columns[j].Levels = slices.Clone(c.Levels)
		slices.Reverse(out.Columns[j].Levels)
		for i := range out.Len() {
			out.X.Set(i, j, float64(len(c.Levels)-1)-out.X.At(i, j))
		}
	}
	return &out
}

// badDataset fits to Datasets with something wrong: the error names the column.
func (s subject[L]) badDataset(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	with := func(change func(ds *mlcore.Dataset)) *mlcore.Dataset {
		ds := s.describe(mat.DenseCopyOf(p.X), slices.Clone(s.labels(p)), nil)
		change(ds)
		return ds
	}
	type trial struct {
		name string
		ds   *mlcore.Dataset
		want error
		says string
	}
	last, middle := s.columns()-1, min(1, s.columns()-1)
	named := func(j int) string { return fmt.Sprintf("column %d (%s)", j, columnNames[j]) }
	trials := []trial{
		{"nil", nil, mlcore.ErrEmpty, "nil"},
		{"empty", &mlcore.Dataset{}, mlcore.ErrEmpty, ""},
		{"infinity", with(func(ds *mlcore.Dataset) { ds.X.Set(5, last, math.Inf(1)) }), mlcore.ErrNonFinite, "row 5, " + named(last)},
		{"columns not described", with(func(ds *mlcore.Dataset) { ds.Columns = ds.Columns[:last] }), mlcore.ErrShape, ""},
		{"too few weights", with(func(ds *mlcore.Dataset) { ds.Weights = []float64{1} }), mlcore.ErrShape, ""},
	}
	if !s.AllowsMissing {
		trials = append(trials, trial{"a missing value", with(func(ds *mlcore.Dataset) { ds.X.Set(4, middle, math.NaN()) }), mlcore.ErrNonFinite, "row 4, " + named(middle)})
	}
	if s.Levels == nil && !s.TakesCategories {
		trials = append(trials, trial{"a categorical column", with(func(ds *mlcore.Dataset) {
			for i := range rows {
				ds.X.Set(i, last, float64(i%2))
			}
			ds.Columns[last].Levels = []string{"red", "green"}
		}), mlcore.ErrColumn, named(last) + " is categorical"})
	}
	for _, c := range trials {
		_, err := s.train(1, c.ds)
		checkError(t, c.name, err, c.want, c.says)
	}
	if s.Levels != nil {
		ds := with(func(ds *mlcore.Dataset) {})
		m, err := s.train(1, ds)
		if err != nil {
			t.Fatal(err)
		}
		j := slices.IndexFunc(s.Levels, func(L int) bool { return L > 0 })
		strange := with(func(ds *mlcore.Dataset) {
			ds.Columns[j].Levels = append(slices.Clone(ds.Columns[j].Levels), "never seen")
			ds.X.Set(6, j, float64(s.Levels[j]))
		})
		_, err = mlcore.Predict(m, strange)
		if s.IgnoresUnknown {
			if err != nil {
				t.Errorf("an unknown category: %v", err)
			}
		} else {
			checkError(t, "an unknown category", err, mlcore.ErrLevel, `"never seen" in row 6`)
		}
	}
	if _, err := s.train(1, with(func(ds *mlcore.Dataset) {})); err != nil && !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("a good Dataset: %v", err)
	}
}

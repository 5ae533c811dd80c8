package preprocess_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// knnPeers is testdata/peers_knnimputer.json; scripts/oracles/preprocess_knnimputer.py
// made it.
type knnPeers struct {
	X       table `json:"X"`
	Queries table `json:"queries"`
	Cases   []struct {
		K          int   `json:"k"`
		ByDistance bool  `json:"by_distance"`
		Train      table `json:"train"`
		Queries    table `json:"queries"`
	} `json:"cases"`
}

func TestKNNImputerAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[knnPeers](t, "testdata/peers_knnimputer.json")
	train, queries := o.X.dataset("made up", false), o.Queries.dataset("made up", false)
	for _, c := range o.Cases {
		cfg := preprocess.KNNImputerConfig{Neighbors: c.K}
		if c.ByDistance {
			cfg.Weights = neighbors.InverseDistance
		}
		m, err := cfg.Fit(train)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []struct {
			name string
			in   *mlcore.Dataset
			want table
		}{{"training rows", train, c.Train}, {"queries", queries, c.Queries}} {
			out, err := m.Transform(rows.in)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, fmt.Sprintf("%+v, %s", cfg, rows.name), out.X, rows.want.dataset("", false).X)
		}
	}
}

// imputed returns the value that the first column of a query of three columns gets.
func imputed(t *testing.T, c preprocess.KNNImputerConfig, rows *mat.Dense, query ...float64) float64 {
	t.Helper()
	_, d := rows.Dims()
	ds := &mlcore.Dataset{X: rows, Columns: make([]mlcore.Column, d)}
	for j := range d {
		ds.Columns[j].Name = fmt.Sprint("c", j)
	}
	m, err := c.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.TransformRows(mat.NewDense(1, d, append([]float64{math.NaN()}, query...)))
	if err != nil {
		t.Fatal(err)
	}
	return out.At(0, 0)
}

func TestKNNImputerByHand(t *testing.T) {
	gap := math.NaN()
	two := preprocess.KNNImputerConfig{Neighbors: 2}
	byDistance := preprocess.KNNImputerConfig{Neighbors: 2, Weights: neighbors.InverseDistance}
	for _, c := range []struct {
		name   string
		config preprocess.KNNImputerConfig
		rows   []float64 // of three columns
		query  []float64
		want   float64
	}{
		{"the mean of two", two, []float64{10, 0, 0, 20, 1, 0, 90, 9, 0}, []float64{0, 0}, 15},
		// At distances √(3/2)·1 and √(3/2)·3: weights 1 and 1/3.
		{"by distance", byDistance, []float64{10, 1, 0, 20, 3, 0, 90, 9, 0}, []float64{0, 0}, 12.5},
		{"distance 0 decides alone", byDistance, []float64{10, 0, 0, 20, 0, 0, 90, 1, 0}, []float64{0, 0}, 15},
		{"rows that are equally far", two, []float64{10, 1, 0, 20, -1, 0, 90, 0, 1}, []float64{0, 0}, 15},
		// One shared column at distance 1 is √3, two at √(3/2)·√(0.8² + 1²).
		{"fewer shared columns are farther", preprocess.KNNImputerConfig{Neighbors: 1}, []float64{10, 1, gap, 20, 0.8, 1}, []float64{0, 0}, 20},
		{"a neighbour without the number", preprocess.KNNImputerConfig{Neighbors: 1}, []float64{gap, 0, 0, 20, 5, 5}, []float64{0, 0}, 20},
		{"no shared column", two, []float64{10, gap, 0, 40, gap, 1, gap, 3, 3}, []float64{0, gap}, 25},
		{"nothing at all", two, []float64{10, 1, 0, 40, 2, 1, gap, 3, 3}, []float64{gap, gap}, 25},
		{"far values", two, []float64{10, 1e200, 0, 20, 2e200, 0, 90, 9e200, 0}, []float64{0, 0}, 15},
		{"far values by distance", byDistance, []float64{10, 1e200, 0, 20, 3e200, 0, 90, 9e200, 0}, []float64{0, 0}, 12.5},
		{"near values by distance", byDistance, []float64{10, 1e-200, 0, 20, 3e-200, 0, 90, 9e-200, 0}, []float64{0, 0}, 12.5},
		{"the nearest values of all", byDistance, []float64{10, 5e-324, 0, 20, 5e-324, 0, 90, 1, 0}, []float64{0, 0}, 15},
		{"huge values", two, []float64{1.7e308, 0, 0, 1.7e308, 1, 0, 90, 9, 0}, []float64{0, 0}, 1.7e308},
		{"far beyond", two, []float64{10, 1.7e308, 0, 20, 1.7e308, 0, 90, 1.7e308, 0}, []float64{-1.7e308, 0}, 15},
	} {
		if got := imputed(t, c.config, mat.NewDense(len(c.rows)/3, 3, c.rows), c.query...); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestKNNImputerKeepsOtherColumns(t *testing.T) {
	ds := mixedColumns()
	ds.X.Set(1, 0, math.NaN())
	ds.X.Set(4, 2, math.NaN())
	m, err := preprocess.KNNImputerConfig{}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Transform(ds)
	if err != nil {
		t.Fatal(err)
	}
	// The four others and the mean: 1.5, -4, 8, 0.25, 3.
	if got := out.X.At(1, 0); !near(got, 1.75) {
		t.Errorf("the gap becomes %v, want 1.75", got)
	}
	if !math.IsNaN(out.X.At(4, 2)) {
		t.Errorf("a missing category becomes %v", out.X.At(4, 2))
	}
	if got := m.Means(); !near(got[0], 1.75) || !near(got[1], 35) || !math.IsNaN(got[2]) {
		t.Errorf("means %v, want 1.75, 35 and NaN", got)
	}
	if m, err = (preprocess.KNNImputerConfig{Columns: []string{"c"}}).Fit(ds); err != nil {
		t.Fatal(err)
	}
	if out, err = m.Transform(ds); err != nil || !math.IsNaN(out.X.At(1, 0)) {
		t.Errorf("a column that is not named: %v (%v)", out.X.At(1, 0), err)
	}
}

func TestKNNImputerRefuses(t *testing.T) {
	ds := mixedColumns()
	empty := mixedColumns()
	for i := range 6 {
		empty.X.Set(i, 1, math.NaN())
	}
	type config = preprocess.KNNImputerConfig
	for _, c := range []struct {
		name   string
		config config
		ds     *mlcore.Dataset
		want   error
		says   string
	}{
		{"a negative K", config{Neighbors: -1}, ds, mlcore.ErrConfig, "at least 1"},
		{"Gaussian weights", config{Weights: neighbors.Gaussian}, ds, mlcore.ErrConfig, "InverseDistance"},
		{"a column without values", config{}, empty, mlcore.ErrEmpty, "column 1 (c)"},
		{"a categorical column", config{Columns: []string{"b"}}, ds, mlcore.ErrColumn, "not numeric"},
		{"no Dataset", config{}, nil, mlcore.ErrEmpty, ""},
	} {
		if _, err := c.config.FitStep(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
}

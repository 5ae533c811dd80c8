package isotonic_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

func column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, slices.Clone(x)) }

func fit(t *testing.T, c isotonic.Config, x, y, w []float64) *isotonic.Model {
	t.Helper()
	m, err := c.FitRegressor(mlcore.FromMatrix(column(x), y, w))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func at(t *testing.T, m *isotonic.Model, x ...float64) []float64 {
	t.Helper()
	y, err := m.Predict(column(x))
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// The functions are scikit-learn's; scripts/oracles/isotonic.py made them.
func TestAgainstScikitLearn(t *testing.T) {
	peers := oracle.Load[struct {
		Samples []struct {
			Name                            string
			X, Y, W                         []float64
			Queries, Increasing, Decreasing []float64
		}
	}](t, "testdata/peers.json")
	for _, s := range peers.Samples {
		for _, want := range []struct {
			decreasing bool
			y          []float64
		}{{false, s.Increasing}, {true, s.Decreasing}} {
			m := fit(t, isotonic.Config{Decreasing: want.decreasing}, s.X, s.Y, s.W)
			for i, got := range at(t, m, s.Queries...) {
				if w := want.y[i]; !(math.Abs(got-w) <= 1e-12*max(1, math.Abs(w))) {
					t.Errorf("%s, decreasing %v: f(%v) = %v, scikit-learn %v", s.Name, want.decreasing, s.Queries[i], got, w)
				}
			}
		}
	}
}

// By hand: 3 and 1 are pooled to 2, and with weights 1 and 3 to 1.5.
func TestByHand(t *testing.T) {
	x, y := []float64{0, 1, 2, 4}, []float64{0, 3, 1, 6}
	for _, c := range []struct {
		w    []float64
		want []float64
	}{
		{nil, []float64{0, 0, 1, 2, 2, 4, 6, 6}},
		{[]float64{1, 1, 3, 1}, []float64{0, 0, 0.75, 1.5, 1.5, 3.75, 6, 6}},
		{[]float64{1, 0, 1, 1}, []float64{0, 0, 0.25, 0.5, 1, 3.5, 6, 6}},
	} {
		if got := at(t, fit(t, isotonic.Config{}, x, y, c.w), -9, 0, 0.5, 1, 2, 3, 4, 99); !slices.Equal(got, c.want) {
			t.Errorf("weights %v: %v, want %v", c.w, got, c.want)
		}
	}
	X, Y := fit(t, isotonic.Config{Decreasing: true}, x, []float64{5, 1, 1, 1}, nil).Corners()
	if !slices.Equal(X, []float64{0, 1, 4}) || !slices.Equal(Y, []float64{5, 1, 1}) {
		t.Errorf("corners at %v, %v", X, Y)
	}
	if got := at(t, fit(t, isotonic.Config{OutOfBounds: isotonic.Missing}, x, y, nil), -1, 0, 4, 5); got[0] == got[0] || got[3] == got[3] || got[1] != 0 || got[2] != 6 {
		t.Errorf("beyond the training values %v, want NaN at both ends", got)
	}
}

// Of all functions that never fall none is nearer: no move of a level, up or down as far
// as its neighbours let it, lowers the sum of squares, and a level is the mean of its rows.
func TestLevelsAreMeans(t *testing.T) {
	rng := mlcore.NewRand(3)
	n := 400
	x, y, w := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i], w[i] = float64(rng.IntN(60)), rng.NormFloat64()+float64(i%7)/3, rng.Float64()
	}
	m := fit(t, isotonic.Config{}, x, y, w)
	level, sums, weights := at(t, m, x...), map[float64]float64{}, map[float64]float64{}
	for i, v := range level {
		sums[v] += w[i] * y[i]
		weights[v] += w[i]
	}
	for v, sum := range sums {
		if math.Abs(sum/weights[v]-v) > 1e-12 {
			t.Errorf("level %v is not the mean of its rows, %v", v, sum/weights[v])
		}
	}
	if _, Y := m.Corners(); !slices.IsSorted(Y) {
		t.Error("the function falls")
	}
}

// Weights count as copies, the order of the rows does not count, and numbers as far apart
// as can be make no NaN.
func TestRowsAndRange(t *testing.T) {
	rng := mlcore.NewRand(4)
	n := 90
	x, y, w := make([]float64, n), make([]float64, n), make([]float64, n)
	var copies []int
	for i := range n {
		x[i], y[i], w[i] = float64(rng.IntN(30)), rng.NormFloat64()+float64(i)/30, float64(i%4)
		for range i % 4 {
			copies = append(copies, i)
		}
	}
	want := at(t, fit(t, isotonic.Config{}, x, y, w), x...)
	rng.Shuffle(len(copies), func(i, j int) { copies[i], copies[j] = copies[j], copies[i] })
	got := at(t, fit(t, isotonic.Config{}, given.Pick(x, copies), given.Pick(y, copies), nil), x...)
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("f(%v) = %v with copies in place of weights, want %v", x[i], got[i], want[i])
		}
	}
	far := math.MaxFloat64
	if got := at(t, fit(t, isotonic.Config{}, []float64{-far, far}, []float64{-far, far}, nil), -far, 0, far); !slices.Equal(got, []float64{-far, 0, far}) {
		t.Errorf("between the ends of the range %v", got)
	}
	if got := at(t, fit(t, isotonic.Config{}, []float64{0, 1}, []float64{4, 2}, []float64{far / 2, far / 4}), 0); math.Abs(got[0]-10.0/3) > 1e-12 {
		t.Errorf("huge weights: %v, want 10/3", got)
	}
}

func TestRefused(t *testing.T) {
	one := []float64{1, 2, 3}
	iris := mlcore.FromMatrix(mat.NewDense(3, 2, nil), one, nil)
	levels := mlcore.FromMatrix(mat.NewDense(3, 1, nil), one, nil)
	levels.Columns[0].Levels = []string{"red"}
	for name, c := range map[string]struct {
		cfg  isotonic.Config
		ds   *mlcore.Dataset
		want error
		says string
	}{
		"two columns": {isotonic.Config{}, iris, mlcore.ErrShape, "Dataset.Select"},
		"a category":  {isotonic.Config{}, levels, mlcore.ErrColumn, "column 0 (x0) is categorical"},
		"NaN":         {isotonic.Config{}, mlcore.FromMatrix(column([]float64{1, math.NaN(), 2}), one, nil), mlcore.ErrNonFinite, "row 1, column 0"},
		"no rows":     {isotonic.Config{}, nil, mlcore.ErrEmpty, ""},
		"weights":     {isotonic.Config{}, mlcore.FromMatrix(column(one), one, []float64{0, 0, 0}), mlcore.ErrWeight, ""},
		"no target":   {isotonic.Config{}, mlcore.FromMatrix(column(one), []int{0, 1, 2}, nil), mlcore.ErrLabel, "Target"},
		"OutOfBounds": {isotonic.Config{OutOfBounds: 7}, mlcore.FromMatrix(column(one), one, nil), mlcore.ErrConfig, "OutOfBounds(7)"},
		"far targets": {isotonic.Config{}, mlcore.FromMatrix(column(one), []float64{1.7e308, -1.7e308, 0}, nil), mlcore.ErrNonFinite, "overflows"},
	} {
		if _, err := c.cfg.FitRegressor(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %v and says %q", name, err, c.want, c.says)
		}
	}
	m := fit(t, isotonic.Config{}, one, one, nil)
	if _, err := m.Predict(mat.NewDense(1, 2, nil)); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("two columns to predict: %v", err)
	}
	if _, err := m.Predict(column([]float64{1, math.Inf(1)})); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("an infinite query: %v", err)
	}
	if _, err := new(isotonic.Model).Predict(column(one)); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a model that was not fitted: %v", err)
	}
}

// A file gives the same function, and no damaged file any.
func TestFiles(t *testing.T) {
	ds := mlcore.FromMatrix(column([]float64{0, 1, 2, 3}), []float64{0, 2, 1, 4}, nil)
	m, err := isotonic.Config{OutOfBounds: isotonic.Missing}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	data, err := modelfile.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.Unmarshal[*isotonic.Model](data)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{-1, 0, 0.7, 1.2, 3, 4}
	if a, b := fmt.Sprint(at(t, m, x...)), fmt.Sprint(at(t, back, x...)); a != b {
		t.Errorf("%s after a round trip, %s before", b, a)
	}
	if !back.Schema().Equal(ds.Schema()) {
		t.Errorf("the Schema is %v", back.Schema())
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x10
		if _, err := modelfile.Unmarshal[any](bad); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
}

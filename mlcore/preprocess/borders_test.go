package preprocess_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// oneColumn is a Dataset of a column x and classes of these labels.
func oneColumn(x []float64, y []int) *mlcore.Dataset {
	ds := &mlcore.Dataset{X: mat.NewDense(len(x), 1, x), Columns: []mlcore.Column{{Name: "x"}}, Y: y}
	for k := range mlcore.CountClasses(y) {
		ds.ClassNames = append(ds.ClassNames, fmt.Sprint(k))
	}
	return ds
}

// The oracle is the definition of Fayyad & Irani, 1993, written down once more: of all
// cuts that with the least mean entropy, and its gain against the bits that it costs.
func TestMDLByDefinition(t *testing.T) {
	bits := func(y []int) (entropy float64, classes int) {
		counts := map[int]int{}
		for _, k := range y {
			counts[k]++
		}
		for k := range 5 { // in a fixed order
			if n := counts[k]; n > 0 {
				entropy += float64(n) / float64(len(y)) * math.Log2(float64(len(y))/float64(n))
			}
		}
		return entropy, len(counts)
	}
	var cuts func(x []float64, y []int) []float64
	cuts = func(x []float64, y []int) []float64 {
		n := float64(len(y))
		h, k := bits(y)
		best, at := math.Inf(1), 0
		for i := 1; i < len(y); i++ {
			left, _ := bits(y[:i])
			right, _ := bits(y[i:])
			if mean := (float64(i)*left + (n-float64(i))*right) / n; x[i] > x[i-1] && mean < best-1e-12 {
				best, at = mean, i
			}
		}
		if at == 0 {
			return nil
		}
		h1, k1 := bits(y[:at])
		h2, k2 := bits(y[at:])
		delta := math.Log2(math.Pow(3, float64(k))-2) - (float64(k)*h - float64(k1)*h1 - float64(k2)*h2)
		if h-best <= (math.Log2(n-1)+delta)/n {
			return nil
		}
		return slices.Concat(cuts(x[:at], y[:at]), []float64{(x[at-1] + x[at]) / 2}, cuts(x[at:], y[at:]))
	}
	rng := mlcore.NewRand(5)
	some := 0
	for round := range 600 {
		n, classes := 5+rng.IntN(40), 2+rng.IntN(4)
		x, y := make([]float64, n), make([]int, n)
		for i := range x {
			x[i] = float64(i / (1 + round%3)) // in order; ties in two of three
			y[i] = min(classes-1, int(float64(classes)*(0.55*float64(i)/float64(n)+0.45*rng.Float64())))
		}
		for lo := 0; lo < n; { // equal values stand in the order of their classes
			hi := lo
			for hi < n && x[hi] == x[lo] {
				hi++
			}
			slices.Sort(y[lo:hi])
			lo = hi
		}
		want := cuts(x, y)
		m, err := preprocess.DiscretizerConfig{Strategy: preprocess.MDL}.Fit(oneColumn(x, y))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Cuts(0); !slices.Equal(got, want) {
			t.Fatalf("values %v, classes %v: cuts %v, want %v", x, y, got, want)
		}
		some += len(want)
	}
	if some < 100 {
		t.Errorf("%d cuts in all", some)
	}
}

// Cuts of a range that is longer than the greatest number, exactly: those of bins of one
// width, and quantiles by numpy's definition, worked in units of 1e307.
func TestCutsOfTheWidestRange(t *testing.T) {
	const a = 1.7e308
	for _, c := range []struct {
		strategy preprocess.BinStrategy
		bins     int
		x, want  []float64
	}{
		{preprocess.UniformBins, 2, []float64{-a, a}, []float64{0}},
		{preprocess.UniformBins, 3, []float64{-a, a}, []float64{-a / 3, a / 3}},
		{preprocess.UniformBins, 4, []float64{-a, a}, []float64{-a / 2, 0, a / 2}},
		{preprocess.UniformBins, 5, []float64{-math.MaxFloat64, math.MaxFloat64}, []float64{-math.MaxFloat64 / 5 * 3, -math.MaxFloat64 / 5, math.MaxFloat64 / 5, math.MaxFloat64 / 5 * 3}},
		{preprocess.QuantileBins, 2, []float64{-a, a}, []float64{0}},
		{preprocess.QuantileBins, 4, []float64{-a, a}, []float64{-a / 2, 0, a / 2}},
		{preprocess.QuantileBins, 3, []float64{-a, a, a, a}, []float64{a}},
	} {
		m, err := preprocess.DiscretizerConfig{Strategy: c.strategy, Bins: c.bins}.Fit(oneColumn(c.x, make([]int, len(c.x))))
		if err != nil {
			t.Fatal(err)
		}
		near := func(v, want float64) bool { return math.Abs(v/2-want/2) <= 1e-15*a }
		if got := m.Cuts(0); !slices.EqualFunc(got, c.want, near) {
			t.Errorf("%d bins of %v by strategy %d: cuts %v, want %v", c.bins, c.x, c.strategy, got, c.want)
		}
	}
}

// By hand: the quarters of 0 0 0 0 1 2 are 0, 0 and .75, those of 0 1 1 1 are .75, 1 and 1,
// and an interval that nothing of the training range falls into is not made.
func TestQuantilesThatCoincide(t *testing.T) {
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{0, 0, 0, 0, 1, 2}, []float64{0.75}},
		{[]float64{0, 1, 1, 1}, []float64{0.75, 1}},
		{[]float64{5, 4, 5, 1}, []float64{3.25, 4.5, 5}},
	} {
		m, err := preprocess.DiscretizerConfig{Strategy: preprocess.QuantileBins, Bins: 4}.Fit(oneColumn(c.x, make([]int, len(c.x))))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Cuts(0); !slices.Equal(got, c.want) {
			t.Errorf("%v: cuts %v, want %v", c.x, got, c.want)
		}
	}
}

// The defaults and names that are documented.
func TestDefaultsAndNames(t *testing.T) {
	x := make([]float64, 101)
	for i := range x {
		x[i] = float64(i)
	}
	for _, c := range []struct {
		cfg   preprocess.DiscretizerConfig
		names []string // the first and the last
		n     int
	}{
		{preprocess.DiscretizerConfig{}, []string{"< 20", ">= 80"}, 5},
		{preprocess.DiscretizerConfig{Bins: 2}, []string{"< 50", ">= 50"}, 2},
		{preprocess.DiscretizerConfig{Bins: 27, Letters: true}, []string{"A", "interval 27"}, 27},
		{preprocess.DiscretizerConfig{Bins: 26, Letters: true}, []string{"A", "Z"}, 26},
	} {
		m, err := c.cfg.Fit(oneColumn(x, make([]int, len(x))))
		if err != nil {
			t.Fatal(err)
		}
		levels := m.Columns()[0].Levels
		if len(levels) != c.n || levels[0] != c.names[0] || levels[c.n-1] != c.names[1] {
			t.Errorf("%+v: levels %q", c.cfg, levels)
		}
	}
	ds := mlcore.FromMatrix(mat.NewDense(6, 4, []float64{1, 9, 2, 4, 2, 1, 8, 3, 3, 7, 1, 9, 4, 2, 7, 1, 5, 8, 3, 6, 6, 3, 5, 2}), []int{0, 0, 0, 1, 1, 1}, nil)
	half, err := preprocess.RFEConfig{Learner: mlcore.LearnClassifier(tree.Config{}.FitClassifier)}.Fit(ds)
	if err != nil || len(half.Kept()) != 2 {
		t.Errorf("of four columns %v are kept (%v), want half", half.Kept(), err)
	}
	one, err := preprocess.PCAConfig{Components: 1}.Fit(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got := one.Columns(); len(got) != 1 || got[0].Name != "pc1" {
		t.Errorf("one component is %v", got)
	}
	for share, want := range map[float64]int{0.01: 1, 0.5: 2, 0.6: 2, 0.7: 3, 1: 4} {
		m, err := preprocess.SelectConfig{Share: share}.Fit(ds)
		if err != nil || len(m.Kept()) != want {
			t.Errorf("a share of %v of four columns keeps %v (%v), want %d", share, m.Kept(), err, want)
		}
	}
}

// The sign of a component is that of its largest loading, which is positive.
func TestSignsOfComponents(t *testing.T) {
	for seed := range uint64(20) {
		rng := mlcore.NewRand(seed)
		X := mat.NewDense(12, 4, nil)
		X.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, X)
		m, err := preprocess.PCAConfig{}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		loadings := m.Components()
		k, d := loadings.Dims()
		for c := range k {
			largest := 0.0
			for j := range d {
				if v := loadings.At(c, j); math.Abs(v) > math.Abs(largest) {
					largest = v
				}
			}
			if largest <= 0 {
				t.Errorf("seed %d: the largest loading of component %d is %v", seed, c, largest)
			}
		}
	}
}

// By hand, the commonest value and the middle of what is there.
func TestImputedByHand(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		strategy preprocess.Strategy
		x        []float64
		want     float64
	}{
		{preprocess.Mode, []float64{2, 1, nan, 1, 2, 1}, 1},
		{preprocess.Mode, []float64{2, 1, nan, 3, 2}, 2},
		{preprocess.Mode, []float64{3, 2, nan, 1}, 1},
		{preprocess.Mode, []float64{3, 2, 1, 3, 2, 3}, 3},
		{preprocess.Median, []float64{nan, 7}, 7},
		{preprocess.Median, []float64{4, nan, 1}, 2.5},
		{preprocess.Mean, []float64{4, nan, 1}, 2.5},
		// Near the greatest number the sum or the difference of two has no place.
		{preprocess.Mean, []float64{1e308, nan, 1e308}, 1e308},
		{preprocess.Mean, slices.Repeat([]float64{math.MaxFloat64}, 7), math.MaxFloat64},
		{preprocess.Mean, []float64{1.5e308, 1.5e308, -1.5e308, -1.5e308}, 0},
		{preprocess.Median, []float64{-1.7e308, nan, 1.7e308}, 0},
		{preprocess.Median, []float64{1e308, 1.5e308}, 1.25e308},
		{preprocess.Median, []float64{-math.MaxFloat64, math.MaxFloat64}, 0},
	} {
		m, err := preprocess.ImputerConfig{Strategy: c.strategy}.Fit(oneColumn(c.x, make([]int, len(c.x))))
		if err != nil || m.Values()[0] != c.want {
			t.Errorf("%v of %v: %v (%v), want %v", c.strategy, c.x, m.Values(), err, c.want)
		}
	}
}

// Distances whose squares are no numbers, or none but 0: by hand, the rows 1 and 4 are
// nearest to 2, the row 1 nearer, in any unit. Weighted by 1/distance their 10 and 40 give
// 20.
func TestNeighborsInAnyUnit(t *testing.T) {
	nan := math.NaN()
	for _, unit := range []float64{1, 0x1p-1000, 0x1p-600, 0x1p600, 0x1p1000} {
		X := mat.NewDense(4, 2, []float64{9 * unit, 90, 1 * unit, 10, 4 * unit, 40, 2 * unit, nan})
		for weights, want := range map[neighbors.Weights][2]float64{neighbors.Uniform: {10, 25}, neighbors.InverseDistance: {10, 20}} {
			for k, want := range want {
				m, err := preprocess.KNNImputerConfig{Neighbors: k + 1, Weights: weights}.Fit(mlcore.FromMatrix[int](X, nil, nil))
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.TransformRows(X)
				if err != nil || math.Abs(got.At(3, 1)-want) > 1e-12*want {
					t.Errorf("in units of %v, of %d by %v: %v (%v), want %v", unit, k+1, weights, got.At(3, 1), err, want)
				}
			}
		}
	}
	// Of the squares of the columns that both have the mean counts: 3² of (3, none) is more
	// than (3² + 2.5²)/2 of (3, 2.5).
	for _, unit := range []float64{1, 0x1p-1000, 0x1p-600, 0x1p600, 0x1p1000} {
		X := mat.NewDense(4, 3, []float64{3 * unit, nan, 10, 3 * unit, 2.5 * unit, 40, 9 * unit, 9 * unit, 70, 0, 0, nan})
		m, err := preprocess.KNNImputerConfig{Neighbors: 1}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.TransformRows(X); err != nil || got.At(3, 2) != 40 {
			t.Errorf("in units of %v: %v (%v), want 40", unit, got.At(3, 2), err)
		}
	}
	// The sum of what they have is no number, their mean is.
	X := mat.NewDense(3, 2, []float64{1, 1.5e308, 4, 1.2e308, 2, nan})
	for weights, want := range map[neighbors.Weights]float64{neighbors.Uniform: 1.35e308, neighbors.InverseDistance: 1.4e308} {
		m, err := preprocess.KNNImputerConfig{Neighbors: 2, Weights: weights}.Fit(mlcore.FromMatrix[int](X, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.TransformRows(X)
		if err != nil || math.Abs(got.At(2, 1)/want-1) > 1e-12 {
			t.Errorf("by %v: %v (%v), want %v", weights, got.At(2, 1), err, want)
		}
	}
}

// By hand. Counts 3 and 1 of two classes of two rows each: 2 are expected of either,
// χ² = 1/2 + 1/2, and with one degree of freedom P = erfc(sqrt(χ²/2)). Three rows on a
// line have an infinite F. Of three rows 1, 2, 3 with targets 1, 2, 2 the correlation is
// sqrt(3)/2: F = 3.
func TestScoresOfFewRows(t *testing.T) {
	counts := oneColumn([]float64{2, 1, 1, 0}, []int{0, 0, 1, 1})
	m, err := preprocess.SelectConfig{Score: preprocess.ChiSquared}.Fit(counts)
	if err != nil || !near(m.Scores()[0], 1) || !near(m.PValues()[0], math.Erfc(math.Sqrt(0.5))) {
		t.Errorf("χ² %v and p %v (%v)", m.Scores(), m.PValues(), err)
	}
	nothing := oneColumn([]float64{0, 0, 0, 0}, []int{0, 0, 1, 1})
	if m, err := (preprocess.SelectConfig{Score: preprocess.ChiSquared}).Fit(nothing); err != nil || m.Scores()[0] != 0 || m.PValues()[0] != 1 {
		t.Errorf("χ² of nothing: %v (%v)", m.Scores(), err)
	}
	much := oneColumn([]float64{1.5e308, 1.5e308, 1, 0}, []int{0, 0, 1, 1})
	if _, err := (preprocess.SelectConfig{Score: preprocess.ChiSquared}).Fit(much); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("χ² of counts whose sum overflows: %v", err)
	}
	for _, c := range []struct{ target, want []float64 }{{[]float64{2, 4, 6}, []float64{math.Inf(1), 0}}, {[]float64{1, 2, 2}, []float64{3, 1. / 3}}} {
		ds := mlcore.FromMatrix(mat.NewDense(3, 1, []float64{1, 2, 3}), c.target, nil)
		m, err := preprocess.SelectConfig{}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		if f, p := m.Scores()[0], m.PValues()[0]; f != c.want[0] && !near(f, c.want[0]) || !near(p, c.want[1]) {
			t.Errorf("targets %v: F %v and p %v, want %v", c.target, f, p, c.want)
		}
	}
}

// Ross, 2014, has no distance to the next row of a class with one row: it takes no part.
func TestInformationLeavesOutRowsAlone(t *testing.T) {
	x := []float64{0.1, 0.35, 0.2, 0.6, 1.7, 1.4, 2.2, 1.9, 0.9}
	y := []int{0, 0, 0, 0, 1, 1, 1, 1, 0}
	score := func(x []float64, y []int) float64 {
		m, err := preprocess.SelectConfig{Score: preprocess.MutualInformation}.Fit(oneColumn(x, y))
		if err != nil {
			t.Fatal(err)
		}
		return m.Scores()[0]
	}
	want := score(x, y)
	if got := score(append(x, 5), append(y, 2)); want <= 0 || math.Abs(got-want) > 1e-9 {
		t.Errorf("information %v, %v without the row that is alone", got, want)
	}
	if got := score([]float64{1, 2, 3, 4}, []int{0, 1, 2, 3}); got != 0 {
		t.Errorf("information %v of rows that are all alone", got)
	}
}

// What a transformer makes of a row that is far from all that it was fitted to is a number,
// or an error that names it.
func TestRowsAfar(t *testing.T) {
	near := mlcore.FromMatrix[int](mat.NewDense(3, 2, []float64{0, 1e-10, 1e-10, 3e-10, 3e-10, 2e-10}), nil, nil)
	afar := mat.NewDense(2, 2, []float64{0, 0, 1.7e308, 1.7e308})
	for _, step := range []preprocess.Step{preprocess.MinMaxScalerConfig{}, preprocess.StandardScalerConfig{}, preprocess.PCAConfig{}} {
		fitted, err := step.FitStep(near)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fitted.Transformer.TransformRows(afar); !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "row 1") {
			t.Errorf("%T: %v, %v", step, got, err)
		}
	}
	hollow := &mlcore.Dataset{X: mat.NewDense(2, 1, []float64{math.NaN(), math.NaN()}), Columns: []mlcore.Column{{Name: "b", Levels: []string{"red"}}}}
	if _, err := (preprocess.OrdinalConfig{}).Fit(hollow); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("codes of nothing: %v", err)
	}
}

// A code that no level has is refused by name, and one that is ignored makes no column.
func TestCodesOfNoLevel(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(3, 1, []float64{0, 1, 0}), Columns: []mlcore.Column{{Name: "b", Levels: []string{"red", "green", "blue"}}}}
	for _, unknown := range []mlcore.Unknown{mlcore.UnknownError, mlcore.UnknownIgnore} {
		m, err := preprocess.OneHotConfig{Unknown: unknown}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		for code, want := range map[float64]error{0: nil, 1: nil, 2: mlcore.ErrLevel, 3: mlcore.ErrLevel, 1.5: mlcore.ErrLevel, -1: mlcore.ErrLevel} {
			if unknown == mlcore.UnknownIgnore && code >= 2 {
				want = nil
			}
			got, err := m.TransformRows(mat.NewDense(1, 1, []float64{code}))
			if !errors.Is(err, want) {
				t.Errorf("code %v, Unknown %v: %v, want %v", code, unknown, err, want)
			} else if err == nil {
				row := []float64{0, 0}
				if code < 2 {
					row[int(code)] = 1
				}
				if !reflect.DeepEqual(got.RawRowView(0), row) {
					t.Errorf("code %v becomes %v, want %v", code, got.RawRowView(0), row)
				}
			}
		}
	}
}

// A setting just outside its range is refused, and one at its end is not.
func TestSettingsAtTheBorders(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(6, 3, []float64{1, 9, 2, 2, 1, 8, 3, 7, 1, 4, 2, 7, 5, 8, 3, 6, 3, 5}), []int{0, 0, 0, 1, 1, 1}, nil)
	learner := mlcore.LearnClassifier(tree.Config{}.FitClassifier)
	for _, c := range []struct {
		step preprocess.Step
		want error
	}{
		{preprocess.DiscretizerConfig{Strategy: -1}, mlcore.ErrConfig},
		{preprocess.DiscretizerConfig{Strategy: preprocess.MDL + 1}, mlcore.ErrConfig},
		{preprocess.DiscretizerConfig{Strategy: preprocess.MDL, Bins: 3}, mlcore.ErrConfig},
		{preprocess.DiscretizerConfig{Bins: 1<<16 + 1}, mlcore.ErrConfig},
		{preprocess.DiscretizerConfig{Bins: 1 << 16}, nil},
		{preprocess.ImputerConfig{Strategy: -1}, mlcore.ErrConfig},
		{preprocess.MinMaxScalerConfig{Min: 1, Max: 1}, mlcore.ErrConfig},
		{preprocess.MinMaxScalerConfig{Min: -1.7e308, Max: 1.7e308}, mlcore.ErrConfig},
		{preprocess.MinMaxScalerConfig{Min: -1, Max: 0}, nil},
		{preprocess.MinMaxScalerConfig{Min: 0, Max: 2}, nil},
		{preprocess.PCAConfig{Components: -1}, mlcore.ErrConfig},
		{preprocess.PCAConfig{Components: 3}, nil},
		{preprocess.PCAConfig{Share: -0.1}, mlcore.ErrConfig},
		{preprocess.PCAConfig{Share: 1}, nil},
		{preprocess.PCAConfig{Share: 0.5, Components: 1}, mlcore.ErrConfig},
		{preprocess.PolynomialConfig{Degree: -1}, mlcore.ErrConfig},
		{preprocess.SelectConfig{Score: -1}, mlcore.ErrConfig},
		{preprocess.SelectConfig{Share: -0.1}, mlcore.ErrConfig},
		{preprocess.SelectConfig{Share: 1}, nil},
		{preprocess.SelectConfig{FDR: -0.1}, mlcore.ErrConfig},
		{preprocess.SelectConfig{K: 3}, nil},
		{preprocess.SelectConfig{K: 4}, mlcore.ErrConfig},
		{preprocess.RFEConfig{Learner: learner, FeaturesToSelect: -1}, mlcore.ErrConfig},
		{preprocess.RFEConfig{Learner: learner, FeaturesToSelect: 3}, nil},
		{preprocess.RFEConfig{Learner: learner, StepShare: -0.1}, mlcore.ErrConfig},
		{preprocess.RFECVConfig{Learner: learner, MinFeaturesToSelect: -1}, mlcore.ErrConfig},
	} {
		if _, err := c.step.FitStep(ds); !errors.Is(err, c.want) {
			t.Errorf("%T %+v: %v, want %v", c.step, c.step, err, c.want)
		}
	}
	codes := &mlcore.Dataset{X: mat.NewDense(2, 1, []float64{0, 1}), Columns: []mlcore.Column{{Name: "b", Levels: []string{"red", "green"}}}}
	if _, err := (preprocess.OneHotConfig{Unknown: mlcore.UnknownMissing}).Fit(codes); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("an encoder with UnknownMissing: %v", err)
	}
}

// What a file says has to make a transformer: each field, and how fields agree.
func TestRefusesDamagedTransformers(t *testing.T) {
	ds := mixedColumns()
	gap := mixedColumns()
	gap.X.Set(2, 1, math.NaN())
	for _, c := range []struct {
		step  preprocess.Step
		train *mlcore.Dataset
		path  string
		value any
	}{
		{preprocess.ImputerConfig{}, gap, "fill", []float64{1}}, {preprocess.ImputerConfig{}, gap, "fill/0", "+Inf"}, {preprocess.ImputerConfig{}, gap, "fill/0", "-Inf"}, {preprocess.ImputerConfig{}, gap, "input_columns", []any{}},
		{preprocess.KNNImputerConfig{}, gap, "k", 0}, {preprocess.KNNImputerConfig{}, gap, "k", -1}, {preprocess.KNNImputerConfig{}, gap, "rows", []float64{1}}, {preprocess.KNNImputerConfig{}, gap, "rows/0", "+Inf"}, {preprocess.KNNImputerConfig{}, gap, "rows/0", "-Inf"},
		{preprocess.KNNImputerConfig{}, gap, "rows", []any{1, "NaN", 2, "NaN"}}, {preprocess.KNNImputerConfig{}, gap, "rows", []float64{}}, {preprocess.KNNImputerConfig{}, gap, "picked", []int{}},
		{preprocess.StandardScalerConfig{}, ds, "picked", []int{0, 2}}, {preprocess.StandardScalerConfig{}, ds, "picked", []int{1, 0}}, {preprocess.StandardScalerConfig{}, ds, "picked", []int{0, 0}},
		{preprocess.StandardScalerConfig{}, ds, "picked", []int{0, 4}}, {preprocess.StandardScalerConfig{}, ds, "picked", []int{-1, 0}}, {preprocess.StandardScalerConfig{}, ds, "scale/1", 0}, {preprocess.StandardScalerConfig{}, ds, "scale/1", "NaN"}, {preprocess.StandardScalerConfig{}, ds, "min", "+Inf"}, {preprocess.StandardScalerConfig{}, ds, "max", "NaN"},
		{preprocess.DiscretizerConfig{Bins: 3}, ds, "intervals/0/cuts/0", "NaN"}, {preprocess.DiscretizerConfig{Bins: 3}, ds, "intervals/0/cuts/1", -100}, {preprocess.DiscretizerConfig{Bins: 3}, ds, "intervals/0/cuts/1", "+Inf"}, {preprocess.DiscretizerConfig{Bins: 3}, ds, "intervals/0/cuts", []float64{1}}, {preprocess.DiscretizerConfig{Bins: 3}, ds, "intervals", []any{}},
		{preprocess.OneHotConfig{}, ds, "picked", []int{2}}, {preprocess.OneHotConfig{}, ds, "picked", []int{1, 2}}, {preprocess.OneHotConfig{}, ds, "places", []any{}},
		{preprocess.TargetEncoderConfig{}, ds, "tables", []any{}}, {preprocess.TargetEncoderConfig{}, ds, "tables/0/encodings/0", "NaN"}, {preprocess.TargetEncoderConfig{}, ds, "tables/0/encodings", []float64{1}},
		{preprocess.SelectConfig{K: 1}, ds, "kept", []int{}}, {preprocess.SelectConfig{K: 1}, ds, "kept", []int{3, 2}}, {preprocess.SelectConfig{K: 1}, ds, "kept", []int{0, 4}}, {preprocess.SelectConfig{K: 1}, ds, "kept", []int{0, 0}}, {preprocess.SelectConfig{K: 1}, ds, "kept", []int{-1, 0}},
		{preprocess.SelectConfig{K: 1}, ds, "scores", []float64{1}}, {preprocess.SelectConfig{K: 1}, ds, "judged", []int{1, 0}}, {preprocess.SelectConfig{K: 1}, ds, "p_values/values", []float64{1}},
		{preprocess.RFEConfig{Learner: mlcore.LearnClassifier(tree.Config{}.FitClassifier)}, ds, "ranking", []int{1}},
		{preprocess.PCAConfig{}, ds, "variance", []float64{}}, {preprocess.PCAConfig{}, ds, "variance", []float64{3, 2, 1}}, {preprocess.PCAConfig{}, ds, "variance/0", -1}, {preprocess.PCAConfig{}, ds, "variance/0", "NaN"}, {preprocess.PCAConfig{}, ds, "variance/0", "+Inf"},
		{preprocess.PCAConfig{}, ds, "loadings", []float64{1, 2, 3}}, {preprocess.PCAConfig{}, ds, "loadings", []float64{1, 2, 3, 4, 5}}, {preprocess.PCAConfig{}, ds, "loadings", []float64{1, 2, 3, 4, 5, 6}}, {preprocess.PCAConfig{}, ds, "loadings/0", "+Inf"}, {preprocess.PCAConfig{}, ds, "mean/0", "NaN"}, {preprocess.PCAConfig{}, ds, "total_variance", -1}, {preprocess.PCAConfig{}, ds, "total_variance", "NaN"},
		{preprocess.PolynomialConfig{}, ds, "degree", 0}, {preprocess.PolynomialConfig{}, ds, "degree", -1}, {preprocess.PolynomialConfig{}, ds, "degree", 1 << 30}, {preprocess.PolynomialConfig{}, ds, "picked", []int{}},
	} {
		fitted, err := c.step.FitStep(c.train)
		if err != nil {
			t.Fatal(err)
		}
		text, err := modelfile.MarshalJSON(fitted.Transformer)
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		if !fixture.Put(file["model"], c.path, c.value) {
			t.Errorf("%T has no %s:\n%s", fitted.Transformer, c.path, text)
			continue
		}
		if text, err = json.Marshal(file); err != nil {
			t.Fatal(err)
		}
		if _, err := modelfile.UnmarshalJSON[any](text); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%T with %s = %v: %v", fitted.Transformer, c.path, c.value, err)
		}
	}
}

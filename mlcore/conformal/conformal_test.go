package conformal_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/conformal"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// The ranks are worked by hand from ceil((n+1)·level).
func TestQuantile(t *testing.T) {
	for _, tc := range []struct {
		what   string
		scores []float64
		level  float64
		want   float64
	}{
		{"ceil(10·0.9) = 9 of 9", []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}, 0.9, 9},
		{"ceil(10·0.8) = 8", []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}, 0.8, 8},
		{"ceil(10·0.81) = 9", []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}, 0.81, 9},
		{"ceil(5·0.5) = 3", []float64{4, 1, 3, 2}, 0.5, 3},
		{"one score, ceil(2·0.5) = 1", []float64{7}, 0.5, 7},
		{"ties", []float64{2, 1, 2, 2, 5, 2, 1, 2, 2}, 0.8, 2},
		{"all are equal", []float64{3, 3, 3, 3}, 0.7, 3},
		{"a score of 0 and a negative one", []float64{0, -1, 2}, 0.5, 0},
		// In float64 25·0.56 is above 14, and 100·0.57 below 57.
		{"25·0.56 is 14", upTo(24), 0.56, 14},
		{"100·0.57 is 57", upTo(99), 0.57, 57},
		{"100·0.95 is 95", upTo(99), 0.95, 95},
		{"101·0.95 is 95.95", upTo(100), 0.95, 96},
	} {
		before := slices.Clone(tc.scores)
		got, err := conformal.Quantile(tc.scores, tc.level)
		if err != nil || got != tc.want {
			t.Errorf("%s: %v, %v, want %v", tc.what, got, err, tc.want)
		}
		if !slices.Equal(before, tc.scores) {
			t.Errorf("%s: the scores were changed", tc.what)
		}
	}
}

// upTo is 1, 2, ..., n in the opposite order.
func upTo(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(n - i)
	}
	return all
}

// How many scores a level needs: the least n of ceil((n+1)·level) <= n.
func TestQuantileNeedsScores(t *testing.T) {
	for _, tc := range []struct {
		level float64
		needs int
	}{{0.5, 1}, {0.75, 3}, {0.8, 4}, {0.9, 9}, {0.95, 19}, {0.99, 99}, {0.999, 999}, {2. / 3, 2}, {0.91, 11}} {
		if _, err := conformal.Quantile(make([]float64, tc.needs), tc.level); err != nil {
			t.Errorf("%v of %d scores: %v", tc.level, tc.needs, err)
		}
		if tc.needs == 1 {
			continue
		}
		_, err := conformal.Quantile(make([]float64, tc.needs-1), tc.level)
		want := fmt.Sprintf("needs at least %d rows of calibration, there are %d", tc.needs, tc.needs-1)
		if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v of %d scores: %v, want %q", tc.level, tc.needs-1, err, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	y := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	good := func() *mlcore.Dataset { return mlcore.FromMatrix(column(y), slices.Clone(y), nil) }
	model, err := linear.LeastSquaresConfig{}.FitRegressor(good())
	if err != nil {
		t.Fatal(err)
	}
	learner := mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor)
	changed := func(f func(ds *mlcore.Dataset)) *mlcore.Dataset {
		ds := good()
		f(ds)
		return ds
	}
	weigh := func(w ...float64) *mlcore.Dataset {
		return changed(func(ds *mlcore.Dataset) { ds.Weights = w })
	}
	for _, tc := range []struct {
		what  string
		level float64
		ds    *mlcore.Dataset
		want  error
		says  string
	}{
		{"a level of 1", 1, good(), mlcore.ErrConfig, "Level is 1"},
		{"a negative level", -0.1, good(), mlcore.ErrConfig, "Level is -0.1"},
		{"a level that is no number", math.NaN(), good(), mlcore.ErrConfig, "Level is NaN"},
		{"too few rows", 0.95, good(), mlcore.ErrConfig, "needs at least 19 rows of calibration, there are 10"},
		{"no data", 0, nil, mlcore.ErrEmpty, "no rows"},
		{"no targets", 0, changed(func(ds *mlcore.Dataset) { ds.Target = nil }), mlcore.ErrShape, "0 targets"},
		{"a target that is no number", 0, changed(func(ds *mlcore.Dataset) { ds.Target[3] = math.NaN() }), mlcore.ErrNonFinite, ""},
		{"weights that differ", 0, weigh(1, 1, 1, 2, 1, 1, 1, 1, 1, 1), mlcore.ErrWeight, "row 3 weighs 2"},
		{"a row without weight", 0, weigh(1, 1, 0, 1, 1, 1, 1, 1, 1, 1), mlcore.ErrWeight, "row 2 weighs 0; "},
		{"a first row without weight", 0, weigh(0, 1, 1, 1, 1, 1, 1, 1, 1, 1), mlcore.ErrWeight, "row 0 weighs 0; "},
	} {
		_, err := conformal.SplitConfig{Level: tc.level}.Calibrate(model, tc.ds)
		if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("SplitConfig, %s: %v, want %v with %q", tc.what, err, tc.want, tc.says)
		}
		_, err = conformal.CVPlusConfig{RegressorLearner: learner, Level: tc.level}.Calibrate(tc.ds)
		if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("CVPlusConfig, %s: %v, want %v with %q", tc.what, err, tc.want, tc.says)
		}
	}
	for what, tc := range map[string]struct {
		f    func() error
		want error
	}{
		"no model": {func() error { _, err := conformal.SplitConfig{}.Calibrate(nil, good()); return err }, mlcore.ErrNotFitted},
		"a model that is not fitted": {func() error {
			_, err := conformal.SplitConfig{}.Calibrate(&tree.Regressor{}, good())
			return err
		}, mlcore.ErrNotFitted},
		"a nil pointer": {func() error {
			_, err := conformal.SplitConfig{}.Calibrate((*tree.Regressor)(nil), good())
			return err
		}, mlcore.ErrNotFitted},
		"a learner that makes a nil pointer": {func() error {
			bad := func(*mlcore.Dataset) (mlcore.Regressor, error) { return (*tree.Regressor)(nil), nil }
			_, err := conformal.CVPlusConfig{RegressorLearner: bad}.Calibrate(good())
			return err
		}, mlcore.ErrConfig},
		"another width": {func() error {
			wide := mlcore.FromMatrix(mat.NewDense(10, 2, nil), y, nil)
			_, err := conformal.SplitConfig{}.Calibrate(formula{1}, wide)
			return err
		}, mlcore.ErrShape},
		"a prediction that is no number": {func() error {
			_, err := conformal.SplitConfig{}.Calibrate(formula{math.NaN()}, good())
			return err
		}, mlcore.ErrNonFinite},
		"no learner": {func() error { _, err := conformal.CVPlusConfig{}.Calibrate(good()); return err }, mlcore.ErrConfig},
		"a learner that fails": {func() error {
			bad := func(*mlcore.Dataset) (mlcore.Regressor, error) { return nil, mlcore.ErrColumn }
			_, err := conformal.CVPlusConfig{RegressorLearner: bad}.Calibrate(good())
			return err
		}, mlcore.ErrColumn},
		"a learner that makes nothing": {func() error {
			bad := func(*mlcore.Dataset) (mlcore.Regressor, error) { return nil, nil }
			_, err := conformal.CVPlusConfig{RegressorLearner: bad}.Calibrate(good())
			return err
		}, mlcore.ErrConfig},
		"rows that are tested twice": {func() error {
			_, err := conformal.CVPlusConfig{RegressorLearner: learner, Splitter: modelsel.Repeated{Splitter: modelsel.KFold{}, Repeats: 2}}.Calibrate(good())
			return err
		}, mlcore.ErrConfig},
		"more folds than rows": {func() error {
			_, err := conformal.CVPlusConfig{RegressorLearner: learner, Splitter: modelsel.KFold{Folds: 11}}.Calibrate(good())
			return err
		}, mlcore.ErrConfig},
		"a zero Split":  {func() error { _, err := new(conformal.Split).Intervals(good()); return err }, mlcore.ErrNotFitted},
		"a zero CVPlus": {func() error { _, err := new(conformal.CVPlus).Intervals(good()); return err }, mlcore.ErrNotFitted},
		"intervals of no rows": {func() error {
			s, err := conformal.SplitConfig{}.Calibrate(model, good())
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Intervals(nil)
			return err
		}, mlcore.ErrEmpty},
		"a score that is no number": {func() error { _, err := conformal.Quantile([]float64{1, math.Inf(1)}, 0.5); return err }, mlcore.ErrNonFinite},
		"no scores":                 {func() error { _, err := conformal.Quantile(nil, 0.5); return err }, mlcore.ErrEmpty},
		"coverage of nothing":       {func() error { _, err := conformal.Coverage(nil, nil); return err }, mlcore.ErrEmpty},
		"one target too many": {func() error {
			_, err := conformal.Coverage(make([]conformal.Interval, 1), []float64{1, 2})
			return err
		}, mlcore.ErrShape},
		"a target that is infinite": {func() error {
			_, err := conformal.Coverage(make([]conformal.Interval, 1), []float64{math.Inf(1)})
			return err
		}, mlcore.ErrNonFinite},
	} {
		if err := tc.f(); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", what, err, tc.want)
		}
	}
}

// formula predicts factor times the first column.
type formula struct{ factor float64 }

func (formula) NumFeatures() int { return 1 }

func (f formula) Predict(X mat.Matrix) ([]float64, error) {
	n, d := X.Dims()
	if d != 1 {
		return nil, mlcore.ErrShape
	}
	y := make([]float64, n)
	for i := range y {
		y[i] = f.factor * X.At(i, 0)
	}
	return y, nil
}

func column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, slices.Clone(x)) }

// A model that predicts x, targets that are off by 1, 2, ..., 9 on alternate sides: the
// half-width at level 0.8 is the 8th smallest residual, and equal weights change nothing.
func TestSplitByHand(t *testing.T) {
	x := []float64{10, 20, 30, 40, 50, 60, 70, 80, 90}
	y := []float64{11, 18, 33, 36, 55, 54, 77, 72, 99}
	for _, w := range [][]float64{nil, {2, 2, 2, 2, 2, 2, 2, 2, 2}} {
		s, err := conformal.SplitConfig{Level: 0.8}.Calibrate(formula{1}, mlcore.FromMatrix(column(x), y, w))
		if err != nil {
			t.Fatal(err)
		}
		if s.HalfWidth() != 8 || s.Level() != 0.8 || s.Model() != mlcore.Regressor(formula{1}) {
			t.Errorf("half-width %v, level %v, model %v", s.HalfWidth(), s.Level(), s.Model())
		}
		got, err := s.Intervals(mlcore.FromMatrix[float64](column([]float64{100, -3}), nil, nil))
		if want := []conformal.Interval{{Lower: 92, Upper: 108}, {Lower: -11, Upper: 5}}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
		if got[0].Width() != 16 || !got[0].Contains(92) || !got[0].Contains(108) || got[0].Contains(108.01) || got[0].Contains(math.NaN()) {
			t.Errorf("the width, or what is inside, of %v", got[0])
		}
		share, err := conformal.Coverage(got, []float64{93, 6})
		if err != nil || share != 0.5 {
			t.Errorf("Coverage is %v, %v", share, err)
		}
	}
}

// The mean of the others is the model. With the targets 0, 2, 4, 12 the means without one
// are 6, 16/3, 14/3, 2 and the residuals 6, 10/3, 2/3, 10. At level 0.6 the rank is
// ceil(5·0.6) = 3: the third smallest of 12, 26/3, 16/3, 12 is 12, and the third largest of
// 0, 2, 4, -8 is 0.
func TestJackknifePlusByHand(t *testing.T) {
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, nil), []float64{0, 2, 4, 12}, nil)
	m, err := conformal.CVPlusConfig{RegressorLearner: mean, Splitter: modelsel.LeaveOneOut{}, Level: 0.6}.Calibrate(ds)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{6, 10. / 3, 2. / 3, 10} {
		if got := m.Residuals()[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("residual %d is %v, want %v", i, got, want)
		}
	}
	got, err := m.Intervals(ds.Subset([]int{0}))
	if err != nil || math.Abs(got[0].Lower) > 1e-12 || math.Abs(got[0].Upper-12) > 1e-12 || m.Level() != 0.6 {
		t.Errorf("%v, %v, level %v, want 0 to 12", got, err, m.Level())
	}
}

// mean fits the mean of the targets.
func mean(ds *mlcore.Dataset) (mlcore.Regressor, error) {
	return tree.Config{MaxDepth: 1, MinSamplesSplit: 1 << 20}.FitRegressor(ds)
}

// noisy draws n rows of a step with noise of unequal spread.
func noisy(n int, seed uint64) *mlcore.Dataset {
	rng := mlcore.NewRand(seed, 77)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = rng.Float64()
		y[i] = math.Floor(4*x[i]) + (0.2+x[i])*rng.NormFloat64()
	}
	return mlcore.FromMatrix(column(x), y, nil)
}

// The guarantee, over 2,000 draws of everything: with n = 19 rows of calibration at level
// 0.8 the rank is 16, so that a new row is inside with probability 16/20 exactly, whatever
// the model. The share of 2,000 independent new rows has a standard error of
// sqrt(0.8·0.2/2000) = 0.009; the test allows four of them.
func TestCoverageOfSplit(t *testing.T) {
	inside := 0.0
	for seed := range uint64(2000) {
		all := noisy(60, seed)
		model, err := tree.Config{MinSamplesLeaf: 3}.FitRegressor(all.Subset(rows(0, 40)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := conformal.SplitConfig{Level: 0.8}.Calibrate(model, all.Subset(rows(40, 59)))
		if err != nil {
			t.Fatal(err)
		}
		intervals, err := s.Intervals(all.Subset(rows(59, 60)))
		if err != nil {
			t.Fatal(err)
		}
		share, err := conformal.Coverage(intervals, all.Target[59:])
		if err != nil {
			t.Fatal(err)
		}
		inside += share / 2000
	}
	if math.Abs(inside-0.8) > 4*0.009 {
		t.Errorf("%.4f of the new rows are inside, want 0.8", inside)
	}
}

func rows(lo, hi int) (all []int) {
	for i := lo; i < hi; i++ {
		all = append(all, i)
	}
	return all
}

// CV+ promises 1 - 2·0.2 - sqrt(2/40), less than 0.4, and the jackknife+ 0.6; both do better.
func TestCoverageOfCVPlus(t *testing.T) {
	learner := mlcore.LearnRegressor(tree.Config{MinSamplesLeaf: 3}.FitRegressor)
	for _, splitter := range []modelsel.Splitter{nil, modelsel.LeaveOneOut{}} {
		inside := 0.0
		for seed := range uint64(100) {
			m, err := conformal.CVPlusConfig{RegressorLearner: learner, Splitter: splitter, Level: 0.8}.Calibrate(noisy(40, seed))
			if err != nil {
				t.Fatal(err)
			}
			fresh := noisy(50, seed+1000)
			intervals, err := m.Intervals(fresh)
			if err != nil {
				t.Fatal(err)
			}
			share, err := conformal.Coverage(intervals, fresh.Target)
			if err != nil {
				t.Fatal(err)
			}
			inside += share / 100
		}
		if inside < 0.6 {
			t.Errorf("%T: %.4f of the new rows are inside, 0.6 are promised by the jackknife+", splitter, inside)
		}
	}
}

// One worker and many give the same numbers.
func TestWorkers(t *testing.T) {
	learner := mlcore.LearnRegressor(tree.Config{MinSamplesLeaf: 3}.FitRegressor)
	var want []conformal.Interval
	for _, workers := range []int{1, 4} {
		m, err := conformal.CVPlusConfig{RegressorLearner: learner, Workers: workers}.Calibrate(noisy(80, 1))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Intervals(noisy(30, 2))
		if err != nil {
			t.Fatal(err)
		}
		if want != nil && !reflect.DeepEqual(got, want) {
			t.Error("the intervals depend on the number of workers")
		}
		want = got
	}
}

// A Dataset with its columns in another order gives the same intervals.
func TestColumnsAreFoundByName(t *testing.T) {
	X := mat.NewDense(20, 2, nil)
	y := make([]float64, 20)
	for i := range y {
		X.SetRow(i, []float64{float64(i), float64(i * i % 7)})
		y[i] = float64(3*i) - X.At(i, 1)
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Columns = []mlcore.Column{{Name: "a"}, {Name: "b"}}
	model, err := tree.Config{MaxDepth: 3}.FitRegressor(ds)
	if err != nil {
		t.Fatal(err)
	}
	s, err := conformal.SplitConfig{}.Calibrate(model, ds)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ds.Select("b", "a")
	if err != nil {
		t.Fatal(err)
	}
	one, err := s.Intervals(ds)
	if err != nil {
		t.Fatal(err)
	}
	two, err := s.Intervals(other)
	if err != nil || !slices.Equal(one, two) {
		t.Errorf("other intervals, %v", err)
	}
}

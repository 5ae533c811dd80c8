package modelsel_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// numbered is X whose only column holds the number of the row.
func numbered(n int) *mat.Dense {
	X := mat.NewDense(n, 1, nil)
	for i := range n {
		X.Set(i, 0, float64(i))
	}
	return X
}

// echo predicts from the number of the row.
type echo func(row int) int

func (e echo) NumFeatures() int { return 1 }
func (e echo) NumClasses() int  { return 2 }
func (e echo) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = e(int(X.At(i, 0)))
	}
	return y, nil
}

// spy is a learner that writes down the rows of its fits and knows nothing.
type spy struct {
	mu   sync.Mutex
	fits [][]int
}

func (s *spy) fit(X mat.Matrix, _ []int, _ []float64) (echo, error) {
	n, _ := X.Dims()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = int(X.At(i, 0))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fits = append(s.fits, rows)
	return func(int) int { return 0 }, nil
}

func TestMeanAndSpreadByHand(t *testing.T) {
	s := modelsel.Scores{Test: []float64{2, 4, 4, 6}, Train: []float64{1, 3}}
	if s.Mean() != 4 || math.Abs(s.SD()-math.Sqrt(8./3)) > 1e-15 || math.Abs(s.SE()-math.Sqrt(2./3)) > 1e-15 || s.TrainMean() != 2 || s.TrainSD() != math.Sqrt2 {
		t.Errorf("mean %v, SD %v, SE %v, training %v, %v", s.Mean(), s.SD(), s.SE(), s.TrainMean(), s.TrainSD())
	}
	for _, unit := range []float64{0x1p-1000, 0x1p-600, 0x1p-500, 0x1p500, 0x1p600, 0x1p1020} {
		s := modelsel.Scores{Test: []float64{2 * unit, 4 * unit, 4 * unit, 6 * unit}}
		if s.Mean() != 4*unit || math.Abs(s.SD()/unit-math.Sqrt(8./3)) > 1e-15 {
			t.Errorf("scores in units of %v: mean %v, SD %v", unit, s.Mean(), s.SD())
		}
	}
	one := modelsel.Scores{Test: []float64{0.5}}
	if one.Mean() != 0.5 || one.SD() != 0 || one.SE() != 0 || one.TrainMean() != 0 {
		t.Errorf("one fold: %v, %v, %v, %v", one.Mean(), one.SD(), one.SE(), one.TrainMean())
	}
}

// F1 is 2/3 for class 0, 1 for classes 1 and 4, 0 for class 2, which only the prediction
// knows; class 3 is in neither.
func TestMacroF1ByHand(t *testing.T) {
	got, err := modelsel.MacroF1.Labels([]int{0, 0, 1, 1, 4}, []int{0, 2, 1, 1, 4}, nil)
	if want := (2./3 + 1 + 0 + 1) / 4; err != nil || math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}

// Rows, labels, weights and groups reach the learner together.
func TestWhatTheLearnerIsGiven(t *testing.T) {
	const n = 12
	y, w, groups := make([]int, n), make([]float64, n), make([]int, n)
	for i := range n {
		y[i], w[i], groups[i] = i%2, 1+float64(i), i/3
	}
	X := numbered(n)
	fit := func(part mat.Matrix, labels []int, weights []float64) (echo, error) {
		rows, _ := part.Dims()
		for i := range rows {
			r := int(part.At(i, 0))
			if labels[i] != y[r] || weights[i] != w[r] {
				return nil, fmt.Errorf("row %d has label %d and weight %v", r, labels[i], weights[i])
			}
		}
		return func(row int) int { return (row + row/6) % 2 }, nil
	}
	opt := modelsel.Options{Splitter: modelsel.GroupKFold{Folds: 4}, Groups: groups, TrainScores: true}
	for _, view := range []*mat.Dense{X, mat.NewDense(n, 2, make([]float64, 2*n)).Slice(0, n, 1, 2).(*mat.Dense)} {
		view.Copy(X)
		r, err := modelsel.CrossValidate(mlcore.OnMatrix(fit), mlcore.FromMatrix(view, y, w), opt)
		if err != nil {
			t.Fatal(err)
		}
		// Right on rows 0 to 5: the folds of the first two groups.
		want := modelsel.Scores{Scorer: "accuracy", Test: []float64{1, 1, 0, 0}, Train: []float64{15. / 72, 6. / 63, 21. / 54, 21. / 45}}
		if !reflect.DeepEqual(r.Scores[0], want) {
			t.Errorf("%+v, want %+v", r.Scores[0], want)
		}
		if !slices.Equal(r.TrainRows, []int{9, 9, 9, 9}) || !slices.Equal(r.TestRows, []int{3, 3, 3, 3}) {
			t.Errorf("%v and %v rows", r.TrainRows, r.TestRows)
		}
	}
}

// A pipeline is a learner: the scaler sees training rows only.
func TestPipelineIsFittedInEveryFold(t *testing.T) {
	a, X := scikitLearn(t)
	p := preprocess.PipelineConfig{
		Steps:   []preprocess.Step{preprocess.StandardScalerConfig{}},
		Learner: mlcore.LearnClassifier(neighbors.Config{Neighbors: 5}.FitClassifier),
	}
	opt := modelsel.Options{Splitter: modelsel.StratifiedKFold{}}
	got, err := modelsel.CrossValidate(p.FitClassifier, mlcore.FromMatrix(X, a.Labels, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	folds := mustSplit(t, opt.Splitter, modelsel.Rows{N: len(a.Labels), Labels: a.Labels})
	for i, fold := range folds.All() {
		ds := mlcore.FromMatrix(X, a.Labels, nil)
		train, test := ds.Subset(fold.Train), ds.Subset(fold.Test)
		m, err := p.FitClassifier(train)
		if err != nil {
			t.Fatal(err)
		}
		y, err := m.Predict(test.X)
		if err != nil {
			t.Fatal(err)
		}
		want, err := metrics.Accuracy(test.Y, y, nil)
		if err != nil || got.Scores[0].Test[i] != want {
			t.Errorf("fold %d: %v, want %v (%v)", i, got.Scores[0].Test[i], want, err)
		}
	}
}

// randomTree learns by chance, from another seed in each fold.
func randomTree(fold int) func(*mlcore.Dataset) (*tree.Classifier, error) {
	return tree.Config{MaxFeatures: 1, Seed: mlcore.DeriveSeed(1, uint64(fold))}.FitClassifier
}

func TestSameResultsWithAnyNumberOfWorkers(t *testing.T) {
	a, X := scikitLearn(t)
	scorers := []modelsel.Scorer{modelsel.Accuracy, modelsel.LogLoss}
	grid := knnGrid(a.Neighbours)
	all := func(workers int) []any {
		opt := modelsel.Options{Scorers: scorers, TrainScores: true, Workers: workers}
		cv, err := modelsel.CrossValidateEach(randomTree, mlcore.FromMatrix(X, a.Labels, a.Weights), opt)
		predicted, err2 := modelsel.CrossValPredict(randomTree(0), mlcore.FromMatrix(X, a.Labels, nil), opt)
		proba, err3 := modelsel.CrossValPredictProba(randomTree(0), mlcore.FromMatrix(X, a.Labels, nil), opt)
		search, err4 := modelsel.Search(neighbors.Config.FitClassifier, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.SearchOptions{Options: opt, NoRefit: true})
		nested, err5 := modelsel.NestedCrossValidate(neighbors.Config.FitClassifier, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.NestedOptions{Options: opt})
		rotating, err6 := modelsel.RotatingCrossValidate(neighbors.Config.FitClassifier, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.NestedOptions{Options: opt})
		curve, err7 := modelsel.LearningCurve(randomTree(0), mlcore.FromMatrix(X, a.Labels, nil), modelsel.LearningCurveOptions{Options: modelsel.Options{Workers: workers}, Seed: 5})
		if err := errors.Join(err, err2, err3, err4, err5, err6, err7); err != nil {
			t.Fatal(err)
		}
		cv.Times, nested.Times, rotating.Times = nil, nil, nil
		return []any{cv, predicted, proba, search, nested, rotating, curve}
	}
	one := all(1)
	for _, workers := range []int{0, 2, 5} {
		for i, got := range all(workers) {
			if !reflect.DeepEqual(got, one[i]) {
				t.Errorf("%d workers: %T differs from one worker's", workers, got)
			}
		}
	}
}

func TestEachFoldHasItsLearner(t *testing.T) {
	var mu sync.Mutex
	asked := map[int]int{}
	_, err := modelsel.CrossValidateEach(func(fold int) func(*mlcore.Dataset) (echo, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[fold]++
		return mlcore.OnMatrix(new(spy).fit)
	}, mlcore.FromMatrix(numbered(8), []int{0, 1, 0, 1, 0, 1, 0, 1}, nil), modelsel.Options{Splitter: modelsel.KFold{Folds: 4}})
	if want := map[int]int{0: 1, 1: 1, 2: 1, 3: 1}; err != nil || !reflect.DeepEqual(asked, want) {
		t.Errorf("learners for folds %v, want %v (%v)", asked, want, err)
	}
}

// The default of each task is 5 shuffled folds.
func TestDefaults(t *testing.T) {
	a, X := scikitLearn(t)
	classes := func(s modelsel.Splitter) *modelsel.Result {
		r, err := modelsel.CrossValidate(bayes.GaussianConfig{}.FitClassifier, mlcore.FromMatrix(X, a.Labels, nil), modelsel.Options{Splitter: s})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	numbers := func(s modelsel.Splitter) *modelsel.Result {
		r, err := modelsel.CrossValidate(neighbors.Config{}.FitRegressor, mlcore.FromMatrix(X, a.Targets, nil), modelsel.Options{Splitter: s})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, tc := range []struct {
		got, want *modelsel.Result
		scorer    string
	}{
		{classes(nil), classes(modelsel.StratifiedKFold{Folds: 5, Shuffle: true}), "accuracy"},
		{numbers(nil), numbers(modelsel.KFold{Folds: 5, Shuffle: true}), "R²"},
	} {
		if !reflect.DeepEqual(tc.got.Scores, tc.want.Scores) || tc.got.Scores[0].Scorer != tc.scorer {
			t.Errorf("%v, want %v of %s", tc.got.Scores, tc.want.Scores, tc.scorer)
		}
	}
}

// Folds 1 and 2 train without the highest class; its probability there is 0.
func TestClassMissingInTraining(t *testing.T) {
	X := mat.NewDense(8, 1, []float64{0, 1, 0, 1, 0, 1, 5, 6})
	y := []int{0, 1, 0, 1, 0, 1, 2, 2}
	folds := modelsel.Predefined{{Test: []int{0, 1}}, {Test: []int{6, 7}}, {Test: []int{2, 3, 4, 5}, Train: []int{0, 1}}}
	opt := modelsel.Options{Splitter: folds, Scorers: []modelsel.Scorer{modelsel.LogLoss}}
	r, err := modelsel.CrossValidate(neighbors.Config{Neighbors: 1}.FitClassifier, mlcore.FromMatrix(X, y, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	// A sure mistake costs the logarithm of the clip, 2^-52; right answers nothing.
	if want := []float64{0, 52 * math.Ln2, 0}; !slices.EqualFunc(r.Scores[0].Test, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
		t.Errorf("log loss %v, want %v", r.Scores[0].Test, want)
	}
	opt.Splitter = folds[:2]
	if _, err := modelsel.CrossValPredictProba(neighbors.Config{Neighbors: 1}.FitClassifier, mlcore.FromMatrix(X, y, nil), opt); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("rows that no fold tests: %v", err)
	}
	opt.Splitter = append(folds[:2:2], modelsel.Fold{Test: []int{2, 3, 4, 5}})
	proba, err := modelsel.CrossValPredictProba(neighbors.Config{Neighbors: 1}.FitClassifier, mlcore.FromMatrix(X, y, nil), opt)
	if err != nil {
		t.Fatal(err)
	}
	if got := proba.Values.RawRowView(6); len(got) != 3 || got[1] != 1 || got[2] != 0 {
		t.Errorf("probabilities %v of a class never seen", got)
	}
}

func TestProgressCountsEveryFit(t *testing.T) {
	a, X := scikitLearn(t)
	grid := knnGrid(a.Neighbours[:3])
	fit := neighbors.Config.FitClassifier
	nb := bayes.GaussianConfig{}.FitClassifier
	for _, tc := range []struct {
		name string
		run  func(opt modelsel.Options) error
		fits int
	}{
		{"CrossValidate", func(o modelsel.Options) error {
			_, err := modelsel.CrossValidate(nb, mlcore.FromMatrix(X, a.Labels, nil), o)
			return err
		}, 5},
		{"CrossValPredict", func(o modelsel.Options) error {
			_, err := modelsel.CrossValPredict(nb, mlcore.FromMatrix(X, a.Labels, nil), o)
			return err
		}, 5},
		{"Search", func(o modelsel.Options) error {
			_, err := modelsel.Search(fit, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.SearchOptions{Options: o})
			return err
		}, 16},
		{"NestedCrossValidate", func(o modelsel.Options) error {
			_, err := modelsel.NestedCrossValidate(fit, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.NestedOptions{Options: o, Inner: modelsel.KFold{Folds: 4}})
			return err
		}, 5 * (4*3 + 1)},
		{"RotatingCrossValidate", func(o modelsel.Options) error {
			_, err := modelsel.RotatingCrossValidate(fit, grid, mlcore.FromMatrix(X, a.Labels, nil), modelsel.NestedOptions{Options: o})
			return err
		}, 5 * (3 + 1)},
		{"LearningCurve", func(o modelsel.Options) error {
			_, err := modelsel.LearningCurve(nb, mlcore.FromMatrix(X, a.Labels, nil), modelsel.LearningCurveOptions{Options: o, TrainSizes: []float64{0.5, 1}})
			return err
		}, 10},
	} {
		var seen []int
		opt := modelsel.Options{Workers: 3, Progress: func(p mlcore.Progress) error {
			seen = append(seen, p.Step)
			if p.Steps != tc.fits {
				t.Errorf("%s: %d in all, want %d", tc.name, p.Steps, tc.fits)
			}
			return nil
		}}
		if err := tc.run(opt); err != nil {
			t.Fatal(err)
		}
		if len(seen) != tc.fits || !slices.IsSorted(seen) || seen[0] != 1 || seen[len(seen)-1] != tc.fits {
			t.Errorf("%s: progress %v, want 1 to %d", tc.name, seen, tc.fits)
		}
		// Between any two fits, the final one too.
		for stop := 1; stop < tc.fits; stop++ {
			ctx, cancel := context.WithCancel(context.Background())
			opt = modelsel.Options{Workers: 1, Context: ctx, Progress: func(p mlcore.Progress) error {
				if p.Step == stop {
					cancel()
				}
				if p.Step > stop {
					t.Errorf("%s: fit %d after it was stopped at %d", tc.name, p.Step, stop)
				}
				return nil
			}}
			if err := tc.run(opt); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: stopped at %d with %v", tc.name, stop, err)
			}
		}
	}
}

// miscount is a model that does not predict as many rows as it was asked for.
type miscount int

func (m miscount) NumFeatures() int { return 2 }
func (m miscount) NumClasses() int  { return 2 }
func (m miscount) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	return make([]int, n+int(m)), nil
}
func (m miscount) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	n, _ := X.Dims()
	return mat.NewDense(n+int(m), 2, nil), nil
}

var ()

func TestBadInput(t *testing.T) {
	nan := math.NaN()
	X, y := mat.NewDense(6, 2, []float64{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}), []int{0, 1, 0, 1, 0, 1}
	hole := mat.DenseCopyOf(X)
	hole.Set(4, 1, nan)
	targets := []float64{1, 2, 3, 4, 5, 6}
	knn := neighbors.Config{Neighbors: 1}.FitClassifier
	regress := neighbors.Config{Neighbors: 1}.FitRegressor
	two := modelsel.KFold{Folds: 2}
	with := func(scorers ...modelsel.Scorer) modelsel.Options {
		return modelsel.Options{Splitter: two, Scorers: scorers}
	}
	cv := func(X *mat.Dense, y []int, w []float64, opt modelsel.Options) error {
		_, err := modelsel.CrossValidate(knn, mlcore.FromMatrix(X, y, w), opt)
		return err
	}
	search := func(candidates []modelsel.Candidate[neighbors.Config], opt modelsel.Options) error {
		_, err := modelsel.Search(neighbors.Config.FitClassifier, candidates, mlcore.FromMatrix(X, y, nil), modelsel.SearchOptions{Options: opt})
		return err
	}
	rotating := func(opt modelsel.NestedOptions) error {
		_, err := modelsel.RotatingCrossValidate(neighbors.Config.FitClassifier, knnGrid([]int{1}), mlcore.FromMatrix(X, y, nil), opt)
		return err
	}
	curve := func(shares ...float64) error {
		_, err := modelsel.LearningCurve(knn, mlcore.FromMatrix(X, y, nil), modelsel.LearningCurveOptions{Options: with(), TrainSizes: shares})
		return err
	}
	random := func(n int, draws ...modelsel.Draw[neighbors.Config]) error {
		_, err := modelsel.Random(n, 1, neighbors.Config{}, draws...)
		return err
	}
	bandwidth := func(from modelsel.Distribution[float64]) modelsel.Draw[neighbors.Config] {
		return modelsel.DrawFrom("Bandwidth", func(c *neighbors.Config, v float64) { c.Bandwidth = v }, from)
	}
	neighbours := func(from modelsel.Distribution[int]) modelsel.Draw[neighbors.Config] {
		return modelsel.DrawFrom("K", func(c *neighbors.Config, v int) { c.Neighbors = v }, from)
	}
	by := func(extra miscount) func(*mlcore.Dataset) (miscount, error) {
		return func(*mlcore.Dataset) (miscount, error) { return extra, nil }
	}
	misfit := func(extra miscount, opt modelsel.Options) error {
		_, err := modelsel.CrossValidate(by(extra), mlcore.FromMatrix(X, y, nil), opt)
		return err
	}
	misfitKept := func(extra miscount, proba bool) error {
		var err error
		if proba {
			_, err = modelsel.CrossValPredictProba(by(extra), mlcore.FromMatrix(X, y, nil), with())
		} else {
			_, err = modelsel.CrossValPredict(by(extra), mlcore.FromMatrix(X, y, nil), with())
		}
		return err
	}
	for _, tc := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"a learner that makes a nil pointer", func() error {
			_, err := modelsel.CrossValidate(func(*mlcore.Dataset) (*neighbors.Classifier, error) { return nil, nil }, mlcore.FromMatrix(X, y, nil), with())
			return err
		}(), mlcore.ErrConfig, "modelsel: fold 0: fitting to its 3 training rows: bad configuration: the learner returned neither a model nor an error"},
		{"no data", cv(nil, nil, nil, modelsel.Options{}), mlcore.ErrEmpty, "0 rows"},
		{"short labels", cv(X, y[:3], nil, with()), mlcore.ErrShape, "3 labels"},
		{"label without a name", func() error {
			ds := mlcore.FromMatrix(X, y, nil)
			ds.ClassNames = ds.ClassNames[:1]
			_, err := modelsel.CrossValidate(knn, ds, with())
			return err
		}(), mlcore.ErrLabel, "row 1"},
		{"no Dataset", func() error { _, err := modelsel.CrossValidate(knn, nil, with()); return err }(), mlcore.ErrEmpty, "nil"},
		{"no labels", func() error {
			_, err := modelsel.CrossValidate(knn, mlcore.FromMatrix(X, targets, nil), with())
			return err
		}(), mlcore.ErrLabel, "no class labels"},
		{"no targets", func() error {
			_, err := modelsel.CrossValidate(regress, mlcore.FromMatrix(X, y, nil), with())
			return err
		}(), mlcore.ErrLabel, "no numbers in Target"},
		{"negative weight", cv(X, y, []float64{1, 1, 1, -1, 1, 1}, with()), mlcore.ErrWeight, "row 3"},
		{"NaN target", func() error {
			_, err := modelsel.CrossValidate(regress, mlcore.FromMatrix(X, []float64{1, 2, nan, 4, 5, 6}, nil), with())
			return err
		}(), mlcore.ErrNonFinite, "row 2"},
		{"infinity", cv(mat.NewDense(2, 1, []float64{0, math.Inf(1)}), []int{0, 1}, nil, with()), mlcore.ErrNonFinite, "row 1, column 0"},
		{"NaN that the learner refuses", cv(hole, y, nil, with()), mlcore.ErrNonFinite, "row 4, column 1"},
		{"the fold is named", cv(hole, y, nil, with()), mlcore.ErrNonFinite, "fold 0: fitting to its 3 training rows"},
		{"splitter", cv(X, y, nil, modelsel.Options{Splitter: modelsel.KFold{Folds: 7}}), mlcore.ErrConfig, "7 folds"},
		{"folds of other data", cv(X, y, nil, modelsel.Options{Splitter: splitFunc(func(modelsel.Rows) (*modelsel.Folds, error) {
			return two.Split(modelsel.Rows{N: 4})
		})}), mlcore.ErrConfig, "6 rows"},
		{"no folds at all", cv(X, y, nil, modelsel.Options{Splitter: splitFunc(func(modelsel.Rows) (*modelsel.Folds, error) { return nil, nil })}), mlcore.ErrConfig, "6 rows"},
		{"empty scorer", cv(X, y, nil, with(modelsel.Scorer{Name: "mine"})), mlcore.ErrConfig, `"mine" has 0`},
		{"scorer of numbers", cv(X, y, nil, with(modelsel.R2)), mlcore.ErrConfig, "judges numbers"},
		{"scorer of classes", func() error {
			_, err := modelsel.CrossValidate(regress, mlcore.FromMatrix(X, targets, nil), with(modelsel.Accuracy))
			return err
		}(), mlcore.ErrConfig, "judges classes"},
		{"no probabilities", func() error {
			_, err := modelsel.CrossValidate(mlcore.OnMatrix(new(spy).fit), mlcore.FromMatrix(numbered(6), y, nil), with(modelsel.LogLoss))
			return err
		}(), mlcore.ErrConfig, "does not estimate class probabilities; calibration.Config"},
		{"undefined score", cv(X, []int{0, 0, 0, 1, 1, 1}, nil, with(modelsel.ROCAUC)), mlcore.ErrNonFinite, "fold 0: test rows: ROC AUC"},
		{"R² of single rows", func() error {
			_, err := modelsel.CrossValidate(regress, mlcore.FromMatrix(X, targets, nil), modelsel.Options{Splitter: modelsel.LeaveOneOut{}})
			return err
		}(), mlcore.ErrNonFinite, "CrossValPredict"},
		{"AUC of three classes", cv(X, []int{0, 1, 2, 0, 1, 2}, nil, with(modelsel.ROCAUC)), mlcore.ErrShape, "ROCAUCOneVsRest"},
		{"model of more classes", func() error {
			_, err := modelsel.CrossValidate(func(ds *mlcore.Dataset) (*neighbors.Classifier, error) {
				return neighbors.Config{Neighbors: 1}.FitClassifier(fixture.Classes(mlcore.FromMatrix(ds.X, ds.Y, nil), 4))
			}, mlcore.FromMatrix(X, y, nil), with(modelsel.LogLoss))
			return err
		}(), mlcore.ErrLabel, "the model has 4 classes, the data 2"},
		{"rows tested twice", func() error {
			_, err := modelsel.CrossValPredict(knn, mlcore.FromMatrix(X, y, nil), modelsel.Options{Splitter: modelsel.Repeated{Splitter: two, Repeats: 2}})
			return err
		}(), mlcore.ErrConfig, "both test row"},
		{"no fit", second(modelsel.CrossValidate[int, *neighbors.Classifier](nil, mlcore.FromMatrix(X, y, nil), with())), mlcore.ErrConfig, "no function that fits"},
		{"no fit of a fold", second(modelsel.CrossValidateEach(func(int) func(*mlcore.Dataset) (*neighbors.Classifier, error) { return nil }, mlcore.FromMatrix(X, y, nil), with())), mlcore.ErrConfig, "no function that fits"},
		{"no fit for folds", second(modelsel.CrossValidateEach[int, *neighbors.Classifier](nil, mlcore.FromMatrix(X, y, nil), with())), mlcore.ErrConfig, "no function that fits"},
		{"no fit to predict", second(modelsel.CrossValPredict[int, *neighbors.Classifier](nil, mlcore.FromMatrix(X, y, nil), with())), mlcore.ErrConfig, "no function that fits"},
		{"no fit to search", second(modelsel.Search[int, int, *neighbors.Classifier](nil, modelsel.List(1), mlcore.FromMatrix(X, y, nil), modelsel.SearchOptions{Options: with()})), mlcore.ErrConfig, "no function that fits"},
		{"no fit to nest", second(modelsel.NestedCrossValidate[int, int, *neighbors.Classifier](nil, modelsel.List(1), mlcore.FromMatrix(X, y, nil), modelsel.NestedOptions{Options: with()})), mlcore.ErrConfig, "no function that fits"},
		{"no fit to learn", second(modelsel.LearningCurve[int, *neighbors.Classifier](nil, mlcore.FromMatrix(X, y, nil), modelsel.LearningCurveOptions{})), mlcore.ErrConfig, "no function that fits"},
		{"no fit to validate", second(modelsel.ValidationCurve[int, int, *neighbors.Classifier](nil, []int{1}, mlcore.FromMatrix(X, y, nil), with())), mlcore.ErrConfig, "no function that fits"},
		{"no candidates", search(nil, with()), mlcore.ErrEmpty, "no candidates"},
		{"bad candidate", search(knnGrid([]int{1, 9}), with()), mlcore.ErrConfig, "fold 0: candidate 1 (n_neighbors=9)"},
		{"bad final fit", func() error {
			_, err := modelsel.Search(func(k int, ds *mlcore.Dataset) (*neighbors.Classifier, error) {
				if ds.Len() == 6 {
					return nil, mlcore.ErrConfig
				}
				return knn(ds)
			}, modelsel.List(1, 2), mlcore.FromMatrix(X, y, nil), modelsel.SearchOptions{Options: with()})
			return err
		}(), mlcore.ErrConfig, "final fit of candidate 0 (config=0)"},
		{"inner folds", func() error {
			_, err := modelsel.NestedCrossValidate(neighbors.Config.FitClassifier, knnGrid([]int{1}), mlcore.FromMatrix(X, y, nil), modelsel.NestedOptions{Options: with(), Inner: modelsel.KFold{Folds: 4}})
			return err
		}(), mlcore.ErrConfig, "fold 0: inner folds: modelsel: bad configuration: 4 folds of 3 rows"},
		{"NaN in an inner fold", func() error {
			_, err := modelsel.NestedCrossValidate(neighbors.Config.FitClassifier, knnGrid([]int{1}), mlcore.FromMatrix(hole, y, nil), modelsel.NestedOptions{Options: with(), Inner: modelsel.KFold{Folds: 3}})
			return err
		}(), mlcore.ErrNonFinite, "modelsel: fold 0: inner fold 0: candidate 0 (n_neighbors=1): fitting to its 2 training rows: neighbors: non-finite value: a missing value in row 0, column 1 (x1); put preprocess.ImputerConfig before it in a pipeline, or drop the row (in all of X: non-finite value: NaN in row 4, column 1"},
		{"two folds cannot rotate", rotating(modelsel.NestedOptions{Options: with()}), mlcore.ErrConfig, "2 folds"},
		{"repeats cannot rotate", rotating(modelsel.NestedOptions{Options: modelsel.Options{Splitter: modelsel.Repeated{Splitter: modelsel.KFold{}, Repeats: 2}}}), mlcore.ErrConfig, "both test row"},
		{"rotating has no inner folds", rotating(modelsel.NestedOptions{Inner: two}), mlcore.ErrConfig, "Inner"},
		{"share of 0", curve(0.5, 0), mlcore.ErrConfig, "TrainSizes[1] is 0"},
		{"share above 1", curve(1.5), mlcore.ErrConfig, "1.5"},
		{"NaN share", curve(nan), mlcore.ErrConfig, "NaN"},
		{"no shares", curve([]float64{}...), mlcore.ErrEmpty, "no shares"},
		{"no values", func() error {
			_, err := modelsel.ValidationCurve(func(k int, ds *mlcore.Dataset) (*neighbors.Classifier, error) { return knn(ds) }, nil, mlcore.FromMatrix(X, y, nil), with())
			return err
		}(), mlcore.ErrEmpty, "no candidates"},
		{"no random candidates", random(0), mlcore.ErrConfig, "at least 1"},
		{"empty range", random(1, bandwidth(modelsel.Uniform(1, 1))), mlcore.ErrConfig, `"Bandwidth"`},
		{"range of reals backwards", random(1, bandwidth(modelsel.Uniform(2, 1))), mlcore.ErrConfig, "Uniform from 2 to 1; finite, the lower first"},
		{"range of reals too wide", random(1, bandwidth(modelsel.Uniform(-1.7e308, 1.7e308))), mlcore.ErrConfig, "their difference overflows; choose them nearer to each other"},
		{"infinite range", random(1, bandwidth(modelsel.Uniform(0, math.Inf(1)))), mlcore.ErrConfig, "finite"},
		{"log of 0", random(1, bandwidth(modelsel.LogUniform(0, 1))), mlcore.ErrConfig, "above 0"},
		{"range backwards", random(1, neighbours(modelsel.IntRange(3, 2))), mlcore.ErrConfig, "3 to 2"},
		{"range too wide", random(1, neighbours(modelsel.IntRange(-1, math.MaxInt))), mlcore.ErrConfig, "their difference overflows; choose them nearer to each other"},
		{"widest range", random(1, neighbours(modelsel.IntRange(math.MinInt, math.MaxInt))), mlcore.ErrConfig, "their difference overflows"},
		{"range of as many numbers as an int counts, and one", random(1, neighbours(modelsel.IntRange(0, math.MaxInt))), mlcore.ErrConfig, "their difference overflows"},
		{"a fold of rows that weigh nothing", cv(X, y, []float64{1, 1, 1, 0, 1, 1}, modelsel.Options{Splitter: modelsel.LeaveOneOut{}}), mlcore.ErrWeight, "modelsel: fold 3: test rows: accuracy: metrics: bad sample weight: the weights sum to 0; take rows of weight 0 out of the Dataset first"},
		{"choice of nothing", random(1, neighbours(modelsel.Choice[int]())), mlcore.ErrConfig, "no values"},
		{"rows to split are fewer than none", func() error { _, err := modelsel.NewFolds(-1, []modelsel.Fold{{Test: []int{0}}}); return err }(), mlcore.ErrEmpty, "-1 rows"},
		{"infinite score", cv(X, y, nil, with(modelsel.Scorer{Name: "mine", Labels: func([]int, []int, []float64) (float64, error) { return math.Inf(1), nil }})), mlcore.ErrNonFinite, "fold 0: test rows: mine: non-finite value: the score is +Inf"},
		{"too few predictions", misfit(-1, with()), mlcore.ErrShape, "fold 0: test rows: predicting 3 rows: shape mismatch: the model answered for 2"},
		{"too many predictions", misfit(1, with()), mlcore.ErrShape, "the model answered for 4"},
		{"too few probabilities", misfit(-1, with(modelsel.LogLoss)), mlcore.ErrShape, "the model answered for 2"},
		{"too few predictions to keep", misfitKept(-1, false), mlcore.ErrShape, "fold 0: predicting 3 rows: shape mismatch: the model answered for 2"},
		{"too many predictions to keep", misfitKept(1, false), mlcore.ErrShape, "the model answered for 4"},
		{"too many probabilities to keep", misfitKept(1, true), mlcore.ErrShape, "fold 0: predicting 3 rows: shape mismatch: the model answered for 4"},
	} {
		if !errors.Is(tc.err, tc.want) || !strings.Contains(fmt.Sprint(tc.err), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, tc.err, tc.want, tc.says)
		}
	}
}

// Of a zero value there are no scores.
func TestZeroResults(t *testing.T) {
	var r modelsel.Result
	if r.Mean() != 0 || r.SD() != 0 || r.String() != "" {
		t.Errorf("a zero Result has mean %v, deviation %v and says %q", r.Mean(), r.SD(), r.String())
	}
	if row := (modelsel.NestedFold[neighbors.Config]{}).Chosen(); len(row.Scores) != 0 {
		t.Errorf("a zero NestedFold has chosen %+v", row)
	}
	var s modelsel.SearchResult[neighbors.Config, *neighbors.Classifier]
	if row := s.Chosen(); len(row.Scores) != 0 || s.String() != "" {
		t.Errorf("a zero SearchResult has chosen %+v and says %q", row, s.String())
	}
}

// Results keep their scores through gob, which is what notebooks cache with, and
// JSON.
func TestResultsKeep(t *testing.T) {
	a, X := scikitLearn(t)
	r, err := modelsel.Search(neighbors.Config.FitClassifier, knnGrid(a.Neighbours), mlcore.FromMatrix(X, a.Labels, nil), modelsel.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Table {
		var viaGob, viaJSON []modelsel.Scores
		var b bytes.Buffer
		if err := errors.Join(gob.NewEncoder(&b).Encode(row.Scores), gob.NewDecoder(&b).Decode(&viaGob)); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(row.Scores)
		if err := errors.Join(err, json.Unmarshal(data, &viaJSON)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(viaGob, row.Scores) || !reflect.DeepEqual(viaJSON, row.Scores) {
			t.Errorf("%v became %v and %v", row.Scores, viaGob, viaJSON)
		}
	}
}

func second[T any](_ T, err error) error { return err }

package live

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/mat"
)

// request is a figure on a sample.
func request(t *testing.T, figure, sample string, s Settings) Request {
	t.Helper()
	all, err := Samples()
	if err != nil {
		t.Fatal(err)
	}
	of, ok := all[sample]
	if !ok {
		t.Fatalf("there is no sample %s", sample)
	}
	return Request{Figure: figure, Points: of.Points, Classes: len(of.Classes), Window: of.Window, Resolution: 150, Settings: s}
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// learner is the fit of any configuration.
func learner[M mlcore.Classifier](fit func(*mlcore.Dataset) (M, error)) func(*mlcore.Dataset) (mlcore.Classifier, error) {
	return func(ds *mlcore.Dataset) (mlcore.Classifier, error) { return fit(ds) }
}

// A figure shows what plotx draws of the notebooks' models, cell by cell.
func TestMapsAreThoseOfPlotx(t *testing.T) {
	multi := must(datasets.LoadDataset("synthetic", "Multi"))(t)
	binary := must(datasets.LoadDataset("synthetic", "Binary"))(t)
	moons, clouds := datasets.MakeMoons(100, 0.3, 1), datasets.MakeClouds(60, 1, 1)
	handOut := Settings{Rule: "at-least", Criterion: "misclassification", Voting: "hard", MaxFeatures: "all"}
	lab3Trees := func(depth, estimators, rounds int) Settings {
		s := handOut
		s.MaxDepth, s.Estimators, s.Rounds, s.MinSamplesLeaf, s.Seed = depth, estimators, rounds, 1, 1
		return s
	}
	for _, c := range []struct {
		figure, sample string
		settings       Settings
		ds             *mlcore.Dataset
		fit            func(*mlcore.Dataset) (mlcore.Classifier, error)
	}{
		{"neighbors", "multi", Settings{Neighbors: 1}, multi, learner(neighbors.Config{Neighbors: 1}.FitClassifier)},
		{"neighbors", "multi", Settings{Neighbors: 25, Metric: "manhattan", Weights: "distance"}, multi, learner(neighbors.Config{Neighbors: 25, Metric: neighbors.Manhattan, Weights: neighbors.InverseDistance}.FitClassifier)},
		{"neighbors", "moons", Settings{Neighbors: 7, Metric: "chebyshev", Weights: "gaussian"}, moons, learner(neighbors.Config{Neighbors: 7, Metric: neighbors.Chebyshev, Weights: neighbors.Gaussian}.FitClassifier)},
		{"tree", "multi", lab3Trees(5, 0, 0), multi, learner(lab3.TreeConfig(lab3.TreeOptions{MaxDepth: 5, MinSize: 1}).FitClassifier)},
		{"tree", "moons", Settings{MaxDepth: 12, MinSamplesLeaf: 5, Criterion: "entropy"}, moons, learner(tree.Config{MaxDepth: 12, MinSamplesLeaf: 5, Criterion: tree.Entropy}.FitClassifier)},
		{"forest", "multi", lab3Trees(12, 25, 0), multi, learner(lab3.ForestConfig(25, lab3.TreeOptions{MaxDepth: 12, MinSize: 1}, 1).FitClassifier)},
		{"adaboost", "binary", lab3Trees(1, 0, 20), binary, learner(ensemble.AdaBoostConfig{Estimators: 20, Tree: lab3.TreeConfig(lab3.TreeOptions{MinSize: 1, MaxDepth: 1})}.FitClassifier)},
		{"svm", "clouds", Settings{C: 10, Gamma: 0.5}, clouds, learner(svm.Config{C: 10, Kernel: svm.RBF{Gamma: 0.5}}.FitClassifier)},
		{"network", "moons", Settings{Hidden: 10, Layers: 2, Epochs: 40, LearningRate: 0.01, Seed: 1}, moons, learner(neural.Config{Hidden: []int{10, 10}, BatchSize: 20, Epochs: 40, LearningRate: 0.01, Seed: 1}.FitClassifier)},
	} {
		var want []int
		m, err := c.fit(c.ds)
		if err != nil {
			t.Fatal(err)
		}
		_, err = plotx.ClassMap(c.ds, func(X mat.Matrix) (classes []int, err error) {
			want, err = m.Predict(X)
			return want, err
		}, plotx.MapOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := Figure(request(t, c.figure, c.sample, c.settings))
		if err != nil {
			t.Errorf("%s of %s: %v", c.figure, c.sample, err)
			continue
		}
		if got := []byte(a.Map); len(got) != 150*150 || len(slices.Compact(slices.Sorted(slices.Values(got)))) < 2 {
			t.Errorf("%s of %s: %d cells", c.figure, c.sample, len(got))
		} else if a.Map != digits(want) {
			t.Errorf("%s of %s: the map is another", c.figure, c.sample)
		}
	}
}

// fact is what an answer says under a name.
func (a *Answer) said(name string) string {
	for _, f := range a.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return "nothing"
}

// Pruning cuts the tree of scikit-learn's example by hand: four points on a line, of which
// the last question is worth the least.
func TestPruning(t *testing.T) {
	r := Request{Figure: "tree", Points: [][3]float64{{0, 0, 0}, {1, 0, 0}, {2, 0, 1}, {3, 0, 0}}, Classes: 2, Window: [4]float64{-1, 4, -1, 1}, Resolution: 10}
	// R of the root is 3/8; the split before 2 leaves {1, 0} with R = 1/4; alpha of the
	// question inside it is 1/4, and of the whole tree (3/8 - 0) / 2 = 3/16, which is less.
	for _, c := range []struct {
		alpha float64
		want  string
	}{{0, "3"}, {0.18, "3"}, {0.19, "1, before pruning 3"}} {
		r.Settings.Alpha = c.alpha
		if got := must(Figure(r))(t).said("leaves"); got != c.want {
			t.Errorf("alpha %v: leaves %s, want %s", c.alpha, got, c.want)
		}
	}
}

// The numbers are those that co395/08_unsupervised_learning prints.
func TestKMeansGoesAsInTheNotebook(t *testing.T) {
	r := request(t, "kmeans", "groups", Settings{Centres: [][2]float64{{5, 0}, {6, 0}, {6, 1}}})
	for round, want := range []string{"2530.2", "410.4", "179.8", "172.9"} {
		a := must(Figure(r))(t)
		if got := a.said("inertia"); got != want || a.Done && round < 3 {
			t.Errorf("round %d: inertia %s, want %s; done is %v", round, got, want, a.Done)
		}
		r.Settings.Centres = a.Centres
	}
	for range 20 {
		a := must(Figure(r))(t)
		if r.Settings.Centres = a.Centres; a.Done {
			return
		}
	}
	t.Error("it never ends")
}

// A centre without points stays, and a point on a tie belongs to the first centre.
func TestKMeansByHand(t *testing.T) {
	r := Request{Figure: "kmeans", Points: [][3]float64{{0, 0}, {2, 0}, {1, 0}}, Window: [4]float64{0, 2, -1, 1}, Resolution: 2,
		Settings: Settings{Centres: [][2]float64{{0, 0}, {2, 0}, {9, 9}}}}
	a := must(Figure(r))(t)
	if !slices.Equal(a.Labels, []int{0, 1, 0}) || !slices.Equal(a.Centres, [][2]float64{{0.5, 0}, {2, 0}, {9, 9}}) || a.said("inertia") != "1.0" || a.Map != "0101" {
		t.Errorf("%+v", a)
	}
}

// The places are those that ada511/07_descent prints of its six descents.
func TestDescentGoesAsInTheNotebook(t *testing.T) {
	for _, c := range []struct {
		start    [2]float64
		at, loss string
	}{
		{[2]float64{1.6, 0.5}, "(1.00, 1.00)", "0.010"}, {[2]float64{0.7, -0.6}, "(0.11, -0.70)", "0.430"}, {[2]float64{1.3, -0.5}, "(1.70, -0.22)", "0.491"},
		{[2]float64{3, -1.2}, "(2.68, -0.24)", "0.483"}, {[2]float64{2.5, 1.2}, "(2.13, 0.02)", "0.513"}, {[2]float64{3.6, 1}, "(3.37, 0.20)", "0.494"},
	} {
		r := request(t, "descent", "wave", Settings{Centres: [][2]float64{c.start}, LearningRate: 0.03, Steps: 500})
		r.Window, r.Resolution = [4]float64{0, 4, -1.5, 1.5}, 20
		a := must(Figure(r))(t)
		if a.said("at") != c.at || a.said("loss") != c.loss || len(a.Path) != 501 || len(a.Heights) != 400 {
			t.Errorf("from %v to %s with loss %s; want %s, %s", c.start, a.said("at"), a.said("loss"), c.at, c.loss)
		}
	}
	// Momentum by hand, on y = 0 at x = pi/2: the loss is h² at frequency 1, its slope 2h.
	// h goes 1, 1-0.2 = 0.8, and 0.8 + 0.5·(-0.2) - 0.1·1.6 = 0.54.
	r := Request{Figure: "descent", Points: [][3]float64{{math.Pi / 2, 0}}, Window: [4]float64{0, 2, 0, 2}, Resolution: 2,
		Settings: Settings{Centres: [][2]float64{{1, 1}}, LearningRate: 0.1, Momentum: 0.5, Steps: 2}}
	if a := must(Figure(r))(t); math.Abs(a.Path[1][1]-0.8) > 1e-12 || math.Abs(a.Path[2][1]-0.54) > 1e-12 {
		t.Errorf("with momentum: %v", a.Path)
	}
}

// By hand: one question parts four points into two pairs, whose means are half a unit from
// each; boosting with rate 1/2 goes half of the way from the mean of all.
func TestRegressionByHand(t *testing.T) {
	r := Request{Figure: "regression", Points: [][3]float64{{0, 0}, {1, 1}, {2, 5}, {3, 6}}, Window: [4]float64{0, 3, 0, 6}, Resolution: 3, Settings: Settings{MaxDepth: 1, MinSamplesLeaf: 1}}
	for _, c := range []struct {
		rounds int
		want   []float64
		mse    string
	}{{0, []float64{0.5, 0.5, 5.5, 5.5}, "0.250"}, {1, []float64{1.75, 1.75, 4.25, 4.25}, "1.812"}} {
		r.Settings.Rounds, r.Settings.LearningRate = c.rounds, 0.5
		a := must(Figure(r))(t)
		if !slices.EqualFunc(a.Curve, c.want, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }) || a.said("training MSE") != c.mse {
			t.Errorf("%d rounds: %v, MSE %s; want %v, %s", c.rounds, a.Curve, a.said("training MSE"), c.want, c.mse)
		}
	}
}

// Weights of boosting by hand: one of four points is wrong, so alpha is log 3, its weight is
// three times that of each other, and their mean is 1.
func TestBoostedWeights(t *testing.T) {
	r := Request{Figure: "adaboost", Points: [][3]float64{{0, 0, 0}, {1, 0, 1}, {2, 0, 1}, {3, 0, 0}}, Classes: 2, Window: [4]float64{0, 3, -1, 1}, Resolution: 3, Settings: Settings{Rounds: 1}}
	a := must(Figure(r))(t)
	got := slices.Sorted(slices.Values(a.Sizes))
	if want := []float64{2. / 3, 2. / 3, 2. / 3, 2}; !slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }) || a.said("its alpha") != "1.10" {
		t.Errorf("weights %v, want %v; alpha %s", got, want, a.said("its alpha"))
	}
}

// Points can be removed until there are fewer than a leaf is to have: then there is one leaf.
func TestFewerPointsThanALeafIsToHave(t *testing.T) {
	for _, figure := range []string{"tree", "forest", "adaboost"} {
		r := request(t, figure, "clouds", Settings{MinSamplesLeaf: 40, MaxDepth: 3, Estimators: 3, Rounds: 2})
		r.Points = [][3]float64{{0, 0, 0}, {1, 1, 1}, {2, 0, 1}}
		a, err := Figure(r)
		if err != nil {
			t.Errorf("%s: %v", figure, err)
		} else if len(a.Map) != r.Resolution*r.Resolution {
			t.Errorf("%s: a map of %d cells", figure, len(a.Map))
		}
	}
}

func TestRefuses(t *testing.T) {
	fine := request(t, "tree", "clouds", Settings{})
	for _, c := range []struct {
		name   string
		change func(*Request)
		want   error
		says   string
	}{
		{"no such figure", func(r *Request) { r.Figure = "oracle" }, ErrUnknown, "oracle"},
		{"no such choice", func(r *Request) { r.Settings.Criterion = "luck" }, ErrUnknown, "luck"},
		{"no points", func(r *Request) { r.Points = nil }, mlcore.ErrEmpty, "no points"},
		{"too many points", func(r *Request) { r.Points = make([][3]float64, 2001) }, mlcore.ErrShape, "2001"},
		{"too fine", func(r *Request) { r.Resolution = 301 }, mlcore.ErrConfig, "301"},
		{"no cells", func(r *Request) { r.Resolution = 0 }, mlcore.ErrConfig, "resolution 0"},
		{"too many classes", func(r *Request) { r.Classes = 11 }, mlcore.ErrConfig, "11 classes"},
		{"fewer than no classes", func(r *Request) { r.Classes = -1 }, mlcore.ErrConfig, "-1 classes"},
		{"an empty window", func(r *Request) { r.Window[1] = r.Window[0] }, mlcore.ErrConfig, "window"},
		{"a window that is no number", func(r *Request) { r.Window[0] = math.NaN() }, mlcore.ErrConfig, "window"},
		{"a class that is none", func(r *Request) { r.Points = [][3]float64{{0, 0, 2}} }, mlcore.ErrLabel, "2"},
		{"a point that is no number", func(r *Request) { r.Points = [][3]float64{{math.NaN(), 0, 0}} }, mlcore.ErrNonFinite, ""},
		{"no centres", func(r *Request) { r.Figure = "kmeans" }, mlcore.ErrConfig, "0 centres"},
		{"no start", func(r *Request) { r.Figure = "descent" }, mlcore.ErrConfig, "one place"},
	} {
		r := fine
		c.change(&r)
		if _, err := Figure(r); !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

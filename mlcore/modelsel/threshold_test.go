package modelsel_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// thresholdPeers is testdata/peers_threshold.json; scripts/oracles/modelsel_threshold.py
// made it.
type thresholdPeers struct {
	X       [][]float64 `json:"X"`
	Queries [][]float64 `json:"queries"`
	Y       []int       `json:"y"`
	Costs   [][]float64 `json:"costs"`
	Tuned   []struct {
		Scorer      string    `json:"scorer"`
		Given       []float64 `json:"given"`
		Thresholds  []float64 `json:"thresholds"`
		Scores      []float64 `json:"scores"`
		Best        float64   `json:"best"`
		Predictions []int     `json:"predictions"`
	} `json:"tuned"`
	Fixed []struct {
		Threshold   float64 `json:"threshold"`
		Predictions []int   `json:"predictions"`
	} `json:"fixed"`
}

var gaussian = mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)

func TestThresholdsAgainstScikitLearn(t *testing.T) {
	o := oracle.Load[thresholdPeers](t, "testdata/peers_threshold.json")
	ds, queries := mlcore.FromMatrix(oracle.Matrix(o.X), o.Y, nil), oracle.Matrix(o.Queries)
	scorers := map[string]modelsel.Scorer{
		"balanced accuracy": {}, "accuracy": modelsel.Accuracy, "macro F1": modelsel.MacroF1, "cost": modelsel.CostScorer(oracle.Matrix(o.Costs)),
	}
	for _, want := range o.Tuned {
		cfg := modelsel.TunedThresholdConfig{Learner: gaussian, Scorer: scorers[want.Scorer], Thresholds: want.Given, Splitter: modelsel.StratifiedKFold{}}
		m, err := cfg.FitClassifier(ds)
		if err != nil {
			t.Fatalf("%s: %v", want.Scorer, err)
		}
		curve := m.Curve()
		if train, _ := curve.Train(); train != nil {
			t.Fatalf("%s: training scores %v, where none are taken", want.Scorer, train)
		}
		means, _ := curve.Test()
		if len(means) != len(want.Scores) {
			t.Fatalf("%s: %d thresholds, scikit-learn %d", want.Scorer, len(means), len(want.Scores))
		}
		for i, s := range want.Scores {
			if want.Scorer == "cost" {
				s = -s
			}
			if math.Abs(curve.X[i]-want.Thresholds[i]) > 1e-9 || math.Abs(means[i]-s) > 1e-9 {
				t.Fatalf("%s: score %v at threshold %v, scikit-learn %v at %v", want.Scorer, means[i], curve.X[i], s, want.Thresholds[i])
			}
		}
		if math.Abs(m.Threshold()-want.Best) > 1e-9 {
			t.Errorf("%s: threshold %v, scikit-learn %v", want.Scorer, m.Threshold(), want.Best)
		}
		if got, err := m.Predict(queries); err != nil || !slices.Equal(got, want.Predictions) {
			t.Errorf("%s: predictions %v (%v), scikit-learn %v", want.Scorer, got, err, want.Predictions)
		}
	}
	for _, want := range o.Fixed {
		m, err := modelsel.FixedThresholdConfig{Learner: gaussian, Threshold: want.Threshold}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Predict(queries); err != nil || !slices.Equal(got, want.Predictions) {
			t.Errorf("threshold %v: predictions %v (%v), scikit-learn %v", want.Threshold, got, err, want.Predictions)
		}
	}
	m, err := modelsel.FixedThresholdConfig{Learner: gaussian}.FitClassifier(ds)
	if err != nil || m.Threshold() != 0.5 || m.Curve() != nil {
		t.Errorf("the zero threshold is %v (%v), want 0.5 and no curve", m.Threshold(), err)
	}
}

// Two rows of class 0 and one of class 1, which weighs 3, by hand.
func TestCostScorer(t *testing.T) {
	s := modelsel.CostScorer(mat.NewDense(2, 2, []float64{0, 1, 10, -1}))
	for _, c := range []struct {
		predicted []int
		w         []float64
		want      float64
	}{
		{[]int{0, 0, 0}, nil, 10. / 3},
		{[]int{0, 1, 1}, nil, 0},
		{[]int{1, 1, 1}, []float64{1, 1, 3}, -1. / 5},
	} {
		if got, err := s.Labels([]int{0, 0, 1}, c.predicted, c.w); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("predictions %v with weights %v cost %v (%v), want %v", c.predicted, c.w, got, err, c.want)
		}
	}
	// Neither the unit of the weights nor that of the costs matters.
	for _, unit := range []float64{0x1p-1000, 0x1p-500, 0x1p500, 0x1p1000} {
		for _, price := range []float64{0x1p-900, 1, 0x1p900} {
			costs := mat.NewDense(2, 2, []float64{0, price, 10 * price, -price})
			got, err := modelsel.CostScorer(costs).Labels([]int{0, 0, 1}, []int{1, 1, 0}, []float64{unit, unit, 3 * unit})
			if err != nil || math.Abs(got/price-32./5) > 1e-14 {
				t.Errorf("weights times %v and costs times %v: %v (%v), want %v", unit, price, got, err, price*32/5)
			}
		}
	}
	if _, err := s.Labels(nil, nil, nil); !errors.Is(err, mlcore.ErrEmpty) {
		t.Errorf("no rows: error %v", err)
	}
	for name, c := range map[string]struct {
		costs mat.Matrix
		truth []int
		want  error
	}{
		"no costs":         {nil, []int{0, 1}, mlcore.ErrEmpty},
		"costs of NaN":     {mat.NewDense(2, 2, []float64{0, math.NaN(), 1, 0}), []int{0, 1}, mlcore.ErrNonFinite},
		"costs not square": {mat.NewDense(1, 2, nil), []int{0, 1}, mlcore.ErrShape},
		"too few classes":  {mat.NewDense(2, 2, nil), []int{0, 2}, mlcore.ErrLabel},
		"other lengths":    {mat.NewDense(2, 2, nil), []int{0}, mlcore.ErrShape},
	} {
		if _, err := modelsel.CostScorer(c.costs).Labels(c.truth, []int{0, 1}, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// sure tells the only column as the probability of class 1.
type sure struct{ features int }

func (m sure) NumFeatures() int { return m.features }
func (m sure) NumClasses() int  { return 2 }

func (m sure) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	return make([]int, n), nil
}

func (m sure) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	n, _ := X.Dims()
	p := mat.NewDense(n, 2, nil)
	for i := range n {
		p.SetRow(i, []float64{1 - X.At(i, 0), X.At(i, 0)})
	}
	return p, nil
}

func learnSure(ds *mlcore.Dataset) (mlcore.Classifier, error) { return sure{ds.NumFeatures()}, nil }

// The probabilities are those of the data, so that each threshold is worked by hand: with
// costs of 1 for a false alarm and 4 for a miss it pays to say yes from 1/5 on (Elkan,
// 2001, "The foundations of cost-sensitive learning").
func TestThresholdOfCalibratedProbabilities(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(1000, 1, nil), Columns: []mlcore.Column{{Name: "p"}}, ClassNames: []string{"no", "yes"}}
	for i := range 1000 { // of the 100 rows of probability (g + 0.5)/10, 10g + 5 are yes
		g, at := i%10, i/10
		ds.X.Set(i, 0, (float64(g)+0.5)/10)
		k := 0
		if at < 10*g+5 {
			k = 1
		}
		ds.Y = append(ds.Y, k)
	}
	candidates := []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	for _, c := range []struct {
		costs []float64
		want  float64
	}{
		{[]float64{0, 1, 4, 0}, 0.2},
		{[]float64{0, 1, 1, 0}, 0.5},
		{[]float64{0, 1, 1000, 0}, 0.05},
	} {
		m, err := modelsel.TunedThresholdConfig{Learner: learnSure, Thresholds: candidates, Scorer: modelsel.CostScorer(mat.NewDense(2, 2, c.costs))}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		if m.Threshold() != c.want {
			means, _ := m.Curve().Test()
			t.Errorf("costs %v: threshold %v, want %v; costs at %v are %v", c.costs, m.Threshold(), c.want, candidates, means)
		}
	}
}

func TestTunedThresholdByProperties(t *testing.T) {
	o := oracle.Load[thresholdPeers](t, "testdata/peers_threshold.json")
	ds, queries := mlcore.FromMatrix(oracle.Matrix(o.X), o.Y, nil), oracle.Matrix(o.Queries)
	fit := func(workers int) *modelsel.ThresholdClassifier {
		m, err := modelsel.TunedThresholdConfig{Learner: gaussian, Workers: workers}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := fit(1)
	data, err := modelfile.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 7} {
		if other, err := modelfile.Marshal(fit(workers)); err != nil || !bytes.Equal(other, data) {
			t.Errorf("%d workers make another model than one (%v)", workers, err)
		}
	}
	back, err := modelfile.Unmarshal[*modelsel.ThresholdClassifier](data)
	if err != nil {
		t.Fatal(err)
	}
	want, err := first.Predict(queries)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := back.Predict(queries); err != nil || !slices.Equal(got, want) || back.Threshold() != first.Threshold() {
		t.Errorf("after a round trip: %v, want %v (%v)", got, want, err)
	}
	// Precision is not defined where no row is said to be of class 1; such thresholds
	// are passed over.
	precision := modelsel.Scorer{Name: "precision", Labels: func(truth, predicted []int, w []float64) (float64, error) {
		m, err := metrics.Confusion(truth, predicted, 2, w)
		if err != nil {
			return 0, err
		}
		return m.Precision(1), nil
	}}
	m, err := modelsel.TunedThresholdConfig{Learner: gaussian, Scorer: precision, Thresholds: []float64{1, 0.1, 0.2}}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Curve().X; !slices.Equal(got, []float64{0.1, 0.2}) || m.Threshold() == 1 {
		t.Errorf("precision is compared at %v, want 0.1 and 0.2", got)
	}
	if _, err := (modelsel.TunedThresholdConfig{Learner: gaussian, Scorer: precision, Thresholds: []float64{1}}).FitClassifier(ds); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("a score that is nowhere defined: error %v, want ErrNonFinite", err)
	}
	var zero modelsel.ThresholdClassifier
	if _, err := zero.Predict(queries); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("a zero model: error %v, want ErrNotFitted", err)
	}
}

// A row of weight 0 changes nothing: the oracle is the Dataset without it.
func TestThresholdOfWeights(t *testing.T) {
	o := oracle.Load[thresholdPeers](t, "testdata/peers_threshold.json")
	X := oracle.Matrix(o.X)
	w, kept := make([]float64, len(o.Y)), []int{}
	for i := range w {
		if w[i] = float64(i % 3); w[i] > 0 {
			kept = append(kept, i)
		} else {
			X.Set(i, 0, 40) // a probability that no other row has
		}
	}
	ds := mlcore.FromMatrix(X, o.Y, w)
	c := modelsel.TunedThresholdConfig{Learner: gaussian}
	got, err := c.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	want, err := c.FitClassifier(ds.Subset(kept))
	if err != nil {
		t.Fatal(err)
	}
	if got.Threshold() != want.Threshold() || !slices.Equal(got.Curve().X, want.Curve().X) {
		t.Errorf("threshold %v with rows of weight 0, %v without", got.Threshold(), want.Threshold())
	}
}

func TestThresholdsRefuse(t *testing.T) {
	X := mat.NewDense(20, 1, nil)
	two, three := make([]int, 20), make([]int, 20)
	for i := range 20 {
		X.Set(i, 0, float64(i)/20)
		two[i], three[i] = i%2, i%3
	}
	ds := mlcore.FromMatrix(X, two, nil)
	constant := mlcore.FromMatrix(mat.NewDense(20, 1, nil), two, nil)
	mute := func(ds *mlcore.Dataset) (mlcore.Classifier, error) { return silent{ds.NumFeatures()}, nil }
	type tuned = modelsel.TunedThresholdConfig
	for _, c := range []struct {
		name string
		fit  func(ds *mlcore.Dataset) (*modelsel.ThresholdClassifier, error)
		ds   *mlcore.Dataset
		want error
		says string
	}{
		{"three classes", tuned{Learner: gaussian}.FitClassifier, mlcore.FromMatrix(X, three, nil), mlcore.ErrLabel, "3 classes"},
		{"one class", tuned{Learner: gaussian}.FitClassifier, mlcore.FromMatrix(X, make([]int, 20), nil), mlcore.ErrOneClass, ""},
		{"no learner", tuned{}.FitClassifier, ds, mlcore.ErrConfig, "Learner"},
		{"no learner, fixed", modelsel.FixedThresholdConfig{}.FitClassifier, ds, mlcore.ErrConfig, "Learner"},
		{"no model", tuned{Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, nil }}.FitClassifier, ds, mlcore.ErrConfig, "neither"},
		{"no probabilities", tuned{Learner: mute}.FitClassifier, ds, mlcore.ErrConfig, "calibration.Config"},
		{"a fixed threshold above 1", modelsel.FixedThresholdConfig{Learner: gaussian, Threshold: 1.1}.FitClassifier, ds, mlcore.ErrConfig, "Threshold is 1.1"},
		{"a fixed threshold of NaN", modelsel.FixedThresholdConfig{Learner: gaussian, Threshold: math.NaN()}.FitClassifier, ds, mlcore.ErrConfig, "NaN"},
		{"a threshold below 0", tuned{Learner: gaussian, Thresholds: []float64{0.5, -1}}.FitClassifier, ds, mlcore.ErrConfig, "Thresholds[1]"},
		{"no thresholds", tuned{Learner: gaussian, Thresholds: []float64{}}.FitClassifier, ds, mlcore.ErrEmpty, "Thresholds"},
		{"a scorer of probabilities", tuned{Learner: gaussian, Scorer: modelsel.LogLoss}.FitClassifier, ds, mlcore.ErrConfig, "no threshold changes"},
		{"a scorer of numbers", tuned{Learner: gaussian, Scorer: modelsel.MSE}.FitClassifier, ds, mlcore.ErrConfig, "judges numbers"},
		{"the same probability everywhere", tuned{Learner: learnSure}.FitClassifier, constant, mlcore.ErrConfig, "fold 0"},
		{"too few rows", tuned{Learner: gaussian}.FitClassifier, ds.Subset([]int{0, 1, 2}), mlcore.ErrConfig, "folds"},
		{"costs of one class", tuned{Learner: gaussian, Scorer: modelsel.CostScorer(mat.NewDense(1, 1, nil))}.FitClassifier, ds, mlcore.ErrLabel, "the true classes"},
	} {
		if _, err := c.fit(c.ds); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", c.name, err, c.want, c.says)
		}
	}
}

// silent is a classifier without probabilities.
type silent struct{ features int }

func (m silent) NumFeatures() int { return m.features }
func (m silent) NumClasses() int  { return 2 }

func (m silent) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	return make([]int, n), nil
}

package ensemble_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// TestGradientBoostingByHand follows the document of ADA511: a tree is fitted to
// the targets, the next to what it leaves. With learning rate 1/2 and stumps on
// y = 0 0 4 8: the mean is 3, the residuals -3 -3 1 5. The best stump parts the
// first two (squares 0 and 8) from the last two; it adds half of -3 and 3. The
// residuals are then -1.5 -1.5 -0.5 3.5; now the last stands alone (squares
// 2/3 and 0), and half of -7/6 and 3.5 is added.
func TestGradientBoostingByHand(t *testing.T) {
	X, y := column(1, 2, 3, 4), []float64{0, 0, 4, 8}
	want := [][]float64{
		{1.5, 1.5, 4.5, 4.5},
		{1.5 - 7./12, 1.5 - 7./12, 4.5 - 7./12, 4.5 + 3.5/2},
	}
	exact, err := ensemble.GradientBoostingConfig{Estimators: 2, LearningRate: 0.5, Tree: tree.Config{MaxDepth: 1}}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	hist, err := ensemble.HistBoostingConfig{Estimators: 2, LearningRate: 0.5, MaxDepth: 1, MinSamplesLeaf: 1}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	exactStages, err := exact.StagedPredict(X)
	if err != nil {
		t.Fatal(err)
	}
	for round, got := range exactStages {
		compare(t, fmt.Sprintf("round %d, row", round), got, want[round-1], 1e-12)
	}
	histStages, err := hist.StagedPredict(X)
	if err != nil {
		t.Fatal(err)
	}
	for round, got := range histStages {
		compare(t, fmt.Sprintf("round %d on histograms, row", round), got, want[round-1], 1e-7)
	}
	// (1.5² + 1.5² + 0.5² + 3.5²)/2/4 after the first round.
	compare(t, "loss", exact.TrainingLoss()[:1], []float64{17. / 8}, 1e-12)
	// Σ R²/n: (-6)²/2 + 6²/2 in round 1, (-3.5)²/3 + 3.5² in round 2.
	if got := hist.Gains(); math.Abs(got[0]-(36+49./3)) > 1e-5 {
		t.Errorf("gains %v, want %v", got, 36+49./3)
	}
	if got := hist.SplitCounts(); got[0] != 2 {
		t.Errorf("%d splits, want 2", got[0])
	}
}

// TestLossDerivatives compares residuals and curvatures with differences of the
// losses themselves.
func TestLossDerivatives(t *testing.T) {
	const h = 1e-4
	for _, c := range []struct {
		loss   ensemble.Loss
		y      []float64
		scores [][]float64
		second bool // whether curvatures are second derivatives
	}{
		{ensemble.Squared{}, []float64{0.3, -2}, [][]float64{{1}, {0.5}}, true},
		{ensemble.Absolute{}, []float64{0.3, -2}, [][]float64{{1}, {0.5}}, false},
		{ensemble.Huber{Delta: 1}, []float64{0.3, -2, 4}, [][]float64{{1}, {0.5}, {0.2}}, false},
		{ensemble.Logistic{}, []float64{0, 1}, [][]float64{{0.1}, {-3}, {7}, {0}}, true},
		{ensemble.Softmax{}, []float64{0, 1, 2}, [][]float64{{0.1, 2, -1}, {5, 5, 5}, {-8, 0, 3}}, true},
	} {
		at := func(y float64, scores []float64) float64 {
			room := make([]float64, 2*len(scores))
			return c.loss.Row(y, scores, room[:len(scores)], room[len(scores):])
		}
		for _, y := range c.y {
			for _, scores := range c.scores {
				residuals, curvatures := make([]float64, len(scores)), make([]float64, len(scores))
				middle := c.loss.Row(y, scores, residuals, curvatures)
				for k := range scores {
					up, down := slices.Clone(scores), slices.Clone(scores)
					up[k] += h
					down[k] -= h
					if want := (at(y, down) - at(y, up)) / (2 * h); math.Abs(residuals[k]-want) > 1e-6 {
						t.Errorf("%T at %v of %v: residual %v, want %v", c.loss, scores, y, residuals[k], want)
					}
					if want := (at(y, down) - 2*middle + at(y, up)) / (h * h); c.second && math.Abs(curvatures[k]-want) > 1e-5 {
						t.Errorf("%T at %v of %v: curvature %v, want %v", c.loss, scores, y, curvatures[k], want)
					}
				}
			}
		}
	}
}

// TestLossesFarOut asks for finite answers, and for residuals that keep their
// digits, where probabilities are as good as 0 or 1.
func TestLossesFarOut(t *testing.T) {
	r, c := make([]float64, 1), make([]float64, 1)
	for _, s := range []float64{-1000, -40, 40, 1000} {
		for _, y := range []float64{0, 1} {
			l := ensemble.Logistic{}.Row(y, []float64{s}, r, c)
			want := max(0, s*(1-2*y))
			if math.Abs(l-want) > 1e-12*want+1e-15 || r[0]-r[0] != 0 || c[0] < 0 {
				t.Errorf("score %v of class %v: loss %v, residual %v, curvature %v", s, y, l, r[0], c[0])
			}
		}
	}
	ensemble.Logistic{}.Row(1, []float64{40}, r, c)
	if want := math.Exp(-40); math.Abs(r[0]/want-1) > 1e-12 {
		t.Errorf("residual %v, want %v", r[0], want)
	}
}

// wave is n rows of two columns, of which the first matters.
func wave(n int, seed uint64) (X *mat.Dense, y []float64, class []int) {
	rng := mlcore.NewRand(seed)
	X, y, class = mat.NewDense(n, 2, nil), make([]float64, n), make([]int, n)
	for i := range n {
		X.Set(i, 0, 6*rng.Float64())
		X.Set(i, 1, rng.Float64())
		y[i] = math.Sin(X.At(i, 0)) + 0.3*rng.NormFloat64()
		if y[i] > 0 {
			class[i] = 1
		}
	}
	return X, y, class
}

func TestEarlyStopping(t *testing.T) {
	X, y, class := wave(300, 1)
	V, vy, vclass := wave(200, 2)
	held := mlcore.FromMatrix(V, vclass, nil)
	held.Target = vy
	type model interface {
		Rounds() int
		TrainingLoss() []float64
		ValidationLoss() []float64
		Status() mlcore.Status
	}
	var last struct {
		round int
		loss  float64
	}
	progress := func(p mlcore.Progress) error {
		last.round, last.loss = p.Step, p.ValidationLoss
		return nil
	}
	must := func(m model, err error) model {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	gb := ensemble.GradientBoostingConfig{Estimators: 300, LearningRate: 0.3, Patience: 5, Validation: held, Progress: progress}
	hb := ensemble.HistBoostingConfig{Estimators: 300, LearningRate: 0.3, Patience: 5, Validation: held, Progress: progress}
	for name, fit := range map[string]func() model{
		"exact, regression": func() model { m, err := gb.FitRegressor(mlcore.FromMatrix(X, y, nil)); return must(m, err) },
		"exact, classes":    func() model { m, err := gb.FitClassifier(mlcore.FromMatrix(X, class, nil)); return must(m, err) },
		"hist, regression":  func() model { m, err := hb.FitRegressor(mlcore.FromMatrix(X, y, nil)); return must(m, err) },
		"hist, classes":     func() model { m, err := hb.FitClassifier(mlcore.FromMatrix(X, class, nil)); return must(m, err) },
	} {
		t.Run(name, func(t *testing.T) {
			m := fit()
			v := m.ValidationLoss()
			best := slices.Index(v, slices.Min(v)) + 1
			if m.Status().Outcome != mlcore.EarlyStopped || m.Rounds() != best || len(v) != best+5 || len(m.TrainingLoss()) != len(v) {
				t.Errorf("%v after %d rounds, kept %d, the best is %d", m.Status().Outcome, len(v), m.Rounds(), best)
			}
			if last.round != len(v) || last.loss != v[len(v)-1] {
				t.Errorf("progress ended at round %d with %v", last.round, last.loss)
			}
		})
	}
	// The losses that are told are those of the model that is returned.
	m, err := hb.FitClassifier(mlcore.FromMatrix(X, class, nil))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.PredictProba(V)
	if err != nil {
		t.Fatal(err)
	}
	loss := 0.0
	for i, k := range vclass {
		loss -= math.Log(p.At(i, k)) / float64(len(vclass))
	}
	if want := slices.Min(m.ValidationLoss()); math.Abs(loss-want) > 1e-9 {
		t.Errorf("validation loss %v, the history says %v", loss, want)
	}
}

// TestHuberHistory: whatever Delta becomes, rounds are compared by one loss, that
// of the formula with the 0.9 quantile of the first errors. By the Delta of each
// round the loss falls for as long as the errors of the training rows do.
func TestHuberHistory(t *testing.T) {
	X, y, _ := wave(150, 1)
	V, vy, _ := wave(400, 2)
	sorted := slices.Sorted(slices.Values(y))
	start := sorted[74] // the lower median of 150
	var sizes []float64
	for _, v := range y {
		sizes = append(sizes, math.Abs(v-start))
	}
	slices.Sort(sizes)
	delta := sizes[134] // 135 of 150 are up to it
	huber := func(y, guess []float64) float64 {
		sum := 0.0
		for i := range y {
			if e := math.Abs(y[i] - guess[i]); e <= delta {
				sum += e * e / 2
			} else {
				sum += delta * (e - delta/2)
			}
		}
		return sum / float64(len(y))
	}
	type model interface {
		Rounds() int
		TrainingLoss() []float64
		ValidationLoss() []float64
		StagedPredict(mat.Matrix) (iter.Seq2[int, []float64], error)
	}
	held := mlcore.FromMatrix(V, vy, nil)
	for name, fit := range map[string]func() (model, error){
		"exact": func() (model, error) {
			return ensemble.GradientBoostingConfig{Loss: ensemble.Huber{}, Estimators: 400, LearningRate: 0.3, Validation: held, Patience: 10}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		},
		"hist": func() (model, error) {
			return ensemble.HistBoostingConfig{Loss: &ensemble.Huber{}, Estimators: 400, LearningRate: 0.3, MinSamplesLeaf: 3, Validation: held, Patience: 10}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		},
	} {
		m, err := fit()
		if err != nil {
			t.Fatal(err)
		}
		v := m.ValidationLoss()
		if best := slices.Index(v, slices.Min(v)) + 1; m.Rounds() != best || len(v) != best+10 {
			t.Errorf("%s: kept %d of %d rounds, the best is %d", name, m.Rounds(), len(v), best)
		}
		for _, part := range []struct {
			X    *mat.Dense
			y    []float64
			told []float64
		}{{X, y, m.TrainingLoss()}, {V, vy, v}} {
			stages, err := m.StagedPredict(part.X)
			if err != nil {
				t.Fatal(err)
			}
			for round, guess := range stages {
				compare(t, fmt.Sprintf("%s: loss of round %d", name, round), part.told[round-1:round], []float64{huber(part.y, guess)}, 1e-12)
			}
		}
	}
}

func TestBoostingSettings(t *testing.T) {
	X, y, class := wave(60, 3)
	held := mlcore.FromMatrix(X, y[:10], nil)
	type gb = ensemble.GradientBoostingConfig
	type hb = ensemble.HistBoostingConfig
	for _, c := range []struct {
		fit  func() error
		want error
		says string
	}{
		{func() error { _, err := gb{Estimators: -1}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "Estimators"},
		{func() error { _, err := gb{LearningRate: -1}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "LearningRate"},
		{func() error { _, err := gb{Subsample: 2}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "Subsample"},
		{func() error { _, err := gb{Patience: 3}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "Patience"},
		{func() error {
			_, err := gb{Loss: ensemble.Logistic{}}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrConfig, "regression"},
		{func() error {
			_, err := gb{Loss: ensemble.Squared{}}.FitClassifier(mlcore.FromMatrix(X, class, nil))
			return err
		}, mlcore.ErrConfig, "2 classes"},
		{func() error {
			_, err := gb{Loss: ensemble.Huber{Delta: -1}}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrConfig, "Delta"},
		{func() error {
			_, err := gb{Tree: tree.Config{Criterion: tree.Entropy}}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrConfig, "Criterion"},
		{func() error { _, err := gb{Validation: held}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrShape, "Validation"},
		{func() error {
			_, err := gb{ValidationFraction: 0.001}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrConfig, "ValidationFraction"},
		{func() error {
			_, err := gb{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, append([]int{2}, class[1:]...), nil), 2))
			return err
		}, mlcore.ErrLabel, "row 0"},
		{func() error { _, err := hb{MaxLeafNodes: 1}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "MaxLeafNodes"},
		{func() error { _, err := hb{MaxBins: 256}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "MaxBins"},
		{func() error { _, err := hb{L2: math.NaN()}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "L2"},
		{func() error { _, err := hb{Growth: 7}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "Growth(7)"},
		{func() error {
			_, err := hb{FeaturesPerEstimator: 3}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrConfig, "FeaturesPerEstimator"},
		{func() error { _, err := hb{Monotone: []int{1}}.FitRegressor(mlcore.FromMatrix(X, y, nil)); return err }, mlcore.ErrConfig, "Monotone"},
		{func() error {
			_, err := hb{Monotone: []int{2, 0}}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrConfig, "Monotone[0]"},
		{func() error {
			_, err := hb{Monotone: []int{1, 0}}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, class, nil), 3))
			return err
		}, mlcore.ErrConfig, "Monotone"},
		{func() error {
			_, err := hb{}.FitRegressor(mlcore.FromMatrix(X, slices.Repeat([]float64{1e300, -1e300}, 30), nil))
			return err
		}, mlcore.ErrNonFinite, "round 1"},
		{func() error {
			_, err := hb{LearningRate: 6, Estimators: 200}.FitRegressor(mlcore.FromMatrix(X, y, nil))
			return err
		}, mlcore.ErrNonFinite, "LearningRate"},
	} {
		if err := c.fit(); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want one that wraps %q and names %q", err, c.want, c.says)
		}
	}
}

// TestNothingToLearn fits models where no split helps.
func TestNothingToLearn(t *testing.T) {
	X, _, _ := wave(50, 4)
	same := slices.Repeat([]float64{2.5}, 50)
	zeros := make([]int, 50)
	g, err := ensemble.GradientBoostingConfig{Estimators: 3}.FitRegressor(mlcore.FromMatrix(X, same, nil))
	if err != nil {
		t.Fatal(err)
	}
	h, err := ensemble.HistBoostingConfig{Estimators: 3}.FitRegressor(mlcore.FromMatrix(X, same, nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]mlcore.Regressor{"exact": g, "hist": h} {
		got, err := m.Predict(X)
		if err != nil || !slices.Equal(got, same) {
			t.Errorf("%s: equal targets are predicted as %v (%v)", name, got[:3], err)
		}
	}
	if n := h.SplitCounts(); n[0]+n[1] != 0 {
		t.Errorf("%v splits of equal targets", n)
	}
	for _, classes := range []int{1, 2, 5} {
		g, err := ensemble.GradientBoostingConfig{Estimators: 3}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, zeros, nil), classes))
		if err != nil {
			t.Fatal(err)
		}
		h, err := ensemble.HistBoostingConfig{Estimators: 3}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, zeros, nil), classes))
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range map[string]mlcore.ProbClassifier{"exact": g, "hist": h} {
			p, err := m.PredictProba(X)
			if err != nil {
				t.Fatal(err)
			}
			if _, k := p.Dims(); k != classes || p.At(0, 0) < 1-1e-12 {
				t.Errorf("%s, %d classes of which one occurs: probabilities %v", name, classes, p.RawRowView(0))
			}
		}
	}
}

// A median regression of a column of outliers, by a loss from outside the
// package: the pinball loss of quantile 0.9.
type pinball struct{ ensemble.Absolute }

func (pinball) Start(y, _ []float64, _ int) []float64 {
	s := slices.Clone(y)
	slices.Sort(s)
	return []float64{s[len(s)*9/10]}
}

func (pinball) Row(y float64, scores, residuals, curvatures []float64) float64 {
	e := y - scores[0]
	residuals[0], curvatures[0] = 0.9, 1
	if e < 0 {
		residuals[0] = -0.1
	}
	return e * residuals[0]
}

func (pinball) Step(l ensemble.Leaf) float64 {
	e := make([]float64, len(l.Y))
	for i := range e {
		e[i] = l.Y[i] - l.Scores[i]
	}
	slices.Sort(e)
	return e[len(e)*9/10]
}

// cautious is Logistic, but for residuals of half the size.
type cautious struct{ ensemble.Logistic }

func (l cautious) Row(y float64, scores, residuals, curvatures []float64) float64 {
	loss := l.Logistic.Row(y, scores, residuals, curvatures)
	residuals[0] /= 2
	return loss
}

// TestLossThatEmbeds: half the residuals are half the learning rate, to the last
// bit.
func TestLossThatEmbeds(t *testing.T) {
	X, _, class := wave(400, 5)
	fit := func(c ensemble.HistBoostingConfig) []float64 {
		c.Estimators = 20
		m, err := c.FitClassifier(mlcore.FromMatrix(X, class, nil))
		if err != nil {
			t.Fatal(err)
		}
		s, err := m.DecisionFunction(X)
		if err != nil {
			t.Fatal(err)
		}
		return s.RawMatrix().Data
	}
	got := fit(ensemble.HistBoostingConfig{Loss: cautious{}, LearningRate: 0.5})
	want := fit(ensemble.HistBoostingConfig{LearningRate: 0.25})
	if !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got[:3], want[:3])
	}
}

func TestLossOfYourOwn(t *testing.T) {
	X, y, _ := wave(400, 5)
	g, err := ensemble.GradientBoostingConfig{Loss: pinball{}, Estimators: 40, Tree: tree.Config{MinSamplesLeaf: 20}}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	guess, err := g.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	below := 0
	for i := range y {
		if y[i] <= guess[i] {
			below++
		}
	}
	if share := float64(below) / 400; math.Abs(share-0.9) > 0.03 {
		t.Errorf("%.3f of the targets are below their 0.9 quantile", share)
	}
	if l := g.TrainingLoss(); l[39] > 0.7*l[0] {
		t.Errorf("loss %v after the first round, %v after the last", l[0], l[39])
	}
}

// TestMonotone asks for what the constraint says, whatever the loss: Absolute and
// Huber find the values of leaves otherwise than their splits.
func TestMonotone(t *testing.T) {
	X, y, class := wave(400, 6)
	cfg := ensemble.HistBoostingConfig{Estimators: 60, Monotone: []int{-1, 0}}
	regression := func(loss ensemble.Loss) func(mat.Matrix) ([]float64, error) {
		c := cfg
		c.Loss = loss
		m, err := c.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		return m.Predict
	}
	two, err := cfg.FitClassifier(mlcore.FromMatrix(X, class, nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, predict := range map[string]func(mat.Matrix) ([]float64, error){
		"squared": regression(ensemble.Squared{}), "absolute": regression(ensemble.Absolute{}),
		"Huber": regression(ensemble.Huber{}), "Huber, fixed": regression(ensemble.Huber{Delta: 0.2}),
		"logistic": func(X mat.Matrix) ([]float64, error) {
			s, err := two.DecisionFunction(X)
			return mat.Col(nil, 0, s), err
		},
	} {
		for _, second := range []float64{0.1, 0.5, 0.9} {
			grid := mat.NewDense(200, 2, nil)
			for i := range 200 {
				grid.SetRow(i, []float64{float64(i) * 0.03, second})
			}
			got, err := predict(grid)
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i < len(got); i++ {
				if got[i] > got[i-1] {
					t.Fatalf("%s: rises from %v to %v at %v", name, got[i-1], got[i], grid.At(i, 0))
				}
			}
			if got[0]-got[199] < 0.5 {
				t.Errorf("%s: falls from %v to %v only", name, got[0], got[199])
			}
		}
	}
}

// TestScale: targets that are 2^k times as large make predictions that are too,
// and weights of 2^k are weights of 1, to the last bit.
func TestScale(t *testing.T) {
	X, y, class := wave(300, 8)
	w := slices.Repeat([]float64{1}, len(y))
	cfg := ensemble.HistBoostingConfig{Estimators: 20}
	for name, loss := range map[string]ensemble.Loss{"squared": ensemble.Squared{}, "absolute": ensemble.Absolute{}, "Huber": ensemble.Huber{}} {
		c := cfg
		c.Loss = loss
		predict := func(y, w []float64) []float64 {
			m, err := c.FitRegressor(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			guess, err := m.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			return guess
		}
		want := predict(y, nil)
		if got := r2(y, want); got < 0.7 {
			t.Errorf("%s: R² %.2f", name, got)
		}
		for _, k := range []int{-490, -160, -100, 100, 160, 490} {
			got := predict(timesPower(y, k), nil)
			if !slices.Equal(timesPower(got, -k), want) {
				t.Errorf("%s: targets times 2^%d make %v, want %v", name, k, timesPower(got[:3], -k), want[:3])
			}
		}
		for _, k := range []int{100, 490, 900} { // lighter rows do not reach MinChildWeight
			if got := predict(y, timesPower(w, k)); !slices.Equal(got, want) {
				t.Errorf("%s: weights of 2^%d make %v, want %v", name, k, got[:3], want[:3])
			}
		}
	}
	proba := func(w []float64) []float64 {
		m, err := cfg.FitClassifier(mlcore.FromMatrix(X, class, w))
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		return p.RawMatrix().Data
	}
	if got, want := proba(timesPower(w, 400)), proba(nil); !slices.Equal(got, want) {
		t.Errorf("classes of weights 2^400: %v, want %v", got[:3], want[:3])
	}
}

func timesPower(v []float64, k int) []float64 {
	p := slices.Clone(v)
	for i := range p {
		p[i] = math.Ldexp(p[i], k)
	}
	return p
}

// TestWeightZero: rows of weight 0 leave no trace, not even in the bins.
func TestWeightZero(t *testing.T) {
	X, y, _ := wave(300, 9)
	w := make([]float64, 300)
	var rows []int
	for i := range w {
		if i%3 > 0 {
			w[i] = 1
			rows = append(rows, i)
		} else {
			y[i] = 1e6
		}
	}
	some := &mlcore.Dataset{X: X, Target: y}
	some = some.Subset(rows)
	for _, loss := range []ensemble.Loss{nil, ensemble.Absolute{}, ensemble.Huber{}} {
		cfg := ensemble.HistBoostingConfig{Estimators: 20, Loss: loss, MinSamplesLeaf: 5}
		a, err := cfg.FitRegressor(mlcore.FromMatrix(X, y, w))
		if err != nil {
			t.Fatal(err)
		}
		b, err := cfg.FitRegressor(mlcore.FromMatrix(some.X, some.Target, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		want, err := b.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%T: rows of weight 0 count", loss)
		}
	}
}

// TestCategories: the parity of a code decides, which no order of codes shows.
// Codes 0 to 5 occur, 6 and 7 and NaN do not; they follow the larger side. Of 600
// rows 240 have an even code; the mean is 0.6, so the values by R/(H+10) are
// -0.6·240/250 and 0.4·360/370.
func TestCategories(t *testing.T) {
	n := 600
	X, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		code := i % 6
		if i%10 == 0 {
			code = 1 // odd codes are more
		}
		X.Set(i, 0, float64(code))
		y[i] = float64(code % 2)
	}
	m, err := ensemble.HistBoostingConfig{Estimators: 1, LearningRate: 1, MaxLeafNodes: 2, AllowMissing: true}.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{8}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(column(0, 1, 2, 3, 4, 5, 6, 7, math.NaN()))
	if err != nil {
		t.Fatal(err)
	}
	even, odd := 0.6-0.6*240/250, 0.6+0.4*360/370
	compare(t, "code", got, []float64{even, odd, even, odd, even, odd, odd, odd, odd}, 1e-6)
	if _, err := m.Predict(column(8)); !errors.Is(err, mlcore.ErrLevel) {
		t.Errorf("code 8 of 8 levels: error %v", err)
	}
}

// TestMissingAgainstNumbers: where column 0 is 0, column 1 is 1, 2 or missing, and
// missing values have the target 10; where it is 1, column 1 goes up to 9. A 9 in
// the first part is a number, of target 0, though greater than all seen there.
func TestMissingAgainstNumbers(t *testing.T) {
	X, y := mat.NewDense(270, 2, nil), make([]float64, 270)
	for i := range y {
		X.SetRow(i, []float64{float64(i % 2), float64(1 + i%9)})
		y[i] = 100
		if i%2 == 0 {
			X.Set(i, 1, []float64{1, 2, math.NaN()}[i/2%3])
			y[i] = []float64{0, 0, 10}[i/2%3]
		}
	}
	m, err := ensemble.HistBoostingConfig{Estimators: 1, LearningRate: 1, MaxLeafNodes: 3, AllowMissing: true}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(mat.NewDense(4, 2, []float64{0, 1, 0, 9, 0, math.NaN(), 1, 9}))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "row", got, []float64{0, 0, 10, 100}, 1e-5)
}

// TestRareCategories: six codes of 40 rows have the targets 0 and 1 in turn, and
// ten codes of 5 rows, too few to be put in order, the same target. A stump parts
// 0 from 1, whichever side the rare ones belong to. There are 120 or 170 rows of
// either; a leaf's value is R/(H+10).
func TestRareCategories(t *testing.T) {
	for _, rare := range []float64{0, 1} {
		var codes, y []float64
		for c := range 6 {
			codes = append(codes, slices.Repeat([]float64{float64(c)}, 40)...)
			y = append(y, slices.Repeat([]float64{float64(c % 2)}, 40)...)
		}
		for c := 6; c < 16; c++ {
			codes = append(codes, slices.Repeat([]float64{float64(c)}, 5)...)
			y = append(y, slices.Repeat([]float64{rare}, 5)...)
		}
		X := mat.NewDense(len(codes), 1, codes)
		m, err := ensemble.HistBoostingConfig{Estimators: 1, LearningRate: 1, MaxLeafNodes: 2}.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{16}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		zeros, ones := 120+50*(1-rare), 120+50*rare
		mean := ones / (zeros + ones)
		want := slices.Clone(y)
		for i := range want {
			want[i] = mean - mean*zeros/(zeros+10)
			if y[i] == 1 {
				want[i] = mean + (1-mean)*ones/(ones+10)
			}
		}
		compare(t, fmt.Sprintf("rare ones of target %v, row", rare), got, want, 1e-6)
	}
}

// TestManyCategories has more categories than bins; the commonest keep their own.
func TestManyCategories(t *testing.T) {
	const levels = 700
	var codes, y []float64
	for c := range levels {
		for range 1 + 39*(c%7/6) { // every seventh has 40 rows, the others 1
			codes = append(codes, float64(c))
			y = append(y, float64(c/7%2*2-1)*float64(c%7/6))
		}
	}
	X := mat.NewDense(len(codes), 1, codes)
	m, err := ensemble.HistBoostingConfig{Estimators: 60, LearningRate: 0.5}.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{levels}))
	if err != nil {
		t.Fatal(err)
	}
	guess, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	if got := r2(y, guess); got < 0.99 {
		t.Errorf("R² %.3f", got)
	}
}

// A model has the same bytes whether the members of a team grow each tree together or, of
// more classes, a tree each.
func TestBoostingWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, tc := range []struct{ n, classes int }{
		{40000, 2}, // several chunks, blocks and words
		{9000, 3},
		{3000, 7},
		{3000, 20},
	} {
		rng := mlcore.NewRand(9)
		const d = 18
		X, y := mat.NewDense(tc.n, d, nil), make([]int, tc.n)
		for i := range tc.n {
			for j := range d {
				X.Set(i, j, rng.NormFloat64())
			}
			y[i] = min(tc.classes-1, int(math.Abs(X.At(i, 0)+X.At(i, 9)*X.At(i, 17)+rng.NormFloat64())*float64(tc.classes)/3))
		}
		var first []byte
		for _, workers := range []int{1, 2, 5, 8} {
			m, err := ensemble.HistBoostingConfig{Estimators: 4, Workers: workers, Subsample: 0.8, ValidationFraction: 0.1}.FitClassifier(mlcore.FromMatrix(X, y, nil))
			if err != nil {
				t.Fatal(err)
			}
			data, err := m.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
			} else if !bytes.Equal(first, data) {
				t.Errorf("%d classes: %d workers make another model than one", tc.classes, workers)
			}
		}
	}
}

// A model that was never fitted, as one to decode into is, has no rounds and
// answers nothing.
func TestBoostingNeverFitted(t *testing.T) {
	X := mat.NewDense(1, 2, nil)
	for name, m := range map[string]interface {
		mlcore.Classifier
		Rounds() int
	}{"gradient": new(ensemble.GradientBoosting), "histogram": new(ensemble.HistBoosting)} {
		if r := m.Rounds(); r != 0 {
			t.Errorf("%s: %d rounds", name, r)
		}
		if _, err := m.Predict(X); err == nil {
			t.Errorf("%s: an answer", name)
		}
	}
}

// Classes without rows of positive weight change nothing, as a fold or a sample may
// lack some: scikit-learn fits the classes that it sees. The oracle is the fit with
// these classes numbered from 0, which other tests compare with scikit-learn.
func TestBoostingAbsentClasses(t *testing.T) {
	rng := mlcore.NewRand(7)
	const n = 80
	X := mat.NewDense(n, 2, nil)
	for i := range n {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	for _, codes := range [][]int{{1, 4}, {0, 2, 5}} {
		dense, sparse, w := make([]int, n), make([]int, n), make([]float64, n)
		for i := range n {
			dense[i], w[i] = rng.IntN(len(codes)), 1+rng.Float64()
			sparse[i] = codes[dense[i]]
		}
		sparse[0], w[0] = 3, 0 // a row that does not count
		for name, fit := range map[string]func(y []int, classes int) (mlcore.ProbClassifier, error){
			"exact": func(y []int, classes int) (mlcore.ProbClassifier, error) {
				return ensemble.GradientBoostingConfig{Estimators: 10}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, y, w), classes))
			},
			"hist": func(y []int, classes int) (mlcore.ProbClassifier, error) {
				return ensemble.HistBoostingConfig{Estimators: 10, MinSamplesLeaf: 5}.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, y, w), classes))
			},
		} {
			want, err := probabilities(fit(dense, len(codes)))(X)
			if err != nil {
				t.Fatal(err)
			}
			got, err := probabilities(fit(sparse, 7))(X)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for k, code := range codes {
					if a, b := got.At(i, code), want.At(i, k); math.Abs(a-b) > 1e-9 {
						t.Fatalf("%s, classes %v of 7: row %d has probability %v of class %d, want %v", name, codes, i, a, code, b)
					}
				}
			}
		}
	}
}

func probabilities(m mlcore.ProbClassifier, err error) func(X mat.Matrix) (*mat.Dense, error) {
	return func(X mat.Matrix) (*mat.Dense, error) {
		if err != nil {
			return nil, err
		}
		return m.PredictProba(X)
	}
}

// The second round cannot lower the loss of validation rows whose targets are turned
// round, so that training ends after 1 + Patience rounds, of which one is kept.
func TestBoostingStatus(t *testing.T) {
	X, y := mat.NewDense(40, 1, nil), make([]float64, 40)
	turned := make([]float64, 40)
	for i := range y {
		X.Set(i, 0, float64(i))
		y[i], turned[i] = float64(i), float64(-i)
	}
	validation := mlcore.FromMatrix(X, turned, nil)
	type fitted interface{ Status() mlcore.Status }
	for name, fit := range map[string]func(v *mlcore.Dataset, patience int) (fitted, error){
		"exact": func(v *mlcore.Dataset, patience int) (fitted, error) {
			return ensemble.GradientBoostingConfig{Estimators: 6, Validation: v, Patience: patience}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		},
		"hist": func(v *mlcore.Dataset, patience int) (fitted, error) {
			return ensemble.HistBoostingConfig{Estimators: 6, Validation: v, Patience: patience}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		},
	} {
		for _, tc := range []struct {
			validation *mlcore.Dataset
			patience   int
			outcome    mlcore.Outcome
			rounds     int
		}{
			{nil, 0, mlcore.IterationLimit, 6},
			{validation, 2, mlcore.EarlyStopped, 3},
		} {
			m, err := fit(tc.validation, tc.patience)
			if err != nil {
				t.Fatal(err)
			}
			if s := m.Status(); s.Outcome != tc.outcome || s.Iterations != tc.rounds {
				t.Errorf("%s, patience %d: %v, want %v after %d", name, tc.patience, s, tc.outcome, tc.rounds)
			}
		}
	}
}

// A step beyond all numbers is an error, also where the loss stays finite, as that of
// sure scores is: a file of the model could not be read.
func TestStepsThatOverflow(t *testing.T) {
	X, y, target := mat.NewDense(12, 1, nil), make([]int, 12), make([]float64, 12)
	for i := range 12 {
		X.Set(i, 0, float64(i))
		y[i], target[i] = i/6, float64(i/6)
	}
	c := ensemble.GradientBoostingConfig{LearningRate: 1e308}
	_, ofClasses := c.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if !errors.Is(ofClasses, mlcore.ErrNonFinite) || !strings.Contains(ofClasses.Error(), "lower LearningRate") {
		t.Errorf("classes: error %v", ofClasses)
	}
	if m, err := c.FitRegressor(mlcore.FromMatrix(X, target, nil)); err == nil {
		if _, err := m.MarshalBinary(); err != nil {
			t.Errorf("numbers: %v", err)
		}
	}
}

// Where residuals overflow, the error does not take them for targets of the caller's.
func TestResidualsThatOverflow(t *testing.T) {
	X, target := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4}), []float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, 0, -math.MaxFloat64}
	for _, loss := range []ensemble.Loss{ensemble.Squared{}, ensemble.Huber{}, ensemble.Huber{Quantile: 0.5}} {
		_, err := ensemble.GradientBoostingConfig{Loss: loss, LearningRate: 1}.FitRegressor(mlcore.FromMatrix(X, target, nil))
		if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), "scale the targets") && !strings.Contains(err.Error(), "give the targets") || strings.Contains(err.Error(), "Inf in row") {
			t.Errorf("%T: error %v", loss, err)
		}
	}
}

// The weights of validation rows count: the oracle is a set in which a row of weight w stands
// w times.
func TestValidationWeights(t *testing.T) {
	n := 40
	X, y, target := mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n)
	rng := mlcore.NewRand(4)
	for i := range n {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
		target[i] = X.At(i, 0) + rng.NormFloat64()
		y[i] = min(2, int(math.Abs(target[i])))
	}
	ds := mlcore.FromMatrix(X, target, nil)
	ds.Y, ds.ClassNames = y, []string{"a", "b", "c"}
	train, held := ds.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}), ds.Subset([]int{20, 21, 22, 23, 24, 25, 26, 27})
	weights := []float64{3, 0, 1, 2, 0, 5, 1, 0}
	weighted, copied := *held, held.Subset([]int{0, 0, 0, 2, 3, 3, 5, 5, 5, 5, 5, 6})
	weighted.Weights = weights
	type model interface{ ValidationLoss() []float64 }
	for name, fit := range map[string]func(v *mlcore.Dataset) (model, error){
		"exact, numbers": func(v *mlcore.Dataset) (model, error) {
			return ensemble.GradientBoostingConfig{Estimators: 12, Validation: v, Patience: 3}.FitRegressor(train)
		},
		"exact, classes": func(v *mlcore.Dataset) (model, error) {
			return ensemble.GradientBoostingConfig{Estimators: 12, Validation: v, Patience: 3}.FitClassifier(train)
		},
		"histograms, numbers": func(v *mlcore.Dataset) (model, error) {
			return ensemble.HistBoostingConfig{Estimators: 12, MinSamplesLeaf: 2, Validation: v, Patience: 3}.FitRegressor(train)
		},
		"histograms, classes": func(v *mlcore.Dataset) (model, error) {
			return ensemble.HistBoostingConfig{Estimators: 12, MinSamplesLeaf: 2, Validation: v, Patience: 3}.FitClassifier(train)
		},
	} {
		got, err := fit(&weighted)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := fit(copied)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		compare(t, name+", round", got.ValidationLoss(), want.ValidationLoss(), 1e-12)
		for _, bad := range [][]float64{{1}, {1, 1, 1, 1, 1, 1, 1, -1}, make([]float64, 8)} {
			v := *held
			v.Weights = bad
			if _, err := fit(&v); err == nil || !strings.Contains(err.Error(), "Validation") {
				t.Errorf("%s, weights %v: error %v", name, bad, err)
			}
		}
	}
}

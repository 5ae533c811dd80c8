package neural_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"gonum.org/v1/gonum/mat"
)

func columnOf(y []int) *mat.Dense {
	T := mat.NewDense(len(y), 1, nil)
	for i, c := range y {
		T.Set(i, 0, float64(c))
	}
	return T
}

func encoded(t *testing.T, m any) []byte {
	t.Helper()
	data, err := modelfile.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shortened is an optimizer of a user's, whose step depends on all parameters.
type shortened struct{ neural.SGD }

func (shortened) Start(int) neural.Stepper { return shortenedStep{} }

type shortenedStep struct{}

func (shortenedStep) Step(params, gradient []float64, rate float64) {
	length := 1.0
	for _, g := range gradient {
		length += float64(g * g)
	}
	for i, g := range gradient {
		params[i] -= float64(100*rate*g) / length
	}
}

// 3,000 rows make batches of several parts and enough work for several workers.
func TestWorkersMakeNoDifference(t *testing.T) {
	ds := datasets.MakeMoons(3000, 0.3, 1)
	for name, cfg := range map[string]neural.Config{
		"batches":   {Hidden: []int{64, 33}, Epochs: 2, BatchSize: 333, Dropout: 0.2, L1: 1e-5},
		"all rows":  {Hidden: []int{40}, Epochs: 3, Optimizer: neural.GradientDescent{}, ValidationFraction: 0.3, Patience: 1},
		"one a row": {Hidden: []int{5}, Epochs: 1, BatchSize: 1, Optimizer: neural.Momentum{}},
		"penalties": {Hidden: []int{70, 60}, Epochs: 2, L1: 1e-5, L2: 1e-4},
		"a user's":  {Hidden: []int{70, 60}, Epochs: 2, L2: 1e-4, Optimizer: shortened{}},
		// More parameters than members of the team keep for themselves.
		"wide": {Hidden: []int{370, 360}, Epochs: 1, BatchSize: 1000},
	} {
		var want []byte
		for _, workers := range []int{1, 2, 3, 8} {
			cfg.Workers = workers
			m, err := cfg.FitClassifier(ds)
			if err != nil {
				t.Fatal(err)
			}
			data := encoded(t, m)
			if want == nil {
				want = data
			} else if !bytes.Equal(data, want) {
				t.Errorf("%s: %d workers make another model than one", name, workers)
			}
		}
	}
}

// One-hot rows are kept sparse. A column that no row of the first set lacks makes
// the same rows dense, and its weights, with a value of 0, change nothing.
func TestSparseRowsMakeNoDifference(t *testing.T) {
	t.Run("ones", func(t *testing.T) { testSparseRows(t, 0) })
	t.Run("other values", func(t *testing.T) { testSparseRows(t, 0.5) })
}

// testSparseRows compares the gradients where every other non-zero is 1+more.
func testSparseRows(t *testing.T, more float64) {
	const n, d = 150, 40
	rng := mlcore.NewRand(1)
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 3
		for g := range 4 {
			X.Set(i, 10*g+(y[i]*g+rng.IntN(6))%10, 1+float64(float64(g%2)*more))
		}
	}
	net, err := neural.NewNetwork(d, []neural.Dense{{Units: 13}, {Units: 3, Activation: neural.Softmax}}, neural.CrossEntropy, 3)
	if err != nil {
		t.Fatal(err)
	}
	T, err := neural.OneHot(y, 3)
	if err != nil {
		t.Fatal(err)
	}
	sparse, loss, err := net.Gradient(X, T, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Thirty columns more, all 1, but their weights are 0.
	wide := mat.NewDense(n, d+30, nil)
	wide.Slice(0, n, 0, d).(*mat.Dense).Copy(X)
	for i := range n {
		for j := range 30 {
			wide.Set(i, d+j, 1)
		}
	}
	padded, err := neural.NewNetwork(d+30, net.Layers(), neural.CrossEntropy, 3)
	if err != nil {
		t.Fatal(err)
	}
	clear(padded.Params().Values)
	padded.Params().W[0].Slice(0, d, 0, 13).(*mat.Dense).Copy(net.Params().W[0])
	copy(padded.Params().B[0], net.Params().B[0])
	padded.Params().W[1].Copy(net.Params().W[1])
	copy(padded.Params().B[1], net.Params().B[1])
	full, sameLoss, err := padded.Gradient(wide, T, nil)
	if err != nil {
		t.Fatal(err)
	}
	if loss != sameLoss || !mat.Equal(sparse.W[0], full.W[0].Slice(0, d, 0, 13)) || !mat.Equal(sparse.W[1], full.W[1]) || !slices.Equal(sparse.B[0], full.B[0]) {
		t.Error("sparse and dense rows give different gradients")
	}
}

// Two steps of each optimizer with gradients 2 and -1 and rate 0.1, from w = 1,
// worked by hand from the formulas of the cited papers.
func TestOptimizersByHand(t *testing.T) {
	sqrt := math.Sqrt
	for _, c := range []struct {
		name      string
		optimizer neural.Optimizer
		want      [2]float64
	}{
		{"gradient descent", neural.GradientDescent{}, [2]float64{0.8, 0.9}},
		{"SGD", neural.SGD{}, [2]float64{0.8, 0.9}},
		// v = -0.2, then 0.5·-0.2 + 0.1 = 0
		{"momentum", neural.Momentum{Beta: 0.5}, [2]float64{0.8, 0.8}},
		// steps 0.5·-0.2 - 0.2 = -0.3, then 0.5·0 + 0.1 = 0.1
		{"Nesterov", neural.Momentum{Beta: 0.5, Nesterov: true}, [2]float64{0.7, 0.8}},
		// v = 0.75·0 + 0.25·4 = 1, then 0.75 + 0.25 = 1
		{"RMSProp", neural.RMSProp{Beta: 0.75, Epsilon: 1}, [2]float64{0.9, 0.95}},
		// m = 1, v = 1; rate 0.1·√0.25/0.5 = 0.1
		// m = 0.5 - 0.5 = 0, v = 0.75 + 0.25 = 1
		{"Adam", neural.Adam{Beta1: 0.5, Beta2: 0.75, Epsilon: 1}, [2]float64{0.95, 0.95}},
		// m = 0.2, v = 0.004; corrected 2 and 4: a step of the rate
		// m = 0.08, v = 0.004996; corrected 0.08/0.19 and 0.004996/0.001999
		{"Adam, default", neural.Adam{}, [2]float64{0.9, 0.9 - 0.1*(0.08/0.19)/sqrt(0.004996/0.001999)}},
	} {
		w := []float64{1}
		s := c.optimizer.Start(1)
		for i, g := range []float64{2, -1} {
			s.Step(w, []float64{g}, 0.1)
			if math.Abs(w[0]-c.want[i]) > 1e-7 {
				t.Errorf("%s: %v after step %d, want %v", c.name, w[0], i+1, c.want[i])
			}
		}
	}
}

// A batch of [neural.GradientDescent] is all rows, whichever way it is handed over.
func TestGradientDescentByPointer(t *testing.T) {
	train := datasets.MakeMoons(300, 0.2, 1)
	var answers [2]*mat.Dense
	for i, o := range []neural.Optimizer{neural.GradientDescent{}, &neural.GradientDescent{}} {
		m, err := neural.Config{Optimizer: o, Epochs: 3}.FitClassifier(train)
		if err != nil {
			t.Fatal(err)
		}
		if answers[i], err = m.PredictProba(train.X); err != nil {
			t.Fatal(err)
		}
	}
	if !mat.Equal(answers[0], answers[1]) {
		t.Error("a pointer to GradientDescent trains by another rule than its value")
	}
}

func TestSchedulesByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		schedule neural.Schedule
		want     []float64 // factors of epochs 0 to 4 of 4
	}{
		{"constant", neural.Constant{}, []float64{1, 1, 1, 1, 1}},
		{"step", neural.StepDecay{Every: 2, Decay: 0.5}, []float64{1, 1, 0.5, 0.5, 0.25}},
		{"exponential", neural.ExponentialDecay{Decay: 0.5}, []float64{1, 0.5, 0.25, 0.125, 0.0625}},
		{"inverse", neural.InverseDecay{Decay: 1}, []float64{1, 1. / 2, 1. / 3, 1. / 4, 1. / 5}},
		{"cosine", neural.Cosine{}, []float64{1, (1 + math.Sqrt2/2) / 2, 0.5, (1 - math.Sqrt2/2) / 2, 0}},
		{"cosine with a floor", neural.Cosine{Floor: 0.5}, []float64{1, 0.5 + (1+math.Sqrt2/2)/4, 0.75, 0.5 + (1-math.Sqrt2/2)/4, 0.5}},
	} {
		for epoch, want := range c.want {
			if got := c.schedule.Factor(epoch, 4); math.Abs(got-want) > 1e-15 {
				t.Errorf("%s, epoch %d: %v, want %v", c.name, epoch, got, want)
			}
		}
	}
	m, err := neural.Config{Epochs: 3, LearningRate: 0.1, Schedule: neural.ExponentialDecay{Decay: 0.5}}.FitRegressor(mlcore.FromMatrix(normals(1, 5, 1), []float64{1, 2, 3, 4, 5}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range m.History() {
		if want := []float64{0.1, 0.05, 0.025}[i]; e.LearningRate != want {
			t.Errorf("epoch %d has rate %v, want %v", e.Number, e.LearningRate, want)
		}
	}
}

// Weights start within the bounds of the papers, and fill them.
func TestInitialWeights(t *testing.T) {
	for _, c := range []struct {
		layer neural.Dense
		bound float64
	}{
		{neural.Dense{Units: 60}, math.Sqrt(6. / 40)},
		{neural.Dense{Units: 60, Activation: neural.LeakyReLU}, math.Sqrt(6. / 40)},
		{neural.Dense{Units: 60, Activation: neural.Tanh}, math.Sqrt(6. / 100)},
		{neural.Dense{Units: 60, Activation: neural.Linear}, math.Sqrt(6. / 100)},
		{neural.Dense{Units: 60, Init: neural.Xavier}, math.Sqrt(6. / 100)},
		{neural.Dense{Units: 60, Activation: neural.Sigmoid, Init: neural.He}, math.Sqrt(6. / 40)},
	} {
		net, err := neural.NewNetwork(40, []neural.Dense{c.layer}, neural.Squared, 1)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := mat.Min(net.Params().W[0]), mat.Max(net.Params().W[0])
		if lo < -c.bound || hi > c.bound || lo > -0.98*c.bound || hi < 0.98*c.bound {
			t.Errorf("%+v: weights from %v to %v, want ±%v", c.layer, lo, hi, c.bound)
		}
	}
}

// With 5 of 10 units dropped the mean training output of one linear layer stays
// what it is without: the inverted scaling. The loss of squared error tells the
// variance: for outputs Σ a_k with a_k = 1, kept with chance q and divided by it,
// it is 10 (1-q)/q.
func TestDropoutByHand(t *testing.T) {
	const n, q = 20000, 0.5
	X, y := mat.NewDense(n, 1, nil), slices.Repeat([]float64{10}, n)
	// x = 0, so that a = b. The optimizer sets all parameters to 1 at the first
	// of two epochs; the second measures.
	start := neural.Config{Hidden: []int{10}, Activation: neural.Linear, Dropout: 1 - q, Epochs: 2, Optimizer: frozen{}, BatchSize: n}
	m, err := start.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	// Output: Σ kept a_k + 1; the target is 10, so the mean error is 1.
	want := 0.5 * (10*(1-q)/q + 1)
	if got := m.History()[1].Train.Loss; math.Abs(got-want) > 0.03*want {
		t.Errorf("loss %v with dropout, want %v", got, want)
	}
	pred, err := m.Predict(mat.NewDense(1, 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	if pred[0] != 11 {
		t.Errorf("prediction %v, want 11: nothing is dropped", pred[0])
	}
}

// The same network in its second step: with a_k = 1 and weights of 1, the
// derivative by a weight of the output is the mean of δ over the rows that kept
// unit k, doubled, and so is that by the bias of the unit. They differ from unit to
// unit, for different rows drop them.
func TestDropoutGradient(t *testing.T) {
	rec := &recorder{}
	cfg := neural.Config{Hidden: []int{4}, Activation: neural.Linear, Dropout: 0.5, Epochs: 2, Optimizer: rec}
	if _, err := cfg.FitRegressor(mlcore.FromMatrix(mat.NewDense(50, 1, nil), make([]float64, 50), nil)); err != nil {
		t.Fatal(err)
	}
	// Values: W⁽¹⁾ 0-3, b⁽¹⁾ 4-7, W⁽²⁾ 8-11, b⁽²⁾ 12.
	biases, weights := rec.gradient[4:8], rec.gradient[8:12]
	allNear(t, "by the biases of units", biases, weights)
	if slices.Min(biases) == slices.Max(biases) {
		t.Errorf("all units have the derivative %v: none was dropped on the way back", biases[0])
	}
}

// recorder is frozen, and keeps the latest gradient.
type recorder struct {
	frozen
	gradient []float64
}

func (r *recorder) Start(int) neural.Stepper { return r }
func (r *recorder) Step(params, gradient []float64, rate float64) {
	r.gradient = slices.Clone(gradient)
	r.frozen.Step(params, gradient, rate)
}

// frozen sets all parameters to 1, whatever the gradient.
type frozen struct{}

func (frozen) Start(int) neural.Stepper { return frozen{} }
func (frozen) DefaultRate() float64     { return 1 }
func (frozen) Step(params, _ []float64, _ float64) {
	for i := range params {
		params[i] = 1
	}
}

// With rows in order, one batch and no draws, a weight of 2 is two copies, a
// weight of 0 is absence and a class weight is a weight of its rows.
func TestWeightsByIdentity(t *testing.T) {
	X, y := normals(1, 6, 2), []int{0, 1, 2, 0, 1, 2}
	copies := mat.NewDense(7, 2, nil)
	for i, r := range []int{0, 0, 1, 3, 3, 4, 5} {
		copies.SetRow(i, X.RawRowView(r))
	}
	cfg := neural.Config{Hidden: []int{4}, Optimizer: neural.GradientDescent{}, Epochs: 20, NoShuffle: true}
	want, err := cfg.FitClassifier(mlcore.FromMatrix(copies, []int{0, 0, 1, 0, 0, 1, 2}, nil))
	if err != nil {
		t.Fatal(err)
	}
	byWeight, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, []float64{2, 1, 0, 2, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	cfg.ClassWeight.Weights = []float64{2, 1, 1}
	byClass, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, []float64{1, 1, 0, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	allNear(t, "weights", byWeight.Network().Params().Values, want.Network().Params().Values)
	allNear(t, "class weights", byClass.Network().Params().Values, want.Network().Params().Values)
}

func TestDivergenceIsAnError(t *testing.T) {
	train := datasets.MakeNoisySine(120, 0.1, 1)
	large := mat.DenseCopyOf(train.X)
	large.Scale(1e5, large)
	for name, cfg := range map[string]neural.Config{
		"SGD":      {Optimizer: neural.SGD{}, LearningRate: 50, Activation: neural.Linear},
		"momentum": {Optimizer: neural.Momentum{}, LearningRate: 1, Activation: neural.ReLU},
	} {
		_, err := cfg.FitRegressor(mlcore.FromMatrix(large, train.Target, nil))
		if !errors.Is(err, neural.ErrDiverged) || !errors.Is(err, mlcore.ErrNonFinite) {
			t.Fatalf("%s: error %v", name, err)
		}
		for _, says := range []string{"epoch", "lower LearningRate", "scale the features", "column 0"} {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: the error does not say %q: %v", name, says, err)
			}
		}
	}
	m, err := neural.Config{Epochs: 2}.FitRegressor(mlcore.FromMatrix(large, train.Target, nil))
	if err != nil {
		t.Fatal(err)
	}
	if advice := m.Status().Advice; !strings.Contains(advice, "column 0") {
		t.Errorf("advice on features of size 1e5: %q", advice)
	}
	if m, err = (neural.Config{Epochs: 2}).FitRegressor(train); err != nil || m.Status().Advice != "" {
		t.Errorf("advice on small features: %q, %v", m.Status().Advice, err)
	}
	// Losses that are no numbers from the start.
	targets := slices.Clone(train.Target)
	scale := func(by float64) []float64 {
		for i, v := range train.Target {
			targets[i] = v * by
		}
		return targets
	}
	if _, err := (neural.Config{Epochs: 2}).FitRegressor(mlcore.FromMatrix(train.X, scale(1e300), nil)); !errors.Is(err, neural.ErrDiverged) || !strings.Contains(err.Error(), "targets") {
		t.Errorf("targets of size 1e300: error %v", err)
	}
	// Targets so large that steps of 0.001 never get there.
	stalled, err := neural.Config{Epochs: 5}.FitRegressor(mlcore.FromMatrix(train.X, scale(1e5), nil))
	if err != nil {
		t.Fatal(err)
	}
	if advice := stalled.Status().Advice; !strings.Contains(advice, "targets a root mean square") {
		t.Errorf("advice on targets of size 1e5: %q", advice)
	}
	// A model that is sound, and a query that is not.
	if _, err := m.Predict(mat.NewDense(1, 1, []float64{math.MaxFloat64})); !errors.Is(err, mlcore.ErrNonFinite) {
		t.Errorf("an answer that overflows: %v", err)
	}
}

// Cross-entropy is bounded, as probabilities are kept away from 0: a network whose
// steps are too large ends well above the log 2 of answering ½ to everything, and
// nothing overflows.
func TestHarmIsNoted(t *testing.T) {
	train := datasets.MakeMoons(200, 0.2, 1)
	for _, o := range []neural.Optimizer{neural.Adam{}, neural.RMSProp{}, neural.Momentum{}} {
		c := neural.Config{Optimizer: o, LearningRate: 30, Epochs: 10, Hidden: []int{30, 30}, Seed: 1}
		m, err := c.FitClassifier(train)
		if err != nil {
			t.Fatal(err)
		}
		h := m.History()
		loss := h[len(h)-1].Train.Loss
		if advice := m.Status().Advice; loss < 2*math.Ln2 || !strings.Contains(advice, "lower LearningRate (30)") {
			t.Errorf("%T: loss %v, advice %q", o, loss, advice)
		}
		c.LearningRate = 0
		if m, err = c.FitClassifier(train); err != nil || m.Status().Advice != "" {
			t.Errorf("%T with its own rate: %q, %v", o, m.Status().Advice, err)
		}
	}
}

func TestStopping(t *testing.T) {
	ds := datasets.MakeMoons(100, 0.1, 1)
	seen := 0
	cfg := neural.Config{Epochs: 50, Progress: func(p mlcore.Progress) error {
		seen = p.Step
		if p.Step == 7 {
			return mlcore.ErrStop
		}
		return nil
	}}
	m, err := cfg.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Status(); seen != 7 || s.Outcome != mlcore.Interrupted || s.Iterations != 7 || len(m.History()) != 7 {
		t.Errorf("stopped after 7 epochs: %+v, %d seen", s, seen)
	}
	trouble := errors.New("trouble")
	cfg.Progress = func(mlcore.Progress) error { return trouble }
	if _, err := cfg.FitClassifier(ds); !errors.Is(err, trouble) {
		t.Errorf("error %v, want that of Progress", err)
	}
	// Parameters that no longer move are a plateau.
	plateau, err := neural.Config{Epochs: 50, Patience: 3, Tol: 1e-12, Optimizer: frozen{}, NoShuffle: true}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	if s := plateau.Status(); s.Outcome != mlcore.Converged || s.Iterations > 5 {
		t.Errorf("no steps: %+v", s)
	}
}

// Of 90 rows of class 0 and 10 of class 1, a fifth is 18 and 2.
func TestValidationFractionIsStratified(t *testing.T) {
	X, y := normals(1, 100, 1), make([]int, 100)
	for i := range 10 {
		y[7*i] = 1
	}
	// With one class alone to be right about, the score tells the counts.
	cfg := neural.Config{Hidden: []int{}, Epochs: 1, Optimizer: frozen{}, ValidationFraction: 0.2}
	for i := range 100 {
		X.Set(i, 0, 1) // p = sigmoid(2): class 1 for all
	}
	m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.History()[0].Validation.Score; !near(got, 2./20) {
		t.Errorf("%v of the validation rows are of class 1, want 0.1", got)
	}
}

func TestRegressionScore(t *testing.T) {
	X, y := mat.NewDense(4, 1, []float64{1, 1, 1, 1}), []float64{1, 2, 3, 6}
	m, err := neural.Config{Hidden: []int{}, Epochs: 1, Optimizer: frozen{}, Validation: mlcore.FromMatrix(X, y, []float64{1, 1, 1, 0})}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	// Predictions 2; of the targets 1, 2, 3: R² = 0, loss ½ · 2/3.
	if v := m.History()[0].Validation; !near(v.Loss, 1./3) || !near(v.Score, 0) {
		t.Errorf("%+v, want a loss of 1/3 and a score of 0", v)
	}
}

// A fit to a Dataset brings the validation rows into its form: columns go by their
// names and classes too.
func TestValidationIsAligned(t *testing.T) {
	ds := mlcore.FromMatrix(normals(1, 40, 2), make([]int, 40), nil)
	ds.ClassNames, ds.Target = []string{"no", "yes"}, make([]float64, 40)
	for i := range ds.Y {
		if ds.Target[i] = ds.X.At(i, 0) - 2*ds.X.At(i, 1); ds.Target[i] > 0 {
			ds.Y[i] = 1
		}
	}
	other, err := ds.Select("x1", "x0")
	if err != nil {
		t.Fatal(err)
	}
	other.ClassNames, other.Y = []string{"yes", "no"}, slices.Clone(ds.Y)
	for i, k := range ds.Y {
		other.Y[i] = 1 - k
	}
	narrow, err := ds.Select("x1")
	if err != nil {
		t.Fatal(err)
	}
	type model interface{ History() []neural.Epoch }
	for name, train := range map[string]func(validation *mlcore.Dataset) (model, error){
		"classifier": func(v *mlcore.Dataset) (model, error) {
			return neural.Config{Epochs: 3, Validation: v}.FitClassifier(ds)
		},
		"regressor": func(v *mlcore.Dataset) (model, error) {
			return neural.Config{Epochs: 3, Validation: v}.FitRegressor(ds)
		},
	} {
		want, err := train(ds)
		if err != nil {
			t.Fatal(err)
		}
		got, err := train(other)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.History(), want.History()) {
			t.Errorf("%s: columns in another order change the validation: %+v, want %+v", name, got.History(), want.History())
		}
		if _, err := train(narrow); !errors.Is(err, mlcore.ErrColumn) || !strings.Contains(err.Error(), `validation rows`) || !strings.Contains(err.Error(), `"x0"`) {
			t.Errorf("%s: without a column: error %v", name, err)
		}
	}
}

func TestBadSettings(t *testing.T) {
	X, y := normals(1, 8, 2), []int{0, 1, 0, 1, 0, 1, 0, 1}
	for name, c := range map[string]struct {
		cfg  neural.Config
		want error
		says string
	}{
		"units":             {neural.Config{Hidden: []int{3, 0}}, mlcore.ErrConfig, "layer 1"},
		"many units":        {neural.Config{Hidden: []int{1 << 25}}, mlcore.ErrConfig, "1 to 16777216"},
		"activation":        {neural.Config{Activation: 9}, mlcore.ErrConfig, "Activation 9"},
		"init":              {neural.Config{Init: -1}, mlcore.ErrConfig, "Init"},
		"dropout":           {neural.Config{Dropout: 1}, mlcore.ErrConfig, "Dropout"},
		"L1":                {neural.Config{L1: -1}, mlcore.ErrConfig, "L1"},
		"L2":                {neural.Config{L2: math.NaN()}, mlcore.ErrConfig, "L2"},
		"rate":              {neural.Config{LearningRate: math.Inf(1)}, mlcore.ErrConfig, "LearningRate"},
		"batch":             {neural.Config{BatchSize: -2}, mlcore.ErrConfig, "BatchSize"},
		"epochs":            {neural.Config{Epochs: -1}, mlcore.ErrConfig, "Epochs"},
		"fraction":          {neural.Config{ValidationFraction: 1}, mlcore.ErrConfig, "ValidationFraction"},
		"no rows":           {neural.Config{ValidationFraction: 0.01}, mlcore.ErrConfig, "ValidationFraction"},
		"two validations":   {neural.Config{ValidationFraction: 0.5, Validation: mlcore.FromMatrix(X, y, nil)}, mlcore.ErrConfig, "choose one"},
		"narrow validation": {neural.Config{Validation: mlcore.FromMatrix(normals(1, 8, 1), y, nil)}, mlcore.ErrColumn, "validation"},
		"bad validation":    {neural.Config{Validation: mlcore.FromMatrix(X, []int{0, 1, 2, 0, 0, 0, 0, 0}, nil)}, mlcore.ErrLevel, "row 2"},
		"patience":          {neural.Config{Patience: -1}, mlcore.ErrConfig, "Patience"},
		"tolerance":         {neural.Config{Tol: -1}, mlcore.ErrConfig, "Tol"},
		"class weights":     {neural.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 2, 3}}}, mlcore.ErrConfig, "3 entries for"},
		"bad weights":       {neural.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, -1}}}, mlcore.ErrConfig, "Weights[1]"},
		"no weights":        {neural.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{0, 0}}}, mlcore.ErrConfig, "Weights[0]"},
		"Adam":              {neural.Config{Optimizer: neural.Adam{Beta2: 1}}, mlcore.ErrConfig, "Beta2"},
		"RMSProp":           {neural.Config{Optimizer: neural.RMSProp{Epsilon: -1}}, mlcore.ErrConfig, "Epsilon"},
		"momentum":          {neural.Config{Optimizer: neural.Momentum{Beta: 2}}, mlcore.ErrConfig, "Beta"},
		"step":              {neural.Config{Schedule: neural.StepDecay{Every: -1}}, mlcore.ErrConfig, "Every"},
		"exponential":       {neural.Config{Schedule: neural.ExponentialDecay{Decay: 2}}, mlcore.ErrConfig, "Decay"},
		"inverse":           {neural.Config{Schedule: neural.InverseDecay{Decay: -1}}, mlcore.ErrConfig, "Decay"},
		"cosine":            {neural.Config{Schedule: neural.Cosine{Floor: 2}}, mlcore.ErrConfig, "Floor"},
	} {
		_, err := c.cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that wraps %q and says %q", name, err, c.want, c.says)
		}
	}
	_, err := neural.Config{ClassWeight: mlcore.ClassWeight{Weights: []float64{1, 1}}}.FitRegressor(mlcore.FromMatrix(X, make([]float64, 8), nil))
	if !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("class weights of a regression: %v", err)
	}
}

func TestBadCallsOfANetwork(t *testing.T) {
	layers := []neural.Dense{{Units: 2}, {Units: 2, Activation: neural.Softmax}}
	net, err := neural.NewNetwork(3, layers, neural.CrossEntropy, 0)
	if err != nil {
		t.Fatal(err)
	}
	X, T := normals(1, 4, 3), mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 0, 0, 1})
	gradient := func(X, T mat.Matrix, w []float64) error {
		_, _, err := net.Gradient(X, T, w)
		return err
	}
	bad := mat.DenseCopyOf(T)
	bad.Set(2, 1, 1.5)
	nan := mat.DenseCopyOf(T)
	nan.Set(3, 0, math.NaN())
	build := func(inputs int, loss neural.Loss, layers ...neural.Dense) error {
		_, err := neural.NewNetwork(inputs, layers, loss, 0)
		return err
	}
	_, codes := neural.OneHot([]int{0, 2}, 2)
	for name, c := range map[string]struct{ err, want error }{
		"wide X":           {gradient(normals(1, 4, 4), T, nil), mlcore.ErrShape},
		"long T":           {gradient(X, mat.NewDense(5, 2, nil), nil), mlcore.ErrShape},
		"no T":             {gradient(X, nil, nil), mlcore.ErrEmpty},
		"T of nil":         {gradient(X, (*mat.Dense)(nil), nil), mlcore.ErrEmpty},
		"T above 1":        {gradient(X, bad, nil), mlcore.ErrLabel},
		"T of NaN":         {gradient(X, nan, nil), mlcore.ErrNonFinite},
		"few weights":      {gradient(X, T, []float64{1}), mlcore.ErrShape},
		"weights of 0":     {gradient(X, T, make([]float64, 4)), mlcore.ErrWeight},
		"no inputs":        {build(0, neural.Squared, layers...), mlcore.ErrConfig},
		"too large":        {build(1<<20, neural.Squared, neural.Dense{Units: 1 << 20}), mlcore.ErrConfig},
		"no layers":        {build(1, neural.Squared), mlcore.ErrConfig},
		"linear entropy":   {build(1, neural.CrossEntropy, neural.Dense{Units: 1, Activation: neural.Linear}), mlcore.ErrConfig},
		"dropped answer":   {build(1, neural.Squared, neural.Dense{Units: 1, Dropout: 0.5}), mlcore.ErrConfig},
		"unknown loss":     {build(1, 7, layers...), mlcore.ErrConfig},
		"code of no class": {codes, mlcore.ErrLabel},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: error %v, want one that wraps %q", name, c.err, c.want)
		}
	}
}

// What models hand out is a copy; what a network hands out is itself.
func TestCopies(t *testing.T) {
	ds := datasets.MakeMoons(50, 0.1, 1)
	m, err := neural.Config{Hidden: []int{3}, Epochs: 3}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	before := encoded(t, m)
	net := m.Network()
	clone := net.Clone()
	clear(net.Params().Values)
	clear(m.History())
	net.Layers()[0].Units = 9
	if !bytes.Equal(before, encoded(t, m)) {
		t.Error("changing what a model hands out changes the model")
	}
	if mat.Norm(clone.Params().W[0], 1) == 0 || mat.Norm(net.Params().W[0], 1) != 0 || clone.Layers()[0].Units != 3 {
		t.Error("a clone is not its own network")
	}
}

func TestNetworkRoundTrip(t *testing.T) {
	net, err := neural.NewNetwork(2, []neural.Dense{{Units: 3, Dropout: 0.5, Init: neural.Xavier}, {Units: 2, Activation: neural.Tanh}}, neural.Squared, 1)
	if err != nil {
		t.Fatal(err)
	}
	net.L1, net.L2 = 0.25, 0.5
	text, err := modelfile.MarshalJSON(net)
	if err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.UnmarshalJSON[*neural.Network](text)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Layers(), net.Layers()) || !slices.Equal(back.Params().Values, net.Params().Values) || back.L1 != 0.25 || back.L2 != 0.5 || back.Inputs() != 2 {
		t.Errorf("%+v comes back as %+v", net, back)
	}
	if !bytes.Equal(encoded(t, back), encoded(t, net)) {
		t.Error("another network comes out of JSON")
	}
}

// A network that NewNetwork did not make says so.
func TestZeroNetwork(t *testing.T) {
	X, T, net := normals(1, 4, 3), normals(2, 4, 1), new(neural.Network)
	if net.Inputs() != 0 || net.Outputs() != 0 || len(net.Layers()) != 0 || net.Params() != nil || net.Clone().Inputs() != 0 {
		t.Errorf("a zero network has parts: %+v", net)
	}
	_, forward := net.Forward(X)
	_, activations := net.Activations(X)
	_, loss := net.Loss(X, T, nil)
	_, _, gradient := net.Gradient(X, T, nil)
	_, check := neural.GradientCheck(net, X, T, nil)
	_, binary := modelfile.Marshal(net)
	_, text := modelfile.MarshalJSON(net)
	for name, err := range map[string]error{
		"Forward": forward, "Activations": activations, "Loss": loss, "Gradient": gradient, "GradientCheck": check,
		"modelfile.Marshal": binary, "modelfile.MarshalJSON": text,
	} {
		if !errors.Is(err, mlcore.ErrNotFitted) {
			t.Errorf("%s: error %v, want ErrNotFitted", name, err)
		}
	}
}

// encoding/json sees L1 and L2 alone; it has to be told that there is more.
func TestNetworkAndPackageJSON(t *testing.T) {
	net, err := neural.NewNetwork(1, []neural.Dense{{Units: 1}}, neural.Squared, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(net); err == nil || !strings.Contains(err.Error(), "modelfile.MarshalJSON") {
		t.Errorf("error %v, want one that names modelfile.MarshalJSON", err)
	}
	if err := json.Unmarshal([]byte(`{"L1":1}`), net); err == nil || net.L1 != 0 {
		t.Errorf("error %v, L1 is %v", err, net.L1)
	}
}

// Probabilities of exactly one half, and equal ones, are of the lowest class.
func TestTies(t *testing.T) {
	for classes := 2; classes <= 3; classes++ {
		cfg := neural.Config{Hidden: []int{}, Epochs: 1, Optimizer: zeroed{}}
		m, err := cfg.FitClassifier(fixture.Classes(mlcore.FromMatrix(mat.NewDense(2, 1, []float64{1, 2}), []int{1, 1}, nil), classes))
		if err != nil {
			t.Fatal(err)
		}
		y, err := m.Predict(mat.NewDense(1, 1, []float64{3}))
		if err != nil {
			t.Fatal(err)
		}
		if y[0] != 0 {
			t.Errorf("class %d of %d equally probable ones, want 0", y[0], classes)
		}
	}
}

// zeroed sets all parameters to 0.
type zeroed struct{ frozen }

func (zeroed) Start(int) neural.Stepper            { return zeroed{} }
func (zeroed) Step(params, _ []float64, _ float64) { clear(params) }

// A certain and wrong answer costs -log 2^-52, not infinity.
func TestCertainAndWrong(t *testing.T) {
	net, err := neural.NewNetwork(1, []neural.Dense{{Units: 1, Activation: neural.Sigmoid}}, neural.CrossEntropy, 0)
	if err != nil {
		t.Fatal(err)
	}
	copy(net.Params().Values, []float64{1, 0})
	for _, target := range []float64{0, 1} {
		loss, err := net.Loss(mat.NewDense(1, 1, []float64{600 * (1 - 2*target)}), mat.NewDense(1, 1, []float64{target}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := 52 * math.Ln2; !near(loss, want) {
			t.Errorf("target %v: loss %v, want %v", target, loss, want)
		}
	}
}

// Sums of weights times squares that overflow are no scores: a fit refuses them, or the model has
// the scores of weights of 1 but for rounding.
func TestHugeWeights(t *testing.T) {
	fit := func(unit float64, batch int) (*neural.Regressor, error) {
		X, y, w := mat.NewDense(20, 1, nil), make([]float64, 20), make([]float64, 20)
		for i := range y {
			X.Set(i, 0, float64(i)/10)
			y[i], w[i] = float64(i%2*22-11), unit
		}
		return neural.Config{Hidden: []int{3}, Epochs: 2, BatchSize: batch}.FitRegressor(mlcore.FromMatrix(X, y, w))
	}
	for _, tc := range []struct {
		unit  float64
		batch int
	}{
		{1e300, 20}, {1e305, 20}, {1.5e305, 20}, {1e306, 20}, {1e307, 20},
		{3e305, 5}, // the sums of a batch have room, those of an epoch have not
	} {
		want, err := fit(1, tc.batch)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fit(tc.unit, tc.batch)
		if err != nil {
			if tc.unit <= 1e305 {
				t.Errorf("weights of %v: %v", tc.unit, err)
			}
			continue
		}
		for e, h := range m.History() {
			if w := want.History()[e]; math.Abs(h.Train.Score-w.Train.Score) > 1e-9 || math.Abs(h.Train.Loss-w.Train.Loss) > 1e-9*w.Train.Loss {
				t.Errorf("weights of %v, epoch %d: %v, want %v", tc.unit, h.Number, h.Train, w.Train)
			}
		}
	}
}

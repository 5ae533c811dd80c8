package ensemble_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// made makes n rows of 5 small whole numbers, with three classes and targets
// that depend on the first two.
func made(seed uint64, n int) (X *mat.Dense, y []int, target []float64) {
	rng := mlcore.NewRand(seed)
	X, y, target = mat.NewDense(n, 5, nil), make([]int, n), make([]float64, n)
	for i := range n {
		for j := range 5 {
			X.Set(i, j, float64(rng.IntN(8)))
		}
		s := X.At(i, 0) + X.At(i, 1) + 2*rng.Float64()
		y[i] = min(int(s/5), 2)
		target[i] = s
	}
	return X, y, target
}

func marshal(t testing.TB, m any, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	data, err := modelfile.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lab and third are forests with the settings that the zero value has not.
var (
	lab = ensemble.ForestConfig{
		Estimators: 12, MaxFeatures: tree.AllFeatures, Voting: ensemble.HardVoting, Seed: 3,
		Tree: tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast, MinSamplesLeaf: 3, MaxDepth: 10},
	}
	third = ensemble.ForestConfig{
		Estimators: 40, MaxFeatures: tree.AllFeatures, FeaturesPerEstimator: 2,
		Sampling: ensemble.WithoutReplacement, Subsample: 1. / 3, Voting: ensemble.HardVoting, Seed: 7,
		Tree: tree.Config{Criterion: tree.Entropy},
	}
)

func TestForestOfTheHandout(t *testing.T) {
	X, y, _ := made(1, 90)
	f, err := lab.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	// By the handout: each tree is trained on a bootstrap sample, with copies
	// written out, and the trees vote, the lowest class winning a tie.
	votes := mat.NewDense(90, 3, nil)
	for _, m := range f.Trees() {
		root := m.Node(0)
		if root.Samples != 90 || root.Weight != 90 {
			t.Fatalf("a tree of %d rows and weight %v, want 90", root.Samples, root.Weight)
		}
		var rebuilt []float64
		for _, n := range m.Nodes() {
			if n.Samples < 3 {
				t.Fatalf("a node of %d rows, min_size is 3", n.Samples)
			}
			if !n.Leaf() {
				rebuilt = append(rebuilt, n.Threshold)
				if !slices.Contains(mat.Col(nil, n.Feature, X), n.Threshold) {
					t.Fatalf("threshold %v is not a data value", n.Threshold)
				}
			}
		}
		if len(rebuilt) == 0 {
			t.Fatal("a tree without a split")
		}
		guess, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range guess {
			votes.Set(i, k, votes.At(i, k)+1)
		}
	}
	got, err := f.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range got {
		for c, v := range votes.RawRowView(i) {
			if v > votes.At(i, k) || v == votes.At(i, k) && c < k {
				t.Fatalf("row %d: class %d of votes %v", i, k, votes.RawRowView(i))
			}
		}
	}
}

func TestForestDrawsColumnsPerTree(t *testing.T) {
	X, y, _ := made(2, 300)
	f, err := third.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[[2]int]bool{}
	for _, m := range f.Trees() {
		if n := m.Node(0).Samples; n != 100 {
			t.Fatalf("a tree of %d rows, want a third of 300", n)
		}
		var used []int
		for _, n := range m.Nodes() {
			if !n.Leaf() && !slices.Contains(used, n.Feature) {
				used = append(used, n.Feature)
			}
		}
		slices.Sort(used)
		if len(used) != 2 {
			t.Fatalf("a tree asks for %v, want 2 attributes", used)
		}
		pairs[[2]int(used)] = true
	}
	if len(pairs) < 8 { // of 10
		t.Errorf("40 trees drew only %d pairs", len(pairs))
	}
}

func TestForestAveragesProbabilities(t *testing.T) {
	X, y, target := made(3, 120)
	f, err := ensemble.ForestConfig{Estimators: 9, Tree: tree.Config{MaxDepth: 3}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	mean := mat.NewDense(120, 3, nil)
	for _, m := range f.Trees() {
		p, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		mean.Add(mean, p)
	}
	mean.Scale(1./9, mean)
	got, err := f.PredictProba(X)
	if err != nil || !mat.EqualApprox(got, mean, 1e-15) {
		t.Errorf("probabilities are not the mean of the trees' (%v)", err)
	}
	r, err := ensemble.ForestConfig{Estimators: 9, Tree: tree.Config{MaxDepth: 3}}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 120)
	for _, m := range r.Trees() {
		p, err := m.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range p {
			want[i] += v / 9
		}
	}
	values, err := r.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "prediction", values, want, 1e-12)
}

func TestOutOfBagVotesComeFromTreesWithoutTheRow(t *testing.T) {
	// A row drawn by no tree of one gets its vote, one drawn gets none; the rows
	// that a tree was grown on are found by their own column.
	const n = 50
	X, y := mat.NewDense(n, 1, nil), make([]int, n)
	for i := range n {
		X.Set(i, 0, float64(i))
		y[i] = i % 2
	}
	f, err := ensemble.ForestConfig{Estimators: 1, OutOfBag: true, Seed: 3}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := f.PredictProba(X)
	o := f.OutOfBag()
	left, right := 0.0, 0.0
	for i := range n {
		if o.Votes[i] == 0 {
			if !math.IsNaN(o.Proba.At(i, 0)) || p.At(i, y[i]) != 1 {
				t.Errorf("row %d was in the bag, and yet %v", i, o.Proba.RawRowView(i))
			}
			continue
		}
		left++
		if !slices.Equal(o.Proba.RawRowView(i), p.RawRowView(i)) {
			t.Errorf("row %d: %v, want %v", i, o.Proba.RawRowView(i), p.RawRowView(i))
		}
		if p.At(i, y[i]) > 0.5 {
			right++
		}
	}
	if got, want := left/n, 1/math.E; math.Abs(got-want) > 0.2 {
		t.Errorf("%v of the rows are out of the bag, want about 1/e", got)
	}
	if o.Score != right/left {
		t.Errorf("score %v, want %v", o.Score, right/left)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	X, y, target := made(4, 400)
	for _, f := range []ensemble.ForestConfig{{Estimators: 12, Seed: 5}, lab, third} {
		one, many := f, f
		one.Workers, many.Workers = 1, 5
		a, err := one.FitClassifier(mlcore.FromMatrix(X, y, nil))
		b, err2 := many.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if !bytes.Equal(marshal(t, a, err), marshal(t, b, err2)) {
			t.Errorf("%+v: workers change the forest", f)
		}
	}
	var forms [2][]byte
	for k, workers := range []int{1, 5} {
		r, err := ensemble.ExtraTreesConfig{Estimators: 10, Seed: 5, Workers: workers}.FitRegressor(mlcore.FromMatrix(X, target, nil))
		forms[k] = append(forms[k], marshal(t, r, err)...)
		b, err := ensemble.BaggingConfig{Estimators: 7, FeaturesPerEstimator: 3, Workers: workers, Learner: mlcore.LearnClassifier(tree.Config{}.FitClassifier)}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		forms[k] = append(forms[k], marshal(t, b, err)...)
	}
	if !bytes.Equal(forms[0], forms[1]) {
		t.Error("workers change ExtraTrees or bagging")
	}
}

// A lazy learner, to see that bagging and voting take anything: it predicts the
// class of the nearest row.
type nearest struct {
	X *mat.Dense
	y []int
}

func learnNearest(X mat.Matrix, y []int, _ []float64) (*nearest, error) {
	return &nearest{mat.DenseCopyOf(X), slices.Clone(y)}, nil
}

func (m *nearest) NumFeatures() int { _, d := m.X.Dims(); return d }
func (m *nearest) NumClasses() int  { return mlcore.CountClasses(m.y) }
func (m *nearest) Predict(X mat.Matrix) ([]int, error) {
	n, d := X.Dims()
	rows, _ := m.X.Dims()
	y := make([]int, n)
	for i := range n {
		least := math.Inf(1)
		for r := range rows {
			s := 0.0
			for j := range d {
				s += (X.At(i, j) - m.X.At(r, j)) * (X.At(i, j) - m.X.At(r, j))
			}
			if s < least {
				least, y[i] = s, m.y[r]
			}
		}
	}
	return y, nil
}

func TestBaggingOfAnything(t *testing.T) {
	X, y, _ := made(6, 150)
	m, err := ensemble.BaggingConfig{Learner: mlcore.LearnClassifier(mlcore.OnMatrix(learnNearest)), Estimators: 11, Subsample: 0.5, Sampling: ensemble.WithoutReplacement}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Members()) != 11 {
		t.Errorf("%d members, want 11", len(m.Members()))
	}
	for _, member := range m.Members() {
		if n, _ := member.(*nearest).X.Dims(); n != 75 {
			t.Fatalf("a member of %d rows, want half of 150", n)
		}
	}
	if a := accuracy(t, m, X, y); a < 0.8 {
		t.Errorf("accuracy %v", a)
	}
	if _, err := m.MarshalBinary(); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "modelfile.Register") {
		t.Errorf("saving members that cannot be: error %v", err)
	}
	// One member on every row is the member.
	all, err := ensemble.BaggingConfig{Learner: mlcore.LearnClassifier(tree.Config{}.FitClassifier), Estimators: 1, Sampling: ensemble.AllRows}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	single, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := all.PredictProba(X)
	b, _ := single.PredictProba(X)
	if !mat.Equal(a, b) {
		t.Error("a bag of one on all rows is not its member")
	}
	// A learner has the levels of the columns that were drawn, and all classes.
	ds := mlcore.FromMatrix(X, y, nil)
	for j := range ds.Columns {
		ds.Columns[j].Levels = []string{"0", "1", "2", "3", "4", "5", "6", "7"}
	}
	c, err := ensemble.BaggingConfig{Estimators: 5, FeaturesPerEstimator: 2, Subsample: 0.1, Learner: mlcore.LearnClassifier(id3.Config{}.FitClassifier)}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range c.Members() {
		if member.NumFeatures() != 2 || member.NumClasses() != 3 {
			t.Errorf("a member of %d columns and %d classes, want 2 and 3", member.NumFeatures(), member.NumClasses())
		}
	}
}

func TestVoting(t *testing.T) {
	// By hand: three constant members; 1 and 1 outvote 0 unless weighted down.
	constant := func(class int) mlcore.ClassifierLearner {
		return func(*mlcore.Dataset) (mlcore.Classifier, error) {
			return tree.Config{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(mat.NewDense(1, 1, nil), []int{class}, nil), 2))
		}
	}
	X, y := column(1, 2), []int{0, 1}
	for _, tc := range []struct {
		weights []float64
		want    int
		share   float64
	}{{nil, 1, 2. / 3}, {[]float64{3, 1, 1}, 0, 0.4}, {[]float64{2, 1, 1}, 0, 0.5}} {
		m, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{constant(0), constant(1), constant(1)}, Weights: tc.weights}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(X)
		if err != nil || got[0] != tc.want {
			t.Errorf("weights %v: class %v (%v), want %d", tc.weights, got, err, tc.want)
		}
		p, _ := m.PredictProba(X)
		if math.Abs(p.At(0, 1)-tc.share) > 1e-15 {
			t.Errorf("weights %v: share %v, want %v", tc.weights, p.At(0, 1), tc.share)
		}
	}
	// Soft: (1, 0), (0.4, 0.6), (0.4, 0.6) average to (0.6, 0.4).
	half := func(w0, w1 float64) mlcore.ClassifierLearner {
		return func(*mlcore.Dataset) (mlcore.Classifier, error) {
			return tree.Config{}.FitClassifier(fixture.Classes(mlcore.FromMatrix(mat.NewDense(2, 1, nil), []int{0, 1}, []float64{w0, w1}), 2))
		}
	}
	m, err := ensemble.VotingConfig{Voting: ensemble.SoftVoting, Learners: []mlcore.ClassifierLearner{constant(0), half(.4, .6), half(.4, .6)}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Predict(X); err != nil || got[0] != 0 {
		t.Errorf("soft: class %v (%v), want 0", got, err)
	}
	_, err = ensemble.VotingConfig{Voting: ensemble.SoftVoting, Learners: []mlcore.ClassifierLearner{mlcore.LearnClassifier(mlcore.OnMatrix(learnNearest))}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "HardVoting, or fit it by calibration.Config") {
		t.Errorf("soft without probabilities: error %v, want ErrConfig that says what to do", err)
	}
	r, err := ensemble.VotingConfig{Weights: []float64{1, 3}, RegressorLearners: []mlcore.RegressorLearner{
		mlcore.LearnRegressor(tree.Config{}.FitRegressor),                  // 10 and 20
		mlcore.LearnRegressor(tree.Config{MinSamplesLeaf: 2}.FitRegressor), // 15
	}}.FitRegressor(mlcore.FromMatrix(X, []float64{10, 20}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Predict(X); err != nil || !slices.Equal(got, []float64{13.75, 16.25}) {
		t.Errorf("%v (%v), want 13.75 and 16.25", got, err)
	}
}

// A row that a sample holds twice counts as two for MinSamplesLeaf and MinSamplesSplit. The
// oracle is a bag of trees, whose samples of the same draws are written out.
func TestForestCountsCopies(t *testing.T) {
	X, _, target := made(8, 150)
	rng := mlcore.NewRand(8)
	X.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, X) // no ties
	ds := mlcore.FromMatrix(X, target, nil)
	for _, cfg := range []tree.Config{{MinSamplesLeaf: 5}, {MinSamplesSplit: 20}} {
		forest, err := ensemble.ForestConfig{Estimators: 5, MaxFeatures: tree.AllFeatures, Tree: cfg}.FitRegressor(ds)
		if err != nil {
			t.Fatal(err)
		}
		bag, err := ensemble.BaggingConfig{Estimators: 5, RegressorLearner: mlcore.LearnRegressor(cfg.FitRegressor)}.FitRegressor(ds)
		if err != nil {
			t.Fatal(err)
		}
		for k, grown := range forest.Trees() {
			if written := bag.Members()[k].(*tree.Regressor); grown.NumLeaves() != written.NumLeaves() || grown.NumLeaves() < 5 {
				t.Errorf("%+v: tree %d has %d leaves, on its sample written out %d", cfg, k, grown.NumLeaves(), written.NumLeaves())
			}
		}
	}
}

func TestAdaBoostTakesAnyLearner(t *testing.T) {
	X, y, _ := made(7, 200)
	m, err := ensemble.AdaBoostConfig{Estimators: 10, Learner: mlcore.LearnClassifier(id3.Config{MaxDepth: 1}.FitClassifier)}.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{8, 8, 8, 8, 8}))
	if err != nil {
		t.Fatal(err)
	}
	first, err := m.Members()[0].Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0.0
	for i := range y {
		if first[i] == y[i] {
			hits++
		}
	}
	if a := accuracy(t, m, X, y); a <= hits/200 {
		t.Errorf("accuracy %v, of the first member alone %v", a, hits/200)
	}
	boom := errors.New("boom")
	_, err = ensemble.AdaBoostConfig{Learner: func(*mlcore.Dataset) (mlcore.Classifier, error) { return nil, boom }}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if !errors.Is(err, boom) {
		t.Errorf("a learner that fails: error %v", err)
	}
}

func TestBadInput(t *testing.T) {
	X, y := column(1, 2, 3, 4), []int{0, 1, 0, 1}
	learner := mlcore.LearnClassifier(tree.Config{}.FitClassifier)
	for name, tc := range map[string]struct {
		fit  mlcore.ClassifierLearner
		X    *mat.Dense
		y    []int
		want error
	}{
		"forest, NaN":            {mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier), column(1, math.NaN(), 3, 4), y, mlcore.ErrNonFinite},
		"forest, labels":         {mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier), X, y[:2], mlcore.ErrShape},
		"forest, empty":          {mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier), nil, nil, mlcore.ErrEmpty},
		"forest, trees":          {mlcore.LearnClassifier(ensemble.ForestConfig{Estimators: -1}.FitClassifier), X, y, mlcore.ErrConfig},
		"forest, share":          {mlcore.LearnClassifier(ensemble.ForestConfig{Subsample: 2}.FitClassifier), X, y, mlcore.ErrConfig},
		"forest, features":       {mlcore.LearnClassifier(ensemble.ForestConfig{MaxFeatures: 2}.FitClassifier), X, y, mlcore.ErrConfig},
		"forest, per tree":       {mlcore.LearnClassifier(ensemble.ForestConfig{FeaturesPerEstimator: 2}.FitClassifier), X, y, mlcore.ErrConfig},
		"forest, min size":       {mlcore.LearnClassifier(ensemble.ForestConfig{Tree: tree.Config{MinSamplesLeaf: 5}}.FitClassifier), X, y, mlcore.ErrConfig},
		"ExtraTrees, out of bag": {mlcore.LearnClassifier(ensemble.ExtraTreesConfig{OutOfBag: true}.FitClassifier), X, y, mlcore.ErrConfig},
		"AdaBoost, NaN":          {mlcore.LearnClassifier(ensemble.AdaBoostConfig{}.FitClassifier), column(1, math.NaN(), 3, 4), y, mlcore.ErrNonFinite},
		"AdaBoost, one class":    {mlcore.LearnClassifier(ensemble.AdaBoostConfig{}.FitClassifier), X, []int{0, 0, 0, 0}, mlcore.ErrOneClass},
		"AdaBoost, tolerance":    {mlcore.LearnClassifier(ensemble.AdaBoostConfig{Tol: 1}.FitClassifier), X, y, mlcore.ErrConfig},
		"AdaBoost, rounds":       {mlcore.LearnClassifier(ensemble.AdaBoostConfig{Estimators: -1}.FitClassifier), X, y, mlcore.ErrConfig},
		"bagging, no learner":    {mlcore.LearnClassifier(ensemble.BaggingConfig{}.FitClassifier), X, y, mlcore.ErrConfig},
		"bagging, infinity":      {mlcore.LearnClassifier(ensemble.BaggingConfig{Learner: learner}.FitClassifier), column(1, math.Inf(1), 3, 4), y, mlcore.ErrNonFinite},
		"voting, no learner":     {mlcore.LearnClassifier(ensemble.VotingConfig{}.FitClassifier), X, y, mlcore.ErrConfig},
		"voting, weights":        {mlcore.LearnClassifier(ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{learner}, Weights: []float64{1, 2}}.FitClassifier), X, y, mlcore.ErrConfig},
	} {
		if _, err := tc.fit(mlcore.FromMatrix(tc.X, tc.y, nil)); !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", name, err, tc.want)
		}
	}
}

// models fits one of each kind, on 5 columns.
func models(t testing.TB) (X *mat.Dense, list []any) {
	X, y, target := made(8, 80)
	add := func(m any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	learner := mlcore.LearnClassifier(tree.Config{MaxDepth: 2}.FitClassifier)
	regressor := mlcore.LearnRegressor(tree.Config{MaxDepth: 2}.FitRegressor)
	stump := mlcore.LearnClassifier(id3.Config{MaxDepth: 1}.FitClassifier)
	codes := func() *mlcore.Dataset {
		return fixture.Levels(mlcore.FromMatrix(X, y, nil), []int{8, 8, 8, 8, 8})
	}
	add(ensemble.ForestConfig{Estimators: 3, Tree: tree.Config{MaxDepth: 3}}.FitClassifier(mlcore.FromMatrix(X, y, nil)))
	add(ensemble.ForestConfig{Estimators: 3, Tree: tree.Config{MaxDepth: 3}}.FitRegressor(mlcore.FromMatrix(X, target, nil)))
	add(ensemble.AdaBoostConfig{Estimators: 3}.FitClassifier(mlcore.FromMatrix(X, y, nil)))
	add(ensemble.AdaBoostConfig{Estimators: 3, Learner: stump}.FitClassifier(codes()))
	add(ensemble.BaggingConfig{Estimators: 3, FeaturesPerEstimator: 2, Learner: learner}.FitClassifier(mlcore.FromMatrix(X, y, nil)))
	add(ensemble.BaggingConfig{Estimators: 3, RegressorLearner: regressor}.FitRegressor(mlcore.FromMatrix(X, target, nil)))
	add(ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{learner, stump}, Weights: []float64{1, 2}}.FitClassifier(codes()))
	add(ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{regressor}}.FitRegressor(mlcore.FromMatrix(X, target, nil)))
	return X, list
}

// answer is what a model says of X, as numbers.
func answer(t testing.TB, m any, X mat.Matrix) []float64 {
	t.Helper()
	if c, ok := m.(mlcore.ProbClassifier); ok {
		p, err := c.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		return p.RawMatrix().Data
	}
	y, err := m.(mlcore.Regressor).Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

func TestConcurrentPrediction(t *testing.T) {
	X, list := models(t)
	for _, m := range list {
		want := answer(t, m, X)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if !slices.Equal(answer(t, m, X), want) {
					t.Errorf("%T: another answer at the same time", m)
				}
			})
		}
		wg.Wait()
	}
}

// R² of equal targets is undefined, whatever rounding makes of their mean: that of many
// 0.1 is not 0.1.
func TestOutOfBagScoreOfEqualTargets(t *testing.T) {
	const n = 30
	X, y, w := mat.NewDense(n, 1, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		X.Set(i, 0, float64(i))
		y[i], w[i] = 0.1, float64(1+i%3)
	}
	for _, weights := range [][]float64{nil, w} {
		f, err := ensemble.ForestConfig{Estimators: 5, OutOfBag: true}.FitRegressor(mlcore.FromMatrix(X, y, weights))
		if err != nil {
			t.Fatal(err)
		}
		if score := f.OutOfBag().Score; !math.IsNaN(score) {
			t.Errorf("weights %v: the score is %v, want NaN", weights, score)
		}
	}
}

// However small the share and few the rows, each member is grown from at least one: with
// a share that rounds to none of five rows, all of which have their own target, it
// predicts one of the targets.
func TestSampleOfAtLeastOneRow(t *testing.T) {
	X, y := mat.NewDense(5, 1, []float64{1, 2, 3, 4, 5}), []float64{10, 20, 30, 40, 50}
	for _, sampling := range []ensemble.Sampling{ensemble.WithReplacement, ensemble.WithoutReplacement} {
		f, err := ensemble.ForestConfig{Estimators: 1, Sampling: sampling, Subsample: 0.01, Seed: 2}.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			t.Fatalf("Sampling %v: %v", sampling, err)
		}
		got, err := f.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range got {
			if v != got[0] || !slices.Contains(y, v) {
				t.Errorf("Sampling %v: predictions %v, want one of the targets for all", sampling, got)
				break
			}
		}
	}
}

// Only the ratios of the weights of members matter: 1 and 3 in any unit weigh predictions
// of 2e10 and 6e10 to 5e10.
func TestWeightsOfMembersInAnyUnit(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	constant := func(v float64) mlcore.RegressorLearner {
		return func(ds *mlcore.Dataset) (mlcore.Regressor, error) {
			return tree.Config{}.FitRegressor(mlcore.FromMatrix(ds.X, slices.Repeat([]float64{v}, ds.Len()), nil))
		}
	}
	class := func(k int) mlcore.ClassifierLearner {
		return func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
			own := *ds
			own.Y = slices.Repeat([]int{k}, ds.Len())
			return tree.Config{}.FitClassifier(&own)
		}
	}
	for _, unit := range []float64{math.SmallestNonzeroFloat64, 1e-310, 0x1p-600, 1, 0x1p600, 1e307} {
		weights := []float64{unit, 3 * unit}
		r, err := ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{constant(2e10), constant(6e10)}, Weights: weights}.FitRegressor(mlcore.FromMatrix(X, []float64{1, 2, 3, 4}, nil))
		if err != nil {
			t.Fatal(err)
		}
		if y, err := r.Predict(X); err != nil || math.Abs(y[0]-5e10) > 1e-3 {
			t.Errorf("weights times %v: %v (%v), want 5e10", unit, y, err)
		}
		c, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{class(0), class(1)}, Weights: weights, Voting: ensemble.SoftVoting}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 0, 1}, nil))
		if err != nil {
			t.Fatal(err)
		}
		if p, err := c.PredictProba(X); err != nil || math.Abs(p.At(0, 1)-0.75) > 1e-15 {
			t.Errorf("weights times %v: probabilities %v (%v), want 0.75 for class 1", unit, mat.Formatted(p), err)
		}
	}
}

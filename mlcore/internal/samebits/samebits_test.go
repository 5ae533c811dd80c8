package samebits

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

var update = flag.Bool("update", false, "write testdata/digests.json anew")

const file = "testdata/digests.json"

// A data set is drawn with whole numbers and exact arithmetic alone, or read, so
// that it is the same everywhere.
type data struct {
	X       *mat.Dense
	y       []int
	targets []float64
	w       []float64
	levels  []int // of each column; nil: all are numeric
}

// drawn returns n rows of d columns and k classes that overlap.
func drawn(n, d, k int, seed uint64) data {
	rng := mlcore.NewRand(seed)
	s := data{X: mat.NewDense(n, d, nil)}
	for i := range n {
		class := rng.IntN(k)
		s.y = append(s.y, class)
		target := 0.0
		for j := range d {
			v := float64(4*rng.Float64()) - 2 + float64((class*(j+1))%k)
			s.X.Set(i, j, v)
			target += float64(v*float64(j%3-1)) + float64(0.3*float64(rng.Float64()))
		}
		s.targets = append(s.targets, target)
		s.w = append(s.w, float64(0.5+rng.Float64()))
	}
	return s
}

// whole returns the data with columns rounded to whole numbers from 0, as counts or
// codes are.
func (s data) whole(most float64) data {
	out := s
	out.X = mat.DenseCopyOf(s.X)
	out.X.Apply(func(_, _ int, v float64) float64 { return min(most, max(0, math.Floor(v+2))) }, out.X)
	return out
}

func iris(t *testing.T) data {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		t.Fatal(err)
	}
	s := data{X: ds.X, y: ds.Y, targets: make([]float64, ds.Len())}
	for i := range s.targets {
		s.targets[i] = ds.X.At(i, 3)
	}
	return s
}

// A digest takes numbers in.
type digest struct{ data []byte }

func (d *digest) number(v float64) {
	if v != v {
		v = math.NaN() // one of many
	}
	d.data = binary.LittleEndian.AppendUint64(d.data, math.Float64bits(v))
}

func (d *digest) matrix(m mat.Matrix) {
	rows, cols := m.Dims()
	for i := range rows {
		for j := range cols {
			d.number(m.At(i, j))
		}
	}
}

func (d *digest) sum() string {
	h := sha256.Sum256(d.data)
	return hex.EncodeToString(h[:])
}

// collector gathers the digests by name: package.Config.Method, and after a slash
// what is special about the configuration.
type collector struct {
	t     *testing.T
	found map[string]string
}

func (c *collector) add(name string, d *digest) {
	c.t.Helper()
	if _, ok := c.found[name]; ok {
		c.t.Fatalf("%s occurs twice", name)
	}
	c.found[name] = d.sum()
}

func classify[M mlcore.Classifier](c *collector, name string, fit func(ds *mlcore.Dataset) (M, error), sets ...data) {
	c.t.Helper()
	var d digest
	for _, s := range sets {
		m, err := fit(fixture.Levels(mlcore.FromMatrix(s.X, s.y, s.w), s.levels))
		if err != nil {
			c.t.Errorf("%s: %v", name, err)
			return
		}
		guess, err := m.Predict(s.X)
		if err != nil {
			c.t.Errorf("%s: %v", name, err)
			return
		}
		for _, k := range guess {
			d.number(float64(k))
		}
		if m, ok := any(m).(mlcore.ProbClassifier); ok {
			p, err := m.PredictProba(s.X)
			if err != nil {
				c.t.Errorf("%s: %v", name, err)
				return
			}
			d.matrix(p)
		}
		if m, ok := any(m).(interface {
			DecisionFunction(mat.Matrix) (*mat.Dense, error)
		}); ok {
			scores, err := m.DecisionFunction(s.X)
			if err != nil {
				c.t.Errorf("%s: %v", name, err)
				return
			}
			d.matrix(scores)
		}
	}
	c.add(name, &d)
}

func mixture(c *collector, name string, shape cluster.Covariance, s data) {
	c.t.Helper()
	m, err := cluster.MixtureConfig{Components: 3, Covariance: shape, RegCovar: 0.01, Seed: 1}.Fit(mlcore.FromMatrix[int](s.X, nil, s.w))
	if err != nil {
		c.t.Fatal(err)
	}
	p, err := m.PredictProba(s.X)
	if err != nil {
		c.t.Fatal(err)
	}
	var shares digest
	shares.matrix(p)
	shares.number(m.LogLikelihood())
	c.add("cluster.MixtureConfig.Fit/"+name, &shares)
}

func regress[M mlcore.Regressor](c *collector, name string, fit func(ds *mlcore.Dataset) (M, error), sets ...data) {
	c.t.Helper()
	var d digest
	for _, s := range sets {
		m, err := fit(mlcore.FromMatrix(s.X, s.targets, s.w))
		if err != nil {
			c.t.Errorf("%s: %v", name, err)
			return
		}
		guess, err := m.Predict(s.X)
		if err != nil {
			c.t.Errorf("%s: %v", name, err)
			return
		}
		for _, v := range guess {
			d.number(v)
		}
	}
	c.add(name, &d)
}

// group digests the models that need no labels.
func group(c *collector, s data) {
	c.t.Helper()
	k, err := cluster.KMeansConfig{Clusters: 4, Starts: 2, Seed: 1}.Fit(mlcore.FromMatrix[int](s.X, nil, s.w))
	if err != nil {
		c.t.Fatal(err)
	}
	var centres digest
	centres.matrix(k.Centres())
	centres.number(k.Inertia())
	c.add("cluster.KMeansConfig.Fit", &centres)
	for shape := cluster.Full; shape <= cluster.Spherical; shape++ {
		mixture(c, shape.String(), shape, s)
	}
	mixture(c, "many columns", cluster.Full, drawn(90, 70, 2, 5))
	ds := mlcore.FromMatrix[int](s.X, nil, nil)
	for linkage := cluster.Ward; linkage <= cluster.Single; linkage++ {
		m, err := cluster.AgglomerativeConfig{Linkage: linkage}.Fit(ds)
		if err != nil {
			c.t.Fatal(err)
		}
		var merges digest
		for _, p := range m.Merges() {
			merges.number(float64(p.A))
			merges.number(float64(p.B))
			merges.number(p.Distance)
		}
		c.add("cluster.AgglomerativeConfig.Fit/"+linkage.String(), &merges)
	}
	dense, err := cluster.DBSCANConfig{Eps: 1.1}.Fit(ds)
	if err != nil {
		c.t.Fatal(err)
	}
	var places digest
	for _, k := range dense.Labels() {
		places.number(float64(k))
	}
	c.add("cluster.DBSCANConfig.Fit", &places)
	m, err := cluster.DensityConfig{}.Fit(mlcore.FromMatrix[int](s.X, nil, s.w))
	if err != nil {
		c.t.Fatal(err)
	}
	density, err := m.LogDensity(s.X)
	if err != nil {
		c.t.Fatal(err)
	}
	var hills digest
	for _, v := range density {
		hills.number(v)
	}
	c.add("cluster.DensityConfig.Fit", &hills)
}

func change(c *collector, name string, step preprocess.Step, ds *mlcore.Dataset) {
	c.t.Helper()
	fitted, err := step.FitStep(ds)
	if err != nil {
		c.t.Errorf("%s: %v", name, err)
		return
	}
	var d digest
	for _, r := range fitted.Rows {
		d.number(float64(r))
	}
	if fitted.Transformer != nil {
		out, err := fitted.Transformer.Transform(ds)
		if err != nil {
			c.t.Errorf("%s: %v", name, err)
			return
		}
		d.matrix(out.X)
	}
	if fitted.Train != nil {
		d.matrix(fitted.Train.X)
	}
	c.add(name, &d)
}

func collect(t *testing.T) map[string]string {
	c := &collector{t, map[string]string{}}
	flower, plain := iris(t), drawn(150, 4, 3, 1)
	two := drawn(120, 3, 2, 2)
	letters := drawn(500, 16, 26, 3).whole(15)
	counts := plain.whole(5)
	codes := counts
	codes.levels = []int{6, 6, 6, 6}

	// Trees and ensembles.
	classify(c, "tree.Config.FitClassifier", tree.Config{}.FitClassifier, flower, plain, letters)
	classify(c, "tree.Config.FitClassifier/entropy", tree.Config{Criterion: tree.Entropy, MaxDepth: 6}.FitClassifier, flower, plain, letters)
	classify(c, "tree.Config.FitClassifier/categories", tree.Config{Splitter: tree.Random, Seed: 1}.FitClassifier, codes)
	regress(c, "tree.Config.FitRegressor", tree.Config{MaxDepth: 8}.FitRegressor, flower, plain)
	regress(c, "tree.Config.FitRegressor/absolute error", tree.Config{Criterion: tree.AbsoluteError, MaxDepth: 5}.FitRegressor, flower, plain)
	classify(c, "id3.Config.FitClassifier", id3.Config{Criterion: id3.GainRatio}.FitClassifier, codes)
	classify(c, "ensemble.ForestConfig.FitClassifier", ensemble.ForestConfig{Estimators: 15, Seed: 1}.FitClassifier, flower, plain, letters)
	regress(c, "ensemble.ForestConfig.FitRegressor", ensemble.ForestConfig{Estimators: 15, Seed: 1}.FitRegressor, flower, plain)
	classify(c, "ensemble.ExtraTreesConfig.FitClassifier", ensemble.ExtraTreesConfig{Estimators: 15, Seed: 1}.FitClassifier, flower, plain)
	regress(c, "ensemble.ExtraTreesConfig.FitRegressor", ensemble.ExtraTreesConfig{Estimators: 15, Seed: 1}.FitRegressor, flower, plain)
	classify(c, "ensemble.AdaBoostConfig.FitClassifier", ensemble.AdaBoostConfig{Estimators: 30}.FitClassifier, flower, plain)
	classify(c, "ensemble.AdaBoostConfig.FitClassifier/deep", ensemble.AdaBoostConfig{Estimators: 20, Tree: tree.Config{MaxDepth: 6}}.FitClassifier, letters)
	member := mlcore.LearnClassifier(tree.Config{MaxDepth: 3}.FitClassifier)
	regressorMember := mlcore.LearnRegressor(tree.Config{MaxDepth: 3}.FitRegressor)
	linearMember := mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)
	ridgeMember := mlcore.LearnRegressor(linear.RidgeConfig{}.FitRegressor)
	classify(c, "ensemble.BaggingConfig.FitClassifier", ensemble.BaggingConfig{Learner: member, Seed: 1}.FitClassifier, flower, plain)
	regress(c, "ensemble.BaggingConfig.FitRegressor", ensemble.BaggingConfig{RegressorLearner: regressorMember, Seed: 1}.FitRegressor, flower, plain)
	classify(c, "ensemble.VotingConfig.FitClassifier", ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{member, linearMember}, Voting: ensemble.SoftVoting}.FitClassifier, flower, plain)
	regress(c, "ensemble.VotingConfig.FitRegressor", ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{regressorMember, ridgeMember}}.FitRegressor, flower, plain)
	stack := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{member, linearMember}}
	regressionStack := ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{regressorMember, ridgeMember}}
	classify(c, "ensemble.StackingConfig.FitClassifier", stack.FitClassifier, flower, plain)
	regress(c, "ensemble.StackingConfig.FitRegressor", regressionStack.FitRegressor, flower, plain)
	classify(c, "ensemble.GradientBoostingConfig.FitClassifier", ensemble.GradientBoostingConfig{Estimators: 20}.FitClassifier, flower, plain, two)
	classify(c, "ensemble.GradientBoostingConfig.FitClassifier/letters", ensemble.GradientBoostingConfig{Estimators: 5, Subsample: 0.7, Seed: 1}.FitClassifier, letters)
	regress(c, "ensemble.GradientBoostingConfig.FitRegressor", ensemble.GradientBoostingConfig{Estimators: 20}.FitRegressor, flower, plain)
	regress(c, "ensemble.GradientBoostingConfig.FitRegressor/Huber", ensemble.GradientBoostingConfig{Estimators: 20, Loss: ensemble.Huber{}}.FitRegressor, flower, plain)
	classify(c, "ensemble.HistBoostingConfig.FitClassifier", ensemble.HistBoostingConfig{Estimators: 20, MinSamplesLeaf: 5}.FitClassifier, flower, plain, two)
	classify(c, "ensemble.HistBoostingConfig.FitClassifier/letters", ensemble.HistBoostingConfig{Estimators: 5, L2: 1, FeaturesPerEstimator: 8, Seed: 1}.FitClassifier, letters)
	regress(c, "ensemble.HistBoostingConfig.FitRegressor", ensemble.HistBoostingConfig{Estimators: 20, MinSamplesLeaf: 5}.FitRegressor, flower, plain)
	regress(c, "ensemble.HistBoostingConfig.FitRegressor/absolute", ensemble.HistBoostingConfig{Estimators: 20, MinSamplesLeaf: 5, Loss: ensemble.Absolute{}}.FitRegressor, flower, plain)

	// Neighbours and Bayes.
	cube := neighbors.Config{Neighbors: 7, Metric: neighbors.Minkowski(3), Weights: neighbors.Gaussian}
	classify(c, "neighbors.Config.FitClassifier", neighbors.Config{Neighbors: 7, Weights: neighbors.InverseDistance}.FitClassifier, flower, plain, letters)
	classify(c, "neighbors.Config.FitClassifier/Minkowski, Gaussian", cube.FitClassifier, flower, plain)
	classify(c, "neighbors.Config.FitClassifier/Mahalanobis", neighbors.Config{Neighbors: 5, Metric: neighbors.Mahalanobis(mat.NewSymDense(4, []float64{
		3, 1, 0.5, 0.2, 1, 2, 0.3, 0.1, 0.5, 0.3, 1.5, 0.7, 0.2, 0.1, 0.7, 1,
	})), Weights: neighbors.InverseDistance}.FitClassifier, flower, plain)
	regress(c, "neighbors.Config.FitRegressor", cube.FitRegressor, flower, plain)
	regress(c, "neighbors.Config.FitRegressor/local linear", neighbors.Config{Neighbors: 9, LocalLinear: true}.FitRegressor, flower, plain)
	classify(c, "bayes.GaussianConfig.FitClassifier", bayes.GaussianConfig{}.FitClassifier, flower, plain)
	classify(c, "bayes.BernoulliConfig.FitClassifier", bayes.BernoulliConfig{}.FitClassifier, counts.whole(1))
	classify(c, "bayes.MultinomialConfig.FitClassifier", bayes.MultinomialConfig{}.FitClassifier, counts)
	classify(c, "bayes.CategoricalConfig.FitClassifier", bayes.CategoricalConfig{}.FitClassifier, codes)

	classify(c, "bayes.LinearDiscriminantConfig.FitClassifier", bayes.LinearDiscriminantConfig{}.FitClassifier, flower, plain)
	classify(c, "bayes.LinearDiscriminantConfig.FitClassifier/shrunk", bayes.LinearDiscriminantConfig{Shrinkage: 0.3}.FitClassifier, flower, plain)
	classify(c, "bayes.LinearDiscriminantConfig.FitClassifier/fewer rows than columns", bayes.LinearDiscriminantConfig{}.FitClassifier, drawn(150, 180, 3, 5))
	classify(c, "bayes.QuadraticDiscriminantConfig.FitClassifier", bayes.QuadraticDiscriminantConfig{}.FitClassifier, flower, plain)

	// Calibration.
	naive := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	classify(c, "calibration.Config.FitClassifier", calibration.Config{Learner: naive}.FitClassifier, flower, plain, two)
	classify(c, "calibration.Config.FitClassifier/isotonic", calibration.Config{Learner: naive, Method: calibration.Isotonic, Single: true}.FitClassifier, flower, plain)
	single := plain
	single.X = mat.DenseCopyOf(plain.X.Slice(0, 150, 1, 2))
	regress(c, "isotonic.Config.FitRegressor", isotonic.Config{}.FitRegressor, single)

	// Linear models.
	regress(c, "linear.LeastSquaresConfig.FitRegressor", linear.LeastSquaresConfig{}.FitRegressor, flower, plain)
	regress(c, "linear.RidgeConfig.FitRegressor", linear.RidgeConfig{Alpha: 0.7}.FitRegressor, flower, plain)
	regress(c, "linear.LassoConfig.FitRegressor", linear.LassoConfig{Alpha: 0.01}.FitRegressor, flower, plain)
	regress(c, "linear.ElasticNetConfig.FitRegressor", linear.ElasticNetConfig{Alpha: 0.01, L1Ratio: 0.3}.FitRegressor, flower, plain)
	wide := drawn(410, 402, 3, 5)
	regress(c, "linear.LassoConfig.FitRegressor/on the rows", linear.LassoConfig{Alpha: 2}.FitRegressor, wide)
	regress(c, "linear.LassoConfig.FitRegressor/combinations of sweeps", linear.LassoConfig{Alpha: 0.05}.FitRegressor, wide)
	regress(c, "linear.LassoConfig.FitRegressor/fewer rows than columns", linear.LassoConfig{Alpha: 1e-3}.FitRegressor, drawn(40, 100, 3, 5))
	regress(c, "linear.LassoConfig.FitRegressor/Newton steps", linear.LassoConfig{Alpha: 1e-4}.FitRegressor, drawn(80, 60, 3, 5))
	classify(c, "linear.LogisticConfig.FitClassifier", linear.LogisticConfig{}.FitClassifier, flower, plain, two)
	classify(c, "linear.LogisticConfig.FitClassifier/LBFGS", linear.LogisticConfig{Solver: linear.LBFGS}.FitClassifier, flower, plain, two)
	classify(c, "linear.LogisticConfig.FitClassifier/elastic net", linear.LogisticConfig{Penalty: linear.ElasticNetPenalty, L1Ratio: 0.5, C: 2}.FitClassifier, plain, two)
	classify(c, "linear.LogisticConfig.FitClassifier/L1, LBFGS", linear.LogisticConfig{Penalty: linear.L1, Solver: linear.LBFGS}.FitClassifier, plain, two)
	classify(c, "linear.PerceptronConfig.FitClassifier", linear.PerceptronConfig{Epochs: 10}.FitClassifier, flower, plain)

	// Support vectors and networks.
	classify(c, "svm.Config.FitClassifier", svm.Config{}.FitClassifier, flower, plain, letters)
	classify(c, "svm.Config.FitClassifier/polynomial", svm.Config{Kernel: svm.Polynomial{Degree: 3, Coef0: 1}, C: 2}.FitClassifier, flower, plain)
	classify(c, "svm.Config.FitProbClassifier", svm.Config{Seed: 1}.FitProbClassifier, flower, plain)
	regress(c, "svm.Config.FitRegressor", svm.Config{Epsilon: 0.1}.FitRegressor, flower, plain)
	classify(c, "svm.LinearConfig.FitClassifier", svm.LinearConfig{}.FitClassifier, flower, plain)
	regress(c, "svm.LinearConfig.FitRegressor", svm.LinearConfig{}.FitRegressor, flower, plain)
	classify(c, "svm.LinearConfig.FitClassifier/squared", svm.LinearConfig{Loss: svm.SquaredHinge}.FitClassifier, flower, plain)
	for name, activation := range map[string]neural.Activation{"ReLU": neural.ReLU, "tanh": neural.Tanh, "sigmoid": neural.Sigmoid, "softplus": neural.Softplus} {
		cfg := neural.Config{Hidden: []int{12, 5}, Activation: activation, Epochs: 8, Schedule: neural.Cosine{}, Seed: 1}
		classify(c, "neural.Config.FitClassifier/"+name, cfg.FitClassifier, flower, plain, two)
		regress(c, "neural.Config.FitRegressor/"+name, cfg.FitRegressor, flower, plain)
	}

	// Thresholds.
	classify(c, "modelsel.FixedThresholdConfig.FitClassifier", modelsel.FixedThresholdConfig{Learner: linearMember, Threshold: 0.3}.FitClassifier, two)
	classify(c, "modelsel.TunedThresholdConfig.FitClassifier", modelsel.TunedThresholdConfig{Learner: linearMember}.FitClassifier, two)

	// Preprocessing.
	numbers := &mlcore.Dataset{X: mat.DenseCopyOf(plain.X), Y: plain.y, ClassNames: []string{"a", "b", "c"}}
	categories := &mlcore.Dataset{X: counts.X, Y: plain.y, ClassNames: numbers.ClassNames}
	for j := range 4 {
		numbers.Columns = append(numbers.Columns, mlcore.Column{Name: fmt.Sprint("x", j)})
		categories.Columns = append(categories.Columns, mlcore.Column{Name: fmt.Sprint("x", j), Levels: []string{"0", "1", "2", "3", "4", "5"}})
	}
	holes := &mlcore.Dataset{X: mat.DenseCopyOf(plain.X), Y: plain.y, ClassNames: numbers.ClassNames, Columns: numbers.Columns}
	for i := 0; i < 150; i += 7 {
		holes.X.Set(i, i%4, math.NaN())
	}
	change(c, "preprocess.StandardScalerConfig.FitStep", preprocess.StandardScalerConfig{}, numbers)
	change(c, "preprocess.MinMaxScalerConfig.FitStep", preprocess.MinMaxScalerConfig{}, numbers)
	change(c, "preprocess.PCAConfig.FitStep", preprocess.PCAConfig{}, numbers)
	change(c, "preprocess.PCAConfig.FitStep/three of 200", preprocess.PCAConfig{Components: 3}, mlcore.FromMatrix(mat.DenseCopyOf(wide.X.Slice(0, 210, 0, 200)), wide.y[:210], nil))
	change(c, "preprocess.PolynomialConfig.FitStep", preprocess.PolynomialConfig{Degree: 3}, numbers)
	change(c, "preprocess.DiscretizerConfig.FitStep", preprocess.DiscretizerConfig{}, numbers)
	change(c, "preprocess.DiscretizerConfig.FitStep/entropy", preprocess.DiscretizerConfig{Strategy: preprocess.MDL}, numbers)
	change(c, "preprocess.ImputerConfig.FitStep", preprocess.ImputerConfig{}, holes)
	change(c, "preprocess.KNNImputerConfig.FitStep", preprocess.KNNImputerConfig{Weights: neighbors.InverseDistance}, holes)
	change(c, "preprocess.OneHotConfig.FitStep", preprocess.OneHotConfig{}, categories)
	change(c, "preprocess.OrdinalConfig.FitStep", preprocess.OrdinalConfig{}, categories)
	change(c, "preprocess.TargetEncoderConfig.FitStep", preprocess.TargetEncoderConfig{}, categories)
	change(c, "preprocess.SelectConfig.FitStep", preprocess.SelectConfig{K: 2}, numbers)
	change(c, "preprocess.SelectConfig.FitStep/information", preprocess.SelectConfig{Score: preprocess.MutualInformation, K: 2}, numbers)
	change(c, "preprocess.RFEConfig.FitStep", preprocess.RFEConfig{Learner: linearMember}, numbers)
	change(c, "preprocess.RFECVConfig.FitStep", preprocess.RFECVConfig{Learner: member}, numbers)
	change(c, "preprocess.UpSampleConfig.FitStep", preprocess.UpSampleConfig{Seed: 1}, numbers)
	change(c, "preprocess.DownSampleConfig.FitStep", preprocess.DownSampleConfig{Seed: 1}, numbers)
	steps := []preprocess.Step{preprocess.StandardScalerConfig{}, preprocess.PCAConfig{Components: 3}}
	classify(c, "preprocess.PipelineConfig.FitClassifier", preprocess.PipelineConfig{Steps: steps, Learner: linearMember}.FitClassifier, flower, plain)
	regress(c, "preprocess.PipelineConfig.FitRegressor", preprocess.PipelineConfig{Steps: steps, RegressorLearner: ridgeMember}.FitRegressor, flower, plain)

	group(c, plain)

	// Scores of one of the models.
	m, err := bayes.GaussianConfig{}.FitClassifier(mlcore.FromMatrix(plain.X, plain.y, nil))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.PredictProba(plain.X)
	if err != nil {
		t.Fatal(err)
	}
	loss, err := metrics.LogLoss(plain.y, p, plain.w)
	if err != nil {
		t.Fatal(err)
	}
	var d digest
	d.number(loss)
	c.add("metrics.LogLoss", &d)
	return c.found
}

func TestSameBitsOnEveryProcessor(t *testing.T) {
	found := collect(t)
	if *update {
		data, err := json.MarshalIndent(found, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for name, digest := range found {
		if want[name] != digest {
			t.Errorf("%s: digest %s, in %s %q; where a change of results is meant, run go test -update", name, digest, file, want[name])
		}
	}
	for name := range want {
		if _, ok := found[name]; !ok {
			t.Errorf("%s is in %s alone", name, file)
		}
	}
}

// TestEveryEstimatorHasADigest reads the source: whatever has a method that fits is
// in the table.
func TestEveryEstimatorHasADigest(t *testing.T) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var table map[string]string
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for name := range table {
		base, _, _ := strings.Cut(name, "/")
		named[base] = true
	}
	fits := regexp.MustCompile(`^Fit(Classifier|Regressor|ProbClassifier|Step)?$`)
	var methods []string
	eachSource(t, func(path string, f *ast.File) {
		if strings.HasSuffix(f.Name.Name, "_test") || strings.Contains(path, "internal") || f.Name.Name == "mlcoretest" {
			return
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !fits.MatchString(fn.Name.Name) {
				continue
			}
			kind, ok := fn.Recv.List[0].Type.(*ast.Ident)
			if !ok || !kind.IsExported() {
				continue
			}
			methods = append(methods, f.Name.Name+"."+kind.Name+"."+fn.Name.Name)
		}
	})
	for _, name := range methods {
		// A transformer's Fit does what its FitStep does, and the distances of an Index
		// are those that models of neighbors.Config weigh their votes by.
		if named[name] || slices.Contains(methods, name+"Step") || name == "neighbors.Config.Fit" {
			continue
		}
		t.Errorf("%s has no digest: add a line to collect in this file, then run go test ./mlcore/internal/samebits -update", name)
	}
	if len(methods) < 40 {
		t.Errorf("only %d methods that fit were found", len(methods))
	}
}

// differing are the functions of package math whose bits depend on the processor:
// those with assembly for one of them, and those in which compilers fuse products
// and sums.
var differing = regexp.MustCompile(`^(A?(Sin|Cos|Tan)h?|Atan2|Cbrt|Erf(c|inv|cinv)?|Exp2?|Expm1|L?Gamma|Hypot|J[01n]|Y[01n]|Log(10|1p|2)?|Pow|Sincos)$`)

// TestNoFunctionDiffers reads the source: models use package elementary in place of
// functions of package math that differ between processors.
func TestNoFunctionDiffers(t *testing.T) {
	allowed := map[string]string{
		"internal/elementary":     "for arguments with a result that is exact, an infinity or NaN",
		"linear/inference.go":     "p-values",
		"sigtest/distribution.go": "p-values",
		"sigtest/friedman.go":     "p-values",
		"mlcoretest":              "data of tests",
		"plotx":                   "pictures",
	}
	eachSource(t, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for part := range allowed {
			if strings.HasPrefix(path, part) {
				return
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "math" && differing.MatchString(s.Sel.Name) {
					t.Errorf("%s uses math.%s; use package elementary", path, s.Sel.Name)
				}
			}
			return true
		})
	})
}

// eachSource visits the Go files of mlcore, paths relative to it.
func eachSource(t *testing.T, visit func(path string, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		path, err = filepath.Rel(root, path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(path), f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

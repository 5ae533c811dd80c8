package modelfile_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// sample is a fitted model and rows to ask it about.
type sample struct {
	name    string
	model   any
	queries *mat.Dense
}

// data are small Datasets, of numbers, of categories, and of both with a gap. Each
// has class labels and targets.
func data(t testing.TB) (numbers, categories, mixed *mlcore.Dataset) {
	t.Helper()
	load := func(name string, every int) *mlcore.Dataset {
		ds, err := datasets.LoadDataset(name)
		if err != nil {
			t.Fatal(err)
		}
		var rows []int
		for i := 0; i < ds.Len(); i += every {
			rows = append(rows, i)
		}
		ds = ds.Subset(rows)
		for i := range rows {
			ds.Target = append(ds.Target, 1.5*ds.X.At(i, 0)-0.25*ds.X.At(i, 2))
		}
		return ds
	}
	numbers, categories = load("iris", 5), load("car", 30)
	both := *numbers
	mixed = &both
	mixed.X, mixed.Columns = mat.DenseCopyOf(numbers.X), append([]mlcore.Column(nil), numbers.Columns...)
	mixed.Columns[3] = mlcore.Column{Name: "petal", Levels: []string{"thin", "middling", "wide"}, Unknown: mlcore.UnknownMissing}
	for i := range mixed.Len() {
		mixed.X.Set(i, 3, float64(min(2, int(mixed.X.At(i, 3)))))
	}
	return numbers, categories, mixed
}

// samples fits at least one model of every kind.
func samples(t testing.TB) []sample {
	t.Helper()
	numbers, categories, mixed := data(t)
	gaps := &mlcore.Dataset{X: mat.DenseCopyOf(numbers.X), Columns: numbers.Columns}
	gaps.X.Set(2, 1, math.NaN())
	var all []sample
	on := func(ds *mlcore.Dataset) func(name string) func(model any, err error) {
		return func(name string) func(model any, err error) {
			return func(model any, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				all = append(all, sample{name, model, ds.Subset([]int{1, 7, 16, 25}).X})
			}
		}
	}
	smallTree := mlcore.LearnClassifier(tree.Config{MaxDepth: 2}.FitClassifier)
	smallRegressor := mlcore.LearnRegressor(tree.Config{MaxDepth: 2}.FitRegressor)
	logistic := mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)
	add, of, with := on(numbers), on(categories), on(mixed)

	with("tree.Classifier")(pair(tree.Config{MaxDepth: 3, AllowMissing: true}.FitClassifier(mixed)))
	with("tree.Regressor")(pair(tree.Config{MaxDepth: 3, Criterion: tree.AbsoluteError}.FitRegressor(mixed)))
	of("id3.Model")(pair(id3.Config{MaxDepth: 3}.FitClassifier(categories)))

	with("ensemble.Forest")(pair(ensemble.ForestConfig{Estimators: 3, Seed: 1}.FitClassifier(mixed)))
	with("ensemble.RegressionForest")(pair(ensemble.ForestConfig{Estimators: 3, Seed: 1}.FitRegressor(mixed)))
	with("ensemble.AdaBoost")(pair(ensemble.AdaBoostConfig{Estimators: 3}.FitClassifier(mixed)))
	with("ensemble.Bagging")(pair(ensemble.BaggingConfig{Estimators: 3, FeaturesPerEstimator: 3, Learner: smallTree}.FitClassifier(mixed)))
	with("ensemble.BaggingRegressor")(pair(ensemble.BaggingConfig{Estimators: 3, RegressorLearner: smallRegressor}.FitRegressor(mixed)))
	add("ensemble.Voting")(pair(ensemble.VotingConfig{Voting: ensemble.SoftVoting, Weights: []float64{1, 2}, Learners: []mlcore.ClassifierLearner{smallTree, logistic}}.FitClassifier(numbers)))
	add("ensemble.VotingRegressor")(pair(ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{smallRegressor}}.FitRegressor(numbers)))
	stack := ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{smallTree, logistic}}
	add("ensemble.Stacking")(pair(stack.FitClassifier(numbers)))
	regressionStack := ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{smallRegressor}, FinalRegressorLearner: smallRegressor, Passthrough: true}
	with("ensemble.StackingRegressor")(pair(regressionStack.FitRegressor(mixed)))
	// Boosting that a caller ends, which version 2 of its kinds keeps.
	end := func(p mlcore.Progress) error {
		if p.Step == 2 {
			return mlcore.ErrStop
		}
		return nil
	}
	with("ensemble.GradientBoosting interrupted")(pair(ensemble.GradientBoostingConfig{Estimators: 3, Progress: end}.FitClassifier(mixed)))
	with("ensemble.GradientBoostingRegressor interrupted")(pair(ensemble.GradientBoostingConfig{Estimators: 3, Progress: end}.FitRegressor(mixed)))
	with("ensemble.HistBoosting interrupted")(pair(ensemble.HistBoostingConfig{Estimators: 3, MinSamplesLeaf: 2, Progress: end}.FitClassifier(mixed)))
	with("ensemble.HistBoostingRegressor interrupted")(pair(ensemble.HistBoostingConfig{Estimators: 3, MinSamplesLeaf: 2, Progress: end}.FitRegressor(mixed)))
	with("ensemble.GradientBoosting")(pair(ensemble.GradientBoostingConfig{Estimators: 2}.FitClassifier(mixed)))
	with("ensemble.GradientBoostingRegressor")(pair(ensemble.GradientBoostingConfig{Estimators: 3, Loss: ensemble.Huber{}}.FitRegressor(mixed)))
	with("ensemble.HistBoosting")(pair(ensemble.HistBoostingConfig{Estimators: 2, MinSamplesLeaf: 2, AllowMissing: true}.FitClassifier(mixed)))
	with("ensemble.HistBoostingRegressor")(pair(ensemble.HistBoostingConfig{Estimators: 3, MinSamplesLeaf: 2}.FitRegressor(mixed)))

	add("neighbors.Classifier")(pair(neighbors.Config{Neighbors: 3, Weights: neighbors.InverseDistance, FeatureWeights: []float64{1, 2, 1, 1}}.FitClassifier(numbers)))
	add("neighbors.Regressor")(pair(neighbors.Config{Neighbors: 4, Metric: neighbors.Minkowski(3), LocalLinear: true}.FitRegressor(numbers)))

	of("bayes.Categorical")(pair(bayes.CategoricalConfig{}.FitClassifier(categories)))
	add("bayes.Gaussian")(pair(bayes.GaussianConfig{}.FitClassifier(numbers)))
	add("bayes.Multinomial")(pair(bayes.MultinomialConfig{}.FitClassifier(numbers)))
	add("bayes.Bernoulli")(pair(bayes.BernoulliConfig{Threshold: 3}.FitClassifier(numbers)))

	add("bayes.LinearDiscriminant")(pair(bayes.LinearDiscriminantConfig{}.FitClassifier(numbers)))
	add("bayes.QuadraticDiscriminant")(pair(bayes.QuadraticDiscriminantConfig{RegParam: 0.1}.FitClassifier(numbers)))

	add("linear.LeastSquares")(pair(linear.LeastSquaresConfig{}.FitRegressor(numbers)))
	add("linear.Ridge")(pair(linear.RidgeConfig{Alpha: 1}.FitRegressor(numbers)))
	add("linear.ElasticNet")(pair(linear.ElasticNetConfig{Alpha: 0.1, L1Ratio: 0.5}.FitRegressor(numbers)))
	add("linear.Logistic")(pair(linear.LogisticConfig{}.FitClassifier(numbers)))
	add("linear.Perceptron")(pair(linear.PerceptronConfig{Epochs: 5}.FitClassifier(numbers)))

	add("svm.Classifier")(pair(svm.Config{Kernel: svm.Polynomial{Degree: 2, Coef0: 1}}.FitClassifier(numbers)))
	add("svm.ProbClassifier")(pair(svm.Config{}.FitProbClassifier(numbers)))
	add("svm.Regressor")(pair(svm.Config{Epsilon: 0.2, Kernel: svm.Linear{}}.FitRegressor(numbers)))
	// Columns far from 0, for which version 2 of these kinds keeps an origin.
	far := *numbers
	far.X = mat.DenseCopyOf(numbers.X)
	far.X.Apply(func(_, _ int, v float64) float64 { return v + 1<<20 }, far.X)
	on(&far)("svm.Classifier far from zero")(pair(svm.Config{Kernel: svm.Linear{}}.FitClassifier(&far)))
	on(&far)("svm.ProbClassifier far from zero")(pair(svm.Config{Kernel: svm.Linear{}}.FitProbClassifier(&far)))
	on(&far)("svm.Regressor far from zero")(pair(svm.Config{Epsilon: 0.2, Kernel: svm.Linear{}}.FitRegressor(&far)))
	add("svm.LinearClassifier")(pair(svm.LinearConfig{}.FitClassifier(numbers)))
	add("svm.LinearRegressor")(pair(svm.LinearConfig{Epsilon: 0.1}.FitRegressor(numbers)))

	add("calibration.Classifier")(pair(calibration.Config{Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)}.FitClassifier(numbers)))
	one, err := numbers.Select(numbers.Columns[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	on(one)("isotonic.Model")(pair(isotonic.Config{}.FitRegressor(one)))

	add("neural.Classifier")(pair(neural.Config{Hidden: []int{3}, Epochs: 4}.FitClassifier(numbers)))
	add("neural.Regressor")(pair(neural.Config{Hidden: []int{3, 2}, Activation: neural.Tanh, Epochs: 4, ValidationFraction: 0.2}.FitRegressor(numbers)))
	add("neural.Network")(pair(neural.NewNetwork(4, []neural.Dense{{Units: 2, Activation: neural.Sigmoid}, {Units: 1, Activation: neural.Linear}}, neural.Squared, 1)))

	add("cluster.KMeans")(pair(cluster.KMeansConfig{Clusters: 3, Seed: 1}.Fit(numbers)))
	add("cluster.Mixture")(pair(cluster.MixtureConfig{Components: 2, Covariance: cluster.Tied, Seed: 1}.Fit(numbers)))
	add("cluster.Agglomerative")(pair(cluster.AgglomerativeConfig{Clusters: 3}.Fit(numbers)))
	add("cluster.DBSCAN")(pair(cluster.DBSCANConfig{Eps: 0.8, MinSamples: 3}.Fit(numbers)))
	add("neighbors.Index")(pair(neighbors.Config{Neighbors: 2}.Fit(numbers)))
	add("cluster.Density")(pair(cluster.DensityConfig{Kernel: cluster.Exponential, Bandwidth: 2}.Fit(numbers)))

	with("preprocess.Imputer")(pair(preprocess.ImputerConfig{}.Fit(mixed)))
	add("preprocess.KNNImputer")(pair(preprocess.KNNImputerConfig{Neighbors: 3}.Fit(gaps)))
	with("preprocess.Scaler")(pair(preprocess.StandardScalerConfig{}.Fit(mixed)))
	with("preprocess.Discretizer")(pair(preprocess.DiscretizerConfig{Bins: 3}.Fit(mixed)))
	with("preprocess.OneHot")(pair(preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}.Fit(mixed)))
	with("preprocess.Ordinal")(pair(preprocess.OrdinalConfig{}.Fit(mixed)))
	with("preprocess.TargetEncoder")(pair(preprocess.TargetEncoderConfig{}.Fit(mixed)))
	add("preprocess.Selection")(pair(preprocess.SelectConfig{K: 2}.Fit(numbers)))
	add("preprocess.Elimination")(pair(preprocess.RFEConfig{Learner: smallTree}.Fit(numbers)))
	add("preprocess.PCA")(pair(preprocess.PCAConfig{Components: 2}.Fit(numbers)))
	add("preprocess.Polynomial")(pair(preprocess.PolynomialConfig{Degree: 3, IncludeBias: true}.Fit(numbers)))
	steps := []preprocess.Step{preprocess.ImputerConfig{}, preprocess.OneHotConfig{}, preprocess.StandardScalerConfig{}}
	pipeline := preprocess.PipelineConfig{Steps: steps, Learner: logistic}
	with("preprocess.Classifier")(pair(pipeline.FitClassifier(mixed)))
	with("preprocess.Regressor")(pair(preprocess.PipelineConfig{Steps: steps, RegressorLearner: smallRegressor}.FitRegressor(mixed)))
	with("a bag of pipelines")(pair(ensemble.BaggingConfig{Estimators: 2, Learner: mlcore.LearnClassifier(pipeline.FitClassifier)}.FitClassifier(mixed)))

	two := *numbers
	two.Y, two.ClassNames = make([]int, two.Len()), []string{"other", "virginica"}
	for i, k := range numbers.Y {
		two.Y[i] = k / 2
	}
	tuned := modelsel.TunedThresholdConfig{Learner: logistic, Splitter: modelsel.StratifiedKFold{Folds: 2}}
	add("modelsel.ThresholdClassifier")(pair(tuned.FitClassifier(&two)))

	add("metrics.ConfusionMatrix")(pair(metrics.ConfusionOn(numbers, numbers.Y)))
	return all
}

// pair makes a model of any type what samples take.
func pair[M any](m M, err error) (any, error) { return m, err }

// answers is what a model says of rows, as numbers.
func answers(t testing.TB, m any, X mat.Matrix) []float64 {
	t.Helper()
	out, err := ask(m, X)
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	return out
}

func ask(m any, X mat.Matrix) ([]float64, error) {
	var out *mat.Dense
	var err error
	switch m := m.(type) {
	case mlcore.ProbClassifier:
		out, err = m.PredictProba(X)
	case mlcore.Classifier:
		y, err := m.Predict(X)
		v := make([]float64, len(y))
		for i, k := range y {
			v[i] = float64(k)
		}
		return v, err
	case mlcore.Regressor:
		return m.Predict(X)
	case *cluster.KMeans:
		out, err = m.Distances(X)
	case *cluster.Mixture:
		out, err = m.PredictProba(X)
	case *cluster.Agglomerative:
		var v []float64
		for _, p := range m.Merges() {
			v = append(v, float64(p.A), float64(p.B), p.Distance, float64(p.Size))
		}
		return v, nil
	case *cluster.DBSCAN:
		y, err := m.Predict(X)
		v := make([]float64, len(y))
		for i, k := range y {
			v[i] = float64(k)
		}
		return v, err
	case *neighbors.Index:
		_, out, err = m.Neighbors(X, 0)
	case *cluster.Density:
		return m.LogDensity(X)
	case preprocess.Transformer:
		out, err = m.TransformRows(X)
	case *neural.Network:
		out, err = m.Forward(X)
	case *metrics.ConfusionMatrix:
		out = m.Counts()
	}
	if err != nil || out == nil {
		return nil, err
	}
	return mat.DenseCopyOf(out).RawMatrix().Data, nil
}

package onnx

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// rounding is how far sums in another order may be apart, in units of the greatest.
const rounding = 1e-12

// ask returns what adds a fitted model and the rows that it is asked about.
func (b *bench) ask(X *mat.Dense) func(name string) func(model any, err error) {
	return func(name string) func(model any, err error) {
		return func(model any, err error) {
			b.t.Helper()
			if err != nil {
				b.t.Errorf("%s: %v", name, err)
				return
			}
			b.add(name, model, inputsOf(columnsOf(model), X), says(model, X, rounding))
		}
	}
}

// pair makes a model of any type what ask takes.
func pair[M any](m M, err error) (any, error) { return m, err }

var (
	stump         = mlcore.LearnClassifier(tree.Config{MaxDepth: 2}.FitClassifier)
	atLeast       = mlcore.LearnClassifier(tree.Config{MaxDepth: 3, Rule: tree.AtLeast}.FitClassifier)
	regression    = mlcore.LearnRegressor(tree.Config{MaxDepth: 3}.FitRegressor)
	leastSquares  = mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor)
	logisticModel = mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)
	perceptrons   = mlcore.LearnClassifier(linear.PerceptronConfig{}.FitClassifier)
)

// Every kind of model on data with ties, of one and of several columns, of two and of many
// classes; rows are asked about at the thresholds of trees.
func TestKindsOnGrids(t *testing.T) {
	b := newBench(t)
	for _, size := range []struct{ n, d, classes int }{{300, 3, 3}, {200, 1, 2}, {400, 4, 12}, {200, 2, 2}} {
		ds := grid(size.n, size.d, size.classes, uint64(size.classes))
		add := b.ask(between(size.d, 7))
		name := func(kind string) string {
			return fmt.Sprintf("%s of %d columns and %d classes", kind, size.d, size.classes)
		}

		add(name("tree"))(pair(tree.Config{}.FitClassifier(ds)))
		add(name("tree of x >= threshold"))(pair(tree.Config{Rule: tree.AtLeast, MaxDepth: 4}.FitClassifier(ds)))
		add(name("regression tree"))(pair(tree.Config{MaxDepth: 5}.FitRegressor(ds)))
		add(name("forest"))(pair(ensemble.ForestConfig{Estimators: 30, Seed: 1, Tree: tree.Config{MaxDepth: 3}}.FitClassifier(ds)))
		add(name("deep forest"))(pair(ensemble.ForestConfig{Estimators: 120, Seed: 1}.FitClassifier(ds)))
		add(name("voting forest"))(pair(ensemble.ForestConfig{Estimators: 8, Seed: 1, Voting: ensemble.HardVoting}.FitClassifier(ds)))
		add(name("forest of one tree"))(pair(ensemble.ForestConfig{Estimators: 1, Seed: 1}.FitClassifier(ds)))
		add(name("regression forest"))(pair(ensemble.ForestConfig{Estimators: 30, Seed: 1}.FitRegressor(ds)))
		add(name("regression forest of one tree"))(pair(ensemble.ForestConfig{Estimators: 1, Seed: 1}.FitRegressor(ds)))
		add(name("extra trees"))(pair(ensemble.ExtraTreesConfig{Estimators: 20, Seed: 1}.FitClassifier(ds)))
		add(name("extra regression trees"))(pair(ensemble.ExtraTreesConfig{Estimators: 20, Seed: 1}.FitRegressor(ds)))
		add(name("AdaBoost"))(pair(ensemble.AdaBoostConfig{Estimators: 20}.FitClassifier(ds)))
		add(name("AdaBoost of another rule"))(pair(ensemble.AdaBoostConfig{Estimators: 7, Learner: atLeast}.FitClassifier(ds)))
		add(name("gradient boosting"))(pair(ensemble.GradientBoostingConfig{Estimators: 15}.FitClassifier(ds)))
		add(name("gradient boosting of one round"))(pair(ensemble.GradientBoostingConfig{Estimators: 1}.FitClassifier(ds)))
		add(name("gradient boosting regression"))(pair(ensemble.GradientBoostingConfig{Estimators: 15}.FitRegressor(ds)))
		add(name("histogram boosting"))(pair(ensemble.HistBoostingConfig{Estimators: 15}.FitClassifier(ds)))
		add(name("histogram boosting regression"))(pair(ensemble.HistBoostingConfig{Estimators: 15}.FitRegressor(ds)))
		add(name("bagging"))(pair(ensemble.BaggingConfig{Learner: stump}.FitClassifier(ds)))
		add(name("bagging of some columns"))(pair(ensemble.BaggingConfig{Learner: stump, FeaturesPerEstimator: (size.d + 1) / 2}.FitClassifier(ds)))
		add(name("bagging of logistic regressions"))(pair(ensemble.BaggingConfig{Estimators: 3, Learner: logisticModel}.FitClassifier(ds)))
		add(name("bagging that votes"))(pair(ensemble.BaggingConfig{Estimators: 4, Learner: logisticModel, Voting: ensemble.HardVoting}.FitClassifier(ds)))
		add(name("bagging of regression trees"))(pair(ensemble.BaggingConfig{RegressorLearner: regression, FeaturesPerEstimator: (size.d + 1) / 2}.FitRegressor(ds)))
		learners := []mlcore.ClassifierLearner{stump, logisticModel, perceptrons}
		add(name("voting"))(pair(ensemble.VotingConfig{Learners: learners, Weights: []float64{1, 1.5, 0.25}}.FitClassifier(ds)))
		add(name("soft voting"))(pair(ensemble.VotingConfig{Voting: ensemble.SoftVoting, Learners: learners[:2]}.FitClassifier(ds)))
		add(name("stacking"))(pair(ensemble.StackingConfig{Learners: learners, Passthrough: true}.FitClassifier(ds)))
		add(name("stacking without X"))(pair(ensemble.StackingConfig{Learners: learners[:2], FinalLearner: perceptrons}.FitClassifier(ds)))
		add(name("stacking of regressors"))(pair(ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{regression, leastSquares}, FinalRegressorLearner: regression, Passthrough: true}.FitRegressor(ds)))
		if size.classes == 2 {
			add(name("threshold"))(pair(modelsel.FixedThresholdConfig{Learner: stump, Threshold: 0.25}.FitClassifier(ds)))
		}
		add(name("voting of regressors"))(pair(ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{regression, leastSquares}, Weights: []float64{3, 1}}.FitRegressor(ds)))

		add(name("least squares"))(pair(linear.LeastSquaresConfig{}.FitRegressor(ds)))
		add(name("ridge"))(pair(linear.RidgeConfig{Alpha: 2}.FitRegressor(ds)))
		add(name("lasso"))(pair(linear.LassoConfig{Alpha: 0.2}.FitRegressor(ds)))
		add(name("logistic regression"))(pair(linear.LogisticConfig{}.FitClassifier(ds)))
		add(name("perceptron"))(pair(linear.PerceptronConfig{}.FitClassifier(ds)))

		for _, kernel := range []svm.Kernel{svm.Linear{}, svm.Polynomial{Degree: 3, Gamma: 0.3, Coef0: 1}, svm.RBF{}, svm.RBF{Gamma: 5}} {
			add(name(fmt.Sprintf("SVM with %v", kernel)))(pair(svm.Config{Kernel: kernel}.FitClassifier(ds)))
		}
		add(name("SVM regression"))(pair(svm.Config{Epsilon: 0.1, MaxIter: 500}.FitRegressor(ds)))
		add(name("linear SVM"))(pair(svm.LinearConfig{}.FitClassifier(ds)))
		add(name("linear SVM regression"))(pair(svm.LinearConfig{Epsilon: 0.1}.FitRegressor(ds)))

		add(name("Gaussian naive Bayes"))(pair(bayes.GaussianConfig{}.FitClassifier(ds)))
		add(name("Bernoulli naive Bayes"))(pair(bayes.BernoulliConfig{Threshold: 2}.FitClassifier(ds)))

		add(name("linear discriminants"))(pair(bayes.LinearDiscriminantConfig{}.FitClassifier(ds)))
		add(name("quadratic discriminants"))(pair(bayes.QuadraticDiscriminantConfig{RegParam: 0.1}.FitClassifier(ds)))
		for what, learner := range map[string]mlcore.ClassifierLearner{
			"trees": stump, "logistic regressions": logisticModel, "perceptrons": perceptrons,
			"boosting":    mlcore.LearnClassifier(ensemble.GradientBoostingConfig{Estimators: 2}.FitClassifier),
			"AdaBoost":    mlcore.LearnClassifier(ensemble.AdaBoostConfig{Estimators: 3}.FitClassifier),
			"LDA":         mlcore.LearnClassifier(bayes.LinearDiscriminantConfig{}.FitClassifier),
			"QDA":         mlcore.LearnClassifier(bayes.QuadraticDiscriminantConfig{RegParam: 0.1}.FitClassifier),
			"SVMs":        mlcore.LearnClassifier(svm.Config{}.FitClassifier),
			"linear SVMs": mlcore.LearnClassifier(svm.LinearConfig{}.FitClassifier),
			"pipelines":   mlcore.LearnClassifier(preprocess.PipelineConfig{Learner: perceptrons}.FitClassifier),
			"thresholds":  mlcore.LearnClassifier(modelsel.FixedThresholdConfig{Learner: logisticModel}.FitClassifier),
			"stacks":      mlcore.LearnClassifier(ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{stump}}.FitClassifier),
		} {
			if what == "thresholds" && size.classes > 2 {
				continue
			}
			for _, method := range []calibration.Method{calibration.Sigmoid, calibration.Isotonic} {
				if what == "SVMs" && method == calibration.Isotonic && size.d == 1 {
					continue // decision values of two grid points differ by rounding alone
				}
				add(name(fmt.Sprintf("%v of %s", method, what)))(pair(calibration.Config{Learner: learner, Method: method}.FitClassifier(ds)))
			}
		}
		for _, shape := range []cluster.Covariance{cluster.Full, cluster.Tied, cluster.Diagonal, cluster.Spherical} {
			add(name(fmt.Sprintf("mixture of %v covariance", shape)))(pair(cluster.MixtureConfig{Components: 3, Covariance: shape}.Fit(ds)))
		}
		add(name("k-means"))(pair(cluster.KMeansConfig{Clusters: 3, Seed: 1}.Fit(ds)))
		add(name("one calibration"))(pair(calibration.Config{Learner: stump, Method: calibration.Isotonic, Single: true}.FitClassifier(ds)))

		if size.d == 1 {
			add(name("isotonic regression"))(pair(isotonic.Config{}.FitRegressor(ds)))
			add(name("isotonic regression within bounds"))(pair(isotonic.Config{OutOfBounds: isotonic.Missing}.FitRegressor(ds)))
			for _, rows := range [][]int{{0}, {0, 1}} {
				add(name(fmt.Sprint("isotonic regression of rows ", rows)))(pair(isotonic.Config{}.FitRegressor(ds.Subset(rows))))
			}
		}

		add(name("network"))(pair(neural.Config{Hidden: []int{7, 5}, Epochs: 5}.FitClassifier(ds)))
		for _, h := range []neural.Activation{neural.LeakyReLU, neural.Tanh, neural.Sigmoid, neural.Linear, neural.Softplus} {
			add(name(fmt.Sprint("network of ", h)))(pair(neural.Config{Hidden: []int{6}, Activation: h, Epochs: 5}.FitClassifier(ds)))
		}
		small := *ds
		small.Target = nil
		for _, v := range ds.Target {
			small.Target = append(small.Target, v-1e9)
		}
		add(name("network regression"))(pair(neural.Config{Hidden: []int{6}, Epochs: 5}.FitRegressor(&small)))
	}
	b.run()
}

// What is measured from a mean keeps its digits where columns are far from 0.
func TestFarFromZero(t *testing.T) {
	b := newBench(t)
	ds, X := grid(200, 3, 3, 4), between(3, 5)
	for _, rows := range []*mat.Dense{ds.X, X} {
		rows.Apply(func(_, j int, v float64) float64 { return v + float64(j<<22) }, rows)
	}
	add := b.ask(X)
	add("SVM")(pair(svm.Config{Kernel: svm.RBF{Gamma: 1}}.FitClassifier(ds)))
	add("SVM regression")(pair(svm.Config{Kernel: svm.RBF{Gamma: 1}, Epsilon: 0.1, MaxIter: 500}.FitRegressor(ds)))
	add("SVM with a linear kernel")(pair(svm.Config{Kernel: svm.Linear{}}.FitClassifier(ds)))
	add("SVM regression with a linear kernel")(pair(svm.Config{Kernel: svm.Linear{}, Epsilon: 0.1, MaxIter: 500}.FitRegressor(ds)))
	add("Gaussian naive Bayes")(pair(bayes.GaussianConfig{}.FitClassifier(ds)))
	add("linear discriminants")(pair(bayes.LinearDiscriminantConfig{}.FitClassifier(ds)))
	add("quadratic discriminants")(pair(bayes.QuadraticDiscriminantConfig{}.FitClassifier(ds)))
	add("k-means")(pair(cluster.KMeansConfig{Clusters: 3}.Fit(ds)))
	add("mixture")(pair(cluster.MixtureConfig{Components: 2}.Fit(ds)))
	add("PCA")(pair(preprocess.PCAConfig{Components: 2}.Fit(ds)))
	scaled := preprocess.PipelineConfig{Steps: []preprocess.Step{preprocess.StandardScalerConfig{}}, Learner: logisticModel}
	add("scaled logistic regression")(pair(scaled.FitClassifier(ds)))
	b.run()
}

// Naive Bayes without smoothing, where some events never happen in a class.
func TestImpossibleEvents(t *testing.T) {
	b := newBench(t)
	ds := grid(40, 2, 4, 4)
	for i, k := range ds.Y {
		for j := range 2 {
			if (k+j)%2 == 0 && ds.X.At(i, j) > 2 {
				ds.X.Set(i, j, 0)
			}
		}
	}
	X := mat.NewDense(25, 2, nil)
	for i := range 25 {
		X.SetRow(i, []float64{float64(i / 5), float64(i % 5)})
	}
	add := b.ask(X)
	add("Bernoulli")(pair(bayes.BernoulliConfig{Threshold: 2, Smoothing: bayes.Lidstone(0)}.FitClassifier(ds)))
	add("multinomial")(pair(bayes.MultinomialConfig{Smoothing: bayes.Lidstone(0)}.FitClassifier(ds)))
	levels := *ds
	levels.Columns = nil
	for _, c := range ds.Columns {
		c.Levels = []string{"0", "1", "2", "3", "4"}
		levels.Columns = append(levels.Columns, c)
	}
	add("categorical")(pair(bayes.CategoricalConfig{Smoothing: bayes.Lidstone(0)}.FitClassifier(&levels)))
	b.run()
}

// edited returns a model with other numbers in lists of its file: no fit ends with them.
func edited[M any](t *testing.T, m M, lists map[string]string) M {
	t.Helper()
	text, err := modelfile.MarshalJSON(m)
	for name, numbers := range lists {
		field := regexp.MustCompile(`"` + name + `": (\[[^]{]*\]|[-+.e\d]+)`)
		if !field.Match(text) {
			t.Fatalf("%T has no field %s", m, name)
		}
		text = field.ReplaceAll(text, []byte(`"`+name+`": `+numbers))
	}
	if err == nil {
		m, err = modelfile.UnmarshalJSON[M](text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Where two classes tie, and just beside.
func TestTies(t *testing.T) {
	b := newBench(t)
	ds, X := grid(200, 2, 2, 3), between(2, 9)
	ask := func(name string, m any) { b.add(name, m, inputsOf(ds.Columns, X), says(m, X, rounding)) }

	// Two members of equal weight that disagree, of which the higher wins.
	boosted := edited(t, fit[*ensemble.AdaBoost](t)(ensemble.AdaBoostConfig{Estimators: 2}.FitClassifier(ds)), map[string]string{"alphas": "[0.5, 0.5]"})
	votes, err := boosted.Votes(X)
	if err != nil {
		t.Fatal(err)
	}
	ties := 0
	for i := range 300 {
		if votes.At(i, 0) == votes.At(i, 1) {
			ties++
		}
	}
	if ties < 10 {
		t.Fatalf("%d ties", ties)
	}
	ask("AdaBoost", boosted)

	linearSVM := fit[*svm.LinearClassifier](t)(svm.LinearConfig{}.FitClassifier(ds))
	logistic := fit[*linear.Logistic](t)(linear.LogisticConfig{}.FitClassifier(ds))
	machine := fit[*svm.Classifier](t)(svm.Config{}.FitClassifier(ds))
	network := fit[*neural.Classifier](t)(neural.Config{Hidden: []int{1}, Epochs: 2}.FitClassifier(ds))
	zeros := "[" + strings.Repeat("0, ", len(machine.Support())-1) + "0]"
	for _, offset := range []string{"0", "1e-9", "-1e-9"} {
		ask("linear SVM "+offset, edited(t, linearSVM, map[string]string{"coef": "[0, 0]", "intercept": offset}))
		ask("logistic regression "+offset, edited(t, logistic, map[string]string{"coef": "[0, 0]", "intercept": "[" + offset + "]"}))
		ask("SVM "+offset, edited(t, machine, map[string]string{"coef": zeros, "intercept": offset}))
		ask("network "+offset, edited(t, network, map[string]string{"parameters": "[0, 0, 0, 0, " + offset + "]"}))
	}
	b.run()
}

// Boosted models whose trees early stopping has all taken back.
func TestNoTrees(t *testing.T) {
	b := newBench(t)
	ds, X := grid(200, 2, 3, 3), between(2, 9)
	for _, m := range []any{
		fit[any](t)(pair(ensemble.GradientBoostingConfig{Estimators: 1}.FitClassifier(ds))),
		fit[any](t)(pair(ensemble.HistBoostingConfig{Estimators: 1}.FitRegressor(ds))),
	} {
		text, err := modelfile.MarshalJSON(m)
		var file map[string]any
		if err == nil {
			err = json.Unmarshal(text, &file)
		}
		if err != nil {
			t.Fatal(err)
		}
		file["model"].(map[string]any)["trees"] = []any{}
		if text, err = json.Marshal(file); err == nil {
			m, err = modelfile.UnmarshalJSON[any](text)
		}
		if err != nil {
			t.Fatal(err)
		}
		b.add(fmt.Sprintf("%T", m), m, inputsOf(ds.Columns, X), says(m, X, rounding))
	}
	b.run()
}

// A class without rows in the middle, and one at the end that members do not know.
func TestAbsentClasses(t *testing.T) {
	b := newBench(t)
	ds := grid(300, 2, 3, 6)
	for i, k := range ds.Y {
		if k == 1 {
			ds.Y[i] = 2
		} else if k == 2 {
			ds.Y[i] = 3
		}
	}
	ds.ClassNames = []string{"a", "b", "c", "d", "e"}
	two := ds.Subset(nil)
	*two = *ds
	two.Y = make([]int, len(ds.Y))
	for i, k := range ds.Y {
		two.Y[i] = 1 + min(k, 2)
	}
	fewer := func(learn mlcore.ClassifierLearner) mlcore.ClassifierLearner {
		return func(ds *mlcore.Dataset) (mlcore.Classifier, error) {
			known := *ds
			known.ClassNames = ds.ClassNames[:4]
			return learn(&known)
		}
	}
	for _, ds := range []*mlcore.Dataset{ds, two} {
		X := between(2, 2)
		add := b.ask(X)
		name := func(kind string) string { return fmt.Sprint(kind, ", first label ", ds.Y[0]) }
		add(name("tree"))(pair(tree.Config{}.FitClassifier(ds)))
		add(name("forest"))(pair(ensemble.ForestConfig{Estimators: 10}.FitClassifier(ds)))
		add(name("AdaBoost"))(pair(ensemble.AdaBoostConfig{Estimators: 10}.FitClassifier(ds)))
		add(name("gradient boosting"))(pair(ensemble.GradientBoostingConfig{Estimators: 5}.FitClassifier(ds)))
		add(name("histogram boosting"))(pair(ensemble.HistBoostingConfig{Estimators: 5}.FitClassifier(ds)))
		add(name("bagging of fewer classes"))(pair(ensemble.BaggingConfig{Learner: fewer(logisticModel)}.FitClassifier(ds)))
		add(name("bagging of trees of fewer classes"))(pair(ensemble.BaggingConfig{Learner: fewer(stump)}.FitClassifier(ds)))
		add(name("bagging of perceptrons"))(pair(ensemble.BaggingConfig{Learner: perceptrons, Voting: ensemble.HardVoting}.FitClassifier(ds)))
		add(name("pipeline of fewer classes"))(pair(preprocess.PipelineConfig{Learner: fewer(logisticModel)}.FitClassifier(ds)))
		add(name("pipeline of a perceptron of fewer classes"))(pair(preprocess.PipelineConfig{Learner: fewer(perceptrons)}.FitClassifier(ds)))
		add(name("logistic regression"))(pair(linear.LogisticConfig{}.FitClassifier(ds)))
		add(name("perceptron"))(pair(linear.PerceptronConfig{}.FitClassifier(ds)))
		add(name("SVM"))(pair(svm.Config{}.FitClassifier(ds)))
		add(name("linear SVM"))(pair(svm.LinearConfig{}.FitClassifier(ds)))
		add(name("naive Bayes"))(pair(bayes.GaussianConfig{}.FitClassifier(ds)))
		add(name("linear discriminants"))(pair(bayes.LinearDiscriminantConfig{}.FitClassifier(ds)))
		add(name("quadratic discriminants"))(pair(bayes.QuadraticDiscriminantConfig{RegParam: 0.2}.FitClassifier(ds)))
		add(name("calibrated SVM"))(pair(calibration.Config{Learner: mlcore.LearnClassifier(svm.LinearConfig{}.FitClassifier)}.FitClassifier(ds)))
		add(name("calibrated trees"))(pair(calibration.Config{Learner: stump, Method: calibration.Isotonic}.FitClassifier(ds)))
		add(name("network"))(pair(neural.Config{Hidden: []int{4}, Epochs: 5}.FitClassifier(ds)))
		m, err := svm.Config{}.FitProbClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		b.add(name("SVM with probabilities"), m, inputsOf(ds.Columns, X), says(m, X, 1e-9))
	}
	b.run()
}

// Pairwise coupling is a solution of equations here and an iteration in package svm, which
// stops where the equations hold within 1e-12.
func TestCoupledProbabilities(t *testing.T) {
	b := newBench(t)
	for _, classes := range []int{2, 3, 5, 12, 30} {
		ds := grid(240, 3, classes, 5)
		m, err := svm.Config{Kernel: svm.RBF{Gamma: 0.2}, Folds: 2}.FitProbClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		X := between(3, 8)
		b.add(fmt.Sprint(classes, " classes"), m, inputsOf(m.Schema().Columns, X), says(m, X, 1e-9))
	}
	b.run()
}

// Of many classes, coupling takes no more room than their machines: twice as many numbers as
// there are pairs, not their product with the square of the classes.
func TestCoupledProbabilitiesTakeLittleRoom(t *testing.T) {
	const classes = 50
	ds := grid(240, 2, classes, 5)
	cfg := svm.Config{Kernel: svm.Linear{}, Folds: 2}
	plain, err := svm.Config{Kernel: svm.Linear{}}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	proba, err := cfg.FitProbClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	size := func(m any) int {
		b, err := Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	if a, b := size(plain), size(proba); b > a+20*8*classes*classes {
		t.Errorf("%d bytes with probabilities, %d without", b, a)
	}
}

// Categories by name, of few and of many levels, with gaps and without.
func TestCategories(t *testing.T) {
	b := newBench(t)
	for _, gaps := range []bool{false, true} {
		ds := people(600, gaps, 3)
		add := b.ask(people(300, gaps, 4).X)
		name := func(kind string) string { return fmt.Sprintf("%s, gaps: %v", kind, gaps) }
		grow := tree.Config{AllowMissing: gaps}

		add(name("tree"))(pair(grow.FitClassifier(ds)))
		add(name("regression tree"))(pair(grow.FitRegressor(ds)))
		add(name("forest"))(pair(ensemble.ForestConfig{Estimators: 20, Seed: 1, Tree: grow}.FitClassifier(ds)))
		add(name("regression forest"))(pair(ensemble.ForestConfig{Estimators: 20, Seed: 1, Tree: grow}.FitRegressor(ds)))
		add(name("AdaBoost"))(pair(ensemble.AdaBoostConfig{Estimators: 10, Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 2, AllowMissing: gaps}.FitClassifier)}.FitClassifier(ds)))
		add(name("gradient boosting"))(pair(ensemble.GradientBoostingConfig{Estimators: 10, Tree: grow}.FitClassifier(ds)))
		add(name("gradient boosting regression"))(pair(ensemble.GradientBoostingConfig{Estimators: 10, Tree: grow}.FitRegressor(ds)))
		add(name("histogram boosting"))(pair(ensemble.HistBoostingConfig{Estimators: 10, AllowMissing: gaps}.FitClassifier(ds)))
		add(name("histogram boosting regression"))(pair(ensemble.HistBoostingConfig{Estimators: 10, AllowMissing: gaps}.FitRegressor(ds)))
		add(name("bagging of some columns"))(pair(ensemble.BaggingConfig{FeaturesPerEstimator: 2, Seed: 2, Learner: mlcore.LearnClassifier(grow.FitClassifier)}.FitClassifier(ds)))

		steps := []preprocess.Step{preprocess.ImputerConfig{Strategy: preprocess.Median}, preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore, DropFirst: true}, preprocess.StandardScalerConfig{}}
		pipeline := preprocess.PipelineConfig{Steps: steps, Learner: logisticModel}
		add(name("pipeline"))(pair(pipeline.FitClassifier(ds)))
		ridge := mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1}.FitRegressor)
		add(name("regression pipeline"))(pair(preprocess.PipelineConfig{Steps: steps, RegressorLearner: ridge}.FitRegressor(ds)))
		pipeline.Learner = perceptrons
		add(name("pipeline of a perceptron"))(pair(pipeline.FitClassifier(ds)))
		bag := ensemble.BaggingConfig{Estimators: 3, Learner: mlcore.LearnClassifier(pipeline.FitClassifier)}
		add(name("bag of pipelines"))(pair(bag.FitClassifier(ds)))
		pipeline.Steps = []preprocess.Step{preprocess.ImputerConfig{}, preprocess.OrdinalConfig{AllLevels: true}, preprocess.PCAConfig{Components: 2, Columns: []string{"age", "in kg"}}, preprocess.PolynomialConfig{Degree: 4}, preprocess.MinMaxScalerConfig{Clip: true}}
		pipeline.Learner = stump
		add(name("long pipeline"))(pair(pipeline.FitClassifier(ds)))
		pipeline.Steps = []preprocess.Step{preprocess.ImputerConfig{}, preprocess.DiscretizerConfig{Bins: 4}}
		pipeline.Learner = mlcore.LearnClassifier(bayes.CategoricalConfig{}.FitClassifier)
		add(name("naive Bayes of intervals"))(pair(pipeline.FitClassifier(ds)))

		for _, method := range []calibration.Method{calibration.Sigmoid, calibration.Isotonic} {
			calibrated := calibration.Config{Learner: mlcore.LearnClassifier(grow.FitClassifier), Method: method}
			add(name(fmt.Sprintf("%v of trees", method)))(pair(calibrated.FitClassifier(ds)))
			calibrated.Learner = mlcore.LearnClassifier(preprocess.PipelineConfig{Steps: steps, Learner: logisticModel}.FitClassifier)
			add(name(fmt.Sprintf("%v of pipelines", method)))(pair(calibrated.FitClassifier(ds)))
		}

		add(name("imputer"))(pair(preprocess.ImputerConfig{Columns: []string{"age", "place"}}.Fit(ds)))
		add(name("ordinal numbers"))(pair(preprocess.OrdinalConfig{AllLevels: true}.Fit(ds)))
		add(name("standard scaler"))(pair(preprocess.StandardScalerConfig{Columns: []string{"in kg"}}.Fit(ds)))
		add(name("range scaler"))(pair(preprocess.MinMaxScalerConfig{Min: -1, Max: 3, Clip: true}.Fit(ds)))
		add(name("target encoder"))(pair(preprocess.TargetEncoderConfig{}.Fit(ds)))
		targets := *ds
		targets.Y, targets.ClassNames = nil, nil
		add(name("target encoder of numbers"))(pair(preprocess.TargetEncoderConfig{Columns: []string{"place"}}.Fit(&targets)))
		add(name("intervals"))(pair(preprocess.DiscretizerConfig{Bins: 5}.Fit(ds)))
	}
	ds := people(600, false, 3)
	b.ask(people(300, false, 4).X)("one-hot columns")(pair(preprocess.OneHotConfig{AllLevels: true}.Fit(ds)))
	b.run()
}

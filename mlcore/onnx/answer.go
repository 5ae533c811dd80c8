package onnx

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

// An answer is what a model makes of n rows: the names of tensors.
type answer struct {
	// codes are the classes, n long; "" of a regressor or a transformer.
	codes string
	// proba are the n×classes probabilities; "" where the model estimates none.
	proba   string
	classes int
	// decisions are what a classifier decides by, where that is not its probabilities;
	// else "". They are n×1 and positive for the higher of two classes if one is set,
	// else n×classes.
	decisions string
	one       bool
	// value is n×width: predictions, or columns that come out.
	value string
	width int
}

func numbers(value string, width int) answer { return answer{value: value, width: width} }

// A converter appends what a model does with x, which is n×d.
type converter func(g *graph, r *archive.Record, x string, d int) (answer, error)

// converters of all kinds of models that can be written.
var converters map[string]converter

func init() { // not a declaration: converters call each other
	converters = map[string]converter{
		"tree.Classifier": treeClassifier,
		"tree.Regressor":  treeRegressor,

		"ensemble.Forest":                    forest,
		"ensemble.RegressionForest":          regressionForest,
		"ensemble.AdaBoost":                  adaBoost,
		"ensemble.Bagging":                   bagging,
		"ensemble.BaggingRegressor":          baggingRegressor,
		"ensemble.Voting":                    voting,
		"ensemble.VotingRegressor":           votingRegressor,
		"ensemble.Stacking":                  stacking,
		"ensemble.StackingRegressor":         stackingRegressor,
		"ensemble.GradientBoosting":          boostedClassifier(boostedTrees),
		"ensemble.GradientBoostingRegressor": boostedRegressor(boostedTrees),
		"ensemble.HistBoosting":              boostedClassifier(histogramTrees),
		"ensemble.HistBoostingRegressor":     boostedRegressor(histogramTrees),

		"linear.LeastSquares": surface,
		"linear.Ridge":        surface,
		"linear.ElasticNet":   surface,
		"linear.Logistic":     logistic,
		"linear.Perceptron":   perceptron,

		"svm.Classifier":       svmClassifier,
		"svm.ProbClassifier":   svmProbClassifier,
		"svm.Regressor":        svmRegressor,
		"svm.LinearClassifier": linearSVMClassifier,
		"svm.LinearRegressor":  surface,

		"bayes.Gaussian":              gaussian,
		"bayes.Categorical":           categorical,
		"bayes.Bernoulli":             bernoulli,
		"bayes.Multinomial":           multinomial,
		"bayes.LinearDiscriminant":    linearDiscriminant,
		"bayes.QuadraticDiscriminant": quadraticDiscriminant,

		"calibration.Classifier": calibrated,
		"isotonic.Model":         isotonicModel,

		"cluster.KMeans":  nearestCentre,
		"cluster.Mixture": mixture,

		"neural.Classifier": neuralClassifier,
		"neural.Regressor":  neuralRegressor,
		"neural.Network":    network,

		"modelsel.ThresholdClassifier": threshold,

		"preprocess.Imputer":       imputer,
		"preprocess.Scaler":        scaler,
		"preprocess.Discretizer":   discretizer,
		"preprocess.OneHot":        oneHot,
		"preprocess.Ordinal":       ordinal,
		"preprocess.TargetEncoder": targetEncoder,
		"preprocess.Selection":     subset,
		"preprocess.Elimination":   subset,
		"preprocess.PCA":           pca,
		"preprocess.Polynomial":    polynomial,
		"preprocess.Classifier":    pipelineClassifier,
		"preprocess.Regressor":     pipelineRegressor,
	}
}

// notWritten says why models of the other kinds are not written.
var notWritten = map[string]string{
	"cluster.Agglomerative":   "it labels its training rows and predicts nothing",
	"cluster.DBSCAN":          searches,
	"cluster.Density":         "it estimates a density, which is neither a class, a prediction nor a column",
	"id3.Model":               "its tests have a branch for each category, and trees of ONNX have two; tree.Config fits such trees",
	"metrics.ConfusionMatrix": "it is a table of counts and predicts nothing",
	"neighbors.Classifier":    searches,
	"neighbors.Index":         searches,
	"neighbors.Regressor":     searches,
	"preprocess.KNNImputer":   searches,
}

const searches = "it searches its training rows for near ones, for which ONNX has no operator"

// convert appends what a model of any kind does.
func (g *graph) convert(r *archive.Record, x string, d int) (answer, error) {
	if c := converters[r.Kind()]; c != nil {
		return c(g, r, x, d)
	}
	why, known := notWritten[r.Kind()]
	if !known {
		why = "package onnx does not know the kind"
	}
	return answer{}, fmt.Errorf("a model of kind %s cannot be written: %s (%w to ONNX)", r.Kind(), why, mlcore.ErrKind)
}

// decided is the answer of a classifier whose most probable class is predicted.
func (g *graph) decided(proba string, classes int) answer {
	return answer{codes: g.argmax(proba), proba: proba, classes: classes}
}

// certain is padded with probabilities in any case: where a classifier estimates none, 1
// for the class that it predicts.
func (g *graph) certain(a answer, classes int) answer {
	if a.proba == "" {
		a.proba, a.classes = g.oneHot(a.codes, classes), classes
	}
	return g.padded(a, classes)
}

// padded is a classifier's answer with probabilities, where it estimates some, of that
// many classes: 0 for classes that it does not know.
func (g *graph) padded(a answer, classes int) answer {
	if a.proba != "" && a.classes < classes {
		eye := make([]float64, a.classes*classes)
		for k := range a.classes {
			eye[k*classes+k] = 1
		}
		a.proba = g.product(a.proba, g.matrix(a.classes, classes, eye))
	}
	a.classes = classes
	return a
}

// threshold predicts the second class from a probability on.
func threshold(g *graph, r *archive.Record, x string, d int) (answer, error) {
	a, err := g.convert(r.Group("model"), x, d)
	if err != nil {
		return a, err
	}
	positive := g.column(a.proba, 1)
	codes := g.toInt64(g.op("GreaterOrEqual", positive, g.constant(doubleTensor(nil, []float64{r.Float64("threshold")}))))
	return answer{codes: codes, proba: a.proba, classes: a.classes}, nil
}

// deciding gives the answer of linear functions, n×classes, their decisions: of two classes
// the first has the constant 0.
func (g *graph) deciding(a answer, scores string) answer {
	if a.decisions, a.one = scores, a.classes == 2; a.one {
		a.decisions = g.columns(scores, []int{1})
	}
	return a
}

// scoresOf makes n×2 scores, 0 and the score, of n×1 log odds of class 1, of which
// softmax makes probabilities.
func (g *graph) scoresOf(odds string) string { return g.op("Mul", odds, g.row(0, 1)) }

package bench

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// TooSlow is the ratio below which a drawn workload is a find: the peer is more than
// twice as fast.
const TooSlow = 0.5

// drawnName begins the names of drawn workloads.
const drawnName = "drawn "

// Drawn returns n workloads that chance chooses, an estimator and a shape of data each, to
// look for inputs on which the library is slow that nobody has thought of. The same seed
// draws the same.
func Drawn(seed uint64, n int) []Workload {
	rows := make([]Workload, n)
	for i := range rows {
		rows[i] = drawn(seed, i)
	}
	return rows
}

func drawn(seed uint64, i int) Workload {
	rng := mlcore.NewRand(seed, uint64(i))
	c := contenders[rng.IntN(len(contenders))]
	s := drawShape(rng, c)
	w := Workload{
		Name: fmt.Sprintf("%s%d %d: %s, %s", drawnName, seed, i, c.name, s), Peer: "scikit-learn", Bar: TooSlow, Aim: 1,
		Key: c.key, estimator: c.estimator, settings: c.settings, data: s.make, prepare: c.prepare,
	}
	if c.targets {
		w.data = withTargets(s.make)
	}
	return w
}

// drawnAs finds a drawn workload by its name.
func drawnAs(name string) (w Workload, found bool) {
	var seed uint64
	var i int
	if rest, ok := strings.CutPrefix(name, drawnName); ok {
		if _, err := fmt.Sscanf(rest, "%d %d:", &seed, &i); err == nil && i >= 0 {
			w = drawn(seed, i)
		}
	}
	return w, w.Name == name && name != ""
}

// A contender is an estimator on both sides, with the same settings.
type contender struct {
	name, key, estimator string
	settings             settings
	// targets are numbers to be predicted, in the place of classes.
	targets bool
	// predicts tells that predictions are timed, of as many rows as are learned from.
	predicts bool
	// rows is the most of them, for work that grows with their square.
	rows    int
	prepare func(train, test *mlcore.Dataset) (func() (scored, error), error)
}

var contenders = slices.Concat(often(), lessAsked(), predictors())

// often are the contenders that are asked most.
func often() []contender {
	return []contender{
		{name: "CART", key: "tree", prepare: fitting(mlcore.LearnClassifier(tree.Config{}.FitClassifier))},
		{name: "regression tree", key: "fit", estimator: "DecisionTreeRegressor", targets: true, prepare: regressing(mlcore.LearnRegressor(tree.Config{}.FitRegressor))},
		{name: "random forest of 10", key: "fit", estimator: "RandomForestClassifier", settings: settings{"n_estimators": 10},
			prepare: fitting(mlcore.LearnClassifier(ensemble.ForestConfig{Estimators: 10}.FitClassifier))},
		{name: "ExtraTrees of 10", key: "fit", estimator: "ExtraTreesClassifier", settings: settings{"n_estimators": 10},
			prepare: fitting(mlcore.LearnClassifier(ensemble.ExtraTreesConfig{Estimators: 10}.FitClassifier))},
		{name: "gradient boosting of 10", key: "fit", estimator: "GradientBoostingRegressor", settings: settings{"n_estimators": 10}, targets: true,
			prepare: regressing(mlcore.LearnRegressor(ensemble.GradientBoostingConfig{Estimators: 10}.FitRegressor))},
		{name: "histogram boosting of 20", key: "fit", estimator: "HistGradientBoostingClassifier", settings: settings{"max_iter": 20, "early_stopping": false},
			prepare: fitting(mlcore.LearnClassifier(ensemble.HistBoostingConfig{Estimators: 20, MaxLeafNodes: 31}.FitClassifier))},
		{name: "AdaBoost of 10 stumps", key: "fit", estimator: "AdaBoostClassifier", settings: settings{"n_estimators": 10},
			prepare: fitting(mlcore.LearnClassifier(ensemble.AdaBoostConfig{Estimators: 10, Tree: tree.Config{MaxDepth: 1}}.FitClassifier))},
		{name: "k-NN", key: "knn", prepare: fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Neighbors: 5}.FitClassifier))},
		{name: "k-NN by Manhattan", key: "fit-and-predict", estimator: "KNeighborsClassifier", settings: settings{"metric": "manhattan"},
			prepare: fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Neighbors: 5, Metric: neighbors.Manhattan}.FitClassifier))},
		{name: "Gaussian naive Bayes", key: "gaussian-bayes", prepare: fittingAndPredicting(mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier))},
		{name: "logistic regression", key: "fit", estimator: "LogisticRegression", prepare: fitting(mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier))},
		{name: "ridge", key: "fit", estimator: "Ridge", targets: true, prepare: ridgeFit},
		{name: "least squares", key: "fit", estimator: "LinearRegression", targets: true, prepare: regressing(mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor))},
		{name: "lasso", key: "fit", estimator: "Lasso", settings: settings{"alpha": 0.05}, targets: true,
			prepare: regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 1, Tol: 1e-4}.FitRegressor))},
		{name: "linear SVC", key: "fit", estimator: "LinearSVC", prepare: fitting(mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge}.FitClassifier))},
		{name: "SVC with RBF", key: "fit", estimator: "SVC", rows: 2000, prepare: fitting(mlcore.LearnClassifier(svm.Config{}.FitClassifier))},
		{name: "SVR with RBF", key: "fit", estimator: "SVR", rows: 2000, targets: true, prepare: regressing(mlcore.LearnRegressor(svm.Config{Epsilon: 0.1}.FitRegressor))},
		{name: "PCA", key: "components", estimator: "PCA", prepare: componentsOf(0)},
		{name: "k-means of 10", key: "cluster", estimator: "KMeans", settings: settings{"n_clusters": 10, "n_init": 1}, prepare: clustering(kMeansFrom(10))},
		{name: "k-means++ of 10 and one iteration", key: "groups", estimator: "KMeans", settings: settings{"n_clusters": 10, "n_init": 1, "max_iter": 1}, prepare: seedingOf(10)},
		{name: "full mixture of 2", key: "mixture-fit", estimator: "GaussianMixture", settings: settings{"n_components": 2, "max_iter": 5, "tol": 0.0, "reg_covar": 1e-3},
			prepare: clustering(func(train *mlcore.Dataset) (clusterer, error) {
				return cluster.MixtureConfig{Components: 2, RegCovar: 1e-3, MaxIter: 5, Tol: 1e-300}.Fit(train)
			})},
		{name: "a network of 50", key: "fit", estimator: "MLPClassifier", settings: settings{"hidden_layer_sizes": []int{50}, "max_iter": 3},
			prepare: fitting(mlcore.LearnClassifier(networkOf(50, 3).FitClassifier))},
		{name: "a scaler", key: "fit-transform", estimator: "StandardScaler", prepare: scaling},
	}
}

// predictors are the contenders of which predictions are timed.
func predictors() []contender {
	by := func(name, estimator string, s settings, learn mlcore.ClassifierLearner) contender {
		return contender{name: "predictions of " + name, key: "predict", estimator: estimator, settings: s, predicts: true, prepare: predicting(learn)}
	}
	return []contender{
		by("CART", "DecisionTreeClassifier", nil, mlcore.LearnClassifier(tree.Config{}.FitClassifier)),
		by("a random forest of 30", "RandomForestClassifier", settings{"n_estimators": 30}, mlcore.LearnClassifier(ensemble.ForestConfig{Estimators: 30}.FitClassifier)),
		by("gradient boosting of 10", "GradientBoostingClassifier", settings{"n_estimators": 10}, mlcore.LearnClassifier(ensemble.GradientBoostingConfig{Estimators: 10}.FitClassifier)),
		by("histogram boosting of 20", "HistGradientBoostingClassifier", settings{"max_iter": 20, "early_stopping": false},
			mlcore.LearnClassifier(ensemble.HistBoostingConfig{Estimators: 20, MaxLeafNodes: 31}.FitClassifier)),
		by("AdaBoost of 10 stumps", "AdaBoostClassifier", settings{"n_estimators": 10}, mlcore.LearnClassifier(ensemble.AdaBoostConfig{Estimators: 10, Tree: tree.Config{MaxDepth: 1}}.FitClassifier)),
		by("logistic regression", "LogisticRegression", nil, mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)),
		by("a linear SVC", "LinearSVC", nil, mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge}.FitClassifier)),
		by("a network of 50", "MLPClassifier", settings{"hidden_layer_sizes": []int{50}, "max_iter": 3}, mlcore.LearnClassifier(networkOf(50, 3).FitClassifier)),
	}
}

// A shape is what data look like.
type shape struct {
	rows, columns, classes int
	queries                int // test rows; 0: 500
	// zeros is the share of values that are 0, copies how often each row is there, rank
	// that of the matrix (0: as great as it can be), steps the number of values in a
	// column (0: all differ), spread the number of decades between the scales of columns.
	zeros  float64
	copies int
	rank   int
	steps  int
	spread float64
	seed   uint64
}

func (s shape) String() string {
	parts := []string{fmt.Sprintf("%d x %d", s.rows, s.columns), fmt.Sprintf("%d classes", s.classes)}
	for _, p := range []struct {
		there bool
		text  string
	}{
		{s.zeros > 0, fmt.Sprintf("%.0f %% zeros", 100*s.zeros)}, {s.copies > 1, fmt.Sprintf("each row %d times", s.copies)},
		{s.rank > 0, fmt.Sprintf("rank %d", s.rank)}, {s.steps > 0, fmt.Sprintf("%d values a column", s.steps)},
		{s.spread > 0, fmt.Sprintf("scales over %.0f decades", s.spread)},
	} {
		if p.there {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(parts, ", ")
}

// mostCells is how many values the training rows have at most.
const mostCells = 1 << 20

func drawShape(rng *rand.Rand, c contender) shape {
	between := func(least, most float64) int {
		return int(math.Round(least * math.Pow(most/least, rng.Float64())))
	}
	s := shape{rows: between(60, 30_000), classes: 2, copies: 1, seed: rng.Uint64()}
	if c.rows > 0 {
		s.rows = min(s.rows, c.rows)
	}
	if c.predicts {
		s.queries = s.rows
	}
	s.columns = between(5, min(1500, float64(mostCells/s.rows)))
	if rng.IntN(3) == 0 {
		s.classes = between(2, 30)
	}
	switch rng.IntN(6) {
	case 0:
		s.zeros = 0.5 + 0.49*rng.Float64()
	case 1:
		s.copies = between(2, 20)
	case 2:
		s.rank = between(1, float64(s.columns))
	case 3:
		s.steps = between(2, 50)
	case 4:
		s.spread = 1 + 5*rng.Float64()
	}
	return s
}

// make draws the rows. Classes follow from the first columns as in [madeUp], which the
// change of the values leaves as they are.
func (s shape) make() (train, test *mlcore.Dataset, err error) {
	train, test, err = madeUp{rows: s.rows, columns: s.columns, classes: s.classes, queries: cmp.Or(s.queries, 500)}.make()
	if err != nil {
		return nil, nil, err
	}
	rng := mlcore.NewRand(s.seed)
	var loadings mat.Dense
	if s.rank > 0 {
		loadings = *mat.NewDense(s.rank, s.columns, nil)
		for i := range loadings.RawMatrix().Data {
			loadings.RawMatrix().Data[i] = rng.NormFloat64()
		}
	}
	scales := make([]float64, s.columns)
	for j := range scales {
		scales[j] = math.Pow(10, float64(s.spread*(rng.Float64()-0.5)))
	}
	for _, ds := range []*mlcore.Dataset{train, test} {
		n := len(ds.Y)
		if s.rank > 0 {
			scores := mat.DenseCopyOf(ds.X.Slice(0, n, 0, min(s.rank, s.columns)))
			ds.X.Mul(scores, &loadings)
		}
		for i := range n {
			row := ds.X.RawRowView(i)
			if from := i % max(n/s.copies, 1); s.copies > 1 && from < i {
				copy(row, ds.X.RawRowView(from))
				ds.Y[i] = ds.Y[from]
				continue
			}
			for j, v := range row {
				if s.zeros > 0 && rng.Float64() < s.zeros {
					v = 0
				}
				if s.steps > 0 {
					v = math.Round(v * float64(s.steps) / 6)
				}
				row[j] = v * scales[j]
			}
		}
	}
	return train, test, nil
}

// scaling times a fit and the transform of the training rows. The score is the greatest
// mean that is left, in standard deviations, which is 0 but for rounding.
func scaling(train, _ *mlcore.Dataset) (func() (scored, error), error) {
	return func() (scored, error) {
		m, err := preprocess.StandardScalerConfig{}.Fit(train)
		if err != nil {
			return nil, err
		}
		scaled, err := m.Transform(train)
		if err != nil {
			return nil, err
		}
		return func() (float64, error) {
			worst := 0.0
			for j := range scaled.NumFeatures() {
				worst = max(worst, math.Abs(mat.Sum(scaled.X.ColView(j)))/float64(len(scaled.Y)))
			}
			return math.Round(1e6 * worst), nil
		}, nil
	}, nil
}

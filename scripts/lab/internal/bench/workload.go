package bench

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/uci"
	"gonum.org/v1/gonum/mat"
)

// Threads is how many processors each side of a row may use, where nobody says otherwise.
const Threads = 2

// A Workload is one row of the table.
type Workload struct {
	// Name is the row's name and Key the peer script's name for it.
	Name, Key string
	// Peer is the library on the other side.
	Peer string
	// library, where not "", is what replaces scikit-learn's algorithms on that side.
	library string
	// Bar is the ratio, the peer's time over ours, that must be reached; Aim
	// the one that is worth a try.
	Bar, Aim float64
	// data makes the training and test rows, or nil where the work loads
	// files itself.
	data func() (train, test *mlcore.Dataset, err error)
	// files are the data sets whose files the work reads.
	files []string
	// share, where not nil, writes what else the peer needs.
	share func(m *manifest, dir string) error
	// once is for work of a minute and more: one run is counted and none goes
	// before it.
	once bool
	// most is the greatest number of counted runs, for work of many seconds; 0 is no
	// limit.
	most int
	// threads is how many processors each side may use, [Threads] if 0.
	threads int
	// trees is how many trees or rounds the peer's ensemble has, its key's own
	// number if 0.
	trees int
	// estimator is the class of scikit-learn's that the peer's script makes, for the keys
	// that name none themselves, with these settings beside its defaults.
	estimator string
	settings  settings
	// prepare does what is not timed and returns the timed work. Its score is
	// the accuracy on the test rows, or the number of rows loaded.
	prepare func(train, test *mlcore.Dataset) (work func() (score func() (float64, error), err error), err error)
}

// settings are keyword arguments of a class of scikit-learn's.
type settings map[string]any

// processors is how many processors each side may use.
func (w Workload) processors() int { return cmp.Or(w.threads, Threads) }

// on is the same work on so many processors, on as many as before if that is 0.
func (w Workload) on(threads int) Workload {
	w.threads = cmp.Or(threads, w.threads)
	return w
}

// Workloads lists the rows in the order of the table.
func Workloads() []Workload {
	return slices.Concat(theClassics(), boostingAtEverySize(), margins(), linearModels(), workshop(), onContinuousColumns(), inOtherShapes(), fewerAsked(), besideIntel())
}

// theClassics are the rows of the first tables.
func theClassics() []Workload {
	return []Workload{
		{Name: "CART fit, Letter", Key: "tree", Peer: "scikit-learn", Bar: 4, Aim: 8, data: letter,
			prepare: fitting(mlcore.LearnClassifier(tree.Config{}.FitClassifier))},
		{Name: "CART fit, 100,000 x 20 continuous", Key: "tree", Peer: "scikit-learn", Bar: 2, Aim: 5,
			data:    func() (train, test *mlcore.Dataset, err error) { return continuous(100_000) },
			prepare: fitting(mlcore.LearnClassifier(tree.Config{}.FitClassifier))},
		{Name: "random forest 100 fit, Letter", Key: "forest", Peer: "scikit-learn", Bar: 4, Aim: 8, data: letter,
			prepare: fitting(mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier))},
		{Name: "random forest 100 fit, Letter, beside YDF", Key: "ydf-forest", Peer: "YDF", Bar: 1, Aim: 4, data: letter,
			prepare: fitting(mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier))},
		{Name: "ExtraTrees 100 fit, Letter", Key: "extratrees", Peer: "scikit-learn", Bar: 3, Aim: 6, data: letter,
			prepare: fitting(mlcore.LearnClassifier(ensemble.ExtraTreesConfig{}.FitClassifier))},
		{Name: "forest predict, Letter", Key: "forest-predict", Peer: "scikit-learn", Bar: 3, Aim: 6, data: letter,
			prepare: predicting(mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier))},
		{Name: "AdaBoost SAMME, 50 stumps, Letter", Key: "adaboost", Peer: "scikit-learn", Bar: 10, Aim: 20, data: letter,
			prepare: fitting(mlcore.LearnClassifier(ensemble.AdaBoostConfig{Estimators: 50, Tree: tree.Config{MaxDepth: 1}}.FitClassifier))},
		{Name: "k-NN k = 5 Euclid, Letter", Key: "knn", Peer: "scikit-learn, the better search", Bar: 2, Aim: 5, data: letter,
			prepare: fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Neighbors: 5}.FitClassifier))},
		{Name: "k-NN k = 5 Hamming, Letter", Key: "knn-hamming", Peer: "scikit-learn", Bar: 20, Aim: 40, data: letter,
			prepare: fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Neighbors: 5, Metric: neighbors.Hamming}.FitClassifier))},
		{Name: "categorical naive Bayes, Letter", Key: "bayes", Peer: "scikit-learn", Bar: 3, Aim: 10, data: letterCodes,
			prepare: fittingAndPredicting(mlcore.LearnClassifier(bayes.CategoricalConfig{}.FitClassifier))},
		{Name: "MLP 100 hidden, 20 epochs, Adult one-hot", Key: "network", Peer: "scikit-learn, dense or sparse", Bar: 2, Aim: 4, data: incomeOneHot,
			prepare: fitting(mlcore.LearnClassifier(network().FitClassifier))},
		{Name: "MLP 100 hidden, 20 epochs, Letter", Key: "network", Peer: "scikit-learn, dense or sparse", Bar: 2, Aim: 4, data: letter,
			prepare: fitting(mlcore.LearnClassifier(network().FitClassifier))},
		{Name: "logistic regression, Adult one-hot", Key: "logistic", Peer: "scikit-learn, dense or sparse", Bar: 2, Aim: 3, data: incomeOneHot,
			prepare: fitting(mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier))},
		{Name: "k-means from 26 given centres, Letter", Key: "kmeans", Peer: "scikit-learn", Bar: 2, Aim: 4, data: letter, prepare: clustering(kMeansFrom(26))},
		{Name: "mixture of 26 normal distributions, 20 iterations, Letter", Key: "mixture", Peer: "scikit-learn", Bar: 2, Aim: 4, data: letter, prepare: clustering(mixture)},
		{Name: "the UCI experiment: 6 algorithms, 5 sets, 10 x 5-fold", Key: "uci", Peer: "scikit-learn's nearest algorithms", Bar: 5, Aim: 10,
			files: []string{"car", "breast", "ecoli", "mushroom", "letter"}, share: shareUCI, once: true, prepare: runUCI(uci.Experiment{Seed: uciSeed})},
		{Name: "load Adult train + test", Key: "csv", Peer: "pandas", Bar: 1, Aim: 2, files: []string{"income"}, prepare: loadIncome},
	}
}

func letter() (train, test *mlcore.Dataset, err error) { return datasets.LoadSplit("letter") }

// letterCodes is Letter with its columns, all of whole numbers below 16, as categories.
func letterCodes() (train, test *mlcore.Dataset, err error) {
	if train, test, err = letter(); err != nil {
		return nil, nil, err
	}
	levels := make([]string, 16)
	for l := range levels {
		levels[l] = strconv.Itoa(l)
	}
	for j := range train.Columns {
		train.Columns[j].Levels, test.Columns[j].Levels = levels, levels
	}
	return train, test, nil
}

// income is the Adult Income data, categories as codes.
func income() (train, test *mlcore.Dataset, err error) { return datasets.LoadSplit("income") }

// incomeOneHot is the same with a column for each category of the training rows.
func incomeOneHot() (train, test *mlcore.Dataset, err error) {
	train, test, err = income()
	if err != nil {
		return nil, nil, err
	}
	return oneHot(train, test)
}

// oneHot makes a column of each category of the training rows.
func oneHot(train, test *mlcore.Dataset) (*mlcore.Dataset, *mlcore.Dataset, error) {
	onehot, err := preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}.Fit(train)
	if err != nil {
		return nil, nil, err
	}
	if train, err = onehot.Transform(train); err != nil {
		return nil, nil, err
	}
	test, err = onehot.Transform(test)
	return train, test, err
}

type scored = func() (float64, error)

func accuracy(m mlcore.Classifier, test *mlcore.Dataset) scored {
	return func() (float64, error) {
		y, err := m.Predict(test.X)
		return share(y, test.Y), err
	}
}

func share(y, truth []int) float64 {
	right := 0
	for i, c := range y {
		if c == truth[i] {
			right++
		}
	}
	return float64(right) / float64(max(len(truth), 1))
}

func fitting(learn mlcore.ClassifierLearner) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			m, err := learn(train)
			if err != nil {
				return nil, err
			}
			return accuracy(m, test), nil
		}, nil
	}
}

func predicting(learn mlcore.ClassifierLearner) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		m, err := learn(train)
		if err != nil {
			return nil, err
		}
		return predictWork(m, test), nil
	}
}

func predictWork(m mlcore.Classifier, test *mlcore.Dataset) func() (scored, error) {
	return func() (scored, error) {
		y, err := m.Predict(test.X)
		return func() (float64, error) { return share(y, test.Y), nil }, err
	}
}

func fittingAndPredicting(learn mlcore.ClassifierLearner) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			m, err := learn(train)
			if err != nil {
				return nil, err
			}
			return predictWork(m, test)()
		}, nil
	}
}

// A clusterer is a model of package cluster.
type clusterer interface {
	Predict(X mat.Matrix) ([]int, error)
}

// clustering times a fit that does not see the classes. The score tells how far the
// clusters of the test rows agree with their classes: the adjusted Rand index.
func clustering(fit func(train *mlcore.Dataset) (clusterer, error)) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			m, err := fit(train)
			if err != nil {
				return nil, err
			}
			return func() (float64, error) {
				groups, err := m.Predict(test.X)
				if err != nil {
					return 0, err
				}
				return metrics.AdjustedRand(test.Y, groups)
			}, nil
		}, nil
	}
}

func mixture(train *mlcore.Dataset) (clusterer, error) {
	return cluster.MixtureConfig{Components: 26, RegCovar: 1e-3, MaxIter: 20, Tol: 1e-300}.Fit(train)
}

// network has the settings of scikit-learn's MLPClassifier, whose alpha of 1e-4 is
// divided by the 200 rows of a batch.
func network() neural.Config { return networkOf(100, 20) }

func networkOf(hidden, epochs int) neural.Config {
	return neural.Config{Hidden: []int{hidden}, Epochs: epochs, BatchSize: 200, L2: 1e-4 / 200}
}

func loadIncome(_, _ *mlcore.Dataset) (func() (scored, error), error) {
	return func() (scored, error) {
		train, err := datasets.IncomeTrain()
		if err != nil {
			return nil, err
		}
		test, err := datasets.IncomeTest()
		if err != nil {
			return nil, err
		}
		rows := train.Nrow() + test.Nrow()
		return func() (float64, error) { return float64(rows), nil }, nil
	}, nil
}

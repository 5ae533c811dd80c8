package bench

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// onContinuousColumns are the rows of methods that Letter, whose columns hold whole numbers
// below 16, shows from their best side.
func onContinuousColumns() []Workload {
	ten := func() (train, test *mlcore.Dataset, err error) { return continuous(10_000) }
	rows := []Workload{
		{Name: "random forest 100 fit, 10,000 x 20 continuous", Key: "forest", data: ten,
			prepare: fitting(mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier))},
		{Name: "regression forest 100 fit, 10,000 x 20 continuous", Key: "fit", estimator: "RandomForestRegressor",
			data:    func() (train, test *mlcore.Dataset, err error) { return targets(10_000) },
			prepare: regressing(mlcore.LearnRegressor(ensemble.ForestConfig{MaxFeatures: 20}.FitRegressor))},
		{Name: "ExtraTrees 100 fit, 10,000 x 20 continuous", Key: "extratrees", data: ten,
			prepare: fitting(mlcore.LearnClassifier(ensemble.ExtraTreesConfig{}.FitClassifier))},
		{Name: "forest predict, 20,000 x 20 continuous", Key: "forest-predict", data: ten,
			prepare: predicting(mlcore.LearnClassifier(ensemble.ForestConfig{}.FitClassifier))},
		{Name: "AdaBoost SAMME, 50 stumps, 10,000 x 20 continuous", Key: "adaboost", data: ten,
			prepare: fitting(mlcore.LearnClassifier(ensemble.AdaBoostConfig{Estimators: 50, Tree: tree.Config{MaxDepth: 1}}.FitClassifier))},
		{Name: "permutation importance, 5 repeats, of a tree, 20,000 x 20 continuous", Key: "permutation", data: ten, prepare: importance},
	}
	for _, shape := range []struct {
		name    string
		columns int
	}{{"5", 5}, {"20", 20}, {"100", 100}} {
		rows = append(rows, Workload{Name: "k-NN k = 5 Euclid, 10,000 x " + shape.name + " continuous", Key: "knn",
			data:    madeUp{rows: 10_000, columns: shape.columns, classes: 2, queries: 4000}.make,
			prepare: fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{}.FitClassifier))})
	}
	for _, size := range []struct {
		name string
		n    int
	}{{"10,000", 10_000}, {"100,000", 100_000}} {
		rows = append(rows, Workload{Name: "k-means from 10 given centres, " + size.name + " x 20 continuous", Key: "cluster", estimator: "KMeans",
			settings: settings{"n_clusters": 10, "n_init": 1}, data: func() (train, test *mlcore.Dataset, err error) { return continuous(size.n) },
			prepare: clustering(kMeansFrom(10))})
	}
	for i := range rows {
		rows[i].Peer, rows[i].Bar, rows[i].Aim = "scikit-learn", 2, 4
	}
	return rows
}

// kMeansFrom begins at the first k rows, so that both sides take the same way.
func kMeansFrom(k int) func(train *mlcore.Dataset) (clusterer, error) {
	return func(train *mlcore.Dataset) (clusterer, error) {
		return cluster.KMeansConfig{Centres: train.X.Slice(0, k, 0, train.NumFeatures())}.Fit(train)
	}
}

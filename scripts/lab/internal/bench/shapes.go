package bench

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// inOtherShapes are the rows of data that are not long and narrow: more columns than rows,
// columns that say nothing or nearly the same, mostly zeros, many classes, many levels. A
// library that is tuned to one shape is slow by whole factors here; none may be slower than
// the peer by more than two.
func inOtherShapes() []Workload {
	var rows []Workload
	add := func(name, key, estimator string, s settings, data func() (train, test *mlcore.Dataset, err error), prepare func(train, test *mlcore.Dataset) (func() (scored, error), error)) {
		rows = append(rows, Workload{Name: name, Key: key, estimator: estimator, settings: s, Peer: "scikit-learn", Bar: 0.5, Aim: 1, data: data, prepare: prepare})
	}
	normal := func(n, d int) func() (train, test *mlcore.Dataset, err error) {
		return madeUp{rows: n, columns: d, classes: 2, queries: 1000}.make
	}
	for _, s := range []struct{ n, d, k int }{{30, 300, 0}, {200, 500, 0}, {100, 1000, 0}, {2000, 500, 0}, {1000, 1000, 0}, {20_000, 100, 5}} {
		var set settings
		if s.k > 0 {
			set = settings{"n_components": s.k}
		}
		add(fmt.Sprintf("PCA, %d x %d", s.n, s.d), "components", "PCA", set, normal(s.n, s.d), componentsOf(s.k))
	}
	for _, s := range []struct{ n, d int }{{300, 3000}, {2000, 800}} { // where scikit-learn's components are near the right ones
		add(fmt.Sprintf("PCA to 2 components, %d x %d", s.n, s.d), "components", "PCA", settings{"n_components": 2}, normal(s.n, s.d), componentsOf(2))
	}
	for _, s := range []struct{ n, d int }{{300, 5000}, {1000, 1000}, {3000, 1000}} {
		add(fmt.Sprintf("ridge, %d x %d", s.n, s.d), "fit", "Ridge", nil, withTargets(normal(s.n, s.d)), ridgeFit)
	}
	add("ridge, one-hot 20,000 x 300", "fit", "Ridge", nil, withTargets(oneHotRows(20_000, 30, 10)), ridgeFit)
	add("ridge, 50,000 x 50 with a constant column", "fit", "Ridge", nil, withTargets(withColumn(normal(50_000, 50), func(_ int, _ []float64) float64 { return 3 })), ridgeFit)
	add("ridge, 50,000 x 50, two columns nearly equal", "fit", "Ridge", nil, withTargets(withColumn(normal(50_000, 50), func(i int, row []float64) float64 {
		return row[0] + 1e-7*float64(i%7)
	})), ridgeFit)
	add("least squares, 3,000 x 1,000", "fit", "LinearRegression", nil, withTargets(normal(3000, 1000)),
		regressing(mlcore.LearnRegressor(linear.LeastSquaresConfig{}.FitRegressor)))
	add("elastic net without L1, 300 x 2,000", "fit", "ElasticNet", settings{"alpha": 0.1, "l1_ratio": 0.0}, withTargets(normal(300, 2000)),
		regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.1, Tol: 1e-4}.FitRegressor)))
	add("lasso, 300 x 5,000", "fit", "Lasso", settings{"alpha": 0.05}, withTargets(normal(300, 5000)),
		regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 1, Tol: 1e-4}.FitRegressor)))
	add("lasso, 5,000 x 2,000", "fit", "Lasso", settings{"alpha": 0.05}, withTargets(normal(5000, 2000)),
		regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 1, Tol: 1e-4}.FitRegressor)))
	add("lasso, 5,000 x 500 with a common part, all count", "fit", "Lasso", settings{"alpha": 0.05}, withCommonPart(normal(5000, 500)),
		regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 1, Tol: 1e-4}.FitRegressor)))
	add("lasso, 8,000 x 1,000, all count", "fit", "Lasso", settings{"alpha": 0.05}, ofAllColumns(normal(8000, 1000)),
		regressing(mlcore.LearnRegressor(linear.ElasticNetConfig{Alpha: 0.05, L1Ratio: 1, Tol: 1e-4}.FitRegressor)))
	logistic := fitting(mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier))
	add("logistic regression, 2,000 x 500", "fit", "LogisticRegression", nil, normal(2000, 500), logistic)
	add("logistic regression, 300 x 5,000", "fit", "LogisticRegression", nil, normal(300, 5000), logistic)
	add("logistic regression, one-hot 20,000 x 300", "fit", "LogisticRegression", nil, oneHotRows(20_000, 30, 10), logistic)
	add("logistic regression predict, 500 classes", "predict", "LogisticRegression", nil, madeUp{rows: 5000, columns: 20, classes: 500, queries: 20_000}.make,
		predicting(mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)))
	machine := func(C float64) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return fitting(mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge, C: C}.FitClassifier))
	}
	add("linear SVC, 3,000 x 201, C = 100", "fit", "LinearSVC", settings{"C": 100}, normal(3000, 201), machine(100))
	add("linear SVC, one-hot 20,000 x 300", "fit", "LinearSVC", nil, oneHotRows(20_000, 30, 10), machine(1))
	add("linear SVC predict, 20,000 x 100", "predict", "LinearSVC", nil, madeUp{rows: 2000, columns: 100, classes: 10, queries: 20_000}.make,
		predicting(mlcore.LearnClassifier(svm.LinearConfig{Loss: svm.SquaredHinge}.FitClassifier)))
	kernel := func(k svm.Kernel) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return fitting(mlcore.LearnClassifier(svm.Config{Kernel: k}.FitClassifier))
	}
	add("SVC with a linear kernel, 1,000 x 1,000", "fit", "SVC", settings{"kernel": "linear"}, normal(1000, 1000), kernel(svm.Linear{}))
	add("SVC with a linear kernel, 300 x 5,000", "fit", "SVC", settings{"kernel": "linear"}, normal(300, 5000), kernel(svm.Linear{}))
	add("SVC with a polynomial kernel, 1,000 x 1,000", "fit", "SVC", settings{"kernel": "poly"}, normal(1000, 1000), kernel(svm.Polynomial{}))
	add("SVC with RBF, 1,000 x 1,000", "fit", "SVC", nil, normal(1000, 1000), kernel(nil))
	nearest := func(m neighbors.Metric) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		return fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Metric: m}.FitClassifier))
	}
	add("k-NN k = 5 Euclid, 98 % zeros, 10,000 x 100", "knn", "", nil, mostlyZeros(10_000, 100, 50), nearest(neighbors.Euclidean))
	add("k-NN k = 5 Manhattan, 10,000 x 20", "fit-and-predict", "KNeighborsClassifier", settings{"metric": "manhattan"}, normal(10_000, 20), nearest(neighbors.Manhattan))
	add("k-NN k = 5 Hamming, 50 levels in 10 columns", "knn-hamming", "", nil, coded(5000, 10, 50), nearest(neighbors.Hamming))
	add("k-NN k = 5 Euclid, 500 x 2,000", "knn", "", nil, normal(500, 2000), nearest(neighbors.Euclidean))
	add("k-means from 100 given centres, 1,000 x 1,000", "cluster", "KMeans", settings{"n_clusters": 100, "n_init": 1}, normal(1000, 1000), clustering(kMeansFrom(100)))
	add("full mixture of 2, 300 x 100", "mixture-fit", "GaussianMixture", settings{"n_components": 2, "max_iter": 20, "tol": 0.0, "reg_covar": 1e-3}, normal(300, 100),
		clustering(func(train *mlcore.Dataset) (clusterer, error) {
			return cluster.MixtureConfig{Components: 2, RegCovar: 1e-3, MaxIter: 20, Tol: 1e-300}.Fit(train)
		}))
	add("CART fit, 3 columns of 1,000 levels, 20,000 rows", "tree", "", nil, coded(20_000, 3, 1000), fitting(mlcore.LearnClassifier(tree.Config{}.FitClassifier)))
	add("CART fit, 500 classes, 20,000 x 20", "tree", "", nil, madeUp{rows: 20_000, columns: 20, classes: 500, queries: 1000}.make,
		fitting(mlcore.LearnClassifier(tree.Config{}.FitClassifier)))
	add("CART fit, 300 x 5,000", "tree", "", nil, normal(300, 5000), fitting(mlcore.LearnClassifier(tree.Config{}.FitClassifier)))
	return rows
}

var ridgeFit = regressing(mlcore.LearnRegressor(linear.RidgeConfig{Alpha: 1}.FitRegressor))

// componentsOf times a fit of k principal components, or of all where k is 0. The score is
// the share of the variance that they keep.
func componentsOf(k int) func(train, test *mlcore.Dataset) (func() (scored, error), error) {
	return func(train, _ *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			m, err := preprocess.PCAConfig{Components: k}.Fit(train)
			if err != nil {
				return nil, err
			}
			return func() (float64, error) {
				kept := 0.0
				for _, share := range m.ExplainedVarianceRatio() {
					kept += share
				}
				return kept, nil
			}, nil
		}, nil
	}
}

type makes = func() (train, test *mlcore.Dataset, err error)

// withTargets puts numbers to be predicted in the place of classes: the sum of the first five
// columns, with noise.
func withTargets(data makes) makes {
	return changed(data, func(ds *mlcore.Dataset, rng *rand.Rand) error {
		ds.Y, ds.ClassNames, ds.Target = nil, nil, make([]float64, ds.X.RawMatrix().Rows)
		for i := range ds.Target {
			for _, v := range ds.X.RawRowView(i)[:5] {
				ds.Target[i] += v
			}
			ds.Target[i] += float64(rng.NormFloat64() / 2)
		}
		return nil
	})
}

// ofAllColumns is withTargets of a sum of all columns.
func ofAllColumns(data makes) makes {
	return changed(data, func(ds *mlcore.Dataset, rng *rand.Rand) error {
		ds.Y, ds.ClassNames, ds.Target = nil, nil, make([]float64, ds.X.RawMatrix().Rows)
		for i := range ds.Target {
			for j, v := range ds.X.RawRowView(i) {
				ds.Target[i] += float64(v * float64(1+j%5) / 2)
			}
			ds.Target[i] += float64(rng.NormFloat64() / 2)
		}
		return nil
	})
}

// withCommonPart is ofAllColumns of columns to which each row adds a number of its own.
func withCommonPart(data makes) makes {
	return ofAllColumns(changed(data, func(ds *mlcore.Dataset, rng *rand.Rand) error {
		for i := range ds.X.RawMatrix().Rows {
			common := rng.NormFloat64() / 2
			for j, v := range ds.X.RawRowView(i) {
				ds.X.Set(i, j, v+common)
			}
		}
		return nil
	}))
}

// withColumn makes the last column by a rule.
func withColumn(data makes, rule func(i int, row []float64) float64) makes {
	return changed(data, func(ds *mlcore.Dataset, _ *rand.Rand) error {
		for i := range ds.X.RawMatrix().Rows {
			row := ds.X.RawRowView(i)
			row[len(row)-1] = rule(i, row)
		}
		return nil
	})
}

// mostlyZeros keeps one value in every so many.
func mostlyZeros(n, d, every int) makes {
	return changed(madeUp{rows: n, columns: d, classes: 2, queries: 1000}.make, func(ds *mlcore.Dataset, rng *rand.Rand) error {
		values := ds.X.RawMatrix().Data
		for i := range values {
			if rng.IntN(every) != 0 {
				values[i] = 0
			}
		}
		return nil
	})
}

// coded draws categories: columns of that many levels, of which the first decides the class,
// with noise.
func coded(n, columns, levels int) makes {
	names := make([]string, levels)
	for l := range names {
		names[l] = strconv.Itoa(l)
	}
	return changed(madeUp{rows: n, columns: max(columns, 5), classes: 2, queries: 1000}.make, func(ds *mlcore.Dataset, rng *rand.Rand) error {
		few, err := ds.Select(ds.FeatureNames()[:columns]...)
		if err != nil {
			return err
		}
		*ds = *few
		for j := range ds.Columns {
			ds.Columns[j].Levels = names
		}
		for i := range ds.Y {
			row := ds.X.RawRowView(i)
			for j := range row {
				row[j] = float64(rng.IntN(levels))
			}
			ds.Y[i] = int(row[0]) % 2
			if rng.IntN(5) == 0 {
				ds.Y[i] = rng.IntN(2)
			}
		}
		return nil
	})
}

// oneHotRows are categories as columns of 0 and 1.
func oneHotRows(n, columns, levels int) makes {
	return func() (train, test *mlcore.Dataset, err error) {
		train, test, err = coded(n, columns, levels)()
		if err != nil {
			return nil, nil, err
		}
		return oneHot(train, test)
	}
}

// changed is data after a change of each part.
func changed(data makes, change func(ds *mlcore.Dataset, rng *rand.Rand) error) makes {
	return func() (train, test *mlcore.Dataset, err error) {
		train, test, err = data()
		if err != nil {
			return nil, nil, err
		}
		rng := mlcore.NewRand(4)
		for _, ds := range []*mlcore.Dataset{train, test} {
			if err := change(ds, rng); err != nil {
				return nil, nil, err
			}
		}
		return train, test, nil
	}
}

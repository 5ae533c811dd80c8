package bench

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// fewerAsked are the rows of what is asked less often than a fit of a tree: other metrics,
// measures, transformers, densities, groups. Each was slower than the peer once.
func fewerAsked() []Workload {
	var rows []Workload
	add := func(name, key, estimator string, s settings, data makes, prepare preparation) {
		rows = append(rows, Workload{Name: name, Key: key, estimator: estimator, settings: s, Peer: "scikit-learn", Bar: 0.5, Aim: 1, data: data, prepare: prepare})
	}
	made := func(n, d, classes int) makes {
		return madeUp{rows: n, columns: d, classes: classes, queries: 2000}.make
	}
	for _, s := range []struct{ n, d, k int }{{5000, 20, 10}, {500, 500, 2}, {762, 859, 8}, {5000, 200, 10}} {
		add(fmt.Sprintf("linear discriminant, %d x %d, %d classes", s.n, s.d, s.k), "fit-and-predict", "LinearDiscriminantAnalysis", nil, made(s.n, s.d, s.k), linearDiscriminant)
	}
	add("quadratic discriminant, 5,000 x 200, 10 classes", "fit-and-predict", "QuadraticDiscriminantAnalysis", nil, made(5000, 200, 10),
		fittingAndPredicting(mlcore.LearnClassifier(bayes.QuadraticDiscriminantConfig{}.FitClassifier)))
	add("k-NN Chebyshev, 5,000 x 20", "fit-and-predict", "KNeighborsClassifier", settings{"metric": "chebyshev"}, made(5000, 20, 10), nearestBy(neighbors.Chebyshev))
	add("k-NN Chebyshev, 500 x 500", "fit-and-predict", "KNeighborsClassifier", settings{"metric": "chebyshev"}, made(500, 500, 2), nearestBy(neighbors.Chebyshev))
	add("k-NN Minkowski p = 3, 2,000 x 20", "fit-and-predict", "KNeighborsClassifier", settings{"p": 3}, made(2000, 20, 2), nearestBy(neighbors.Minkowski(3)))
	add("DBSCAN, 20,000 x 5, dense", "groups", "DBSCAN", settings{"eps": 1.2}, made(20_000, 5, 2), dbscanWithin(1.2))
	add("DBSCAN, 4,000 x 5, each row near all others", "groups", "DBSCAN", settings{"eps": 1000.0}, made(4000, 5, 2), dbscanWithin(1000))
	add("k-means++ and one iteration, 20,000 x 100, 100 clusters", "groups", "KMeans", settings{"n_clusters": 100, "n_init": 1, "max_iter": 1}, made(20_000, 100, 10), seedingOf(100))
	add("single linkage, 5,000 x 20", "groups", "AgglomerativeClustering", settings{"n_clusters": 10, "linkage": "single"}, made(5000, 20, 10), agglomerating(cluster.Single))
	add("Epanechnikov density, 20,000 x 5", "density", "KernelDensity", settings{"kernel": "epanechnikov", "bandwidth": 0.8}, made(20_000, 5, 2), densityOf(cluster.Epanechnikov, 0.8))
	add("silhouette, 5,000 x 20", "silhouette", "", nil, made(5000, 20, 10), silhouettes)
	add("silhouette, 2,000 x 200", "silhouette", "", nil, made(2000, 200, 10), silhouettes)
	add("distances of all pairs, 2,000 x 20", "pairwise", "", settings{"metric": "euclidean"}, made(2000, 20, 2), pairwiseBy(neighbors.Euclidean))
	add("min-max scaler, 100,000 x 20", "transformed", "MinMaxScaler", nil, made(100_000, 20, 2), transforming(preprocess.MinMaxScalerConfig{}))
	add("products of degree 3, 5,000 x 20", "transformed", "PolynomialFeatures", settings{"degree": 3, "include_bias": false}, made(5000, 20, 2), transforming(preprocess.PolynomialConfig{Degree: 3}))
	add("quantile bins, 50,000 x 5", "transformed", "KBinsDiscretizer", quantileBins, made(50_000, 5, 2), transforming(quantileCutting))
	add("F of classes, 100,000 x 20", "transformed", "SelectKBest", settings{"k": 3}, made(100_000, 20, 2), transforming(preprocess.SelectConfig{K: 3}))
	add("F of a regression, 20,000 x 20", "regression-scores", "", nil, withTargets(made(20_000, 20, 2)), regressionScores)
	add("median absolute error, 1,000,000", "median-error", "", nil, withTargets(made(1_000_000, 5, 2)), medianError)
	add("probabilities of logistic regression, 100,000 x 5", "probabilities", "LogisticRegression", nil, madeUp{rows: 2000, columns: 5, classes: 2, queries: 100_000}.make, logisticProbabilities)
	rows = append(rows, Workload{Name: "load 100,000 x 8 CSV", Key: "csv", Peer: "pandas", Bar: 0.5, Aim: 1, share: shareTable, prepare: readTable},
		Workload{Name: "a Dataset of 100,000 x 8 CSV, types found", Key: "csv", Peer: "pandas", Bar: 1, Aim: 2, share: shareTable, prepare: readTableDataset})
	return rows
}

// preparation is the prepare of a [Workload].
type preparation = func(train, test *mlcore.Dataset) (func() (scored, error), error)

var (
	linearDiscriminant = fittingAndPredicting(mlcore.LearnClassifier(bayes.LinearDiscriminantConfig{}.FitClassifier))
	quantileBins       = settings{"n_bins": 8, "encode": "ordinal", "strategy": "quantile", "subsample": nil}
	quantileCutting    = preprocess.DiscretizerConfig{Strategy: preprocess.QuantileBins, Bins: 8}
)

// lessAsked are the contenders of what [fewerAsked] has rows of, and others beside them.
func lessAsked() []contender {
	const pairs = 2000 // rows for what looks at all pairs
	return []contender{
		{name: "k-NN by Chebyshev", key: "fit-and-predict", estimator: "KNeighborsClassifier", settings: settings{"metric": "chebyshev"}, prepare: nearestBy(neighbors.Chebyshev)},
		{name: "k-NN by Minkowski, p = 3", key: "fit-and-predict", estimator: "KNeighborsClassifier", settings: settings{"p": 3}, rows: pairs, prepare: nearestBy(neighbors.Minkowski(3))},
		{name: "k-NN of 50 by distance", key: "fit-and-predict", estimator: "KNeighborsClassifier", settings: settings{"n_neighbors": 50, "weights": "distance"},
			prepare: fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Neighbors: 50, Weights: neighbors.InverseDistance}.FitClassifier))},
		{name: "linear discriminant", key: "fit-and-predict", estimator: "LinearDiscriminantAnalysis", prepare: linearDiscriminant},
		{name: "Bernoulli naive Bayes", key: "fit-and-predict", estimator: "BernoulliNB", prepare: fittingAndPredicting(mlcore.LearnClassifier(bayes.BernoulliConfig{}.FitClassifier))},
		{name: "SVC with a polynomial kernel", key: "fit", estimator: "SVC", settings: settings{"kernel": "poly"}, rows: pairs, prepare: fitting(mlcore.LearnClassifier(svm.Config{Kernel: svm.Polynomial{}}.FitClassifier))},
		{name: "predictions of an SVC", key: "predict", estimator: "SVC", rows: pairs, prepare: predicting(mlcore.LearnClassifier(svm.Config{}.FitClassifier))},
		{name: "probabilities of logistic regression", key: "probabilities", estimator: "LogisticRegression", prepare: logisticProbabilities},
		{name: "single linkage", key: "groups", estimator: "AgglomerativeClustering", settings: settings{"n_clusters": 10, "linkage": "single"}, rows: pairs, prepare: agglomerating(cluster.Single)},
		{name: "Ward's linkage", key: "groups", estimator: "AgglomerativeClustering", settings: settings{"n_clusters": 10}, rows: pairs, prepare: agglomerating(cluster.Ward)},
		{name: "silhouette", key: "silhouette", rows: pairs, prepare: silhouettes},
		// Not Euclidean ones: of many columns the peer takes these by a product of matrices,
		// twice as fast and with fewer digits.
		{name: "Manhattan distances of all pairs", key: "pairwise", settings: settings{"metric": "manhattan"}, rows: pairs, prepare: pairwiseBy(neighbors.Manhattan)},
		{name: "Chebyshev distances of all pairs", key: "pairwise", settings: settings{"metric": "chebyshev"}, rows: pairs, prepare: pairwiseBy(neighbors.Chebyshev)},
		{name: "a min-max scaler", key: "transformed", estimator: "MinMaxScaler", prepare: transforming(preprocess.MinMaxScalerConfig{})},
		{name: "quantile bins", key: "transformed", estimator: "KBinsDiscretizer", settings: quantileBins, prepare: transforming(quantileCutting)},
		{name: "F of classes", key: "transformed", estimator: "SelectKBest", settings: settings{"k": 3}, prepare: transforming(preprocess.SelectConfig{K: 3})},
		{name: "F of a regression", key: "regression-scores", targets: true, prepare: regressionScores},
	}
}

// averaging times work that makes numbers. The score is the mean of those that are finite.
func averaging(prepare func(train, test *mlcore.Dataset) (func() ([]float64, error), error)) preparation {
	return func(train, test *mlcore.Dataset) (func() (scored, error), error) {
		work, err := prepare(train, test)
		if err != nil {
			return nil, err
		}
		return func() (scored, error) {
			numbers, err := work()
			return func() (float64, error) {
				sum, n := 0.0, 0.0
				for _, v := range numbers {
					if !math.IsInf(v, 0) && !math.IsNaN(v) {
						sum, n = sum+v, n+1
					}
				}
				return sum / n, nil
			}, err
		}, nil
	}
}

func nearestBy(m neighbors.Metric) preparation {
	return fittingAndPredicting(mlcore.LearnClassifier(neighbors.Config{Metric: m}.FitClassifier))
}

// grouping times a search for groups of the training rows. The score tells how far these
// agree with the classes: the adjusted Rand index.
func grouping(labels func(train *mlcore.Dataset) ([]int, error)) preparation {
	return func(train, _ *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			found, err := labels(train)
			return func() (float64, error) { return metrics.AdjustedRand(train.Y, found) }, err
		}, nil
	}
}

// seedingOf draws k centres, which takes most of the time, and goes one iteration on.
func seedingOf(k int) preparation {
	return grouping(func(train *mlcore.Dataset) ([]int, error) {
		m, err := cluster.KMeansConfig{Clusters: k, MaxIter: 1}.Fit(train)
		if err != nil {
			return nil, err
		}
		return m.Labels(), nil
	})
}

func dbscanWithin(eps float64) preparation {
	return grouping(func(train *mlcore.Dataset) ([]int, error) {
		m, err := cluster.DBSCANConfig{Eps: eps}.Fit(train)
		if err != nil {
			return nil, err
		}
		labels := m.Labels()
		for i := range labels {
			labels[i]++ // noise is a group too
		}
		return labels, nil
	})
}

func agglomerating(linkage cluster.Linkage) preparation {
	return grouping(func(train *mlcore.Dataset) ([]int, error) {
		m, err := cluster.AgglomerativeConfig{Clusters: 10, Linkage: linkage}.Fit(train)
		if err != nil {
			return nil, err
		}
		return m.Labels(), nil
	})
}

func densityOf(k cluster.Kernel, bandwidth float64) preparation {
	return averaging(func(train, test *mlcore.Dataset) (func() ([]float64, error), error) {
		return func() ([]float64, error) {
			m, err := cluster.DensityConfig{Kernel: k, Bandwidth: bandwidth}.Fit(train)
			if err != nil {
				return nil, err
			}
			found, err := m.LogDensity(test.X)
			for i, v := range found {
				// Where no row is near, scikit-learn has what rounding leaves in the place of
				// 0: only what is certain is compared.
				found[i] = max(v, -15)
			}
			return found, err
		}, nil
	})
}

var silhouettes = averaging(func(train, _ *mlcore.Dataset) (func() ([]float64, error), error) {
	return func() ([]float64, error) { return metrics.Silhouette(train.X, train.Y) }, nil
})

func pairwiseBy(m neighbors.Metric) preparation {
	return averaging(func(train, _ *mlcore.Dataset) (func() ([]float64, error), error) {
		return func() ([]float64, error) {
			found, err := neighbors.Pairwise(train.X, m, Threads)
			if err != nil {
				return nil, err
			}
			n := found.SymmetricDim()
			return []float64{found.At(0, n-1), found.At(n/2, n-1), found.At(0, n/2)}, nil
		}, nil
	})
}

func transforming(step preprocess.Step) preparation {
	return averaging(func(train, _ *mlcore.Dataset) (func() ([]float64, error), error) {
		return func() ([]float64, error) {
			m, err := step.FitStep(train)
			if err != nil {
				return nil, err
			}
			out, err := m.Transformer.Transform(train)
			if err != nil {
				return nil, err
			}
			return out.X.RawMatrix().Data, nil
		}, nil
	})
}

var regressionScores = averaging(func(train, _ *mlcore.Dataset) (func() ([]float64, error), error) {
	return func() ([]float64, error) {
		m, err := preprocess.SelectConfig{K: 3}.Fit(train)
		if err != nil {
			return nil, err
		}
		return m.Scores(), nil
	}, nil
})

var medianError = averaging(func(train, _ *mlcore.Dataset) (func() ([]float64, error), error) {
	first := mat.Col(nil, 0, train.X)
	return func() ([]float64, error) {
		v, err := metrics.MedianAE(train.Target, first, nil)
		return []float64{v}, err
	}, nil
})

var logisticProbabilities = averaging(func(train, test *mlcore.Dataset) (func() ([]float64, error), error) {
	m, err := linear.LogisticConfig{}.FitClassifier(train)
	if err != nil {
		return nil, err
	}
	return func() ([]float64, error) {
		p, err := m.PredictProba(test.X)
		if err != nil {
			return nil, err
		}
		return mat.Col(nil, 0, p), nil
	}, nil
})

// tableColumns are those of the table of [tableText].
func tableColumns() []datasets.Column {
	columns := []datasets.Column{{Name: "whole", Type: series.Int}, {Name: "colour", Type: series.String, Missing: true}}
	for j := range 6 {
		columns = append(columns, datasets.Column{Name: fmt.Sprint("real", j), Type: series.Float, Missing: true})
	}
	return columns
}

// tableText is a table with a header: whole and real numbers, names, a twentieth missing.
func tableText(rows int) []byte {
	var text bytes.Buffer
	for j, c := range tableColumns() {
		if j > 0 {
			text.WriteByte(',')
		}
		text.WriteString(c.Name)
	}
	rng, colours := mlcore.NewRand(8), []string{"red", "green", "dark blue", "mauve"}
	for range rows {
		text.WriteByte('\n')
		text.WriteString(strconv.Itoa(rng.IntN(1000)))
		text.WriteByte(',')
		if rng.IntN(20) > 0 {
			text.WriteString(colours[rng.IntN(len(colours))])
		}
		for range 6 {
			text.WriteByte(',')
			if rng.IntN(20) > 0 {
				text.WriteString(strconv.FormatFloat(rng.NormFloat64(), 'f', 4, 64))
			}
		}
	}
	text.WriteByte('\n')
	return text.Bytes()
}

const tableRows = 100_000

// shareTable writes the table where the peer finds it.
func shareTable(m *manifest, dir string) error {
	path := filepath.Join(dir, "table.csv")
	m.Files = append(m.Files, path)
	return os.WriteFile(path, tableText(tableRows), 0o644)
}

// readTable times reading the table. The score is the number of rows.
func readTable(_, _ *mlcore.Dataset) (func() (scored, error), error) {
	text := tableText(tableRows)
	return func() (scored, error) {
		df, err := datasets.ReadCSV(bytes.NewReader(text), tableColumns()...)
		return func() (float64, error) { return float64(df.Nrow()), nil }, err
	}, nil
}

// readTableDataset times reading the table where its types are not given, as far as the
// numbers that a model is fitted to.
func readTableDataset(_, _ *mlcore.Dataset) (func() (scored, error), error) {
	text := tableText(tableRows)
	return func() (scored, error) {
		ds, err := datasets.ReadDataset(bytes.NewReader(text), frame.Options{})
		return func() (float64, error) { return float64(ds.Len()), nil }, err
	}, nil
}

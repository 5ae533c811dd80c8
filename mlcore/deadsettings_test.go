package mlcore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/calibration"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"github.com/mllabs-go/mllabs/mlcore/conformal"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/evolve"
	"github.com/mllabs-go/mllabs/mlcore/frame"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"github.com/mllabs-go/mllabs/mlcore/inspection"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// A use is something that a configuration is for, such as one of its Fit methods: run
// returns what comes out. Every setting has to change that of one of the bases, which
// are configurations under which the use works.
type use struct {
	name  string // of the method or function
	bases []any
	run   func(config any) (any, error)
}

// exempt are settings that rightly change nothing: a field of any configuration, of one,
// or of one in a single use.
var exempt = map[string]string{
	"Workers":  "one worker and many give the same bytes",
	"Progress": "listens",
	"Context":  "ends the work",

	"neighbors.Config.Search":                                  "the algorithms find the same neighbours",
	"svm.Config.CacheMB":                                       "room for the kernel matrix costs time, not results",
	"svm.Config/FitClassifier.Seed":                            "of draws that FitProbClassifier alone makes",
	"svm.Config/FitRegressor.Seed":                             "of draws that FitProbClassifier alone makes",
	"modelsel.StratifiedKFold.AllowRare":                       "lets pass what is an error without it",
	"modelsel.StratifiedShuffleSplit.AllowRare":                "lets pass what is an error without it",
	"modelsel.TrainTestSplit.AllowRare":                        "lets pass what is an error without it",
	"modelsel.TrainValidationTestSplit.AllowRare":              "lets pass what is an error without it",
	"modelsel.NestedOptions/NestedCrossValidate.AddValidation": "this way always does it",
	"modelsel.LearningCurveOptions/LearningCurve.TrainScores":  "a learning curve always has them",
	"preprocess.TargetEncoderConfig/Fit.Splitter":              "the folds are for training rows, which FitTransform encodes",
	"frame.CSV.Decimal":                                        "a number with one sign is an error with the other",
	"frame.CSV.Warn":                                           "listens",
	"frame.Field.Missing":                                      "lets pass what is an error without it",
	"frame.Options/ToDataset.SkipMissingTarget":                "lets pass what is an error without it",
	"bayes.QuadraticDiscriminantConfig/FitClassifier.Tol":      "says which data are an error",
}

// exemption is the entry of exempt for a field of a configuration in a use, or "".
func exemption(config, use, field string) string {
	for _, entry := range []string{field, config + "." + field, config + "/" + use + "." + field} {
		if exempt[entry] != "" {
			return entry
		}
	}
	return ""
}

// sample is n rows of four columns; kinds gives two of them levels.
func sample(n int, kinds bool) *mlcore.Dataset {
	rng := mlcore.NewRand(7)
	ds := &mlcore.Dataset{X: mat.NewDense(n, 4, nil), ClassNames: []string{"no", "perhaps", "yes"}}
	for i := range n {
		k := min(2, int(rng.ExpFloat64()*1.2))
		ds.Y = append(ds.Y, k)
		for j := range 4 {
			v := rng.NormFloat64()*1.1 + float64(k*(j%3)) + 1
			if kinds && j >= 2 {
				v = math.Floor(max(0, min(2, v)))
			}
			ds.X.Set(i, j, v)
		}
	}
	ds.Columns = []mlcore.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	if kinds {
		for j := 2; j < 4; j++ {
			ds.Columns[j].Levels = []string{"low", "middle", "high", "never"}
		}
	}
	return ds
}

// twoClasses makes class 2 of a sample class 1.
func twoClasses(ds *mlcore.Dataset) *mlcore.Dataset {
	out := *ds
	out.Y, out.ClassNames = slices.Clone(ds.Y), []string{"no", "yes"}
	for i, k := range out.Y {
		out.Y[i] = min(k, 1)
	}
	return &out
}

// numbered has a target in the place of the labels.
func numbered(ds *mlcore.Dataset) *mlcore.Dataset {
	out := *ds
	out.Y, out.ClassNames, out.TargetName = nil, nil, "target"
	rng := mlcore.NewRand(8)
	for i := range ds.Len() {
		out.Target = append(out.Target, ds.X.At(i, 0)*2-ds.X.At(i, 1)*ds.X.At(i, 1)+rng.NormFloat64())
	}
	return &out
}

func coded(ds *mlcore.Dataset) *mlcore.Dataset {
	out := *ds
	out.X, out.Columns = mat.DenseCopyOf(ds.X), slices.Clone(ds.Columns)
	out.X.Apply(func(_, _ int, v float64) float64 { return math.Floor(max(0, min(3, v))) }, ds.X)
	for j := range out.Columns {
		out.Columns[j].Levels = []string{"nought", "one", "two", "three"}
	}
	return &out
}

func withGaps(ds *mlcore.Dataset) *mlcore.Dataset {
	out := *ds
	out.X = mat.DenseCopyOf(ds.X)
	for i := range out.Len() {
		if i%5 == 0 {
			out.X.Set(i, i%4, math.NaN())
		}
	}
	return &out
}

// counted has whole numbers from 0.
func counted(ds *mlcore.Dataset) *mlcore.Dataset {
	out := *ds
	out.X = mat.DenseCopyOf(ds.X)
	out.X.Apply(func(_, _ int, v float64) float64 { return math.Floor(max(0, v)) }, ds.X)
	return &out
}

var (
	plain   = sample(60, false)
	mixed   = sample(60, true)
	targets = numbered(mixed)
	smooth  = numbered(plain)
	pair    = twoClasses(plain)
	mixed2  = twoClasses(mixed)
	codes   = coded(plain)
)

func stump(ds *mlcore.Dataset) (mlcore.Classifier, error) {
	return tree.Config{MaxDepth: 1}.FitClassifier(ds)
}

func twig(ds *mlcore.Dataset) (mlcore.Classifier, error) {
	return tree.Config{MaxDepth: 2}.FitClassifier(ds)
}

func numberStump(ds *mlcore.Dataset) (mlcore.Regressor, error) {
	return tree.Config{MaxDepth: 1}.FitRegressor(ds)
}

func numberTwig(ds *mlcore.Dataset) (mlcore.Regressor, error) {
	return tree.Config{MaxDepth: 2}.FitRegressor(ds)
}

// method calls a method of a configuration with the given arguments.
func method(name string, args ...any) func(config any) (any, error) {
	return func(config any) (any, error) {
		m := reflect.ValueOf(config).MethodByName(name)
		if !m.IsValid() {
			return nil, fmt.Errorf("%T has no method %s", config, name)
		}
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = reflect.ValueOf(a)
		}
		out := m.Call(in)
		err, _ := out[len(out)-1].Interface().(error)
		var all []any
		for _, v := range out[:len(out)-1] {
			all = append(all, v.Interface())
		}
		return all, err
	}
}

// fits is a use of a method that takes a Dataset.
func fits(name string, ds *mlcore.Dataset, bases ...any) use {
	return use{name, bases, method(name, ds)}
}

func uses(t *testing.T) []use {
	t.Helper()
	onBits := func(c evolve.Config, p evolve.Bits) (any, error) {
		r, err := evolve.Run(c, p, func(g []bool) (n float64) {
			for i, v := range g {
				if v != (i%3 == 0) {
					n++
				}
			}
			return n
		})
		if err != nil {
			return nil, err
		}
		return []any{r.Best, r.History, r.Status, r.Population}, nil
	}
	rows := modelsel.Rows{N: plain.Len(), Labels: plain.Y, Groups: make([]int, plain.Len())}
	for i := range rows.Groups {
		rows.Groups[i] = i % 7
	}
	split := func(bases ...any) use {
		return use{"Split", bases, func(c any) (any, error) {
			folds, err := c.(modelsel.Splitter).Split(rows)
			if err != nil {
				return nil, err
			}
			var all []modelsel.Fold
			for _, f := range folds.All() {
				all = append(all, f)
			}
			return all, nil
		}}
	}
	fitNear := func(k int, ds *mlcore.Dataset) (*neighbors.Classifier, error) {
		return neighbors.Config{Neighbors: k}.FitClassifier(ds)
	}
	ks := modelsel.List(15, 14, 13, 12, 10, 9, 8, 6, 4)
	network := func(change func(c *neural.Config, part any)) func(config any) (any, error) {
		return func(config any) (any, error) {
			c := neural.Config{Hidden: []int{4}, Epochs: 5, BatchSize: 10, LearningRate: 0.05}
			change(&c, config)
			return c.FitClassifier(plain)
		}
	}
	optimized := network(func(c *neural.Config, part any) { c.Optimizer = part.(neural.Optimizer) })
	scheduled := network(func(c *neural.Config, part any) { c.Schedule = part.(neural.Schedule) })
	kernel := func(config any) (any, error) { return svm.Config{Kernel: config.(svm.Kernel)}.FitClassifier(plain) }
	selected := func(config any) (any, error) {
		return onBits(evolve.Config{Generations: 5, Selection: config.(evolve.Selection)}, evolve.Bits{Length: 12})
	}
	forest, err := ensemble.ForestConfig{Estimators: 5}.FitClassifier(plain)
	if err != nil {
		t.Fatal(err)
	}
	hills, err := ensemble.ForestConfig{Estimators: 5}.FitRegressor(smooth)
	if err != nil {
		t.Fatal(err)
	}
	bell, err := bayes.GaussianConfig{}.FitClassifier(plain)
	if err != nil {
		t.Fatal(err)
	}
	proba := make([]float64, pair.Len())
	for i := range proba {
		proba[i] = math.Mod(float64(i)*0.37, 1)
	}
	var differences, others []float64
	for i := range 12 {
		differences, others = append(differences, math.Sin(float64(3*i))+float64(i%2)*0.3), append(others, 0.2*float64(i%4))
	}
	scores := mat.NewDense(4, 3, []float64{0.1, 0.2, 0.2, 0.4, 0.5, 0.3, 0.9, 0.8, 0.7, 0.1, 0.3, 0.2})
	var list []use
	add := func(u ...use) { list = append(list, u...) }

	grown := []any{tree.Config{}, tree.Config{MaxFeatures: 2}}
	add(fits("FitClassifier", mixed, grown...), fits("FitRegressor", targets, grown...))
	add(use{"Classifier", []any{tree.Permutation{}}, method("Classifier", forest, plain.X, plain.Y, []float64(nil))},
		use{"Regressor", []any{tree.Permutation{}}, method("Regressor", hills, smooth.X, smooth.Target, []float64(nil))})
	add(fits("FitClassifier", codes, id3.Config{}))

	add(fits("FitClassifier", mixed, ensemble.ForestConfig{Estimators: 3}), fits("FitRegressor", targets, ensemble.ForestConfig{Estimators: 3}),
		fits("FitClassifier", mixed, ensemble.ExtraTreesConfig{Estimators: 3}), fits("FitRegressor", targets, ensemble.ExtraTreesConfig{Estimators: 3}),
		fits("FitClassifier", mixed, ensemble.BaggingConfig{Estimators: 3, Learner: twig}),
		fits("FitRegressor", targets, ensemble.BaggingConfig{Estimators: 3, RegressorLearner: numberTwig}),
		fits("FitClassifier", mixed, ensemble.AdaBoostConfig{Estimators: 8}, ensemble.AdaBoostConfig{Estimators: 4, Tree: tree.Config{MaxFeatures: 1, MaxDepth: 4}}),
		fits("FitClassifier", plain, ensemble.StackingConfig{Learners: []mlcore.ClassifierLearner{twig}}),
		fits("FitRegressor", smooth, ensemble.StackingConfig{RegressorLearners: []mlcore.RegressorLearner{numberTwig}}),
		fits("FitClassifier", mixed, ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{twig, stump}}),
		fits("FitRegressor", targets, ensemble.VotingConfig{RegressorLearners: []mlcore.RegressorLearner{numberTwig, numberStump}}))
	gradient := []any{ensemble.GradientBoostingConfig{Estimators: 5}, ensemble.GradientBoostingConfig{Estimators: 40, LearningRate: 0.2, ValidationFraction: 0.3, Patience: 2, Subsample: 0.5, Tree: tree.Config{MaxFeatures: 2}}}
	histograms := []any{ensemble.HistBoostingConfig{Estimators: 5, MinSamplesLeaf: 2, MaxLeafNodes: 3}, ensemble.HistBoostingConfig{Estimators: 40, LearningRate: 0.2, MinSamplesLeaf: 4, ValidationFraction: 0.3, Patience: 2, Subsample: 0.5}}
	add(fits("FitClassifier", mixed2, gradient...), fits("FitRegressor", targets, gradient...),
		fits("FitClassifier", pair, histograms...), fits("FitRegressor", smooth, histograms...),
		use{"Loss", []any{ensemble.Huber{}}, func(c any) (any, error) {
			return ensemble.GradientBoostingConfig{Estimators: 3, Loss: c.(ensemble.Huber)}.FitRegressor(targets)
		}})

	add(fits("FitClassifier", plain, bayes.GaussianConfig{}), fits("FitClassifier", codes, bayes.CategoricalConfig{}),
		fits("FitClassifier", counted(plain), bayes.MultinomialConfig{}), fits("FitClassifier", plain, bayes.BernoulliConfig{}),
		fits("FitClassifier", plain, bayes.LinearDiscriminantConfig{}), fits("FitClassifier", plain, bayes.QuadraticDiscriminantConfig{}),
		fits("FitClassifier", plain, calibration.Config{Learner: twig}),
		fits("FitRegressor", mlcore.FromMatrix(mat.DenseCopyOf(smooth.X.Slice(0, 60, 0, 1)), smooth.Target, nil), isotonic.Config{}))

	add(fits("Fit", plain, cluster.KMeansConfig{Clusters: 6}), fits("Fit", plain, cluster.MixtureConfig{Components: 3}, cluster.MixtureConfig{Components: 5}),
		fits("Fit", plain, cluster.DensityConfig{}), fits("Fit", plain, cluster.AgglomerativeConfig{}, cluster.AgglomerativeConfig{Linkage: cluster.Average}), fits("Fit", plain, cluster.DBSCANConfig{Eps: 1.6}))

	genetic := evolve.Config{Generations: 6}
	add(use{"Run", []any{genetic, evolve.Config{Generations: 60}}, func(c any) (any, error) { return onBits(c.(evolve.Config), evolve.Bits{Length: 12}) }},
		use{"Run", []any{evolve.Bits{Length: 12}}, func(c any) (any, error) { return onBits(genetic, c.(evolve.Bits)) }},
		use{"Run", []any{evolve.Reals{Lower: []float64{0, 0}, Upper: []float64{1, 2}}}, func(c any) (any, error) {
			r, err := evolve.Run(genetic, c.(evolve.Reals), func(x []float64) float64 { return -math.Abs(x[0] - 0.3) })
			if err != nil {
				return nil, err
			}
			return r.Population, nil
		}},
		use{"Run", []any{evolve.Orders{Length: 8}}, func(c any) (any, error) {
			r, err := evolve.Run(genetic, c.(evolve.Orders), func(order []int) float64 { return float64(order[0] - order[len(order)-1]) })
			if err != nil {
				return nil, err
			}
			return r.Population, nil
		}},
		use{"Selection", []any{evolve.Tournament{}}, selected}, use{"Selection", []any{evolve.Rank{}}, selected})

	df := readCSV(t, "colour,size,code,buy", "red,1,1,no", "blue,2,2,yes", "red,3,1,", "green,4,3,yes")
	add(use{"ToDataset", []any{frame.Options{Drop: []string{"buy"}}, frame.Options{Label: "buy", SkipMissingTarget: true}}, func(c any) (any, error) {
		ds, err := frame.ToDataset(df, c.(frame.Options))
		if err != nil {
			return nil, err
		}
		return []any{ds.Name, mat.Formatted(ds.X), ds.Columns, ds.Y, ds.ClassNames, ds.Target}, nil
	}})

	// The columns are others with semicolons, and the second holds years.
	const table = "u;v,1999,x\np;q,2001,a\nr;s,2002,b\n"
	add(use{"Dataset", []any{frame.CSV{}}, func(c any) (any, error) {
		ds, err := c.(frame.CSV).Dataset(strings.NewReader(table), frame.Options{})
		if err != nil {
			return nil, err
		}
		return []any{mat.Formatted(ds.X), ds.Columns}, nil
	}}, use{"Columns", []any{frame.Field{Name: "size", Type: series.Float}}, func(c any) (any, error) {
		return frame.CSV{}.Columns(strings.NewReader("size,a\n1,2\n3,4\n"), c.(frame.Field))
	}})

	add(use{"FromColumns", []any{
		frame.Column{Name: "size", Floats: []float64{1, 2}}, frame.Column{Name: "size", Ints: []int{1, 2}},
		frame.Column{Name: "size", Texts: []string{"a", "b"}}, frame.Column{Name: "size", Codes: []int32{0, 1}, Dictionary: []string{"9", "10"}},
	}, func(c any) (any, error) {
		ds, err := frame.FromColumns([]frame.Column{c.(frame.Column)}, frame.Options{})
		if err != nil {
			return nil, err
		}
		return []any{mat.Formatted(ds.X), ds.Columns}, nil
	}})

	apart := numbered(sample(40, false))
	add(use{"Calibrate", []any{conformal.SplitConfig{}}, func(c any) (any, error) {
		m, err := numberTwig(smooth)
		if err != nil {
			return nil, err
		}
		s, err := c.(conformal.SplitConfig).Calibrate(m, apart)
		if err != nil {
			return nil, err
		}
		return s.HalfWidth(), nil
	}}, use{"Calibrate", []any{conformal.CVPlusConfig{RegressorLearner: numberTwig}}, func(c any) (any, error) {
		m, err := c.(conformal.CVPlusConfig).Calibrate(smooth)
		if err != nil {
			return nil, err
		}
		return m.Intervals(apart)
	}})

	about := inspection.PartialDependenceConfig{Features: []string{"a"}, Class: "yes", GridResolution: 9}
	add(use{"Classifier", []any{about}, method("Classifier", bell, plain)},
		use{"Regressor", []any{inspection.PartialDependenceConfig{Features: []string{"a"}, GridResolution: 9}}, method("Regressor", hills, smooth)})

	add(fits("FitRegressor", smooth, linear.ElasticNetConfig{Alpha: 0.1, L1Ratio: 0.5}), fits("FitRegressor", smooth, linear.LassoConfig{Alpha: 0.1}),
		fits("FitRegressor", smooth, linear.LeastSquaresConfig{}), fits("FitRegressor", smooth, linear.RidgeConfig{}),
		fits("FitClassifier", plain, linear.LogisticConfig{}, linear.LogisticConfig{Penalty: linear.ElasticNetPenalty}), fits("FitClassifier", plain, linear.PerceptronConfig{Epochs: 5}),
		use{"Path", []any{linear.PathConfig{}}, func(c any) (any, error) {
			p, err := linear.LassoConfig{}.Path(smooth, c.(linear.PathConfig))
			if err != nil {
				return nil, err
			}
			return []any{p.Alphas(), mat.Formatted(p.Coefs())}, nil
		}},
		use{"ElasticNetPath", []any{linear.ElasticNetConfig{L1Ratio: 0.5}}, func(c any) (any, error) {
			p, err := c.(linear.ElasticNetConfig).Path(smooth, linear.PathConfig{Alphas: []float64{0.1, 0.01}})
			if err != nil {
				return nil, err
			}
			return []any{p.Alphas(), mat.Formatted(p.Coefs()), p.Intercepts()}, nil
		}})

	add(use{"Calibration", []any{metrics.CalibrationConfig{}}, func(c any) (any, error) {
		return metrics.Calibration(pair.Y, proba, c.(metrics.CalibrationConfig))
	}})

	gaussian := mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)
	thresholds := []any{modelsel.TunedThresholdConfig{Learner: gaussian},
		modelsel.TunedThresholdConfig{Learner: gaussian, Splitter: modelsel.StratifiedKFold{Folds: 3, Shuffle: true, Seed: 6}}}
	add(split(modelsel.KFold{}, modelsel.KFold{Shuffle: true}), split(modelsel.StratifiedKFold{}, modelsel.StratifiedKFold{Shuffle: true}),
		split(modelsel.GroupKFold{}, modelsel.GroupKFold{Shuffle: true}), split(modelsel.ShuffleSplit{}), split(modelsel.StratifiedShuffleSplit{}),
		split(modelsel.TrainTestSplit{}, modelsel.TrainTestSplit{Stratified: true}), split(modelsel.Repeated{Repeats: 2}),
		use{"Rows", []any{modelsel.TrainValidationTestSplit{}, modelsel.TrainValidationTestSplit{Stratified: true}}, method("Rows", rows)},
		use{"CrossValidate", []any{modelsel.Options{}}, func(c any) (any, error) {
			r, err := modelsel.CrossValidate(twig, plain, c.(modelsel.Options))
			if err != nil {
				return nil, err
			}
			return []any{r.Scores, r.TrainRows}, nil
		}},
		use{"Search", []any{modelsel.SearchOptions{}, modelsel.SearchOptions{Options: modelsel.Options{Splitter: modelsel.StratifiedKFold{Folds: 4, Shuffle: true, Seed: 2}}}}, func(c any) (any, error) {
			r, err := modelsel.Search(fitNear, ks, plain, c.(modelsel.SearchOptions))
			if err != nil {
				return nil, err
			}
			return []any{r.Table, r.Best, r.Model == nil}, nil
		}},
		use{"NestedCrossValidate", []any{modelsel.NestedOptions{}}, func(c any) (any, error) {
			return modelsel.NestedCrossValidate(fitNear, ks, plain, c.(modelsel.NestedOptions))
		}},
		use{"RotatingCrossValidate", []any{modelsel.NestedOptions{}}, func(c any) (any, error) {
			return modelsel.RotatingCrossValidate(fitNear, ks, plain, c.(modelsel.NestedOptions))
		}},
		use{"LearningCurve", []any{modelsel.LearningCurveOptions{}}, func(c any) (any, error) {
			return modelsel.LearningCurve(twig, plain, c.(modelsel.LearningCurveOptions))
		}},
		fits("FitClassifier", pair, modelsel.FixedThresholdConfig{Learner: twig}), fits("FitClassifier", pair, thresholds...))

	near := []any{neighbors.Config{}, neighbors.Config{Weights: neighbors.Gaussian}}
	add(fits("FitClassifier", plain, near...), fits("FitRegressor", smooth, near...),
		use{"Fit", []any{neighbors.Config{}}, func(c any) (any, error) {
			m, err := c.(neighbors.Config).Fit(plain)
			if err != nil {
				return nil, err
			}
			rows, far, err := m.Neighbors(plain.X, 0)
			return []any{rows, mat.Formatted(far)}, err
		}})

	layers := []any{neural.Config{Hidden: []int{4}, Epochs: 3, BatchSize: 20}, neural.Config{Hidden: []int{4}, Epochs: 60, LearningRate: 0.1, ValidationFraction: 0.3, Patience: 2}}
	add(fits("FitClassifier", plain, layers...), fits("FitRegressor", smooth, layers...))
	for _, o := range []any{neural.Adam{}, neural.Momentum{}, neural.RMSProp{}} {
		add(use{"Optimizer", []any{o}, optimized})
	}
	for _, s := range []any{neural.StepDecay{Every: 2}, neural.ExponentialDecay{}, neural.InverseDecay{}, neural.Cosine{}} {
		add(use{"Schedule", []any{s}, scheduled})
	}

	add(fits("Fit", plain, preprocess.DiscretizerConfig{}), fits("Rows", plain, preprocess.UpSampleConfig{}), fits("Rows", plain, preprocess.DownSampleConfig{}),
		fits("Fit", withGaps(mixed), preprocess.ImputerConfig{}), fits("Fit", withGaps(plain), preprocess.KNNImputerConfig{}),
		fits("Fit", plain, preprocess.MinMaxScalerConfig{}, preprocess.MinMaxScalerConfig{Max: 1}), fits("Fit", mixed, preprocess.OneHotConfig{}), fits("Fit", mixed, preprocess.OrdinalConfig{}),
		fits("Fit", plain, preprocess.PCAConfig{}), fits("Fit", plain, preprocess.PolynomialConfig{}), fits("Fit", plain, preprocess.StandardScalerConfig{}),
		fits("FitClassifier", mixed, preprocess.PipelineConfig{Learner: twig}), fits("FitRegressor", targets, preprocess.PipelineConfig{RegressorLearner: numberTwig}),
		fits("Fit", plain, preprocess.RFEConfig{Learner: twig}), fits("Fit", plain, preprocess.RFECVConfig{Learner: twig}),
		fits("Fit", counted(plain), preprocess.SelectConfig{K: 2}, preprocess.SelectConfig{Score: preprocess.MutualInformation, K: 2}, preprocess.SelectConfig{}),
		fits("Fit", mixed, preprocess.TargetEncoderConfig{}), fits("FitTransform", mixed, preprocess.TargetEncoderConfig{}))

	add(use{"Interval", []any{sigtest.BootstrapConfig{Resamples: 50}}, method("Interval", differences)},
		use{"Test", []any{sigtest.FriedmanConfig{}}, method("Test", scores)},
		use{"Paired", []any{sigtest.PermutationConfig{}, sigtest.PermutationConfig{ExactUpTo: -1, Resamples: 50}}, method("Paired", differences, others)},
		use{"Test", []any{sigtest.WilcoxonConfig{}, sigtest.WilcoxonConfig{Mode: sigtest.Normal}}, method("Test", []float64{1, 2, 3, 5, 7, 3, 1}, []float64{1, 1, 5, 3, 2, 1, 0.5})})

	add(fits("FitClassifier", plain, svm.Config{}), fits("FitProbClassifier", plain, svm.Config{}), fits("FitRegressor", smooth, svm.Config{}),
		fits("FitClassifier", plain, svm.LinearConfig{}), fits("FitRegressor", smooth, svm.LinearConfig{}),
		use{"Kernel", []any{svm.RBF{}}, kernel}, use{"Kernel", []any{svm.Polynomial{}}, kernel})
	return list
}

// values are candidates for settings of types that are not numbers.
var values = map[reflect.Type][]any{
	reflect.TypeFor[mlcore.ClassifierLearner]():     {mlcore.ClassifierLearner(stump), mlcore.LearnClassifier(linear.LogisticConfig{}.FitClassifier)},
	reflect.TypeFor[mlcore.RegressorLearner]():      {mlcore.RegressorLearner(numberStump)},
	reflect.TypeFor[[]mlcore.ClassifierLearner]():   {[]mlcore.ClassifierLearner{stump}},
	reflect.TypeFor[[]mlcore.RegressorLearner]():    {[]mlcore.RegressorLearner{numberStump}},
	reflect.TypeFor[*mlcore.Dataset]():              {twoClasses(sample(20, true)), numbered(sample(20, true)), twoClasses(sample(20, false)), sample(20, false), numbered(sample(20, false))},
	reflect.TypeFor[ensemble.Loss]():                {ensemble.Absolute{}, ensemble.Softmax{}},
	reflect.TypeFor[svm.Kernel]():                   {svm.Linear{}},
	reflect.TypeFor[neural.Optimizer]():             {neural.SGD{}},
	reflect.TypeFor[neural.Schedule]():              {neural.Cosine{}},
	reflect.TypeFor[evolve.Selection]():             {evolve.Rank{}},
	reflect.TypeFor[modelsel.Splitter]():            {modelsel.KFold{Folds: 3}},
	reflect.TypeFor[modelsel.Shuffler]():            {modelsel.KFold{Folds: 3}},
	reflect.TypeFor[modelsel.Scorer]():              {modelsel.Accuracy, modelsel.MacroF1},
	reflect.TypeFor[[]modelsel.Scorer]():            {[]modelsel.Scorer{modelsel.MacroF1}},
	reflect.TypeFor[mat.Matrix]():                   {mat.DenseCopyOf(plain.X.Slice(0, 6, 0, 4))},
	reflect.TypeFor[neighbors.Metric]():             {neighbors.Manhattan},
	reflect.TypeFor[bayes.Smoothing]():              {bayes.Lidstone(0.1)},
	reflect.TypeFor[preprocess.Smoothing]():         {preprocess.PriorRows(3)},
	reflect.TypeFor[neural.Activation]():            {neural.Tanh},
	reflect.TypeFor[[]preprocess.Step]():            {[]preprocess.Step{preprocess.OrdinalConfig{}}},
	reflect.TypeFor[func(any) ([]float64, error)](): {descending},
	reflect.TypeFor[[]int32]():                      {[]int32{1, 0}, []int32{1, -1}},
	reflect.TypeFor[[]string]():                     {[]string{"a"}, []string{"a", "b", "c"}, []string{"b"}, []string{"c"}, []string{"size"}, []string{"code"}},
	reflect.TypeFor[string]():                       {"a", "no", "buy", "size"},
	reflect.TypeFor[map[string][]string]():          {map[string][]string{"colour": {"red", "green", "blue"}}},
	reflect.TypeFor[map[string]string]():            {map[string]string{"1999": "2006"}},
	reflect.TypeFor[rune]():                         {';'},
	reflect.TypeFor[series.Type]():                  {series.String},
	reflect.TypeFor[[2]float64]():                   {[2]float64{0.2, 0.7}},
	reflect.TypeFor[*float64]():                     {new(0.0), new(0.3)},
	reflect.TypeFor[*int]():                         {new(0), new(2)},
	reflect.TypeFor[context.Context]():              {cancelled()},
	reflect.TypeFor[[]int]():                        {[]int{0}, []int{1, 2}, []int{1, 0, 0, 0}, []int{-1, 1, 0, 0}, []int{3}, []int{2, 5}, thirds(60), thirds(12)},
	reflect.TypeFor[[]float64]():                    {[]float64{1, 5, 2}, []float64{0.2, 0.5, 0.3}, []float64{1, 5}, []float64{0.5, 1}, []float64{1, 2, 3, 4}, []float64{0.3}, []float64{2}, []float64{0.5, 0.5}},
}

// descending thinks most of the first column.
func descending(model any) ([]float64, error) {
	v := make([]float64, model.(mlcore.Classifier).NumFeatures())
	for i := range v {
		v[i] = float64(len(v) - i)
	}
	return v, nil
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func thirds(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i % 3
	}
	return v
}

// candidates returns values for a setting.
func candidates(v reflect.Value) []reflect.Value {
	var all []reflect.Value
	if list, ok := values[v.Type()]; ok {
		for _, x := range list {
			all = append(all, reflect.ValueOf(x).Convert(v.Type()))
		}
		return all
	}
	switch v.Kind() {
	case reflect.Bool:
		return []reflect.Value{reflect.ValueOf(!v.Bool()).Convert(v.Type())}
	case reflect.Int:
		for _, n := range []int64{1, 2, 3, 4, 5, 7, 15} {
			if n != v.Int() {
				all = append(all, reflect.ValueOf(n).Convert(v.Type()))
			}
		}
	case reflect.Uint64:
		return []reflect.Value{reflect.ValueOf(v.Uint() + 1), reflect.ValueOf(v.Uint() + 2), reflect.ValueOf(v.Uint() + 3)}
	case reflect.Float64:
		for _, x := range []float64{0.05, 0.25, 0.45, 0.5, 0.9, 1.5, 2, 8} {
			if x != v.Float() {
				all = append(all, reflect.ValueOf(x).Convert(v.Type()))
			}
		}
	}
	return all
}

// A leaf is a setting of a configuration or of one within it.
type leaf struct {
	path  string
	index [][]int
}

// leaves lists the settings of a configuration. Structs of the library with exported
// fields, such as the trees of a forest, are taken apart.
func leaves(v reflect.Value, path string, index [][]int) (all []leaf) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		here, at := path+"."+f.Name, append(slices.Clone(index), []int{i})
		if f.Anonymous {
			here = path
		}
		if _, known := values[f.Type]; !known && f.Type.Kind() == reflect.Struct && strings.HasPrefix(f.Type.PkgPath(), library) {
			all = append(all, leaves(v.Field(i), here, at)...)
		} else {
			all = append(all, leaf{here, at})
		}
	}
	return all
}

func at(v reflect.Value, index [][]int) reflect.Value {
	for _, i := range index {
		v = v.FieldByIndex(i)
	}
	return v
}

// rendered is what came out, as bytes: a model's file, and what its methods say that is
// not in it.
func rendered(v any) []byte {
	var b bytes.Buffer
	if list, ok := v.([]any); ok {
		for _, x := range list {
			b.Write(rendered(x))
		}
		return b.Bytes()
	}
	if file, err := modelfile.Marshal(v); err == nil {
		b.Write(file)
	}
	switch m := v.(type) {
	case *ensemble.Forest:
		if o := m.OutOfBag(); o != nil {
			fmt.Fprint(&b, o.Score)
		}
	case *ensemble.RegressionForest:
		if o := m.OutOfBag(); o != nil {
			fmt.Fprint(&b, o.Score)
		}
	case *ensemble.Bagging:
		if o := m.OutOfBag(); o != nil {
			fmt.Fprint(&b, o.Score)
		}
	case *ensemble.BaggingRegressor:
		if o := m.OutOfBag(); o != nil {
			fmt.Fprint(&b, o.Score)
		}
	case *linear.Perceptron:
		fmt.Fprint(&b, m.Updates())
	case *preprocess.Elimination:
		deep(&b, reflect.ValueOf(m.Curve()))
	case *mlcore.Dataset:
		fmt.Fprint(&b, m.X.RawMatrix().Data)
	}
	if b.Len() == 0 {
		deep(&b, reflect.ValueOf(v))
	}
	return b.Bytes()
}

// deep prints a value and what its pointers lead to, unexported fields too.
func deep(b *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			deep(b, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if n := v.Type().Field(i).Name; n != "Times" { // of the clock
				deep(b, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprint(b, v.Len(), ":")
		for i := range v.Len() {
			deep(b, v.Index(i))
		}
	case reflect.Func, reflect.Map, reflect.Chan:
	default:
		fmt.Fprint(b, v, " ")
	}
}

// Every setting of every configuration changes what comes out, or is an error: for each
// use, and of the settings within settings too.
func TestNoSettingDoesNothing(t *testing.T) {
	used := map[string]bool{}
	var see func(config reflect.Type)
	see = func(config reflect.Type) {
		if config.Kind() == reflect.Struct && strings.HasPrefix(config.PkgPath(), library) {
			used[config.String()] = true
			for i := range config.NumField() {
				see(config.Field(i).Type)
			}
		}
	}
	exempted := map[string]bool{}
	for _, u := range uses(t) {
		first := reflect.TypeOf(u.bases[0])
		see(first)
		name := first.String() + "/" + u.name
		t.Run(name, func(t *testing.T) {
			alive, taken, refused := map[string]bool{}, map[string]bool{}, map[string]error{}
			for _, base := range u.bases {
				out, err := u.run(base)
				if err != nil {
					t.Fatalf("the base %+v: %v", base, err)
				}
				before := rendered(out)
				for _, l := range leaves(reflect.ValueOf(base), "", nil) {
					field := l.path[strings.LastIndexByte(l.path, '.')+1:]
					if entry := exemption(first.String(), u.name, field); entry != "" {
						exempted[entry] = true
						continue
					}
					if alive[l.path] {
						continue
					}
					list := candidates(at(reflect.ValueOf(base), l.index))
					if len(list) == 0 {
						t.Errorf("%s%s: no candidate of type %v; add some to values, in this file", name, l.path, at(reflect.ValueOf(base), l.index).Type())
					}
					for _, value := range list {
						c := reflect.New(first).Elem()
						c.Set(reflect.ValueOf(base))
						at(c, l.index).Set(value)
						out, err := u.run(c.Interface())
						if err != nil {
							refused[l.path] = err
							continue
						}
						taken[l.path] = true
						if !bytes.Equal(rendered(out), before) {
							alive[l.path] = true
							break
						}
					}
				}
			}
			for path := range sortedMap(taken) {
				if !alive[path] {
					t.Errorf("%s%s is taken and changes nothing: use it, refuse it by an error that names it, or, where a base of the use lacks what it needs, add one to uses, in this file", name, path)
				}
			}
			for path, err := range sortedMap(refused) {
				if taken[path] {
					continue
				}
				// Whatever its value: the error has to say so, and not something else.
				named := slices.ContainsFunc(strings.Split(path, ".")[1:], func(part string) bool { return strings.Contains(err.Error(), part) })
				if !named || !errors.Is(err, mlcore.ErrConfig) {
					t.Errorf("%s%s is refused by an error that does not name it or does not wrap mlcore.ErrConfig: %v; a value of its type that suits it can be added to values, in this file", name, path, err)
				}
			}
		})
	}
	for entry := range sortedMap(exempt) {
		if !exempted[entry] {
			t.Errorf("no use has a setting %s, which is exempt: take it from the list", entry)
		}
	}
	for config := range sortedMap(configurations(t)) {
		if strings.HasPrefix(config, "plotx.") || strings.HasPrefix(config, "mlcoretest.") {
			continue // drawings, and the settings of tests
		}
		if !used[config] {
			t.Errorf("%s is in no use: add one to this test, in uses", config)
		}
	}
}

// Every configuration with a Progress calls it, one call at a time, and ends with the
// error that it returns; mlcore.ErrStop ends some fits well.
func TestProgressEverywhere(t *testing.T) {
	full := errors.New("the disk is full")
	stops := map[string]bool{
		"ensemble.AdaBoostConfig": true, "ensemble.GradientBoostingConfig": true, "ensemble.HistBoostingConfig": true, "evolve.Config": true,
		"linear.ElasticNetConfig": true, "linear.LassoConfig": true, "linear.LogisticConfig": true, "neural.Config": true,
	}
	called := map[string]bool{}
	for _, u := range uses(t) {
		for _, base := range u.bases {
			config := reflect.TypeOf(base)
			if _, has := config.FieldByName("Progress"); !has {
				continue
			}
			called[config.String()] = called[config.String()] || false
			told := func(answer error) (int, error) {
				calls := 0
				c := reflect.New(config).Elem()
				c.Set(reflect.ValueOf(base))
				c.FieldByName("Progress").Set(reflect.ValueOf(func(p mlcore.Progress) error {
					calls++ // without a lock: the race detector sees two calls at a time
					if p.Problem < 0 || p.Problem >= p.Problems || p.Step < 0 || p.Step > p.Steps {
						t.Errorf("%v/%s is told %+v", config, u.name, p)
					}
					return answer
				}))
				_, err := u.run(c.Interface())
				return calls, err
			}
			calls, err := told(nil)
			if err != nil {
				t.Errorf("%v/%s: %v", config, u.name, err)
			}
			if calls == 0 {
				continue // over before there was anything to tell
			}
			called[config.String()] = true
			if calls, err := told(full); calls != 1 || !errors.Is(err, full) {
				t.Errorf("%v/%s: %d calls and the error %v after one that returned an error", config, u.name, calls, err)
			}
			if calls, err := told(mlcore.ErrStop); calls != 1 || stops[config.String()] != (err == nil) || err != nil && !errors.Is(err, mlcore.ErrStop) {
				t.Errorf("%v/%s: %d calls and the error %v after one that returned ErrStop", config, u.name, calls, err)
			}
		}
	}
	for config, was := range sortedMap(called) {
		if !was {
			t.Errorf("%s calls its Progress in no use", config)
		}
	}
	if len(called) < 15 {
		t.Errorf("%d configurations have a Progress", len(called))
	}
}

package modelsel_test

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

func iris() *mlcore.Dataset {
	ds, err := datasets.LoadDataset("iris")
	if err != nil {
		log.Fatal(err)
	}
	return ds
}

// The split of the CO395 notes, 60 : 20 : 20, with the classes in proportion.
func ExampleTrainValidationTestSplit() {
	train, validation, test, err := modelsel.TrainValidationTestSplit{Stratified: true, Seed: 1}.SplitDataset(iris())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(train.ClassCounts(), validation.ClassCounts(), test.ClassCounts())
	// Output:
	// [30 30 30] [10 10 10] [10 10 10]
}

func ExampleKFold() {
	folds, err := modelsel.KFold{Folds: 3}.Split(modelsel.Rows{N: 7})
	if err != nil {
		log.Fatal(err)
	}
	for i, fold := range folds.All() {
		fmt.Println(i, "train", fold.Train, "test", fold.Test)
	}
	// Output:
	// 0 train [3 4 5 6] test [0 1 2]
	// 1 train [0 1 2 5 6] test [3 4]
	// 2 train [0 1 2 3 4] test [5 6]
}

// How good is a tree of three levels? Any Fit method will do for a learner.
func ExampleCrossValidate() {
	ds := iris()
	r, err := modelsel.CrossValidate(tree.Config{MaxDepth: 3}.FitClassifier, ds, modelsel.Options{
		Splitter:    modelsel.StratifiedKFold{Folds: 10, Shuffle: true, Seed: 1},
		Scorers:     []modelsel.Scorer{modelsel.Accuracy, modelsel.MacroF1},
		TrainScores: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	fmt.Println(r.TestRows)
	// Output:
	// accuracy 0.9400 ± 0.0584 over 10 folds (training 0.9741 ± 0.0039)
	// macro F1 0.9381 ± 0.0607 over 10 folds (training 0.9741 ± 0.0039)
	// [15 15 15 15 15 15 15 15 15 15]
}

// Any score will do: here Matthews' coefficient, which package metrics has as a
// method of the confusion matrix.
func ExampleScorer() {
	matthews := modelsel.Scorer{Name: "Matthews", Labels: func(truth, predicted []int, w []float64) (float64, error) {
		m, err := metrics.Confusion(truth, predicted, 0, w)
		if err != nil {
			return 0, err
		}
		return m.Matthews(), nil
	}}
	ds := iris()
	r, err := modelsel.CrossValidate(neighbors.Config{Neighbors: 7}.FitClassifier, ds, modelsel.Options{
		Scorers: []modelsel.Scorer{matthews, modelsel.Accuracy},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output:
	// Matthews 0.9503 ± 0.0866 over 5 folds
	// accuracy 0.9667 ± 0.0577 over 5 folds
}

// Ten times 5-fold, as the UCI report has it.
func ExampleRepeated() {
	ds := iris()
	r, err := modelsel.CrossValidate(neighbors.Config{Neighbors: 7}.FitClassifier, ds, modelsel.Options{
		Splitter: modelsel.Repeated{Splitter: modelsel.StratifiedKFold{Folds: 5}, Repeats: 10, Seed: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output:
	// accuracy 0.9660 ± 0.0319 over 50 folds
}

// One confusion matrix over all the rows, each predicted by a model that had not
// seen it.
func ExampleCrossValPredict() {
	ds := iris()
	p, err := modelsel.CrossValPredict(neighbors.Config{Neighbors: 7}.FitClassifier, ds, modelsel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	m, err := metrics.Confusion(ds.Y, p.Values, ds.NumClasses(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(m.Counts()))
	// Output:
	// ⎡50   0   0⎤
	// ⎢ 0  47   3⎥
	// ⎣ 0   2  48⎦
}

// A grid search with the final fit to all the rows.
func ExampleSearch() {
	ds := iris()
	grid := modelsel.Grid(tree.Config{},
		modelsel.Vary("MaxDepth", func(c *tree.Config, v int) { c.MaxDepth = v }, 1, 2, 4),
		modelsel.Vary("MinSamplesLeaf", func(c *tree.Config, v int) { c.MinSamplesLeaf = v }, 1, 5))
	r, err := modelsel.Search(tree.Config.FitClassifier, grid, ds, modelsel.SearchOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	fmt.Println("depth of the final tree:", r.Model.Depth())
	// Output:
	// 5     MaxDepth=1 MinSamplesLeaf=1  accuracy 0.6667 ± 0.0000
	// 5     MaxDepth=1 MinSamplesLeaf=5  accuracy 0.6667 ± 0.0000
	// 2     MaxDepth=2 MinSamplesLeaf=1  accuracy 0.9267 ± 0.0548
	// 2     MaxDepth=2 MinSamplesLeaf=5  accuracy 0.9267 ± 0.0548
	// 2     MaxDepth=4 MinSamplesLeaf=1  accuracy 0.9267 ± 0.0641
	// 1   * MaxDepth=4 MinSamplesLeaf=5  accuracy 0.9467 ± 0.0691
	// depth of the final tree: 4
}

// A random search.
func ExampleRandom() {
	candidates, err := modelsel.Random(3, 1, neighbors.Config{},
		modelsel.DrawFrom("K", func(c *neighbors.Config, v int) { c.Neighbors = v }, modelsel.IntRange(1, 30)),
		modelsel.DrawFrom("LocalLinear", func(c *neighbors.Config, v bool) { c.LocalLinear = v }, modelsel.Choice(false, true)),
		modelsel.DrawFrom("Bandwidth", func(c *neighbors.Config, v float64) { c.Bandwidth = v }, modelsel.LogUniform(0.1, 10)))
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range candidates {
		fmt.Println(c)
	}
	// Output:
	// K=22 LocalLinear=true Bandwidth=8.267
	// K=7 LocalLinear=false Bandwidth=0.1853
	// K=26 LocalLinear=true Bandwidth=6.171
}

func byNeighbours() []modelsel.Candidate[neighbors.Config] {
	return modelsel.Grid(neighbors.Config{}, modelsel.Vary("K", func(c *neighbors.Config, v int) { c.Neighbors = v }, 1, 5, 9, 25, 49))
}

// Cross-validation within cross-validation: the error of k-NN together with the
// choice of k.
func ExampleNestedCrossValidate() {
	ds := iris()
	r, err := modelsel.NestedCrossValidate(neighbors.Config.FitClassifier, byNeighbours(), ds, modelsel.NestedOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	for i, f := range r.Folds {
		fmt.Printf("fold %d: %v, validation %.4f, test %.4f\n", i, f.Chosen(), f.Chosen().Scores[0].Mean(), r.Scores[0].Test[i])
	}
	// Output:
	// accuracy 0.9733 ± 0.0279 over 5 folds
	// fold 0: K=5, validation 0.9667, test 0.9667
	// fold 1: K=5, validation 0.9917, test 0.9333
	// fold 2: K=1, validation 0.9417, test 1.0000
	// fold 3: K=5, validation 0.9667, test 1.0000
	// fold 4: K=5, validation 0.9750, test 0.9667
}

// One fold to test, the next for validation, the others to train on.
func ExampleRotatingCrossValidate() {
	ds := iris()
	r, err := modelsel.RotatingCrossValidate(neighbors.Config.FitClassifier, byNeighbours(), ds, modelsel.NestedOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	for i, f := range r.Folds {
		fmt.Printf("fold %d: %v, validation %.4f, test %.4f\n", i, f.Chosen(), f.Chosen().Scores[0].Mean(), r.Scores[0].Test[i])
	}
	// Output:
	// accuracy 0.9733 ± 0.0435 over 5 folds
	// fold 0: K=1, validation 0.9333, test 0.9667
	// fold 1: K=9, validation 1.0000, test 0.9000
	// fold 2: K=1, validation 0.9667, test 1.0000
	// fold 3: K=5, validation 1.0000, test 1.0000
	// fold 4: K=9, validation 1.0000, test 1.0000
}

func ExampleLearningCurve() {
	ds := iris()
	c, err := modelsel.LearningCurve(tree.Config{}.FitClassifier, ds, modelsel.LearningCurveOptions{})
	if err != nil {
		log.Fatal(err)
	}
	train, _ := c.Train()
	test, sd := c.Test()
	for i, n := range c.X {
		fmt.Printf("%3.0f rows: training %.3f, test %.3f ± %.3f\n", n, train[i], test[i], sd[i])
	}
	// Output:
	// 12 rows: training 1.000, test 0.853 ± 0.069
	//  39 rows: training 1.000, test 0.927 ± 0.055
	//  66 rows: training 1.000, test 0.933 ± 0.024
	//  93 rows: training 1.000, test 0.940 ± 0.072
	// 120 rows: training 1.000, test 0.927 ± 0.064
}

func ExampleValidationCurve() {
	ds := iris()
	c, err := modelsel.ValidationCurve(func(depth int, ds *mlcore.Dataset) (*tree.Classifier, error) {
		return tree.Config{MaxDepth: depth}.FitClassifier(ds)
	}, []int{1, 2, 3, 5}, ds, modelsel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	train, _ := c.Train()
	test, sd := c.Test()
	for i, depth := range c.X {
		fmt.Printf("depth %.0f: training %.3f, test %.3f ± %.3f\n", depth, train[i], test[i], sd[i])
	}
	// Output:
	// depth 1: training 0.667, test 0.667 ± 0.000
	// depth 2: training 0.965, test 0.927 ± 0.055
	// depth 3: training 0.973, test 0.940 ± 0.064
	// depth 5: training 0.997, test 0.927 ± 0.064
}

// A virginica that is missed costs ten times as much as a false alarm.
func ExampleTunedThresholdConfig() {
	ds := iris()
	ds.ClassNames = []string{"another", "virginica"}
	for i, k := range ds.Y {
		ds.Y[i] = k / 2
	}
	cfg := modelsel.TunedThresholdConfig{
		Learner: mlcore.LearnClassifier(neighbors.Config{Neighbors: 15}.FitClassifier),
		Scorer:  modelsel.CostScorer(mat.NewDense(2, 2, []float64{0, 1, 10, 0})),
	}
	m, err := cfg.FitClassifier(ds)
	if err != nil {
		log.Fatal(err)
	}
	guess, err := m.Predict(ds.X)
	if err != nil {
		log.Fatal(err)
	}
	confusion, err := metrics.ConfusionOn(ds, guess)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a virginica from a probability of %.2f on\n%v\n", m.Threshold(), confusion)
	// Output:
	// a virginica from a probability of 0.14 on
	// true\predicted  another  virginica
	// another              91          9
	// virginica             0         50
}

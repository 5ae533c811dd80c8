package bayes_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"gonum.org/v1/gonum/mat"
)

// Two attributes, the sky (0 sunny, 1 cloudy, 2 rainy) and the wind (0 calm, 1
// strong): was there a walk?
var (
	sky = mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1})
	// 0 is no, 1 is yes.
	walk = []int{1, 1, 1, 0, 0, 0}
)

// walks is the training data, with names for the levels of the two attributes.
func walks() *mlcore.Dataset {
	ds := mlcore.FromMatrix(sky, walk, nil)
	ds.Columns[0].Levels = []string{"sunny", "cloudy", "rainy"}
	ds.Columns[1].Levels = []string{"calm", "strong"}
	return ds
}

func ExampleCategoricalConfig() {
	m, err := bayes.CategoricalConfig{}.FitClassifier(walks())
	if err != nil {
		fmt.Println(err)
		return
	}
	today := mat.NewDense(1, 2, []float64{0, 0})
	p, err := m.PredictProba(today)
	if err != nil {
		fmt.Println(err)
		return
	}
	// 3/6 (2+1)/(3+3) (2+1)/(3+2) = 0.15 for yes,
	// 3/6 (0+1)/(3+3) (1+1)/(3+2) = 0.0333 for no.
	fmt.Printf("no %.4f, yes %.4f\n", p.At(0, 0), p.At(0, 1))
	// Output: no 0.1818, yes 0.8182
}

// A smoothing given as a number, and equal priors for classes of all sizes.
func ExampleLidstone() {
	m, err := bayes.CategoricalConfig{Smoothing: bayes.Lidstone(0.5), Prior: bayes.Prior{Uniform: true}}.FitClassifier(walks())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log P(sky | no):  %.3f\n", mat.Row(nil, 0, m.FeatureLogProb(0)))
	fmt.Printf("log P(sky | yes): %.3f\n", mat.Row(nil, 1, m.FeatureLogProb(0)))
	// Output:
	// log P(sky | no):  [-2.197 -1.099 -0.588]
	// log P(sky | yes): [-0.588 -1.099 -2.197]
}

func ExampleGaussianConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bayes.GaussianConfig{}.FitClassifier(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := m.Predict(iris.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i := range y {
		if y[i] == iris.Y[i] {
			right++
		}
	}
	fmt.Printf("%d of %d flowers, from means and variances such as\n", right, len(y))
	fmt.Printf("%s: petal length %.3f, variance %.3f\n", iris.ClassNames[0], m.Means().At(0, 2), m.Variances().At(0, 2))
	// Output:
	// 144 of 150 flowers, from means and variances such as
	// setosa: petal length 1.464, variance 0.030
}

// Fisher's flowers, seen along the two directions that tell their kinds apart best.
func ExampleLinearDiscriminantConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bayes.LinearDiscriminantConfig{}.FitClassifier(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	places, err := m.Project(iris.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("shares of the variance between the kinds: %.3f\n", m.ExplainedVarianceRatio())
	for _, i := range []int{0, 50, 100} {
		fmt.Printf("%-10s at %6.2f\n", iris.ClassNames[iris.Y[i]], mat.Row(nil, i, places))
	}
	// Output:
	// shares of the variance between the kinds: [0.991 0.009]
	// setosa     at [ -8.17   0.33]
	// versicolor at [  1.47   0.04]
	// virginica  at [  7.94   2.13]
}

// A class around the middle of another has no straight border.
func ExampleQuadraticDiscriminantConfig() {
	X := mat.NewDense(8, 2, []float64{
		1, 0, -1, 0, 0, 1, 0, -1,
		4, 0, -4, 0, 0, 4, 0, -4,
	})
	m, err := bayes.QuadraticDiscriminantConfig{}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 0, 0, 1, 1, 1, 1}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := m.Predict(mat.NewDense(3, 2, []float64{0.5, 0.5, 3, 3, -3, 3}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y)
	// Output: [0 1 1]
}

// How often three words occur in four messages; class 1 is spam.
func ExampleMultinomialConfig() {
	counts := mat.NewDense(4, 3, []float64{
		3, 0, 1,
		2, 0, 0,
		0, 4, 1,
		0, 2, 2,
	})
	m, err := bayes.MultinomialConfig{}.FitClassifier(mlcore.FromMatrix(counts, []int{0, 0, 1, 1}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := m.Predict(mat.NewDense(2, 3, []float64{0, 1, 1, 5, 1, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y)
	// Output: [1 0]
}

// Only whether a word occurs, not how often.
func ExampleBernoulliConfig() {
	counts := mat.NewDense(4, 3, []float64{
		3, 0, 1,
		2, 0, 0,
		0, 4, 1,
		0, 2, 2,
	})
	m, err := bayes.BernoulliConfig{}.FitClassifier(mlcore.FromMatrix(counts, []int{0, 0, 1, 1}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.PredictProba(mat.NewDense(1, 3, []float64{0, 1, 1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	// (0+1)/(2+2) for a word that is not there, and so on:
	// 1/4 1/4 2/4 against 3/4 3/4 3/4.
	fmt.Printf("%.4f\n", p.At(0, 1))
	// Output: 0.9310
}

// Bagged naive Bayes, with a vote. Each member sees a sample of the rows, which may
// lack levels and classes, and has them from the Dataset.
func Example_bagging() {
	car, err := datasets.LoadDataset("car")
	if err != nil {
		fmt.Println(err)
		return
	}
	bag, err := ensemble.BaggingConfig{
		Learner:    mlcore.LearnClassifier(bayes.CategoricalConfig{}.FitClassifier),
		Estimators: 25,
		Voting:     ensemble.HardVoting,
		Seed:       1,
	}.FitClassifier(car)
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := bag.Predict(car.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i := range y {
		if y[i] == car.Y[i] {
			right++
		}
	}
	fmt.Printf("%d models, more than 85%% of the cars right: %v\n", len(bag.Members()), float64(right) > 0.85*float64(len(y)))
	// Output: 25 models, more than 85% of the cars right: true
}

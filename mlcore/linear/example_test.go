package linear_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

func ExampleLeastSquaresConfig() {
	X := mat.NewDense(5, 1, []float64{1, 2, 3, 4, 5})
	y := []float64{2.1, 3.9, 6.2, 7.8, 10.1}
	m, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range m.Terms() {
		fmt.Printf("column %2d: %6.3f ± %.3f, t %5.1f, p %.2g\n", t.Column, t.Coef, t.StdErr, t.Statistic, t.P)
	}
	fmt.Printf("R² %.4f with %d degrees of freedom\n", m.Fit().R2, m.Fit().DegreesOfFreedom)
	// Output:
	// column -1:  0.050 ± 0.198, t   0.3, p 0.82
	// column  0:  1.990 ± 0.060, t  33.3, p 5.9e-05
	// R² 0.9973 with 3 degrees of freedom
}

// Both one-hot columns of an attribute and an intercept are one column too many.
func ExampleLeastSquares_Aliased() {
	X := mat.NewDense(4, 2, []float64{1, 0, 1, 0, 0, 1, 0, 1})
	m, err := linear.LeastSquaresConfig{}.FitRegressor(mlcore.FromMatrix(X, []float64{1, 3, 6, 8}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f + %.1f·x, aliased: %v\n", m.Intercept(), m.Coef(), m.Aliased())
	// Output: 7.0 + [-5.0 0.0]·x, aliased: [1]
}

func ExampleRidgeConfig() {
	X := mat.NewDense(3, 1, []float64{-1, 0, 1})
	for _, alpha := range []float64{0, 1, 10} {
		m, err := linear.RidgeConfig{Alpha: alpha}.FitRegressor(mlcore.FromMatrix(X, []float64{1, 3, 5}, nil))
		if err != nil {
			fmt.Println(err)
			return
		}
		// The slope is Σxy / (Σx² + Alpha) = 4 / (2 + Alpha).
		fmt.Printf("%.3f + %.3f·x\n", m.Intercept(), m.Coef()[0])
	}
	// Output:
	// 3.000 + 2.000·x
	// 3.000 + 1.333·x
	// 3.000 + 0.333·x
}

// As the penalty falls, columns enter one by one.
func ExampleLassoConfig_Path() {
	X, y := sums(200, 3) // y is 0·x0 + 1·x1 + 2·x2
	path, err := linear.LassoConfig{}.Path(mlcore.FromMatrix(X, y, nil), linear.PathConfig{N: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, alpha := range path.Alphas() {
		m := path.Model(i)
		fmt.Printf("alpha %.4f: %5.2f (%s)\n", alpha, m.Coef(), m.Status().Outcome)
	}
	// Output:
	// alpha 2.1122: [ 0.00  0.00  0.00] (converged)
	// alpha 0.2112: [ 0.00  0.78  1.80] (converged)
	// alpha 0.0211: [ 0.00  0.98  1.98] (converged)
	// alpha 0.0021: [ 0.00  1.00  2.00] (converged)
}

func ExampleLogisticConfig() {
	iris, err := datasets.LoadDataset("iris")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := linear.LogisticConfig{}.FitClassifier(iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	proba, err := m.PredictProba(iris.X.Slice(50, 51, 0, 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", proba.RawRowView(0))
	fmt.Println(m.Status().Outcome)
	// Output:
	// [0.002 0.874 0.124]
	// converged
}

// What separable classes do to a likelihood without a penalty.
func ExampleLogistic_Status() {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m, err := linear.LogisticConfig{Penalty: linear.NoPenalty}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 1, 1}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Status().Outcome)
	_, err = m.Inference()
	fmt.Println(err)
	// Output:
	// separated classes
	// linear: undefined: the fit has not converged: separated classes
}

func ExamplePerceptronConfig() {
	// Two of two inputs, and any of two: AND is separable.
	X := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	m, err := linear.PerceptronConfig{NoShuffle: true, KeepUpdates: true}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 0, 1}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, u := range m.Updates()[:3] {
		fmt.Printf("epoch %d, row %d: w %v, b %v\n", u.Epoch, u.Row, u.Coef, u.Intercept)
	}
	fmt.Println("mistakes:", m.Mistakes()[0])
	// Output:
	// epoch 0, row 0: w [0 0], b -1
	// epoch 0, row 3: w [1 1], b 0
	// epoch 1, row 0: w [1 1], b -1
	// mistakes: [2 3 3 2 2 3 2 1 0]
}

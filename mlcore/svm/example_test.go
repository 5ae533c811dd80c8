package svm_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"gonum.org/v1/gonum/mat"
)

// Three points of each class; the street runs between (1, 1) and (3, 3).
func ExampleConfig_FitClassifier() {
	X := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 1, 1, 3, 3, 4, 3, 4, 4})
	y := []int{0, 0, 0, 1, 1, 1}
	model, err := svm.Config{C: 100, Kernel: svm.Linear{}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	w, b := model.Coef().RawRowView(0), model.Intercept()[0]
	fmt.Printf("f(x) = %.1f·x₁ + %.1f·x₂ - %.1f, %v\n", w[0], w[1], -b, model.Status().Outcome)
	fmt.Printf("rows %v carry a street of width %.3f\n", model.Support(), model.StreetWidth()[0])
	// Output:
	// f(x) = 0.5·x₁ + 0.5·x₂ - 2.0, converged
	// rows [2 3] carry a street of width 2.828
}

// Of the six rows one is on the wrong side. A small C leaves more of them in a
// wider street.
func ExampleClassifier_Margins() {
	X := mat.NewDense(6, 1, []float64{-3, -2, 0.5, -0.5, 2, 3})
	y := []int{0, 0, 0, 1, 1, 1}
	for _, C := range []float64{10, 0.1} {
		model, err := svm.Config{C: C, Kernel: svm.Linear{}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			fmt.Println(err)
			return
		}
		margins, err := model.Margins(X, y)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("C = %v: width %.2f, violations %v\n", C, model.StreetWidth()[0], margins.Violations())
	}
	// Output:
	// C = 10: width 4.00, violations [2 3]
	// C = 0.1: width 6.00, violations [1 2 3 4]
}

// No line separates the corners of a square by their diagonals; a radial kernel
// does.
func ExampleRBF() {
	X := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
	y := []int{0, 0, 1, 1}
	model, err := svm.Config{C: 10, Kernel: svm.RBF{Gamma: 1}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := model.Predict(X)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Kernel(), classes)
	// Output: RBF{Gamma: 1} [0 0 1 1]
}

// A tube of half-width 1/2 holds the points 0, 2, 4 with a slope of 3/2.
func ExampleConfig_FitRegressor() {
	X := mat.NewDense(3, 1, []float64{0, 1, 2})
	model, err := svm.Config{C: 10, Kernel: svm.Linear{}, Epsilon: 0.5}.FitRegressor(mlcore.FromMatrix(X, []float64{0, 2, 4}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f(x) = %.1f·x + %.1f\n", model.Coef()[0], model.Intercept())
	// Output: f(x) = 1.5·x + 0.5
}

func ExampleConfig_FitProbClassifier() {
	X := mat.NewDense(12, 1, []float64{-5, -4, -3, -2, -1, 1.5, -1.5, 1, 2, 3, 4, 5})
	y := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	model, err := svm.Config{Kernel: svm.Linear{}, Seed: 1}.FitProbClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	proba, err := model.PredictProba(mat.NewDense(3, 1, []float64{-5, 0, 5}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		fmt.Printf("%.1f ", proba.At(i, 1))
	}
	fmt.Println()
	// Output: 0.2 0.5 0.8
}

// One plane for each of three classes against the rest.
func ExampleLinearConfig_FitClassifier() {
	X := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 5, 0, 6, 1, 0, 5, 1, 6})
	y := []int{0, 0, 1, 1, 2, 2}
	model, err := svm.LinearConfig{Loss: svm.SquaredHinge}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := model.Predict(mat.NewDense(3, 2, []float64{0.5, 0.5, 7, 0, 0, 7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Heads(), classes)
	// Output: [0 1 2] [0 1 2]
}

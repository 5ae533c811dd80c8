package neural_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"gonum.org/v1/gonum/mat"
)

func ExampleConfig_FitClassifier() {
	// Exclusive or: no straight line separates the classes.
	X := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	y := []int{0, 1, 1, 0}
	model, err := neural.Config{Hidden: []int{8}, Activation: neural.Tanh, LearningRate: 0.05}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := model.Predict(X)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(classes, model.Status().Outcome)
	// Output: [0 1 1 0] iteration limit
}

func ExampleConfig_FitRegressor() {
	X := mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2})
	y := []float64{2, 1, 0, 1, 2} // |x|
	model, err := neural.Config{Hidden: []int{10}, LearningRate: 0.02, Epochs: 500}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	predictions, err := model.Predict(X)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", predictions)
	// Output: [2.0 1.0 0.0 1.0 2.0]
}

// One step of gradient descent by hand: one neuron, one row.
func ExampleNetwork_Gradient() {
	net, err := neural.NewNetwork(2, []neural.Dense{{Units: 1, Activation: neural.Sigmoid}}, neural.CrossEntropy, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	copy(net.Params().Values, []float64{1, -1, 0}) // w₁, w₂, b
	X, T := mat.NewDense(1, 2, []float64{2, 1}), mat.NewDense(1, 1, []float64{1})
	a, err := net.Forward(X)
	if err != nil {
		fmt.Println(err)
		return
	}
	gradient, loss, err := net.Gradient(X, T, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a = %.3f, loss = %.3f, gradient = %.3f\n", a.At(0, 0), loss, gradient.Values)
	neural.SGD{}.Start(3).Step(net.Params().Values, gradient.Values, 0.5)
	fmt.Printf("w and b = %.3f\n", net.Params().Values)
	// Output:
	// a = 0.731, loss = 0.313, gradient = [-0.538 -0.269 -0.269]
	// w and b = [1.269 -0.866 0.134]
}

package neighbors_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

func ExampleConfig_FitClassifier() {
	// Heights and weights of three cats and three dogs.
	X := mat.NewDense(6, 2, []float64{23, 4, 25, 4.5, 24, 5, 55, 22, 60, 30, 58, 27})
	y := []int{0, 0, 0, 1, 1, 1}
	model, err := neighbors.Config{Neighbors: 3}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := model.Predict(mat.NewDense(2, 2, []float64{28, 6, 50, 20}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(classes)
	// Output: [0 1]
}

func ExampleConfig_FitRegressor() {
	X := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	y := []float64{0, 2, 4, 6, 8}
	query := mat.NewDense(1, 1, []float64{5})
	for _, cfg := range []neighbors.Config{{Neighbors: 2}, {Neighbors: 2, LocalLinear: true}} {
		model, err := cfg.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			fmt.Println(err)
			return
		}
		mean, err := model.Predict(query)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %v: %.0f\n", cfg.LocalLinear, mean[0])
	}
	// Output:
	// line false: 7
	// line true: 10
}

func ExampleClassifier_Neighbors() {
	X := mat.NewDense(4, 3, []float64{0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1})
	model, err := neighbors.Config{Neighbors: 1, Metric: neighbors.Hamming}.FitClassifier(mlcore.FromMatrix(X, []int{0, 0, 1, 1}, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, distances, err := model.Neighbors(mat.NewDense(1, 3, []float64{1, 1, 0}), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rows %v differ in %.2f and %.2f of the columns\n", rows[0], distances.At(0, 0), distances.At(0, 1))
	// Output: rows [1 2] differ in 0.33 and 0.33 of the columns
}

// Which towns are within 30 km of a place, and which are the two nearest?
func ExampleIndex() {
	towns := mat.NewDense(4, 2, []float64{0, 0, 10, 20, 40, 5, 15, 25})
	index, err := neighbors.Config{Neighbors: 2}.Fit(mlcore.FromMatrix[int](towns, nil, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	place := mat.NewDense(1, 2, []float64{10, 10})
	near, km, err := index.Within(place, 30)
	if err != nil {
		fmt.Println(err)
		return
	}
	two, _, err := index.Neighbors(place, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("within 30 km: %v at %.1f; nearest: %v\n", near[0], km[0], two[0])
	// Output: within 30 km: [0 1 3] at [14.1 10.0 15.8]; nearest: [1 0]
}

package isotonic_test

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/isotonic"
	"gonum.org/v1/gonum/mat"
)

// The yields of a field by the fertiliser that it got: more is never worse, however the
// weather made single fields look.
func ExampleConfig() {
	grams := mat.NewDense(6, 1, []float64{0, 10, 20, 30, 40, 50})
	yields := []float64{2.0, 2.9, 2.5, 3.3, 3.2, 3.1}
	m, err := isotonic.Config{}.FitRegressor(mlcore.FromMatrix(grams, yields, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := m.Predict(mat.NewDense(4, 1, []float64{5, 15, 25, 90}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", y)
	// Output: [2.35 2.70 2.95 3.20]
}

package tree_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// Eight days with their temperature and wind, and whether somebody sailed.
func ExampleConfig_FitClassifier() {
	X := mat.NewDense(8, 2, []float64{
		12, 3,
		14, 6,
		15, 2,
		18, 7,
		21, 1,
		22, 6,
		24, 2,
		25, 8,
	})
	days := &mlcore.Dataset{
		X: X, Columns: []mlcore.Column{{Name: "temperature"}, {Name: "wind"}},
		Y: []int{0, 0, 0, 1, 0, 1, 0, 1}, ClassNames: []string{"stayed", "sailed"},
	}
	m, err := tree.Config{MaxDepth: 2}.FitClassifier(days)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(m.Text())
	for _, rule := range m.Rules() {
		fmt.Println(rule)
	}
	p, err := m.PredictProba(mat.NewDense(1, 2, []float64{20, 5}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.RawRowView(0))
	// Output:
	// |-- wind <= 4.5
	// |   |-- class stayed
	// |-- wind > 4.5
	// |   |-- temperature <= 16
	// |   |   |-- class stayed
	// |   |-- temperature > 16
	// |   |   |-- class sailed
	// If wind <= 4.5, then class stayed (4 rows).
	// If wind > 4.5 and temperature <= 16, then class stayed (1 row).
	// If wind > 4.5 and temperature > 16, then class sailed (3 rows).
	// [0 1]
}

// The tree of lab 3: the test is feature >= a data value, the loss is the
// weighted misclassification error.
func ExampleConfig_FitClassifier_lab3() {
	X := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	y := []int{0, 0, 0, 1, 1, 1}
	cfg := tree.Config{Criterion: tree.Misclassification, Rule: tree.AtLeast, MinSamplesLeaf: 3}
	m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	n := m.Node(0)
	fmt.Println("feature", n.Feature, "thresh", n.Threshold, "below", m.Node(n.Left).Class, "above", m.Node(n.Right).Class)
	// Output: feature 0 thresh 4 below 0 above 1
}

func ExampleConfig_FitRegressor() {
	X := mat.NewDense(5, 1, []float64{1, 2, 3, 4, 5})
	m, err := tree.Config{MaxDepth: 1}.FitRegressor(mlcore.FromMatrix(X, []float64{1, 1, 1, 5, 7}, nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(m.Text())
	// Output:
	// |-- x0 <= 3.5
	// |   |-- value 1
	// |-- x0 > 3.5
	// |   |-- value 6
}

func ExampleRegressor_PruningPath() {
	X := mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, []float64{0, 0, 4, 10, 10, 10, 10, 10}, nil))
	if err != nil {
		log.Fatal(err)
	}
	p := m.PruningPath()
	for k := range p.Alphas {
		fmt.Printf("alpha %.3f: %d leaves, mean squared error %.3f\n", p.Alphas[k], p.Leaves[k], p.Impurities[k])
	}
	// Output:
	// alpha 0.000: 3 leaves, mean squared error 0.000
	// alpha 1.333: 2 leaves, mean squared error 1.333
	// alpha 17.604: 1 leaves, mean squared error 18.938
}

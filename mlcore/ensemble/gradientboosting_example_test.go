package ensemble_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// Each round fits a stump to what the rounds before it left.
func ExampleGradientBoostingConfig_FitRegressor() {
	X := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	cfg := ensemble.GradientBoostingConfig{Estimators: 3, LearningRate: 1, Tree: tree.Config{MaxDepth: 1}}
	m, err := cfg.FitRegressor(mlcore.FromMatrix(X, []float64{0, 0, 4, 8}, nil))
	if err != nil {
		log.Fatal(err)
	}
	stages, err := m.StagedPredict(X)
	if err != nil {
		log.Fatal(err)
	}
	for round, y := range stages {
		fmt.Printf("round %d: %.2f, loss %.3f\n", round, y, m.TrainingLoss()[round-1])
	}
	// Output:
	// round 1: [0.00 0.00 6.00 6.00], loss 1.000
	// round 2: [-0.67 -0.67 5.33 8.00], loss 0.333
	// round 3: [0.00 0.00 4.67 7.33], loss 0.111
}

// Robust losses shrug off an outlier.
func ExampleHuber() {
	X := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	y := []float64{1, 1, 1, 2, 2, 90}
	for _, loss := range []ensemble.Loss{ensemble.Squared{}, ensemble.Huber{Delta: 0.5}} {
		cfg := ensemble.GradientBoostingConfig{Loss: loss, Tree: tree.Config{MaxDepth: 1, MinSamplesLeaf: 3}}
		m, err := cfg.FitRegressor(mlcore.FromMatrix(X, y, nil))
		if err != nil {
			log.Fatal(err)
		}
		guess, err := m.Predict(X)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T: %.1f\n", loss, guess)
	}
	// Output:
	// ensemble.Squared: [1.0 1.0 1.0 31.3 31.3 31.3]
	// ensemble.Huber: [1.0 1.0 1.0 2.2 2.2 2.2]
}

// A fifth of the rows is held back, and training stops when their loss has not
// fallen for ten rounds.
func ExampleHistBoostingConfig_FitClassifier() {
	rng := mlcore.NewRand(1)
	X, y := mat.NewDense(2000, 2, nil), make([]int, 2000)
	for i := range y {
		a, b := 2*rng.Float64()-1, 2*rng.Float64()-1
		X.SetRow(i, []float64{a, b})
		if math.Hypot(a, b)+0.2*rng.NormFloat64() < 0.7 {
			y[i] = 1
		}
	}
	cfg := ensemble.HistBoostingConfig{Estimators: 1000, ValidationFraction: 0.2, Patience: 10, Seed: 1}
	m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.PredictProba(mat.NewDense(2, 2, []float64{0, 0, 0.9, 0.9}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stopped early:", m.Status().Outcome == mlcore.EarlyStopped && m.Rounds() < 100)
	fmt.Printf("inside the ring: %.1f, outside: %.1f\n", p.At(0, 1), p.At(1, 1))
	// Output:
	// stopped early: true
	// inside the ring: 1.0, outside: 0.0
}

// Categories are split as categories, and missing values find their own side.
func ExampleHistBoostingConfig_FitRegressor() {
	X, y := mat.NewDense(300, 1, nil), make([]float64, 300)
	price := []float64{3, 1, 3, 2} // by category; the last stands for a missing one
	for i := range y {
		code := i % 4
		y[i] = price[code]
		X.Set(i, 0, float64(code))
		if code == 3 {
			X.Set(i, 0, math.NaN())
		}
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Columns[0].Levels = []string{"bread", "salt", "cheese"}
	m, err := ensemble.HistBoostingConfig{AllowMissing: true}.FitRegressor(ds)
	if err != nil {
		log.Fatal(err)
	}
	guess, err := m.Predict(mat.NewDense(4, 1, []float64{0, 1, 2, math.NaN()}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", guess)
	// Output: [3.00 1.00 3.00 2.00]
}

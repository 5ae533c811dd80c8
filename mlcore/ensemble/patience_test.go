package ensemble_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"gonum.org/v1/gonum/mat"
)

// Tol says when to stop and not what to keep: the model has the rounds up to the lowest
// loss of the validation rows. The oracle is the list of these losses, and for the squared
// loss what the model predicts of the rows.
func TestToleranceKeepsTheLowestLoss(t *testing.T) {
	const n = 300
	rng := mlcore.NewRand(52, 1)
	X, y, labels := mat.NewDense(n, 4, nil), make([]float64, n), make([]int, n)
	for i := range n {
		sum := rng.NormFloat64()
		for j := range 4 {
			X.Set(i, j, rng.NormFloat64())
			sum += float64(j) * X.At(i, j)
		}
		if sum > 0 {
			y[i], labels[i] = 1, 1
		}
	}
	part := func(ds *mlcore.Dataset, from, to int) *mlcore.Dataset {
		var rows []int
		for i := from; i < to; i++ {
			rows = append(rows, i)
		}
		return ds.Subset(rows)
	}
	numbers, classes := mlcore.FromMatrix(X, y, nil), mlcore.FromMatrix(X, labels, nil)
	type boosted interface {
		Rounds() int
		ValidationLoss() []float64
	}
	for name, fit := range map[string]func(patience int, tol float64) (boosted, error){
		"gradient boosting": func(patience int, tol float64) (boosted, error) {
			return ensemble.GradientBoostingConfig{Estimators: 60, Validation: part(numbers, 200, n), Patience: patience, Tol: tol}.FitRegressor(part(numbers, 0, 200))
		},
		"gradient boosting of classes": func(patience int, tol float64) (boosted, error) {
			return ensemble.GradientBoostingConfig{Estimators: 60, Validation: part(classes, 200, n), Patience: patience, Tol: tol}.FitClassifier(part(classes, 0, 200))
		},
		"histogram boosting": func(patience int, tol float64) (boosted, error) {
			return ensemble.HistBoostingConfig{Estimators: 60, Validation: part(numbers, 200, n), Patience: patience, Tol: tol}.FitRegressor(part(numbers, 0, 200))
		},
		"histogram boosting of classes": func(patience int, tol float64) (boosted, error) {
			return ensemble.HistBoostingConfig{Estimators: 60, Validation: part(classes, 200, n), Patience: patience, Tol: tol}.FitClassifier(part(classes, 0, 200))
		},
	} {
		for _, tol := range []float64{0, 1e-3, 0.02, 0.1, 10} {
			const patience = 10
			m, err := fit(patience, tol)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			losses := m.ValidationLoss()
			if want := 1 + slices.Index(losses, slices.Min(losses)); m.Rounds() != want {
				t.Errorf("%s, Tol %v: %d rounds of %d kept, the lowest loss is that of %d", name, tol, m.Rounds(), len(losses), want)
			}
			made, last := 60, 1 // by the rule, from the losses
			for round := 2; round <= len(losses); round++ {
				if losses[round-1] < losses[last-1]-tol {
					last = round
				}
				if round-last == patience {
					made = round
					break
				}
			}
			if len(losses) != made {
				t.Errorf("%s, Tol %v: %d rounds made, want %d", name, tol, len(losses), made)
			}
			if r, ok := m.(mlcore.Regressor); ok {
				predicted, err := r.Predict(part(numbers, 200, n).X)
				if err != nil {
					t.Fatal(err)
				}
				if mse, err := metrics.MSE(y[200:], predicted, nil); err != nil || !(math.Abs(mse/2/slices.Min(losses)-1) < 1e-9) {
					t.Errorf("%s, Tol %v: mean square %v, lowest loss %v, error %v", name, tol, mse, slices.Min(losses), err)
				}
			}
		}
	}
}

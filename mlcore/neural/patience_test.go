package neural_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

// Tol says when to stop and not what to keep: the model has the parameters of the epoch
// with the lowest loss of the validation rows. The oracle is the list of these losses.
func TestToleranceKeepsTheLowestLoss(t *testing.T) {
	ds, held := datasets.MakeMoons(120, 0.3, 1), datasets.MakeMoons(80, 0.3, 2)
	for _, tol := range []float64{0, 1e-4, 0.01, 0.2, 10} {
		const patience = 8
		m, err := neural.Config{Hidden: []int{12}, Epochs: 60, LearningRate: 0.02, Validation: held, Patience: patience, Tol: tol, Seed: 1}.FitClassifier(ds)
		if err != nil {
			t.Fatal(err)
		}
		h := m.History()
		best, last, made := 0, 0, 60 // by the rule, from the losses
		for k := range h {
			if h[k].Validation.Loss < h[best].Validation.Loss {
				best = k
			}
			if h[k].Validation.Loss < h[last].Validation.Loss-tol {
				last = k
			}
			if k-last == patience {
				made = k + 1
			}
		}
		if m.BestEpoch() != best+1 || len(h) != made {
			t.Errorf("Tol %v: epoch %d of %d kept, want %d of %d", tol, m.BestEpoch(), len(h), best+1, made)
		}
		proba, err := mlcore.PredictProba(m, held)
		if err != nil {
			t.Fatal(err)
		}
		if loss, err := metrics.LogLoss(held.Y, proba, nil); err != nil || !(math.Abs(loss-h[best].Validation.Loss) < 1e-9) {
			t.Errorf("Tol %v: the model has loss %v, want %v, error %v", tol, loss, h[best].Validation.Loss, err)
		}
	}
}

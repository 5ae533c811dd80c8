package neural_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neural"
)

// TestAbsentClasses: training has nothing to learn about classes that do not occur.
// The oracle is the definition of the loss: before anything is learnt, -log p is
// near log 3 for the three classes that occur, whatever their codes, and not
// log 61 = 4.1 for the codes from 0 to 60.
func TestAbsentClasses(t *testing.T) {
	const n = 150
	rng := mlcore.NewRand(5)
	X, contiguous, spread := mat.NewDense(n, 2, nil), make([]int, n), make([]int, n)
	codes := []int{7, 30, 60}
	for i := range n {
		k := i % 3
		X.SetRow(i, []float64{float64(k) - 1 + 0.2*rng.NormFloat64(), float64(k%2) + 0.2*rng.NormFloat64()})
		contiguous[i], spread[i] = k, codes[k]
	}
	for name, optimizer := range map[string]neural.Optimizer{"Adam": nil, "RMSProp": neural.RMSProp{}, "SGD": neural.Momentum{}} {
		first, err := neural.Config{Hidden: []int{8}, Epochs: 1, LearningRate: 1e-9, Optimizer: optimizer}.FitClassifier(mlcore.FromMatrix(X, spread, nil))
		if err != nil {
			t.Fatal(err)
		}
		if loss := first.History()[0].Train.Loss; loss > 1.5 {
			t.Errorf("%s: the first loss is %v, want about log 3 = 1.1", name, loss)
		}
		m, err := neural.Config{Hidden: []int{8}, Epochs: 12, L2: 1e-4, Optimizer: optimizer}.FitClassifier(mlcore.FromMatrix(X, spread, nil))
		if err != nil {
			t.Fatal(err)
		}
		proba, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		for k := range m.NumClasses() {
			if k == 7 || k == 30 || k == 60 {
				continue
			}
			if p := mat.Max(proba.ColView(k)); p > 1e-300 {
				t.Errorf("%s: class %d, which does not occur, has probability %v", name, k, p)
			}
		}
		same, err := neural.Config{Hidden: []int{8}, Epochs: 12, L2: 1e-4, Optimizer: optimizer}.FitClassifier(mlcore.FromMatrix(X, contiguous, nil))
		if err != nil {
			t.Fatal(err)
		}
		a, b := m.History(), same.History()
		if got, want := a[len(a)-1].Train.Loss, b[len(b)-1].Train.Loss; got > 1.5*want+0.1 {
			t.Errorf("%s: loss %v after 12 epochs, %v with codes 0, 1 and 2", name, got, want)
		}
	}
}

package ensemble_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// TestAdaBoostByHand follows Algorithm 1 of lab 3 on five points. A stump is
// wrong on at least one of the labels 1 1 0 0 1.
//
// Round 1, w = 1/5: x < 3 is class 1 is wrong on the last point only: e = 1/5,
// alpha = log 4. That point's weight is multiplied by 4, so w = (1 1 1 1 4)/8.
// Round 2: the best stump says 1 from 5 on and 0 below; it is wrong on the
// first two: e = 2/8, alpha = log 3. w = (3 3 1 1 4)/12.
// Round 3: all 1 is wrong on the third and the fourth: e = 2/12, alpha = log 5.
// Sums of alpha·h: log 4 - log 3 + log 5 on the first two, -log 4 - log 3 +
// log 5 < 0 on the next two, -log 4 + log 3 + log 5 > 0 on the last: all right.
func TestAdaBoostByHand(t *testing.T) {
	X, y := column(1, 2, 3, 4, 5), []int{1, 1, 0, 0, 1}
	m, err := ensemble.AdaBoostConfig{Estimators: 3}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	alphas, errs := m.Alphas(), m.Errors()
	for i, want := range []struct{ alpha, e float64 }{{math.Log(4), 1. / 5}, {math.Log(3), 2. / 8}, {math.Log(5), 2. / 12}} {
		if math.Abs(alphas[i]-want.alpha) > 1e-12 || math.Abs(errs[i]-want.e) > 1e-12 {
			t.Errorf("round %d: alpha %v, error %v; want %v, %v", i+1, alphas[i], errs[i], want.alpha, want.e)
		}
	}
	stages, err := m.StagedPredict(X)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 0, 0, 1}} {
		for k := range want {
			if stages[i][k] != want[k] {
				t.Errorf("after round %d: %v, want %v", i+1, stages[i], want)
				break
			}
		}
	}
}

func TestAdaBoostEndsEarly(t *testing.T) {
	// One stump parts the classes: e = 0 < 1e-8.
	m, err := ensemble.AdaBoostConfig{}.FitClassifier(mlcore.FromMatrix(column(1, 2, 3, 4), []int{0, 0, 1, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Members()) != 1 || m.Status().Outcome != mlcore.Perfect || math.IsInf(m.Alphas()[0], 0) {
		t.Errorf("%d members, %v, alphas %v; want one, perfect, finite", len(m.Members()), m.Status(), m.Alphas())
	}
	// XOR: no stump beats chance.
	X := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	m, err = ensemble.AdaBoostConfig{}.FitClassifier(mlcore.FromMatrix(X, []int{0, 1, 1, 0}, nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Members()) != 1 || m.Status().Outcome != mlcore.NoBetterThanChance || m.Errors()[0] != 0.5 {
		t.Errorf("XOR: %d members, %v, errors %v; want one of error 0.5", len(m.Members()), m.Status(), m.Errors())
	}
	if _, err = (ensemble.AdaBoostConfig{}).FitClassifier(mlcore.FromMatrix(X, []int{1, 1, 1, 1}, nil)); !errors.Is(err, mlcore.ErrOneClass) {
		t.Errorf("one class: error %v, want ErrOneClass", err)
	}
}

func TestForestOfOneTreeOnAllRowsIsTheTree(t *testing.T) {
	rng := mlcore.NewRand(5)
	X, y := mat.NewDense(80, 3, nil), make([]int, 80)
	for i := range y {
		for j := range 3 {
			X.Set(i, j, math.Round(10*rng.Float64()))
		}
		y[i] = rng.IntN(3)
	}
	f, err := ensemble.ForestConfig{Estimators: 1, MaxFeatures: tree.AllFeatures, Sampling: ensemble.AllRows}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := f.PredictProba(X)
	b, _ := m.PredictProba(X)
	if !mat.Equal(a, b) {
		t.Error("the forest's probabilities differ from its tree's")
	}
}

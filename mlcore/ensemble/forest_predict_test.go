package ensemble_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
)

// The oracle is the sum over the members, one row after the other. Predicting
// often makes the trees small, which must change nothing.
func TestForestsWalkAlike(t *testing.T) {
	const n = 3000
	rng := mlcore.NewRand(1)
	X, y, target := mat.NewDense(n, 6, nil), make([]int, n), make([]float64, n)
	for i := range y {
		for j := range 6 {
			X.Set(i, j, float64(rng.IntN(12)))
		}
		y[i] = (int(X.At(i, 0)) + rng.IntN(4)) % 5
		target[i] = X.At(i, 1) + rng.Float64()
	}
	shares, err := ensemble.ForestConfig{Estimators: 9, Seed: 1}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	votes, err := ensemble.ForestConfig{Estimators: 9, Seed: 1, Voting: ensemble.HardVoting}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := ensemble.ForestConfig{Estimators: 9, Seed: 1}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	wantShares, wantVotes, wantNumbers := mat.NewDense(n, 5, nil), mat.NewDense(n, 5, nil), make([]float64, n)
	for i := range n {
		row := X.Slice(i, i+1, 0, 6)
		for k, m := range shares.Trees() {
			p, err := m.PredictProba(row)
			if err != nil {
				t.Fatal(err)
			}
			for c := range 5 {
				wantShares.Set(i, c, wantShares.At(i, c)+p.At(0, c))
			}
			class, err := votes.Trees()[k].Predict(row)
			if err != nil {
				t.Fatal(err)
			}
			wantVotes.Set(i, class[0], wantVotes.At(i, class[0])+1)
			v, err := numbers.Trees()[k].Predict(row)
			if err != nil {
				t.Fatal(err)
			}
			wantNumbers[i] += v[0]
		}
		wantNumbers[i] /= 9
	}
	for _, m := range []*mat.Dense{wantShares, wantVotes} {
		m.Apply(func(_, _ int, v float64) float64 { return v / 9 }, m)
	}
	for round := range 4 {
		gotShares, err1 := shares.PredictProba(X)
		gotVotes, err2 := votes.PredictProba(X)
		gotNumbers, err3 := numbers.Predict(X)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		if !mat.Equal(gotShares, wantShares) || !mat.Equal(gotVotes, wantVotes) {
			t.Errorf("round %d: probabilities differ", round)
		}
		for i, v := range gotNumbers {
			if v != wantNumbers[i] {
				t.Fatalf("round %d, row %d: %v, want %v", round, i, v, wantNumbers[i])
			}
		}
	}
}

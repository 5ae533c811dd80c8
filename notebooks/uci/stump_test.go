package uci

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/id3"
	"gonum.org/v1/gonum/mat"
)

// coded is a Dataset of level codes; a column of 0 levels is numeric.
func coded(X *mat.Dense, y []int, levels []int, classes int) *mlcore.Dataset {
	ds := mlcore.FromMatrix(X, y, nil)
	ds.ClassNames = make([]string, classes)
	for j, k := range levels {
		if k > 0 {
			ds.Columns[j].Levels = make([]string, k)
		}
	}
	return ds
}

// Oracle: id3.Config, which package id3 holds to worked examples.
func TestStumpsAreID3OfDepthOne(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, d, classes := 1+rng.IntN(40), 1+rng.IntN(4), 2+rng.IntN(3)
		levels, X, y, w := make([]int, d), mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
		for j := range levels {
			levels[j] = 1 + rng.IntN(5)
		}
		Q := mat.NewDense(30, d, nil)
		for i := range n {
			for j, k := range levels {
				X.Set(i, j, float64(rng.IntN(1+rng.IntN(k))))
			}
			y[i], w[i] = rng.IntN(classes), float64(1+rng.IntN(1000))/1024
		}
		for i := range 30 {
			for j, k := range levels {
				Q.Set(i, j, float64(rng.IntN(k)))
			}
		}
		ours, err := newStumps(coded(X, y, levels, classes))
		if err != nil {
			t.Fatal(err)
		}
		weighted := coded(X, y, levels, classes)
		weighted.Weights = w
		want, err := id3.Config{MaxDepth: 1}.FitClassifier(weighted)
		if err != nil {
			t.Fatal(err)
		}
		got := ours.fit(w)
		if root := want.Node(0); got.column != root.Feature {
			t.Fatalf("seed %d: column %d, ID3 %d", seed, got.column, root.Feature)
		}
		a, errA := got.Predict(Q)
		b, errB := want.Predict(Q)
		if errA != nil || errB != nil || !slices.Equal(a, b) {
			t.Fatalf("seed %d: %v, ID3 %v (%v, %v)", seed, a, b, errA, errB)
		}
	}
}

// And so is what AdaBoost makes of them.
func TestAdaBoostIsThatOfID3(t *testing.T) {
	ds, err := Car.Load()
	if err != nil {
		t.Fatal(err)
	}
	learn, err := DefaultSettings(Car).Learner(AdaBoost, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := learn(ds)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ensemble.AdaBoostConfig{
		Estimators: DefaultSettings(Car).Rounds,
		Learner:    mlcore.LearnClassifier(id3.Config{MaxDepth: 1}.FitClassifier),
	}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	a, errA := got.Predict(ds.X)
	b, errB := want.Predict(ds.X)
	if errA != nil || errB != nil || !slices.Equal(a, b) || len(got.(*ensemble.AdaBoost).Members()) != len(want.Members()) {
		t.Errorf("other predictions than with id3.Config (%v, %v)", errA, errB)
	}
}

func TestStumpsRefuse(t *testing.T) {
	y := []int{0, 1}
	for _, tc := range []struct {
		name   string
		X      *mat.Dense
		levels []int
		want   error
	}{
		{"a code beyond the levels", mat.NewDense(2, 1, []float64{0, 3}), []int{2}, mlcore.ErrLevel},
		{"no code", mat.NewDense(2, 1, []float64{0, 0.5}), []int{2}, mlcore.ErrLevel},
		{"a number", mat.NewDense(2, 1, []float64{0, 1}), []int{0}, mlcore.ErrConfig},
		{"too many levels", mat.NewDense(2, 1, []float64{0, 1}), []int{maxLevels + 1}, mlcore.ErrConfig},
	} {
		if _, err := newStumps(coded(tc.X, y, tc.levels, 2)); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	s, err := newStumps(coded(mat.NewDense(2, 1, []float64{0, 1}), y, []int{2}, 2))
	if err != nil {
		t.Fatal(err)
	}
	m := s.fit([]float64{1, 1})
	if _, err := m.Predict(mat.NewDense(1, 1, []float64{2})); !errors.Is(err, mlcore.ErrLevel) {
		t.Errorf("an unknown level: %v", err)
	}
	if _, err := m.Predict(mat.NewDense(1, 2, nil)); !errors.Is(err, mlcore.ErrShape) {
		t.Errorf("another width: %v", err)
	}
}

package uci

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// Oracle: package modelsel's cross-validation of AdaBoost with each number of rounds by
// itself, on the same folds.
func TestChooseRounds(t *testing.T) {
	load(t, Ecoli)
	ds, err := Ecoli.Load()
	if err != nil {
		t.Fatal(err)
	}
	all := AllRows(ds)
	p, err := Ecoli.Prepare(ds, modelsel.Fold{Train: all, Test: all})
	if err != nil {
		t.Fatal(err)
	}
	const most, seed = 12, 3
	for name, train := range map[string]*mlcore.Dataset{"intervals": p.Categories.Train, "numbers": p.Numbers.Train} {
		folds, err := modelsel.StratifiedKFold{Folds: roundFolds, Shuffle: true, Seed: seed, AllowRare: true}.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
		if err != nil {
			t.Fatal(err)
		}
		best, want := -1, 0
		for rounds := 1; rounds <= most; rounds++ {
			right := 0
			for _, fold := range folds.All() {
				m, err := boost(train.Subset(fold.Train), rounds)
				if err != nil {
					t.Fatal(err)
				}
				held := train.Subset(fold.Test)
				y, err := m.Predict(held.X)
				if err != nil {
					t.Fatal(err)
				}
				for i, k := range y {
					if k == held.Y[i] {
						right++
					}
				}
			}
			if right > best {
				best, want = right, rounds
			}
		}
		if got, err := chooseRounds(train, most, seed); err != nil || got != want {
			t.Errorf("%s: %d rounds, %v; want %d", name, got, err, want)
		}
	}
}

// Worked by hand: the second attribute's value 2 never occurs in training.
func TestUnseenIsLast(t *testing.T) {
	train := mlcore.FromMatrix(mat.NewDense(4, 1, []float64{0, 0, 1, 0}), []int{0, 0, 1, 0}, nil)
	train.Columns[0].Levels = []string{"a", "b", "c"}
	train.ClassNames = []string{"zebra", "ape"} // class 0 is the last in the alphabet
	for _, tc := range []struct {
		y    []int
		last bool
		want []int
	}{
		{[]int{1, 1, 0, 1}, true, []int{1, 0, 0}},  // the commonest is ape, the last zebra
		{[]int{1, 1, 0, 1}, false, []int{1, 0, 1}}, // the commonest of the node
	} {
		ds := *train
		ds.Y = tc.y
		learn, err := Settings{UnseenIsLast: tc.last}.Learner(ID3, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, err := learn(&ds)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(mat.NewDense(3, 1, []float64{0, 1, 2}))
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("last %v: %v, %v; want %v", tc.last, got, err, tc.want)
		}
	}
}

// What is chosen does not depend on the test rows.
func TestChoiceDoesNotSeeTheTest(t *testing.T) {
	load(t, Breast)
	ds, err := Breast.Load()
	if err != nil {
		t.Fatal(err)
	}
	folds, err := Experiment{Seed: 1}.Split(Breast, ds, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Breast.Prepare(ds, folds.At(0))
	if err != nil {
		t.Fatal(err)
	}
	families, err := familiesOf(Breast, 1)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(families, func(f family) bool { return f.Name == "k-NN" })
	right, chosen, err := families[i].score(*p.Numbers)
	if err != nil {
		t.Fatal(err)
	}
	turned := *p.Numbers.Test
	turned.Y = make([]int, len(p.Numbers.Test.Y))
	for i, y := range p.Numbers.Test.Y {
		turned.Y[i] = 1 - y
	}
	wrong, again, err := families[i].score(View{p.Numbers.Train, &turned})
	if err != nil || again != chosen || right+wrong < 99.999 || right+wrong > 100.001 {
		t.Errorf("%s and %v %%, with the test labels turned round %s and %v %%, %v", chosen, right, again, wrong, err)
	}
}

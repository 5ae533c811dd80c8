package lab3

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

func TestNeighbourLearner(t *testing.T) {
	predict := func(trainX *mat.Dense, trainY []int, testX *mat.Dense, k int) []int {
		n, _ := trainX.Dims()
		m, _ := testX.Dims()
		return []int{n, len(trainY), m, k}
	}
	if got := NeighbourLearner(predict, 9)(six(), Column(1, 2)); !reflect.DeepEqual(got, []int{6, 6, 2, 9}) {
		t.Errorf("%v", got)
	}
}

// Of 3000 labels of three classes a fifth is drawn, and two of three drawn ones are
// wrong: 400 in the mean, with a standard deviation of 19.
func TestCareless(t *testing.T) {
	X, y := make([]float64, 3000), make([]int, 3000)
	for i := range X {
		X[i], y[i] = float64(i), i%3
	}
	ds := mlcore.FromMatrix(Column(X...), y, nil)
	before := slices.Clone(ds.Y)
	changed := 0
	for i, c := range Careless(ds, 0.2, 1).Y {
		if c != ds.Y[i] {
			changed++
		}
	}
	if math.Abs(float64(changed)-400) > 95 {
		t.Errorf("%d labels are wrong, about 400 expected", changed)
	}
	if !slices.Equal(ds.Y, before) || !slices.Equal(Careless(ds, 0, 1).Y, before) {
		t.Error("labels of the given data changed")
	}
	if !slices.Equal(Careless(ds, 0.2, 1).Y, Careless(ds, 0.2, 1).Y) || slices.Equal(Careless(ds, 0.2, 1).Y, Careless(ds, 0.2, 2).Y) {
		t.Error("the seed decides the labels")
	}
}

package lab3

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// The learner hands everything on: rows, labels, size, options and the seed's numbers.
func TestForestLearner(t *testing.T) {
	train := func(X *mat.Dense, y []int, k int, rng *rand.Rand, opts TreeOptions) []*Tree {
		n, _ := X.Dims()
		return []*Tree{{Class: n}, {Class: len(y)}, {Class: k}, {Class: rng.IntN(1000)}, {Class: opts.MinSize}}
	}
	predict := func(forest []*Tree, _ *mat.Dense) (classes []int) {
		for _, tree := range forest {
			classes = append(classes, tree.Class)
		}
		return classes
	}
	want := []int{6, 6, 7, mlcore.NewRand(9).IntN(1000), 0}
	if got := ForestLearner(train, predict, 7, 9)(six(), nil); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFirstQuestions(t *testing.T) {
	ask := func(feature int, at float64) *Tree {
		return &Tree{Feature: feature, Thresh: at, Below: &Tree{}, Above: &Tree{}}
	}
	panels, err := FirstQuestions([]*Tree{ask(0, 1), ask(1, 2), ask(1, 3), {}}, []string{"a", "b"})
	if err != nil || len(panels) != 2 {
		t.Fatalf("%d panels, %v", len(panels), err)
	}
	for _, p := range panels {
		if p := p.(*plotx.Panel); p.Y.Label.Text != "trees" {
			t.Errorf("the axis says %q", p.Y.Label.Text)
		}
	}
	if _, err := FirstQuestions([]*Tree{{}}, []string{"a"}); err == nil {
		t.Error("no error where there is no question")
	}
}

// Sizes, and other draws for another seed.
func TestOverlapping(t *testing.T) {
	train, test := Overlapping(0)
	if n, d := train.X.Dims(); n != 300 || d != 10 || test.Len() != 1000 || train.NumClasses() != 5 {
		t.Errorf("%d samples of %d features, %d for testing, %d classes", n, d, test.Len(), train.NumClasses())
	}
	other, _ := Overlapping(1)
	again, _ := Overlapping(0)
	if mat.Equal(train.X, other.X) || !mat.Equal(train.X, again.X) {
		t.Error("a seed decides the draw")
	}
}

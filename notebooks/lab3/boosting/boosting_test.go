package boosting

import (
	"math"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/lab3"
	"gonum.org/v1/gonum/floats"
)

// Three rounds on the six samples, worked by hand: the cut at 2 is wrong about the last
// sample, 1 of 6; the cut at 6 then about the first, 1/10; and "class 1 for all" about the
// four in the middle, 4/18.
func TestSixSamplesByHand(t *testing.T) {
	six := mlcore.FromMatrix(lab3.Column(1, 2, 3, 4, 5, 6), []int{1, 0, 0, 0, 0, 1}, nil)
	e := Grow(six, 3)
	a, b, c := math.Log(5), math.Log(9), math.Log(3.5)
	if !floats.EqualApprox(e.Alphas, []float64{a, b, c}, 1e-12) {
		t.Errorf("votes %v, want log 5, log 9, log 3.5", e.Alphas)
	}
	want := []float64{a - b + c, c - a - b, c - a - b, c - a - b, c - a - b, b + c - a}
	if got := e.Sums(six.X); !floats.EqualApprox(got, want, 1e-12) {
		t.Errorf("sums %v, want %v", got, want)
	}
	if got := e.Predict(six.X); !reflect.DeepEqual(got, six.Y) {
		t.Errorf("predicted %v, want the labels %v", got, six.Y)
	}
	if got := e.First(1).Predict(six.X); !reflect.DeepEqual(got, []int{1, 0, 0, 0, 0, 0}) {
		t.Errorf("after one round %v", got)
	}
	// After round 1 the last sample has half of the weight, after round 2 the first.
	if got := e.First(1).Weights(six); !floats.EqualApprox(got, []float64{.1, .1, .1, .1, .1, .5}, 1e-12) {
		t.Errorf("weights after one round %v", got)
	}
	if got := e.First(2).Weights(six); !floats.EqualApprox(got, []float64{.5, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 5. / 18}, 1e-12) {
		t.Errorf("weights after two rounds %v", got)
	}
	if got := e.First(0).Predict(six.X); !reflect.DeepEqual(got, []int{1, 1, 1, 1, 1, 1}) {
		t.Errorf("without a vote every sum is 0, class 1: %v", got)
	}
}

func TestGrowRefuses(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("three classes are accepted")
		}
	}()
	Grow(&mlcore.Dataset{X: lab3.Column(1, 2, 3), Y: []int{0, 1, 2}, ClassNames: []string{"a", "b", "c"}}, 2)
}

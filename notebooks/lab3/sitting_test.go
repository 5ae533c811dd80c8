package lab3

import (
	"math"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Six samples on a line whose tree is drawn by hand: 0 below 3, 1 below 5, else 2.
func six() *mlcore.Dataset {
	return mlcore.FromMatrix(Column(1, 2, 3, 4, 5, 6), []int{0, 0, 1, 1, 2, 2}, nil)
}

func TestThresholds(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{2, 7.75, 1, 7.25, 2, -8, 1, 7.75})
	for feature, want := range [][]float64{{1, 2}, {-8, 7.25, 7.75}} {
		if got := Thresholds(X, feature); !reflect.DeepEqual(got, want) {
			t.Errorf("feature %d: %v, want %v", feature, got, want)
		}
	}
}

// The Gini impurity 2p(1-p) at 0.3 is 0.42, and 0.3 after a cut into 0 and 0.5.
func TestChordPanel(t *testing.T) {
	p, err := ChordPanel("Gini", func(p float64) float64 { return 2 * p * (1 - p) }, 0, 0.3, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if a := p.Arrows[0]; p.Title.Text != "Gini: gain 0.12" || math.Abs(a.From-0.42) > 1e-12 || math.Abs(a.To-0.3) > 1e-12 || a.X != 0.3 {
		t.Errorf("%q %+v", p.Title.Text, a)
	}
}

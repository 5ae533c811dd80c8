package neighbors_test

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

var (
	_ mlcore.ProbClassifier = (*neighbors.Classifier)(nil)
	_ mlcore.Regressor      = (*neighbors.Regressor)(nil)
)

// On a line, the answers can be counted by hand.
func TestOnALine(t *testing.T) {
	X := mat.NewDense(6, 1, []float64{0, 1, 2, 10, 11, 12})
	y := []int{0, 0, 1, 1, 1, 0}
	m, err := neighbors.Config{K: 3}.FitClassifier(X, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(mat.NewDense(3, 1, []float64{0, 6, 10.9}))
	if err != nil {
		t.Fatal(err)
	}
	// 0: rows 0, 1, 2. 6: rows 2 and 3 at 4, row 1 and 4 at 5, of which row 1
	// is lower. 10.9: rows 4, 3, 5.
	if want := []int{0, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("classes %v, want %v", got, want)
	}
	rows, dist, err := m.Neighbors(mat.NewDense(1, 1, []float64{6}), 4)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{2, 3, 1, 4}; !slices.Equal(rows[0], want) || !mat.Equal(dist, mat.NewDense(1, 4, []float64{4, 4, 5, 5})) {
		t.Errorf("neighbours %v at %v", rows, mat.Formatted(dist))
	}
}

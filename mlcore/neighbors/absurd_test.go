package neighbors_test

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// TestAbsurdLabel: an identifier in place of a class code is refused, before
// predictions have a column for each code below it.
func TestAbsurdLabel(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{1, 2, 3})
	if _, err := (neighbors.Config{Neighbors: 1}).FitClassifier(mlcore.FromMatrix(X, []int{0, 1 << 30, 1}, nil)); !errors.Is(err, mlcore.ErrLabel) {
		t.Errorf("label 1<<30: error %v, want one that wraps ErrLabel", err)
	}
	if _, err := (neighbors.Config{Neighbors: 1}).FitClassifier(fixture.Classes(mlcore.FromMatrix(X, []int{0, 0, 1}, nil), 1<<20+1)); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("1<<20 + 1 classes: error %v, want one that wraps ErrConfig", err)
	}
}

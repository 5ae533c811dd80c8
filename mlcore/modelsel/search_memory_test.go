package modelsel

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// The candidates of a fold share one copy of its rows, which the last one drops.
func TestFoldDataAreShared(t *testing.T) {
	folds, err := KFold{Folds: 2}.Split(Rows{N: 4})
	if err != nil {
		t.Fatal(err)
	}
	ds := mlcore.FromMatrix(mat.NewDense(4, 1, nil), make([]int, 4), nil)
	var s sharedFold
	first := s.take(ds, folds, 0)
	s.leave(2)
	if s.take(ds, folds, 0) != first {
		t.Error("the second candidate gets a copy of its own")
	}
	s.leave(2)
	if s.data != nil {
		t.Error("the data are kept after the last candidate")
	}
}

package modelsel

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The candidates of a fold share one copy of its rows, which the last one drops.
func TestFoldDataAreShared(t *testing.T) {
	folds, err := KFold{Folds: 2}.Split(Rows{N: 4})
	if err != nil {
		t.Fatal(err)
	}
	p := &problem[int]{part: part[int]{X: mat.NewDense(4, 1, nil), y: make([]int, 4)}, folds: folds}
	var s sharedFold[int]
	first := s.take(p, 0)
	s.leave(2)
	if s.take(p, 0) != first {
		t.Error("the second candidate gets a copy of its own")
	}
	s.leave(2)
	if s.data != nil {
		t.Error("the data are kept after the last candidate")
	}
}

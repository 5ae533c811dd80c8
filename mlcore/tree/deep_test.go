package tree_test

import (
	"io"
	"math"
	"runtime"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// allocated is how many bytes f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// A tree that takes one row at a time away is as deep as there are rows. What is said of it
// takes no more memory than there is to say: its text is as long as the square of the
// depth, but is not kept, and each test is put in words once.
func TestDeepTree(t *testing.T) {
	const rows = 2000
	X, y := mat.NewDense(rows, 1, nil), make([]int, rows)
	for i := range rows {
		X.Set(i, 0, float64(i))
		y[i] = i % 2
	}
	m, err := tree.Config{}.FitClassifier(mlcore.FromMatrix(X, y, nil))
	if err != nil || m.Depth() < rows/2 {
		t.Fatalf("a depth of %d (%v)", m.Depth(), err)
	}
	if used := allocated(func() { err = m.WriteText(io.Discard) }); err != nil || used > 1000*m.NumNodes() {
		t.Errorf("the text of %d nodes takes %d bytes (%v)", m.NumNodes(), used, err)
	}
	letters := 0
	used := allocated(func() {
		for _, rule := range m.Rules() {
			letters += len(rule)
		}
	})
	if used > letters+letters/4+1000*m.NumNodes() {
		t.Errorf("rules of %d bytes take %d", letters, used)
	}
}

// Targets that double from row to row make a tree as deep, whose weakest links are at the
// bottom: each that is cut changes what all nodes above it cost. There are as many
// prunings as there were tests.
func TestPruningADeepTree(t *testing.T) {
	const rows = 400
	X, y := mat.NewDense(rows, 1, nil), make([]float64, rows)
	for i := range rows {
		X.Set(i, 0, float64(i))
		y[i] = math.Ldexp(1, i)
	}
	m, err := tree.Config{}.FitRegressor(mlcore.FromMatrix(X, y, nil))
	if err != nil || m.Depth() < rows/2 {
		t.Fatalf("a depth of %d (%v)", m.Depth(), err)
	}
	if used := allocated(func() { m.PruningPath() }); used > 2000*m.NumNodes() {
		t.Errorf("the path of %d nodes takes %d bytes", m.NumNodes(), used)
	}
}

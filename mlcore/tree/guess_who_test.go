package tree_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The CITS5508 text plays Guess Who with four characters: asking about glasses
// first takes (1+2+3+3)/4 = 2.25 questions on average, asking first whether it is
// a man 2, because that answer is the more informative one. The characters are
// those of Kelleher, Mac Namee & D'Arcy (2015), table 4.1.
func TestGuessWhoOfCITS5508(t *testing.T) {
	// Columns: man, long hair, glasses. Rows: Brian, John, Aphra, Aoife.
	X := mat.NewDense(4, 3, []float64{
		1, 0, 1,
		1, 0, 0,
		0, 1, 0,
		0, 0, 0,
	})
	who := []int{0, 1, 2, 3}
	average := func(m *tree.Classifier) float64 {
		questions := 0.0
		var walk func(i, depth int)
		walk = func(i, depth int) {
			if n := m.Node(i); n.Leaf() {
				questions += float64(depth) * n.Weight
			} else {
				walk(n.Left, depth+1)
				walk(n.Right, depth+1)
			}
		}
		walk(0, 0)
		return questions / 4
	}
	for _, tc := range []struct {
		name string
		X    *mat.Dense
		want float64
	}{
		{"free to choose", X, 2},
		// Questions that single out one character each: glasses Brian, long
		// hair Aphra, a beard John.
		{"one at a time", mat.NewDense(4, 3, []float64{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0}), 2.25},
	} {
		m, err := tree.Config{Criterion: tree.Entropy}.FitClassifier(mlcore.FromMatrix(tc.X, who, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := average(m); got != tc.want {
			t.Errorf("%s: %v questions on average, want %v:\n%s", tc.name, got, tc.want, m.Text())
		}
	}
}

package preprocess_test

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// Six columns that are three pairs of the same: of what is equally good the column that
// stands first is kept, as the documents say. Columns 2 and 4 say more of the class than
// the others, and so do their copies 3 and 5.
func TestTiesKeepTheFirstColumn(t *testing.T) {
	const n = 24
	X, y := mat.NewDense(n, 6, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		weak, strong := float64(i%3), float64(y[i])
		if i < 4 {
			strong = 1 - strong
		}
		X.SetRow(i, []float64{weak, weak, strong, strong, strong, strong})
	}
	ds := mlcore.FromMatrix(X, y, nil)
	for _, c := range []struct {
		name string
		keep int
		step int
		want []int
	}{
		{"one of four equals", 1, 1, []int{2}},
		{"three of four equals", 3, 1, []int{2, 3, 4}},
		{"two, all others at once", 2, 4, []int{2, 3}},
		{"one of two equals beside better ones", 5, 1, []int{0, 2, 3, 4, 5}},
	} {
		// The weak ones leave first, so that the importances of those that are left are the
		// last of all.
		left := 6
		importances := func(any) ([]float64, error) {
			v := []float64{1, 1, 2, 2, 2, 2}[6-left:]
			left -= c.step
			return v, nil
		}
		e, err := preprocess.RFEConfig{Learner: mlcore.LearnClassifier(tree.Config{}.FitClassifier), FeaturesToSelect: c.keep, Step: c.step, Importances: importances}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Kept(); !slices.Equal(got, c.want) {
			t.Errorf("%s: elimination keeps %v, want %v", c.name, got, c.want)
		}
		m, err := preprocess.SelectConfig{K: c.keep}.Fit(ds)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Kept(); !slices.Equal(got, c.want) {
			t.Errorf("%s: the selection keeps %v, want %v", c.name, got, c.want)
		}
	}
}

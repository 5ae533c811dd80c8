package cart

import (
	"errors"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// The oracle is the same rows written out: copies count as rows, for
// MinSamplesLeaf too.
func TestCopiesAreRows(t *testing.T) {
	const n, d = 150, 4
	rng := mlcore.NewRand(6)
	X, y, target, copies := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n), make([]int32, n)
	var rows []int
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rng.IntN(6+10*j)))
		}
		y[i] = (int(X.At(i, 0)) + rng.IntN(3)) % 3
		target[i] = float64(2*int(X.At(i, 0))+rng.IntN(5)) / 2
		copies[i] = int32(rng.IntN(4))
		for range copies[i] {
			rows = append(rows, i)
		}
	}
	written, writtenY, writtenTarget := mat.NewDense(len(rows), d, nil), make([]int, len(rows)), make([]float64, len(rows))
	for k, i := range rows {
		written.SetRow(k, X.RawRowView(i))
		writtenY[k], writtenTarget[k] = y[i], target[i]
	}
	said, out := table(t, X), table(t, written)
	for _, cfg := range []Config{{MinSamplesLeaf: 5}, {MinSamplesLeaf: 5, Criterion: Misclassification}, {MaxFeatures: 2}} {
		a, errA := cfg.FitClassifier(said, mlcore.CountClasses(y), y, nil, copies, nil)
		b, errB := cfg.FitClassifier(out, mlcore.CountClasses(y), writtenY, nil, nil, nil)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%+v: copies said and copies written out differ", cfg)
		}
		cfg.Criterion = SquaredError
		c, errC := cfg.FitRegressor(said, target, nil, copies, nil)
		r, errR := cfg.FitRegressor(out, writtenTarget, nil, nil, nil)
		if errC != nil || errR != nil {
			t.Fatal(errC, errR)
		}
		if !sameTests(c.Tree(), r.Tree()) {
			t.Errorf("%+v: regression on copies said and copies written out differs", cfg)
		}
	}
}

// sameTests leaves out impurities, which may differ by rounding.
func sameTests(a, b *flattree.Tree) bool {
	return reflect.DeepEqual(a.Nodes, b.Nodes) && reflect.DeepEqual(a.Samples, b.Samples)
}

func table(t *testing.T, X mat.Matrix) *ranks.Table {
	t.Helper()
	b, err := ranks.Of(X, nil, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBadCopies(t *testing.T) {
	b, y := table(t, mat.NewDense(3, 1, []float64{1, 2, 3})), []int{0, 1, 1}
	for _, tc := range []struct {
		name   string
		copies []int32
		want   error
	}{
		{"too few", []int32{1, 2}, mlcore.ErrShape},
		{"negative", []int32{1, -1, 2}, mlcore.ErrWeight},
		{"none", []int32{0, 0, 0}, mlcore.ErrWeight},
	} {
		if _, err := (Config{}).FitClassifier(b, mlcore.CountClasses(y), y, nil, tc.copies, nil); !errors.Is(err, tc.want) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.want)
		}
		if _, err := (Config{}).FitRegressor(b, []float64{1, 2, 3}, nil, tc.copies, nil); !errors.Is(err, tc.want) {
			t.Errorf("%s, regression: error %v, want %v", tc.name, err, tc.want)
		}
	}
}

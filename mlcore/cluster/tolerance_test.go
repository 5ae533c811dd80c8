package cluster_test

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/cluster"
	"gonum.org/v1/gonum/mat"
)

// lloydUntil is Lloyd's algorithm as the textbooks have it, until the squared moves of all
// centres together are at most tol times the mean variance of the columns: the number of
// iterations, and the centres after them.
func lloydUntil(X *mat.Dense, w []float64, k, maxIter int, tol float64) (int, *mat.Dense) {
	n, d := X.Dims()
	weight := func(i int) float64 {
		if w == nil {
			return 1
		}
		return w[i]
	}
	variance := 0.0
	for j := range d {
		sum, squares, total := 0.0, 0.0, 0.0
		for i := range n {
			sum, total = sum+weight(i)*X.At(i, j), total+weight(i)
		}
		for i := range n {
			squares += weight(i) * math.Pow(X.At(i, j)-sum/total, 2)
		}
		variance += squares / total / float64(d)
	}
	centres, labels := mat.DenseCopyOf(X.Slice(0, k, 0, d)), make([]int, n)
	for i := range labels {
		labels[i] = -1
	}
	for iteration := 1; ; iteration++ {
		sums, totals, changed := mat.NewDense(k, d, nil), make([]float64, k), false
		for i := range n {
			best, least := 0, math.Inf(1)
			for c := range k {
				s := 0.0
				for j := range d {
					s += math.Pow(X.At(i, j)-centres.At(c, j), 2)
				}
				if s < least {
					best, least = c, s
				}
			}
			changed, labels[i] = changed || labels[i] != best, best
			totals[best] += weight(i)
			for j := range d {
				sums.Set(best, j, sums.At(best, j)+weight(i)*X.At(i, j))
			}
		}
		if !changed {
			return iteration, centres
		}
		moved := 0.0
		for c := range k {
			for j := range d {
				to := sums.At(c, j) / totals[c]
				moved += math.Pow(to-centres.At(c, j), 2)
				centres.Set(c, j, to)
			}
		}
		if moved <= tol*variance || iteration == maxIter {
			return iteration, centres
		}
	}
}

// k-means ends when its centres have nearly stopped, as Tol says: in units of the mean
// variance of the columns, as in scikit-learn.
func TestTolerance(t *testing.T) {
	rng := mlcore.NewRand(5)
	X := mat.NewDense(900, 2, nil) // without groups, so that centres move for long
	w := make([]float64, 900)
	for i := range w {
		w[i] = float64(1 + rng.IntN(3))
		X.SetRow(i, []float64{7 * rng.Float64(), 100 + rng.Float64()})
	}
	seen := map[int]bool{}
	for _, c := range []struct {
		name string
		w    []float64
		k    int
		tol  float64 // as it is set
		want float64 // what it means
	}{
		{"none", nil, 6, -1, -1},
		{"by default", nil, 6, 0, 1e-4},
		{"small", nil, 6, 1e-3, 1e-3},
		{"large", nil, 6, 0.02, 0.02},
		{"weights", w, 7, 1e-3, 1e-3},
		{"at once", nil, 6, 1e6, 1e6},
	} {
		iterations, centres := lloydUntil(X, c.w, c.k, 300, c.want)
		m, err := cluster.KMeansConfig{Centres: X.Slice(0, c.k, 0, 2), Tol: c.tol}.Fit(mlcore.FromMatrix[int](X, nil, c.w))
		if err != nil {
			t.Fatal(err)
		}
		seen[iterations] = true
		if got := m.Status().Iterations; got != iterations || !mat.EqualApprox(m.Centres(), centres, 1e-9) {
			t.Errorf("%s: %d iterations, want %d, to\n%v\nwant\n%v", c.name, got, iterations, data(m.Centres()), data(centres))
		}
	}
	if len(seen) < 5 {
		t.Errorf("the tolerances make too little difference to tell them apart: %v", seen)
	}
}

// All centres begin at one end of a line and spread slowly: the default is to stop after
// 300 iterations.
func TestDefaultIterations(t *testing.T) {
	X := mat.NewDense(3000, 1, nil)
	for i := range 3000 {
		X.Set(i, 0, float64(i))
	}
	m, err := cluster.KMeansConfig{Centres: X.Slice(0, 30, 0, 1), Tol: -1}.Fit(mlcore.FromMatrix[int](X, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Status(); s.Iterations != 300 || s.Outcome != mlcore.IterationLimit {
		t.Errorf("%+v", s)
	}
}

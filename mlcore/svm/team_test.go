package svm

import (
	"runtime"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// By hand: a team costs more than a small machine gains, so that one starts only where
// there are twice the elements of a piece, and stays.
func TestTeamStartsWhereThereIsWork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const n, d = 40, 3
	X, y, most := space{kernel: RBF{Gamma: 1}, d: d, data: make([]float64, n*d)}, make([]float64, n), 0
	p := program{space: &X, target: y, lower: make([]float64, n), upper: make([]float64, n), tolerance: 1e-9, maxIterations: 1000, cacheBytes: 1 << 20, workers: 2}
	p.progress = func(int, float64) error {
		most = max(most, runtime.NumGoroutine())
		return nil
	}
	for i := range n {
		p.rows = append(p.rows, int32(i))
		X.data[i*d], y[i], p.upper[i] = float64(i)/10, 1, 100
		if i%2 == 0 {
			y[i], p.lower[i], p.upper[i] = -1, -100, 0
		}
	}
	before := runtime.NumGoroutine()
	if p.minimise(nil); most == 0 || most > before {
		t.Errorf("%d goroutines fit a machine of %d rows, %d before", most, n, before)
	}
	s := &smo{program: p}
	defer func() { s.team.Close() }()
	enough := 2 * pieceValues / (d + 8)
	for _, tc := range []struct{ elements, size int }{{enough, 1}, {enough + 1, 2}, {1, 2}} {
		if got := s.helpers(tc.elements).Size(); got != tc.size {
			t.Errorf("%d members for %d elements, want %d", got, tc.elements, tc.size)
		}
	}
}

// One problem of many rows and columns is solved by several goroutines, with the same bits,
// of rows that are mostly zeros and of others, and rows of weight 0 change nothing.
func TestNewtonOfSeveralIsThatOfOne(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	const n, d = 4*sumRows + 100, directWidth + 10
	for _, full := range []int{20, d} {
		rng := mlcore.NewRand(3)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			for range full {
				X.Set(i, rng.IntN(d), rng.NormFloat64())
			}
			if X.At(i, 0)+X.At(i, 1)+rng.NormFloat64() > 0 {
				y[i] = 1
			}
		}
		more, labels, weights := mat.NewDense(n+1, d, nil), append(slices.Clone(y), 0), slices.Repeat([]float64{1}, n+1)
		more.Slice(0, n, 0, d).(*mat.Dense).Copy(X)
		weights[n] = 0
		var want []float64
		for _, tc := range []struct {
			workers int
			data    *mlcore.Dataset
		}{{1, mlcore.FromMatrix(X, y, nil)}, {3, mlcore.FromMatrix(X, y, nil)}, {2, mlcore.FromMatrix(more, labels, weights)}} {
			m, err := LinearConfig{Loss: SquaredHinge, Workers: tc.workers}.FitClassifier(tc.data)
			if err != nil {
				t.Fatal(err)
			}
			if got := append(m.Intercept(), m.Coef().RawMatrix().Data...); want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%d numbers a row, %d workers, weights %v: other coefficients", full, tc.workers, tc.data.Weights != nil)
			}
		}
	}
}

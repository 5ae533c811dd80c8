package svm

import (
	"runtime"
	"testing"
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

package svm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// taxi is a kernel of the caller's.
type taxi struct{}

func (taxi) Eval(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		sum += math.Abs(v - b[j])
	}
	return math.Exp(-sum)
}

// TestFill: part of a panel, from any row on, has the values of Eval, to the same bits.
func TestFill(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n, d = 30, 3
	s := space{d: d, data: make([]float64, n*d)}
	for i := range s.data {
		s.data[i] = r.NormFloat64()
	}
	var rows []int32
	for i := n - 1; i >= 0; i -= 2 {
		rows = append(rows, int32(i))
	}
	for _, k := range []Kernel{Linear{}, Polynomial{Degree: 3, Gamma: 0.5, Coef0: 1}, RBF{Gamma: 0.5}, taxi{}} {
		s.kernel = k
		panel, x := s.panel(rows), s.at(4)
		for first := range rows {
			got := make([]float64, len(rows)-first)
			s.fill(got, x, panel, first)
			for at, v := range got {
				if want := k.Eval(x, s.at(rows[first+at])); v != want {
					t.Errorf("%T of row %d is %v, want %v", k, rows[first+at], v, want)
				}
			}
		}
	}
}

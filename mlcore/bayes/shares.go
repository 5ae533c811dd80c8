package bayes

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"gonum.org/v1/gonum/mat"
)

// shares holds log P(level | class) for columns of codes. The K numbers of a level
// lie side by side, so that a query adds one run of memory for each column.
type shares struct {
	levels []int
	start  []int     // of each column in logs
	logs   []float64 // [start[j] + level*K + class]
}

// maxCells bounds the numbers that a model may hold.
const maxCells = 1 << 28

func newShares(levels []int, K int) (shares, error) {
	s := shares{levels: levels, start: make([]int, len(levels))}
	size := 0
	for j, L := range levels {
		s.start[j] = size
		if L > maxCells || size+L*K > maxCells {
			return s, fmt.Errorf("%w: %d columns with levels %v and %d classes make too large a table", mlcore.ErrConfig, len(levels), levels, K)
		}
		size += L * K
	}
	s.logs = make([]float64, size)
	return s, nil
}

// normalise turns counts into logarithms of smoothed shares. A class without
// rows gets -Inf; its prior is -Inf too.
func (s shares) normalise(weight []float64, smooth Smoothing) {
	K := len(weight)
	logClass := make([]float64, K)
	for j, L := range s.levels {
		value, class := smooth.terms(L, len(s.levels))
		for k, v := range weight {
			logClass[k] = elementary.Log(v + class)
		}
		for l := range L {
			row := s.logs[s.start[j]+l*K:][:K]
			for k, v := range row {
				if row[k] = elementary.Log(v+value) - logClass[k]; weight[k] == 0 {
					row[k] = math.Inf(-1)
				}
			}
		}
	}
}

// column returns a copy of column j as a K×L matrix.
func (s shares) column(j, K int) *mat.Dense {
	p := mat.NewDense(K, s.levels[j], nil)
	for l := range s.levels[j] {
		for k, v := range s.logs[s.start[j]+l*K:][:K] {
			p.Set(k, l, v)
		}
	}
	return p
}

// code returns the code of v, and whether it is one of L.
func code(v float64, L int) (int, bool) {
	l := int(v)
	// The conversion of NaN and of what is out of range gives some integer,
	// which does not convert back.
	return l, uint(l) < uint(L) && float64(l) == v
}

// add adds b to a, which is as long.
func add(a, b []float64) {
	b = b[:len(a)]
	for k := range a {
		a[k] += b[k]
	}
}

// add4 is add four times with one pass over a.
func add4(a, b, c, d, e []float64) {
	b, c, d, e = b[:len(a)], c[:len(a)], d[:len(a)], e[:len(a)]
	for k := range a {
		a[k] = a[k] + b[k] + c[k] + d[k] + e[k]
	}
}

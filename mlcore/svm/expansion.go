package svm

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// An expansion is what the decision functions of a kernel machine are made of:
// the support vectors, and the kernel.
type expansion struct {
	space         // the support vectors
	support []int // their rows in the training data, ascending
	vectors panel // all of them
	workers int
}

// A kernelSum is the function f(x) = Σ coef_t k(x_t, x) + bias over some of the
// support vectors.
type kernelSum struct {
	support []int32 // ascending
	coef    []float64
	bias    float64
	weights []float64 // Σ coef_t x_t where the kernel is Linear, else nil
	origin  []float64 // with weights: what is taken away from x_t and x, nil if nothing is
}

// keep takes over the rows that are used and returns the place of each row among
// them.
func (e *expansion) keep(s *space, t *table, used []bool, workers int) (place []int32) {
	*e = expansion{space: space{kernel: s.kernel, d: s.d, origin: s.origin}, workers: workers}
	place = make([]int32, len(used))
	for r, u := range used {
		if u {
			place[r] = int32(len(e.support))
			e.support = append(e.support, t.origin[r])
			e.data = append(e.data, t.values[r*t.d:][:t.d]...)
		}
	}
	e.vectors = e.panel(allRows(len(e.support)))
	return place
}

// newSum makes the function that a minimum over the given rows stands for.
func (e *expansion) newSum(m minimum, rows, place []int32) kernelSum {
	sum := kernelSum{bias: m.bias}
	for t, beta := range m.beta {
		if beta != 0 {
			sum.support = append(sum.support, place[rows[t]])
			sum.coef = append(sum.coef, beta)
		}
	}
	e.setWeights(&sum)
	return sum
}

// setWeights makes one vector of the sum where the kernel is linear.
func (e *expansion) setWeights(sum *kernelSum) {
	if e.kernel != (Linear{}) {
		return
	}
	sum.weights, sum.origin = make([]float64, e.d), e.origin
	for t, s := range sum.support {
		for j, v := range e.at(s) {
			if e.origin != nil {
				v -= e.origin[j]
			}
			sum.weights[j] += float64(sum.coef[t] * v)
		}
	}
}

// intercept returns b: f(x) with x = 0.
func (f *kernelSum) intercept() float64 {
	if f.origin == nil {
		return f.bias
	}
	return f.bias - dot(f.weights, f.origin)
}

// at returns f(x). values holds the kernel of x with each support vector; with
// weights it is not used.
func (f *kernelSum) at(x, values []float64) float64 {
	if f.origin != nil {
		sum := 0.0
		for j, v := range x {
			sum += float64(f.weights[j] * (v - f.origin[j]))
		}
		return sum + f.bias
	}
	if f.weights != nil {
		return dot(f.weights, x) + f.bias
	}
	sum := 0.0
	for t, s := range f.support {
		sum += float64(f.coef[t] * values[s])
	}
	return sum + f.bias
}

// squaredNorm returns |w|² = Σ coef_s coef_t k(x_s, x_t).
func (e *expansion) squaredNorm(f kernelSum) float64 {
	if f.weights != nil {
		return dot(f.weights, f.weights)
	}
	panel, values, norm := e.panel(f.support), make([]float64, len(f.support)), 0.0
	for t, s := range f.support {
		e.fill(values, e.space.at(s), panel, 0)
		norm += float64(f.coef[t] * dot(values, f.coef))
	}
	return max(norm, 0) // rounding can take a norm of nearly 0 below it
}

func streetWidth(squaredNorm float64) float64 { return 2 / math.Sqrt(squaredNorm) }

// NumFeatures is the number of columns that Predict expects.
func (e *expansion) NumFeatures() int { return e.d }

// Kernel returns the kernel, with its defaults filled in.
func (e *expansion) Kernel() Kernel { return e.kernel }

// Support returns the rows of the training data that are support vectors,
// ascending.
func (e *expansion) Support() []int { return append([]int(nil), e.support...) }

// SupportVectors returns the S×d support vectors in the order of Support. It is
// nil where there are none, as in a regression whose tube holds all rows.
func (e *expansion) SupportVectors() *mat.Dense {
	if len(e.support) == 0 {
		return nil
	}
	return mat.NewDense(len(e.support), e.d, append([]float64(nil), e.data...))
}

// The number of queries that a goroutine takes at a time.
const queryChunk = 64

// decisions returns an n×m matrix whose rows evaluate makes of a query x and its
// kernel values with the support vectors; those are left out where the kernel
// is linear. A result that is not finite is an error.
func decisions(X mat.Matrix, e *expansion, m int, evaluate func(dst, x, values []float64)) (*mat.Dense, error) {
	linear := e.kernel == (Linear{})
	type scratch struct {
		row    func(i int) []float64
		values []float64
	}
	fresh := func() scratch {
		s := scratch{row: given.Rows(X)}
		if !linear {
			s.values = make([]float64, len(e.support))
		}
		return s
	}
	return eachQuery(X, e.d, m, e.workers, fresh, func(s scratch, i int, dst []float64) {
		x := s.row(i)
		if !linear {
			e.fill(s.values, x, e.vectors, 0)
		}
		evaluate(dst, x, s.values)
	})
}

// eachQuery checks the n×d matrix X and returns an n×m matrix whose rows
// evaluate writes, on at most workers goroutines with scratch space of their own.
func eachQuery[S any](X mat.Matrix, d, m, workers int, fresh func() S, evaluate func(s S, i int, dst []float64)) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, d); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("svm: %w", err)
	}
	n, _ := X.Dims()
	out := newMatrix(n, m)
	err := par.DoWith((n+queryChunk-1)/queryChunk, workers, fresh, func(s S, chunk int) error {
		for i := chunk * queryChunk; i < min((chunk+1)*queryChunk, n); i++ {
			dst := out.RawRowView(i)
			evaluate(s, i, dst)
			for _, v := range dst {
				if v-v != 0 {
					return fmt.Errorf("svm: %w: the decision function overflows in row %d; its values are out of proportion to the training data", mlcore.ErrNonFinite, i)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// newMatrix returns an n×m matrix, empty if one of them is 0.
func newMatrix(n, m int) *mat.Dense {
	if n == 0 || m == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(n, m, nil)
}

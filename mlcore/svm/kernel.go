package svm

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A Kernel is an inner product of two rows in some space of features, which need
// never be computed. [Linear], [Polynomial] and [RBF] are ready made; a
// [KernelFunc] can be anything else.
type Kernel interface {
	// Eval returns k(a, b) of two rows of equal length. It is symmetric, finite
	// for finite rows, and safe for concurrent use. The solver looks for a
	// minimum, which exists for sure where the kernel is positive semidefinite.
	Eval(a, b []float64) float64
}

// Linear is the kernel a·b: the boundary is a hyperplane in the space of X.
type Linear struct{}

// Eval returns a·b.
func (Linear) Eval(a, b []float64) float64 { return dot(a, b) }

// String names the kernel.
func (Linear) String() string { return "Linear" }

// Polynomial is the kernel (γ a·b + Coef0)^Degree.
type Polynomial struct {
	// Degree is at least 1; 0 means 3.
	Degree int
	// Gamma is γ > 0. 0 means 1/(d·Var(X)) of the training data, where Var is
	// the variance of all n·d values together. This is scikit-learn's "scale",
	// except that the weights of rows count here, so that weight 2 means the
	// same as two copies.
	Gamma float64
	// Coef0 is the constant term; 0 leaves only products of exactly Degree
	// features.
	Coef0 float64
}

// Eval returns (γ a·b + Coef0)^Degree with the fields as they are; a fitted
// model's Kernel has the defaults filled in.
func (k Polynomial) Eval(a, b []float64) float64 { return k.of(dot(a, b)) }

func (k Polynomial) of(dot float64) float64 {
	return power(float64(k.Gamma*dot)+k.Coef0, k.Degree)
}

// String names the kernel.
func (k Polynomial) String() string {
	return fmt.Sprintf("Polynomial{Degree: %d, Gamma: %.4g, Coef0: %.4g}", k.Degree, k.Gamma, k.Coef0)
}

// RBF is the Gaussian kernel exp(-γ|a-b|²).
type RBF struct {
	// Gamma is γ > 0, in units of 1/distance². 0 means 1/(d·Var(X)) of the
	// training data, as for [Polynomial].
	Gamma float64
}

// Eval returns exp(-γ|a-b|²) with γ as it is; a fitted model's Kernel has the
// default filled in.
func (k RBF) Eval(a, b []float64) float64 { return elementary.Exp(-k.Gamma * squaredDistance(a, b)) }

// String names the kernel.
func (k RBF) String() string { return fmt.Sprintf("RBF{Gamma: %.4g}", k.Gamma) }

// A KernelFunc is a kernel that the caller supplies; see [Kernel.Eval] for the
// conditions that it has to meet. A model with one works like any other but cannot
// be saved. It is the same on every processor if the function is: write float64(a*b)
// + c for products that are added, and no function of package math that differs.
type KernelFunc func(a, b []float64) float64

// Eval calls k.
func (k KernelFunc) Eval(a, b []float64) float64 { return k(a, b) }

// ready returns the kernel with defaults filled in for training rows X with
// weights w, or says what is wrong with it.
func ready(k Kernel, X mat.Matrix, w []float64) (Kernel, error) {
	var err error
	switch own := k.(type) {
	case nil:
		return ready(RBF{}, X, w)
	case RBF:
		if own.Gamma == 0 {
			own.Gamma, err = scaleGamma(X, w)
		}
		k = own
	case Polynomial:
		if own.Degree == 0 {
			own.Degree = 3
		}
		if own.Gamma == 0 {
			own.Gamma, err = scaleGamma(X, w)
		}
		k = own
	}
	if err != nil {
		return nil, err
	}
	return k, checkKernel(k)
}

// checkKernel refuses parameters outside their range.
func checkKernel(k Kernel) error {
	gamma := 1.0
	switch k := k.(type) {
	case RBF:
		gamma = k.Gamma
	case Polynomial:
		gamma = k.Gamma
		if k.Degree < 1 {
			return configError("the kernel's Degree is %d; it is at least 1", k.Degree)
		}
		if k.Coef0-k.Coef0 != 0 {
			return configError("the kernel's Coef0 is %v; it is finite", k.Coef0)
		}
	case KernelFunc:
		if k == nil {
			return configError("the KernelFunc is nil")
		}
	}
	if !(gamma > 0) || gamma-gamma != 0 {
		return configError("the kernel's Gamma is %v; it is positive and finite", gamma)
	}
	return nil
}

// scaleGamma returns 1/(d·Var(X)), and 1 where all values are equal. Rows count
// by weight, so that weight 2 means the same as two copies. It is an error where
// that is too large or too small a number.
func scaleGamma(X mat.Matrix, w []float64) (float64, error) {
	n, d := X.Dims()
	row := given.Rows(X)
	var sum, total float64
	for i := range n {
		wi := given.Weight(w, i)
		if wi == 0 {
			continue // its squares may overflow
		}
		total += wi
		for _, v := range row(i) {
			sum += float64(wi * v)
		}
	}
	mean, squares, level := sum/total/float64(d), 0.0, true
	for i := range n {
		wi := given.Weight(w, i)
		if wi == 0 {
			continue
		}
		for _, v := range row(i) {
			squares += float64(wi * float64((v-mean)*(v-mean)))
			level = level && v == mean
		}
	}
	if level {
		return 1, nil
	}
	gamma := total / squares // d cancels
	if !(gamma > 0) || gamma-gamma != 0 {
		return 0, fmt.Errorf("svm: %w: the default Gamma, 1/(d·Var(X)), is %v; standardise the columns first, or set Gamma", mlcore.ErrNonFinite, gamma)
	}
	return gamma, nil
}

// power returns x^n for n ≥ 0 by repeated squaring.
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}

// dot returns a·b, summed from the first term to the last: in the same order as
// a panel's dots, so that both give the same bits.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for j, v := range a {
		sum += float64(v * b[j])
	}
	return sum
}

func squaredDistance(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for j, v := range a {
		diff := v - b[j]
		sum += float64(diff * diff)
	}
	return sum
}

// A space is a table of rows under a kernel.
type space struct {
	kernel Kernel
	data   []float64 // row by row
	d      int
	origin []float64 // what was taken away from the rows, or nil: see centre
}

// centre takes an origin amid the rows away from them where they are far from 0. The
// variables of a program sum to 0, so that the function that a linear kernel makes does not depend
// on it, but for its b; products of numbers that are far from 0 have no digits for what
// rows differ in.
func (s *space) centre() {
	if s.origin = given.Origin(s.data, s.d); s.origin == nil {
		return
	}
	s.data = slices.Clone(s.data)
	for at := range s.data {
		s.data[at] -= s.origin[at%s.d]
	}
}

func (s *space) at(row int32) []float64 { return s.data[int(row)*s.d:][:s.d] }

// checkDiagonal refuses rows whose kernel value with themselves is not finite;
// those with others are no larger where the kernel is an inner product.
func (s *space) checkDiagonal(rows []int32, origin []int) error {
	for _, r := range rows {
		if v := s.kernel.Eval(s.at(r), s.at(r)); v-v != 0 {
			return tooLarge(origin[r], v)
		}
	}
	return nil
}

// tooLarge says that the kernel of a row with itself is not finite.
func tooLarge(row int, v float64) error {
	return fmt.Errorf("svm: %w: the kernel of row %d with itself is %v; standardise the columns first", mlcore.ErrNonFinite, row, v)
}

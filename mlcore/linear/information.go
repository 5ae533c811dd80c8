package linear

import "math"

// An information is the observed information matrix, the second derivatives of the negative
// log-likelihood at some parameters, and Newton's step there. Parameters of the first class
// are held at 0, and the others are contrasts to it, so that the matrix is definite where no
// column is a combination of others.
type information struct {
	total   float64   // of the weights
	outputs int       // of the likelihood
	from    int       // the first output that is a contrast
	factor  *ldl      // of the matrix, times total
	step    []float64 // Newton's step with the opposite sign
}

// information evaluates the likelihood at theta. total is the sum of the weights.
func (f *likelihood) information(theta []float64, total float64) *information {
	B, size := f.outputs, f.size()
	a := &information{total: total, outputs: B, from: min(1, B-1)}
	grad, h := make([]float64, size), make([]float64, size*size)
	f.eval(theta, grad)
	f.hessian(h)
	q := size / B * (B - a.from)
	info := make([]float64, q*q)
	a.step = make([]float64, q)
	for r := range q {
		i := a.index(r)
		a.step[r] = float64(total * grad[i])
		for c := r; c < q; c++ {
			info[r*q+c] = float64(total * h[i*size+a.index(c)])
		}
	}
	a.factor = factorise(info, q)
	a.factor.solve(a.step)
	return a
}

// index is the parameter that contrast r is.
func (a *information) index(r int) int {
	contrasts := a.outputs - a.from
	return r/contrasts*a.outputs + a.from + r%contrasts
}

// direction is Newton's step in all parameters.
func (a *information) direction(f *likelihood) []float64 {
	direction := make([]float64, f.size())
	for r, v := range a.step {
		direction[a.index(r)] = -v
	}
	return direction
}

// remainder returns the contrast that Newton's next step would move furthest, and
// how far in its standard errors.
func (a *information) remainder(variance []float64) (contrast int, far float64) {
	for r, v := range a.step {
		if d := math.Abs(v) / math.Sqrt(variance[r]); d > far {
			contrast, far = r, d
		}
	}
	return contrast, far
}

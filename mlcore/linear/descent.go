package linear

import (
	"errors"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
)

// A descent is coordinate descent on a reduced problem, or on its rows: it minimises
// |target - A b|²/2 + l1 |b|₁ + l2 |b|²/2 one coefficient at a time (Friedman,
// Hastie & Tibshirani, 2010, "Regularization Paths for Generalized Linear Models
// via Coordinate Descent"). Its coefficients are where the next solve starts.
type descent struct {
	p          *reduced
	columns    [][]float64 // of A, without the zeros at the end
	square     []float64   // their squared lengths
	target     []float64
	outside    float64 // the part of the targets' sum of squares that has no row; see explained
	residual   []float64
	coef       []float64
	left       []int     // columns that may have a coefficient other than 0, in order
	slope      []float64 // of those, what gap compares
	l1, l2     float64
	led        bool    // larger penalties have led here
	past       history // of sweeps alone, since other columns had a coefficient
	spent      float64 // multiplications so far
	reduceCost float64 // of those, what it costs to reduce the rows; +Inf once they are
	gaps       []fall  // on the rows, of the last half of what was spent and one before
	nextNewton float64 // from how many on the next step of Newton's method is worth it
}

// A fall is what the gap was when so much was spent.
type fall struct{ spent, gap float64 }

func newDescent(p *reduced) *descent {
	s := &descent{p: p, coef: make([]float64, p.d), slope: make([]float64, p.d)}
	s.onReduced()
	return s
}

// rowsDescent is newDescent on the rows of p, of which the sums are known but no reduced
// problem is made until the descent seems to take longer than that; see toReduced.
func rowsDescent(p *reduced) *descent {
	s := &descent{p: p, coef: make([]float64, p.d), slope: make([]float64, p.d)}
	n := p.rows.Rows()
	// The triangle included, and twice, since the sweeps over rows are next to each other in
	// memory and the blocks of a product are not: both were measured.
	s.reduceCost = productsOfPairs(2*(n+2*p.d/3), p.d)
	all := p.rows.Transposed()
	for _, j := range p.level {
		clear(all[j*n : (j+1)*n])
	}
	s.onColumns(all, n)
	return s
}

// productsOfPairs is the cost of all products of d columns of n numbers, in multiplications of
// vectors: as a product of matrices it is some eight times as fast.
func productsOfPairs(n, d int) float64 { return float64(n) * float64(d) * float64(d) / 2 / 8 }

// onReduced makes s a descent on the reduced problem.
func (s *descent) onReduced() {
	s.spent, s.reduceCost, s.nextNewton = 0, math.Inf(1), 0
	s.onColumns(s.p.matrix(nil).Transposed(), s.p.m)
}

// onColumns makes s a descent on columns of m numbers, the last of which is the target.
func (s *descent) onColumns(all []float64, m int) {
	d := s.p.d
	s.columns, s.square = make([][]float64, d), make([]float64, d)
	for j := range s.columns {
		v := all[j*m : (j+1)*m]
		for len(v) > 0 && v[len(v)-1] == 0 {
			v = v[:len(v)-1]
		}
		s.columns[j], s.square[j] = v, kernel.LongDot(v, v)
	}
	s.target = all[d*m:]
	s.outside = 0
	if s.p.explained {
		s.outside = max(s.p.total-kernel.LongDot(s.target, s.target), 0)
	}
	s.residual = make([]float64, m)
	s.past = history{}
	s.refresh()
}

// toReduced goes on with the reduced problem, which has the same minimum, if the remaining
// iterations on the rows would cost more than reducing them. It assumes that the gap goes on
// shrinking as it did in the last half of what was spent, until it is tol; at first that says
// little. The means of the rows are known, so that the products around them are final.
func (s *descent) toReduced(gap, tol float64) {
	if math.IsInf(s.reduceCost, 1) {
		return
	}
	s.gaps = append(s.gaps, fall{s.spent, gap})
	for len(s.gaps) > 2 && s.gaps[1].spent <= s.spent/2 {
		s.gaps = s.gaps[1:]
	}
	left, since := math.Inf(1), s.gaps[0]
	if 0 < gap && gap < since.gap {
		left = (s.spent - since.spent) * elementary.Log(tol/gap) / elementary.Log(gap/since.gap)
	}
	if s.spent < s.reduceCost/2 || left <= s.reduceCost && s.spent <= 2*s.reduceCost {
		return
	}
	s.columns, s.target, s.residual = nil, nil, nil // as much memory as the rows
	rows := s.p.rows
	rows.NoProducts = false
	s.p.gram = rows.Moments().Product
	s.p.explained = true
	s.p.compress()
	s.onReduced()
}

// gradient is how fast a larger coefficient j would explain the residual.
func (s *descent) gradient(j int) float64 {
	v := s.columns[j]
	s.spent += float64(len(v))
	return kernel.LongDot(v, s.residual[:len(v)])
}

// update minimises over coefficient j and returns by how much it moved, in units
// of the target.
func (s *descent) update(j int) float64 {
	if s.square[j] == 0 {
		return 0
	}
	v, old := s.columns[j], s.coef[j]
	rho := s.gradient(j) + float64(old*s.square[j])
	now := kernel.SoftThreshold(rho, s.l1) / (s.square[j] + s.l2)
	if now == old {
		return 0
	}
	s.coef[j] = now
	s.spent += float64(len(v))
	kernel.AddScaled(s.residual[:len(v)], old-now, v)
	return math.Abs(now-old) * math.Sqrt(s.square[j])
}

// direct solves a problem without l1 in one step.
func (s *descent) direct() mlcore.Status {
	start := s.objective()
	found, ok := s.p.normal(s.l2)
	if !ok {
		found = s.p.solve(s.l2)
	}
	copy(s.coef, found.coef)
	s.refresh()
	return mlcore.Status{Iterations: 1, Loss: []float64{start, s.objective()}}
}

// refresh computes the residual anew.
func (s *descent) refresh() {
	copy(s.residual, s.target)
	for j, b := range s.coef {
		if b != 0 {
			kernel.AddScaled(s.residual[:len(s.columns[j])], -b, s.columns[j])
		}
	}
}

// penalties returns |b|₁ and l2 |b|².
func (s *descent) penalties() (abs, ridge float64) {
	square := 0.0
	for _, b := range s.coef {
		abs += math.Abs(b)
		square += float64(b * b)
	}
	if s.l2 > 0 { // 0 times an overflow is no number
		ridge = float64(s.l2 * square)
	}
	return abs, ridge
}

// objective is that of the configuration, per unit of weight.
func (s *descent) objective() float64 {
	abs, ridge := s.penalties()
	squares := kernel.LongDot(s.residual, s.residual) + s.outside + ridge
	return (float64(squares/2) + float64(s.l1*abs)) / s.p.weight
}

// gap bounds how far the objective is above its minimum, by a feasible point of
// the dual problem: the residual, scaled so that no column exceeds l1. The
// squares of the ridge part count as rows of their own.
//
// Then it leaves out the columns that this point and the bound prove to have a
// coefficient of 0 at the minimum: the dual solution is within √(2 gap) of the point, so
// that a column of length a whose product with it is below l1 - a√(2 gap) stays below l1
// (Ndiaye, Fercoq, Gramfort & Salmon, 2017, "Gap Safe Screening Rules for Sparsity
// Enforcing Penalties"). The problem of the columns that are left has the same minimum, and
// later bounds are those of that problem. Where a coefficient is not 0 yet, setting it to 0
// may take the others farther from their minimum: then all is worked out anew.
func (s *descent) gap() float64 {
	for {
		if gap, same := s.screen(); same {
			return gap
		}
	}
}

// screen is one round of gap. It reports whether the coefficients are the same as before.
func (s *descent) screen() (gap float64, same bool) {
	worst := 0.0
	for _, j := range s.left {
		g := math.Abs(s.gradient(j) - float64(s.l2*s.coef[j]))
		s.slope[j] = g
		worst = max(worst, g)
	}
	scale := 1.0
	if worst > s.l1 {
		scale = s.l1 / worst
	}
	abs, ridge := s.penalties()
	length := kernel.LongDot(s.residual, s.residual) + s.outside + ridge
	product := kernel.LongDot(s.residual, s.target) + s.outside
	gap = float64(length/2*(1+float64(scale*scale))) + float64(s.l1*abs) - float64(scale*product)

	// What rounding may take off a bound is far below this share of the whole.
	const rounding = 1e-9
	radius := math.Sqrt(2 * (max(gap, 0) + float64(rounding*s.p.total)))
	most := float64(s.l1 * (1 - rounding))
	kept := s.left[:0]
	same = true
	for _, j := range s.left {
		if !(float64(scale*s.slope[j])+float64(radius*math.Sqrt(s.square[j]+s.l2)) < most) {
			kept = append(kept, j)
		} else if b := s.coef[j]; b != 0 {
			s.coef[j], same = 0, false
			kernel.AddScaled(s.residual[:len(s.columns[j])], b, s.columns[j])
		}
	}
	s.left = kept
	return gap, same
}

// begin takes all columns in again, which another penalty or other coefficients ask for.
func (s *descent) begin() {
	s.past = history{}
	s.left = s.left[:0]
	for j := range s.coef {
		s.left = append(s.left, j)
	}
}

func (s *descent) run(c ElasticNetConfig) (mlcore.Status, error) {
	st := mlcore.Status{Outcome: mlcore.IterationLimit, Loss: []float64{s.objective()}}
	unit := s.p.total
	if unit == 0 {
		// Targets that do not vary: coefficients of 0 are exact.
		clear(s.coef)
		s.refresh()
		return mlcore.Status{Loss: []float64{s.objective()}}, nil
	}
	s.begin()
	const unled = 10 // iterations before larger penalties are tried
	s.gap()          // from where an earlier penalty has led, most columns are left out at once
	told := report.To(c.Progress, "linear", 1, c.maxIter())
	for st.Iterations < c.maxIter() {
		for _, j := range s.left {
			s.update(j)
		}
		s.past.add(s)
		s.settle()
		s.newton()
		st.Iterations++
		gap := s.gap()
		st.Measure = max(gap, 0) / unit
		st.Loss = append(st.Loss, s.objective())
		losses := report.Loss(st.Loss[st.Iterations])
		losses.Measure = st.Measure
		err := told.Step(0, st.Iterations, losses)
		switch {
		case errors.Is(err, mlcore.ErrStop):
			st.Outcome = mlcore.Interrupted
			return st, nil
		case err != nil:
			return st, err
		case st.Measure <= c.tol():
			st.Outcome = mlcore.Converged
			return st, nil
		}
		if st.Iterations == c.maxIter() {
			break
		}
		if st.Iterations == unled && s.p.n < s.p.d && !s.led {
			if gap, err = s.lead(c); err != nil {
				return st, err
			}
		}
		s.toReduced(gap, float64(c.tol()*unit))
	}
	st.Advice = "raise MaxIter or Tol, or bring the columns to one scale"
	return st, nil
}

// settle sweeps over the coefficients that are not 0, which are often few, at most ten times:
// until a sweep moves them little, or by far less than the first one did.
func (s *descent) settle() {
	const (
		little = 1e-6 // of the target's length
		share  = 0.1  // of the first sweep; the columns that are 0 may have more to say by then
	)
	least := little * math.Sqrt(s.p.total)
	for k := range 10 {
		moved := 0.0
		for _, j := range s.left {
			if s.coef[j] != 0 {
				moved = max(moved, s.update(j))
			}
		}
		s.past.add(s)
		if moved <= least {
			return
		}
		if k == 0 {
			least = max(least, float64(share*moved))
		}
	}
}

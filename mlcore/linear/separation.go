package linear

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// separated reports whether the likelihood has no maximum: some direction of the
// parameters leaves no row on the wrong side and puts some on the right one, all
// classes apart (complete separation) or some rows on the boundary
// (quasi-complete; Albert & Anderson, 1984, "On the existence of maximum
// likelihood estimates in logistic regression models").
//
// Either theta itself is such a direction; or Newton's steps become one: what
// can converge does, and what cannot goes on at about 1 a step in the log-odds. Where theta
// does not separate and there are not too many parameters to tell, at is the information
// there, for a total weight.
func (s *search) separated(solver Solver, total float64) (apart bool, at *information) {
	f := s.f
	z := make([]float64, f.x.n*f.outputs)
	if lo, _ := f.margins(z, s.theta); lo > 0 {
		return true, nil
	}
	if f.size() > newtonSize {
		return false, nil
	}
	if at = f.information(s.theta, total); f.overlaps(z, s.theta, at) {
		return false, at
	}
	const many = 15 // steps of Newton's method; where there is a minimum they are fewer
	if solver != Newton || s.status.Iterations > many {
		return f.separates(z), at
	}
	return s.goesOn(z), at
}

// goesOn reports whether one of a few of Newton's steps from theta separates. z is room.
func (s *search) goesOn(z []float64) bool {
	f := s.f
	p := f.size()
	theta, grad, h := append([]float64(nil), s.theta...), make([]float64, p), make([]float64, p*p)
	const steps = 6
	for range steps {
		f.eval(theta, grad)
		f.hessian(h)
		direction := make([]float64, p)
		kernel.AddScaled(direction, -1, grad)
		factorise(h, p).solve(direction)
		if apart, rests := f.judge(z, direction); apart || rests {
			return apart
		}
		kernel.AddScaled(theta, 1, direction)
	}
	return false
}

// overlaps reports whether the information at theta, or after a few of Newton's steps from
// there, proves that nothing separates. z is room.
//
// Were there a direction that separates, no positive weights of the margins of rows, of
// which each belongs to a row and a class that is not its own, could sum to 0 (Stiemke,
// 1915, "Über positive Lösungen homogener linearer Gleichungen"). Newton's step makes
// weights that do: to first order it changes the probability p of such a class to
// p(1 + s - s̄), where s is the class's score along the step and s̄ the mean of all by their
// probabilities, and at these probabilities the gradient is 0. So if no s - s̄ is below -1,
// which margins between -lo and hi along the step exclude where hi and lo together are below
// 1, nothing separates.
func (f *likelihood) overlaps(z, theta []float64, at *information) bool {
	const steps, below = 3, 0.9 // of 1, for the rounding
	greatest := f.greatestCurvatures()
	for k := range steps {
		switch {
		case len(at.factor.leftOut()) > 0:
			return false // a column that is nearly a combination of others may be what separates
		case at.uncertain(greatest):
			return false // the curvature is what rounding has left of it
		}
		direction := at.direction(f)
		lo, hi := f.margins(z, direction)
		if hi-min(lo, 0) < below {
			return true
		}
		if k < steps-1 {
			kernel.AddScaled(direction, 1, theta)
			theta = direction
			at = f.information(theta, at.total)
		}
	}
	return false
}

// uncertain reports whether what rounding does to the curvature may be more than a small part
// of the least of it, given the greatest that there can be in each column. A probability
// next to 1 is rounded as one of 1/2 is, and so is what it leaves over: sums are as wrong as
// if no curvature had been lost.
func (a *information) uncertain(greatest []float64) bool {
	const rounding = 1e-9 // and what solving makes of it
	lost := 1.0
	for r, scale := range a.factor.scale {
		lost = max(lost, float64(float64(a.total*greatest[a.index(r)/a.outputs])*float64(scale*scale)))
	}
	return slices.ContainsFunc(a.factor.d, func(pivot float64) bool { return pivot != 0 && !(pivot >= float64(rounding*lost)) })
}

// greatestCurvatures returns for the intercept, if there is one, and for each column the sum
// of w x²/4: p(1-p) is at most 1/4.
func (f *likelihood) greatestCurvatures() []float64 {
	sums := make([]float64, f.base+f.x.d)
	columns := sums[f.base:]
	for i, w := range f.weight {
		w = float64(w / 4)
		if f.base == 1 {
			sums[0] += w
		}
		if f.x.dense != nil {
			for j, v := range f.x.row(i) {
				columns[j] += float64(w * float64(v*v))
			}
			continue
		}
		f.x.each(i, func(j int, v float64) { columns[j] += float64(w * float64(v*v)) })
	}
	return sums
}

// separates takes Newton's steps from 0. A solver may have gone so far along a
// direction that separates that the curvature there is lost in rounding, and
// steps from where it stopped show nothing.
func (f *likelihood) separates(z []float64) bool {
	s := newSearch(f, nil)
	const steps = 30
	for range steps {
		before := append([]float64(nil), s.theta...)
		if !s.newtonStep() {
			return false
		}
		direction := append([]float64(nil), s.theta...)
		kernel.AddScaled(direction, -1, before)
		if apart, rests := f.judge(z, direction); apart || rests {
			return apart
		}
	}
	return false
}

// judge says of a step of Newton's method whether it goes along a direction that
// separates, or is one of those that converge. z is room.
func (f *likelihood) judge(z, direction []float64) (apart, rests bool) {
	lo, hi := f.margins(z, direction)
	return hi >= 0.1 && lo > -1e-3*hi, hi < 0.1
}

// margins returns the least and the greatest by which the score of a row's own
// class exceeds another's. z is room.
func (f *likelihood) margins(z, theta []float64) (lo, hi float64) {
	var buf kernel.Buffer
	f.scores(z, theta, 0, f.x.n, &buf)
	lo, hi = math.Inf(1), math.Inf(-1)
	B := f.outputs
	for i, own := range f.class {
		row := z[i*B : (i+1)*B]
		if B == 1 {
			m := row[0]
			if own == 0 {
				m = -m
			}
			lo, hi = min(lo, m), max(hi, m)
			continue
		}
		for k, v := range row {
			if k != int(own) {
				lo, hi = min(lo, row[own]-v), max(hi, row[own]-v)
			}
		}
	}
	return lo, hi
}

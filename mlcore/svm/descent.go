package svm

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A linearProgram is the dual problem of the linear machines, with one variable β
// for each row x of the data, which a constant feature may extend:
//
//	minimise  ½|w|² + ½ Σ λ_t β_t² - Σ z_t β_t + ε Σ |β_t|  with  w = Σ β_t x_t
//	such that lower_t ≤ β_t ≤ upper_t
//
// For hinge loss the bounds are those of a [program] and λ is 0; for squared
// hinge loss β is bounded on one side at most, by 0, and λ is 1/(2 cost). The bias
// is the weight of the constant feature times its value, so that no constraint
// ties the variables together.
type linearProgram struct {
	*table
	bias          float64 // value of the constant feature, 0: there is none
	target        []float64
	lower, upper  []float64
	ridge         []float64 // λ
	epsilon       float64
	tolerance     float64
	maxIterations int
	rng           *rand.Rand
	team          *par.Team                                     // nil: one goroutine
	progress      func(iterations int, violation float64) error // or nil
}

// A descent solves a linearProgram by dual coordinate descent: passes over the
// data in random order, in which one β after the other is set to its best value
// (Hsieh, Chang, Lin, Keerthi & Sundararajan, 2008, "A dual coordinate descent
// method for large-scale linear SVM"; Ho & Lin, 2012, for regression).
//
// A variable whose gradient pushes it against its bound harder than any variable
// was violated in the pass before is left out of the passes that follow, until
// the others are done.
type descent struct {
	linearProgram
	w         []float64
	constant  float64 // weight of the constant feature
	beta      []float64
	curvature []float64 // |x|² + λ of each row
	told      error     // what ended the work, if anything

	judged               bool // that nothing has changed since judge
	violation, objective float64
}

// descend solves p. The order of the passes is drawn from p.rng.
func (p linearProgram) descend() (w []float64, m minimum) {
	d := &descent{linearProgram: p, w: make([]float64, p.d), beta: make([]float64, p.len()), curvature: make([]float64, p.len())}
	for t := range d.curvature {
		d.curvature[t] = d.square(t) + float64(p.bias*p.bias) + p.ridge[t]
	}
	suits := d.suitsNewton()
	if suits && d.len() <= 2*d.d {
		// Few rows are seldom at odds, and then a few passes over them will do.
		m.converged = d.solve(&m.iterations, min(fewPasses, d.maxIterations))
	}
	var n *newton
	if !m.converged && d.told == nil {
		if suits {
			n = d.begin(d.maxIterations - m.iterations)
			m.iterations += n.steps
		}
		m.converged = d.solve(&m.iterations, d.maxIterations)
	}
	m.violation, m.objective = d.judge()
	if n != nil && !m.converged && d.told == nil && n.objective < d.primal() {
		// Rounding leaves less of the sum of large β than of what Newton's method has.
		n.keep()
	}
	m.told = d.told
	m.beta, m.bias = d.beta, float64(d.constant*p.bias)
	return d.w, m
}

// fewPasses is how many are made before Newton's method is tried.
const fewPasses = 100

func (d *descent) row(t int) []float64 { return d.values[t*d.d:][:d.d] }

// rowDot returns the product of row t and v.
func (d *descent) rowDot(t int, v []float64) float64 {
	if d.sparse != nil {
		return d.sparse.Dot(t, v)
	}
	return kernel.Dot(v, d.row(t))
}

// addRow adds a times row t to y.
func (d *descent) addRow(y []float64, a float64, t int) {
	if d.sparse != nil {
		d.sparse.AddScaled(y, a, t)
	} else {
		kernel.AddScaled(y, a, d.row(t))
	}
}

// square returns the product of row t with itself.
func (d *descent) square(t int) float64 {
	if d.sparse != nil {
		return d.sparse.Square(t)
	}
	return kernel.SumSquares(d.row(t))
}

// solve makes passes until the tolerance or the limit is reached.
func (d *descent) solve(passes *int, limit int) (converged bool) {
	if *passes > 0 {
		if v, _ := d.judge(); !(v > d.tolerance) {
			return true
		}
	}
	active := allRows(d.len())
	bar := math.Inf(1)
	for *passes < limit {
		d.rng.Shuffle(len(active), func(a, b int) { active[a], active[b] = active[b], active[a] })
		var worst float64
		active, worst = d.pass(active, bar)
		*passes++
		if d.progress != nil {
			if d.told = d.progress(*passes, worst); d.told != nil {
				return false
			}
		}
		if bar = worst; !(worst > d.tolerance) {
			// What the pass saw has changed under it since; only a look at all
			// rows tells.
			if v, _ := d.judge(); !(v > d.tolerance) {
				return true
			}
			active, bar = allRows(d.len()), math.Inf(1)
		}
	}
	v, _ := d.judge()
	return v <= d.tolerance
}

// pass sets each active variable to its best value in turn. It returns those that
// stay active and the largest violation that it met.
func (d *descent) pass(active []int32, bar float64) (rest []int32, worst float64) {
	rest = active[:0]
	for _, row := range active {
		t := int(row)
		gradient, violation, slack := d.look(t)
		if slack > bar {
			continue
		}
		rest = append(rest, row)
		if worst = max(worst, violation); violation > 1e-12 {
			d.move(t, gradient)
		}
	}
	return rest, worst
}

// look returns the derivative of the smooth part of the objective by β_t; by how
// much the objective falls, per unit, in the direction in which β_t can move and
// it falls; and how much it rises at least, per unit, in the directions in which
// β_t can move, where it rises in all.
func (d *descent) look(t int) (gradient, violation, slack float64) {
	beta := d.beta[t]
	gradient = d.rowDot(t, d.w) + float64(d.constant*d.bias) - d.target[t] + float64(d.ridge[t]*beta)
	slack = math.Inf(1)
	if beta < d.upper[t] {
		rise := gradient + d.epsilon
		if beta < 0 {
			rise = gradient - d.epsilon
		}
		slack = rise
	}
	if beta > d.lower[t] {
		rise := d.epsilon - gradient
		if beta > 0 {
			rise = -gradient - d.epsilon
		}
		slack = min(slack, rise)
	}
	return gradient, max(-slack, 0), slack
}

// move sets β_t to the minimum of ½h(β-β_t)² + gradient(β-β_t) + ε|β| within its
// bounds, where h is the curvature, and brings w up to date. Where a row of zeros
// makes h 0 the division gives an infinity, and so a bound.
func (d *descent) move(t int, gradient float64) {
	old, h := d.beta[t], d.curvature[t]
	var beta float64
	switch {
	case gradient+d.epsilon < float64(h*old):
		beta = old - (gradient+d.epsilon)/h
	case gradient-d.epsilon > float64(h*old):
		beta = old - (gradient-d.epsilon)/h
	}
	beta = min(max(beta, d.lower[t]), d.upper[t])
	by := beta - old
	d.beta[t] = beta
	d.judged = false
	d.addRow(d.w, by, t)
	d.constant += float64(by * d.bias)
}

// primal returns the objective that Newton's method minimises, of w.
func (d *descent) primal() float64 {
	n := &newton{descent: d, w: slices.Clone(d.w), f: make([]float64, d.len())}
	if d.bias > 0 {
		n.w = append(n.w, d.constant)
	}
	n.step, n.along = make([]float64, len(n.w)), make([]float64, len(n.f))
	for t := range n.f {
		n.f[t] = n.dot(n.w, t)
	}
	return n.value(0)
}

// judge returns the largest violation of any row and the objective.
func (d *descent) judge() (violation, objective float64) {
	if d.judged {
		return d.violation, d.objective
	}
	objective = 0.5 * (kernel.Dot(d.w, d.w) + float64(d.constant*d.constant))
	for t, beta := range d.beta {
		_, v, _ := d.look(t)
		violation = max(violation, v)
		objective += float64(beta*(float64(0.5*d.ridge[t]*beta)-d.target[t])) + float64(d.epsilon*math.Abs(beta))
	}
	d.judged, d.violation, d.objective = true, violation, objective
	return violation, objective
}

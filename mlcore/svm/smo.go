package svm

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A program is the dual problem of every kernel machine here, with one variable
// β for each training row:
//
//	minimise  ½ Σ β_s β_t k(x_s, x_t) - Σ z_t β_t + ε Σ |β_t|
//	such that lower_t ≤ β_t ≤ upper_t and Σ β_t = 0
//
// A classifier has z = y = ±1, ε = 0 and β = yα between 0 and ±C; ε-regression
// has the targets for z and -C ≤ β ≤ C, where β is the difference of the two
// multipliers of a row. The decision function is f(x) = Σ β_t k(x_t, x) + b.
type program struct {
	space         *space
	rows          []int32 // of space, one a variable
	target        []float64
	lower, upper  []float64
	epsilon       float64
	tolerance     float64
	maxIterations int
	cacheBytes    int
	workers       int
	progress      func(iterations int, violation float64) error // or nil
}

// A minimum is where the solver ended.
type minimum struct {
	beta       []float64
	bias       float64
	objective  float64
	violation  float64
	iterations int
	converged  bool
	told       error // what ended the work, if anything
}

// A variable is what the solver knows about one β.
type variable struct {
	id                         int32 // in the program
	beta, target, lower, upper float64
}

// smo solves a program by sequential minimal optimisation: each step changes two
// variables, one up and one down by as much, so that their sum stays 0 (Platt,
// 1998; Fan, Chen & Lin, 2005, "Working set selection using second order
// information for training support vector machines").
//
// With g_t = Σ β_s k(x_s, x_t), the objective falls at the rate up_t - g_t when
// β_t grows and rises at the rate down_t - g_t when it shrinks. up_t is z_t-ε or,
// where β_t < 0, z_t+ε, and -Inf at the upper bound, so that such a variable is
// never chosen; down_t likewise. At the minimum no up_t - g_t exceeds any
// down_s - g_s: these are the Karush-Kuhn-Tucker conditions. The largest excess
// is the violation, and the solver stops when it is at most the tolerance.
//
// Variables are kept in an order of their own, whose first active ones the steps
// look at. The others sit at a bound that they seem to stay at; before the end
// their g is brought up to date and all are looked at again.
type smo struct {
	program
	vars     []variable
	rows     []int32 // of space
	g        []float64
	up, down []float64
	diagonal []float64
	tiny     float64 // the least curvature
	active   int
	panel    panel // the active rows
	cache    *rowCache
	team     *par.Team // nil: one goroutine; see helpers

	iterations int
	best       int     // the variable with the highest up - g
	high, low  float64 // the highest up - g and the lowest down - g
	unshrunk   bool
	told       error
}

// tiny, in units of the greatest element of the diagonal where that is below 1, stands in
// for a curvature that is not positive, where a pair of rows has the same features or the
// kernel is not positive semidefinite.
const tiny = 1e-12

// lanes is the number of variables that the assembly looks at together.
const lanes = 4

// minimise solves p. memory is for the cache to use again, or nil; what
// memory it used is returned.
func (p program) minimise(memory [][]float64) (minimum, [][]float64) {
	n := len(p.rows)
	s := &smo{
		program: p, vars: make([]variable, n), rows: slices.Clone(p.rows), active: n,
		g: make([]float64, n), up: make([]float64, n), down: make([]float64, n), diagonal: make([]float64, n),
		cache: newRowCache(n, p.cacheBytes, memory),
	}
	defer func() { s.team.Close() }()
	for t := range s.vars {
		s.vars[t] = variable{id: int32(t), target: p.target[t], lower: p.lower[t], upper: p.upper[t]}
		x := p.space.at(p.rows[t])
		s.diagonal[t] = p.space.kernel.Eval(x, x)
		s.setRates(t)
	}
	// Of small rows, all curvatures are small, and steps by another one would be too short.
	s.tiny = max(float64(tiny*min(1, kernel.MaxAbs(s.diagonal))), 0x1p-1022)
	s.panel = s.space.panel(s.rows)
	s.look()
	s.solve()
	return s.result(), s.cache.pieces
}

func (s *smo) violation() float64 { return max(s.high-s.low, 0) }

// solve steps until the tolerance or the limit is reached. In either case all
// variables are active then.
func (s *smo) solve() {
	period := min(len(s.vars), 1000)
	next := period
	for {
		if !(s.violation() > s.tolerance) {
			if s.active == len(s.vars) {
				return
			}
			s.unshrink()
			next = s.iterations + 1
			continue
		}
		if s.iterations >= s.maxIterations {
			s.unshrink()
			return
		}
		if s.iterations >= next {
			next = s.iterations + period
			if s.progress != nil {
				if s.told = s.progress(s.iterations, s.violation()); s.told != nil {
					return
				}
			}
			s.shrink()
		}
		s.step()
	}
}

// setRates derives up and down of a variable from where it is in its range.
func (s *smo) setRates(t int) {
	v := &s.vars[t]
	switch {
	case v.beta >= v.upper:
		s.up[t] = math.Inf(-1)
	case v.beta < 0:
		s.up[t] = v.target + s.epsilon
	default:
		s.up[t] = v.target - s.epsilon
	}
	switch {
	case v.beta <= v.lower:
		s.down[t] = math.Inf(1)
	case v.beta > 0:
		s.down[t] = v.target - s.epsilon
	default:
		s.down[t] = v.target + s.epsilon
	}
}

// look finds best, high and low among the active variables.
func (s *smo) look() {
	s.high, s.low, s.best = math.Inf(-1), math.Inf(1), 0
	for t, g := range s.g[:s.active] {
		if u := s.up[t] - g; u > s.high {
			s.high, s.best = u, t
		}
		s.low = min(s.low, s.down[t]-g)
	}
}

// step moves the best variable up and its partner down to the minimum on their
// line, or to the first of their bounds and, as the rates change there, of the
// places where they are 0.
func (s *smo) step() {
	s.iterations++
	i := s.best
	rowI := s.row(i)
	j := s.partner(i, rowI)
	rowJ := s.row(j)

	curvature := max(s.diagonal[i]+s.diagonal[j]-2*rowI[j], s.tiny)
	by := (s.high - (s.down[j] - s.g[j])) / curvature
	vi, vj := &s.vars[i], &s.vars[j]
	endI, endJ := vi.upper, vj.lower
	if vi.beta < 0 {
		endI = min(0, endI)
	}
	if vj.beta > 0 {
		endJ = max(0, endJ)
	}
	// Bounds are hit to the bit, not to within rounding.
	fullI, fullJ := endI-vi.beta, vj.beta-endJ
	by = min(by, fullI, fullJ)
	if vi.beta += by; by == fullI {
		vi.beta = endI
	}
	if vj.beta -= by; by == fullJ {
		vj.beta = endJ
	}
	s.setRates(i)
	s.setRates(j)
	s.follow(by, rowI, rowJ)
}

// A candidate is a variable to move down and what the pair promises.
type candidate struct {
	at      int
	promise float64
}

// partner returns the variable to move down when i moves up: among those that
// make a violating pair the one that promises to lower the objective most.
func (s *smo) partner(i int, row []float64) int {
	scan := promise{high: s.high, own: s.diagonal[i], tiny: s.tiny}
	best := candidate{}
	for t := 0; t < s.active; {
		// Few variables are better than all before them.
		scan.best = best.promise
		lo, hi := s.promising(&scan, row, t)
		best = s.better(&scan, row, lo, hi, best)
		t = hi
	}
	return best.at
}

// A promise is what a pair is compared with: the highest up - g, the element of the
// diagonal that goes with it, the best promise so far, and tiny.
type promise struct{ high, own, best, tiny float64 }

// better returns the best candidate of variables from to to-1 and the one before them.
func (s *smo) better(p *promise, row []float64, from, to int, best candidate) candidate {
	g, down, diagonal, row := s.g[from:to], s.down[from:to], s.diagonal[from:to], row[from:to]
	for t, v := range g {
		excess := p.high - (down[t] - v)
		curvature := p.own + diagonal[t] - 2*row[t]
		if curvature < p.tiny {
			curvature = p.tiny
		}
		// The promise is excess²/curvature. With the sign of excess kept there is
		// one branch, which is rarely taken; a variable at its lower bound has
		// excess -Inf.
		if signed := excess * math.Abs(excess); signed > float64(best.promise*curvature) {
			best = candidate{from + t, signed / curvature}
		}
	}
	return best
}

// follow brings g up to date after β_i has grown and β_j shrunk by the given
// amount, and does what look does in the same pass.
func (s *smo) follow(by float64, rowI, rowJ []float64) {
	n := s.active
	s.high, s.low, s.best = math.Inf(-1), math.Inf(1), 0
	from := s.followHead(by, rowI, rowJ)
	g, up, down := s.g[from:n], s.up[from:n], s.down[from:n]
	rowI, rowJ = rowI[from:n], rowJ[from:n]
	high, low, best := s.high, s.low, s.best
	for t, v := range g {
		v += float64(by * (rowI[t] - rowJ[t]))
		g[t] = v
		if u := up[t] - v; u > high {
			high, best = u, from+t
		}
		if d := down[t] - v; d < low {
			low = d
		}
	}
	s.high, s.low, s.best = high, low+0, best // without the sign of a zero, which is that of any
}

// helpers returns the team, which starts when so many elements of the kernel matrix are
// worth it for the first time: a small machine is fitted sooner than a team is ready.
func (s *smo) helpers(elements int) *par.Team {
	if s.team == nil && elements*(s.space.d+8) >= 2*pieceValues {
		s.team = par.NewTeam(s.workers)
	}
	return s.team
}

// row returns the row of the kernel matrix of an active variable, over the
// active ones.
func (s *smo) row(t int) []float64 {
	row, filled := s.cache.row(t)
	if !filled {
		s.space.fillParallel(row, s.space.at(s.rows[t]), s.panel, s.helpers(len(row)))
	}
	return row
}

// shrink sets variables aside that no violating pair can have. Once, when the
// end is near, it takes all back first, as those set aside early may be wrong.
func (s *smo) shrink() {
	if !s.unshrunk && s.violation() <= 10*s.tolerance {
		s.unshrunk = true
		s.unshrink()
	}
	var keep, drop []int32
	for t, g := range s.g[:s.active] {
		if s.up[t]-g < s.low && s.down[t]-g > s.high {
			drop = append(drop, int32(t))
		} else {
			keep = append(keep, int32(t))
		}
	}
	if len(drop) == 0 || len(keep) < 2 {
		return
	}
	s.cache.narrow(keep)
	order := append(keep, drop...)
	for t := s.active; t < len(s.vars); t++ {
		order = append(order, int32(t))
	}
	s.arrange(order, s.active-len(drop))
	s.look()
}

// unshrink makes all variables active again, in the order of the program.
func (s *smo) unshrink() {
	n := len(s.vars)
	if s.active == n {
		return
	}
	s.restore()
	order := make([]int32, n)
	for t, v := range s.vars {
		order[v.id] = int32(t)
	}
	s.arrange(order, n)
	s.cache.reset(n)
	s.look()
}

// restore computes g of the variables that are not active anew. The sum runs
// over the others in the order of the program, not in the order that they have now.
func (s *smo) restore() {
	var moved []variable
	rows := make([]int32, len(s.vars))
	for t, v := range s.vars {
		if v.beta != 0 {
			moved = append(moved, v)
		}
		rows[v.id] = s.rows[t]
	}
	slices.SortFunc(moved, func(a, b variable) int { return int(a.id) - int(b.id) })
	beta, support := make([]float64, len(moved)), make([]int32, len(moved))
	for k, v := range moved {
		beta[k], support[k] = v.beta, rows[v.id]
	}
	panel := s.space.panel(support)
	// Several variables share a product with beta, whose sums then need not wait for
	// each other.
	type room struct {
		values, sums []float64
		buf          kernel.Buffer
	}
	inactive := s.vars[s.active:]
	team := s.helpers(len(inactive) * len(moved))
	rooms := make([]room, team.Size())
	const block = 16
	team.Do((len(inactive)+block-1)/block, func(member, b int) {
		first := s.active + b*block
		r, n := &rooms[member], min(block, len(s.vars)-first)
		if r.values == nil {
			r.values, r.sums = make([]float64, block*len(moved)), make([]float64, block)
		}
		values := kernel.Matrix{Data: r.values[:n*len(moved)], Rows: n, Cols: len(moved)}
		for k := range n {
			s.space.fill(values.Row(k), s.space.at(s.rows[first+k]), panel, 0)
		}
		sums := kernel.Matrix{Data: r.sums[:n], Rows: n, Cols: 1}
		clear(sums.Data)
		kernel.MulAdd(sums, values, kernel.Matrix{Data: beta, Rows: len(beta), Cols: 1}, &r.buf)
		copy(s.g[first:], sums.Data)
	})
}

// arrange puts variable order[t] in place t, where the first ones are active.
func (s *smo) arrange(order []int32, active int) {
	s.vars = gather(s.vars, order)
	s.rows = gather(s.rows, order)
	s.g = gather(s.g, order)
	s.up = gather(s.up, order)
	s.down = gather(s.down, order)
	s.diagonal = gather(s.diagonal, order)
	s.active, s.panel = active, s.space.panel(s.rows[:active])
}

func gather[T any](v []T, order []int32) []T {
	out := make([]T, len(order))
	for t, k := range order {
		out[t] = v[k]
	}
	return out
}

// snapped is how near a bound or 0 a multiplier counts as there, as a share of its
// range and, near 0, of the greatest multiplier, beside which the range may be wide.
const snapped = 1e-12

// snap moves multipliers that are at a bound or at 0 but for rounding: steps keep
// their sum, which may miss the sum of the bounds by the last bit, and one that is
// left beside its bound would decide the bias alone.
func (s *smo) snap() {
	most := 0.0
	for t := range s.vars {
		most = max(most, math.Abs(s.vars[t].beta))
	}
	for t := range s.vars {
		v := &s.vars[t]
		for _, end := range []float64{v.lower, 0, v.upper} {
			near := float64(snapped * (v.upper - v.lower))
			if end == 0 {
				near = min(near, float64(snapped*most))
			}
			if v.beta != end && math.Abs(v.beta-end) <= near {
				v.beta = end
				s.setRates(t)
			}
		}
	}
	s.look()
}

// result sums up; the variables are all active and in the order of the program.
func (s *smo) result() minimum {
	s.snap()
	m := minimum{
		beta: make([]float64, len(s.vars)), bias: s.bias(), violation: s.violation(),
		iterations: s.iterations, converged: s.violation() <= s.tolerance, told: s.told,
	}
	for t, v := range s.vars {
		m.beta[t] = v.beta
		m.objective += float64(v.beta*(float64(0.5*s.g[t])-v.target)) + float64(s.epsilon*math.Abs(v.beta))
	}
	return m
}

// bias returns the b that the conditions allow: z_t - g_t ∓ ε of the variables
// between their bounds, where these should all be equal their mean, or without
// any the middle of what the others leave.
func (s *smo) bias() float64 {
	sum, free := 0.0, 0
	for t := range s.vars {
		if u := s.up[t]; u == s.down[t] {
			sum += u - s.g[t]
			free++
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(s.high, -1):
		return s.low
	case math.IsInf(s.low, 1):
		return s.high
	}
	return float64(s.high/2) + float64(s.low/2)
}

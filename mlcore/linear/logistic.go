package linear

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
	"gonum.org/v1/gonum/mat"
)

// A Penalty keeps the coefficients of logistic regression small. The intercepts
// are never penalised.
type Penalty int

const (
	// L2 penalises squares: |coef|²/2. It is the default.
	L2 Penalty = iota
	// L1 penalises absolute values, |coef|₁, and makes some coefficients 0.
	L1
	// ElasticNetPenalty is L1Ratio of the L1 and 1-L1Ratio of the L2 penalty.
	ElasticNetPenalty
	// NoPenalty maximises the likelihood alone.
	NoPenalty
)

var penaltyNames = [...]string{"L2", "L1", "ElasticNetPenalty", "NoPenalty"}

// String names the penalty.
func (p Penalty) String() string {
	if p < 0 || int(p) >= len(penaltyNames) {
		return fmt.Sprintf("Penalty(%d)", int(p))
	}
	return penaltyNames[p]
}

// A Solver minimises the objective of logistic regression. All reach the same
// minimum; they differ in speed.
type Solver int

const (
	// AutoSolver is Newton where its second derivatives are cheap (few columns, or
	// few of them not 0 in a row, and few classes), and otherwise LBFGS. If LBFGS has
	// not converged after a third of MaxIter, NewtonCG continues or, with an L1 part and
	// up to 1,500 parameters, Newton. It is the default.
	AutoSolver Solver = iota
	// Newton uses second derivatives: few iterations, each of them expensive. The
	// scales of the columns do not matter. Memory grows with the square of the
	// number of parameters. With an L1 part it is the proximal Newton method.
	Newton
	// LBFGS uses gradients: many, cheap iterations. With an L1 part it is OWL-QN.
	LBFGS
	// NewtonCG is Newton with steps from conjugate gradients, which multiply by the
	// second derivatives without holding them: each iteration costs as much as ten
	// to a hundred of LBFGS, and there are as few of them as with Newton. It cannot
	// be combined with an L1 part.
	NewtonCG
)

var solverNames = [...]string{"AutoSolver", "Newton", "LBFGS", "NewtonCG"}

// String names the solver.
func (s Solver) String() string {
	if s < 0 || int(s) >= len(solverNames) {
		return fmt.Sprintf("Solver(%d)", int(s))
	}
	return solverNames[s]
}

// LogisticConfig fits logistic regression: for two classes the log-odds of class
// 1, for more the scores of a softmax, are linear in x. It minimises
//
//	C · (sum of w · -log P(y | x)) + penalty
//
// as scikit-learn does, or the sum alone with [NoPenalty]. The zero value is
// usable.
type LogisticConfig struct {
	// Penalty is L2 unless set.
	Penalty Penalty
	// C is the inverse of the penalty's strength, positive and finite; 0 means
	// 1. It cannot be combined with NoPenalty.
	C float64
	// L1Ratio, from 0 to 1, is the L1 share of ElasticNetPenalty, and only for
	// that penalty. 0 means 0.
	L1Ratio float64
	// NoIntercept makes all classes equally probable where all columns are 0.
	NoIntercept bool
	// ClassWeight says how much the rows of each class count.
	ClassWeight mlcore.ClassWeight
	// Solver is picked by itself unless set.
	Solver Solver
	// Tol is the value to which the greatest derivative of the objective, taken
	// per unit of C·weight, must fall; 0 means 1e-4. For coefficients and
	// standard errors to many digits choose 1e-10. If there is an intercept,
	// columns whose mean is far from 0 compared with their standard deviation
	// are first brought near 0: this does not change the minimum and lets the
	// solver find it.
	Tol float64
	// MaxIter is the greatest number of iterations; 0 means 100.
	MaxIter int
	// Progress, where not nil, is called after each iteration.
	Progress func(mlcore.Progress) error
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

func (c LogisticConfig) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", mlcore.ErrConfig, fmt.Sprintf(format, args...))
	}
	switch {
	case c.Penalty < L2 || c.Penalty > NoPenalty:
		return bad("there is no Penalty %d", int(c.Penalty))
	case c.Solver < AutoSolver || c.Solver > NewtonCG:
		return bad("there is no Solver %d", int(c.Solver))
	case c.Solver == NewtonCG && (c.Penalty == L1 || c.Penalty == ElasticNetPenalty && c.L1Ratio > 0):
		return bad("the Solver NewtonCG is not for a Penalty with an L1 part; use Newton or LBFGS")
	case c.C-c.C != 0 || c.C < 0:
		return bad("C is %v; it is finite and positive", c.C)
	case c.C != 0 && c.Penalty == NoPenalty:
		return bad("C is %v, but there is NoPenalty", c.C)
	case !(c.L1Ratio >= 0 && c.L1Ratio <= 1):
		return bad("L1Ratio is %v; it is from 0 to 1", c.L1Ratio)
	case c.L1Ratio != 0 && c.Penalty != ElasticNetPenalty:
		return bad("L1Ratio is %v, but the Penalty is %s", c.L1Ratio, c.Penalty)
	case c.Tol-c.Tol != 0 || c.Tol < 0:
		return bad("Tol is %v; it is finite and positive", c.Tol)
	case c.MaxIter < 0:
		return bad("MaxIter is %d; it is positive", c.MaxIter)
	}
	return nil
}

// penalties returns the factors of |coef|₁ and |coef|²/2 for a total weight.
func (c LogisticConfig) penalties(weight float64) (l1, l2 float64) {
	strength := c.C
	if strength == 0 {
		strength = 1
	}
	all := 1 / float64(strength*weight)
	switch c.Penalty {
	case L2:
		return 0, all
	case L1:
		return all, 0
	case ElasticNetPenalty:
		return float64(c.L1Ratio * all), float64((1 - c.L1Ratio) * all)
	}
	return 0, 0
}

func (c LogisticConfig) tol() float64 { return cmp.Or(c.Tol, 1e-4) }

func (c LogisticConfig) maxIter() int { return cmp.Or(c.MaxIter, 100) }

// Where Newton's method pays: a Hessian costs about as many gradients as a row
// has values times outputs, divided by a few, so that a handful of iterations
// compare with some fifty of L-BFGS; and it must fit into memory.
const (
	newtonWork = 64
	newtonSize = 1500
)

func (c LogisticConfig) solver(f *likelihood) Solver {
	if c.Solver != AutoSolver {
		return c.Solver
	}
	if f.size() <= newtonSize && f.x.perRow()*float64(f.outputs) <= newtonWork {
		return Newton
	}
	return LBFGS
}

// fallback is the solver that goes on where LBFGS has not converged.
func (c LogisticConfig) fallback(f *likelihood) Solver {
	switch {
	case c.Solver != AutoSolver:
		return LBFGS
	case f.l1 == 0:
		return NewtonCG
	case f.size() <= newtonSize:
		return Newton
	}
	return LBFGS
}

// FitClassifier fits the model to a Dataset of numeric columns: the classes and the
// sample weights are those of ds, and the model carries the names of columns and
// classes. Labels of one class only are an error that wraps [mlcore.ErrOneClass]; a
// class without rows has probability 0. A fit that has not converged is not an error:
// see [Logistic.Status].
func (c LogisticConfig) FitClassifier(ds *mlcore.Dataset) (*Logistic, error) {
	return fitted.Classifier(ds, takes, c.fit)
}

func (c LogisticConfig) fit(ds *mlcore.Dataset) (*Logistic, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	t, err := takeLabelled(ds, c.ClassWeight, c.Workers)
	if err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	total := 0.0
	for _, v := range t.weight {
		total += v
	}
	share := make([]float64, len(t.weight))
	for i, v := range t.weight {
		share[i] = v / total
	}
	var shift []float64
	if !c.NoIntercept {
		if shift = t.x.offsets(); shift != nil {
			t.x = takeRows(ds.X, t.keep, shift, c.Workers)
		}
	}
	if c.Penalty == NoPenalty {
		if j := t.x.vanishing(); j >= 0 {
			return nil, fmt.Errorf("linear: %w: the squares of column %d are as good as 0, so that nothing says how large its coefficient is; bring the columns to a moderate scale", mlcore.ErrNonFinite, j)
		}
	}
	f := newLikelihood(t.x, t.class, share, len(t.present), !c.NoIntercept, c.Workers)
	defer f.close()
	f.shift = shift
	f.l1, f.l2 = c.penalties(total)
	s := newSearch(f, report.To(c.Progress, "linear", 1, c.maxIter()))
	if s.value-s.value != 0 || s.status.Measure-s.status.Measure != 0 {
		return nil, fmt.Errorf("linear: %w: the gradient overflows; bring the columns to a moderate scale", mlcore.ErrNonFinite)
	}
	solver := c.solver(f)
	limit := c.maxIter()
	if next := c.fallback(f); solver == LBFGS && next != LBFGS {
		if err := s.run((&lbfgs{search: s}).step, c.tol(), limit/3); err != nil {
			return nil, err
		}
		if s.status.Outcome != mlcore.Converged {
			solver = next
		}
	}
	step := s.newtonStep
	switch solver {
	case LBFGS:
		step = (&lbfgs{search: s}).step
	case NewtonCG:
		step = (&newtonCG{search: s}).step
	}
	if err := s.run(step, c.tol(), limit); err != nil {
		return nil, err
	}

	m := &Logistic{discriminants: t.empty(c.Workers), solver: solver}
	s.centre(c.Penalty == NoPenalty)
	m.place(t, s)
	if err := m.finite(); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	var at *information
	if c.Penalty == NoPenalty {
		var apart bool
		if apart, at = s.separated(solver, total); apart {
			s.status.Outcome = mlcore.Separated
		}
	}
	m.inferences, m.undefined = c.infer(t, s, solver, at)
	s.status.Advice = advice(s.status.Outcome, solver, c.Penalty, t.x)
	m.status = s.status
	return m, nil
}

// A Logistic is a fitted model of [LogisticConfig]. It is immutable and safe for
// concurrent use.
type Logistic struct {
	discriminants
	solver     Solver
	status     mlcore.Status
	inferences []Inference
	undefined  string // why there are none
}

var _ mlcore.ProbClassifier = (*Logistic)(nil)

// Status tells how the fit went. Its Loss is the objective divided by C times
// the sum of the weights, its Measure the greatest derivative of that.
func (m *Logistic) Status() mlcore.Status { return m.status.Clone() }

// Solver is the one that was used.
func (m *Logistic) Solver() Solver { return m.solver }

// PredictProba returns the n×K matrix of P(class | x), whose rows sum to 1.
func (m *Logistic) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	n, err := checkQueries(X, m.features)
	if err != nil {
		return nil, err
	}
	out := newMatrix(n, m.classes, nil)
	two := m.classes == 2 && len(m.intercept) == 1
	err = m.eachScores(X, func(i int, scores []float64) {
		z := out.RawRowView(i)
		if two {
			if v := scores[0]; v > 0 {
				z[0] = -v
			} else {
				z[1] = v
			}
			return
		}
		copy(z[len(z)-len(scores):], scores) // those of two classes are 0 and the log-odds
		top := kernel.Max(z)
		for k := range z {
			z[k] -= top
		}
	})
	if err != nil {
		return nil, err
	}
	// Exponentials of many numbers at a time are several times as fast.
	const numbers = 1 << 12
	par.Sure(par.Chunks(n, 1+numbers/m.classes, m.workers, func(lo, hi int) error {
		m.normalise(out.RawMatrix().Data[lo*m.classes : hi*m.classes])
		return nil
	}))
	return out, nil
}

// normalise turns the scores of rows, of which the greatest are 0, into probabilities: e^z
// over its sum, and 0 for a class whose scores are -Inf.
func (m *Logistic) normalise(z []float64) {
	kernel.Exp(z)
	for k, b := range m.intercept {
		if math.IsInf(b, -1) { // the kernel's results are positive, however small
			for i := m.classes - len(m.intercept) + k; i < len(z); i += m.classes {
				z[i] = 0
			}
		}
	}
	for ; len(z) > 0; z = z[m.classes:] {
		row := z[:m.classes]
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		for k := range row {
			row[k] /= sum
		}
	}
}

// centre takes away what the probabilities of more than two classes do not
// depend on, a number added to the same parameter of all classes: from the
// intercepts, and without a penalty from the coefficients.
func (s *search) centre(coefficients bool) {
	B := s.f.outputs
	if B == 1 {
		return
	}
	end := s.free()
	if coefficients {
		end = len(s.theta)
	}
	for i := 0; i < end; i += B {
		mean := 0.0
		for _, v := range s.theta[i : i+B] {
			mean += v
		}
		mean /= float64(B)
		for k := range B {
			s.theta[i+k] -= mean
		}
	}
}

// intercepts returns those of the outputs, for columns from which nothing has
// been taken away.
func (s *search) intercepts() []float64 {
	B := s.f.outputs
	b := make([]float64, B)
	copy(b, s.theta[:s.free()])
	if s.f.shift == nil {
		return b
	}
	mean := 0.0
	for k := range b {
		for j, v := range s.f.shift {
			b[k] -= float64(v * s.theta[(1+j)*B+k])
		}
		mean += b[k] / float64(B)
	}
	if B > 1 {
		for k := range b {
			b[k] -= mean
		}
	}
	return b
}

// place copies the parameters to the classes that they belong to.
func (m *Logistic) place(t *labelled, s *search) {
	B, base, intercepts := s.f.outputs, s.f.base, s.intercepts()
	coef := make([]float64, t.features)
	for k := range B {
		for j := range coef {
			coef[j] = s.theta[(base+j)*B+k]
		}
		intercept := intercepts[k]
		switch {
		case t.classes == 2:
			m.set(0, coef, intercept)
		case B == 1:
			// Two of more classes have rows: their log-odds.
			m.set(t.present[0], make([]float64, t.features), 0)
			m.set(t.present[1], coef, intercept)
		default:
			m.set(t.present[k], coef, intercept)
		}
	}
}

// advice says what to do about an outcome.
func advice(o mlcore.Outcome, solver Solver, penalty Penalty, x *rows) string {
	switch o {
	case mlcore.Converged:
		return ""
	case mlcore.Separated:
		return "a hyperplane leaves no training row on the wrong side, so that without a penalty larger coefficients are always likelier; use a penalty (L2 is the default) or leave out the columns that decide alone"
	}
	if narrow, wide, ratio := x.spreads(); ratio > 100 {
		return fmt.Sprintf("the standard deviation of column %d is %.3g times that of column %d; bring the columns to one scale, for example with preprocess.StandardScalerConfig", wide, ratio, narrow)
	}
	if o == mlcore.IterationLimit {
		remedy := "raise MaxIter or Tol, or use a stronger penalty (a smaller C)"
		if penalty == NoPenalty {
			remedy = "raise MaxIter or Tol, or use a penalty (L2 is the default)"
		}
		if solver != Newton {
			remedy += ", or the solver Newton"
		}
		return remedy
	}
	if solver != Newton {
		return "rounding hides what is left to gain; raise Tol, or use the solver Newton"
	}
	return "rounding hides what is left to gain; raise Tol"
}

// spreads finds the columns with the least and the greatest standard deviation,
// constant ones left out, and their ratio.
func (r *rows) spreads() (narrow, wide int, ratio float64) {
	mean, square := make([]float64, r.d), make([]float64, r.d)
	for i := range r.n {
		r.each(i, func(j int, v float64) { mean[j] += v / float64(r.n) })
	}
	count := make([]int, r.d) // values that are stored
	for i := range r.n {
		r.each(i, func(j int, v float64) {
			count[j]++
			square[j] += float64((v - mean[j]) * (v - mean[j]))
		})
	}
	least, most := math.Inf(1), 0.0
	for j, v := range square {
		v += float64(float64(r.n-count[j]) * float64(mean[j]*mean[j]))
		if v = math.Sqrt(v); v <= constant*math.Abs(mean[j])*float64(r.n) {
			continue
		}
		if v < least {
			narrow, least = j, v
		}
		if v > most {
			wide, most = j, v
		}
	}
	return narrow, wide, most / least
}

// An Inference is the table of coefficients of a fit without a penalty: of the
// log-odds of Class against Baseline.
type Inference struct {
	Class, Baseline int
	// Terms are the intercept, if there is one, then the d columns. An aliased
	// column, a combination of those before it, has NaN for a standard error.
	Terms []Term
}

// Inference returns the coefficients with their standard errors, from the inverse
// of the second derivatives of the log-likelihood, z statistics and p-values: one
// table for each class that has rows but the first, against the first. Weights
// count as numbers of rows. Where the coefficients have no standard errors, the
// error wraps [ErrUndefined]: for a fit with a penalty, one that has not
// converged or has not come near enough to the maximum, or classes that can be
// separated.
func (m *Logistic) Inference() ([]Inference, error) {
	if m.features == 0 {
		return nil, fmt.Errorf("linear: %w", mlcore.ErrNotFitted)
	}
	if m.undefined != "" {
		return nil, fmt.Errorf("linear: %w: %s", ErrUndefined, m.undefined)
	}
	out := slices.Clone(m.inferences)
	for i := range out {
		out[i].Terms = slices.Clone(out[i].Terms)
	}
	return out, nil
}

// farStandardErrors is how far, in its standard errors, a coefficient may be from
// the maximum of the likelihood. Tol is in units of derivatives, and those by the
// coefficient of a column of small numbers are small wherever it is.
const farStandardErrors = 0.25

func name(column int) string {
	if column == InterceptColumn {
		return "the intercept"
	}
	return fmt.Sprintf("the coefficient of column %d", column)
}

// infer makes the tables, or says why there are none.
func (c LogisticConfig) infer(t *labelled, s *search, solver Solver, at *information) ([]Inference, string) {
	B, size := s.f.outputs, s.f.size()
	switch {
	case c.Penalty != NoPenalty:
		return nil, fmt.Sprintf("the fit has the penalty %s, and standard errors are those of one without", c.Penalty)
	case s.status.Outcome != mlcore.Converged:
		return nil, "the fit has not converged: " + s.status.Outcome.String()
	case size > newtonSize:
		return nil, fmt.Sprintf("%d parameters are more than the %d for which standard errors are computed", size, newtonSize)
	}
	from, factor := at.from, at.factor
	if left := factor.leftOut(); len(left) > 0 && solver != Newton {
		return nil, fmt.Sprintf("column %d is a combination of others; leave it out, or use the solver Newton, which does", left[0]/(B-from)-s.f.base)
	}
	variance := factor.inverseDiagonal()
	if j, far := at.remainder(variance); far > farStandardErrors {
		remedy := "lower Tol"
		if solver != Newton {
			remedy += ", bring the columns to one scale, or use the solver Newton"
		}
		return nil, fmt.Sprintf("%s is %.2g standard errors from where the likelihood is greatest; %s", name(j/(B-from)-s.f.base), far, remedy)
	}
	intercepts := s.intercepts()
	s.f.unshift(factor, variance, B-from)
	tables := make([]Inference, B-from)
	for k := range tables {
		tables[k] = Inference{Class: t.present[k+1], Baseline: t.present[0]}
		for j := range s.f.base + t.features {
			values := s.theta[j*B : (j+1)*B]
			if j < s.f.base {
				values = intercepts
			}
			coef := values[from+k]
			if from == 1 {
				coef -= values[0]
			}
			tables[k].Terms = append(tables[k].Terms, newTerm(j-s.f.base, coef, math.Sqrt(variance[j*(B-from)+k]), normalTwoSided))
		}
	}
	return tables, ""
}

// unshift turns the variances of the intercepts into those for columns from which
// nothing has been taken away: b - coef·shift has c·A⁻¹c, where A⁻¹ is the
// covariance and c the coefficients of that sum.
func (f *likelihood) unshift(factor *ldl, variance []float64, outputs int) {
	if f.shift == nil {
		return
	}
	c := make([]float64, len(variance))
	for k := range outputs {
		clear(c)
		c[k] = 1
		for j, v := range f.shift {
			if at := (1+j)*outputs + k; !math.IsNaN(variance[at]) { // NaN: left out
				c[at] = -v
			}
		}
		half := append([]float64(nil), c...)
		factor.solve(half)
		variance[k] = kernel.Dot(c, half)
	}
}

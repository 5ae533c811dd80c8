package svm

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/platt"
)

var (
	_ = archive.Register("svm.Classifier", 2, func(c *archive.Coder, m *Classifier) { m.fields(c) })
	_ = archive.Register("svm.ProbClassifier", 2, func(c *archive.Coder, m *ProbClassifier) {
		m.Classifier.fields(c)
		archive.List(c, "sigmoids", &m.sigmoids, func(_ int, s *platt.Sigmoid) {
			c.Float64("a", &s.A)
			c.Float64("b", &s.B)
			checkFinite(c, s.A, s.B)
		})
		c.Check(len(m.sigmoids) == len(m.machines), "%d sigmoids of %d machines", len(m.sigmoids), len(m.machines))
	})
	_ = archive.Register("svm.Regressor", 2, func(c *archive.Coder, m *Regressor) {
		m.expansion.fields(c)
		m.sumFields(c, "sum", &m.sum)
		c.Float64("epsilon", &m.epsilon)
		c.Float64("tolerance", &m.margin)
		checkFinite(c, m.epsilon, m.margin)
		m.training.fields(c)
	})
	_ = archive.Register("svm.LinearClassifier", 1, func(c *archive.Coder, m *LinearClassifier) {
		classFields(c, &m.classes, &m.present)
		archive.List(c, "planes", &m.planes, func(k int, p *plane) {
			p.fields(c)
			c.Check(k == 0 || len(p.w) == m.NumFeatures(), "a plane of %d columns beside one of %d", len(p.w), m.NumFeatures())
		})
		if c.Reading() {
			count := len(m.present)
			if count == 2 {
				count = 1
			}
			c.Check(len(m.planes) == count, "%d planes for %d classes", len(m.planes), len(m.present))
		}
		c.Float64("tolerance", &m.margin)
		checkFinite(c, m.margin)
		m.training.fields(c)
	})
	_ = archive.Register("svm.LinearRegressor", 1, func(c *archive.Coder, m *LinearRegressor) {
		m.plane.fields(c)
		c.Float64("epsilon", &m.epsilon)
		c.Float64("tolerance", &m.margin)
		checkFinite(c, m.epsilon, m.margin)
		m.training.fields(c)
	})
)

func (m *Classifier) fields(c *archive.Coder) {
	m.expansion.fields(c)
	classFields(c, &m.classes, &m.present)
	archive.List(c, "machines", &m.machines, func(_ int, machine *machine) {
		c.Int("low", &machine.low)
		c.Int("high", &machine.high)
		m.sumFields(c, "sum", &machine.sum)
	})
	c.Float64("tolerance", &m.margin)
	checkFinite(c, m.margin)
	m.training.fields(c)
	if c.Reading() {
		m.checkPairs(c)
	}
}

// checkPairs makes sure that there is a machine for each pair of classes, in order.
func (m *Classifier) checkPairs(c *archive.Coder) {
	pairs := m.Pairs()
	if k := len(m.present); len(pairs) != k*(k-1)/2 {
		c.Fail("%d machines for %d classes", len(pairs), k)
		return
	}
	next := 0
	for i, low := range m.present {
		for _, high := range m.present[i+1:] {
			c.Check(pairs[next] == [2]int{low, high}, "machine %d tells %v apart, not %d and %d", next, pairs[next], low, high)
			next++
		}
	}
}

// kernelFields takes a kernel of the library; one of the caller's is refused.
func kernelFields(c *archive.Coder, k *Kernel) {
	var kind, degree int
	var gamma, coef0 float64
	switch k := (*k).(type) {
	case Polynomial:
		kind, degree, gamma, coef0 = 1, k.Degree, k.Gamma, k.Coef0
	case RBF:
		kind, gamma = 2, k.Gamma
	case Linear, nil:
	default:
		c.Refuse(configError("a model with a kernel of type %T cannot be saved", k))
		return
	}
	c.Group("kernel", func() {
		archive.Enum(c, "kind", &kind, "linear", "polynomial", "rbf")
		c.Int("degree", &degree)
		c.Float64("gamma", &gamma)
		c.Float64("coef0", &coef0)
	})
	if !c.Reading() {
		return
	}
	*k = []Kernel{Linear{}, Polynomial{Degree: degree, Gamma: gamma, Coef0: coef0}, RBF{Gamma: gamma}}[kind]
	if err := checkKernel(*k); err != nil {
		c.Fail("%v", err)
	}
}

func (e *expansion) fields(c *archive.Coder) {
	kernelFields(c, &e.kernel)
	c.Int("features", &e.d)
	c.Ints("support", &e.support)
	c.Float64s("support_vectors", &e.data)
	if c.Version() >= 2 {
		c.Optional("origin", e.origin != nil, func() { c.Float64s("origin", &e.origin) })
	}
	if !c.Reading() {
		return
	}
	if n := len(e.support); e.d < 1 || len(e.data)/e.d != n || len(e.data)%e.d != 0 {
		c.Fail("%d values for %d support vectors of %d columns", len(e.data), n, e.d)
		return
	}
	for i, row := range e.support {
		c.Check(row >= 0 && (i == 0 || row > e.support[i-1]), "training row %d out of order", row)
	}
	checkFinite(c, e.data...)
	checkFinite(c, e.origin...)
	c.Check(e.origin == nil || len(e.origin) == e.d && e.kernel == (Linear{}), "an origin of %d columns", len(e.origin))
	e.vectors = e.panel(allRows(len(e.support)))
}

func checkFinite(c *archive.Coder, values ...float64) {
	for _, v := range values {
		c.Check(v-v == 0, "a number that is %v", v)
	}
}

func (e *expansion) sumFields(c *archive.Coder, name string, f *kernelSum) {
	c.Group(name, func() {
		c.Int32s("support", &f.support)
		c.Float64s("coef", &f.coef)
		c.Float64("intercept", &f.bias)
	})
	if e.kernel == (Linear{}) {
		c.Claim(e.d, 8) // the weights
	}
	if !c.Reading() {
		return
	}
	c.Check(len(f.coef) == len(f.support), "%d coefficients of %d support vectors", len(f.coef), len(f.support))
	for i, s := range f.support {
		c.Check(s >= 0 && int(s) < len(e.support) && (i == 0 || s > f.support[i-1]), "support vector %d of %d", s, len(e.support))
	}
	checkFinite(c, f.coef...)
	checkFinite(c, f.bias)
	if c.OK() {
		e.setWeights(f)
	}
}

// classFields takes K and the classes that had rows.
func classFields(c *archive.Coder, classes *int, present *[]int) {
	c.Int("classes", classes)
	c.Ints("present", present)
	if !c.Reading() {
		return
	}
	c.Check(*classes <= maxClasses && len(*present) >= 2, "%d classes, of which %d have rows", *classes, len(*present))
	for i, k := range *present {
		c.Check(k >= 0 && k < *classes && (i == 0 || k > (*present)[i-1]), "class %d of %d", k, *classes)
	}
}

func (p *plane) fields(c *archive.Coder) {
	c.Float64s("coef", &p.w)
	c.Float64("intercept", &p.b)
	c.Check(len(p.w) > 0, "a plane of no columns")
	checkFinite(c, p.w...)
	checkFinite(c, p.b)
}

func (t *training) fields(c *archive.Coder) {
	archive.Status(c, "status", &t.status)
	archive.List(c, "solutions", &t.solutions, func(_ int, s *Solution) {
		c.Int("low", &s.Low)
		c.Int("high", &s.High)
		archive.Enum(c, "outcome", &s.Outcome, mlcore.Converged.String(), mlcore.IterationLimit.String())
		c.Int("iterations", &s.Iterations)
		c.Float64("violation", &s.Violation)
		c.Float64("objective", &s.Objective)
	})
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
// Workers is not part of the model: a decoded one uses all processors. A model with
// a [KernelFunc] is an error that wraps [mlcore.ErrConfig].
func (m *Classifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Classifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *ProbClassifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *ProbClassifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Regressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *LinearClassifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *LinearClassifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *LinearRegressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *LinearRegressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

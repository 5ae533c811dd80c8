package linear

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

var (
	_ = archive.Register("linear.LeastSquares", 1, func(c *archive.Coder, m *LeastSquares) {
		m.surface.fields(c)
		columnList(c, "aliased", &m.aliased, len(m.coef))
		termTable(c, &m.terms, len(m.coef))
		c.Group("fit", func() { m.fit.fields(c) })
	})
	_ = archive.Register("linear.Ridge", 1, func(c *archive.Coder, m *Ridge) {
		m.surface.fields(c)
		c.Float64("alpha", &m.alpha)
		columnList(c, "aliased", &m.aliased, len(m.coef))
	})
	_ = archive.Register("linear.ElasticNet", 1, func(c *archive.Coder, m *ElasticNet) {
		m.surface.fields(c)
		c.Float64("alpha", &m.alpha)
		c.Float64("l1_ratio", &m.l1Ratio)
		archive.Status(c, "status", &m.status)
	})
	_ = archive.Register("linear.Logistic", 1, func(c *archive.Coder, m *Logistic) {
		m.discriminants.fields(c)
		archive.Enum(c, "solver", &m.solver, "auto", "newton", "lbfgs", "newton-cg")
		c.Check(m.solver != AutoSolver, "no solver")
		archive.Status(c, "status", &m.status)
		c.String("inference_undefined", &m.undefined)
		archive.List(c, "inference", &m.inferences, func(_ int, t *Inference) {
			c.Int("class", &t.Class)
			c.Int("baseline", &t.Baseline)
			c.Check(t.Baseline >= 0 && t.Class > t.Baseline && t.Class < m.classes, "a table of class %d against %d", t.Class, t.Baseline)
			termTable(c, &t.Terms, m.features)
		})
		c.Check((len(m.inferences) == 0) == (m.undefined != ""), "%d tables, undefined: %q", len(m.inferences), m.undefined)
	})
	// The updates are not part of the file.
	_ = archive.Register("linear.Perceptron", 1, func(c *archive.Coder, m *Perceptron) {
		m.discriminants.fields(c)
		archive.List(c, "mistakes", &m.mistakes, func(_ int, mistakes *[]int) {
			c.Ints("epochs", mistakes)
			for e, v := range *mistakes {
				c.Check(v >= 0, "%d mistakes in epoch %d", v, e)
			}
		})
		c.Check(len(m.mistakes) == len(m.intercept), "mistakes of %d functions, there are %d", len(m.mistakes), len(m.intercept))
	})
)

func (s *surface) fields(c *archive.Coder) {
	c.Float64s("coef", &s.coef)
	c.Float64("intercept", &s.intercept)
	if c.Reading() {
		c.Check(len(s.coef) > 0, "no coefficients")
		c.Check(s.finite() == nil, "coefficients that are not finite")
	}
}

func (m *discriminants) fields(c *archive.Coder) {
	c.Int("features", &m.features)
	c.Int("classes", &m.classes)
	c.Float64s("coef", &m.coef)
	c.Float64s("intercept", &m.intercept)
	if !c.Reading() {
		return
	}
	if m.features < 1 || m.classes < 2 || m.classes > maxCells/m.features {
		c.Fail("%d features and %d classes", m.features, m.classes)
		return
	}
	if k := functions(m.classes); len(m.intercept) != k || len(m.coef) != k*m.features {
		c.Fail("%d intercepts and %d coefficients of %d features and %d classes", len(m.intercept), len(m.coef), m.features, m.classes)
		return
	}
	c.Check(m.finite() == nil, "coefficients that are not finite")
	present := 0
	for _, b := range m.intercept {
		if !math.IsInf(b, -1) {
			present++
		}
	}
	c.Check(present >= min(len(m.intercept), 2), "%d classes that can be predicted", present)
}

// termTable takes the terms of a table of columns, with an intercept or without.
func termTable(c *archive.Coder, terms *[]Term, columns int) {
	archive.List(c, "terms", terms, func(_ int, t *Term) {
		c.Int("column", &t.Column)
		c.Float64("coef", &t.Coef)
		c.Float64("std_err", &t.StdErr)
		c.Float64("statistic", &t.Statistic)
		c.Float64("p", &t.P)
	})
	n := len(*terms)
	c.Check(n == columns || n == columns+1, "%d terms of %d columns", n, columns)
	for i, t := range *terms {
		c.Check(t.Column == i-(n-columns), "term %d is of column %d", i, t.Column)
	}
}

// columnList takes an ascending list of columns.
func columnList(c *archive.Coder, name string, list *[]int, columns int) {
	c.Ints(name, list)
	for i, j := range *list {
		c.Check(j >= 0 && j < columns && (i == 0 || j > (*list)[i-1]), "column %d in a list of %d columns", j, columns)
	}
}

func (f *Fit) fields(c *archive.Coder) {
	c.Int("rank", &f.Rank)
	c.Int("degrees_of_freedom", &f.DegreesOfFreedom)
	c.Float64("residual_sum_of_squares", &f.ResidualSumOfSquares)
	c.Float64("residual_variance", &f.ResidualVariance)
	c.Float64("r2", &f.R2)
	c.Float64("adjusted_r2", &f.AdjustedR2)
	c.Float64("f", &f.F)
	c.Float64("f_p", &f.FP)
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
// Workers is not part of the model: a decoded one uses all processors.
func (m *LeastSquares) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *LeastSquares) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *Ridge) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Ridge) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *ElasticNet) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *ElasticNet) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *Logistic) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Logistic) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *Perceptron) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Perceptron) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

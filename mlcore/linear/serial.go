package linear

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

const (
	leastSquaresKind = "linear.LeastSquares"
	ridgeKind        = "linear.Ridge"
	elasticNetKind   = "linear.ElasticNet"
	logisticKind     = "linear.Logistic"
	perceptronKind   = "linear.Perceptron"
	formatVersion    = 1
)

func (s *surface) write(w *codec.Writer) {
	w.Float64s(s.coef)
	w.Float64(s.intercept)
}

func readSurface(r *codec.Reader) surface {
	s := surface{coef: r.Float64s(), intercept: r.Float64()}
	if len(s.coef) == 0 {
		r.Fail("no coefficients")
	}
	if s.finite() != nil {
		r.Fail("coefficients that are not finite")
	}
	return s
}

func (m *discriminants) write(w *codec.Writer) {
	w.Int(m.features)
	w.Int(m.classes)
	w.Float64s(m.coef)
	w.Float64s(m.intercept)
}

func readDiscriminants(r *codec.Reader) discriminants {
	m := discriminants{features: r.Int(), classes: r.Int(), coef: r.Float64s(), intercept: r.Float64s()}
	if m.features < 1 || m.classes < 2 || m.classes > maxCells/m.features {
		r.Fail("%d features and %d classes", m.features, m.classes)
		return m
	}
	if k := functions(m.classes); len(m.intercept) != k || len(m.coef) != k*m.features {
		r.Fail("%d intercepts and %d coefficients of %d features and %d classes", len(m.intercept), len(m.coef), m.features, m.classes)
		return m
	}
	if m.finite() != nil {
		r.Fail("coefficients that are not finite")
	}
	present := 0
	for _, b := range m.intercept {
		if !math.IsInf(b, -1) {
			present++
		}
	}
	if present < min(len(m.intercept), 2) {
		r.Fail("%d classes that can be predicted", present)
	}
	return m
}

func writeTerms(w *codec.Writer, terms []Term) {
	w.Int(len(terms))
	for _, t := range terms {
		w.Int(t.Column)
		for _, v := range []float64{t.Coef, t.StdErr, t.Statistic, t.P} {
			w.Float64(v)
		}
	}
}

// readTerms reads the terms of a table of features columns, with an intercept or
// without.
func readTerms(r *codec.Reader, features int) []Term {
	n := r.Int()
	if n != features && n != features+1 {
		r.Fail("%d terms of %d features", n, features)
		return nil
	}
	var terms []Term
	for i := range n {
		t := Term{Column: r.Int(), Coef: r.Float64(), StdErr: r.Float64(), Statistic: r.Float64(), P: r.Float64()}
		if want := i - (n - features); t.Column != want {
			r.Fail("term %d is of column %d, not %d", i, t.Column, want)
		}
		if r.Err() != nil {
			return nil
		}
		terms = append(terms, t)
	}
	return terms
}

// readColumns reads an increasing list of columns.
func readColumns(r *codec.Reader, features int) []int {
	cols := r.Ints()
	for i, j := range cols {
		if j < 0 || j >= features || i > 0 && j <= cols[i-1] {
			r.Fail("column %d in a list of %d features", j, features)
		}
	}
	return cols
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too. Workers is not part of the model: a decoded one uses all
// processors.
func (m *LeastSquares) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(leastSquaresKind, formatVersion)
	m.write(w)
	w.Ints(m.aliased)
	writeTerms(w, m.terms)
	w.Int(m.fit.Rank)
	w.Int(m.fit.DegreesOfFreedom)
	for _, v := range m.fit.numbers() {
		w.Float64(*v)
	}
	return w.Finish(), nil
}

func (f *Fit) numbers() []*float64 {
	return []*float64{&f.ResidualSumOfSquares, &f.ResidualVariance, &f.R2, &f.AdjustedR2, &f.F, &f.FP}
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *LeastSquares) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, leastSquaresKind, formatVersion, func(r *codec.Reader, c *LeastSquares) {
		c.surface = readSurface(r)
		c.aliased = readColumns(r, len(c.coef))
		c.terms = readTerms(r, len(c.coef))
		c.fit.Rank, c.fit.DegreesOfFreedom = r.Int(), r.Int()
		for _, v := range c.fit.numbers() {
			*v = r.Float64()
		}
	})
}

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *Ridge) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(ridgeKind, formatVersion)
	m.write(w)
	w.Float64(m.alpha)
	w.Ints(m.aliased)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [LeastSquares.UnmarshalBinary].
func (m *Ridge) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, ridgeKind, formatVersion, func(r *codec.Reader, c *Ridge) {
		c.surface = readSurface(r)
		c.alpha = r.Float64()
		c.aliased = readColumns(r, len(c.coef))
	})
}

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *ElasticNet) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(elasticNetKind, formatVersion)
	m.write(w)
	w.Float64(m.alpha)
	w.Float64(m.l1Ratio)
	m.status.write(w)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [LeastSquares.UnmarshalBinary].
func (m *ElasticNet) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, elasticNetKind, formatVersion, func(r *codec.Reader, c *ElasticNet) {
		c.surface = readSurface(r)
		c.alpha, c.l1Ratio = r.Float64(), r.Float64()
		c.status = readStatus(r)
	})
}

// MarshalBinary encodes the model; see [LeastSquares.MarshalBinary].
func (m *Logistic) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(logisticKind, formatVersion)
	m.write(w)
	w.Int(int(m.solver))
	m.status.write(w)
	w.String(m.undefined)
	w.Int(len(m.inferences))
	for _, t := range m.inferences {
		w.Int(t.Class)
		w.Int(t.Baseline)
		writeTerms(w, t.Terms)
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [LeastSquares.UnmarshalBinary].
func (m *Logistic) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, logisticKind, formatVersion, func(r *codec.Reader, c *Logistic) {
		c.discriminants = readDiscriminants(r)
		c.solver, c.status = Solver(r.Int()), readStatus(r)
		if c.solver != Newton && c.solver != LBFGS {
			r.Fail("solver %d", int(c.solver))
		}
		c.undefined = r.String()
		tables := r.Int()
		for range tables {
			if r.Err() != nil {
				return
			}
			t := Inference{Class: r.Int(), Baseline: r.Int()}
			if t.Baseline < 0 || t.Class <= t.Baseline || t.Class >= c.classes {
				r.Fail("a table of class %d against %d", t.Class, t.Baseline)
				return
			}
			t.Terms = readTerms(r, c.features)
			c.inferences = append(c.inferences, t)
		}
		if tables < 0 || (tables == 0) != (c.undefined != "") {
			r.Fail("%d tables, undefined: %q", tables, c.undefined)
		}
	})
}

// MarshalBinary encodes the model without its updates; see
// [LeastSquares.MarshalBinary].
func (m *Perceptron) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(perceptronKind, formatVersion)
	m.write(w)
	for _, v := range m.mistakes {
		w.Ints(v)
	}
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [LeastSquares.UnmarshalBinary].
func (m *Perceptron) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, perceptronKind, formatVersion, func(r *codec.Reader, c *Perceptron) {
		c.discriminants = readDiscriminants(r)
		for range c.intercept {
			mistakes := r.Ints()
			for e, v := range mistakes {
				if v < 0 {
					r.Fail("%d mistakes in epoch %d", v, e)
				}
			}
			c.mistakes = append(c.mistakes, mistakes)
		}
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *LeastSquares) MarshalJSON() ([]byte, error) { return codec.ToJSON(leastSquaresKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [LeastSquares.UnmarshalBinary].
func (m *LeastSquares) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(leastSquaresKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Ridge) MarshalJSON() ([]byte, error) { return codec.ToJSON(ridgeKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [LeastSquares.UnmarshalBinary].
func (m *Ridge) UnmarshalJSON(data []byte) error { return codec.FromJSON(ridgeKind, data, m) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *ElasticNet) MarshalJSON() ([]byte, error) { return codec.ToJSON(elasticNetKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [LeastSquares.UnmarshalBinary].
func (m *ElasticNet) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(elasticNetKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Logistic) MarshalJSON() ([]byte, error) { return codec.ToJSON(logisticKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [LeastSquares.UnmarshalBinary].
func (m *Logistic) UnmarshalJSON(data []byte) error { return codec.FromJSON(logisticKind, data, m) }

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Perceptron) MarshalJSON() ([]byte, error) { return codec.ToJSON(perceptronKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [LeastSquares.UnmarshalBinary].
func (m *Perceptron) UnmarshalJSON(data []byte) error { return codec.FromJSON(perceptronKind, data, m) }

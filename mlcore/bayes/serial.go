package bayes

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

var (
	_ = archive.Register("bayes.Categorical", 1, func(c *archive.Coder, m *Categorical) {
		m.fields(c)
		c.Bool("ignore_unknown", &m.ignore)
		c.Ints("levels", &m.levels)
		c.Float64s("logs", &m.logs)
		if c.Reading() {
			m.restore(c)
		}
	})
	_ = archive.Register("bayes.Bernoulli", 1, func(c *archive.Coder, m *Bernoulli) {
		m.fields(c)
		c.Float64("threshold", &m.threshold)
		c.Float64s("logs", &m.logs)
		if c.Reading() {
			c.Check(m.threshold-m.threshold == 0, "threshold %v", m.threshold)
			checkLogs(c, m.logs, 2, m.features, m.NumClasses())
		}
	})
	_ = archive.Register("bayes.Multinomial", 1, func(c *archive.Coder, m *Multinomial) {
		m.fields(c)
		c.Float64s("logs", &m.logs)
		if c.Reading() {
			checkLogs(c, m.logs, m.features, m.NumClasses())
		}
	})
	_ = archive.Register("bayes.Gaussian", 1, func(c *archive.Coder, m *Gaussian) {
		m.fields(c)
		c.Float64s("means", &m.means)
		c.Float64s("variances", &m.variances)
		if c.Reading() {
			m.restore(c)
		}
	})
	_ = archive.Register("bayes.LinearDiscriminant", 1, func(c *archive.Coder, m *LinearDiscriminant) {
		m.fields(c)
		c.Float64s("means", &m.means)
		c.Float64s("centre", &m.centre)
		c.Float64s("coefficients", &m.coef)
		c.Float64s("constants", &m.constant)
		c.Float64s("scalings", &m.scalings)
		c.Float64s("explained_variance_ratio", &m.ratio)
		if c.Reading() {
			m.restore(c)
		}
	})
	_ = archive.Register("bayes.QuadraticDiscriminant", 1, func(c *archive.Coder, m *QuadraticDiscriminant) {
		m.fields(c)
		c.Float64s("means", &m.means)
		c.Float64s("whitening", &m.white)
		if c.Reading() {
			m.restore(c)
		}
	})
)

// fields are what all four models have, and are made sure to come from a fit.
func (m *classes) fields(c *archive.Coder) {
	c.Int("features", &m.features)
	c.Float64s("class_weights", &m.weight)
	c.Float64s("class_log_priors", &m.logPrior)
	if !c.Reading() {
		return
	}
	K := len(m.logPrior)
	c.Check(m.features >= 1 && K >= 1 && len(m.weight) == K, "%d features, %d weights and %d priors", m.features, len(m.weight), K)
	possible := false
	for k, v := range m.logPrior {
		if !c.OK() {
			return
		}
		w := m.weight[k]
		c.Check(w >= 0 && !math.IsInf(w, 1), "the weight of class %d is %v", k, w)
		// Given priors may sum to a little more than 1.
		c.Check(v <= 1e-5, "the log prior of class %d is %v", k, v)
		possible = possible || v > math.Inf(-1)
	}
	c.Check(possible, "no class is possible")
}

// checkLogs makes sure of a table of logarithms of shares of the given size.
func checkLogs(c *archive.Coder, logs []float64, size ...int) {
	cells := 1
	for _, n := range size {
		if n > maxCells/cells {
			c.Fail("a table of size %v", size)
			return
		}
		cells *= n
	}
	c.Check(len(logs) == cells, "%d logarithms where there are %d", len(logs), cells)
	for i, v := range logs {
		// A share may exceed 1 by rounding; AttributeCount's exceed it by design,
		// but are finite.
		c.Check(!math.IsNaN(v) && !math.IsInf(v, 1), "logarithm %d is %v", i, v)
	}
}

func (m *Categorical) restore(c *archive.Coder) {
	c.Check(len(m.levels) == m.features, "levels of %d columns, there are %d", len(m.levels), m.features)
	total := 0
	m.start = make([]int, len(m.levels))
	for j, L := range m.levels {
		if L < 1 || L > maxCells || total > maxCells {
			c.Fail("%d levels in column %d", L, j)
			return
		}
		m.start[j] = total * m.NumClasses()
		total += L
	}
	checkLogs(c, m.logs, m.NumClasses(), total)
}

func (m *Gaussian) restore(c *archive.Coder) {
	n := len(m.means)
	c.Check(n%m.features == 0 && n/m.features == m.NumClasses() && len(m.variances) == n,
		"%d means and %d variances of %d columns and %d classes", n, len(m.variances), m.features, m.NumClasses())
	for i, v := range m.variances {
		if !c.OK() {
			return
		}
		u := m.means[i]
		c.Check(u-u == 0 && v > 0 && !math.IsInf(v, 1), "mean %v and variance %v", u, v)
	}
	if c.OK() {
		m.prepare()
	}
}

func (m *LinearDiscriminant) restore(c *archive.Coder) {
	d, K := m.features, m.NumClasses()
	finite(c, "means", m.means, K, d)
	finite(c, "centre", m.centre, d)
	finite(c, "coefficients", m.coef, K, d)
	finite(c, "constants", m.constant, K)
	finite(c, "scalings", m.scalings, d, len(m.ratio))
	finite(c, "explained variance ratio", m.ratio, len(m.ratio))
	c.Check(len(m.ratio) < K, "%d discriminants of %d classes", len(m.ratio), K)
	c.Check(m.present() > 0, "no class has weight")
	if c.OK() {
		m.prepare()
	}
}

func (m *QuadraticDiscriminant) restore(c *archive.Coder) {
	d, K := m.features, m.NumClasses()
	finite(c, "means", m.means, K, d)
	finite(c, "whitening", m.white, K, d, d)
	c.Check(m.present() > 0, "no class has weight")
	if !c.OK() {
		return
	}
	for k, w := range m.weight {
		for j := range d {
			v := m.white[(k*d+j)*d+j]
			c.Check((v != 0) == (w > 0 && m.present() > 1), "class %d of weight %v whitens column %d by %v", k, w, j, v)
		}
	}
	if c.OK() {
		m.prepare()
	}
}

// finite makes sure of a table of finite numbers of the given size.
func finite(c *archive.Coder, name string, v []float64, size ...int) {
	cells := 1
	for _, n := range size {
		if n > 0 && cells > maxCells/n {
			c.Fail("%s of size %v", name, size)
			return
		}
		cells *= n
	}
	c.Check(len(v) == cells, "%s: %d numbers where there are %d", name, len(v), cells)
	for i, x := range v {
		c.Check(x-x == 0, "%s: number %d is %v", name, i, x)
	}
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
// Workers is not part of the model: a decoded one uses all processors.
func (m *Categorical) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Categorical) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *Bernoulli) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Bernoulli) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *Multinomial) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Multinomial) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *Gaussian) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Gaussian) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *LinearDiscriminant) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *LinearDiscriminant) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *QuadraticDiscriminant) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *QuadraticDiscriminant) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

package bayes

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
)

const (
	categoricalKind = "bayes.Categorical"
	bernoulliKind   = "bayes.Bernoulli"
	multinomialKind = "bayes.Multinomial"
	gaussianKind    = "bayes.Gaussian"
	formatVersion   = 1
)

func (c *classes) write(w *codec.Writer) {
	w.Int(c.features)
	w.Float64s(c.weight)
	w.Float64s(c.logPrior)
}

// readClasses reads what write wrote, and makes sure that a fit could have made
// it.
func readClasses(r *codec.Reader) classes {
	c := classes{features: r.Int(), weight: r.Float64s(), logPrior: r.Float64s()}
	K := len(c.logPrior)
	if c.features < 1 || K < 1 || len(c.weight) != K {
		r.Fail("%d features, %d weights and %d priors", c.features, len(c.weight), K)
		return c
	}
	possible := false
	for k, v := range c.logPrior {
		if w := c.weight[k]; !(w >= 0) || math.IsInf(w, 1) {
			r.Fail("the weight of class %d is %v", k, w)
		}
		// Given priors may sum to a little more than 1.
		if !(v <= 1e-5) {
			r.Fail("the log prior of class %d is %v", k, v)
		}
		possible = possible || v > math.Inf(-1)
	}
	if !possible {
		r.Fail("no class is possible")
	}
	return c
}

// readLogs reads n logarithms of shares.
func readLogs(r *codec.Reader, n int) []float64 {
	logs := r.Float64s()
	if len(logs) != n {
		r.Fail("%d logarithms where there are %d", len(logs), n)
	}
	for i, v := range logs {
		// A share may exceed 1 by rounding; AttributeCount's exceed it by design,
		// but are finite.
		if math.IsNaN(v) || math.IsInf(v, 1) {
			r.Fail("logarithm %d is %v", i, v)
		}
	}
	return logs
}

// readProduct returns a*b, or fails where that is more than a message could hold.
func readProduct(r *codec.Reader, a, b int) int {
	if a > maxCells/b {
		r.Fail("a table of %d×%d", a, b)
		return 0
	}
	return a * b
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too. Workers is not part of the model: a decoded one uses all
// processors.
func (m *Categorical) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(categoricalKind, formatVersion)
	m.write(w)
	w.Bool(m.ignore)
	w.Ints(m.levels)
	w.Float64s(m.logs)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Categorical) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, categoricalKind, formatVersion, func(r *codec.Reader, c *Categorical) {
		*c = Categorical{classes: readClasses(r), ignore: r.Bool()}
		levels := r.Ints()
		if len(levels) != c.features {
			r.Fail("levels of %d columns, there are %d", len(levels), c.features)
		}
		total := 0
		for j, L := range levels {
			if L < 1 || L > maxCells || total > maxCells {
				r.Fail("%d levels in column %d", L, j)
				break
			}
			total += L
		}
		if r.Err() == nil {
			c.start = make([]int, len(levels))
			for j, K := 1, len(c.logPrior); j < len(levels); j++ {
				c.start[j] = c.start[j-1] + levels[j-1]*K
			}
			c.levels = levels
			c.logs = readLogs(r, readProduct(r, total, len(c.logPrior)))
		}
	})
}

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *Bernoulli) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(bernoulliKind, formatVersion)
	m.write(w)
	w.Float64(m.threshold)
	w.Float64s(m.logs)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Categorical.UnmarshalBinary].
func (m *Bernoulli) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, bernoulliKind, formatVersion, func(r *codec.Reader, c *Bernoulli) {
		*c = Bernoulli{classes: readClasses(r), threshold: r.Float64()}
		if t := c.threshold; t-t != 0 {
			r.Fail("threshold %v", t)
		}
		if r.Err() == nil {
			n := readProduct(r, readProduct(r, 2, c.features), len(c.logPrior))
			c.logs = readLogs(r, n)
		}
	})
}

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *Multinomial) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(multinomialKind, formatVersion)
	m.write(w)
	w.Float64s(m.logs)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Categorical.UnmarshalBinary].
func (m *Multinomial) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, multinomialKind, formatVersion, func(r *codec.Reader, c *Multinomial) {
		*c = Multinomial{classes: readClasses(r)}
		if r.Err() == nil {
			c.logs = readLogs(r, readProduct(r, c.features, len(c.logPrior)))
		}
	})
}

// MarshalBinary encodes the model; see [Categorical.MarshalBinary].
func (m *Gaussian) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(gaussianKind, formatVersion)
	m.write(w)
	w.Float64s(m.means)
	w.Float64s(m.variances)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Categorical.UnmarshalBinary].
func (m *Gaussian) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, gaussianKind, formatVersion, func(r *codec.Reader, c *Gaussian) {
		*c = Gaussian{classes: readClasses(r)}
		if r.Err() == nil {
			n := readProduct(r, c.features, len(c.logPrior))
			c.means, c.variances = r.Float64s(), r.Float64s()
			if len(c.means) != n || len(c.variances) != n {
				r.Fail("%d means and %d variances where there are %d", len(c.means), len(c.variances), n)
			}
		}
		for i, v := range c.variances {
			if r.Err() != nil {
				return
			}
			if u := c.means[i]; u-u != 0 || !(v > 0) || math.IsInf(v, 1) {
				r.Fail("mean %v and variance %v", u, v)
			}
		}
		if r.Err() == nil {
			c.prepare()
		}
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Categorical) MarshalJSON() ([]byte, error) { return codec.ToJSON(categoricalKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Categorical.UnmarshalBinary].
func (m *Categorical) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(categoricalKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Bernoulli) MarshalJSON() ([]byte, error) { return codec.ToJSON(bernoulliKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Categorical.UnmarshalBinary].
func (m *Bernoulli) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(bernoulliKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Multinomial) MarshalJSON() ([]byte, error) { return codec.ToJSON(multinomialKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Categorical.UnmarshalBinary].
func (m *Multinomial) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(multinomialKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Gaussian) MarshalJSON() ([]byte, error) { return codec.ToJSON(gaussianKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Categorical.UnmarshalBinary].
func (m *Gaussian) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(gaussianKind, data, m)
}

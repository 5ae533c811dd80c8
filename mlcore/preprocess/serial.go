package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

var (
	_ = archive.Register("preprocess.Imputer", 1, func(c *archive.Coder, m *Imputer) {
		m.fields(c)
		c.Float64s("fill", &m.fill)
		if c.Reading() {
			m.out = slices.Clone(m.in)
			c.Check(len(m.fill) == len(m.in), "%d values for %d columns", len(m.fill), len(m.in))
			for _, v := range m.fill {
				c.Check(!math.IsInf(v, 0), "value %v", v)
			}
		}
	})
	_ = archive.Register("preprocess.KNNImputer", 1, func(c *archive.Coder, m *KNNImputer) {
		m.fields(c)
		pickedFields(c, m.in, &m.picked, numeric)
		c.Int("k", &m.k)
		c.Bool("by_distance", &m.byDistance)
		c.Float64s("rows", &m.rows)
		if c.Reading() {
			m.restore(c)
		}
	})
	_ = archive.Register("preprocess.Scaler", 1, func(c *archive.Coder, m *Scaler) {
		m.fields(c)
		pickedFields(c, m.in, &m.picked, numeric)
		finiteFields(c, "shift", &m.shift, len(m.picked))
		finiteFields(c, "scale", &m.scale, len(m.picked))
		c.Float64("min", &m.min)
		c.Float64("max", &m.max)
		c.Bool("clip", &m.clip)
		if c.Reading() {
			m.out = slices.Clone(m.in)
			c.Check(m.min-m.min == 0 && m.max-m.max == 0, "bounds %v and %v", m.min, m.max)
			for _, s := range m.scale {
				c.Check(s > 0, "scale %v", s)
			}
		}
	})
	_ = archive.Register("preprocess.Discretizer", 1, func(c *archive.Coder, m *Discretizer) {
		m.fields(c)
		pickedFields(c, m.in, &m.picked, numeric)
		intervals := make([]interval, 0, len(m.picked))
		for p, j := range m.picked {
			if !c.Reading() && c.OK() {
				intervals = append(intervals, interval{m.cuts[p], m.out[j].Levels})
			}
		}
		archive.List(c, "intervals", &intervals, func(_ int, v *interval) { v.fields(c) })
		if c.Reading() {
			m.restore(c, intervals)
		}
	})
	_ = archive.Register("preprocess.OneHot", 1, func(c *archive.Coder, m *OneHot) {
		m.encoder.fields(c)
		c.Bool("drop_first", &m.dropFirst)
		if c.OK() {
			m.claim(c)
		}
		if c.Reading() {
			m.describe()
			c.Check(len(m.out) > 0, "no column comes out")
		}
	})
	_ = archive.Register("preprocess.Ordinal", 1, func(c *archive.Coder, m *Ordinal) {
		m.encoder.fields(c)
		if c.Reading() {
			m.describe()
		}
	})
	_ = archive.Register("preprocess.TargetEncoder", 1, func(c *archive.Coder, m *TargetEncoder) {
		m.shape.fields(c)
		pickedFields(c, m.in, &m.picked, categorical)
		c.OptionalStrings("classes", &m.classes)
		archive.List(c, "tables", &m.tables, func(p int, table *[]float64) {
			if p >= len(m.picked) {
				c.Fail("encodings of more columns than the %d that are picked", len(m.picked))
				return
			}
			finiteFields(c, "encodings", table, rowsOf(m.in[m.picked[p]])*m.width())
		})
		c.Check(len(m.tables) == len(m.picked), "encodings of %d columns, %d are picked", len(m.tables), len(m.picked))
		if c.OK() {
			m.claim(c)
		}
		if c.Reading() {
			m.describe()
		}
	})
	_ = archive.Register("preprocess.Selection", 1, func(c *archive.Coder, m *Selection) {
		m.subset.fields(c)
		c.Ints("judged", &m.judged)
		c.Float64s("scores", &m.scores)
		tested := c.Optional("p_values", m.pValues != nil, func() { c.Float64s("values", &m.pValues) })
		if c.Reading() {
			c.Check(ascend(m.judged, len(m.in)) && len(m.scores) == len(m.judged), "%d scores of columns %v", len(m.scores), m.judged)
			c.Check(!tested || len(m.pValues) == len(m.judged), "%d p-values of %d columns", len(m.pValues), len(m.judged))
		}
	})
	_ = archive.Register("preprocess.Elimination", 1, func(c *archive.Coder, m *Elimination) {
		m.subset.fields(c)
		c.Ints("ranking", &m.ranking)
		c.Check(len(m.ranking) == len(m.in), "%d ranks of %d columns", len(m.ranking), len(m.in))
	})
	_ = archive.Register("preprocess.PCA", 1, func(c *archive.Coder, m *PCA) {
		m.fields(c)
		pickedFields(c, m.in, &m.picked, numeric)
		finiteFields(c, "mean", &m.mean, len(m.picked))
		c.Float64s("variance", &m.variance)
		c.Float64s("loadings", &m.loadings)
		c.Float64("total_variance", &m.total)
		if c.Reading() {
			m.restore(c)
		}
	})
	_ = archive.Register("preprocess.Polynomial", 1, func(c *archive.Coder, m *Polynomial) {
		m.fields(c)
		pickedFields(c, m.in, &m.picked, numeric)
		c.Int("degree", &m.degree)
		c.Bool("interaction_only", &m.interactionOnly)
		c.Bool("bias", &m.bias)
		if c.Reading() {
			_, factors := m.size()
			c.Check(m.degree >= 1 && len(m.picked) > 0 && factors <= maxFactors, "degree %d of %d columns", m.degree, len(m.picked))
		}
		if c.OK() {
			m.claim(c)
		}
		if c.Reading() {
			m.describe()
		}
	})
	_ = archive.Register("preprocess.Classifier", 1, func(c *archive.Coder, m *Classifier) {
		m.chain.fields(c)
		c.Int("classes", &m.classes)
		archive.Part(c, "model", &m.model)
		if c.Reading() {
			c.Check(m.classes >= m.model.NumClasses(), "%d classes, the model has %d", m.classes, m.model.NumClasses())
			m.checkRead(c, m.model.NumFeatures())
		}
	})
	_ = archive.Register("preprocess.Regressor", 1, func(c *archive.Coder, m *Regressor) {
		m.chain.fields(c)
		archive.Part(c, "model", &m.model)
		if c.Reading() {
			m.checkRead(c, m.model.NumFeatures())
		}
	})
)

// columnSize is about how many bytes a mlcore.Column takes without what it points to.
const columnSize = 48

// claim counts the names that begin with the same column's each.
func (m *OneHot) claim(c *archive.Coder) {
	for p, j := range m.picked {
		c.Claim(m.known(p), len(m.in[j].Name)+1)
	}
}

// claim counts the columns of all classes for each that is encoded.
func (m *TargetEncoder) claim(c *archive.Coder) {
	letters := 0
	for _, class := range m.classes {
		letters += len("_") + len(class)
	}
	for _, j := range m.picked {
		c.Claim(len(m.classes), columnSize+len(m.in[j].Name))
		c.Claim(1, letters)
	}
}

// claim counts the products and their names. Every column is as often a factor as the
// others.
func (m *Polynomial) claim(c *archive.Coder) {
	products, factors := m.size()
	letters := 0
	for _, j := range m.picked {
		letters += len(m.in[j].Name) + len("^10 ")
	}
	c.Claim(products, columnSize+8)
	c.Claim(factors, 8)
	c.Claim((factors+len(m.picked)-1)/len(m.picked), letters)
}

func (s *shape) fields(c *archive.Coder) {
	archive.Columns(c, "input_columns", &s.in)
	c.Check(len(s.in) > 0, "no columns")
}

func (s *subset) fields(c *archive.Coder) {
	s.shape.fields(c)
	c.Ints("kept", &s.kept)
	if c.Reading() {
		c.Check(len(s.kept) > 0 && ascend(s.kept, len(s.in)), "columns %v are kept", s.kept)
	}
	if c.Reading() {
		s.describe()
	}
}

// ascend reports whether v holds rising places below n.
func ascend(v []int, n int) bool {
	for p, j := range v {
		if j < 0 || j >= n || p > 0 && j <= v[p-1] {
			return false
		}
	}
	return true
}

// pickedFields takes places among columns, ascending, of the wanted kind.
func pickedFields(c *archive.Coder, columns []mlcore.Column, picked *[]int, kind columnKind) {
	c.Ints("picked", picked)
	for p, j := range *picked {
		if j < 0 || j >= len(columns) || p > 0 && j <= (*picked)[p-1] || columns[j].Categorical() != (kind == categorical) {
			c.Fail("column %d picked", j)
			*picked = nil // of what was read: a fit picks no others
			return
		}
	}
}

func finiteFields(c *archive.Coder, name string, v *[]float64, n int) {
	c.Float64s(name, v)
	c.Check(len(*v) == n, "%d numbers where there are %d", len(*v), n)
	for _, x := range *v {
		c.Check(x-x == 0, "number %v", x)
	}
}

// interval is what a Discretizer makes of one column.
type interval struct {
	cuts   []float64
	levels []string
}

func (v *interval) fields(c *archive.Coder) {
	c.Float64s("cuts", &v.cuts)
	c.Strings("levels", &v.levels)
	for k, cut := range v.cuts {
		c.Check(cut-cut == 0 && (k == 0 || cut > v.cuts[k-1]), "cut %v", cut)
	}
	c.Check(len(v.levels) == len(v.cuts)+1, "%d levels for %d cuts", len(v.levels), len(v.cuts))
}

func (m *Discretizer) restore(c *archive.Coder, intervals []interval) {
	if len(intervals) != len(m.picked) {
		c.Fail("intervals of %d columns, %d are picked", len(intervals), len(m.picked))
		return
	}
	m.out = slices.Clone(m.in)
	for p, j := range m.picked {
		m.cuts = append(m.cuts, intervals[p].cuts)
		m.out[j].Levels = intervals[p].levels
	}
}

func (e *encoder) fields(c *archive.Coder) {
	e.shape.fields(c)
	c.Bool("ignore_unknown", &e.ignore)
	pickedFields(c, e.in, &e.picked, categorical)
	archive.List(c, "places", &e.places, func(p int, places *[]int) {
		c.Ints("levels", places)
		next := 0
		for _, place := range *places {
			if place == next {
				next++
			} else {
				c.Check(place == -1, "place %d", place)
			}
		}
		if p >= len(e.picked) {
			c.Fail("levels of more columns than the %d that are picked", len(e.picked))
			return
		}
		c.Check(len(*places) == len(e.in[e.picked[p]].Levels) && next > 0, "%d places for the levels of column %d", len(*places), e.picked[p])
	})
	c.Check(len(e.places) == len(e.picked), "levels of %d columns, %d are picked", len(e.places), len(e.picked))
}

func (m *KNNImputer) restore(c *archive.Coder) {
	m.out = slices.Clone(m.in)
	c.Check(m.k >= 1, "%d neighbours", m.k)
	c.Check(len(m.picked) == 0 && len(m.rows) == 0 || len(m.picked) > 0 && len(m.rows)%len(m.picked) == 0, "%d numbers in rows of %d", len(m.rows), len(m.picked))
	if !c.OK() {
		return
	}
	has := make([]bool, len(m.picked))
	for at, v := range m.rows {
		c.Check(!math.IsInf(v, 0), "value %v", v)
		if v == v {
			has[at%len(m.picked)] = true
		}
	}
	c.Check(!slices.Contains(has, false), "a column without any value")
	if c.OK() {
		m.average()
	}
}

func (m *PCA) restore(c *archive.Coder) {
	n := len(m.variance)
	c.Check(n >= 1 && n <= len(m.picked), "%d components of %d columns", n, len(m.picked))
	if !c.OK() {
		return
	}
	c.Check(len(m.loadings)/n == len(m.picked) && len(m.loadings)%n == 0, "%d loadings of %d components", len(m.loadings), n)
	for _, v := range m.loadings {
		c.Check(v-v == 0, "loading %v", v)
	}
	for _, v := range append(slices.Clone(m.variance), m.total) {
		c.Check(v-v == 0 && v >= 0, "variance %v", v)
	}
	if c.OK() {
		m.describe()
	}
}

// fields takes the columns and the steps of a pipeline.
func (ch *chain) fields(c *archive.Coder) {
	archive.Columns(c, "input_columns", &ch.in)
	archive.Parts(c, "steps", &ch.steps)
	if !c.Reading() {
		return
	}
	c.Check(len(ch.in) > 0, "no columns")
	columns := ch.in
	for s, t := range ch.steps {
		if err := sameColumns(columns, t.InputColumns()); err != nil {
			c.Fail("step %d: %v", s, err)
			return
		}
		columns = t.Columns()
	}
}

func (ch *chain) checkRead(c *archive.Coder, features int) {
	if err := ch.checkModel(features); err != nil {
		c.Fail("%v", err)
	}
}

// MarshalBinary encodes the transformer as package modelfile does, for encoding/gob.
func (m *Imputer) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Imputer) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer with its training rows; see
// [Imputer.MarshalBinary].
func (m *KNNImputer) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *KNNImputer) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Scaler) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Scaler) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Discretizer) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Discretizer) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *OneHot) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *OneHot) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Ordinal) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Ordinal) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *TargetEncoder) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *TargetEncoder) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Selection) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Selection) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Elimination) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Elimination) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *PCA) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *PCA) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the transformer; see [Imputer.MarshalBinary].
func (m *Polynomial) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a transformer; on an error m is left as it was.
func (m *Polynomial) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the pipeline with its steps and its model; see [Imputer.MarshalBinary].
func (m *Classifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a pipeline; on an error m is left as it was.
func (m *Classifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the pipeline with its steps and its model; see [Imputer.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a pipeline; on an error m is left as it was.
func (m *Regressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

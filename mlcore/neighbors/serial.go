package neighbors

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"gonum.org/v1/gonum/mat"
)

const (
	classifierKind = "neighbors.Classifier"
	regressorKind  = "neighbors.Regressor"
	formatVersion  = 1
)

// write appends the neighbourhood's rows and settings. The index is built anew
// on reading.
func (h *neighbourhood) write(w *codec.Writer) error {
	c := h.cfg
	if c.Metric.kind == function {
		return fmt.Errorf("neighbors: %w: a model with the metric %s, a function, cannot be serialised", mlcore.ErrConfig, c.Metric)
	}
	w.Int(c.k())
	w.Int(int(c.Metric.kind))
	w.Float64(c.Metric.p)
	w.Int(c.Metric.size)
	w.Float64s(c.Metric.whiten)
	w.Int(int(c.Weights))
	w.Float64(c.Bandwidth)
	w.Float64s(c.FeatureWeights)
	w.Bool(c.LocalLinear)
	w.Int(int(c.Search))
	w.Int(h.d)
	w.Float64s(h.data)
	w.Int32s(h.rows)
	w.Float64s(h.weights)
	return nil
}

// readNeighbourhood reads what write wrote and makes sure that a fit could have
// made it.
func readNeighbourhood(r *codec.Reader) *neighbourhood {
	var c Config
	c.K = r.Int()
	c.Metric = Metric{kind: metricKind(r.Int()), p: r.Float64(), size: r.Int(), whiten: orNil(r.Float64s())}
	c.Weights = Weights(r.Int())
	c.Bandwidth = r.Float64()
	c.FeatureWeights = orNil(r.Float64s())
	c.LocalLinear = r.Bool()
	c.Search = Search(r.Int())
	h := &neighbourhood{cfg: c, d: r.Int(), data: r.Float64s(), rows: r.Int32s(), weights: orNil(r.Float64s())}
	if r.Err() != nil {
		return nil
	}
	n, d := len(h.rows), h.d
	if d < 1 || n < 1 || len(h.data)/d != n || len(h.data)%d != 0 {
		r.Fail("%d values for %d rows of %d columns", len(h.data), n, d)
		return nil
	}
	if k := c.Metric.kind; k < euclidean || k >= function {
		r.Fail("metric %d", k)
		return nil
	}
	if s := c.Metric.size; c.Metric.kind == mahalanobis && len(c.Metric.whiten) != s*s {
		r.Fail("%d numbers for a %d×%d matrix", len(c.Metric.whiten), s, s)
		return nil
	}
	for _, v := range c.Metric.whiten {
		if v-v != 0 {
			r.Fail("a whitening matrix with %v", v)
			return nil
		}
	}
	for i, row := range h.rows {
		if row < 0 || i > 0 && row <= h.rows[i-1] {
			r.Fail("row %d out of order", row)
			return nil
		}
	}
	if c.K < 1 || c.K > n {
		r.Fail("%d neighbours of %d rows", c.K, n)
		return nil
	}
	err := c.check(d)
	if err == nil {
		err = mlcore.CheckMatrix(mat.NewDense(n, d, h.data), false)
	}
	if err == nil {
		err = mlcore.CheckWeights(h.weights, n)
	}
	if err != nil {
		r.Fail("%v", err)
		return nil
	}
	for _, w := range h.weights {
		if w == 0 {
			r.Fail("a kept row of weight 0")
			return nil
		}
	}
	h.build()
	return h
}

func orNil(v []float64) []float64 {
	if len(v) == 0 {
		return nil
	}
	return v
}

// MarshalBinary encodes the model. It implements encoding.BinaryMarshaler, which
// encoding/gob uses too. Workers is not part of the model: a decoded one uses
// all processors. A model with a [MetricFunc] is an error that wraps
// [mlcore.ErrConfig].
func (m *Classifier) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(classifierKind, formatVersion)
	if err := m.near.write(w); err != nil {
		return nil, err
	}
	w.Ints(m.labels)
	w.Int(m.classes)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model. Bytes that are not one are refused with an
// error that wraps [mlcore.ErrCorrupt] or [mlcore.ErrVersion], and m is left as
// it was.
func (m *Classifier) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, classifierKind, formatVersion, func(r *codec.Reader, c *Classifier) {
		*c = Classifier{near: readNeighbourhood(r), labels: r.Ints(), classes: r.Int()}
		if r.Err() == nil {
			if err := mlcore.CheckLabels(c.labels, len(c.near.rows), c.classes); err != nil || c.classes < 1 {
				r.Fail("labels of %d classes: %v", c.classes, err)
			}
		}
	})
}

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) {
	w := codec.NewWriter(regressorKind, formatVersion)
	if err := m.near.write(w); err != nil {
		return nil, err
	}
	w.Float64s(m.targets)
	return w.Finish(), nil
}

// UnmarshalBinary decodes a model; see [Classifier.UnmarshalBinary].
func (m *Regressor) UnmarshalBinary(data []byte) error {
	return codec.Decode(m, data, regressorKind, formatVersion, func(r *codec.Reader, c *Regressor) {
		*c = Regressor{near: readNeighbourhood(r), targets: r.Float64s()}
		if r.Err() == nil {
			if err := mlcore.CheckTargets(c.targets, len(c.near.rows)); err != nil {
				r.Fail("%v", err)
			}
		}
	})
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Classifier) MarshalJSON() ([]byte, error) { return codec.ToJSON(classifierKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *Classifier) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(classifierKind, data, m)
}

// MarshalJSON encodes the model as a JSON object that carries its binary form.
func (m *Regressor) MarshalJSON() ([]byte, error) { return codec.ToJSON(regressorKind, m) }

// UnmarshalJSON decodes what MarshalJSON made; see [Classifier.UnmarshalBinary].
func (m *Regressor) UnmarshalJSON(data []byte) error {
	return codec.FromJSON(regressorKind, data, m)
}

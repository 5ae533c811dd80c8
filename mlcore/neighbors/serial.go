package neighbors

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"gonum.org/v1/gonum/mat"
)

var (
	_ = archive.Register("neighbors.Classifier", 1, func(c *archive.Coder, m *Classifier) {
		near(c, &m.near)
		c.Ints("labels", &m.labels)
		c.Int("classes", &m.classes)
		if c.Reading() {
			err := mlcore.CheckLabels(m.labels, len(m.near.rows), m.classes)
			c.Check(err == nil && m.classes >= 1, "labels of %d classes: %v", m.classes, err)
		}
	})
	_ = archive.Register("neighbors.Regressor", 1, func(c *archive.Coder, m *Regressor) {
		near(c, &m.near)
		c.Float64s("targets", &m.targets)
		if c.Reading() {
			if err := mlcore.CheckTargets(m.targets, len(m.near.rows)); err != nil {
				c.Fail("%v", err)
			}
		}
	})
	_ = archive.Register("neighbors.Index", 1, func(c *archive.Coder, m *Index) { near(c, &m.near) })
)

// near takes a neighbourhood's rows and settings. The index is built anew on
// reading.
func near(c *archive.Coder, h **neighbourhood) {
	if c.Reading() {
		*h = new(neighbourhood)
	}
	if (*h).fields(c); c.Reading() {
		if (*h).check(c); c.OK() {
			(*h).build()
		}
	}
}

func (h *neighbourhood) fields(c *archive.Coder) {
	if h.cfg.Metric.kind == function {
		c.Refuse(fmt.Errorf("neighbors: %w: a model with the metric %s, a function, cannot be saved", mlcore.ErrConfig, h.cfg.Metric))
		return
	}
	k := h.cfg.k()
	c.Int("k", &k)
	if c.Reading() {
		h.cfg.Neighbors = k
	}
	c.Group("metric", func() {
		m := &h.cfg.Metric
		archive.Enum(c, "kind", &m.kind, "euclidean", "squared euclidean", "manhattan", "chebyshev", "minkowski", "hamming", "mahalanobis")
		c.Float64("p", &m.p)
		c.Int("size", &m.size)
		c.Float64s("whitening", &m.whiten)
	})
	archive.Enum(c, "weights", &h.cfg.Weights, "uniform", "inverse distance", "gaussian")
	c.Float64("bandwidth", &h.cfg.Bandwidth)
	c.Float64s("feature_weights", &h.cfg.FeatureWeights)
	c.Bool("local_linear", &h.cfg.LocalLinear)
	archive.Enum(c, "search", &h.cfg.Search, "auto", "brute", "k-d tree")
	c.Int("features", &h.d)
	c.Float64s("data", &h.data)
	c.Int32s("rows", &h.rows)
	c.Float64s("sample_weights", &h.weights)
}

// check makes sure that a fit could have made what was read.
func (h *neighbourhood) check(c *archive.Coder) {
	n, d, cfg := len(h.rows), h.d, h.cfg
	if d < 1 || n < 1 || len(h.data)/d != n || len(h.data)%d != 0 {
		c.Fail("%d values for %d rows of %d columns", len(h.data), n, d)
		return
	}
	if s := cfg.Metric.size; cfg.Metric.kind == mahalanobis && (s != d || len(cfg.Metric.whiten)/d != d || len(cfg.Metric.whiten)%d != 0) {
		c.Fail("%d numbers for a %d×%d matrix", len(cfg.Metric.whiten), s, s)
		return
	}
	for _, v := range cfg.Metric.whiten {
		c.Check(v-v == 0, "a whitening matrix with %v", v)
	}
	for i, row := range h.rows {
		c.Check(row >= 0 && (i == 0 || row > h.rows[i-1]), "row %d out of order", row)
	}
	c.Check(cfg.Neighbors >= 1 && cfg.Neighbors <= n, "%d neighbours of %d rows", cfg.Neighbors, n)
	err := cfg.check(d)
	if err == nil {
		err = mlcore.CheckMatrix(mat.NewDense(n, d, h.data), false)
	}
	if err == nil {
		err = mlcore.CheckWeights(h.weights, n)
	}
	if err != nil {
		c.Fail("%v", err)
	}
	for _, w := range h.weights {
		c.Check(w > 0, "a kept row of weight 0")
	}
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob.
// Workers is not part of the model: a decoded one uses all processors. A model with
// a [MetricFunc] is an error that wraps [mlcore.ErrConfig].
func (m *Classifier) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Classifier) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [Classifier.MarshalBinary].
func (m *Regressor) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Regressor) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the index; see [Classifier.MarshalBinary].
func (m *Index) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes an index; on an error m is left as it was.
func (m *Index) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

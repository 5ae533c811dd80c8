package cluster

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"gonum.org/v1/gonum/mat"
)

var (
	_ = archive.Register("cluster.KMeans", 1, func(c *archive.Coder, m *KMeans) {
		rows(c, "centres", &m.centres)
		c.Float64("inertia", &m.inertia)
		archive.Status(c, "status", &m.status)
		if c.Reading() && c.OK() {
			c.Check(m.inertia >= 0 && m.inertia-m.inertia == 0, "inertia %v", m.inertia)
			m.prepare()
		}
	})
	_ = archive.Register("cluster.Mixture", 1, func(c *archive.Coder, m *Mixture) {
		c.Int("features", &m.features)
		archive.Enum(c, "covariance", &m.shape, covarianceNames...)
		c.Float64s("weights", &m.weights)
		c.Float64s("means", &m.means)
		c.Float64s("covariances", &m.covariances)
		c.Float64("log_likelihood", &m.likelihood)
		archive.Status(c, "status", &m.status)
		if c.Reading() && c.OK() {
			m.restore(c)
		}
	})
	_ = archive.Register("cluster.Density", 1, func(c *archive.Coder, m *Density) {
		rows(c, "rows", &m.rows)
		weighted := c.Optional("weights", m.w != nil, func() { c.Float64s("weights", &m.w) })
		archive.Enum(c, "kernel", &m.kernel, kernelNames...)
		c.Float64("bandwidth", &m.bandwidth)
		if !c.Reading() || !c.OK() {
			return
		}
		n, _ := m.rows.Dims()
		c.Check(m.bandwidth > 0 && m.bandwidth-m.bandwidth == 0, "bandwidth %v", m.bandwidth)
		c.Check(!weighted || len(m.w) == n, "%d weights of %d rows", len(m.w), n)
		for i, v := range m.w {
			c.Check(v > 0 && v-v == 0, "weight %d is %v", i, v)
		}
		if c.OK() {
			if err := m.prepare(); err != nil {
				c.Fail("%v", err)
			}
		}
	})
)

// rows takes a matrix of finite numbers.
func rows(c *archive.Coder, name string, m **mat.Dense) {
	var columns int
	var data []float64
	if !c.Reading() {
		_, columns = (*m).Dims()
		data = mat.DenseCopyOf(*m).RawMatrix().Data
	}
	c.Group(name, func() {
		c.Int("columns", &columns)
		c.Float64s("values", &data)
	})
	if !c.Reading() || !c.OK() {
		return
	}
	if columns < 1 || len(data) == 0 || len(data)%columns != 0 {
		c.Fail("%s: %d numbers in %d columns", name, len(data), columns)
		return
	}
	for at, v := range data {
		c.Check(v-v == 0, "%s: number %d is %v", name, at, v)
	}
	*m = mat.NewDense(len(data)/columns, columns, data)
}

func (m *Mixture) restore(c *archive.Coder) {
	K, d := len(m.weights), m.features
	if K < 1 || d < 1 || len(m.means)%d != 0 || len(m.means)/d != K {
		c.Fail("%d weights and %d means of %d columns", K, len(m.means), d)
		return
	}
	blocks := K
	if m.shape == Tied {
		blocks = 1
	}
	size := blockSize(m.shape, d)
	if size/d > d || len(m.covariances)%size != 0 || len(m.covariances)/size != blocks {
		c.Fail("%d covariances of %d components and %d columns", len(m.covariances), K, d)
		return
	}
	for _, v := range m.weights {
		c.Check(v > 0 && v <= 1+1e-9, "weight %v", v)
	}
	for _, v := range m.means {
		c.Check(v-v == 0, "mean %v", v)
	}
	for at, v := range m.covariances {
		matrix := m.shape == Full || m.shape == Tied
		variance := !matrix || at%size%(d+1) == 0
		c.Check(v-v == 0 && (!variance || v > 0), "covariance %v", v)
	}
	if c.OK() {
		if err := m.prepare(); err != nil {
			c.Fail("%v", err)
		}
	}
}

// MarshalBinary encodes the model as package modelfile does, for encoding/gob. The labels
// of the training rows and Workers are not part of it.
func (m *KMeans) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *KMeans) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [KMeans.MarshalBinary].
func (m *Mixture) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Mixture) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

// MarshalBinary encodes the model; see [KMeans.MarshalBinary].
func (m *Density) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Density) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

package cluster

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// Noise is the cluster of a row that is in none.
const Noise = -1

// DBSCANConfig finds clusters of any form as places where rows are dense. A row with at
// least MinSamples rows within Eps, itself included, is a core sample; core samples within
// Eps of each other are in one cluster, other rows within Eps of one are at its border, and
// the rest is noise (Ester, Kriegel, Sander & Xu, 1996, "A density-based algorithm for
// discovering clusters in large spatial databases with noise"). Features should have about
// the same range. The zero value has scikit-learn's defaults.
type DBSCANConfig struct {
	// Eps is the greatest distance of neighbours, in units of the Metric: the setting that
	// matters most. 0 means 0.5.
	Eps float64
	// MinSamples is the least weight of the rows within Eps of a core sample; 0 means 5. A
	// row of weight 0 is never a core sample.
	MinSamples int
	// Metric is the distance between two rows; the zero value is
	// neighbors.Euclidean.
	Metric neighbors.Metric
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// Fit finds the clusters of a Dataset of numeric columns; neighbors.Hamming and a
// neighbors.MetricFunc take categorical ones too. It keeps the neighbours of all rows in
// memory meanwhile.
func (c DBSCANConfig) Fit(ds *mlcore.Dataset) (*DBSCAN, error) {
	takes := fitted.Takes{Package: "cluster", Numbers: true, Categories: c.Metric.TakesCategories()}
	return fitted.Unlabelled(ds, takes, func(ds *mlcore.Dataset) (*DBSCAN, error) {
		if c.Eps == 0 {
			c.Eps = 0.5
		}
		if c.MinSamples == 0 {
			c.MinSamples = 5
		}
		switch {
		case !(c.Eps > 0) || math.IsInf(c.Eps, 1):
			return nil, configError("Eps is %v; it is positive and finite", c.Eps)
		case c.MinSamples < 1:
			return nil, configError("MinSamples is %d; at least 1", c.MinSamples)
		}
		return c.fit(ds)
	})
}

func (c DBSCANConfig) fit(ds *mlcore.Dataset) (*DBSCAN, error) {
	rows := *ds
	rows.Weights = nil // all rows are to be found
	index, err := c.index(&rows)
	if err != nil {
		return nil, err
	}
	near, err := index.RowsWithin(ds.X, c.Eps)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	core := make([]bool, len(near))
	m := &DBSCAN{features: ds.NumFeatures(), eps: c.Eps}
	for i, others := range near {
		weight := 0.0
		for _, j := range others {
			weight += given.Weight(ds.Weights, int(j))
		}
		if core[i] = weight >= float64(c.MinSamples) && given.Weight(ds.Weights, i) > 0; core[i] {
			m.core = append(m.core, i)
		}
	}
	m.labels = slices.Repeat([]int{Noise}, len(near))
	for _, i := range m.core {
		if m.labels[i] == Noise {
			m.grow(i, near, core)
			m.clusters++
		}
	}
	if len(m.core) == 0 {
		return m, nil
	}
	m.numbers = given.Pick(m.labels, m.core)
	m.index, err = c.index(rows.Subset(m.core))
	return m, err
}

// index makes the rows ready to be searched.
func (c DBSCANConfig) index(ds *mlcore.Dataset) (*neighbors.Index, error) {
	index, err := neighbors.Config{Neighbors: 1, Metric: c.Metric, Workers: c.Workers}.Fit(ds)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return index, nil
}

// grow gives the next number to what can be reached from a core sample. A row at the border
// of several clusters is in the first of them.
func (m *DBSCAN) grow(from int, near [][]int32, core []bool) {
	m.labels[from] = m.clusters
	todo := []int{from}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range near[i] {
			if m.labels[j] != Noise {
				continue
			}
			m.labels[j] = m.clusters
			if core[j] {
				todo = append(todo, int(j))
			}
		}
	}
}

// A DBSCAN is what [DBSCANConfig] finds. It is immutable and safe for concurrent use.
type DBSCAN struct {
	model
	features int
	eps      float64
	clusters int
	labels   []int
	core     []int
	numbers  []int            // the clusters of the core samples
	index    *neighbors.Index // of the core samples; nil if there are none
}

// NumFeatures is the number of columns that Predict expects.
func (m *DBSCAN) NumFeatures() int { return m.features }

// NumClusters is K: clusters are numbered from 0 to K-1, in the order of their first core
// samples. It may be 0.
func (m *DBSCAN) NumClusters() int { return m.clusters }

// Labels returns the cluster of each training row, [Noise] for a row in no cluster;
// nil for a model that comes from a file.
func (m *DBSCAN) Labels() []int { return slices.Clone(m.labels) }

// CoreSamples returns the training rows that are core samples, ascending; nil for a
// model that comes from a file.
func (m *DBSCAN) CoreSamples() []int { return slices.Clone(m.core) }

// Predict returns for each row of X the first cluster that has a core sample within Eps,
// and [Noise] where there is none. For the training rows these are the Labels.
func (m *DBSCAN) Predict(X mat.Matrix) ([]int, error) {
	if err := mlcore.CheckFeatures(X, m.features); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	n, _ := X.Dims()
	labels := slices.Repeat([]int{Noise}, n)
	if m.index == nil {
		return labels, nil
	}
	near, err := m.index.RowsWithin(X, m.eps)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	for i, others := range near {
		for _, at := range others {
			if k := m.numbers[at]; labels[i] == Noise || k < labels[i] {
				labels[i] = k
			}
		}
	}
	return labels, nil
}

var _ = archive.Register("cluster.DBSCAN", 1, func(c *archive.Coder, m *DBSCAN) {
	c.Int("features", &m.features)
	c.Float64("eps", &m.eps)
	c.Int("clusters", &m.clusters)
	some := c.Optional("core_samples", m.index != nil, func() {
		c.Ints("clusters", &m.numbers)
		archive.Part(c, "rows", &m.index)
	})
	if !c.Reading() {
		return
	}
	c.Check(m.features >= 1 && m.eps > 0 && m.eps-m.eps == 0, "%d columns, eps %v", m.features, m.eps)
	c.Check(some == (m.clusters > 0), "%d clusters", m.clusters)
	if !some || !c.OK() {
		return
	}
	c.Check(m.index.NumFeatures() == m.features && m.index.Len() == len(m.numbers), "%d core samples of %d columns, %d clusters of them", m.index.Len(), m.index.NumFeatures(), len(m.numbers))
	for i, row := range m.index.Rows() {
		c.Check(row == i, "core sample %d is row %d", i, row)
	}
	for i, k := range m.numbers {
		c.Check(k >= 0 && k < m.clusters, "core sample %d is in cluster %d of %d", i, k, m.clusters)
	}
})

// MarshalBinary encodes the model; see [KMeans.MarshalBinary]. Of the core samples only
// what Predict needs is part of it.
func (m *DBSCAN) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *DBSCAN) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

package cluster

import (
	"fmt"
	"slices"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"gonum.org/v1/gonum/mat"
)

// A Merge makes a cluster of two. Of n rows, clusters 0 to n-1 are the rows alone, and
// merge k makes cluster n+k: the columns of SciPy's linkage matrix.
type Merge struct {
	// A and B are the clusters, A the lower number.
	A, B int
	// Distance is how far they are apart by the Linkage.
	Distance float64
	// Size is the number of rows of the new cluster.
	Size int
}

// An Agglomerative is the tree of merges that [AgglomerativeConfig] makes, and where it is
// cut. It is immutable and safe for concurrent use. It has clusters only for the rows that
// it was fitted to.
type Agglomerative struct {
	model
	features int
	linkage  Linkage
	merges   []Merge
	clusters int
	labels   []int
}

// NumFeatures is the number of columns of the rows.
func (m *Agglomerative) NumFeatures() int { return m.features }

// NumClusters is K: clusters are numbered from 0 to K-1.
func (m *Agglomerative) NumClusters() int { return m.clusters }

// Linkage is the distance between clusters by which the tree was made.
func (m *Agglomerative) Linkage() Linkage { return m.linkage }

// Labels returns the cluster of each row. They are numbered in the order of their first
// rows.
func (m *Agglomerative) Labels() []int { return slices.Clone(m.labels) }

// Merges returns the merges of all n rows, n-1 of them, from the nearest clusters to the
// farthest. The order of merges at equal distances has no meaning.
func (m *Agglomerative) Merges() []Merge { return slices.Clone(m.merges) }

// LinkageName returns the name of the Linkage, such as "ward".
func (m *Agglomerative) LinkageName() string { return m.linkage.String() }

// LinkageMatrix returns the merges in the form of SciPy's linkage matrix: A, B, Distance and
// Size of each in a row. It is empty if there are none. Package plotx draws it.
func (m *Agglomerative) LinkageMatrix() *mat.Dense {
	if len(m.merges) == 0 {
		return &mat.Dense{}
	}
	z := mat.NewDense(len(m.merges), 4, nil)
	for k, p := range m.merges {
		z.SetRow(k, []float64{float64(p.A), float64(p.B), p.Distance, float64(p.Size)})
	}
	return z
}

// Cut returns the cluster of each row where the tree is cut into the given number of
// clusters. A number below 1 or above the number of rows is an error that wraps
// [mlcore.ErrConfig].
func (m *Agglomerative) Cut(clusters int) ([]int, error) {
	if m.features == 0 {
		return nil, fmt.Errorf("cluster: %w", mlcore.ErrNotFitted)
	}
	if n := len(m.labels); clusters < 1 || clusters > n {
		return nil, configError("a cut into %d clusters; it is from 1 to %d, the number of rows", clusters, n)
	}
	return m.cut(clusters), nil
}

// CutAt returns the cluster of each row after the merges of clusters that are less than
// threshold apart; nil for a model that was not fitted.
func (m *Agglomerative) CutAt(threshold float64) []int {
	if m.features == 0 {
		return nil
	}
	return m.cut(len(m.labels) - m.below(threshold))
}

// below is how many merges are of clusters that are less than threshold apart.
func (m *Agglomerative) below(threshold float64) int {
	return sort.Search(len(m.merges), func(k int) bool { return !(m.merges[k].Distance < threshold) })
}

func (m *Agglomerative) cut(clusters int) []int {
	n := len(m.merges) + 1
	f := newForest(n)
	for _, p := range m.merges[:n-clusters] {
		f.join(p.A, p.B)
	}
	labels := make([]int, n)
	number := make([]int, len(f.parent)) // 1 + that of each cluster
	next := 0
	for i := range labels {
		root := f.root(i)
		if number[root] == 0 {
			next++
			number[root] = next
		}
		labels[i] = number[root] - 1
	}
	return labels
}

var _ = archive.Register("cluster.Agglomerative", 1, func(c *archive.Coder, m *Agglomerative) {
	c.Int("features", &m.features)
	archive.Enum(c, "linkage", &m.linkage, linkageNames...)
	c.Int("clusters", &m.clusters)
	archive.List(c, "merges", &m.merges, func(_ int, p *Merge) {
		c.Int("a", &p.A)
		c.Int("b", &p.B)
		c.Float64("distance", &p.Distance)
		c.Int("size", &p.Size)
	})
	if c.Reading() {
		m.restore(c)
	}
})

func (m *Agglomerative) restore(c *archive.Coder) {
	n := len(m.merges) + 1
	c.Check(m.features >= 1 && m.clusters >= 1 && m.clusters <= n, "%d columns, %d clusters of %d rows", m.features, m.clusters, n)
	merged := make([]bool, 2*n)
	sizes := slices.Repeat([]int{1}, 2*n)
	for k, p := range m.merges {
		if p.A < 0 || p.A >= p.B || p.B >= n+k || merged[p.A] || merged[p.B] || p.Size != sizes[p.A]+sizes[p.B] {
			c.Fail("merge %d is of clusters %d and %d, %d rows", k, p.A, p.B, p.Size)
			return
		}
		merged[p.A], merged[p.B], sizes[n+k] = true, true, p.Size
		c.Check(p.Distance-p.Distance == 0 && p.Distance >= 0 && (k == 0 || p.Distance >= m.merges[k-1].Distance), "merge %d at distance %v", k, p.Distance)
	}
	if c.OK() {
		m.labels = m.cut(m.clusters)
	}
}

// MarshalBinary encodes the model; see [KMeans.MarshalBinary]. Labels are part of it here.
func (m *Agglomerative) MarshalBinary() ([]byte, error) { return archive.Marshal(m) }

// UnmarshalBinary decodes a model; on an error m is left as it was.
func (m *Agglomerative) UnmarshalBinary(data []byte) error { return archive.Decode(m, data) }

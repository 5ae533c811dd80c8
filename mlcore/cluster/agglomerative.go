package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

// A Linkage says how far two clusters are apart.
type Linkage int

const (
	// Ward is √(2|a||b|/(|a|+|b|)) times the Euclidean distance of the means of clusters
	// a and b, so that each merge adds as little as can be to the inertia (Ward, 1963).
	// It is the default.
	Ward Linkage = iota
	// Complete is the distance between the two rows, one of each cluster, that
	// are farthest from each other.
	Complete
	// Average is the mean of the distances between a row of one cluster and a
	// row of the other.
	Average
	// Single is the distance between the two rows, one of each cluster, that
	// are nearest to each other.
	Single
)

var linkageNames = []string{"ward", "complete", "average", "single"}

// String names the linkage.
func (l Linkage) String() string {
	if l < 0 || int(l) >= len(linkageNames) {
		return fmt.Sprintf("Linkage(%d)", int(l))
	}
	return linkageNames[l]
}

// AgglomerativeConfig merges the two clusters that are nearest to each other, beginning
// with one cluster per row, until all rows are one cluster, and cuts the tree of these
// merges. It takes time in proportion to the square of the number of rows, and, for any
// linkage but Single, memory too: 16 bytes for each pair. The zero value makes 2 clusters by
// Ward's method.
type AgglomerativeConfig struct {
	// Clusters is where to stop, at most the number of rows; 0 means 2, or as many as
	// DistanceThreshold leaves.
	Clusters int
	// DistanceThreshold, where positive, stops before the first merge of clusters that are
	// at least this far apart. It cannot be combined with Clusters.
	DistanceThreshold float64
	// Linkage is the distance of two clusters.
	Linkage Linkage
	// Metric is the distance between two rows; the zero value is
	// neighbors.Euclidean, the only one for Ward.
	Metric neighbors.Metric
	// Workers is the greatest number of goroutines; 0 means one per processor. It
	// never changes the result.
	Workers int
}

// maxRows bounds the pairs of rows where all their distances are kept, which would take
// 16 GB.
const maxRows = 45000

// Fit merges the rows of a Dataset of numeric columns; neighbors.Hamming and a
// neighbors.MetricFunc take categorical ones too. Sample weights are an error that wraps
// [mlcore.ErrWeight].
func (c AgglomerativeConfig) Fit(ds *mlcore.Dataset) (*Agglomerative, error) {
	takes := fitted.Takes{Package: "cluster", Numbers: true, Categories: c.Metric.TakesCategories()}
	return fitted.Unlabelled(ds, takes, func(ds *mlcore.Dataset) (*Agglomerative, error) {
		if ds.Weights != nil {
			return nil, fmt.Errorf("cluster: %w: agglomerative clustering takes no sample weights; leave them out", mlcore.ErrWeight)
		}
		return c.fit(ds.X)
	})
}

func (c AgglomerativeConfig) fit(X *mat.Dense) (*Agglomerative, error) {
	n, d := X.Dims()
	switch {
	case c.Linkage < Ward || c.Linkage > Single:
		return nil, configError("there is no %v", c.Linkage)
	case c.Linkage == Ward && c.Metric.String() != neighbors.Euclidean.String():
		return nil, configError("Ward's linkage is Euclidean, and the Metric %v; use Average or Complete", c.Metric)
	case !(c.DistanceThreshold >= 0):
		return nil, configError("DistanceThreshold is %v; it is positive", c.DistanceThreshold)
	case c.DistanceThreshold > 0 && c.Clusters != 0:
		return nil, configError("Clusters and DistanceThreshold are both set")
	case n > maxRows && c.Linkage != Single:
		return nil, configError("%d rows have too many pairs; %d are the most, such as a sample", n, maxRows)
	}
	if c.Clusters == 0 {
		c.Clusters = min(2, n)
	}
	if c.Clusters < 1 || c.Clusters > n {
		return nil, configError("Clusters is %d; it is from 1 to %d, the number of rows", c.Clusters, n)
	}
	joints, err := c.join(X)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	m := &Agglomerative{features: d, linkage: c.Linkage}
	m.merges = numbered(joints, n)
	if n > 1 && math.IsInf(m.merges[n-2].Distance, 1) {
		return nil, fmt.Errorf("cluster: %w: the distance of two clusters overflows; scale the columns down", mlcore.ErrNonFinite)
	}
	if m.clusters = c.Clusters; c.DistanceThreshold > 0 {
		m.clusters = n - m.below(c.DistanceThreshold)
	}
	m.labels = m.cut(m.clusters)
	return m, nil
}

// A joint is a merge of the clusters of two rows.
type joint struct {
	a, b     int
	distance float64
}

// join returns the n-1 merges, the nearest first.
func (c AgglomerativeConfig) join(X *mat.Dense) ([]joint, error) {
	joints, err := c.joints(X)
	slices.SortStableFunc(joints, func(p, q joint) int { return cmp.Compare(p.distance, q.distance) })
	return joints, err
}

// joints returns the merges in the order in which they are found.
func (c AgglomerativeConfig) joints(X *mat.Dense) ([]joint, error) {
	if c.Linkage == Single { // the edges of the tree that spans the rows (Gower & Ross, 1969)
		edges, err := neighbors.SpanningTree(X, c.Metric, c.Workers)
		joints := make([]joint, len(edges))
		for i, e := range edges {
			joints[i] = joint{e.From, e.To, e.Distance}
		}
		return joints, err
	}
	pairs, err := neighbors.Pairwise(X, c.Metric, c.Workers)
	if err != nil {
		return nil, err
	}
	t := newNearness(pairs)
	var joints []joint
	switch c.Linkage {
	case Ward:
		for i, v := range t.v {
			t.v[i] = -float64(v * v)
		}
		joints = t.chain(ward)
		for i := range joints {
			joints[i].distance = math.Sqrt(joints[i].distance)
		}
	case Complete:
		joints = t.chain(complete)
	case Average:
		joints = t.chain(average)
	}
	for i := range joints {
		joints[i].distance *= t.unit
	}
	return joints, nil
}

// A merging makes the distances of the union of two clusters of a and b rows from all
// others, of the given sizes, of theirs, with the opposite sign, and puts them to db. ab is
// that of the two.
type merging func(da, db []float64, ab, a, b float64, sizes []float64)

func complete(da, db []float64, _, _, _ float64, _ []float64) {
	for i, v := range da {
		db[i] = min(db[i], v)
	}
}

func average(da, db []float64, _, a, b float64, _ []float64) {
	for i, v := range da {
		db[i] = (float64(a*v) + float64(b*db[i])) / (a + b)
	}
}

// ward is for the squares of distances (Lance & Williams, 1967, "A general theory of
// classificatory sorting strategies").
func ward(da, db []float64, ab, a, b float64, sizes []float64) {
	for i, v := range da {
		c := sizes[i]
		db[i] = min(0, (float64((a+c)*v)+float64((b+c)*db[i])-float64(c*ab))/(a+b+c))
	}
}

// nearness is the distances of n clusters from each other with the opposite sign, so that
// the nearest is the greatest, and -Inf of a cluster from itself.
type nearness struct {
	v    []float64 // n×n
	n    int
	gone []bool  // clusters that are no more
	unit float64 // a power of two, so that squares and sums are in range
}

// newNearness takes the distances over.
func newNearness(pairs *mat.SymDense) *nearness {
	raw := pairs.RawSymmetric()
	t := &nearness{v: raw.Data, n: raw.N, gone: make([]bool, raw.N), unit: factor.Unit(raw.Data)}
	// The upper triangle is mirrored in squares that stay in a processor's cache.
	const side = 64
	for top := 0; top < t.n; top += side {
		for left := top; left < t.n; left += side {
			for i := top; i < min(top+side, t.n); i++ {
				for j := max(left, i+1); j < min(left+side, t.n); j++ {
					v := -t.v[i*t.n+j] / t.unit
					t.v[i*t.n+j], t.v[j*t.n+i] = v, v
				}
			}
		}
	}
	for i := range t.n {
		t.v[i*t.n+i] = math.Inf(-1)
	}
	return t
}

func (t *nearness) row(i int) []float64 { return t.v[i*t.n:][:t.n] }

// nearest returns the cluster nearest to x. What is left in its row of clusters that are
// gone is cleared where it is in the way: to clear a column whenever one goes would take a
// cache line for each number.
func (t *nearness) nearest(x int) int {
	row := t.row(x)
	y := kernel.ArgMax(row)
	if !t.gone[y] {
		return y
	}
	for i, gone := range t.gone {
		if gone {
			row[i] = math.Inf(-1)
		}
	}
	return kernel.ArgMax(row)
}

// chain returns the merges of a linkage in which no merge brings clusters nearer to a
// third, in the order in which it finds them: it goes from a cluster to the nearest
// other until two are nearest to each other, and merges these (Murtagh, 1983, "A survey
// of recent advances in hierarchical clustering algorithms").
func (t *nearness) chain(merge merging) []joint {
	joints := make([]joint, 0, t.n-1)
	sizes := slices.Repeat([]float64{1}, t.n)
	active := make([]int, t.n) // clusters go by one of their rows
	for i := range active {
		active[i] = i
	}
	var chain []int
	for len(active) > 1 {
		if len(chain) == 0 {
			chain = append(chain, active[0])
		}
		x := chain[len(chain)-1]
		row, y := t.row(x), t.nearest(x)
		if len(chain) > 1 {
			before := chain[len(chain)-2]
			if row[y] == row[before] {
				y = before // on a tie back to where it came from, so that it ends
			}
			if y == before {
				chain = chain[:len(chain)-2]
				joints = append(joints, joint{x, y, -row[y]})
				at, _ := slices.BinarySearch(active, x)
				active = slices.Delete(active, at, at+1)
				t.union(x, y, active, sizes, merge)
				continue
			}
		}
		chain = append(chain, y)
	}
	return joints
}

// union makes cluster b that of the rows of both.
func (t *nearness) union(a, b int, active []int, sizes []float64, merge merging) {
	row := t.row(b)
	merge(t.row(a), row, row[a], sizes[a], sizes[b], sizes)
	row[a], row[b] = math.Inf(-1), math.Inf(-1)
	for _, i := range active {
		t.v[i*t.n+b] = row[i]
	}
	sizes[b] += sizes[a]
	t.gone[a] = true
}

// numbered turns merges of rows' clusters, in order, into those of clusters by number.
func numbered(joints []joint, n int) []Merge {
	f := newForest(n)
	merges := make([]Merge, len(joints))
	for k, p := range joints {
		a, b := f.root(p.a), f.root(p.b)
		merges[k] = Merge{min(a, b), max(a, b), p.distance, f.join(a, b)}
	}
	return merges
}

// A forest tells which cluster a row is in after some merges. Clusters 0 to n-1 are the
// rows, and merge k makes cluster n+k.
type forest struct {
	parent []int // itself for one that is not merged
	size   []int
}

func newForest(n int) *forest {
	f := &forest{make([]int, n, 2*n), make([]int, n, 2*n)}
	for i := range n {
		f.parent[i], f.size[i] = i, 1
	}
	return f
}

func (f *forest) root(i int) int {
	top := i
	for f.parent[top] != top {
		top = f.parent[top]
	}
	for f.parent[i] != top { // so that the next search is short
		f.parent[i], i = top, f.parent[i]
	}
	return top
}

// join makes the next cluster of two, and returns its size.
func (f *forest) join(a, b int) int {
	made := len(f.parent)
	f.parent[a], f.parent[b] = made, made
	f.parent, f.size = append(f.parent, made), append(f.size, f.size[a]+f.size[b])
	return f.size[made]
}

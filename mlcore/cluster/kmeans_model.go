package cluster

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

type model = fitted.Model

// A KMeans is what [KMeansConfig] finds. It is immutable and safe for concurrent use.
type KMeans struct {
	model
	centres *mat.Dense // K×d
	labels  []int
	inertia float64
	status  mlcore.Status
	workers int

	// What predictions need: a place amid the centres, and the centres from there.
	amid   []float64
	unit   float64
	search nearest
}

// prepare derives what predictions need.
func (m *KMeans) prepare() {
	K, d := m.centres.Dims()
	m.amid = make([]float64, d)
	for k := range K {
		for j, v := range m.centres.RawRowView(k) {
			m.amid[j] += v / float64(K)
		}
	}
	local := make([]float64, K*d)
	for k := range K {
		for j, v := range m.centres.RawRowView(k) {
			local[k*d+j] = halved(v, m.amid[j])
		}
	}
	m.unit = factor.Unit(local)
	for at := range local {
		local[at] /= m.unit
	}
	m.search.prepare(local, d)
}

// assign returns the cluster of each row, and the weighted sum of the squared distances
// from its centre.
func (m *KMeans) assign(X mat.Matrix, w []float64) ([]int, float64) {
	n, _ := X.Dims()
	x := given.Dense(X)
	labels := make([]int, n)
	blocks := (n + block - 1) / block
	sums := make([]float64, blocks)
	par.Sure(par.DoWith(blocks, m.workers, newScratch, func(s *scratch, b int) error {
		lo, hi := b*block, min(n, (b+1)*block)
		m.assignBlock(s, x, labels, lo, hi)
		for i := lo; i < hi; i++ {
			if wi := given.Weight(w, i); wi > 0 {
				sums[b] += float64(wi * squaredDistance(x.RawRowView(i), m.centres.RawRowView(labels[i])))
			}
		}
		return nil
	}))
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return labels, total
}

// assignBlock sets the clusters of rows lo to hi.
func (m *KMeans) assignBlock(s *scratch, x *mat.Dense, labels []int, lo, hi int) {
	s.local = grown(s.local, (hi-lo)*m.NumFeatures())
	local := func(i int) []float64 { return s.local[(i-lo)*len(m.amid):][:len(m.amid)] }
	s.rows = s.rows[:0]
	for i := lo; i < hi; i++ {
		to := local(i)
		for j, v := range x.RawRowView(i) {
			to[j] = halved(v, m.amid[j])
		}
		kernel.Divide(to, m.unit)
		s.rows = append(s.rows, i)
	}
	if m.search.single {
		s.panels.makeRoom(hi-lo, len(m.amid))
		for i := lo; i < hi; i++ {
			s.panels.put(i-lo, local(i), kernel.SumSquares(local(i)))
		}
		s.rows = s.rows[:0]
		tops, marks := m.search.tops(s, &s.panels, s.unknown(len(s.panels.length)))
		eachMarked(marks, hi-lo, func(i int, doubt bool) {
			if doubt {
				s.rows = append(s.rows, lo+i)
			} else {
				labels[lo+i] = int(tops[i/kernel.PanelRows].Best[i%kernel.PanelRows])
			}
		})
	}
	score := m.search.scores(s, func(at int) []float64 { return local(s.rows[at]) }, len(s.rows))
	for at, i := range s.rows {
		row := score.Row(at)[:m.NumClusters()]
		if kernel.Finite(row) {
			labels[i] = m.search.best(row, math.Sqrt(kernel.SumSquares(local(i))), func(k int) float64 {
				return m.square(x.RawRowView(i), k)
			})
		} else {
			labels[i] = m.fromAfar(x.RawRowView(i))
		}
	}
}

// square is the squared distance of a row from centre k, in the units of the search.
func (m *KMeans) square(row []float64, k int) float64 {
	sum := 0.0
	for j, v := range m.centres.RawRowView(k) {
		diff := halved(row[j], v) / m.unit
		sum += float64(diff * diff)
	}
	return sum
}

// fromAfar returns the nearest centre of a row so far away that its scores overflow:
// that of the greatest score, where all are divided by the row's size.
func (m *KMeans) fromAfar(row []float64) int {
	local := make([]float64, len(row))
	for j, v := range row {
		local[j] = halved(v, m.amid[j])
	}
	size := factor.Unit(local)
	scores := make([]float64, m.NumClusters())
	for k := range scores {
		scores[k] = -float64(m.search.half[k] * (m.unit / size))
		for j, v := range local {
			scores[k] += float64(v / size * m.search.transpose.Row(j)[k])
		}
	}
	return kernel.ArgMax(scores)
}

// NumFeatures is the number d of columns that Predict expects.
func (m *KMeans) NumFeatures() int { return len(m.amid) }

// NumClusters is K: clusters are numbered from 0 to K-1.
func (m *KMeans) NumClusters() int { return len(m.search.half) }

// Centres returns the K×d centres of the clusters, an empty matrix of a model that was not
// fitted.
func (m *KMeans) Centres() *mat.Dense {
	if m.centres == nil {
		return &mat.Dense{}
	}
	return mat.DenseCopyOf(m.centres)
}

// Labels returns the cluster of each row that the model was fitted to, those of weight 0
// included. A model that was read from a file has none.
func (m *KMeans) Labels() []int { return slices.Clone(m.labels) }

// Inertia is the weighted sum of the squared distances of the training rows from the
// centres of their clusters.
func (m *KMeans) Inertia() float64 { return m.inertia }

// Status says how the best start ended. Its Measure is the sum of the squared moves of
// the centres in the last iteration that moved them, in the units that the fit works in.
func (m *KMeans) Status() mlcore.Status { return m.status.Clone() }

// Predict returns for each row of X the cluster whose centre is nearest, the lowest on a
// tie.
func (m *KMeans) Predict(X mat.Matrix) ([]int, error) {
	if err := checkQuery(X, m.NumFeatures()); err != nil {
		return nil, err
	}
	labels, _ := m.assign(X, nil)
	return labels, nil
}

// Distances returns the Euclidean distance of each row of X from each centre, n×K.
func (m *KMeans) Distances(X mat.Matrix) (*mat.Dense, error) {
	if err := checkQuery(X, m.NumFeatures()); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	x, out := given.Dense(X), mat.NewDense(n, m.NumClusters(), nil)
	err := par.Chunks(n, block, m.workers, func(lo, hi int) error {
		diff := make([]float64, d)
		for i := lo; i < hi; i++ {
			for k := range m.NumClusters() {
				centre := m.centres.RawRowView(k)
				for j, v := range x.RawRowView(i) {
					diff[j] = v - centre[j]
				}
				unit := factor.Unit(diff)
				for j := range diff {
					diff[j] /= unit
				}
				v := float64(math.Sqrt(sumSquares(diff)) * unit)
				if v-v != 0 {
					return fmt.Errorf("cluster: %w: the distance of row %d overflows; scale the columns down", mlcore.ErrNonFinite, i)
				}
				out.Set(i, k, v)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func checkQuery(X mat.Matrix, features int) error {
	if err := mlcore.CheckFeatures(X, features); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	return nil
}

package neighbors

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// A neighbourhood is the training rows and the means to search them.
type neighbourhood struct {
	cfg     Config
	d       int
	data    []float64 // the rows kept, one after the other, as they came
	rows    []int32   // the index that each of them had in X
	weights []float64 // their sample weights, nil if all are 1

	space space
	index index
}

// features is the number of columns of the rows; that of no neighbourhood is 0.
func (h *neighbourhood) features() int {
	if h == nil {
		return 0
	}
	return h.d
}

// An index finds the rows nearest to a query. It is immutable; what changes
// during a search is in the scratch.
type index interface {
	// search offers h every row that can be among the nearest. q is placed.
	search(q []float64, h *nearest, s *scratch)
}

// scratch is what one goroutine needs to answer queries.
type scratch struct {
	row, placed []float64
	best        nearest
	crowd       crowd
	votes       []float64
	weights     []float64
	off         []float64
	packed      packedQuery
	sets        [][8][]uint64
	byRow       []float64 // the reduced distance of each row that is marked
	marks       []uint64
	wrong       error // of a function that measures
}

// build makes the index from the data.
func (h *neighbourhood) build() {
	h.space = newSpace(h.cfg.Metric, h.cfg.FeatureWeights, h.d)
	h.space.scale(h.data, h.d)
	switch data := h.placedData(); {
	case h.space.kind == hamming && h.space.weights == nil:
		if x := newHammingIndex(data, h.d, h.cfg.Workers); x != nil {
			h.index = x
			return
		}
		fallthrough
	case !h.space.hasBoxes():
		h.index = &bruteIndex{space: &h.space, data: data, d: h.d}
	default:
		f := formOf(&h.space, data, h.d)
		size := f.leaf
		if h.cfg.Search == Brute || h.cfg.Search == Auto && (h.d > maxTreeColumns || f.shared && directionsThatMatter(data, h.d) > maxTreeDirections) {
			size = len(h.rows) // one leaf
		} else if size == 0 {
			size = narrowLeafRows(data, h.d)
		}
		h.index = newKDTree(&h.space, data, h.d, size, f, h.cfg.Workers)
	}
}

// maxTreeColumns is up to how many columns a tree is tried. With more, few
// boxes are far enough away to be passed over.
const maxTreeColumns = 40

// maxTreeDirections is the same for directions in which rows vary, where all rows can be
// looked through for many queries at a time: of 10,000 rows that is as fast from ten
// directions on, of 200,000 from twelve.
const maxTreeDirections = 11

func (h *neighbourhood) placedData() []float64 {
	if h.space.kind != mahalanobis && h.space.unit == 1 {
		return h.data
	}
	placed := make([]float64, len(h.data))
	for i := 0; i < len(placed); i += h.d {
		h.space.place(h.data[i:i+h.d], placed[i:i+h.d])
	}
	return placed
}

// queries answers one query for each row of X: answer gets the row, and its k
// nearest training rows, nearest first, with distances in place of reduced ones.
func (h *neighbourhood) queries(X mat.Matrix, k int, answer func(i int, q []float64, near []candidate, s *scratch) error) error {
	if err := mlcore.CheckMatrix(X, false); err != nil {
		return fmt.Errorf("neighbors: %w", err)
	}
	n, _ := X.Dims()
	makeScratch := func() *scratch {
		return &scratch{row: make([]float64, h.d), placed: make([]float64, h.d)}
	}
	tree, _ := h.index.(*kdTree)
	crowded := tree != nil && n >= fewTogether && tree.canGoTogether(k)
	return par.DoWith((n+together-1)/together, h.cfg.Workers, makeScratch, func(s *scratch, c int) error {
		first, end := c*together, min(n, (c+1)*together)
		if crowded {
			s.crowd.gather(end-first, h.d, k)
			for i := first; i < end; i++ {
				q := s.crowd.placed[(i-first)*h.d:][:h.d]
				copy(q, h.space.place(mat.Row(s.row, i, X), q))
			}
			tree.searchTogether(&s.crowd, s)
		}
		for i := first; i < end; i++ {
			q, best := mat.Row(s.row, i, X), &s.best
			if crowded {
				best = &s.crowd.heaps[i-first]
			} else {
				best.reset(k)
				h.index.search(h.space.place(q, s.placed), best, s)
			}
			if s.wrong != nil {
				return fmt.Errorf("neighbors: row %d of X: %w", i, s.wrong)
			}
			near := best.sorted()
			if h.outOfRange(q, near) {
				near = h.inRange(q, k, s)
			} else {
				for j, c := range near {
					near[j].dist = h.space.finish(c.dist)
				}
			}
			for _, c := range near {
				if math.IsInf(c.dist, 1) || c.dist < 0x1p-1022 && (c.dist > 0 || h.space.differ(q, h.row(c.row))) {
					return fmt.Errorf("neighbors: %w: the distance of row %d of X to training row %d is out of the range of float64; scale the columns", mlcore.ErrNonFinite, i, h.rows[c.row])
				}
			}
			if err := answer(i, q, near, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// neighbors is the method Neighbors of the models.
func (h *neighbourhood) neighbors(X mat.Matrix, k int) ([][]int, *mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, h.features()); err != nil {
		return nil, nil, fmt.Errorf("neighbors: %w", err)
	}
	if k < 1 || k > len(h.rows) {
		return nil, nil, fmt.Errorf("neighbors: %w: %d neighbours are asked for, there are %d training rows", mlcore.ErrConfig, k, len(h.rows))
	}
	n, _ := X.Dims()
	if n == 0 {
		return nil, nil, fmt.Errorf("neighbors: %w: X has no rows", mlcore.ErrEmpty)
	}
	indices := make([][]int, n)
	distances := mat.NewDense(n, k, nil)
	err := h.queries(X, k, func(i int, _ []float64, near []candidate, _ *scratch) error {
		indices[i] = make([]int, k)
		for j, c := range near {
			indices[i][j] = int(h.rows[c.row])
			distances.Set(i, j, c.dist)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return indices, distances, nil
}

// votes returns the weight of each neighbour's vote: that of its distance times
// that of its sample.
func (h *neighbourhood) votes(near []candidate, s *scratch) []float64 {
	w := s.weights[:0]
	farthest := near[len(near)-1].dist
	for _, c := range near {
		v := 1.0
		switch h.cfg.Weights {
		case InverseDistance:
			switch {
			case near[0].dist > 0:
				// Relative to the nearest, so that tiny distances do not
				// overflow.
				v = near[0].dist / c.dist
			case c.dist > 0:
				v = 0
			}
		case Gaussian:
			width := h.cfg.Bandwidth
			if width == 0 {
				width = farthest
			}
			if width > 0 {
				// Relative to the nearest, so that not all of them underflow.
				a, b := near[0].dist/width, c.dist/width
				switch {
				case c.dist == near[0].dist:
				case math.IsInf(a, 1):
					v = 0
				default:
					v = elementary.Exp(-float64((b-a)*(b+a)) / 2)
				}
			}
		}
		if h.weights != nil {
			v *= h.weights[c.row]
		}
		w = append(w, v)
	}
	s.weights = w
	return w
}

// A bruteIndex compares a query with every row.
type bruteIndex struct {
	space *space
	data  []float64
	d     int
}

func (b *bruteIndex) search(q []float64, h *nearest, s *scratch) {
	limit := h.reach
	row := int32(0)
	for at := 0; at < len(b.data); at += b.d {
		dist := b.space.reduced(q, b.data[at:at+b.d], limit)
		if !(dist >= 0) || math.IsInf(dist, 1) {
			s.wrong = fmt.Errorf("%w: the %s distance to a training row is %v; distances are finite and not negative", mlcore.ErrNonFinite, b.space.Metric, dist)
			return
		}
		if dist < limit || !h.full() {
			h.offer(dist, row)
			if h.full() {
				limit = h.limit()
			}
		}
		row++
	}
}

// row is a row kept.
func (h *neighbourhood) row(row int32) []float64 { return h.data[int(row)*h.d:][:h.d] }

// at is feature f of a row kept.
func (h *neighbourhood) at(row int32, f int) float64 { return h.data[int(row)*h.d+f] }

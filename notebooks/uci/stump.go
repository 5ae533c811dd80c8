package uci

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// stumps fits ID3 trees of depth 1 to the same rows again and again, with other
// weights each time, as AdaBoost does. They are those of id3.Config{MaxDepth:
// 1}, which a test holds them to; but the rows are checked and coded once and not
// in every round, which is most of the time that a stump takes.
type stumps struct {
	levels  []int
	classes int
	y       []int
	codes   [][]uint16 // by column
	hist    []float64
}

// maxLevels is what a code of stumps has room for.
const maxLevels = 1 << 16

func newStumps(ds *mlcore.Dataset) (*stumps, error) {
	if err := ds.Validate(); err != nil {
		return nil, fmt.Errorf("uci: %w", err)
	}
	if err := mlcore.CheckMatrix(ds.X, false); err != nil {
		return nil, fmt.Errorf("uci: %s: %w", ds.Name, err)
	}
	n, d := ds.X.Dims()
	levels := ds.Levels()
	s := &stumps{levels: levels, classes: ds.NumClasses(), y: ds.Y, codes: make([][]uint16, d)}
	column := make([]float64, n)
	for j := range s.codes {
		if levels[j] < 1 || levels[j] > maxLevels {
			return nil, fmt.Errorf("uci: %w: column %d has %d levels; 1 to %d", mlcore.ErrConfig, j, levels[j], maxLevels)
		}
		s.codes[j] = make([]uint16, n)
		for i, v := range mat.Col(column, j, ds.X) {
			s.codes[j][i] = uint16(v)
		}
	}
	return s, nil
}

// fit returns the stump of the column with the greatest information gain, the
// lowest such on a tie.
func (s *stumps) fit(w []float64) *stump {
	root, total := make([]float64, s.classes), 0.0
	for i, k := range s.y {
		root[k] += w[i]
		total += w[i]
	}
	m := &stump{features: len(s.levels), classes: s.classes, column: -1, root: heaviest(root)}
	if root[m.root] == total {
		return m // of one class: ID3 has nothing to ask
	}
	best := math.Inf(-1)
	for j := range s.codes {
		left, values := s.count(j, w), 0
		gain := entropy(root, total)
		for l := range s.levels[j] {
			row, weight := left[l*s.classes:][:s.classes], 0.0
			for _, v := range row {
				weight += v
			}
			if weight > 0 {
				values++
				gain -= float64(weight / total * entropy(row, weight))
			}
		}
		if values < 2 || gain <= best+1e-12 {
			continue
		}
		best, m.column = gain, j
		m.class = m.class[:0]
		for l := range s.levels[j] {
			m.class = append(m.class, s.leaf(left[l*s.classes:][:s.classes], m.root))
		}
	}
	return m
}

// count returns the weight of each class at each level of a column.
func (s *stumps) count(j int, w []float64) []float64 {
	size := s.levels[j] * s.classes
	if cap(s.hist) < size {
		s.hist = make([]float64, size)
	}
	hist := s.hist[:size]
	clear(hist)
	for i, c := range s.codes[j] {
		hist[int(c)*s.classes+s.y[i]] += w[i]
	}
	return hist
}

// leaf is the class of a branch: the root's where training had no such row.
func (s *stumps) leaf(weights []float64, root int) int {
	if k := heaviest(weights); weights[k] > 0 {
		return k
	}
	return root
}

func heaviest(weights []float64) int {
	best := 0
	for k, v := range weights {
		if v > weights[best] {
			best = k
		}
	}
	return best
}

// entropy is that of weights with the given sum, in bits.
func entropy(weights []float64, sum float64) float64 {
	h := 0.0
	for _, v := range weights {
		if v > 0 {
			p := v / sum
			h -= float64(p * math.Log2(p))
		}
	}
	return h
}

// A stump is a tree of one test: a class for each level of a column.
type stump struct {
	features, classes int
	column            int   // -1: none
	class             []int // by level
	root              int
}

var _ mlcore.Classifier = (*stump)(nil)

// NumFeatures is the number of columns that Predict expects.
func (m *stump) NumFeatures() int { return m.features }

// NumClasses is K: predictions are in 0..K-1.
func (m *stump) NumClasses() int { return m.classes }

// Predict returns the class of each row of X.
func (m *stump) Predict(X mat.Matrix) ([]int, error) {
	if err := mlcore.CheckFeatures(X, m.features); err != nil {
		return nil, fmt.Errorf("uci: %w", err)
	}
	n, _ := X.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = m.root
		if m.column < 0 {
			continue
		}
		v := X.At(i, m.column)
		code := int(v)
		if code < 0 || code >= len(m.class) || float64(code) != v {
			return nil, fmt.Errorf("uci: %w: %v in row %d, column %d, which has %d levels", mlcore.ErrLevel, v, i, m.column, len(m.class))
		}
		y[i] = m.class[code]
	}
	return y, nil
}

package tree

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A Measure ranks the attributes that ID3 may split a node on.
type Measure int

const (
	// InformationGain is the fall in entropy, in bits (Quinlan, 1986, "Induction
	// of decision trees").
	InformationGain Measure = iota
	// GainRatio is the information gain over the entropy of the split itself,
	// which keeps attributes of many values from being preferred.
	GainRatio
)

// ID3Config says how ID3 grows a tree: each test asks for the value of one
// categorical attribute and has a branch for each value that occurs. A node is
// a leaf where it is pure, where every attribute has been asked for or is
// constant, or where a bound below says so. Ties go to the lowest attribute.
//
// Its zero value is plain ID3 on columns whose levels are 0 to their greatest
// code.
type ID3Config struct {
	// Measure is what attributes are ranked by.
	Measure Measure
	// MaxDepth bounds the number of tests on the way to a leaf; 0 is no bound.
	MaxDepth int
	// MinSamplesSplit is the least number of rows in a node that is split
	// further. 0 means 2.
	MinSamplesSplit int
	// MinGain is the least information gain, in bits, that justifies a split.
	// At 0 attributes that gain nothing by themselves are split on too, which
	// lets ID3 learn exclusive-or.
	MinGain float64
	// Levels holds the number of categories of each column, all positive, as
	// [mlcore.Dataset.Levels] returns them. nil: 1 + the greatest code.
	Levels []int
	// Features lists the columns that may be tested; nil: all may.
	Features []int
	// Classes is K; 0 means 1 + the largest label.
	Classes int
	// AllowMissing takes NaN as one more category. Otherwise it is refused.
	AllowMissing bool
}

// FitClassifier grows a tree on X (n×d), class codes y (n) and sample weights w
// (n, or nil). Errors wrap [mlcore.ErrLevel] for values that are not codes,
// [mlcore.ErrConfig], and those of the mlcore.Check functions.
func (c ID3Config) FitClassifier(X mat.Matrix, y []int, w []float64) (*ID3, error) {
	if err := mlcore.CheckMatrix(X, c.AllowMissing); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	n, d := X.Dims()
	levels, err := c.levels(X)
	if err != nil {
		return nil, err
	}
	b, err := Bin(X, levels, c.AllowMissing, 1)
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	cfg, err := Config{
		MaxDepth: c.MaxDepth, MinSamplesSplit: c.MinSamplesSplit, MinImpurityDecrease: c.MinGain,
		Features: c.Features, Classes: c.Classes,
	}.ready(n, d, false)
	if err != nil {
		return nil, err
	}
	if c.Measure != InformationGain && c.Measure != GainRatio {
		return nil, fmt.Errorf("tree: %w: no such Measure: %d", mlcore.ErrConfig, int(c.Measure))
	}
	if err := mlcore.CheckLabels(y, n, c.Classes); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	s, err := newSample(new(workspace), n, w, nil, cfg)
	if err != nil {
		return nil, err
	}
	classes, err := countClasses(c.Classes, y)
	if err != nil {
		return nil, err
	}
	codes := make([]int32, n)
	for i, k := range y {
		codes[i] = int32(k)
	}
	m := &ID3{levels: levels, missing: c.AllowMissing, distributions: distributions{classes: classes}}
	g := &id3Grower{cfg: cfg, measure: c.Measure, b: b, s: s, y: codes, out: m, spare: make([]int32, len(s.rows)), all: make([]float64, classes)}
	used := make([]bool, d)
	for j := range used {
		used[j] = !slices.Contains(cfg.Features, j)
	}
	g.grow(s.rows, used, 0)
	for i := range m.weight {
		m.weight[i] *= s.scale
	}
	m.finish(s.scale)
	return m, nil
}

// levels returns the number of categories of each column.
func (c ID3Config) levels(X mat.Matrix) ([]int, error) {
	n, d := X.Dims()
	if c.Levels != nil {
		if len(c.Levels) != d {
			return nil, fmt.Errorf("tree: %w: X has %d columns, Levels describes %d", mlcore.ErrShape, d, len(c.Levels))
		}
		for j, l := range c.Levels {
			if l <= 0 {
				return nil, fmt.Errorf("tree: %w: column %d is numeric, ID3 needs categories; discretise it first", mlcore.ErrConfig, j)
			}
		}
		return slices.Clone(c.Levels), nil
	}
	levels := make([]int, d)
	for j := range levels {
		levels[j] = 1
		for i := range n {
			v := X.At(i, j)
			if math.IsNaN(v) {
				continue
			}
			if v < 0 || v != math.Trunc(v) || v >= 1<<24 {
				return nil, fmt.Errorf("tree: %w: %v in row %d, column %d is not a category's code; discretise the column first", mlcore.ErrLevel, v, i, j)
			}
			levels[j] = max(levels[j], int(v)+1)
		}
	}
	return levels, nil
}

type id3Grower struct {
	cfg     Config
	measure Measure
	b       *Binned
	s       *sample
	y       []int32
	out     *ID3
	spare   []int32
	all     []float64 // class weights of the node; zero between nodes
	hist    []float64
	present []int32
	weights []float64
}

// grow appends the node of rows, and all below it, and returns its index.
func (g *id3Grower) grow(rows []int32, used []bool, depth int) int32 {
	m := g.out
	for _, i := range rows {
		g.all[g.y[i]] += given.Weight(g.s.w, int(i))
	}
	g.present, g.weights = g.present[:0], g.weights[:0]
	weight := 0.0
	for c, w := range g.all {
		if w > 0 {
			g.present, g.weights = append(g.present, int32(c)), append(g.weights, w)
			weight += w
		}
		g.all[c] = 0
	}
	k := len(g.present)
	entropy := entropyOf(g.weights, weight)
	id := int32(len(m.feature))
	m.feature, m.kids = append(m.feature, -1), append(m.kids, -1)
	m.impurity, m.samples, m.weight = append(m.impurity, entropy), append(m.samples, int32(len(rows))), append(m.weight, weight)
	m.add(g.present, g.weights)
	if k == 1 || depth >= g.cfg.MaxDepth || len(rows) < g.cfg.MinSamplesSplit {
		return id
	}
	best, bestScore := -1, math.Inf(-1)
	for j := range used {
		if used[j] {
			continue
		}
		gain, info, values := g.gain(j, rows, entropy, weight)
		if values < 2 || float64(gain/g.s.total*weight)+epsilon < g.cfg.MinImpurityDecrease {
			continue
		}
		score := gain
		if g.measure == GainRatio {
			score = gain / info
		}
		if score > bestScore+1e-12 {
			best, bestScore = j, score
		}
	}
	if best < 0 {
		return id
	}
	counts := g.partition(best, rows)
	m.feature[id] = int32(best)
	first := len(m.children)
	m.kids[id] = int32(first)
	for range m.width(best) {
		m.children = append(m.children, -1)
	}
	used[best] = true
	lo := 0
	for c, n := range counts {
		if n > 0 {
			child := g.grow(rows[lo:lo+n], used, depth+1)
			m.children[first+c] = child
			lo += n
		}
	}
	used[best] = false
	return id
}

// gain returns the information gain of attribute j, the information in its own
// values, and how many of them occur.
func (g *id3Grower) gain(j int, rows []int32, entropy, weight float64) (gain, info float64, values int) {
	col, k := &g.b.cols[j], g.out.classes
	g.hist = grow(g.hist, col.bins*k)
	clear(g.hist)
	for _, i := range rows {
		g.hist[int(col.code(i))*k+int(g.y[i])] += given.Weight(g.s.w, int(i))
	}
	gain = entropy
	for c := range col.bins {
		row, w := g.hist[c*k:c*k+k], 0.0
		for _, v := range row {
			w += v
		}
		if w > 0 {
			values++
			p := w / weight
			gain -= float64(p * entropyOf(row, w))
			info -= float64(p * elementary.Log2(p))
		}
	}
	return gain, info, values
}

// entropyOf is the entropy in bits of weights w with the given sum.
func entropyOf(w []float64, sum float64) float64 {
	h := 0.0
	for _, v := range w {
		if v > 0 {
			h -= float64(v / sum * elementary.Log2(v/sum))
		}
	}
	return max(h, 0)
}

// partition sorts rows by their code in column j, stably, and returns how many
// have each code.
func (g *id3Grower) partition(j int, rows []int32) []int {
	col := &g.b.cols[j]
	counts := make([]int, col.bins)
	for _, i := range rows {
		counts[col.code(i)]++
	}
	at := make([]int, col.bins)
	for c := 1; c < col.bins; c++ {
		at[c] = at[c-1] + counts[c-1]
	}
	for _, i := range rows {
		c := col.code(i)
		g.spare[at[c]] = i
		at[c]++
	}
	copy(rows, g.spare)
	return counts
}

// An ID3 is a fitted multiway tree. It is immutable and safe for concurrent use.
type ID3 struct {
	levels   []int
	missing  bool
	feature  []int32 // by node, in preorder; -1 at a leaf
	kids     []int32 // where the node's children begin in children
	children []int32 // a node for each code, -1 where training had none
	impurity []float64
	samples  []int32
	weight   []float64
	distributions
}

var _ mlcore.ProbClassifier = (*ID3)(nil)

// width is the number of branches of a test on column j.
func (m *ID3) width(j int) int {
	if m.missing {
		return m.levels[j] + 1
	}
	return m.levels[j]
}

// stop returns the node whose class row x gets: its leaf, or the node at which
// x has a value that training did not have there.
func (m *ID3) stop(x []float64) int32 {
	i := int32(0)
	for m.feature[i] >= 0 {
		next := m.child(i, x)
		if next < 0 {
			break
		}
		i = next
	}
	return i
}

func (m *ID3) child(i int32, x []float64) int32 {
	j := m.feature[i]
	code := m.levels[j]
	if v := x[j]; v == v {
		code = int(v)
	}
	return m.children[int(m.kids[i])+code]
}

// CheckX returns the error that Predict would for X, or nil.
func (m *ID3) CheckX(X mat.Matrix) error {
	if err := mlcore.CheckFeatures(X, len(m.levels)); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	if err := mlcore.CheckMatrix(X, m.missing); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	if err := mlcore.CheckLevels(X, m.levels); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}

// eachRow calls f with each row of X; blocks of rows run in parallel.
func (m *ID3) eachRow(X mat.Matrix, f func(i int, x []float64)) {
	n, _ := X.Dims()
	x := given.Dense(X)
	_ = par.Chunks(n, 1024, 0, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			f(i, x.RawRowView(i))
		}
		return nil
	})
}

// NumFeatures is the number of columns that the tree was fitted with.
func (m *ID3) NumFeatures() int { return len(m.levels) }

// NumClasses is K: predictions are in 0..K-1.
func (m *ID3) NumClasses() int { return m.classes }

// Predict returns for each row of X the commonest class, by weight, of the leaf
// that it reaches; the lowest such on a tie. Where a row has a value that
// training did not have at a node, it is that node's commonest class. A code
// outside the levels is an error that wraps [mlcore.ErrLevel].
func (m *ID3) Predict(X mat.Matrix) ([]int, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	m.eachRow(X, func(i int, x []float64) { y[i] = int(m.class[m.stop(x)]) })
	return y, nil
}

// PredictProba returns an n×K matrix: the shares of the classes, by weight, in
// the node that Predict goes by.
func (m *ID3) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	p := mat.NewDense(n, m.classes, nil)
	m.eachRow(X, func(i int, x []float64) { m.addShares(p.RawRowView(i), m.stop(x)) })
	return p, nil
}

// Apply returns for each row of X the index of the node that Predict goes by.
func (m *ID3) Apply(X mat.Matrix) ([]int, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	nodes := make([]int, n)
	m.eachRow(X, func(i int, x []float64) { nodes[i] = int(m.stop(x)) })
	return nodes, nil
}

// NumNodes is the number of nodes, leaves included.
func (m *ID3) NumNodes() int { return len(m.feature) }

// NumLeaves is the number of leaves.
func (m *ID3) NumLeaves() int {
	k := 0
	for _, j := range m.feature {
		if j < 0 {
			k++
		}
	}
	return k
}

// Depth is the greatest number of tests on the way to a leaf.
func (m *ID3) Depth() int {
	deepest := 0
	depth := make([]int, len(m.feature))
	for i := range m.feature {
		deepest = max(deepest, depth[i])
		for _, c := range m.branches(i) {
			if c >= 0 {
				depth[c] = depth[i] + 1
			}
		}
	}
	return deepest
}

// branches returns node i's children by code, -1 where there is none.
func (m *ID3) branches(i int) []int32 {
	if m.feature[i] < 0 {
		return nil
	}
	at := int(m.kids[i])
	return m.children[at : at+m.width(int(m.feature[i]))]
}

// An ID3Node is one row of an ID3 tree's node table.
type ID3Node struct {
	// Feature is the column that is asked for, -1 at a leaf.
	Feature int
	// Children holds for each code the index of a node, -1 where training had
	// no such row; with AllowMissing the last is that of missing values.
	Children []int
	// Impurity is the entropy of the training rows, in bits.
	Impurity float64
	// Samples is the number of training rows of positive weight.
	Samples int
	// Weight is their weight.
	Weight float64
	// Distribution holds the weight of each class.
	Distribution []float64
	// Class is the commonest class by weight, the lowest on a tie.
	Class int
}

// Leaf reports whether n is a leaf.
func (n ID3Node) Leaf() bool { return n.Feature < 0 }

// Node returns row i of the node table; the root is row 0. Rows are in preorder.
// It panics where i is not in 0..NumNodes()-1.
func (m *ID3) Node(i int) ID3Node {
	n := ID3Node{
		Feature: int(m.feature[i]), Impurity: m.impurity[i], Samples: int(m.samples[i]), Weight: m.weight[i],
		Distribution: m.dense(i), Class: int(m.class[i]),
	}
	for _, c := range m.branches(i) {
		n.Children = append(n.Children, int(c))
	}
	return n
}

// Nodes returns the whole node table.
func (m *ID3) Nodes() []ID3Node {
	nodes := make([]ID3Node, m.NumNodes())
	for i := range nodes {
		nodes[i] = m.Node(i)
	}
	return nodes
}

// FeatureImportances returns for each feature the share of the tree's whole
// information gain that its tests bring; the shares sum to 1, or are all 0.
func (m *ID3) FeatureImportances() []float64 {
	imp, sum := make([]float64, len(m.levels)), 0.0
	for i, j := range m.feature {
		if j < 0 {
			continue
		}
		gain := float64(m.weight[i] * m.impurity[i])
		for _, c := range m.branches(i) {
			if c >= 0 {
				gain -= float64(m.weight[c] * m.impurity[c])
			}
		}
		gain = max(gain, 0)
		imp[j] += gain
		sum += gain
	}
	if sum > 0 {
		for j := range imp {
			imp[j] /= sum
		}
	}
	return imp
}

// PruneReducedError is that of [Classifier]: it returns the tree without the
// subtrees that do not lower the weight of misclassified validation rows.
func (m *ID3) PruneReducedError(X mat.Matrix, y []int, w []float64) (*ID3, error) {
	if err := m.CheckX(X); err != nil {
		return nil, err
	}
	rows, _ := X.Dims()
	if err := mlcore.CheckLabels(y, rows, m.classes); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	if err := mlcore.CheckWeights(w, rows); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	// Errors of each node's class on the rows that pass, and on those that stop
	// there for want of a branch.
	own, here := make([]float64, m.NumNodes()), make([]float64, m.NumNodes())
	read := given.Rows(X)
	for r := range rows {
		x := read(r)
		for i := int32(0); i >= 0; {
			wrong := 0.0
			if int(m.class[i]) != y[r] {
				wrong = given.Weight(w, r)
			}
			own[i] += wrong
			if m.feature[i] < 0 {
				break
			}
			next := m.child(i, x)
			if next < 0 {
				here[i] += wrong
			}
			i = next
		}
	}
	best, collapsed := slices.Clone(own), make([]bool, m.NumNodes())
	for i := m.NumNodes() - 1; i >= 0; i-- {
		if m.feature[i] < 0 {
			continue
		}
		below := here[i]
		for _, c := range m.branches(i) {
			if c >= 0 {
				below += best[c]
			}
		}
		if own[i] <= below+float64(1e-12*below) {
			collapsed[i] = true
		} else {
			best[i] = below
		}
	}
	return m.without(collapsed), nil
}

// without returns the tree in which the given nodes are leaves.
func (m *ID3) without(collapsed []bool) *ID3 {
	p := &ID3{levels: m.levels, missing: m.missing}
	var order []int32
	var visit func(i int32) int32
	visit = func(i int32) int32 {
		id := int32(len(order))
		order = append(order, i)
		p.feature, p.kids = append(p.feature, -1), append(p.kids, -1)
		if m.feature[i] < 0 || collapsed[i] {
			return id
		}
		first := len(p.children)
		p.feature[id], p.kids[id] = m.feature[i], int32(first)
		kids := m.branches(int(i))
		for range kids {
			p.children = append(p.children, -1)
		}
		for c, k := range kids {
			if k >= 0 {
				child := visit(k)
				p.children[first+c] = child
			}
		}
		return id
	}
	visit(0)
	p.impurity, p.samples, p.weight = given.Pick(m.impurity, order), given.Pick(m.samples, order), given.Pick(m.weight, order)
	p.distributions = m.distributions.pick(order)
	return p
}

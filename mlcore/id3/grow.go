package id3

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/cart"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// epsilon keeps rounding from failing a gain that equals MinGain.
const epsilon = 0x1p-52

// grow grows a tree on the rows of s. Of c, ready has filled in the defaults.
func (c Config) grow(b *ranks.Table, s *cart.Sample, y []int, features, levels []int, classes int) *Model {
	m := &Model{levels: levels, missing: c.AllowMissing, distributions: flattree.Distributions{Classes: classes}}
	g := &grower{cfg: c, b: b, s: s, y: y, out: m, spare: make([]int32, len(s.Rows)), all: make([]float64, classes)}
	used := make([]bool, b.D)
	for j := range used {
		used[j] = !slices.Contains(features, j)
	}
	g.grow(s.Rows, used, 0)
	for i := range m.weight {
		m.weight[i] *= s.Scale
	}
	m.distributions.Finish(s.Scale)
	return m
}

type grower struct {
	cfg     Config
	b       *ranks.Table
	s       *cart.Sample
	y       []int
	out     *Model
	spare   []int32
	all     []float64 // class weights of the node; zero between nodes
	hist    []float64
	present []int32
	weights []float64
}

// grow appends the node of rows, and all below it, and returns its index.
func (g *grower) grow(rows []int32, used []bool, depth int) int32 {
	m := g.out
	for _, i := range rows {
		g.all[g.y[i]] += given.Weight(g.s.W, int(i))
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
	m.distributions.Add(g.present, g.weights)
	if k == 1 || depth >= g.cfg.MaxDepth || len(rows) < g.cfg.MinSamplesSplit {
		return id
	}
	best, bestScore := -1, math.Inf(-1)
	for j := range used {
		if used[j] {
			continue
		}
		gain, info, values := g.gain(j, rows, entropy, weight)
		if values < 2 || float64(gain/g.s.Total*weight)+epsilon < g.cfg.MinGain {
			continue
		}
		score := gain
		if g.cfg.Criterion == GainRatio {
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
func (g *grower) gain(j int, rows []int32, entropy, weight float64) (gain, info float64, values int) {
	col, k := &g.b.Columns[j], g.out.distributions.Classes
	g.hist = reuse.Slice(g.hist, col.Bins*k)
	clear(g.hist)
	for _, i := range rows {
		g.hist[int(col.Code(i))*k+g.y[i]] += given.Weight(g.s.W, int(i))
	}
	gain = entropy
	for c := range col.Bins {
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
func (g *grower) partition(j int, rows []int32) []int {
	col := &g.b.Columns[j]
	counts := make([]int, col.Bins)
	for _, i := range rows {
		counts[col.Code(i)]++
	}
	at := make([]int, col.Bins)
	for c := 1; c < col.Bins; c++ {
		at[c] = at[c-1] + counts[c-1]
	}
	for _, i := range rows {
		c := col.Code(i)
		g.spare[at[c]] = i
		at[c]++
	}
	copy(rows, g.spare)
	return counts
}

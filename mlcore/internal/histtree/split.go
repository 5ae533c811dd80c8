package histtree

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A codeSet is a set of codes of a column.
type codeSet [4]uint64

func (s *codeSet) add(code int)        { s[code>>6] |= 1 << (code & 63) }
func (s *codeSet) has(code uint8) bool { return s[code>>6]>>(code&63)&1 != 0 }
func (s *codeSet) addAll(o *codeSet) {
	for k, word := range o {
		s[k] |= word
	}
}

// A split sends the codes of left to the left child and the others right.
type split struct {
	gain        float64 // 0: there is no split
	column      int
	bin         int // of a numeric column: the last that goes left
	left        codeSet
	missingLeft bool
	leftSum     entry
	smoothing   float64 // added to L2 on both sides
}

const (
	// categorySmoothing is the curvature that is added to that of each category
	// before categories are put in order, so that rare ones come to the middle,
	// and to that of both children of a split of many categories, when it is
	// judged and in their values, for there are so many such splits. These are
	// LightGBM's cat_smooth and cat_l2.
	categorySmoothing = 10
	// categoryRows is the least number of a node's rows that a category needs to
	// be put in order by itself; rarer ones stay together, as one category.
	categoryRows = 10
	// rareCode stands for all of the rare ones.
	rareCode = maxBins + 1
	// categoriesInTurn is the greatest number of categories of a column that are
	// tried one against the others instead.
	categoriesInTurn = 4
)

// A judge tells how good a split of a node is.
type judge struct {
	p     *Params
	s     *scale
	bound interval
	whole sums
	base  float64 // what the node scores unsplit
	least float64 // a gain has to be above this
	look  glance
}

// An interval bounds the values of the leaves below a node, for monotone columns.
type interval struct{ low, high float64 }

var unbounded = interval{math.Inf(-1), math.Inf(1)}

func (b interval) clamp(v float64) float64 { return max(b.low, min(b.high, v)) }

func (p *Params) newJudge(s *scale, bound interval, whole entry) judge {
	j := judge{p: p, s: s, bound: bound, whole: s.of(whole)}
	j.base = j.score(j.whole, p.L2)
	// Below this the gain may be nothing but rounding.
	j.least = max(p.MinGain, 1e-12*j.base)
	j.look = newGlance(&j, whole)
	return j
}

// value is the Newton step of a leaf.
func (p *Params) value(s sums, l2 float64, bound interval) float64 {
	h := s.curvature + l2
	if !(h > 0) {
		return 0
	}
	return bound.clamp(kernel.SoftThreshold(s.residual, p.L1) / h)
}

// score is twice what the value of a leaf takes off the quadratic approximation
// of the loss: R²/(H+L2) where nothing bounds the value.
func (j *judge) score(s sums, l2 float64) float64 {
	r, h := kernel.SoftThreshold(s.residual, j.p.L1), s.curvature+l2
	if !(h > 0) {
		return 0
	}
	if j.bound == unbounded {
		if square := r * r; square <= math.MaxFloat64 {
			return square / h
		}
		return r * (r / h)
	}
	v := j.bound.clamp(r / h)
	return float64(2*r*v) - float64(h*v*v)
}

// gain is the gain of a split into left and the rest, 0 where it is not allowed.
func (j *judge) gain(left sums, l2 float64, monotone int8) float64 {
	right := sums{j.whole.residual - left.residual, j.whole.curvature - left.curvature, j.whole.rows - left.rows}
	p := j.p
	if left.rows < p.MinLeaf || right.rows < p.MinLeaf || left.curvature < p.MinCurvature || right.curvature < p.MinCurvature {
		return 0
	}
	if monotone != 0 {
		l, r := p.value(left, l2, j.bound), p.value(right, l2, j.bound)
		if monotone > 0 && l > r || monotone < 0 && l < r {
			return 0
		}
	}
	g := j.score(left, l2) + j.score(right, l2) - j.base
	if !(g > j.least) {
		return 0
	}
	return g
}

// bestOfNumbers improves best by the splits of a numeric column, given the sums of its
// bins, of which codes are the codes, or nil where they are in order from 0 on, and
// that of the missing values.
func (j *judge) bestOfNumbers(best *split, column int, bins []entry, missing entry, codes []uint8, monotone int8) {
	if missing.rest>>j.s.shift != 0 {
		j.bestCut(best, column, bins, entry{}, codes, false, monotone)
		// Missing values alone on the left are those alone on the right.
		j.bestCut(best, column, bins[:max(len(bins)-1, 0)], missing, codes, true, monotone)
		return
	}
	// Without missing values the last bin has nothing to be split from.
	j.bestCut(best, column, bins[:max(len(bins)-1, 0)], entry{}, codes, false, monotone)
	if best.column == column && best.gain > 0 {
		best.missingLeft = 2*j.s.of(best.leftSum).rows >= j.whole.rows
	}
}

// bestOfCategories improves best by the splits of a categorical column.
// Categories in the order of their mean residual are cut in two: the best cut is
// then the best of all pairs of sets (Fisher, 1958, "On grouping for maximum
// homogeneity").
func (j *judge) bestOfCategories(best *split, column, bins int, h *[blockBins]entry) {
	type category struct {
		code int
		mean float64
	}
	var room [maxBins + 2]category
	known := room[:0]
	know := func(code int, s sums) {
		known = append(known, category{code, s.residual / (s.curvature + categorySmoothing)})
	}
	var rare entry
	var rareCodes codeSet
	for c := range bins + 1 { // missing values are one category more
		switch s := j.s.of(h[c]); {
		case s.rows == 0:
		case s.rows < min(categoryRows, j.p.MinLeaf):
			rare.add(h[c])
			rareCodes.add(c)
		default:
			know(c, s)
		}
	}
	// Always on the same side, say with the greatest, rare ones would bias it.
	if s := j.s.of(rare); s.rows > 0 {
		know(rareCode, s)
	}
	sum := func(c category) entry {
		if c.code == rareCode {
			return rare
		}
		return h[c.code]
	}
	take := func(left entry, codes []category, smoothing float64) {
		g := j.gain(j.s.of(left), j.p.L2+smoothing, 0)
		if !(g > best.gain) {
			return
		}
		*best = split{gain: g, column: column, leftSum: left, smoothing: smoothing}
		for _, c := range codes {
			if c.code == rareCode {
				best.left.addAll(&rareCodes)
			} else {
				best.left.add(c.code)
			}
		}
	}
	if len(known) < 2 {
		return
	}
	if bins <= categoriesInTurn {
		for k, c := range known {
			take(sum(c), known[k:k+1], 0)
		}
		return
	}
	slices.SortStableFunc(known, func(a, b category) int { return cmp.Compare(a.mean, b.mean) })
	var left entry
	for k, c := range known[:len(known)-1] {
		left.add(sum(c))
		take(left, known[:k+1], categorySmoothing)
	}
}

// complete fills in the codes that go left at the split of a node with the given
// histogram of the split's column. Codes without rows, among them that of
// missing values, go to the child with more rows.
func (s *split) complete(c *binning, h *[blockBins]entry, of *scale, whole entry) {
	if c.levels == 0 {
		if !slices.ContainsFunc(h[s.bin+1:c.bins], func(e entry) bool { return of.of(e).rows > 0 }) {
			s.bin = c.bins - 1 // numbers against missing values: greater ones are numbers too
		}
		for b := range s.bin + 1 {
			s.left.add(b)
		}
		if s.missingLeft {
			s.left.add(c.bins)
		}
		return
	}
	if 2*of.of(s.leftSum).rows >= of.of(whole).rows {
		for b := range c.bins + 1 {
			if of.of(h[b]).rows == 0 {
				s.left.add(b)
			}
		}
	}
	s.missingLeft = s.left.has(uint8(c.bins))
}

package cart

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// A split sends codes up to last to the left or, where set is not nil, the
// categories in set.
type split struct {
	feature  int32 // -1: none
	missLeft bool
	constant bool // none, since all rows have one value
	last     uint32
	next     uint32  // the least code on the right; 0: the cut is not between codes
	places   bool    // last and next are places of rows that have the codes, until the split is placed
	gain     float64 // weight times impurity that the split takes away
	cut      float64 // left is x < cut
	set      []uint64
	keys     []uint64 // of all rows, where these are parted by cut and not by last
	wl, wr   float64
}

var (
	noSplit       = split{feature: -1, gain: math.Inf(-1)}
	constantSplit = split{feature: -1, gain: math.Inf(-1), constant: true}
)

// exceeds reports whether a gain, or a score, is greater than the best before it: not on a
// tie, so that of features in order, and of the thresholds of a feature, the lowest stays.
func exceeds(gain, best, tol float64) bool { return gain > best+tol }

// replaces reports whether sp is to replace best, which was found before it.
func (sp *split) replaces(best *split, tol float64) bool {
	return sp.feature >= 0 && (best.feature < 0 || exceeds(sp.gain, best.gain, tol))
}

// gained returns the gain and the weights of both sides; 0 where there is no split.
func (sp split) gained() (gain, wl, wr float64) {
	if sp.feature < 0 {
		return 0, 0, 0
	}
	return sp.gain, sp.wl, sp.wr
}

// cutBetween is the bound below which values go left when codes up to last do and
// next is the least code on the right.
func cutBetween(c *ranks.Column, last, next uint32, rule flattree.Rule) float64 {
	if int(next) >= c.Distinct() {
		return onlyMissing
	}
	return cutOf(c.Value(last), c.Value(next), rule)
}

// onlyMissing is the cut that has only missing values on the right.
var onlyMissing = math.Inf(1)

// cutOf is the cut between two values that follow each other in a node.
func cutOf(lo, hi float64, rule flattree.Rule) float64 {
	if rule == flattree.AtLeast {
		return hi
	}
	mid := float64(lo/2) + float64(hi/2)
	if !(mid >= lo && mid < hi) {
		mid = lo
	}
	return math.Nextafter(mid, math.Inf(1))
}

// setOf makes a set of categories.
func setOf(categories []int32, levels int) []uint64 {
	set := make([]uint64, flattree.SetWords(levels))
	for _, c := range categories {
		set[c>>6] |= 1 << (c & 63)
	}
	return set
}

// onCategories makes sp, with the set of some of the categories that are present,
// a split on feature j that has one form only: the lowest category is on the left,
// and what the node has not seen is with the heavier child. It sorts present.
func (sp *split) onCategories(j int, present []int32, levels int) {
	slices.Sort(present)
	if lowest := present[0]; sp.set[lowest>>6]>>(lowest&63)&1 == 0 {
		sp.swapSides(present)
	}
	sp.feature = int32(j)
	sp.absent(present, levels)
}

// swapSides exchanges left and right.
func (sp *split) swapSides(present []int32) {
	for _, c := range present {
		sp.set[c>>6] ^= 1 << (c & 63)
	}
	sp.wl, sp.wr = sp.wr, sp.wl
}

// absent sends what the node has not seen, missing values included, to the
// heavier child.
func (sp *split) absent(present []int32, levels int) {
	if sp.wl < sp.wr {
		return
	}
	for c := range int32(levels + 1) {
		if _, seen := slices.BinarySearch(present, c); !seen {
			sp.set[c>>6] |= 1 << (c & 63)
		}
	}
}

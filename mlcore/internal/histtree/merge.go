package histtree

import (
	"math"
	"math/bits"
)

const (
	// worthMerging is the share of rows that may be left after merging.
	worthMerging = 0.7
	// mergeSample is how many rows tell whether merging is worth a try.
	mergeSample = 2048
)

// Merge finds rows that have all codes and y in common, which no tree tells apart, and
// returns codes with one row for each, the rows of c that these stand for, the first of
// their kind, and how many of the rows of c each is. Trees that are grown on them are
// those of c to the last bit. Where few rows are alike, merged is nil.
func (c *Codes) Merge(y []float64) (merged *Codes, first, times []int32) {
	size := 1 << bits.Len(uint(2*c.n)) // a power of 2, at most half full
	places := make([]int32, size)      // 1 + the place in first; 0: free
	for i := range c.n {
		if i == mergeSample && len(first) > mergeSample*9/10 {
			return nil, nil, nil
		}
		at := int(c.hash(i, y[i])) & (size - 1)
		for places[at] != 0 && !c.alike(i, int(first[places[at]-1]), y) {
			at = (at + 1) & (size - 1)
		}
		if places[at] == 0 {
			first, times = append(first, int32(i)), append(times, 0)
			places[at] = int32(len(first))
		}
		times[places[at]-1]++
	}
	if float64(len(first)) > worthMerging*float64(c.n) {
		return nil, nil, nil
	}
	merged = newCodes(len(first), len(c.columns))
	merged.times = times
	for b, words := range c.blocks {
		for k, i := range first {
			merged.blocks[b][k] = words[i]
		}
	}
	for j, codes := range c.columns {
		for k, i := range first {
			merged.columns[j][k] = codes[i]
		}
	}
	return merged, first, times
}

func (c *Codes) hash(i int, y float64) uint64 {
	const mix = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio (Knuth, volume 3, 6.4)
	h := math.Float64bits(y) * mix
	for _, words := range c.blocks {
		h = (bits.RotateLeft64(h, 27) ^ words[i]) * mix
	}
	return h ^ h>>32
}

func (c *Codes) alike(i, k int, y []float64) bool {
	if y[i] != y[k] {
		return false
	}
	for _, words := range c.blocks {
		if words[i] != words[k] {
			return false
		}
	}
	return true
}

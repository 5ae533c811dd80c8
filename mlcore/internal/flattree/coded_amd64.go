//go:build !purego

package flattree

// applyFours puts the leaves of 4·fours rows of codes, each of d, in dst. It does
// what applyLanes does with less than half of its instructions: registers hold
// what Go keeps in memory, and nothing is checked.
//
//go:noescape
func applyFours(dst *int32, fours int, nodes *codedNode, codes *uint8, d int)

// applyHead puts the leaves of the first rows in dst and returns how many these
// are.
func applyHead(dst []int32, nodes []codedNode, codes []uint8, d int) int {
	fours := len(dst) / 4
	if fours > 0 {
		_ = codes[4*fours*d-1] // children are in range since encode put them there
		applyFours(&dst[0], fours, &nodes[0], &codes[0], d)
	}
	return 4 * fours
}

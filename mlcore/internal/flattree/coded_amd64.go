//go:build !purego

package flattree

// stepsPerHalving is how many steps save what a halving takes: a step takes 1.5 ns in place
// of 3.2, and a halving 1.3 to 2 (AMD EPYC, a forest of 10,000 x 20).
const stepsPerHalving = 1

// walkRegisters does what walkPlain does with less than half of its instructions:
// registers hold what Go keeps in memory, and nothing is checked.
//
//go:noescape
func walkRegisters(at *[lanes]uint32, nodes *codedNode, codes *uint16)

func walk(at *[lanes]uint32, nodes []codedNode, codes []uint16) {
	walkRegisters(at, &nodes[0], &codes[0]) // children are in range since encode put them there
}

//go:build !purego

package kernel

// useVectors chooses the assembly, which every processor of this kind can run. Tests turn it
// off to compare.
var useVectors = true

// There are no vectors of 512 bits.
const useWide = false

//go:build !purego

package kernel

// useNarrow chooses the assembly of the kernels on float32 and bytes, which fuse
// multiplications with additions: every processor of this kind has what it takes. Tests
// turn it off.
var useNarrow = true

func singlesWithinWide(*singlesArgs) {}

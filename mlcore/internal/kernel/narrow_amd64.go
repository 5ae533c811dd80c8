//go:build !purego

package kernel

import "github.com/mllabs-go/mllabs/mlcore/internal/processor"

// useNarrow chooses the assembly of the kernels on float32 and bytes, which fuse
// multiplications with additions. Tests turn it off.
var useNarrow = processor.FMA

// singlesWithinWide is the same on vectors of 512 bits.
//
//go:noescape
func singlesWithinWide(a *singlesArgs)

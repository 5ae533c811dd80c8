//go:build !purego

package kernel

import "github.com/mllabs-go/mllabs/mlcore/internal/processor"

// useVectors chooses the assembly. Tests turn it off to compare.
var useVectors = processor.AVX2

// useWide chooses, where there is a choice, that on vectors of 512 bits.
var useWide = processor.AVX512

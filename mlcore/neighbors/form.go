package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A form is a way to make the packed form of rows, nil where plain rows are best, and the
// size of the leaves that suits it.
type form struct {
	pack func(data []float64, d, workers int) packed
	leaf int
}

// fastNarrow says that the forms in bytes and in single precision are the best. Tests
// turn it off.
var fastNarrow = kernel.FastNarrow()

// leastSingle is from how many columns on rows in single precision are worth while.
const leastSingle = 4

// formOf chooses the form of rows in a space.
func formOf(s *space, data []float64, d int) form {
	squares := s.sumsSquares()
	if !squares && (s.kind != manhattan || s.weights != nil) {
		return form{leaf: leafRows}
	}
	least, most := make([]float64, d), make([]float64, d)
	whole := s.kind != mahalanobis && wholeRanges(data, least, most)
	bytes := whole && fastNarrow
	for j := range least {
		bytes = bytes && most[j]-least[j] <= math.MaxInt8
	}
	// A nil pointer must not become an interface that is not nil.
	switch {
	case bytes:
		return form{leaf: narrowLeafRows(d), pack: func(data []float64, d, workers int) packed {
			return packByteRows(data, least, squares, workers)
		}}
	case squares && fastNarrow && d >= leastSingle:
		return form{leaf: narrowLeafRows(d), pack: func(data []float64, d, workers int) packed {
			if p := packSingleRows(data, d, workers); p != nil {
				return p
			}
			return nil
		}}
	case squares && whole:
		return form{leaf: packedLeafRows, pack: func(data []float64, d, workers int) packed {
			if p := packRows(data, d, workers); p != nil {
				return p
			}
			return nil
		}}
	case whole:
		return form{leaf: packedLeafRows, pack: func(data []float64, d, workers int) packed {
			if p := packBytes(data, d, workers); p != nil {
				return p
			}
			return nil
		}}
	}
	return form{leaf: leafRows}
}

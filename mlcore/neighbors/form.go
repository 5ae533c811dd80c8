package neighbors

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A packed is a form of the rows in which leaves are scanned faster. Its
// distances are those of the plain form, bit for bit.
type packed interface {
	// query packs a query, in room, or returns nil if it has no such form, as
	// where a value is not whole or not in the range of its column in the rows.
	query(q []float64, room *packedQuery) *packedQuery
	// scan offers h the rows at positions lo to hi that are within limit, and
	// returns the new limit.
	scan(q *packedQuery, at *places, lo, hi int, h *nearest, limit float64) float64
}

// A packedQuery is a query in a packed form.
type packedQuery struct {
	words []uint64
	norm  int64 // of packedRows and quantised: |q̂|² in whole units

	// Of quantised only: what rows of a survey seem to be, and the nearest of them.
	seem    []int64
	seeming nearest

	// Of byteRows, singleRows, quantised and roundedBytes: the query as it was, which sparseRows
	// have as well, and how far off the packed one may be.
	plain []float64
	near  float64
	bytes kernel.ByteQuery // of byteRows only

	// Of singleRows only: the query less the means, the same rounded, and the limit.
	centred []float64
	single  []float32
	limit   kernel.SingleLimit

	// Of sparseRows only: |q|², the rows that share a column with the query, and the inner
	// products, which are 0 of all other rows, and of all rows between queries.
	square   float64
	shared   []int32
	products []float64
}

// A form is a way to make the packed form of rows, nil where plain rows are best, and the
// size of the leaves that suits it.
type form struct {
	pack func(data []float64, d, workers int) packed
	leaf int // 0 where it is up to narrowLeafRows
	// shared says that one way through all rows can serve many queries.
	shared bool
}

// fastNarrow says that the forms in bytes and in single precision are the best. Tests
// turn it off.
var fastNarrow = kernel.FastNarrow()

// leastSingle is from how many columns on rows in single precision, or of few bits, are
// worth while.
const leastSingle = 4

// formOf chooses the form of rows in a space.
func formOf(s *space, data []float64, d int) form {
	squares := s.sumsSquares()
	if !squares && (s.kind != manhattan || s.weights != nil) {
		return form{leaf: leafRows}
	}
	least, most := make([]float64, d), make([]float64, d)
	whole := s.kind != mahalanobis && wholeRanges(data, least, most)
	bytes := whole
	for j := range least {
		bytes = bytes && most[j]-least[j] <= math.MaxInt8
	}
	if squares && !whole && d >= leastSingle {
		if f, sparse := sparseForm(data, d); sparse {
			return f
		}
	}
	switch {
	case bytes && fastNarrow:
		return form{pack: func(data []float64, d, workers int) packed {
			return packByteRows(data, least, squares, workers)
		}}
	case squares && whole && !fastNarrow:
		return form{leaf: packedLeafRows, pack: orNil(packRows)}
	case squares && fastNarrow && d >= leastSingle:
		return form{pack: singles(false), shared: true}
	case fastNarrow && d >= leastSingle:
		return form{pack: singles(true)}
	case squares && d >= leastSingle:
		return form{pack: orNil(quantiseRows)}
	case squares && whole:
		return form{leaf: packedLeafRows, pack: orNil(packRows)}
	case bytes:
		return form{leaf: packedLeafRows, pack: orNil(packBytes)}
	case !squares && d >= leastSingle:
		return form{pack: orNil(roundToBytes)}
	}
	return form{leaf: leafRows}
}

// singles packs rows in single precision, for sums of sizes or of squares.
func singles(sizes bool) func(data []float64, d, workers int) packed {
	return orNil(func(data []float64, d, workers int) *singleRows { return packSingleRows(data, d, sizes, workers) })
}

// orNil returns pack but for a nil pointer, which must not become an interface that is not
// nil.
func orNil[T any, P interface {
	*T
	packed
}](pack func(data []float64, d, workers int) P) func(data []float64, d, workers int) packed {
	return func(data []float64, d, workers int) packed {
		if p := pack(data, d, workers); p != nil {
			return p
		}
		return nil
	}
}

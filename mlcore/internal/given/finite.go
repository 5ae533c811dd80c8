package given

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// scanned is about how many numbers a goroutine looks at before it takes others; fewer
// are not worth its start.
const scanned = 1 << 16

// FirstNonFinite returns the row and the column of the first element, by row and then
// by column, that is infinite or, unless allowNaN, NaN. Where there is none, they are
// -1. It takes milliseconds for a hundred megabytes, and so runs on all processors
// whatever the Workers of the fit or model that asks, as the comment of package mlcore
// says.
func FirstNonFinite(X *mat.Dense, allowNaN bool) (row, column int) {
	n, d := X.Dims()
	if size := 1 + scanned/max(d, 1); n > size {
		return firstOfMany(X, allowNaN, size)
	}
	return firstNonFinite(X, 0, n, allowNaN)
}

// firstOfMany searches runs of size rows on all processors.
func firstOfMany(X *mat.Dense, allowNaN bool, size int) (row, column int) {
	n, _ := X.Dims()
	err := par.Chunks(n, size, 0, func(lo, hi int) error {
		if i, j := firstNonFinite(X, lo, hi, allowNaN); i >= 0 {
			return place{i, j}
		}
		return nil
	})
	if found, ok := err.(place); ok {
		return found.row, found.column
	}
	return -1, -1
}

// A place ends a search on several goroutines, of which the first place counts.
type place struct{ row, column int }

func (place) Error() string { return "found" }

func firstNonFinite(X *mat.Dense, lo, hi int, allowNaN bool) (row, column int) {
	raw := X.RawMatrix()
	if raw.Stride == raw.Cols && kernel.Finite(raw.Data[lo*raw.Cols:hi*raw.Cols]) {
		return -1, -1
	}
	for i := lo; i < hi; i++ {
		own := raw.Data[i*raw.Stride:][:raw.Cols]
		if kernel.Finite(own) {
			continue
		}
		for j, v := range own {
			if v-v != 0 && !(allowNaN && math.IsNaN(v)) {
				return i, j
			}
		}
	}
	return -1, -1
}

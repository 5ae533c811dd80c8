package factor

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A Tall matrix has many rows, which are read one after the other and need not be
// in memory. Row i of it is what Reader writes less the means, times the root of
// the row's weight.
type Tall struct {
	Rows, Cols int
	// Reader returns a function that writes the numbers of row i to dst, which has
	// Cols elements, and returns its weight. The function serves one goroutine at a
	// time.
	Reader func() func(dst []float64, i int) (weight float64)
	// Mean has Cols elements; nil is zeros.
	Mean []float64
	// Workers is the greatest number of goroutines; 0 is one a processor. Results
	// do not depend on it.
	Workers int
}

// rows returns a function that writes row i to dst, followed by the root of its
// weight if dst has room for it.
func (t Tall) rows() func(dst []float64, i int) {
	read := t.Reader()
	return func(dst []float64, i int) {
		own := dst[:t.Cols]
		weight := read(own, i)
		for j, m := range t.Mean {
			own[j] -= m
		}
		root := 1.0
		if weight != 1 {
			root = math.Sqrt(weight)
			for j := range own {
				own[j] = float64(own[j] * root)
			}
		}
		if len(dst) > t.Cols {
			dst[t.Cols] = root
		}
	}
}

// Unit is as the function of that name.
func (t Tall) Unit() float64 {
	read, row := t.rows(), make([]float64, t.Cols)
	greatest := 0.0
	for i := range t.Rows {
		read(row, i)
		greatest = max(greatest, kernel.MaxAbs(row))
	}
	return UnitOf(greatest)
}

// Rows of one block, if the columns are few.
const blockRows = 1024

// Triangle returns a matrix of the same AᵀA, row-major, with at most as many rows
// as columns, or all rows of A if they are few: blocks of rows become triangles, until
// one block holds all (the "tall-skinny QR" of Demmel, Grigori, Hoemmen & Langou,
// 2012).
func (t Tall) Triangle() (a []float64, rows int) {
	c := t.Cols
	size := max(blockRows, 4*c)
	blocks := (t.Rows + size - 1) / size
	parts := make([][]float64, blocks)
	_ = par.DoWith(blocks, t.Workers, t.rows, func(read func([]float64, int), b int) error {
		lo, hi := b*size, min((b+1)*size, t.Rows)
		block := make([]float64, (hi-lo)*c)
		for i := lo; i < hi; i++ {
			read(block[(i-lo)*c:(i-lo+1)*c], i)
		}
		rank := hi - lo
		if blocks > 1 {
			rank = len(Triangularise(block, rank, c, c, nil))
		}
		parts[b] = block[: rank*c : rank*c]
		return nil
	})
	a, rows = join(parts, c)
	for rows > size {
		a, rows = stack(a, rows, c, size, t.Workers)
	}
	if rows > c {
		rows = len(Triangularise(a, rows, c, c, nil))
	}
	return a[:rows*c], rows
}

// stack makes a triangle of each block of size rows of a.
func stack(a []float64, m, c, size, workers int) ([]float64, int) {
	parts := make([][]float64, (m+size-1)/size)
	_ = par.Do(len(parts), workers, func(b int) error {
		lo, hi := b*size, min((b+1)*size, m)
		block := a[lo*c : hi*c]
		parts[b] = block[:len(Triangularise(block, hi-lo, c, c, nil))*c]
		return nil
	})
	return join(parts, c)
}

func join(parts [][]float64, c int) (a []float64, m int) {
	if len(parts) == 1 {
		return parts[0], len(parts[0]) / c
	}
	for _, p := range parts {
		a = append(a, p...)
	}
	return a, len(a) / c
}

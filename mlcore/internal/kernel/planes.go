package kernel

// Planes are the directions of several linear functions of rows. What they make of a row is
// the same however many rows are asked for.
type Planes struct {
	directions Matrix // one a row
	across     Matrix // the transpose, empty where it is not worth its making
}

// It takes a few rows until the functions of a row side by side are worth a copy of the
// directions, and as many functions as a register has lanes.
const rowsForCopy = 8

// shortRow is from how many columns on a call takes less time than the sum of a row.
const shortRow = 16

// NewPlanes returns the functions whose directions are the rows of a matrix, for about so
// many rows.
func NewPlanes(directions Matrix, rows int) Planes {
	p := Planes{directions: directions}
	if rows >= rowsForCopy && directions.Rows >= lanes {
		p.across = Matrix{Data: make([]float64, len(directions.Data)), Rows: directions.Cols, Cols: directions.Rows}
		Transpose(p.across, directions)
	}
	return p
}

// Of sets dst[k] to the product of direction k and x: as [Dot] sums it where there are
// fewer directions than lanes, else from the first term to the last.
func (p Planes) Of(dst, x []float64) {
	switch {
	case p.across.Data != nil:
		Dots(dst, x, p.across, 0)
		return
	case p.directions.Rows < lanes:
		for k := range dst {
			dst[k] = Dot(p.directions.Row(k), x)
		}
		return
	}
	for k := range dst {
		direction, sum := p.directions.Row(k)[:len(x)], 0.0
		for j, v := range x {
			sum += float64(v * direction[j])
		}
		dst[k] = sum
	}
}

// OfRows sets row i of dst to what Of makes of row i of x, in one product of matrices where
// there are directions enough.
func (p Planes) OfRows(dst, x Matrix, buf *Buffer) {
	if p.across.Data != nil {
		clear(dst.Data)
		MulAdd(dst, x, p.across, buf)
		return
	}
	if p.directions.Rows < lanes {
		for k := range p.directions.Rows {
			direction := p.directions.Row(k)
			for i, at := 0, 0; i < x.Rows; i++ {
				row := x.Data[at:][:x.Cols]
				at += x.Cols
				if len(row) >= shortRow {
					dst.Data[i*dst.Cols+k] = Dot(direction, row)
					continue
				}
				// As Dot does it, without the call, which takes as long.
				w := direction[:len(row)]
				var s0, s1, s2, s3 float64
				j := 0
				for ; j+4 <= len(row); j += 4 {
					s0 += float64(w[j] * row[j])
					s1 += float64(w[j+1] * row[j+1])
					s2 += float64(w[j+2] * row[j+2])
					s3 += float64(w[j+3] * row[j+3])
				}
				for ; j < len(row); j++ {
					s0 += float64(w[j] * row[j])
				}
				dst.Data[i*dst.Cols+k] = (s0 + s1) + (s2 + s3)
			}
		}
		return
	}
	for i := range x.Rows {
		p.Of(dst.Row(i), x.Row(i))
	}
}

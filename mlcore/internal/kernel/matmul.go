package kernel

// A Matrix is dense and row-major, without gaps between rows:
// element (i, j) is Data[i*Cols+j].
type Matrix struct {
	Data       []float64
	Rows, Cols int
}

// Row returns row i, sharing memory.
func (m Matrix) Row(i int) []float64 { return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols] }

// A View is a part of a row-major matrix, whose rows are Step elements apart: element (i, j)
// is Data[i*Step+j].
type View struct {
	Data             []float64
	Rows, Cols, Step int
}

// Row returns row i, sharing memory.
func (v View) Row(i int) []float64 { return v.Data[i*v.Step:][:v.Cols:v.Cols] }

// view is the whole matrix.
func (m Matrix) view() View { return View{m.Data, m.Rows, m.Cols, m.Cols} }

// Columns returns the columns lo to hi-1, sharing memory.
func (m Matrix) Columns(lo, hi int) View {
	return View{m.Data[min(lo, len(m.Data)):], m.Rows, hi - lo, m.Cols}
}

// The product is computed in tiles of tileRows×tileCols elements, which fit in
// the registers of the processor, and at the right edge in tiles of half that width.
const (
	tileRows = 4
	tileCols = 8
	halfTile = tileCols / 2
)

// A Buffer is the room that products need for what they copy: tiles that stick out of the
// matrix, or columns. The zero value is ready; a Buffer serves one goroutine at a time.
type Buffer struct {
	a, b, c []float64
	fours   [][4]float64 // of products in plain Go: columns of the right factor
}

// MulAdd adds A·B to C, where A is m×k, B is k×n and C is m×n. It panics if the
// shapes disagree.
func MulAdd(c, a, b Matrix, buf *Buffer) {
	if c.Rows != a.Rows || a.Cols != b.Rows || b.Cols != c.Cols {
		panic("kernel: MulAdd of shapes that disagree")
	}
	mulAdd(c.view(), factor{a.Data, a.Cols, 1}, b.view(), whole, buf)
}

// MulTransAdd adds Aᵀ·B to C, where A is k×m, B is k×n and C is m×n. It panics
// if the shapes disagree.
func MulTransAdd(c, a, b Matrix, buf *Buffer) {
	if c.Rows != a.Cols || a.Rows != b.Rows || b.Cols != c.Cols {
		panic("kernel: MulTransAdd of shapes that disagree")
	}
	MulTransAddView(c.view(), a.view(), b.view(), buf)
}

// MulTransAddView is [MulTransAdd] of parts of matrices.
func MulTransAddView(c, a, b View, buf *Buffer) {
	if c.Rows != a.Cols || a.Rows != b.Rows || b.Cols != c.Cols {
		panic("kernel: MulTransAddView of shapes that disagree")
	}
	mulAdd(c, factor{a.Data, 1, a.Step}, b, whole, buf)
}

// GramAdd adds the upper triangle of Aᵀ·A to C, where A is k×n and C is n×n; what
// it leaves below the diagonal is of no use. It panics if the shapes disagree.
func GramAdd(c, a Matrix, buf *Buffer) {
	if c.Rows != a.Cols || c.Cols != a.Cols {
		panic("kernel: GramAdd of shapes that disagree")
	}
	GramAddColumns(c, a, 0, buf)
}

// GramAddColumns adds the columns first to first+c.Cols-1 of the upper triangle of Aᵀ·A to C,
// which has first+c.Cols rows; see [GramAdd]. It panics if the shapes disagree.
func GramAddColumns(c, a Matrix, first int, buf *Buffer) {
	end := first + c.Cols
	if c.Rows != end || end > a.Cols {
		panic("kernel: GramAddColumns of shapes that disagree")
	}
	mulAdd(c.view(), factor{a.Data, 1, a.Cols}, a.Columns(first, end), first, buf)
}

// PaddedColumns returns n, or the number of columns above it of which products take whole
// tiles.
func PaddedColumns(n int) int {
	if !tiled {
		return n
	}
	return (n + tileCols - 1) / tileCols * tileCols
}

// checkTiles makes sure that the slices hold all elements that assembly will touch.
func checkTiles(c []float64, cStep, cols int, a factor, b []float64, bStep, terms, tiles int) {
	last := tiles*tileRows - 1
	_ = c[last*cStep+cols-1]
	_ = a.data[last*a.rowStep+(terms-1)*a.sumStep]
	_ = b[(terms-1)*bStep+cols-1]
}

// A factor is the left factor of a product, as it stands or transposed: from one
// row to the next it is rowStep elements, from one term of the sum to the next
// sumStep.
type factor struct {
	data             []float64
	rowStep, sumStep int
}

// whole asks for all tiles of a product.
const whole = -1

// mulAdd adds a product to c, or, where that is all that is asked for, the tiles of
// it that reach above or to the diagonal, which is at row diagonal in the first column.
func mulAdd(c View, a factor, b View, diagonal int, buf *Buffer) {
	terms := b.Rows
	switch {
	case terms == 0 || c.Rows == 0:
		return
	case terms == 1: // a column times a row: a multiple of b for each row of c
		for i := range c.Rows {
			AddScaled(c.Row(i), a.data[i*a.rowStep], b.Row(0))
		}
		return
	case c.Cols == 1 && c.Step == 1 && a.rowStep == 1: // a transposed matrix times a vector
		for p := range terms {
			AddScaled(c.Data[:c.Rows], b.Data[p*b.Step], a.data[p*a.sumStep:][:c.Rows])
		}
		return
	}
	if !tiled {
		mulAddPlain(c, a, b, diagonal, buf)
		return
	}
	full := c.Rows &^ (tileRows - 1)
	rest := c.Rows - full
	var last factor
	if rest > 0 {
		last = buf.padRows(factor{a.data[full*a.rowStep:], a.rowStep, a.sumStep}, rest, terms)
	}
	for j := 0; j < c.Cols; {
		cols, width := min(tileCols, c.Cols-j), tileCols
		if cols <= halfTile {
			width = halfTile
		}
		panel, step := b.Data[j:], b.Step
		if cols < width {
			panel, step = buf.padColumns(b, j, width), width
		}
		rows, more := full, rest > 0
		if end := diagonal + j + width; diagonal != whole && end <= full {
			rows, more = (end+tileRows-1)&^(tileRows-1), false
		}
		if rows > 0 && cols == width {
			mulAddTiles(c.Data[j:], c.Step, width, a, panel, step, terms, rows/tileRows)
		} else if rows > 0 {
			corner := buf.take(c, 0, rows, j, cols, width)
			mulAddTiles(corner, width, width, a, panel, step, terms, rows/tileRows)
			buf.put(c, 0, rows, j, cols, width)
		}
		if more {
			corner := buf.take(c, full, rest, j, cols, width)
			mulAddTiles(corner, width, width, last, panel, step, terms, 1)
			buf.put(c, full, rest, j, cols, width)
		}
		j += width
	}
}

// take copies a part of c to the buffer, where it has whole tiles of the given width.
func (buf *Buffer) take(c View, row, rows, column, cols, width int) []float64 {
	buf.c = grow(buf.c, (rows+tileRows-1)/tileRows*tileRows*width)
	for r := range rows {
		to := buf.c[r*width:][:width]
		for k, v := range c.Row(row + r)[column : column+cols] {
			to[k] = v
		}
	}
	return buf.c
}

// put is the way back.
func (buf *Buffer) put(c View, row, rows, column, cols, width int) {
	for r := range rows {
		to := c.Row(row + r)[column : column+cols]
		for k := range to {
			to[k] = buf.c[r*width+k]
		}
	}
}

// padColumns copies the columns of b from j on, fewer than width, and fills up with
// zeros.
func (buf *Buffer) padColumns(b View, j, width int) []float64 {
	buf.b = grow(buf.b, b.Rows*width)
	for p := range b.Rows {
		from, to := b.Row(p)[j:], buf.b[p*width:][:width]
		for k := range to {
			to[k] = 0
			if k < len(from) {
				to[k] = from[k]
			}
		}
	}
	return buf.b
}

// padRows copies the rows of a, fewer than a tile has, and fills up with zeros.
func (buf *Buffer) padRows(a factor, rows, terms int) factor {
	buf.a = grow(buf.a, tileRows*terms)
	clear(buf.a)
	for p := range terms {
		for r := range rows {
			buf.a[p*tileRows+r] = a.data[r*a.rowStep+p*a.sumStep]
		}
	}
	return factor{buf.a, 1, tileRows}
}

func grow[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// Transpose writes the transpose of a (m×n) to dst (n×m). It panics if the shapes
// disagree.
func Transpose(dst, a Matrix) {
	if dst.Rows != a.Cols || dst.Cols != a.Rows {
		panic("kernel: Transpose of shapes that disagree")
	}
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			dst.Data[j*dst.Cols+i] = v
		}
	}
}

package kernel

// Products in plain Go. A processor does one multiplication and one addition at a time of
// what the compiler makes of it, so instructions are what counts. Four rows of the right
// factor are added to two rows of the product at a time: each number is read once for two
// products, a sum stays in its register for four terms, and nothing is copied or checked
// in between. Each sum takes its terms in their order.

const (
	// fewCols is up to how many columns rows are too short to go along.
	fewCols = 6
	// blockTerms and blockCols are how many rows and columns of the right factor serve all
	// rows of the product in turn: 256 KiB, which the second nearest cache holds.
	blockTerms, blockCols = 128, 256
)

// mulAddPlain is mulAdd for products of two terms and more.
func mulAddPlain(c View, a factor, b View, diagonal int, buf *Buffer) {
	switch {
	case c.Rows == 1:
		for p, at := 0, 0; p < b.Rows; p, at = p+1, at+a.sumStep {
			AddScaled(c.Row(0), a.data[at], b.Row(p))
		}
		return
	case c.Cols <= fewCols:
		mulAddNarrow(c, a, b, buf)
		return
	}
	// Of a factor as it stands two rows half of all apart are taken together: what is read of
	// each goes on where it ended, which a processor sees and reads ahead. Transposed,
	// neighbours lie side by side.
	half := (c.Rows + 1) / 2
	starts, step, apart := half, 1, half
	if a.rowStep == 1 {
		starts, step, apart = c.Rows, 2, 1
	}
	for p := 0; p < b.Rows; p += blockTerms {
		for j := 0; j < c.Cols; j += blockCols {
			terms, end := min(blockTerms, b.Rows-p), min(j+blockCols, c.Cols)
			for i := 0; i < starts; i += step {
				first := j
				if diagonal != whole { // neighbours
					first = max(i-diagonal, j)
				}
				if first >= end {
					break
				}
				x := a.data[i*a.rowStep+p*a.sumStep:]
				y, own := x, c.Row(i)[first:end]
				var next []float64
				if k := i + apart; k < c.Rows {
					next, y = c.Row(k)[first:end], x[apart*a.rowStep:]
				} else { // alone, beside sums of no use
					buf.c = grow(buf.c, len(own))
					clear(buf.c)
					next = buf.c
				}
				mulAddTwo(own, next, x, y, a.sumStep, b.Data[p*b.Step+first:], b.Step, terms)
			}
		}
	}
}

// mulAddTwo adds Σ x[p·step]·b[p] to c and Σ y[p·step]·b[p] to d, where row b[p] starts at
// element p·bStep.
func mulAddTwo(c, d, x, y []float64, step int, b []float64, bStep, terms int) {
	n := len(c)
	d = d[:n]
	at, p := 0, 0
	for ; p+4 <= terms; p += 4 {
		b0, b1, b2, b3 := b[:n], b[bStep:][:n], b[2*bStep:][:n], b[3*bStep:][:n]
		x0, x1, x2, x3 := x[at], x[at+step], x[at+2*step], x[at+3*step]
		y0, y1, y2, y3 := y[at], y[at+step], y[at+2*step], y[at+3*step]
		for j, s := range c {
			t, v := d[j], b0[j]
			s += float64(x0 * v)
			t += float64(y0 * v)
			v = b1[j]
			s += float64(x1 * v)
			t += float64(y1 * v)
			v = b2[j]
			s += float64(x2 * v)
			t += float64(y2 * v)
			v = b3[j]
			s += float64(x3 * v)
			t += float64(y3 * v)
			c[j], d[j] = s, t
		}
		at += 4 * step
		b = b[min(4*bStep, len(b)):]
	}
	for ; p < terms; p++ {
		own := b[:n]
		u, w := x[at], y[at]
		for j, v := range own {
			c[j] += float64(u * v)
			d[j] += float64(w * v)
		}
		at += step
		b = b[min(bStep, len(b)):]
	}
}

// mulAddNarrow is mulAddPlain of few columns: it goes down four of them at once, and then
// down one after the other, in four rows at once.
func mulAddNarrow(c View, a factor, b View, buf *Buffer) {
	j := 0
	if c.Cols >= 4 {
		buf.fours = grow(buf.fours, b.Rows)
		for p := range buf.fours {
			buf.fours[p] = [4]float64(b.Row(p))
		}
		for i := range c.Rows {
			mulAddFour((*[4]float64)(c.Row(i)), a.data[i*a.rowStep:], a.sumStep, buf.fours)
		}
		j = 4
	}
	for ; j < c.Cols; j++ {
		buf.b = grow(buf.b, b.Rows)
		for p := range buf.b {
			buf.b[p] = b.Data[p*b.Step+j]
		}
		mulAddDown(c.Data[j:], c.Rows, c.Step, a, buf.b)
	}
}

// mulAddFour adds Σ a[p·step]·b[p][k] to c[k].
func mulAddFour(c *[4]float64, a []float64, step int, b [][4]float64) {
	s0, s1, s2, s3 := c[0], c[1], c[2], c[3]
	at := 0
	for p := range b {
		x, y := a[at], &b[p]
		s0 += float64(x * y[0])
		s1 += float64(x * y[1])
		s2 += float64(x * y[2])
		s3 += float64(x * y[3])
		at += step
	}
	c[0], c[1], c[2], c[3] = s0, s1, s2, s3
}

// mulAddDown adds the product of a and the numbers of b to a column, whose elements are
// cStep apart.
func mulAddDown(c []float64, rows, cStep int, a factor, b []float64) {
	i := 0
	for ; i+4 <= rows; i += 4 {
		own := c[i*cStep:]
		s0, s1, s2, s3 := own[0], own[cStep], own[2*cStep], own[3*cStep]
		x0, x1, x2, x3 := a.data[i*a.rowStep:], a.data[(i+1)*a.rowStep:], a.data[(i+2)*a.rowStep:], a.data[(i+3)*a.rowStep:]
		at := 0
		for _, y := range b {
			s0 += float64(x0[at] * y)
			s1 += float64(x1[at] * y)
			s2 += float64(x2[at] * y)
			s3 += float64(x3[at] * y)
			at += a.sumStep
		}
		own[0], own[cStep], own[2*cStep], own[3*cStep] = s0, s1, s2, s3
	}
	for ; i < rows; i++ {
		sum, at := c[i*cStep], i*a.rowStep
		for _, y := range b {
			sum += float64(a.data[at] * y)
			at += a.sumStep
		}
		c[i*cStep] = sum
	}
}

package kernel

// Products in plain Go. A processor does one multiplication and one addition at a time of
// what the compiler makes of it, so nothing is gained by whole tiles: what there is is
// computed, and nothing is padded. What costs beside the arithmetic is looked at: eight
// sums of a row stay in registers, and few accesses are checked. They stand in two fours,
// for the compiler multiplies all that it sees before it adds, and has no registers for
// eight products beside eight sums; where an access is checked it begins anew.

// fewRows is up to how many rows it costs more to pack columns than to go without.
const fewRows = 3

// mulAddPlain is mulAdd for products of two terms and more.
func mulAddPlain(c Matrix, a factor, b Matrix, upper bool, buf *Buffer) {
	if c.Rows <= fewRows {
		for i := range c.Rows {
			for p, at := 0, i*a.rowStep; p < b.Rows; p, at = p+1, at+a.sumStep {
				AddScaled(c.Row(i), a.data[at], b.Row(p))
			}
		}
		return
	}
	j := 0
	for ; j+4 <= c.Cols; j += 8 {
		wide := min(8, (c.Cols-j)&^3)
		rows := c.Rows
		if upper {
			rows = min(rows, j+wide)
		}
		left, right := buf.pack(b, j, wide)
		for i := range rows {
			to, from := c.Data[i*c.Cols+j:], a.data[i*a.rowStep:]
			switch {
			case wide == 4:
				mulAddFour((*[4]float64)(to), from, a.sumStep, left)
			case upper && i >= j+4: // the first four are below the diagonal
				mulAddFour((*[4]float64)(to[4:]), from, a.sumStep, right)
			default:
				mulAddEight((*[8]float64)(to), from, a.sumStep, left, right)
			}
		}
	}
	for j = c.Cols &^ 3; j < c.Cols; j++ {
		rows := c.Rows
		if upper {
			rows = min(rows, j+1)
		}
		buf.b = grow(buf.b, b.Rows)
		for p := range buf.b {
			buf.b[p] = b.Data[p*b.Cols+j]
		}
		i := 0
		for ; i+4 <= rows; i += 4 {
			mulAddDown(c.Data[i*c.Cols+j:], c.Cols, a, i, buf.b)
		}
		for ; i < rows; i++ {
			sum, at := c.Data[i*c.Cols+j], i*a.rowStep
			for _, y := range buf.b {
				sum += float64(a.data[at] * y)
				at += a.sumStep
			}
			c.Data[i*c.Cols+j] = sum
		}
	}
}

// pack copies eight or four columns of b, from j on, in fours.
func (buf *Buffer) pack(b Matrix, j, wide int) (left, right [][4]float64) {
	buf.left = grow(buf.left, b.Rows)
	for p := range buf.left {
		buf.left[p] = [4]float64(b.Data[p*b.Cols+j:])
	}
	if wide == 4 {
		return buf.left, nil
	}
	buf.right = grow(buf.right, b.Rows)
	for p := range buf.right {
		buf.right[p] = [4]float64(b.Data[p*b.Cols+j+4:])
	}
	return buf.left, buf.right
}

// mulAddEight adds Σ a[p·step]·b[p][k] to c[k], where b[p] is left[p] and right[p].
func mulAddEight(c *[8]float64, a []float64, step int, left, right [][4]float64) {
	s0, s1, s2, s3, s4, s5, s6, s7 := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
	at := 0
	for p := range left {
		x, y := a[at], &left[p]
		s0 += float64(x * y[0])
		s1 += float64(x * y[1])
		s2 += float64(x * y[2])
		s3 += float64(x * y[3])
		y = &right[p]
		s4 += float64(x * y[0])
		s5 += float64(x * y[1])
		s6 += float64(x * y[2])
		s7 += float64(x * y[3])
		at += step
	}
	c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7] = s0, s1, s2, s3, s4, s5, s6, s7
}

// mulAddFour is mulAddEight of four columns.
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

// mulAddDown is mulAddEight of one column, of four rows of c, from row i of a on.
func mulAddDown(c []float64, cStep int, a factor, i int, b []float64) {
	s0, s1, s2, s3 := c[0], c[cStep], c[2*cStep], c[3*cStep]
	x0, x1, x2, x3 := a.data[i*a.rowStep:], a.data[(i+1)*a.rowStep:], a.data[(i+2)*a.rowStep:], a.data[(i+3)*a.rowStep:]
	at := 0
	for _, y := range b {
		s0 += float64(x0[at] * y)
		s1 += float64(x1[at] * y)
		s2 += float64(x2[at] * y)
		s3 += float64(x3[at] * y)
		at += a.sumStep
	}
	c[0], c[cStep], c[2*cStep], c[3*cStep] = s0, s1, s2, s3
}

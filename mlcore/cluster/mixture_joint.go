package cluster

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

const (
	// together is how many rows the steps of a mixture take at a time: few enough that what
	// is made of them stays in the nearest cache.
	together = 128
	// manyRows is from how many rows on columns are long enough to be worth their making.
	manyRows = 32
	// wedgeRows is how many rows a wedge has: as many as a product takes at once.
	wedgeRows = 8
)

// wedges cuts a lower triangle, d×d, into slices of wedgeRows rows, and keeps of each the
// columns up to the diagonal.
func wedges(triangle []float64, d int) []kernel.Matrix {
	var cut []kernel.Matrix
	for from := 0; from < d; from += wedgeRows {
		to := min(from+wedgeRows, d)
		w := kernel.Matrix{Data: make([]float64, (to-from)*to), Rows: to - from, Cols: to}
		for i := range w.Rows {
			copy(w.Row(i), triangle[(from+i)*d:])
		}
		cut = append(cut, w)
	}
	return cut
}

// joint sets the rows of out to the logarithms of πₖ N(x | μₖ, Σₖ). From one row x to the
// next are stride elements.
func (m *Mixture) joint(s *scratch, out kernel.Matrix, rows []float64, stride int) {
	for lo := 0; lo < out.Rows; lo += together {
		hi := min(lo+together, out.Rows)
		part, x := kernel.Matrix{Data: out.Data[lo*out.Cols : hi*out.Cols], Rows: hi - lo, Cols: out.Cols}, rows[lo*stride:]
		if part.Rows < manyRows || !m.jointByColumns(s, part, x, stride) {
			m.jointByRows(s, part, x, stride)
		}
	}
}

// jointByRows is joint as the formula has it.
func (m *Mixture) jointByRows(s *scratch, out kernel.Matrix, rows []float64, stride int) {
	n, d := out.Rows, m.features
	s.gathered, s.score = grown(s.gathered, n*d), grown(s.score, n*d)
	diff, white := kernel.Matrix{Data: s.gathered, Rows: n, Cols: d}, kernel.Matrix{Data: s.score, Rows: n, Cols: d}
	for k, constant := range m.constant {
		kernel.SubtractRows(diff.Data, d, rows, stride, n, m.means[k*d:][:d])
		switch m.shape {
		case Full, Tied:
			whiten := m.whiten
			if m.shape == Full {
				whiten = m.whiten[k*d*d:][:d*d]
			}
			clear(white.Data)
			kernel.MulAdd(white, diff, kernel.Matrix{Data: whiten, Rows: d, Cols: d}, &s.buffer)
		case Diagonal:
			for i := range n {
				to := white.Row(i)
				for j, v := range diff.Row(i) {
					to[j] = v * m.whiten[k*d+j]
				}
			}
		case Spherical:
			for at, v := range diff.Data {
				white.Data[at] = v * m.whiten[k]
			}
		}
		for i := range n {
			out.Data[i*out.Cols+k] = constant - float64(sumSquares(white.Row(i))/2)
		}
	}
}

// jointByColumns is joint of many rows, bit for bit. A row of a whitening takes the columns
// up to its own only, half of all, and columns are long. It returns false, and out is of no
// use, where a difference may overflow: the zeros left out would make NaN of that.
func (m *Mixture) jointByColumns(s *scratch, out kernel.Matrix, rows []float64, stride int) bool {
	n, d := out.Rows, m.features
	s.gathered, s.score = grown(s.gathered, 2*d*n), grown(s.score, (d+1)*n)
	x := kernel.Matrix{Data: s.gathered[:d*n], Rows: d, Cols: n}
	diff := kernel.Matrix{Data: s.gathered[d*n:], Rows: d, Cols: n}
	for i := range n {
		for j, v := range rows[i*stride:][:d] {
			x.Data[j*n+i] = v
		}
	}
	if math.IsInf(kernel.MaxAbs(x.Data)+m.reach, 1) {
		return false
	}
	white, squares := kernel.Matrix{Data: s.score[:d*n], Rows: d, Cols: n}, s.score[d*n:]
	for k, constant := range m.constant {
		copy(diff.Data, x.Data)
		for j, mean := range m.means[k*d:][:d] {
			kernel.Shift(diff.Row(j), -mean)
		}
		clear(squares)
		switch m.shape {
		case Full, Tied:
			of := k
			if m.shape == Tied {
				of = 0
			}
			clear(white.Data)
			from := 0
			for _, w := range m.wedges[of] {
				to := kernel.Matrix{Data: white.Data[from*n:][:w.Rows*n], Rows: w.Rows, Cols: n}
				kernel.MulAdd(to, w, kernel.Matrix{Data: diff.Data[:w.Cols*n], Rows: w.Cols, Cols: n}, &s.buffer)
				from = w.Cols
			}
			addSquares(squares, white)
		case Diagonal:
			for j, v := range m.whiten[k*d:][:d] {
				kernel.Scale(diff.Row(j), v)
			}
			addSquares(squares, diff)
		case Spherical:
			kernel.Scale(diff.Data, m.whiten[k])
			addSquares(squares, diff)
		}
		for i, v := range squares {
			out.Data[i*out.Cols+k] = constant - float64(v/2)
		}
	}
	return true
}

// addSquares adds to each sum the squares in its column of a, from the first row to the
// last.
func addSquares(sums []float64, a kernel.Matrix) {
	n, i := len(sums), 0
	for ; i+4 <= a.Rows; i += 4 {
		a0, a1, a2, a3 := a.Row(i)[:n], a.Row(i + 1)[:n], a.Row(i + 2)[:n], a.Row(i + 3)[:n]
		for j, s := range sums {
			s += float64(a0[j] * a0[j])
			s += float64(a1[j] * a1[j])
			s += float64(a2[j] * a2[j])
			s += float64(a3[j] * a3[j])
			sums[j] = s
		}
	}
	for ; i < a.Rows; i++ {
		for j, v := range a.Row(i)[:n] {
			sums[j] += float64(v * v)
		}
	}
}

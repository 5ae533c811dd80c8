package neighbors

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// sparseRows are rows of which few values are not 0, by columns. The inner products of a
// query with all rows take no more than the values in the columns where it is not 0 itself,
// and the rows that share none of these are no nearer than their lengths say:
//
//	|q-x|² = |q|² + |x|² - 2 q·x.
//
// What is beyond doubt: the right side is wrong by at most 2γₙ(|q|² + |x|²), n = d + 3
// (Higham, 2002, "Accuracy and stability of numerical algorithms", section 3.1, and
// 2|q||x| ≤ |q|² + |x|²), and a squared distance as it is measured by its γₙth part. Rows
// that may be within the limit, given that and more, are measured as ever.
type sparseRows struct {
	data  []float64 // the rows
	d     int
	first []int // of each column: where it begins in cells, and at the end where the last one ends
	cells []sparseCell
	least []float64 // of each row: its squared length, less what rounding may be wrong by
	order []int32   // the rows, the shortest first
}

// A sparseCell is a value in a column.
type sparseCell struct {
	row   int32
	value float64
}

// Sparse rows are worth while from so many columns for each product of values that a pair
// of rows needs on average.
const (
	sparseColumns       = 64
	sparseColumnsNarrow = 256 // where the forms in single precision are fast
)

// longestSparse is the greatest |x|² and |q|² of which no product or sum overflows.
const longestSparse = 0x1p1000

// sparseForm returns the form of sparse rows, and whether it is worth while for these. Some
// rows are enough to tell.
func sparseForm(data []float64, d int) (form, bool) {
	const enough = 500
	n := len(data) / d
	stride := (n + enough - 1) / enough
	counts, rows := make([]int, d), 0
	for i := 0; i < n; i += stride {
		for j, v := range data[i*d:][:d] {
			if v != 0 {
				counts[j]++
			}
		}
		rows++
	}
	products := 0.0
	for _, count := range counts {
		share := float64(count) / float64(rows)
		products += float64(share * share)
	}
	columns := sparseColumns
	if fastNarrow {
		columns = sparseColumnsNarrow
	}
	if float64(products*float64(columns)) > float64(d) {
		return form{}, false
	}
	pack := orNil(func(data []float64, d, _ int) *sparseRows { return packSparseRows(data, d) })
	return form{pack: pack, leaf: n}, true
}

// packSparseRows returns this form of rows, or nil if they are too large.
func packSparseRows(data []float64, d int) *sparseRows {
	n := len(data) / d
	p := &sparseRows{data: data, d: d, first: make([]int, d+1), least: make([]float64, n), order: make([]int32, n)}
	for at := 0; at < len(data); at += d {
		for j, v := range data[at : at+d] {
			if v != 0 {
				p.first[j+1]++
			}
		}
	}
	for j := range d {
		p.first[j+1] += p.first[j]
	}
	p.cells = make([]sparseCell, p.first[d])
	next := slices.Clone(p.first)
	for i := range n {
		row := data[i*d:][:d]
		for j, v := range row {
			if v != 0 {
				p.cells[next[j]] = sparseCell{int32(i), v}
				next[j]++
			}
		}
		square := kernel.SumSquares(row)
		if !(square <= longestSparse) {
			return nil
		}
		p.least[i] = square - float64(square*p.doubt())
		p.order[i] = int32(i)
	}
	slices.SortFunc(p.order, func(a, b int32) int { return cmp.Or(cmp.Compare(p.least[a], p.least[b]), cmp.Compare(a, b)) })
	return p
}

// doubt is more than 2γₙ, and than the roundings of what it is used in.
func (p *sparseRows) doubt() float64 { return float64(p.d+16) * 0x1p-51 }

func (p *sparseRows) query(q []float64, room *packedQuery) *packedQuery {
	room.plain = q
	room.square = kernel.SumSquares(q)
	if !(room.square <= longestSparse) {
		return nil
	}
	if len(room.products) < len(p.order) {
		room.products = make([]float64, len(p.order))
	}
	return room
}

// most is what |x|² - 2 q·x must not exceed.
func (p *sparseRows) most(q *packedQuery, limit float64) float64 {
	doubt := p.doubt()
	return limit + float64(limit*doubt) - (q.square - float64(q.square*doubt)) + 0x1p-1000 // the last is for what underflows
}

// scan looks at all rows: there is one leaf.
func (p *sparseRows) scan(q *packedQuery, at *places, _, _ int, h *nearest, limit float64) float64 {
	products, shared := q.products[:len(p.order)], q.shared[:0]
	for j, v := range q.plain {
		if v == 0 {
			continue
		}
		for _, cell := range p.cells[p.first[j]:p.first[j+1]] {
			if products[cell.row] == 0 {
				shared = append(shared, cell.row)
			}
			products[cell.row] += float64(v * cell.value)
		}
	}
	most := p.most(q, limit)
	measure := func(row int32) {
		dist := sumSquares(q.plain, p.data[int(row)*p.d:][:p.d], limit)
		if dist > limit {
			return
		}
		if at.offer(h, dist, int(row)); h.full() && h.limit() < limit {
			limit = h.limit()
			most = p.most(q, limit)
		}
	}
	for _, row := range p.order {
		if p.least[row] > most {
			break
		}
		if products[row] == 0 {
			measure(row)
		}
	}
	for _, row := range shared {
		if product := products[row]; product != 0 {
			if p.least[row]-float64(2*product) <= most {
				measure(row)
			}
			products[row] = 0 // once, and for the next query
		}
	}
	q.shared = shared
	return limit
}

package histtree

import (
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A strip is some columns of a block that one goroutine looks at.
type strip struct{ block, from, to int }

// A room is a goroutine's scratch space.
type room struct {
	column [blockBins]entry // zero between uses
	words  []uint64
	found  []entry
	codes  []uint8
	values []entry // of a chunk of rows
}

const (
	// wideEnough is the work, in bins and rows of a column, that pays for goroutines.
	wideEnough = 1 << 13
	// longEnough is the number of rows that are summed up in chunks, by several
	// goroutines where there are some.
	longEnough = 8 * longChunk
	longChunk  = 1 << 11
	// mergeBins is how many bins of a column are added up at a time, of which blockBins are
	// a multiple.
	mergeBins = blockBins / 4
)

// plan cuts the columns into strips: whole blocks for one goroutine and, where these
// are few, halves for several.
func (g *Grower) plan() {
	d, all := g.bins.NumFeatures(), 0
	cut := func(width int) (strips []strip) {
		for j := 0; j < d; j += width {
			strips = append(strips, strip{j / blockWidth, j, min(d, j+width)})
		}
		return strips
	}
	g.strips = cut(blockWidth)
	g.shared = g.strips
	if len(g.strips) < 4*g.team.Size() {
		g.shared = cut(blockWidth / 2)
	}
	for _, c := range g.bins.columns {
		all += c.bins
	}
	g.few = all / max(2*d, 1)
	g.rooms = make([]room, g.team.Size())
}

// of returns the part of a histogram that belongs to column j.
func (g *Grower) of(h histogram, j int) *[blockBins]entry {
	return &h[j/blockWidth][j%blockWidth]
}

// look finds the best splits of two children, as far as they have enough rows to be
// split, from the histogram of their parent, which it takes. Of the root, which has no
// sibling, it makes the histogram: large is nil then.
//
// The parent's histogram, less that of the small child, is the large one's. A child of
// few rows has none: its rows themselves are put in order, column by column.
func (g *Grower) look(parent histogram, large, small *growing) {
	pick := [2]*growing{large, small}
	for c, n := range pick {
		if n != nil && !g.mayBeSplit(n) {
			pick[c] = nil
		}
	}
	large = pick[0]
	summed := small.hist != nil // the root
	work := g.prepare(parent, large, small)
	if !summed && small.hist != nil && small.hi-small.lo >= longEnough {
		g.sum(small)
		summed = true
	}
	if summed {
		work -= small.hi - small.lo
	}
	team, strips := (*par.Team)(nil), g.strips
	if g.team.Size() > 1 && work*g.bins.NumFeatures() >= wideEnough {
		team, strips = g.team, g.shared
	}
	var judges [2]judge
	found := make([][2]split, len(strips))
	for k, n := range pick {
		if n != nil {
			judges[k] = g.p.newJudge(&g.scale, n.bound, n.sum)
		}
	}
	team.Do(len(strips), func(member, k int) {
		s := strips[k]
		if small.hist != nil && !summed {
			g.sumStrip(small, s)
		}
		if large != nil && large.hist != nil {
			g.takeOff(large, small, s)
		}
		for c, n := range pick {
			if n != nil {
				j := judges[c] // its own, for it remembers what is to be beaten
				g.search(n, s, &j, &found[k][c], &g.rooms[member])
			}
		}
	})
	for k := range found {
		for c, n := range pick {
			if s := &found[k][c]; n != nil && s.gain > n.best.gain {
				n.best = *s
			}
		}
	}
	for _, n := range [...]*growing{large, small} {
		switch {
		case n == nil:
		case n.best.gain > 0:
			g.complete(n)
		default:
			g.drop(n)
		}
	}
}

// prepare gives the children their histograms, of which that of the large one is the
// parent's still, and puts in order the values that are to be summed up. It returns how
// much work is ahead, in bins and rows of a column.
func (g *Grower) prepare(parent histogram, large, small *growing) (work int) {
	if large != nil && g.dense(large) {
		large.hist = parent
	} else {
		g.give(parent)
	}
	if small.hist == nil && g.dense(small) {
		small.hist = g.take()
	}
	g.inOrder = g.inOrder[:0]
	for _, n := range [...]*growing{large, small} {
		if n == nil {
			continue
		}
		work += min(n.hi-n.lo, 2*g.few)
		if n == small || n.hist == nil {
			g.gather(n)
			work += n.hi - n.lo
		}
	}
	return work
}

// complete completes the best split of a node, which needs the sums of its column.
func (g *Grower) complete(n *growing) {
	j := n.best.column
	column := &g.bins.columns[j]
	if n.hist != nil {
		n.best.complete(column, g.of(n.hist, j), &g.scale, n.sum)
		return
	}
	r := &g.rooms[0]
	g.load(n, j/blockWidth, r)
	r.fill(uint(j%blockWidth*8), n.values)
	n.best.complete(column, &r.column, &g.scale, n.sum)
	clear(r.column[:])
}

// dense says that a node has enough rows for a histogram.
func (g *Grower) dense(n *growing) bool { return n.hi-n.lo > g.few }

// gather puts the values of a node in the order of its rows, unless its histogram is
// summed up from the pulls, or in chunks.
func (g *Grower) gather(n *growing) {
	n.values = nil
	if n.hist != nil && g.codes.times == nil && (fastPulls || n.hi-n.lo >= longEnough) {
		return
	}
	from, size := len(g.inOrder), n.hi-n.lo
	g.inOrder = slices.Grow(g.inOrder, size)[:from+size]
	n.values = g.inOrder[from:]
	g.team.Chunks(size, chunk, func(_, lo, hi int) { g.read(n.values[lo:hi], g.rows[n.lo+lo:n.lo+hi]) })
}

// read writes the values of rows to dst.
func (g *Grower) read(dst []entry, rows []int32) {
	if g.codes.times == nil {
		g.fixing.entries(dst, g.pulls, rows)
		return
	}
	for k, i := range rows {
		dst[k] = g.value(i)
	}
}

// add adds rows to some columns of a block, given their values or, if that is nil, from
// their pulls.
func (g *Grower) add(b *block, s strip, rows []int32, values []entry) {
	first, words := s.block*blockWidth, g.codes.blocks[s.block]
	if values != nil {
		b.addRows(s.from-first, s.to-first, words, rows, values)
		return
	}
	b.addPulls(s.from-first, s.to-first, words, rows, g.pulls, &g.fixing)
}

// sum fills the histogram of a node of many rows, some of them on each goroutine, which
// has a histogram of its own and clears it first: on the processor that has written to it
// last that takes least. In the end each goroutine adds up some bins of all histograms.
func (g *Grower) sum(n *growing) {
	rows := n.hi - n.lo
	hists, cleared := make([]histogram, g.team.Size()), make([]bool, g.team.Size())
	hists[0] = n.hist
	for k := range hists[1:] {
		hists[k+1] = g.take()
	}
	g.team.Do((rows+longChunk-1)/longChunk, func(member, c int) {
		if !cleared[member] {
			cleared[member] = true
			for _, s := range g.strips {
				g.clear(hists[member], s)
			}
		}
		lo, hi := c*longChunk, min((c+1)*longChunk, rows)
		own, values := g.rows[n.lo+lo:n.lo+hi], []entry(nil)
		switch {
		case n.values != nil:
			values = n.values[lo:hi]
		case !fastPulls: // once for all columns
			r := &g.rooms[member]
			r.values = grow(r.values, len(own))
			values = r.values
			g.read(values, own)
		}
		for _, s := range g.strips {
			g.add(&hists[member][s.block], s, own, values)
		}
	})
	n.hist = nil
	var others []histogram
	for k, h := range hists {
		switch {
		case !cleared[k]: // it has no rows
			g.give(h)
		case n.hist == nil:
			n.hist = h
		default:
			others = append(others, h)
		}
	}
	if len(others) == 0 {
		return
	}
	g.team.Do(len(g.bins.columns)*(blockBins/mergeBins), func(_, piece int) {
		j, lo := piece/(blockBins/mergeBins), piece%(blockBins/mergeBins)*mergeBins
		hi := min(lo+mergeBins, g.bins.columns[j].bins+1)
		if lo >= hi {
			return
		}
		to := g.of(n.hist, j)[lo:hi]
		for _, h := range others {
			addAll(to, g.of(h, j)[lo:hi])
		}
	})
	for _, h := range others {
		g.give(h)
	}
}

// sumStrip fills the part of the histogram of a node that belongs to a strip.
func (g *Grower) sumStrip(n *growing, s strip) {
	g.clear(n.hist, s)
	g.add(&n.hist[s.block], s, g.rows[n.lo:n.hi], n.values)
}

func (g *Grower) clear(h histogram, s strip) {
	for j := s.from; j < s.to; j++ {
		clear(g.of(h, j)[:g.bins.columns[j].bins+1])
	}
}

// takeOff takes the rows of the small child off what is the parent's histogram still.
func (g *Grower) takeOff(large, small *growing, s strip) {
	for j := s.from; j < s.to; j++ {
		h := g.of(large.hist, j)
		if small.hist != nil {
			bins := g.bins.columns[j].bins + 1
			subtractAll(h[:bins], g.of(small.hist, j)[:bins])
			continue
		}
		codes := g.codes.columns[j]
		for k, i := range g.rows[small.lo:small.hi] {
			h[codes[i]].subtract(small.values[k])
		}
	}
}

func addAll(a, b []entry) {
	for k := range a {
		a[k].add(b[k])
	}
}

func subtractAllPlain(a, b []entry) {
	b = b[:len(a)]
	for k := range a {
		a[k].subtract(b[k])
	}
}

// search improves best by the splits of the columns of a strip.
func (g *Grower) search(n *growing, s strip, judge *judge, best *split, r *room) {
	if n.hist == nil {
		g.load(n, s.block, r)
	}
	for j := s.from; j < s.to; j++ {
		if !g.columns[j] {
			continue
		}
		c := &g.bins.columns[j]
		monotone := int8(0)
		if g.p.Monotone != nil {
			monotone = g.p.Monotone[j]
		}
		h := &r.column
		if n.hist != nil {
			h = g.of(n.hist, j)
		} else {
			seen := r.fill(uint(j%blockWidth*8), n.values)
			if c.levels == 0 {
				missing := r.empty(seen, c.bins)
				judge.bestOfNumbers(best, j, r.found, missing, r.codes, monotone)
				continue
			}
		}
		if c.levels > 0 {
			judge.bestOfCategories(best, j, c.bins, h)
		} else {
			judge.bestOfNumbers(best, j, h[:c.bins], h[c.bins], nil, monotone)
		}
		if n.hist == nil {
			clear(h[:c.bins+1])
		}
	}
}

// load gets the codes of a node's rows.
func (g *Grower) load(n *growing, block int, r *room) {
	words := g.codes.blocks[block]
	r.words = grow(r.words, n.hi-n.lo)
	pick(r.words, words, g.rows[n.lo:n.hi])
}

// fill sums up the rows by the codes at a place in their words, and returns those that
// occur.
func (r *room) fill(shift uint, values []entry) (seen codeSet) {
	for k, w := range r.words {
		c := uint8(w >> (shift & 63))
		r.column[c].add(values[k])
		seen[c>>6] |= 1 << (c & 63)
	}
	return seen
}

// empty moves the sums of the codes that occur, but the last, that of missing values,
// to found and codes, in their order, and returns that.
func (r *room) empty(seen codeSet, last int) (missing entry) {
	r.found, r.codes = r.found[:0], r.codes[:0]
	missing, r.column[last] = r.column[last], entry{}
	seen[last>>6] &^= 1 << (last & 63)
	for k, word := range seen {
		for ; word != 0; word &= word - 1 {
			c := k<<6 + bits.TrailingZeros64(word)
			r.found = append(r.found, r.column[c&0xff])
			r.codes = append(r.codes, uint8(c))
			r.column[c&0xff] = entry{}
		}
	}
	return missing
}

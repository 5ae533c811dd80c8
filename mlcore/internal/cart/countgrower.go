package cart

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A counted grows the trees that forests spend their time on: classification by
// Gini where weights are numbers of copies and columns are numeric, with few
// distinct values and none missing. There every sum is a whole number, which is
// exact in any order, so that a node's class counts come from its parent's
// instead of from a pass over its rows. The trees are those of grower, byte for
// byte.
type countGrower struct {
	cfg     Config
	b       *ranks.Table
	out     *flattree.Tree
	dist    *flattree.Distributions
	rng     *stream // nil: nothing is drawn
	feats   []int   // allowed features, in the order of the last draw
	want    int     // how many features are drawn
	vary    []int   // those that the node is searched for
	bins    int     // the most codes of a column
	width   int     // bits of a class in the index of a histogram's cell
	total   float64
	minW    float64     // least weight of a leaf
	single  bool        // whether each row has one copy
	byRow   []uint8     // codes, row after row
	items   []item      // behind them there is room for a group
	spare   []item      // under Random, as are values
	values  [][]float64 // by feature: those of its codes
	stack   []countNode
	stock   *histogramStock
	counts  []classCount // of the nodes on the stack
	scratch []countScratch
	found   []threshold // in the current node, in the order of the search
	team    *par.Team   // nil: one goroutine
	shares  []share     // what is left to the team

	least, greatest []uint8 // codes of the node, by feature; see spanAll

	// The current node.
	rows    []item
	present []classCount
	hists   *histograms // nil: none
	weight  int64
	most    int32   // the weight of the commonest class
	score   float64 // Σ c²/W, as classTask's
	tol     float64
	divided *division // by the best threshold's trial; nil: not known
	lane    int       // the threshold's place in it
}

// An item is a row on its way through the tree: the place of its codes in the
// high half, then 24 bits for its copies and 8 for its class.
type item uint64

func newItem(place int, copies, class int32) item {
	return item(place)<<32 | item(copies)<<8 | item(class)
}

func (it item) place() int    { return int(it >> 32) }
func (it item) copies() int32 { return int32(uint32(it) >> 8) }
func (it item) class() uint8  { return uint8(it) }

// A classCount is the weight of a class in a node.
type classCount struct{ class, count int32 }

// A countNode waits to be grown. Its class counts are at to at+classes.
type countNode struct {
	lo, hi      int32
	depth       int32
	parent      int32 // -1 at the root
	right       bool
	fixed       uint64 // features < 64 that are known to be constant
	at, classes int32
	hists       *histograms // nil: none
}

// A threshold is a split as the search keeps it: the test's number is made for
// the best only.
type threshold struct {
	feature    int  // -1: none
	searched   int  // the feature that was looked at
	constant   bool // whether that has one code only
	last, next uint8
	drawn      float64 // the number drawn, under Random
	gain       float64
	wl         int64
}

// countScratch is what one goroutine needs to search a feature. Its arrays
// are zero between searches but for codes and chain.
type countScratch struct {
	codes  []uint8            // of the feature, by place in the node
	hist   [batchSize][]int32 // by code and class
	seen   [256]uint8         // by code: 1 where it occurs
	head   [256]int32         // by code: 1 + the place of its last row
	chain  []int32            // by place: the head before
	left   [256]int32
	right  [256]int32
	packed [2][256]uint64 // counts on the left of up to four features, by class
	batch  batch
}

// Bounds that keep counts and their squares exact, in items and as floats.
const (
	countableClasses = 1 << 8
	countableCopies  = 1 << 24
	countableTotal   = 1 << 26
)

// canCount reports whether a countGrower grows the tree that is asked for.
func canCount(cfg Config, b *ranks.Table, s *Sample, classes int) bool {
	if cfg.Criterion != Gini || cfg.MaxLeafNodes > 0 || cfg.RandomCandidates > 0 || !s.counts ||
		classes > countableClasses || s.Total >= countableTotal || uint64(b.N)*uint64(b.D) > math.MaxUint32 || b.PlainBins() == 0 {
		return false
	}
	for _, i := range s.Rows {
		if s.W != nil && s.W[i] >= countableCopies {
			return false
		}
	}
	return true
}

// newCountGrower returns c, the memory of an earlier one, made ready.
func newCountGrower(c *countGrower, cfg Config, b *ranks.Table, s *Sample, y []int32, classes int, out *flattree.Tree, dist *flattree.Distributions) *countGrower {
	c.cfg, c.b, c.out, c.dist = cfg, b, out, dist
	c.total, c.minW = s.Total, s.leafWeight(cfg)
	c.byRow, c.single = b.ByRow(), s.W == nil
	c.rng, c.feats = nil, append(c.feats[:0], cfg.Features...)
	if cfg.MaxFeatures > 0 || cfg.Splitter == Random {
		c.rng = newStream(cfg.Seed)
	}
	if c.want = cfg.MaxFeatures; c.want == 0 {
		c.want = len(c.feats)
	}
	c.items = reuse.Slice(c.items, len(s.Rows)+markGroup)[:len(s.Rows)]
	if cfg.Splitter == Random {
		c.spare = reuse.Slice(c.spare, len(s.Rows)+2*markGroup)
		c.values = c.values[:0]
		for j := range b.Columns {
			c.values = append(c.values, b.Columns[j].Values())
		}
	}
	var all [countableClasses]int32
	for p, i := range s.Rows {
		copies := int32(1)
		if s.W != nil {
			copies = int32(s.W[i])
		}
		c.items[p] = newItem(int(i)*b.D, copies, y[i])
		all[y[i]] += copies
	}
	c.counts = c.counts[:0]
	for k, n := range all[:classes] {
		if n > 0 {
			c.counts = append(c.counts, classCount{int32(k), n})
		}
	}
	c.stack = append(c.stack[:0], countNode{hi: int32(len(c.items)), parent: -1, classes: int32(len(c.counts))})
	c.hists = nil
	c.bins, c.width = b.PlainBins(), bits.Len(uint(classes-1))
	if c.stock == nil {
		c.stock = new(histogramStock)
	}
	c.stock.reset(c.rng == nil, b.D, c.bins, c.width)
	c.found = reuse.Slice(c.found, max(len(c.feats), batchSize))
	if workers := par.Workers(cfg.Workers); workers > 1 && c.rng == nil && c.large(len(c.items)) {
		c.team = par.NewTeam(workers)
	}
	c.prepare(c.team.Size())
	return c
}

// large reports whether so many rows are searched in parallel.
func (c *countGrower) large(rows int) bool { return rows*len(c.feats) >= parallelWork }

// prepare makes the scratch of this many goroutines.
func (c *countGrower) prepare(workers int) {
	c.scratch = slices.Grow(c.scratch[:0], workers)[:workers]
	for k := range c.scratch {
		s := &c.scratch[k]
		s.codes, s.chain = reuse.Slice(s.codes, len(c.items)), reuse.Slice(s.chain, len(c.items))
		for h := range s.hist {
			s.hist[h] = reuse.Slice(s.hist[h], c.bins<<c.width)
		}
		if c.cfg.Splitter == Random {
			for k := range s.batch.divisions {
				s.batch.divisions[k].room(len(c.items))
			}
		}
	}
}

func (c *countGrower) grow() {
	defer func() {
		c.b, c.out, c.dist, c.byRow, c.team = nil, nil, nil, nil, nil // c outlives the tree
		clear(c.values)
	}()
	defer c.team.Close()
	c.growAll()
	c.growShares()
}

// growAll grows the nodes on the stack.
func (c *countGrower) growAll() {
	for len(c.stack) > 0 {
		p := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		for c.growNode(&p) {
		}
	}
}

// growNode grows p. If it is split, p becomes the left child, the right one is put on
// the stack, and the answer is true.
func (c *countGrower) growNode(p *countNode) bool {
	if c.team != nil && !c.large(int(p.hi-p.lo)) {
		c.share(*p)
		return false
	}
	if p.classes == 1 {
		c.addPure(p)
		return false
	}
	id := c.add(p)
	best, fixed := c.evaluate(p)
	if best == nil {
		c.stock.drop(c.hists)
		return false
	}
	sp := c.test(best)
	c.out.SetTest(id, sp.feature, sp.cut, nil, sp.missLeft)
	left := countNode{lo: p.lo, hi: p.hi, depth: p.depth + 1, parent: id, fixed: fixed}
	right := left
	right.right = true
	c.partition(&left, &right, p.at, best)
	if c.hists != nil {
		c.inherit(&left, &right)
	}
	c.stack = append(c.stack, right)
	*p = left
	return true
}

// add makes p the current node and appends it to the tree as a leaf.
func (c *countGrower) add(p *countNode) int32 {
	c.rows, c.hists, c.divided = c.items[p.lo:p.hi], p.hists, nil
	c.counts = c.counts[:p.at+p.classes]
	c.present = c.counts[p.at:]
	commonest, codes, weights := c.dist.Extend(len(c.present))
	codes, weights = codes[:len(c.present)], weights[:len(c.present)]
	weight, squares := int64(0), int64(0)
	first := uint64(0) // of the commonest class, the count and, so that the lowest is greatest, the class
	for k, q := range c.present {
		first = max(first, uint64(q.count)<<32|uint64(^uint32(q.class)))
		n := int64(q.count)
		weight += n
		squares += n * n
		codes[k], weights[k] = q.class, float64(n)
	}
	c.most, *commonest = int32(first>>32), int32(^uint32(first))
	w := float64(weight)
	c.weight, c.score, c.tol = weight, float64(squares)/w, tolerance*w
	id := c.out.AddLeaf(int(weight), w, max(0, w-c.score)/w)
	if p.right {
		c.out.Nodes[p.parent].Right = id
	}
	return id
}

// addPure is add for a node of one class, as half of all are, which stays a leaf.
func (c *countGrower) addPure(p *countNode) {
	q := c.counts[p.at]
	c.counts = c.counts[:p.at]
	w := float64(q.count)
	id := c.out.AddLeaf(int(q.count), w, 0)
	c.dist.AddOne(q.class, w)
	if p.right {
		c.out.Nodes[p.parent].Right = id
	}
	c.stock.drop(p.hists)
}

// evaluate finds the split of the current node, nil if it is to have none, and the
// features that are known to be constant below it.
func (c *countGrower) evaluate(p *countNode) (*threshold, uint64) {
	w := float64(c.weight)
	if int(p.depth) >= c.cfg.MaxDepth || int(c.weight) < c.cfg.MinSamplesSplit || w < 2*c.minW {
		return nil, 0
	}
	var (
		best  *threshold
		fixed uint64
	)
	if c.rng == nil {
		best, fixed = c.searchAll(p.fixed)
	} else if c.cfg.Splitter == Random {
		best, fixed = c.searchRandom(p.fixed)
	} else {
		best, fixed = c.searchSome(p.fixed)
	}
	if best == nil || best.gain/c.total+Epsilon < c.cfg.MinImpurityDecrease {
		return nil, 0
	}
	return best, fixed
}

// replaces reports whether a is to replace b, which was found before it, or nil: as
// better has it.
func (a *threshold) replaces(b *threshold, tol float64) bool {
	return a.feature >= 0 && (b == nil || a.gain > b.gain+tol)
}

// searchAll looks at every feature that is not known to be constant, in their
// order.
func (c *countGrower) searchAll(fixed uint64) (*threshold, uint64) {
	c.allow(fixed)
	if c.hists == nil && c.stock.worth(len(c.rows)) {
		c.hists = c.stock.take()
		c.batches(toFill, c.rows)
	}
	c.batches(toSearch, c.rows)
	return c.take(c.found[:len(c.vary)], nil, fixed)
}

// allow sets vary to the features that are not known to be constant.
func (c *countGrower) allow(fixed uint64) {
	c.vary = c.vary[:0]
	for _, j := range c.feats {
		if j >= 64 || fixed>>j&1 == 0 {
			c.vary = append(c.vary, j)
		}
	}
}

// What batches does with a batch.
type countTask int

const (
	toSearch countTask = iota
	toFill
)

// batches does a task for the features that vary, a batch at a time, by the whole
// team where rows make work enough.
func (c *countGrower) batches(task countTask, rows []item) {
	n := (len(c.vary) + batchSize - 1) / batchSize
	if c.team == nil || len(rows)*len(c.vary) < parallelWork {
		for i := range n {
			c.do(task, &c.scratch[0], rows, i)
		}
		return
	}
	c.team.Do(n, func(member, i int) { c.do(task, &c.scratch[member], rows, i) })
}

// do does a task for the i-th batch.
func (c *countGrower) do(task countTask, s *countScratch, rows []item, i int) {
	lo, hi := i*batchSize, min((i+1)*batchSize, len(c.vary))
	if task == toSearch {
		c.searchBatch(s, c.vary[lo:hi], c.found[lo:hi])
	} else {
		c.fillHistograms(rows, c.vary[lo:hi])
	}
}

// take returns the best of best and what was found after it, and fixed with the
// constant features.
func (c *countGrower) take(found []threshold, best *threshold, fixed uint64) (*threshold, uint64) {
	for k := range found {
		t := &found[k]
		if t.constant && t.searched < 64 {
			fixed |= 1 << t.searched
		}
		if t.replaces(best, c.tol) {
			best = t
		}
	}
	return best, fixed
}

// draw draws a feature, not one of the drawn ones before it.
func (c *countGrower) draw(drawn int) int {
	k := drawn + c.rng.intN(len(c.feats)-drawn)
	c.feats[drawn], c.feats[k] = c.feats[k], c.feats[drawn]
	return c.feats[drawn]
}

// searchSome draws features as grower's searchSome does. The draws do not depend
// on what is found, unless all of the first are constant.
func (c *countGrower) searchSome(fixed uint64) (*threshold, uint64) {
	var best *threshold
	s := &c.scratch[0]
	batch, free := c.vary[:0], c.found
	varies := false
	for drawn := range c.feats {
		if drawn >= c.want && varies {
			break
		}
		if j := c.draw(drawn); j >= 64 || fixed>>j&1 == 0 {
			batch = append(batch, j)
		}
		if len(batch) == batchSize || drawn+1 >= c.want && len(batch) > 0 {
			found := free[:len(batch)]
			free = free[len(batch):]
			c.searchBatch(s, batch, found)
			best, fixed = c.take(found, best, fixed)
			for k := range found {
				varies = varies || !found[k].constant
			}
			batch = batch[:0]
		}
	}
	c.vary = batch
	return best, fixed
}

// chainFactor says when a node is searched row by row: where a histogram could
// have more than this many cells for each row. Measured on Letter.
const chainFactor = 8

// searchBatch puts in found what it finds on at most batchSize features.
func (c *countGrower) searchBatch(s *countScratch, feats []int, found []threshold) {
	if t := c.hists; t != nil {
		for k, j := range feats {
			c.search(&found[k], s, j, [4]uint64{t.populated[j]}, c.stock.of(t, j), true)
		}
		return
	}
	if c.batched() {
		s.batch.enter(c.present)
		populated := s.batch.fill(c.byRow, c.rows, feats)
		for k, j := range feats {
			c.searchFeature(&found[k], &s.batch, k, j, populated[k])
		}
		return
	}
	quick := c.bins <= 64 && min(c.bins, len(c.rows))*len(c.present) <= chainFactor*len(c.rows)
	if quick && len(feats) == batchSize {
		populated := c.fillBatch(c.rows, &s.hist, [batchSize]int(feats))
		for k, j := range feats {
			c.search(&found[k], s, j, [4]uint64{populated[k]}, s.hist[k], false)
		}
		return
	}
	for k, j := range feats {
		populated := c.gather(s, j)
		distinct := 0
		for _, m := range populated {
			distinct += bits.OnesCount64(m)
		}
		if distinct*len(c.present) > chainFactor*len(c.rows) {
			s.link(s.codes[:len(c.rows)])
			c.search(&found[k], s, j, populated, nil, false)
		} else {
			c.fill(s, k)
			c.search(&found[k], s, j, populated, s.hist[k], false)
		}
	}
}

// fillBatch adds up the rows' weights by code and class, for four features with
// codes below 64, and returns the codes that occur, as bits.
func (c *countGrower) fillBatch(rows []item, hist *[batchSize][]int32, feats [batchSize]int) (populated [batchSize]uint64) {
	var (
		width          = c.width & 63
		h0, h1, h2, h3 = hist[0], hist[1], hist[2], hist[3]
		j0, j1, j2, j3 = feats[0], feats[1], feats[2], feats[3]
		m0, m1, m2, m3 uint64
		byRow          = c.byRow
	)
	for _, it := range rows {
		at, k, n := it.place(), int(it.class()), it.copies()
		v0, v1, v2, v3 := byRow[at+j0]&63, byRow[at+j1]&63, byRow[at+j2]&63, byRow[at+j3]&63
		h0[int(v0)<<width|k] += n
		h1[int(v1)<<width|k] += n
		h2[int(v2)<<width|k] += n
		h3[int(v3)<<width|k] += n
		m0 |= 1 << v0
		m1 |= 1 << v1
		m2 |= 1 << v2
		m3 |= 1 << v3
	}
	return [batchSize]uint64{m0, m1, m2, m3}
}

// fill sums weights by class and the codes that gather has put in s.
func (c *countGrower) fill(s *countScratch, k int) {
	hist, codes, width := s.hist[k], s.codes[:len(c.rows)], c.width&63
	for p, it := range c.rows {
		hist[int(codes[p])<<width|int(it.class())] += it.copies()
	}
}

// gather copies the codes of feature j to s and returns those that occur, as
// bits.
func (c *countGrower) gather(s *countScratch, j int) (populated [4]uint64) {
	codes := c.byRow[j:]
	to := s.codes[:len(c.rows)]
	for p, it := range c.rows {
		v := codes[it.place()]
		to[p] = v
		s.seen[v] = 1
	}
	bins := c.b.Columns[j].Bins
	for v := 0; v < bins; v += 8 {
		// The product has byte i, 0 or 1, as bit i of its top byte.
		eight := binary.LittleEndian.Uint64(s.seen[v:]) * 0x0102040810204080 >> 56
		populated[v>>6] |= eight << (v & 63)
	}
	clear(s.seen[:bins])
	return populated
}

// search makes best the best threshold of feature j, whose codes are populated and in
// hist or, if that is nil, chained; both are cleared unless hist is to be kept. The
// left side takes up one code after another.
func (c *countGrower) search(best *threshold, s *countScratch, j int, populated [4]uint64, hist []int32, keep bool) {
	*best = threshold{feature: -1, searched: j}
	present, rows, width, chained := c.present, c.rows, c.width&63, hist == nil
	if chained {
		for _, q := range present {
			s.right[uint8(q.class)] = q.count
		}
	}
	var (
		total     = float64(c.weight)
		wl        = int64(0)
		sl        = int64(0) // Σ of squares of the left side's counts
		sr        = int64(0)
		bestScore = math.Inf(-1)
		codes     = 0
		open      = false // whether best waits for the code after it
	)
	for _, q := range present {
		sr += int64(q.count) * int64(q.count)
	}
	for word, set := range populated {
		for ; set != 0; set &= set - 1 {
			v := word<<6 | bits.TrailingZeros64(set)
			codes++
			if open {
				best.next, open = uint8(v), false
			}
			if chained {
				for p := s.head[v]; p > 0; p = s.chain[p-1] {
					it := rows[p-1]
					n := int64(it.copies())
					l, r := int64(s.left[it.class()]), int64(s.right[it.class()])
					wl += n
					sl += n * (2*l + n)
					sr -= n * (2*r - n)
					s.left[it.class()], s.right[it.class()] = int32(l+n), int32(r-n)
				}
				s.head[v] = 0
			} else {
				sl, sr = 0, 0
				cells := hist[v<<width : (v+1)<<width]
				for k, q := range present {
					h := cells[q.class]
					if !keep {
						cells[q.class] = 0
					}
					l := s.left[uint8(k)] + h
					s.left[uint8(k)] = l
					r := q.count - l
					wl += int64(h)
					sl += int64(l) * int64(l)
					sr += int64(r) * int64(r)
				}
			}
			if wl == c.weight {
				break
			}
			w := float64(wl)
			score := float64(sl)/w + float64(sr)/(total-w)
			if score > bestScore+c.tol && w >= c.minW && total-w >= c.minW {
				bestScore, open = score, true
				best.feature, best.last, best.wl = j, uint8(v), wl
			}
		}
	}
	if chained {
		for _, q := range present {
			s.left[uint8(q.class)], s.right[uint8(q.class)] = 0, 0
		}
	} else {
		clear(s.left[:len(present)])
	}
	best.gain = bestScore - c.score
	best.constant = codes < 2
}

// link chains the places of each code.
func (s *countScratch) link(codes []uint8) {
	chain := s.chain[:len(codes)]
	for p, v := range codes {
		chain[p] = s.head[v]
		s.head[v] = int32(p) + 1
	}
}

// test makes a threshold of the current node into the split that the tree
// keeps.
func (c *countGrower) test(best *threshold) split {
	col := &c.b.Columns[best.feature]
	sp := split{feature: int32(best.feature), missLeft: best.wl > c.weight-best.wl}
	switch {
	case c.cfg.Splitter != Random:
		sp.cut = cutBetween(col, uint32(best.last), uint32(best.next), c.cfg.Rule)
	case c.cfg.Rule == flattree.AtLeast:
		next := uint8(math.MaxUint8)
		for _, it := range c.rows {
			if v := c.byRow[it.place()+best.feature]; v > best.last {
				next = min(next, v)
			}
		}
		sp.cut = col.Value(uint32(next))
	default:
		sp.cut = math.Nextafter(best.drawn, math.Inf(1))
	}
	return sp
}

// partition divides the rows and the classes of the current node between left and
// right. Rows that go left are moved to the front, in any order, as sums of whole
// numbers are the same in any. The right side's class counts take the place of the
// node's, at, and the left side's, which is grown first, come behind it.
func (c *countGrower) partition(left, right *countNode, at int32, best *threshold) {
	sums := &c.scratch[0].left
	var mid int
	if c.divided != nil {
		mid = moveMarked(c.rows, c.divided.marks, 2*c.lane, c.spare)
	} else {
		mid = moveLeft(c.rows, c.byRow[best.feature:], best.last, sums)
	}
	behind := at + int32(len(c.present))
	c.counts = slices.Grow(c.counts, len(c.present))
	both := c.counts[at : behind+int32(len(c.present))]
	// Each class is written to either side and kept where it has rows.
	l, r := len(c.present), 0
	for k := range c.present {
		q := both[k]
		var n int32 // on the left
		if c.divided != nil {
			n = int32(c.divided.lefts[k%batchClasses][c.lane%batchSize])
		} else {
			n = sums[uint8(q.class)]
			sums[uint8(q.class)] = 0
		}
		both[l], both[r] = classCount{q.class, n}, classCount{q.class, q.count - n}
		if n > 0 {
			l++
		}
		if n < q.count {
			r++
		}
	}
	left.hi += int32(mid - len(c.rows))
	right.lo = left.hi
	left.at, left.classes = behind, int32(l-len(c.present))
	right.at, right.classes = at, int32(r)
	c.counts = c.counts[:behind+left.classes]
}

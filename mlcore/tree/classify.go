package tree

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// classTask grows a classification tree. Within a node classes are renumbered
// to those that are present, which keeps the histograms of deep nodes small.
type classTask struct {
	cfg    Config
	b      *Binned
	sample *sample
	y      []int32 // by row
	out    *Classifier
	minW   float64 // least weight of a leaf
	countN bool    // whether MinSamplesLeaf needs a count of its own

	// The current node.
	nodeRows []int32
	sum      summary
	k        int       // classes present
	present  []int32   // their codes, ascending
	weights  []float64 // their weights
	score    float64   // see score
	yNode    []int32   // classes of the rows, renumbered
	wNode    []float64 // weights of the rows; nil where all are 1
	whole    bool      // whether weights are numbers of copies
	counts   []int64   // weights once more, where whole
	all      []float64 // weights of all K classes; zero between nodes
	local    []int32   // class code to place in present
	xlogx    []float64 // v·log₂ v for whole v, for Entropy
}

func newClassTask(ws *workspace, cfg Config, b *Binned, s *sample, classes int, out *Classifier) *classTask {
	ws.yNode = grow(ws.yNode, len(s.rows))
	t := &classTask{
		cfg: cfg, b: b, sample: s, y: ws.y, out: out,
		minW:    s.leafWeight(cfg),
		countN:  cfg.MinSamplesLeaf > 1 && !s.counts,
		whole:   s.counts,
		present: make([]int32, 0, classes),
		weights: make([]float64, 0, classes),
		all:     make([]float64, classes),
		local:   make([]int32, classes),
		yNode:   ws.yNode,
	}
	if s.w != nil {
		ws.wNode = grow(ws.wNode, len(s.rows))
		t.wNode = ws.wNode
	}
	if cfg.Criterion == Entropy && s.counts && s.total < 1<<20 {
		t.xlogx = make([]float64, int(s.total)+1)
		for v := 2; v < len(t.xlogx); v++ {
			t.xlogx[v] = float64(v) * elementary.Log2(float64(v))
		}
	}
	return t
}

func (t *classTask) enter(rows []int32) summary {
	y, all, present := t.yNode[:len(rows)], t.all, t.present[:0]
	if t.sample.w == nil {
		for p, i := range rows {
			c := t.y[i]
			y[p] = c
			if all[c] == 0 {
				present = append(present, c)
			}
			all[c]++
		}
	} else {
		wNode := t.wNode[:len(rows)]
		for p, i := range rows {
			c, w := t.y[i], t.sample.w[i]
			y[p], wNode[p] = c, w
			if all[c] == 0 {
				present = append(present, c)
			}
			all[c] += w
		}
	}
	if len(present) > 1 {
		slices.Sort(present)
	}
	t.present, t.weights, t.counts = present, t.weights[:0], t.counts[:0]
	weight := 0.0
	for k, c := range present {
		w := all[c]
		t.local[c] = int32(k)
		t.weights = append(t.weights, w)
		t.counts = append(t.counts, int64(w))
		weight += w
		all[c] = 0
	}
	samples := len(rows)
	switch {
	case t.whole:
		samples = int(weight)
	case t.sample.copies != nil:
		samples = 0
		for _, i := range rows {
			samples += int(t.sample.copies[i])
		}
	}
	t.k = len(t.present)
	if t.k > 1 && t.k < len(t.all) {
		for p, c := range y {
			y[p] = t.local[c]
		}
	}
	t.nodeRows = rows
	t.sum = summary{samples: samples, weight: weight, pure: t.k == 1, tol: tolerance * weight}
	if t.k > 1 {
		t.score = t.scoreOf(t.weights, weight)
		t.sum.impurity = max(0, t.fullScore(weight)-t.score) / weight
	}
	return t.sum
}

// Every criterion is written as a score of a set of rows with class weights c
// and sum W, such that weight times impurity is fullScore(W) - score(c):
//
//	Gini               W - Σ c²/W
//	Entropy            W log W - Σ c log c
//	Misclassification  W - max c
//
// The gain of a split is then the children's scores less their parent's.
func (t *classTask) scoreOf(c []float64, w float64) float64 {
	switch t.cfg.Criterion {
	case Gini:
		s := 0.0
		for _, v := range c {
			s += float64(v * v)
		}
		return s / w
	case Entropy:
		s := 0.0
		for _, v := range c {
			s += t.xlog2x(v)
		}
		return s - t.xlog2x(w) + w
	default:
		top := 0.0 // weights are positive; slices.Max would look out for NaN
		for _, v := range c {
			if v > top {
				top = v
			}
		}
		return top
	}
}

// fullScore is the score of a pure set. Entropy's scores are offset by W so
// that this is W for all.
func (t *classTask) fullScore(w float64) float64 { return w }

func (t *classTask) xlog2x(v float64) float64 {
	if t.xlogx != nil {
		return t.xlogx[int(v)]
	}
	if v <= 0 {
		return 0
	}
	return v * elementary.Log2(v)
}

func (t *classTask) emit() { t.out.add(t.present, t.weights) }

func (t *classTask) renumber(order []int32) { t.out.distributions = t.out.pick(order) }

// histogramFactor says when a node is searched by histogram: where it has at
// least one row for this many cells. Measured on Letter.
const histogramFactor = 4

func (t *classTask) search(s *scratch, j int, rows []int32) (split, bool) {
	col := &t.b.cols[j]
	s.left, s.right = grow(s.left, t.k), grow(s.right, t.k)
	if col.levels > 0 {
		return t.searchCategories(s, j, rows)
	}
	if col.bins < 2 {
		return noSplit, true
	}
	if !col.missing && !t.countN && col.bins*t.k <= histogramFactor*len(rows) {
		if t.whole && t.cfg.Criterion == Gini {
			s.whole = grow(s.whole, col.bins*t.k)
			fillHistogram(s.whole, col, rows, t.yNode, t.wNode, t.k)
			return t.scanWhole(s, j, col)
		}
		s.hist = grow(s.hist, col.bins*t.k)
		fillHistogram(s.hist, col, rows, t.yNode, t.wNode, t.k)
		return t.scanHistogram(s, j, col)
	}
	keys := s.sorted(col, rows)
	m := len(keys)
	if keys[0]>>32 == keys[m-1]>>32 {
		return noSplit, true
	}
	best := t.scanSorted(s, keys, 0)
	if best.feature >= 0 {
		best.feature = int32(j)
		best.cut = col.cut(best.last, nextCode(keys, best.last), t.cfg.Rule)
		best.missLeft = best.wl > best.wr
	}
	if col.missing && keys[m-1]>>32 == uint64(col.bins-1) {
		best.missLeft = false
		// Once more with the missing values on the left.
		first := m
		for keys[first-1]>>32 == uint64(col.bins-1) {
			first--
		}
		s.swap = append(append(s.swap[:0], keys[first:]...), keys[:first]...)
		if sp := t.scanSorted(s, s.swap, m-first); sp.feature >= 0 && (best.feature < 0 || sp.gain > best.gain+t.sum.tol) {
			best = sp
			best.feature = int32(j)
			best.missLeft = true
			best.cut = col.cut(best.last, nextCode(s.swap[m-first:], best.last), t.cfg.Rule)
		}
	}
	return best, false
}

// nextCode is the least code above last in keys, which ascend.
func nextCode(keys []uint64, last uint32) uint32 {
	p, _ := slices.BinarySearch(keys, uint64(last+1)<<32)
	return uint32(keys[p] >> 32)
}

// fillHistogram sums weights by code and class. Cells are whole numbers where
// weights are: adding those waits for less.
func fillHistogram[H int32 | float64](hist []H, col *column, rows []int32, y []int32, w []float64, k int) {
	clear(hist)
	y = y[:len(rows)]
	switch {
	case col.c8 != nil:
		addToHistogram(hist, rows, col.c8, y, w, k)
	case col.c16 != nil:
		addToHistogram(hist, rows, col.c16, y, w, k)
	default:
		addToHistogram(hist, rows, col.c32, y, w, k)
	}
}

func addToHistogram[H int32 | float64, C uint8 | uint16 | uint32](hist []H, rows []int32, codes []C, y []int32, w []float64, k int) {
	y = y[:len(rows)]
	if w == nil {
		for p, i := range rows {
			hist[int(codes[i])*k+int(y[p])]++
		}
		return
	}
	w = w[:len(rows)]
	for p, i := range rows {
		hist[int(codes[i])*k+int(y[p])] += H(w[p])
	}
}

// scanWhole is scanHistogram for Gini and whole weights.
func (t *classTask) scanWhole(s *scratch, j int, col *column) (split, bool) {
	k := t.k
	s.leftWhole = grow(s.leftWhole, k)
	left, all := s.leftWhole[:k], t.counts[:k]
	clear(left)
	var (
		total     = t.sum.weight
		wl        = 0.0
		score     = 0.0
		bestScore = math.Inf(-1)
		bestWl    = 0.0
		bestLast  = -1
		bestNext  = 0
		last      = -1
		first     = -1
	)
	for b := range col.bins {
		row := s.whole[b*k : b*k+k]
		left, all := left[:len(row)], all[:len(row)]
		var wb, sl, sr int64
		for c, h := range row {
			l := left[c] + int64(h)
			left[c] = l
			r := all[c] - l
			wb += int64(h)
			sl += l * l
			sr += r * r
		}
		if wb == 0 {
			continue
		}
		if last < 0 {
			first = b
		} else if score > bestScore+t.sum.tol && wl >= t.minW && total-wl >= t.minW {
			bestScore, bestLast, bestNext, bestWl = score, last, b, wl
		}
		wl += float64(wb)
		last = b
		if wl == total {
			break
		}
		score = float64(sl)/wl + float64(sr)/(total-wl)
	}
	if bestLast < 0 {
		return noSplit, first == last
	}
	return split{
		feature: int32(j), last: uint32(bestLast), gain: bestScore - t.score,
		cut: col.cut(uint32(bestLast), uint32(bestNext), t.cfg.Rule), missLeft: bestWl > total-bestWl,
		wl: bestWl, wr: total - bestWl,
	}, false
}

// scanHistogram walks the bins of a numeric column in order.
func (t *classTask) scanHistogram(s *scratch, j int, col *column) (split, bool) {
	var (
		k           = t.k
		total       = t.sum.weight
		all         = t.weights[:k]
		left, right = s.left[:k], s.right[:k]
		wl          = 0.0
		bestScore   = math.Inf(-1)
		bestLast    = -1
		bestNext    = 0
		bestWl      = 0.0
		seen        = 0
		score       = 0.0
		last        = 0
	)
	clear(left)
	for b := range col.bins {
		row := s.hist[b*k : b*k+k]
		var wb, sl, sr float64
		if t.cfg.Criterion == Gini {
			for c, h := range row {
				l := left[c] + h
				left[c] = l
				r := all[c] - l
				wb += h
				sl += float64(l * l)
				sr += float64(r * r)
			}
		} else {
			for c, h := range row {
				l := left[c] + h
				left[c] = l
				right[c] = all[c] - l
				wb += h
			}
		}
		if wb == 0 {
			continue
		}
		// The boundary below this bin, with the score of all bins before it.
		if seen > 0 && wl >= t.minW && total-wl >= t.minW && score > bestScore+t.sum.tol {
			bestScore, bestLast, bestNext, bestWl = score, last, b, wl
		}
		seen++
		wl += wb
		last = b
		if wr := total - wl; wr <= 0 {
			score = math.Inf(-1)
		} else if t.cfg.Criterion == Gini {
			score = sl/wl + sr/wr
		} else {
			score = t.scoreOf(left, wl) + t.scoreOf(right, wr)
		}
	}
	if bestLast < 0 {
		return noSplit, seen < 2
	}
	return split{
		feature: int32(j), last: uint32(bestLast), gain: bestScore - t.score,
		cut: col.cut(uint32(bestLast), uint32(bestNext), t.cfg.Rule), missLeft: bestWl > total-bestWl,
		wl: bestWl, wr: total - bestWl,
	}, false
}

// scanSorted walks rows in the order of their codes. The first start of them
// are on the left from the beginning. The result's feature is 0 or, where no
// boundary will do, -1.
func (t *classTask) scanSorted(s *scratch, keys []uint64, start int) split {
	var (
		total     = t.sum.weight
		left      = s.left[:t.k]
		all       = t.weights[:t.k]
		y         = t.yNode
		w         = 1.0
		unit      = t.sample.w == nil
		wl        = 0.0
		n         = 0
		sl        = 0.0
		sr        = 0.0 // Gini, Entropy: the running sums of the two sides
		best      = noSplit
		bestScore = math.Inf(-1)
		crit      = t.cfg.Criterion
	)
	clear(left)
	for _, v := range all {
		if crit == Gini {
			sr += float64(v * v)
		} else if crit == Entropy {
			sr += t.xlog2x(v)
		}
	}
	for p, key := range keys {
		if p > start && key>>32 != keys[p-1]>>32 {
			if wr := total - wl; wl >= t.minW && wr >= t.minW && wr > 0 && (!t.countN || t.bothLarge(n)) {
				var score float64
				switch crit {
				case Gini:
					score = sl/wl + sr/wr
				case Entropy:
					score = sl - t.xlog2x(wl) + wl + sr - t.xlog2x(wr) + wr
				default:
					l, r := 0.0, 0.0
					for c, v := range left {
						l, r = max(l, v), max(r, all[c]-v)
					}
					score = l + r
				}
				if score > bestScore+t.sum.tol {
					bestScore = score
					best.last, best.wl = uint32(keys[p-1]>>32), wl
				}
			}
		}
		q := uint32(key)
		c := y[q]
		if !unit {
			w = t.wNode[q]
		}
		l := left[c]
		switch crit {
		case Gini:
			sl += float64(w * (float64(2*l) + w))
			sr -= float64(w * (float64(2*(all[c]-l)) - w))
		case Entropy:
			r := all[c] - l
			sl += t.xlog2x(l+w) - t.xlog2x(l)
			sr += t.xlog2x(r-w) - t.xlog2x(r)
		}
		left[c] = l + w
		wl += w
		if t.countN {
			n += t.copiesAt(q)
		}
	}
	if math.IsInf(bestScore, -1) {
		return noSplit
	}
	best.feature = 0
	best.gain = bestScore - t.score
	best.wr = total - best.wl
	return best
}

// copiesAt is the number of rows that the row at place q of the node counts for.
func (t *classTask) copiesAt(q uint32) int {
	if t.sample.copies == nil {
		return 1
	}
	return int(t.sample.copies[t.nodeRows[q]])
}

// bothLarge reports whether n rows on the left leave enough on both sides.
func (t *classTask) bothLarge(n int) bool {
	return n >= t.cfg.MinSamplesLeaf && t.sum.samples-n >= t.cfg.MinSamplesLeaf
}

// histogram fills a histogram of feature j if that is the quicker way to search
// it, and returns the least and the greatest code in it.
func (t *classTask) histogram(s *scratch, j int, rows []int32) (lo, hi uint32, ok bool) {
	col := &t.b.cols[j]
	if col.missing || t.countN || !t.whole || col.bins*t.k > histogramFactor*len(rows) {
		return 0, 0, false
	}
	k := t.k
	s.whole = grow(s.whole, col.bins*k)
	fillHistogram(s.whole, col, rows, t.yNode, t.wNode, k)
	empty := func(b int) bool {
		for _, h := range s.whole[b*k : b*k+k] {
			if h != 0 {
				return false
			}
		}
		return true
	}
	first, last := 0, col.bins-1
	for empty(first) {
		first++
	}
	for empty(last) {
		last--
	}
	return uint32(first), uint32(last), true
}

// tryHistogram is try on what histogram filled.
func (t *classTask) tryHistogram(s *scratch, last uint32) split {
	s.left, s.right = grow(s.left, t.k), grow(s.right, t.k)
	clear(s.left)
	wl := 0.0
	for b := range int(last) + 1 {
		for c, h := range s.whole[b*t.k : b*t.k+t.k] {
			s.left[c] += float64(h)
			wl += float64(h)
		}
	}
	sp := t.judge(s, wl, 0)
	sp.last, sp.missLeft = last, sp.wl > sp.wr
	return sp
}

// try evaluates one given split on the numeric feature j.
func (t *classTask) try(s *scratch, j int, rows []int32, last uint32) split {
	col := &t.b.cols[j]
	s.left, s.right = grow(s.left, t.k), grow(s.right, t.k)
	// Three places for each class: left, right and missing.
	s.hist = grow(s.hist, 6*t.k)
	clear(s.hist)
	y := t.yNode[:len(rows)]
	switch {
	case col.missing:
		t.sideSums(s.hist, col, rows, last)
	case col.c8 != nil:
		addSides(s.hist, rows, col.c8, y, t.wNode, t.k, last)
	case col.c16 != nil:
		addSides(s.hist, rows, col.c16, y, t.wNode, t.k, last)
	default:
		addSides(s.hist, rows, col.c32, y, t.wNode, t.k, last)
	}
	n := [3]int{}
	if t.countN {
		n = t.sideCounts(col, rows, last)
	}
	wl, wMiss := 0.0, 0.0
	for c := range t.k {
		s.left[c] = s.hist[c]
		wl += s.hist[c]
		wMiss += s.hist[2*t.k+c]
	}
	best := t.judge(s, wl, n[0])
	best.last = last
	if wMiss == 0 {
		best.missLeft = best.wl > best.wr
		return best
	}
	for c := range t.k {
		s.left[c] += s.hist[2*t.k+c]
	}
	if sp := t.judge(s, wl+wMiss, n[0]+n[2]); sp.feature >= 0 && (best.feature < 0 || sp.gain > best.gain+t.sum.tol) {
		best = sp
		best.last, best.missLeft = last, true
	}
	return best
}

// addSides sums weights by side and class. Even and odd rows have sums of their
// own, 3k apart, so that two rows of a class do not wait for each other.
func addSides[C uint8 | uint16 | uint32](hist []float64, rows []int32, codes []C, y []int32, w []float64, k int, last uint32) {
	y = y[:len(rows)]
	if w == nil {
		odd := 0
		for p, i := range rows {
			c := int(y[p]) + odd
			if uint32(codes[i]) > last {
				c += k
			}
			hist[c]++
			odd = 3*k - odd
		}
	} else {
		w = w[:len(rows)]
		odd := 0
		for p, i := range rows {
			c := int(y[p]) + odd
			if uint32(codes[i]) > last {
				c += k
			}
			hist[c] += w[p]
			odd = 3*k - odd
		}
	}
	for c := range 2 * k {
		hist[c] += hist[3*k+c]
	}
}

// side is 0 for left, 1 for right and 2 for missing.
func (c *column) side(row int32, last uint32) int {
	switch v := c.code(row); {
	case c.missing && v == uint32(c.bins-1):
		return 2
	case v > last:
		return 1
	}
	return 0
}

func (t *classTask) sideSums(hist []float64, col *column, rows []int32, last uint32) {
	for p, i := range rows {
		w := 1.0
		if t.wNode != nil {
			w = t.wNode[p]
		}
		hist[col.side(i, last)*t.k+int(t.yNode[p])] += w
	}
}

func (t *classTask) sideCounts(col *column, rows []int32, last uint32) (n [3]int) {
	for p, i := range rows {
		n[col.side(i, last)] += t.copiesAt(uint32(p))
	}
	return n
}

// judge scores the split that has class weights s.left on the left; n is the
// number of rows there, looked at only where it is not the weight.
func (t *classTask) judge(s *scratch, wl float64, n int) split {
	wr := t.sum.weight - wl
	if wl <= 0 || wr <= 0 || wl < t.minW || wr < t.minW || t.countN && !t.bothLarge(n) {
		return noSplit
	}
	for c, l := range s.left {
		s.right[c] = max(0, t.weights[c]-l)
	}
	return split{gain: t.scoreOf(s.left, wl) + t.scoreOf(s.right, wr) - t.score, wl: wl, wr: wr}
}

// exhaustive is the greatest number of categories for which every pair of sets
// is tried where there are more than two classes.
const exhaustive = 8

func (t *classTask) searchCategories(s *scratch, j int, rows []int32) (split, bool) {
	col := &t.b.cols[j]
	k := t.k
	s.hist = grow(s.hist, col.bins*k)
	clear(s.hist)
	s.counts = grow(s.counts, col.bins)
	clear(s.counts)
	for p, i := range rows {
		c := int(col.code(i))
		w := 1.0
		if t.sample.w != nil {
			w = t.wNode[p]
		}
		s.hist[c*k+int(t.yNode[p])] += w
		s.counts[c] += uint32(t.copiesAt(uint32(p)))
	}
	order := s.order[:0]
	for c, n := range s.counts[:col.bins] {
		if n > 0 {
			order = append(order, int32(c))
		}
	}
	s.order = order
	if len(order) < 2 {
		return noSplit, true
	}
	best := noSplit
	words := setWords(col.levels)
	if k > 2 && len(order) <= exhaustive {
		// The first category stays on the left; the others take every side.
		for mask := range uint(1)<<(len(order)-1) - 1 {
			clear(s.left)
			wl, n := 0.0, 0
			for o, c := range order {
				if o == 0 || mask>>(o-1)&1 != 0 {
					wl += t.moveLeft(s, int(c))
					n += int(s.counts[c])
				}
			}
			if sp := t.judge(s, wl, n); sp.feature >= 0 && sp.gain > best.gain+t.sum.tol {
				best = sp
				best.set = make([]uint64, words)
				for o, c := range order {
					if o == 0 || mask>>(o-1)&1 != 0 {
						best.set[c>>6] |= 1 << (c & 63)
					}
				}
			}
		}
	} else {
		first := order[0]
		share := make([]float64, col.bins)
		for class := range k {
			if k == 2 && class == 1 {
				break // the order by class 0, reversed
			}
			for _, c := range order {
				sum := 0.0
				for _, w := range s.hist[int(c)*k : int(c)*k+k] {
					sum += w
				}
				share[c] = s.hist[int(c)*k+class] / sum
			}
			slices.SortFunc(order, func(a, b int32) int {
				return cmp.Or(cmp.Compare(share[a], share[b]), cmp.Compare(a, b))
			})
			clear(s.left)
			wl, n := 0.0, 0
			for o, c := range order[:len(order)-1] {
				wl += t.moveLeft(s, int(c))
				n += int(s.counts[c])
				if sp := t.judge(s, wl, n); sp.feature >= 0 && sp.gain > best.gain+t.sum.tol {
					best = sp
					best.set = make([]uint64, words)
					for _, c := range order[:o+1] {
						best.set[c>>6] |= 1 << (c & 63)
					}
				}
			}
		}
		slices.Sort(order)
		if best.feature >= 0 && best.set[first>>6]>>(first&63)&1 == 0 {
			best.swapSides(order)
		}
	}
	if best.feature >= 0 {
		best.feature = int32(j)
		best.absent(order, col.levels)
	}
	return best, false
}

func (t *classTask) moveLeft(s *scratch, category int) float64 {
	sum := 0.0
	for c, w := range s.hist[category*t.k : category*t.k+t.k] {
		s.left[c] += w
		sum += w
	}
	return sum
}

// swapSides exchanges left and right, so that the lowest category is on the
// left and a split has one form.
func (sp *split) swapSides(present []int32) {
	for _, c := range present {
		sp.set[c>>6] ^= 1 << (c & 63)
	}
	sp.wl, sp.wr = sp.wr, sp.wl
}

// absent sends what the node has not seen, missing values included, to the
// heavier child.
func (sp *split) absent(present []int32, levels int) {
	if sp.wl < sp.wr {
		return
	}
	for c := range int32(levels + 1) {
		if _, seen := slices.BinarySearch(present, c); !seen {
			sp.set[c>>6] |= 1 << (c & 63)
		}
	}
}

package tree

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// regTask grows a regression tree. Within a node targets are taken less the
// node's mean, which keeps sums of squares exact far from zero.
type regTask struct {
	cfg    Config
	b      *Binned
	sample *sample
	y      []float64 // by row
	out    *Regressor
	minW   float64
	countN bool

	// The current node.
	sum      summary
	nodeRows []int32
	value    float64
	mean     float64
	yNode    []float64 // targets of the rows less the mean
	wNode    []float64
	rest     float64 // Σ w·y of yNode: 0 but for rounding
	// For AbsoluteError.
	ranks   []int32   // of the rows' targets in levels
	levels  []float64 // distinct targets, ascending
	byValue []int32
	loss    float64 // Σ w |y - median|
}

func newRegTask(ws *workspace, cfg Config, b *Binned, s *sample, y []float64, out *Regressor) *regTask {
	ws.w, ws.wNode = grow(ws.w, len(s.rows)), grow(ws.wNode, len(s.rows))
	t := &regTask{
		cfg: cfg, b: b, sample: s, y: y, out: out,
		minW:   s.leafWeight(cfg),
		countN: cfg.MinSamplesLeaf > 1 && !s.counts,
		yNode:  ws.w,
		wNode:  ws.wNode,
	}
	if cfg.Criterion == AbsoluteError {
		t.ranks, t.byValue = make([]int32, len(s.rows)), make([]int32, len(s.rows))
	}
	return t
}

func (t *regTask) enter(rows []int32) summary {
	t.nodeRows = rows
	samples := len(rows)
	y, w := t.yNode[:len(rows)], t.wNode[:len(rows)]
	lo, hi := math.Inf(1), math.Inf(-1)
	weight, mean := 0.0, 0.0
	for p, i := range rows {
		y[p], w[p] = t.y[i], 1
		if t.sample.w != nil {
			w[p] = t.sample.w[i]
		}
		weight += w[p]
		mean += float64(w[p] * y[p])
		lo, hi = min(lo, y[p]), max(hi, y[p])
	}
	if t.sample.copies != nil {
		samples = 0
		for _, i := range rows {
			samples += int(t.sample.copies[i])
		}
	}
	mean /= weight
	if lo == hi {
		mean = lo
	}
	sse, rest := 0.0, 0.0
	for p := range y {
		y[p] -= mean
		rest += float64(w[p] * y[p])
		sse += float64(w[p] * y[p] * y[p])
	}
	t.mean, t.value, t.rest = mean, mean, rest
	t.loss = sse
	if t.cfg.Criterion == AbsoluteError {
		t.rank(y)
		f := newFenwick(t.levels, nil)
		for p := range y {
			f.add(t.ranks[p], w[p])
		}
		var med float64
		med, t.loss = f.median()
		t.value = mean + med
		if lo == hi {
			t.value = lo
		}
	}
	t.sum = summary{
		samples: samples, weight: weight, impurity: max(0, t.loss/weight),
		pure: lo == hi, tol: 1e-12 * t.loss,
	}
	if t.sum.pure {
		t.sum.impurity = 0
	}
	return t.sum
}

// rank fills levels and ranks from the node's targets.
func (t *regTask) rank(y []float64) {
	by := t.byValue[:len(y)]
	for p := range by {
		by[p] = int32(p)
	}
	slices.SortFunc(by, func(a, b int32) int { return cmp.Or(cmp.Compare(y[a], y[b]), cmp.Compare(a, b)) })
	t.levels = t.levels[:0]
	for k, p := range by {
		if k == 0 || y[p] != y[by[k-1]] {
			t.levels = append(t.levels, y[p])
		}
		t.ranks[p] = int32(len(t.levels) - 1)
	}
}

func (t *regTask) emit() { t.out.value = append(t.out.value, t.value) }

func (t *regTask) renumber(order []int32) { t.out.value = given.Pick(t.out.value, order) }

func (t *regTask) search(s *scratch, j int, rows []int32) (split, bool) {
	col := &t.b.cols[j]
	if col.levels > 0 {
		return t.searchCategories(s, j, rows)
	}
	if col.bins < 2 {
		return noSplit, true
	}
	if t.cfg.Criterion != AbsoluteError && !col.missing && !t.countN && col.bins <= len(rows) {
		return t.searchHistogram(s, j, col, rows)
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

// A set of rows with weight W and Σ w·y = S has squared error Σ w·y² - S²/W, so
// the gain of a split is S_l²/W_l + S_r²/W_r - S²/W.
func (t *regTask) gain(sl, wl float64) float64 {
	sr, wr := t.rest-sl, t.sum.weight-wl
	return float64(sl*sl)/wl + float64(sr*sr)/wr - float64(t.rest*t.rest)/t.sum.weight
}

func (t *regTask) searchHistogram(s *scratch, j int, col *column, rows []int32) (split, bool) {
	t.sumByCode(s, col, rows)
	best := noSplit
	sl, wl := 0.0, 0.0
	last, seen := 0, 0
	for b := range col.bins {
		wb := s.hist[2*b]
		if wb == 0 {
			continue
		}
		if wr := t.sum.weight - wl; seen > 0 && wl >= t.minW && wr >= t.minW && wr > 0 {
			if gain := t.gain(sl, wl); gain > best.gain+t.sum.tol {
				best = split{feature: int32(j), last: uint32(last), gain: gain, wl: wl, wr: wr}
				best.cut = col.cut(uint32(last), uint32(b), t.cfg.Rule)
			}
		}
		sl += s.hist[2*b+1]
		wl += wb
		last = b
		seen++
	}
	best.missLeft = best.wl > best.wr
	return best, seen < 2
}

// sumByCode puts Σ w and Σ w·y of the rows of each code c at 2c and 2c+1 of s.hist.
func (t *regTask) sumByCode(s *scratch, col *column, rows []int32) {
	s.hist = grow(s.hist, 2*col.bins)
	clear(s.hist)
	y, w := t.yNode[:len(rows)], t.wNode[:len(rows)]
	switch {
	case col.c8 != nil:
		addSums(s.hist, rows, col.c8, y, w)
	case col.c16 != nil:
		addSums(s.hist, rows, col.c16, y, w)
	default:
		addSums(s.hist, rows, col.c32, y, w)
	}
}

func addSums[C uint8 | uint16 | uint32](hist []float64, rows []int32, codes []C, y, w []float64) {
	y, w = y[:len(rows)], w[:len(rows)]
	for p, i := range rows {
		b := 2 * int(codes[i])
		hist[b] += w[p]
		hist[b+1] += float64(w[p] * y[p])
	}
}

// scanSorted is that of classTask for targets.
func (t *regTask) scanSorted(s *scratch, keys []uint64, start int) split {
	var (
		best   = noSplit
		sl, wl float64
		n      int
		l, r   *fenwick
	)
	if t.cfg.Criterion == AbsoluteError {
		l, r = newFenwick(t.levels, s.fenwick[0]), newFenwick(t.levels, s.fenwick[1])
		s.fenwick = [2][]float64{l.sums, r.sums}
		for p := range keys {
			r.add(t.ranks[p], t.wNode[p])
		}
	}
	for p, key := range keys {
		if p > start && key>>32 != keys[p-1]>>32 {
			if wr := t.sum.weight - wl; wl >= t.minW && wr >= t.minW && wr > 0 && (!t.countN || t.bothLarge(n)) {
				var gain float64
				if l == nil {
					gain = t.gain(sl, wl)
				} else {
					_, lossL := l.median()
					_, lossR := r.median()
					gain = t.loss - lossL - lossR
				}
				if gain > best.gain+t.sum.tol {
					best = split{gain: gain, last: uint32(keys[p-1] >> 32), wl: wl, wr: wr}
				}
			}
		}
		q := uint32(key)
		w := t.wNode[q]
		if l == nil {
			sl += float64(w * t.yNode[q])
		} else {
			l.add(t.ranks[q], w)
			r.add(t.ranks[q], -w)
		}
		wl += w
		if t.countN {
			n += t.copiesAt(q)
		}
	}
	return best
}

func (t *regTask) copiesAt(q uint32) int {
	if t.sample.copies == nil {
		return 1
	}
	return int(t.sample.copies[t.nodeRows[q]])
}

func (t *regTask) bothLarge(n int) bool {
	return n >= t.cfg.MinSamplesLeaf && t.sum.samples-n >= t.cfg.MinSamplesLeaf
}

func (t *regTask) histogram(*scratch, int, []int32) (lo, hi uint32, ok bool) { return 0, 0, false }

func (t *regTask) tryHistogram(*scratch, uint32) split { return noSplit }

// try scores one split by sorting the rows into a few keys: left, right and
// missing.
func (t *regTask) try(s *scratch, j int, rows []int32, last uint32) split {
	col := &t.b.cols[j]
	miss := uint32(math.MaxUint32)
	if col.missing {
		miss = uint32(col.bins - 1)
	}
	s.keys = grow(s.keys, len(rows))
	missing := 0
	for p, i := range rows {
		side := uint64(0)
		if c := col.code(i); c == miss {
			side = 2
			missing++
		} else if c > last {
			side = 1
		}
		s.keys[p] = side<<32 | uint64(p)
	}
	keys := s.sortKeys(s.keys, 2)
	best := t.bound(t.scanSorted(s, keys, 0), 0)
	if first := len(keys) - missing; missing > 0 && first > 0 {
		s.swap = append(append(s.swap[:0], keys[first:]...), keys[:first]...)
		if sp := t.bound(t.scanSorted(s, s.swap, missing), 0); sp.feature >= 0 && (best.feature < 0 || sp.gain > best.gain+t.sum.tol) {
			best = sp
			best.missLeft = true
		}
	} else {
		best.missLeft = best.wl > best.wr
	}
	best.last = last
	return best
}

// bound drops a split that lies elsewhere than after key last.
func (t *regTask) bound(sp split, last uint32) split {
	if sp.last != last {
		return noSplit
	}
	return sp
}

// searchCategories orders the categories by their mean target, where the best
// pair of sets is a prefix of the order (Fisher, 1958; Breiman et al., 1984,
// section 4.2), and searches that as a number.
func (t *regTask) searchCategories(s *scratch, j int, rows []int32) (split, bool) {
	col := &t.b.cols[j]
	t.sumByCode(s, col, rows)
	order := s.order[:0]
	for c := range col.bins {
		if s.hist[2*c] > 0 {
			order = append(order, int32(c))
		}
	}
	s.order = order
	if len(order) < 2 {
		return noSplit, true
	}
	first := order[0]
	mean := func(c int32) float64 { return s.hist[2*c+1] / s.hist[2*c] }
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(mean(a), mean(b)), cmp.Compare(a, b)) })
	best := noSplit
	if t.cfg.Criterion == AbsoluteError || t.countN {
		best = t.scanCategories(s, col, rows, order)
	} else {
		best = t.scanSums(s.hist, order)
	}
	if best.feature < 0 {
		return noSplit, false
	}
	best.feature = int32(j)
	best.set = make([]uint64, setWords(col.levels))
	for _, c := range order[:best.last+1] {
		best.set[c>>6] |= 1 << (c & 63)
	}
	slices.Sort(order)
	if best.set[first>>6]>>(first&63)&1 == 0 {
		best.swapSides(order)
	}
	best.absent(order, col.levels)
	return best, false
}

// scanCategories finds the best cut of the order, where that takes more than sums:
// the places of the categories in it are the keys of the rows.
func (t *regTask) scanCategories(s *scratch, col *column, rows, order []int32) split {
	s.counts = grow(s.counts, col.bins)
	place := s.counts
	for k, c := range order {
		place[c] = uint32(k)
	}
	s.keys = grow(s.keys, len(rows))
	for p, i := range rows {
		s.keys[p] = uint64(place[col.code(i)])<<32 | uint64(p)
	}
	return t.scanSorted(s, s.sortKeys(s.keys, uint32(len(order)-1)), 0)
}

// scanSums finds it from the sums of the categories.
func (t *regTask) scanSums(sums []float64, order []int32) split {
	best := noSplit
	sl, wl := 0.0, 0.0
	for k, c := range order[:len(order)-1] {
		wl += sums[2*c]
		sl += sums[2*c+1]
		if wr := t.sum.weight - wl; wl >= t.minW && wr >= t.minW && wr > 0 {
			if gain := t.gain(sl, wl); gain > best.gain+t.sum.tol {
				best = split{gain: gain, last: uint32(k), wl: wl, wr: wr}
			}
		}
	}
	return best
}

// A fenwick holds weights at the ascending places levels, and answers for their
// weighted median and the loss around it in logarithmic time (Fenwick, 1994).
type fenwick struct {
	levels []float64
	sums   []float64 // pairs: Σ w, Σ w·level
	w, s   float64
}

func newFenwick(levels, buf []float64) *fenwick {
	f := &fenwick{levels: levels, sums: grow(buf, 2*len(levels)+2)}
	clear(f.sums)
	return f
}

func (f *fenwick) add(rank int32, w float64) {
	ws := float64(w * f.levels[rank])
	f.w += w
	f.s += ws
	for k := int(rank) + 1; k <= len(f.levels); k += k & -k {
		f.sums[2*k] += w
		f.sums[2*k+1] += ws
	}
}

// median returns the weighted median, midway where two values share it, and the
// sum of w·|level - median|.
func (f *fenwick) median() (med, loss float64) {
	half := float64(f.w / 2)
	// Rounding must not make two halves unequal.
	slack := float64(1e-12 * f.w)
	at, wBelow, sBelow := 0, 0.0, 0.0
	step := 1
	for step*2 <= len(f.levels) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if k := at + step; k <= len(f.levels) && wBelow+f.sums[2*k] < half-slack {
			at = k
			wBelow += f.sums[2*k]
			sBelow += f.sums[2*k+1]
		}
	}
	// levels[at] is the lower median; if half of the weight is at or below it,
	// the next level that has weight shares.
	lower := f.levels[at]
	med = lower
	if wUpTo := f.prefix(at + 1); math.Abs(wUpTo-half) <= slack {
		for k := at + 1; k < len(f.levels); k++ {
			if f.prefix(k+1)-wUpTo > slack {
				med = float64(lower/2) + float64(f.levels[k]/2)
				break
			}
		}
	}
	// The loss is the same anywhere between the two, so take it at the lower.
	return med, float64(lower*wBelow) - sBelow + (f.s - sBelow) - float64(lower*(f.w-wBelow))
}

func (f *fenwick) prefix(k int) float64 {
	sum := 0.0
	for ; k > 0; k -= k & -k {
		sum += f.sums[2*k]
	}
	return sum
}

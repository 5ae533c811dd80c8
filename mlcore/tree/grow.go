package tree

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A task is what growing asks of classification or regression. One node is
// entered at a time; searches of several features may then run at once.
type task interface {
	// enter makes rows the current node.
	enter(rows []int32) summary
	// emit appends the current node's value to the result.
	emit()
	// search finds the best split of the current node on feature j.
	search(s *scratch, j int, rows []int32) (split, bool)
	// try evaluates one given split on the numeric feature j: codes up to last
	// go left.
	try(s *scratch, j int, rows []int32, last uint32) split
	// histogram and tryHistogram are a quicker way to the span of feature j and
	// to what try says; ok is false where it would not be.
	histogram(s *scratch, j int, rows []int32) (lo, hi uint32, ok bool)
	tryHistogram(s *scratch, last uint32) split
	// renumber puts node order[i] in place i of the result.
	renumber(order []int32)
}

// A summary describes the current node.
type summary struct {
	samples  int
	weight   float64
	impurity float64
	pure     bool
	tol      float64 // gains closer than this are ties: it is above rounding, below meaning
}

// tolerance times a node's weight is its tol.
const tolerance = 1e-12

// A split sends codes up to last to the left or, where set is not nil, the
// categories in set.
type split struct {
	feature  int32 // -1: none
	missLeft bool
	last     uint32
	gain     float64 // weight times impurity that the split takes away
	cut      float64 // left is x < cut
	set      []uint64
	wl, wr   float64
}

var noSplit = split{feature: -1, gain: math.Inf(-1)}

// scratch is what one goroutine needs to search a feature.
type scratch struct {
	keys, swap  []uint64
	hist        []float64
	whole       []int32
	leftWhole   []int64
	left, right []float64
	counts      []uint32
	order       []int32
	fenwick     [2][]float64
}

// A sample is the training rows as the growing of one tree sees them.
type sample struct {
	rows   []int32   // rows of positive weight
	copies []int32   // by row; nil: one each. Copies count as rows.
	w      []float64 // by row; nil: all 1
	scale  float64   // what a weight of 1 stands for
	total  float64   // Σ w over rows
	counts bool      // whether w is the number of copies
}

type grower struct {
	cfg     Config
	b       *Binned
	task    task
	out     *structure
	rng     *rand.Rand
	rows    []int32
	spare   []int32
	feats   []int   // allowed features, in the order of the last draw
	sum     summary // of the current node
	total   float64
	minW    float64 // least weight of a leaf, MinSamplesLeaf included where weights are counts
	scratch []scratch
	found   []split
	fixed   []bool
}

func newGrower(ws *workspace, cfg Config, b *Binned, s *sample, out *structure) *grower {
	ws.spare = grow(ws.spare, len(s.rows))
	g := &grower{
		cfg: cfg, b: b, out: out, rows: s.rows, spare: ws.spare, total: s.total,
		minW:  s.leafWeight(cfg),
		found: make([]split, b.d), fixed: make([]bool, b.d),
	}
	if cfg.MaxFeatures > 0 || cfg.Splitter == Random || cfg.RandomCandidates > 0 {
		g.rng = mlcore.NewRand(cfg.Seed)
		g.feats = slices.Clone(cfg.Features)
	}
	workers := 1
	if g.rng == nil && len(s.rows)*len(cfg.Features) >= parallelWork {
		workers = min(par.Workers(cfg.Workers), len(cfg.Features))
	}
	g.scratch = make([]scratch, workers)
	g.scratch[0] = ws.scratch
	return g
}

// leafWeight is the least weight of a leaf.
func (s *sample) leafWeight(cfg Config) float64 {
	w := cfg.MinWeightFractionLeaf * s.total
	if s.counts {
		w = max(w, float64(cfg.MinSamplesLeaf))
	}
	return w
}

// parallelWork is the number of values in a node from which its features are
// searched in parallel; below, handing out the work costs more than it saves.
const parallelWork = 1 << 16

// A pending node has its rows but not yet its place.
type pending struct {
	lo, hi int32
	depth  int
	parent int32 // -1 at the root
	right  bool
	fixed  uint64 // features < 64 that are known to be constant
}

// grow grows the tree depth first or, with a bound on leaves, best first.
func (g *grower) grow() {
	if g.cfg.MaxLeafNodes > 0 {
		g.bestFirst()
		return
	}
	stack := []pending{{hi: int32(len(g.rows)), parent: -1}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		id := g.add(p)
		sp, fixed := g.evaluate(p)
		if sp.feature < 0 {
			continue
		}
		mid := g.apply(id, p, sp)
		stack = append(stack,
			pending{mid, p.hi, p.depth + 1, id, true, fixed},
			pending{p.lo, mid, p.depth + 1, id, false, fixed})
	}
}

// add makes p the current node and appends it to the tree as a leaf.
func (g *grower) add(p pending) int32 {
	sum := g.task.enter(g.rows[p.lo:p.hi])
	id := g.out.addLeaf(sum)
	g.task.emit()
	g.sum = sum
	if p.parent >= 0 && p.right {
		g.out.nodes[p.parent].right = id
	}
	return id
}

// apply turns leaf id into a test and partitions its rows; it returns where
// the right child's begin.
func (g *grower) apply(id int32, p pending, sp split) int32 {
	g.out.setTest(id, sp)
	return p.lo + int32(g.partition(g.rows[p.lo:p.hi], sp))
}

// evaluate finds the split of the current node, if it is to have one, and the
// features that are known to be constant below it.
func (g *grower) evaluate(p pending) (split, uint64) {
	sum := g.sum
	if sum.pure || p.depth >= g.cfg.MaxDepth || sum.samples < g.cfg.MinSamplesSplit || sum.weight < 2*g.minW {
		return noSplit, 0
	}
	rows := g.rows[p.lo:p.hi]
	best, fixed := noSplit, p.fixed
	switch {
	case g.cfg.RandomCandidates > 0:
		best = g.candidates(rows, sum)
	case g.rng == nil:
		best, fixed = g.searchAll(rows, fixed, sum.tol)
	default:
		best, fixed = g.searchSome(rows, fixed, sum.tol)
	}
	if best.feature < 0 {
		return noSplit, 0
	}
	if g.cfg.Criterion == Misclassification && best.gain <= sum.tol {
		return noSplit, 0
	}
	if best.gain/g.total+epsilon < g.cfg.MinImpurityDecrease {
		return noSplit, 0
	}
	return best, fixed
}

// epsilon keeps rounding from failing a decrease that equals
// MinImpurityDecrease, as in scikit-learn.
const epsilon = 0x1p-52

// better reports whether a is to replace b, which was found before it: not on a
// tie, so that of features in order the lowest stays. Within a feature the
// lowest threshold has been kept already.
func better(a, b *split, tol float64) bool {
	return a.feature >= 0 && (b.feature < 0 || a.gain > b.gain+tol)
}

// searchAll looks at every feature that is not known to be constant.
func (g *grower) searchAll(rows []int32, fixed uint64, tol float64) (split, uint64) {
	feats, best := g.cfg.Features, noSplit
	if len(g.scratch) > 1 && len(rows)*len(feats) >= parallelWork {
		g.searchParallel(rows, fixed)
		for _, j := range feats {
			if g.fixed[j] && j < 64 {
				fixed |= 1 << j
			}
			if better(&g.found[j], &best, tol) {
				best = g.found[j]
			}
		}
		return best, fixed
	}
	for _, j := range feats {
		if j < 64 && fixed>>j&1 != 0 {
			continue
		}
		sp, constant := g.task.search(&g.scratch[0], j, rows)
		if constant && j < 64 {
			fixed |= 1 << j
		}
		if better(&sp, &best, tol) {
			best = sp
		}
	}
	return best, fixed
}

func (g *grower) searchParallel(rows []int32, fixed uint64) {
	feats := g.cfg.Features
	var wg sync.WaitGroup
	for k := range g.scratch {
		wg.Go(func() {
			for f := k; f < len(feats); f += len(g.scratch) {
				j := feats[f]
				g.found[j], g.fixed[j] = g.searchOne(&g.scratch[k], j, rows, fixed)
			}
		})
	}
	wg.Wait()
}

func (g *grower) searchOne(s *scratch, j int, rows []int32, fixed uint64) (split, bool) {
	if j < 64 && fixed>>j&1 != 0 {
		return noSplit, true
	}
	return g.task.search(s, j, rows)
}

// searchSome draws MaxFeatures features (0: all), and more as long as all are
// constant. On a tie the first stays.
func (g *grower) searchSome(rows []int32, fixed uint64, tol float64) (split, uint64) {
	best := noSplit
	want := g.cfg.MaxFeatures
	if want == 0 {
		want = len(g.feats)
	}
	varies := false
	for drawn := range g.feats {
		if drawn >= want && varies {
			break
		}
		k := drawn + g.rng.IntN(len(g.feats)-drawn)
		g.feats[drawn], g.feats[k] = g.feats[k], g.feats[drawn]
		j := g.feats[drawn]
		var (
			sp       split
			constant bool
		)
		if g.cfg.Splitter == Random && g.b.cols[j].levels == 0 && !(j < 64 && fixed>>j&1 != 0) {
			sp, constant = g.randomThreshold(&g.scratch[0], j, rows)
		} else {
			sp, constant = g.searchOne(&g.scratch[0], j, rows, fixed)
		}
		if constant {
			if j < 64 {
				fixed |= 1 << j
			}
			continue
		}
		varies = true
		if better(&sp, &best, tol) {
			best = sp
		}
	}
	return best, fixed
}

// candidates draws RandomCandidates splits and returns the best.
func (g *grower) candidates(rows []int32, sum summary) split {
	best := noSplit
	for range g.cfg.RandomCandidates {
		j := g.feats[g.rng.IntN(len(g.feats))]
		sp, _ := g.randomThreshold(&g.scratch[0], j, rows)
		if better(&sp, &best, sum.tol) {
			best = sp
		}
	}
	return best
}

// randomThreshold evaluates one threshold, uniform between the least and the
// greatest value of feature j in the node. It reports whether j is constant.
func (g *grower) randomThreshold(s *scratch, j int, rows []int32) (split, bool) {
	col := &g.b.cols[j]
	if col.levels > 0 {
		return g.task.search(s, j, rows)
	}
	missing := false
	lo, hi, quick := g.task.histogram(s, j, rows)
	if !quick {
		lo, hi, missing = col.span(rows)
	}
	if lo >= hi {
		if missing && lo == hi {
			// Present against missing is the only split that there is.
			return g.finish(j, g.task.try(s, j, rows, lo), math.Inf(1)), false
		}
		return noSplit, !missing || lo > hi
	}
	vlo, vhi := col.values[lo], col.values[hi]
	t := vlo + float64(g.rng.Float64()*(vhi-vlo))
	if !(t < vhi) {
		t = vlo // rounding or overflow
	}
	last := col.rankAtMost(t)
	var sp split
	if quick {
		sp = g.task.tryHistogram(s, last)
	} else {
		sp = g.task.try(s, j, rows, last)
	}
	if g.cfg.Rule == AtLeast {
		return g.finish(j, sp, col.values[col.next(rows, last)]), false
	}
	return g.finish(j, sp, math.Nextafter(t, math.Inf(1))), false
}

func (g *grower) finish(j int, sp split, cut float64) split {
	if sp.feature >= 0 {
		sp.feature, sp.cut = int32(j), cut
	}
	return sp
}

// partition moves the rows that go left to the front, in their order, and
// returns how many they are.
func (g *grower) partition(rows []int32, sp split) int {
	col := &g.b.cols[sp.feature]
	switch {
	case sp.set != nil:
		return partitionSet(rows, g.spare, col, sp.set)
	case sp.missLeft && col.missing:
		k, r := 0, 0
		miss := uint32(col.bins - 1)
		for _, i := range rows {
			if c := col.code(i); c <= sp.last || c == miss {
				rows[k] = i
				k++
			} else {
				g.spare[r] = i
				r++
			}
		}
		copy(rows[k:], g.spare[:r])
		return k
	case col.c8 != nil:
		return partition(rows, g.spare, col.c8, sp.last)
	case col.c16 != nil:
		return partition(rows, g.spare, col.c16, sp.last)
	}
	return partition(rows, g.spare, col.c32, sp.last)
}

func partition[C uint8 | uint16 | uint32](rows, spare []int32, codes []C, last uint32) int {
	spare = spare[:len(rows)]
	k, r := 0, 0
	for _, i := range rows {
		// Both places are written and one of them kept: no branch to mispredict.
		rows[k], spare[r] = i, i
		left := 0
		if uint32(codes[i]) <= last {
			left = 1
		}
		k += left
		r += 1 - left
	}
	copy(rows[k:], spare[:r])
	return k
}

func partitionSet(rows, spare []int32, col *column, set []uint64) int {
	k, r := 0, 0
	for _, i := range rows {
		if c := col.code(i); set[c>>6]>>(c&63)&1 != 0 {
			rows[k] = i
			k++
		} else {
			spare[r] = i
			r++
		}
	}
	copy(rows[k:], spare[:r])
	return k
}

func (c *column) code(row int32) uint32 {
	switch {
	case c.c8 != nil:
		return uint32(c.c8[row])
	case c.c16 != nil:
		return uint32(c.c16[row])
	}
	return c.c32[row]
}

// cut is the bound below which values go left when codes up to last do and
// next is the least code on the right.
func (c *column) cut(last, next uint32, rule Rule) float64 {
	if int(next) >= len(c.values) {
		return math.Inf(1) // only missing values are on the right
	}
	lo, hi := c.values[last], c.values[next]
	if rule == AtLeast {
		return hi
	}
	mid := float64(lo/2) + float64(hi/2)
	if !(mid >= lo && mid < hi) {
		mid = lo
	}
	return math.Nextafter(mid, math.Inf(1))
}

// span returns the least and the greatest code of values that are not missing,
// and whether one is missing. Where all are, lo > hi.
func (c *column) span(rows []int32) (lo, hi uint32, missing bool) {
	lo = math.MaxUint32
	switch {
	case c.missing:
		for _, i := range rows {
			if v := c.code(i); v == uint32(c.bins-1) {
				missing = true
			} else {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	case c.c8 != nil:
		lo, hi = span(rows, c.c8)
	case c.c16 != nil:
		lo, hi = span(rows, c.c16)
	default:
		lo, hi = span(rows, c.c32)
	}
	return lo, hi, missing
}

func span[C uint8 | uint16 | uint32](rows []int32, codes []C) (uint32, uint32) {
	lo := codes[rows[0]]
	hi := lo
	for _, i := range rows {
		lo, hi = min(lo, codes[i]), max(hi, codes[i])
	}
	return uint32(lo), uint32(hi)
}

// rankAtMost is the greatest code whose value is at most t.
func (c *column) rankAtMost(t float64) uint32 {
	lo, hi := 0, len(c.values)
	for lo < hi {
		if m := (lo + hi) / 2; c.values[m] <= t {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return uint32(lo - 1)
}

// next is the least code above last among rows.
func (c *column) next(rows []int32, last uint32) uint32 {
	next := uint32(math.MaxUint32)
	for _, i := range rows {
		if v := c.code(i); v > last {
			next = min(next, v)
		}
	}
	return next
}

// sorted returns the rows' codes in ascending order, each with the position of
// its row in rows in the low 32 bits.
func (s *scratch) sorted(c *column, rows []int32) []uint64 {
	s.keys = grow(s.keys, len(rows))
	switch {
	case c.c8 != nil:
		fillKeys(s.keys, rows, c.c8)
	case c.c16 != nil:
		fillKeys(s.keys, rows, c.c16)
	default:
		fillKeys(s.keys, rows, c.c32)
	}
	return s.sortKeys(s.keys, uint32(c.bins-1))
}

func fillKeys[C uint8 | uint16 | uint32](keys []uint64, rows []int32, codes []C) {
	keys = keys[:len(rows)]
	for p, i := range rows {
		keys[p] = uint64(codes[i])<<32 | uint64(p)
	}
}

// sortKeys sorts keys whose high halves are at most maxCode: by insertion where
// they are few, else by a radix sort of the bits that the codes have.
func (s *scratch) sortKeys(keys []uint64, maxCode uint32) []uint64 {
	if len(keys) <= 24 {
		for i := 1; i < len(keys); i++ {
			k := keys[i]
			j := i
			for j > 0 && keys[j-1] > k {
				keys[j] = keys[j-1]
				j--
			}
			keys[j] = k
		}
		return keys
	}
	s.swap = grow(s.swap, len(keys))
	width := max(bits.Len32(maxCode), 1)
	// Digits as wide as the number of keys makes worth while.
	digit := min(11, max(4, bits.Len(uint(len(keys)))-1))
	passes := (width + digit - 1) / digit
	digit = (width + passes - 1) / passes
	s.counts = grow(s.counts, 1<<digit)
	mask := uint64(1)<<digit - 1
	from, to := keys, s.swap
	for p := range passes {
		shift := 32 + p*digit
		clear(s.counts)
		counts := s.counts
		for _, k := range from {
			counts[k>>shift&mask]++
		}
		sum := uint32(0)
		for i, n := range counts {
			counts[i] = sum
			sum += n
		}
		for _, k := range from {
			d := k >> shift & mask
			to[counts[d]] = k
			counts[d]++
		}
		from, to = to, from
	}
	s.keys, s.swap = from, to
	return from
}

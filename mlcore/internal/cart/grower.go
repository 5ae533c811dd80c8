package cart

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A task is what growing asks of classification or regression. One node is
// entered at a time; searches of several features may then run at once.
type task interface {
	// enter makes rows the current node, which is not searched where it is a leaf.
	enter(rows []int32, leaf bool) summary
	// emit appends the current node's value to the result.
	emit()
	// fill may prepare s for searches of the features, of which there are at most
	// jointFeatures, in their order.
	fill(s *scratch, features []int, rows []int32)
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
	// sorts reports whether search sorts the rows of a node of the current classes and
	// n rows by feature j, which is numeric.
	sorts(j, n int) bool
	// order gives search the orders that it would sort for.
	order(o *orders)
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

// scratch is what one goroutine needs to search a feature.
type scratch struct {
	keys, swap  []uint64
	joint       jointHistograms
	hist        []float64
	whole       []int32
	leftWhole   []int64
	left, right []float64
	counts      []uint32
	order       []int32
	fenwick     [2][]float64
}

type grower struct {
	cfg     Config
	b       *ranks.Table
	task    task
	out     *flattree.Tree
	rng     *rand.Rand
	rows    []int32
	spare   []int32
	feats   []int   // allowed features, in the order of the last draw
	sum     summary // of the current node
	total   float64
	minW    float64 // least weight of a leaf, MinSamplesLeaf included where weights are counts
	scratch []scratch
	memory  *orders // of earlier trees
	orders  *orders // nil: none
	found   []split
	fixed   []bool
}

func newGrower(ws *workspace, cfg Config, b *ranks.Table, s *Sample, out *flattree.Tree) *grower {
	ws.spare = reuse.Slice(ws.spare, len(s.Rows))
	g := &grower{
		cfg: cfg, b: b, out: out, rows: s.Rows, spare: ws.spare, total: s.Total,
		minW: s.leafWeight(cfg), memory: &ws.orders,
		found: make([]split, b.D), fixed: make([]bool, b.D),
	}
	if cfg.MaxFeatures > 0 || cfg.Splitter == Random || cfg.RandomCandidates > 0 {
		g.rng = mlcore.NewRand(cfg.Seed)
		g.feats = slices.Clone(cfg.Features)
	}
	workers := 1
	if g.rng == nil && len(s.Rows)*len(cfg.Features) >= parallelWork {
		workers = min(par.Workers(cfg.Workers), len(cfg.Features))
	}
	g.scratch = make([]scratch, workers)
	g.scratch[0] = ws.scratch
	g.scratch[0].joint.n = 0 // what an earlier tree has left
	return g
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
		mid := g.apply(id, p, sp, fixed)
		stack = append(stack,
			pending{mid, p.hi, p.depth + 1, id, true, fixed},
			pending{p.lo, mid, p.depth + 1, id, false, fixed})
	}
}

// add makes p the current node and appends it to the tree as a leaf.
func (g *grower) add(p pending) int32 {
	sum := g.task.enter(g.rows[p.lo:p.hi], p.depth >= g.cfg.MaxDepth)
	id := g.out.AddLeaf(sum.samples, sum.weight, sum.impurity)
	g.task.emit()
	g.sum = sum
	if g.orders != nil {
		g.orders.lo = p.lo
	}
	if p.parent >= 0 && p.right {
		g.out.Nodes[p.parent].Right = id
	}
	return id
}

// apply turns leaf id into a test and partitions its rows; it returns where
// the right child's begin.
func (g *grower) apply(id int32, p pending, sp split, fixed uint64) int32 {
	g.out.SetTest(id, sp.feature, sp.cut, sp.set, sp.missLeft)
	rows := g.rows[p.lo:p.hi]
	if g.orders == nil || p.depth+1 >= g.cfg.MaxDepth {
		return p.lo + int32(g.partition(rows, sp))
	}
	copy(g.orders.rows, rows)
	mid := g.partition(rows, sp)
	g.divide(p.lo, rows, mid, fixed)
	return p.lo + int32(mid)
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
		if p.parent < 0 {
			g.order(g.memory, rows)
		}
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
	if best.gain/g.total+Epsilon < g.cfg.MinImpurityDecrease {
		return noSplit, 0
	}
	g.place(&best, rows)
	return best, fixed
}

// Epsilon keeps rounding from failing a decrease that equals
// MinImpurityDecrease, as in scikit-learn.
const Epsilon = 0x1p-52

// searchAll looks at every feature that is not known to be constant.
func (g *grower) searchAll(rows []int32, fixed uint64, tol float64) (split, uint64) {
	feats, best := g.cfg.Features, noSplit
	if len(g.scratch) > 1 && len(rows)*len(feats) >= parallelWork {
		g.searchParallel(rows, fixed)
		for _, j := range feats {
			if g.fixed[j] && j < 64 {
				fixed |= 1 << j
			}
			if g.found[j].replaces(&best, tol) {
				best = g.found[j]
			}
		}
		return best, fixed
	}
	for k, j := range feats {
		if k%jointFeatures == 0 {
			g.task.fill(&g.scratch[0], feats[k:min(k+jointFeatures, len(feats))], rows)
		}
		if j < 64 && fixed>>j&1 != 0 {
			continue
		}
		sp, constant := g.task.search(&g.scratch[0], j, rows)
		if constant && j < 64 {
			fixed |= 1 << j
		}
		if sp.replaces(&best, tol) {
			best = sp
		}
	}
	return best, fixed
}

func (g *grower) searchParallel(rows []int32, fixed uint64) {
	feats, workers := g.cfg.Features, len(g.scratch)
	share := min(jointFeatures, (len(feats)+workers-1)/workers) // features one after another
	par.Sure(par.Do(workers, workers, func(k int) error {
		for lo := k * share; lo < len(feats); lo += workers * share {
			own := feats[lo:min(lo+share, len(feats))]
			g.task.fill(&g.scratch[k], own, rows)
			for _, j := range own {
				g.found[j], g.fixed[j] = g.searchOne(&g.scratch[k], j, rows, fixed)
			}
		}
		return nil
	}))
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
		if g.cfg.Splitter == Random && g.b.Columns[j].Levels == 0 && !(j < 64 && fixed>>j&1 != 0) {
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
		if sp.replaces(&best, tol) {
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
		if sp.replaces(&best, sum.tol) {
			best = sp
		}
	}
	return best
}

// randomThreshold evaluates one threshold, uniform between the least and the
// greatest value of feature j in the node. It reports whether j is constant.
func (g *grower) randomThreshold(s *scratch, j int, rows []int32) (split, bool) {
	col := &g.b.Columns[j]
	if col.Levels > 0 {
		return g.task.search(s, j, rows)
	}
	missing := false
	lo, hi, quick := g.task.histogram(s, j, rows)
	if !quick {
		lo, hi, missing = col.Span(rows)
	}
	if lo >= hi {
		if missing && lo == hi {
			// Present against missing is the only split that there is.
			return g.finish(j, g.task.try(s, j, rows, lo), math.Inf(1)), false
		}
		return noSplit, !missing || lo > hi
	}
	vlo, vhi := col.Value(lo), col.Value(hi)
	t := vlo + float64(g.rng.Float64()*(vhi-vlo))
	if !(t < vhi) {
		t = vlo // rounding or overflow
	}
	last := col.LastAtMost(t, rows, lo, hi)
	var sp split
	if quick {
		sp = g.task.tryHistogram(s, last)
	} else {
		sp = g.task.try(s, j, rows, last)
	}
	if g.cfg.Rule == flattree.AtLeast {
		return g.finish(j, sp, col.Value(col.Next(rows, last))), false
	}
	return g.finish(j, sp, math.Nextafter(t, math.Inf(1))), false
}

func (g *grower) finish(j int, sp split, cut float64) split {
	if sp.feature >= 0 {
		sp.feature, sp.cut = int32(j), cut
	}
	return sp
}

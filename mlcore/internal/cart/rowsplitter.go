package cart

import (
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// A rowSplitter holds the numbers of the rows of each node. It finds the splits of every
// tree that a Config can ask for.
type rowSplitter struct {
	partitioner
	cfg       Config
	b         *ranks.Table
	criterion criterion
	team      *par.Team // nil: one goroutine
	scratch   []scratch // by member of the team
	found     []split   // by place in a batch, where several search
	ws        *workspace

	// The current node.
	node []int32 // its rows
	sum  summary
	best split
}

// scratch is what one goroutine needs to search a feature.
type scratch struct {
	keys, swap []uint64
	places     []uint32 // what sorted returns
	turned     []uint32 // what rotated returns
	// The keys of the node's rows, in their order: those of the feature at which a threshold was
	// drawn last, and those of the best split so far.
	drawn, kept []uint64
	block       histogramBlock
	hist        []float64
	left, right []float64
	sides       []uint8 // of the rows, at a drawn threshold
	counts      []uint32
	order       []int32
	fenwick     [2][]float64
}

func newRowSplitter(ws *workspace, cfg Config, b *ranks.Table, rows []int32, team *par.Team, c criterion) *rowSplitter {
	s := &rowSplitter{partitioner: newPartitioner(ws, rows), cfg: cfg, b: b, criterion: c, team: team, ws: ws}
	if team != nil {
		s.found = make([]split, len(cfg.Features))
	}
	s.prepare(team.Size())
	return s
}

// prepare makes what is needed for a search on this many goroutines.
func (s *rowSplitter) prepare(members int) {
	if s.scratch = s.ws.scratch; cap(s.scratch) < members {
		s.scratch = make([]scratch, members)
		copy(s.scratch, s.ws.scratch)
	}
	s.scratch = s.scratch[:members]
	for k := range s.scratch {
		s.scratch[k].block.n = 0 // what an earlier tree has left
	}
}

func (s *rowSplitter) apart(ws *workspace, rows int, out *flattree.Growth) splitter {
	a := &rowSplitter{partitioner: s.partitioner.apart(ws, rows), cfg: s.cfg, b: s.b, criterion: s.criterion.apart(ws, rows, out), ws: ws}
	a.prepare(1)
	return a
}

// Nodes are all that is known of those that wait.
func (s *rowSplitter) leave(*node) []classCount  { return nil }
func (s *rowSplitter) enter(*node, []classCount) {}

func (s *rowSplitter) close() { s.ws.scratch = s.scratch[:cap(s.scratch)] }

func (s *rowSplitter) renumber(order []int32) { s.criterion.renumber(order) }

func (s *rowSplitter) reset(n *node) summary {
	s.node = s.rows[n.lo:n.hi]
	if s.orders != nil {
		s.orders.lo = n.lo
	}
	s.sum = s.criterion.reset(s.node, int(n.depth) >= s.cfg.MaxDepth)
	return s.sum
}

func (s *rowSplitter) search(features *sampler) *split {
	s.best = noSplit
	if s.cfg.drawsThresholds() {
		s.draw(features)
	} else {
		if len(s.node) == len(s.rows) && s.cfg.searchesAll() {
			s.order(&s.ws.orders)
		}
		varies, all := false, len(s.cfg.Features)
		for feats := features.take(all, false); len(feats) > 0; feats = features.take(all, varies) {
			varies = s.searchBatch(features, feats) || varies
		}
	}
	if s.best.feature < 0 {
		return nil
	}
	s.place(&s.best)
	return &s.best
}

// searchBatch searches features one after another and reports whether one of them varies.
func (s *rowSplitter) searchBatch(features *sampler, feats []int) (varies bool) {
	parallel := s.team != nil && len(s.node)*len(feats) >= parallelWork
	if parallel {
		s.searchParallel(feats)
	}
	for k, j := range feats {
		var sp split
		if parallel {
			sp = s.found[k]
		} else {
			if k%blockFeatures == 0 {
				s.criterion.fill(&s.scratch[0], feats[k:min(k+blockFeatures, len(feats))])
			}
			sp = s.searchFeature(&s.scratch[0], j)
		}
		if sp.constant {
			features.constant(j)
			continue
		}
		varies = true
		if sp.replaces(&s.best, s.sum.tol) {
			s.best = sp
		}
	}
	return varies
}

// searchParallel puts in found what it finds on each of feats.
func (s *rowSplitter) searchParallel(feats []int) {
	s.spread(len(feats), func(w *scratch, lo, hi int) {
		for k := lo; k < hi; k++ {
			if (k-lo)%blockFeatures == 0 {
				s.criterion.fill(w, feats[k:min(k+blockFeatures, hi)])
			}
			s.found[k] = s.searchFeature(w, feats[k])
		}
	})
}

// spread has the team call f for runs of n features, from place lo to hi-1: there are as
// many runs for each member, and a run is of one block at most, unless handing out so many
// would take too long.
func (s *rowSplitter) spread(n int, f func(w *scratch, lo, hi int)) {
	const most = 4 // runs for a member
	members := s.team.Size()
	runs := min(n, members*min(most, (n+members*blockFeatures-1)/(members*blockFeatures)))
	s.team.Do(runs, func(member, r int) { f(&s.scratch[member], r*n/runs, (r+1)*n/runs) })
}

// searchFeature finds the best split of the current node on feature j.
func (s *rowSplitter) searchFeature(w *scratch, j int) split {
	col := &s.b.Columns[j]
	switch {
	case col.Levels > 0:
		return s.criterion.scanCategories(w, j)
	case col.Bins < 2:
		return constantSplit
	case s.criterion.sorts(j, len(s.node), s.orders.has(j)):
		return s.searchSorted(w, j)
	}
	return s.criterion.scanHistogram(w, j)
}

// searchSorted finds the best split on the numeric feature j from the order of the
// rows' codes.
func (s *rowSplitter) searchSorted(w *scratch, j int) split {
	col := &s.b.Columns[j]
	var order []uint32
	if s.orders.has(j) {
		order = s.orders.of(j, len(s.node))
	} else {
		order = w.sorted(col, s.node)
	}
	m := len(order)
	// To look for codes takes longer than to see that most orders open at their last place.
	if order[m-1]&opens == 0 && s.codeAt(col, order[0]) == s.codeAt(col, order[m-1]) {
		return constantSplit
	}
	best := s.criterion.scanSorted(w, order, 0)
	best.missLeft = best.wl > best.wr
	if col.Missing && s.codeAt(col, order[m-1]) == uint32(col.Bins-1) {
		best.missLeft = false
		// Once more with the missing values on the left.
		first := m - 1
		for order[first]&opens == 0 {
			first--
		}
		order = w.rotated(order, first)
		if sp := s.criterion.scanSorted(w, order, m-first); sp.replaces(&best, s.sum.tol) {
			best = sp
			best.missLeft = true
		}
	}
	if best.feature >= 0 {
		best.feature, best.places = int32(j), true
	}
	return best
}

// codeAt is the code of the row at a place of the current node.
func (s *rowSplitter) codeAt(col *ranks.Column, place uint32) uint32 {
	return col.Code(s.node[place&^opens])
}

// place sets the cut of a split of the current node, unless it is a set of categories or
// was drawn.
func (s *rowSplitter) place(sp *split) {
	col := &s.b.Columns[sp.feature]
	if sp.places {
		// These rows are known, so the table need not look for some that have the codes.
		low, high := s.node[sp.last], s.node[sp.next]
		sp.last, sp.next, sp.places = col.Code(low), col.Code(high), false
		if int(sp.next) < col.Distinct() {
			sp.cut = cutOf(col.ValueAt(low), col.ValueAt(high), s.cfg.Rule)
			return
		}
	}
	if sp.next != 0 && sp.set == nil {
		sp.cut = cutBetween(col, sp.last, sp.next, s.cfg.Rule)
	}
}

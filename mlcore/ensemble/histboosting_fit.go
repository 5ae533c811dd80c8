package ensemble

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/histtree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// fit makes the rounds; y holds targets or class codes.
func (c HistBoostingConfig) fit(X mat.Matrix, y, w []float64) (*boosted[*histtree.Tree], error) {
	if err := mlcore.CheckLevels(X, c.Levels); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	_, d := X.Dims()
	c, err := c.ready(d)
	if err != nil {
		return nil, err
	}
	t, err := c.schedule().prepare(X, y, w, c.Levels, c.AllowMissing)
	if err != nil {
		return nil, err
	}
	h := newHistTrial(c, t)
	m := &boosted[*histtree.Tree]{features: d, levels: slices.Clone(c.Levels), missing: c.AllowMissing, start: t.start}
	loss := t.lossNow()
	t.train.judge(loss, h.put)
	for r, more := 0, true; more && r < t.rounds; r++ {
		m.trees = append(m.trees, h.round(loss, r)...)
		loss = t.lossNow()
		if more, err = t.finish(loss, t.train.judge(loss, h.put)); err != nil {
			return nil, err
		}
	}
	m.trees = m.trees[:t.kept()*t.outputs]
	m.training, m.validation, m.stopped = t.training, t.validation, t.stopped
	return m, nil
}

// A histTrial is the course of a fit on histograms.
type histTrial struct {
	*trial
	cfg     HistBoostingConfig
	codes   *histtree.Codes
	pulls   [][]histtree.Pull     // of each output, by row
	growers chan *histtree.Grower // those at leisure
}

func newHistTrial(c HistBoostingConfig, t *trial) *histTrial {
	bins := histtree.Learn(t.train.X, c.Levels, c.MaxBins, mlcore.DeriveSeed(c.Seed, streamBins), c.Workers)
	h := &histTrial{trial: t, cfg: c, codes: bins.Encode(t.train.X, c.Workers), pulls: make([][]histtree.Pull, t.outputs)}
	for k := range h.pulls {
		h.pulls[k] = make([]histtree.Pull, t.train.len())
	}
	// Where there are many outputs, their trees are what runs in parallel.
	trees, workers := 1, par.Workers(c.Workers)
	if t.outputs >= 2*workers {
		trees, workers = workers, 1
	}
	h.growers = make(chan *histtree.Grower, trees)
	for range trees {
		h.growers <- histtree.NewGrower(c.params(), bins, h.codes, workers)
	}
	return h
}

// put stores what the trees of the next round are fitted to.
func (h *histTrial) put(rows []int32, residuals, curvatures []float64) {
	m := len(rows)
	for k, pulls := range h.pulls {
		r, c := residuals[k*m:(k+1)*m], curvatures[k*m:(k+1)*m]
		for at, i := range rows {
			w := h.train.w[i]
			pulls[i] = histtree.Pull{Residual: float32(w * r[at]), Curvature: float32(w * c[at])}
		}
	}
}

// round grows the trees of round r, one for each output, and adds them to the
// scores.
func (h *histTrial) round(loss Loss, r int) []*histtree.Tree {
	in, out := h.sample(r)
	trees := make([]*histtree.Tree, h.outputs)
	_ = par.Do(h.outputs, cap(h.growers), func(k int) error {
		g := <-h.growers
		trees[k] = h.grow(g, loss, in, out, r, k)
		h.growers <- g
		return nil
	})
	return trees
}

// searching losses find the values of leaves by Step, for their curvature, 1,
// says nothing of how far to go.
type searching interface{ searches() }

// grow grows the tree of round r and output k on the rows in and adds it to the
// scores of all.
func (h *histTrial) grow(g *histtree.Grower, loss Loss, in, out []int32, r, k int) *histtree.Tree {
	var columns []int
	if h.cfg.FeaturesPerTree > 0 {
		rng := mlcore.NewRand(h.seed, streamColumns, uint64(r), uint64(k))
		_, d := h.train.X.Dims()
		columns = choose(rng, d, h.cfg.FeaturesPerTree)
	}
	t := g.Grow(in, h.pulls[k], columns)
	scores := h.train.of(k)
	if _, search := loss.(searching); search {
		g.Leaves(func(at int, rows []int32) { t.SetValue(at, loss.Step(h.leaf(k, rows))) })
	}
	t.Scale(h.learningRate)
	g.Leaves(func(at int, rows []int32) {
		v := t.Value(at)
		for _, i := range rows {
			scores[i] += v
		}
	})
	g.Add(scores, t, out)
	if h.held != nil {
		h.addTree(h.held, t, k)
	}
	return t
}

// leaf returns what the rows of a leaf look like to a loss that searches.
func (h *histTrial) leaf(k int, rows []int32) Leaf {
	n := len(rows)
	room := make([]float64, 3*n)
	l := Leaf{Outputs: h.outputs, Y: room[:n], W: room[n : 2*n], Scores: room[2*n:]}
	scores := h.train.of(k)
	for at, i := range rows {
		l.Y[at], l.W[at], l.Scores[at] = h.train.y[i], h.train.w[i], scores[i]
	}
	return l
}

package ensemble

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/histtree"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// fit makes the rounds; y holds targets or codes of so many classes.
func (c HistBoostingConfig) fit(ds *mlcore.Dataset, y []float64, classes int) (*boosted[*histtree.Tree], error) {
	var err error
	if c.Validation, err = alignedTo(ds, c.Validation); err != nil {
		return nil, err
	}
	levels := ds.Levels()
	if c, err = c.ready(levels); err != nil {
		return nil, err
	}
	t, err := c.schedule(classes).prepare(ds.X, y, ds.Weights, levels, c.AllowMissing)
	if err != nil {
		return nil, err
	}
	defer t.team.Close()
	// What the weights are held against is in their unit.
	for _, v := range []*float64{&c.MinChildWeight, &c.MinGain, &c.L1, &c.L2} {
		*v /= t.train.unit
	}
	h := newHistTrial(c, t, levels)
	m := &boosted[*histtree.Tree]{features: ds.NumFeatures(), levels: levels, missing: c.AllowMissing, start: t.start}
	loss := t.lossNow()
	h.begin(loss)
	for r, more := 0, true; more && r < t.rounds; r++ {
		trees, err := h.round(loss, r)
		if err != nil {
			return nil, err
		}
		m.trees = append(m.trees, trees...)
		loss = t.lossNow()
		if more, err = t.finish(t.train.judge(loss, h.put)); err != nil {
			return nil, err
		}
	}
	m.trees = m.trees[:t.kept()*t.outputs]
	m.training, m.validation, m.stopped, m.interrupted = t.training, t.validation, t.stopped, t.interrupted
	return m, nil
}

// A histTrial is the course of a fit on histograms.
type histTrial struct {
	*trial
	cfg     HistBoostingConfig
	codes   *histtree.Codes
	merged  bool                  // a row of codes and train stands for all that are like it
	pulls   [][]histtree.Pull     // of each output, by row
	worth   histtree.Worth        // of the pulls
	growers chan *histtree.Grower // those that are free
}

func newHistTrial(c HistBoostingConfig, t *trial, levels []int) *histTrial {
	bins := histtree.Learn(t.train.X, t.train.rows, levels, c.MaxBins, mlcore.DeriveSeed(c.Seed, streamBins), c.Workers)
	h := &histTrial{trial: t, cfg: c, codes: bins.Encode(t.train.X, c.Workers), pulls: make([][]histtree.Pull, t.outputs), worth: histtree.Worth{Residual: 1, Curvature: 1}}
	h.merge()
	for k := range h.pulls {
		h.pulls[k] = make([]histtree.Pull, t.train.len())
	}
	trees, team := 1, t.team
	if atOnce := treesAtOnce(t.outputs, team.Size()); atOnce > 1 {
		trees, team = atOnce, nil
	}
	h.growers = make(chan *histtree.Grower, trees)
	for range trees {
		h.growers <- histtree.NewGrower(c.params(), bins, h.codes, team)
	}
	return h
}

// treesAtOnce is how many of a round's trees are grown at once, each on one processor, or 1
// where all processors had better grow one tree together: that gains some workers^(3/4).
func treesAtOnce(outputs, workers int) int {
	turns := (outputs + workers - 1) / workers
	if w := float64(workers); float64(outputs) <= float64(turns)*math.Sqrt(w*math.Sqrt(w)) {
		return 1
	}
	return (outputs + turns - 1) / turns
}

// merge lets one training row stand for all that are like it, where there are many:
// nominal data of few columns repeat themselves. Trees stay as they were, for the grower
// knows how many rows each is. A sample draws single rows, though, and steps that are
// searched for would round differently.
func (h *histTrial) merge() {
	_, search := h.loss.(searching)
	differ := func(w float64) bool { return w != 1 }
	if search || h.sampleShare < 1 || slices.ContainsFunc(h.train.w, differ) {
		return
	}
	codes, first, times := h.codes.Merge(h.train.y)
	if codes == nil {
		return
	}
	h.codes, h.merged = codes, true
	y, w := make([]float64, len(first)), make([]float64, len(first))
	for k, i := range first {
		y[k], w[k] = h.train.y[i], float64(times[k])
	}
	h.train = newTable(h.train.X, y, w)
	h.train.team = h.team
	h.train.start(h.start)
}

// pulling is the weight that row i has in its pull.
func (h *histTrial) pulling(i int32) float64 {
	if h.merged {
		return 1
	}
	return h.train.w[i]
}

// begin stores what the trees of the first round are fitted to, and finds the
// worth of all pulls.
func (h *histTrial) begin(loss Loss) {
	var lock sync.Mutex
	residual, curvature := 0.0, 0.0
	h.train.judge(loss, func(rows []int32, residuals, curvatures []float64) {
		h.put(rows, residuals, curvatures)
		r, c := h.greatest(rows, residuals), h.greatest(rows, curvatures)
		lock.Lock()
		defer lock.Unlock()
		residual, curvature = max(residual, r), max(curvature, c)
	})
	if h.worth = (histtree.Worth{Residual: worth(residual), Curvature: worth(curvature)}); h.worth.Residual != 1 || h.worth.Curvature != 1 {
		h.train.judge(loss, h.put)
	}
}

// greatest returns the size of the greatest of the values, those of output k from
// k·len(rows) on, times the weights of the rows.
func (h *histTrial) greatest(rows []int32, values []float64) float64 {
	most := 0.0
	for at, v := range values {
		most = max(most, math.Abs(h.pulling(rows[at%len(rows)])*v))
	}
	return most
}

// worth returns 1 or, where the greatest value would leave 32 bits little room
// for the others, the power of 2 next to it.
func worth(greatest float64) float64 {
	_, e := math.Frexp(greatest)
	if e >= -60 && e <= 60 || greatest-greatest != 0 {
		return 1
	}
	return math.Ldexp(1, max(-1000, min(1000, e)))
}

// put stores what the trees of the next round are fitted to.
func (h *histTrial) put(rows []int32, residuals, curvatures []float64) {
	m := len(rows)
	perResidual, perCurvature := 1/h.worth.Residual, 1/h.worth.Curvature
	for k, pulls := range h.pulls {
		r, c := residuals[k*m:(k+1)*m], curvatures[k*m:(k+1)*m]
		if first, last := rows[0], rows[m-1]; int(last-first) == m-1 { // rows ascend
			par.Claim(pulls[first : last+1])
		}
		for at, i := range rows {
			w := h.pulling(i)
			pulls[i] = histtree.Pull{Residual: float32(w * r[at] * perResidual), Curvature: float32(w * c[at] * perCurvature)}
		}
	}
}

// round grows the trees of round r, one for each output, and adds them to the
// scores.
func (h *histTrial) round(loss Loss, r int) ([]*histtree.Tree, error) {
	in, out := h.sample(r)
	trees := make([]*histtree.Tree, h.outputs)
	err := par.Do(h.outputs, cap(h.growers), func(k int) (err error) {
		g := <-h.growers
		trees[k], err = h.grow(g, loss, in, out, r, k)
		h.growers <- g
		return err
	})
	return trees, err
}

// searching losses find the values of leaves by Step, for their curvature, 1,
// says nothing of how far to go.
type searching interface{ searches() }

// grow grows the tree of round r and output k on the rows in and adds it to the
// scores of all.
func (h *histTrial) grow(g *histtree.Grower, loss Loss, in, out []int32, r, k int) (*histtree.Tree, error) {
	var columns []int
	if h.cfg.FeaturesPerEstimator > 0 {
		rng := mlcore.NewRand(h.seed, streamColumns, uint64(r), uint64(k))
		_, d := h.train.X.Dims()
		columns = choose(rng, d, h.cfg.FeaturesPerEstimator)
	}
	t := g.Grow(in, h.pulls[k], h.worth, columns)
	if t == nil {
		return nil, fmt.Errorf("ensemble: %w: residuals or curvatures of round %d are not finite or too large; lower LearningRate, or scale the targets", mlcore.ErrNonFinite, r+1)
	}
	scores := h.train.of(k)
	if _, search := loss.(searching); search {
		g.SetLeaves(t, func(rows []int32) float64 { return loss.Step(h.leaf(k, rows)) })
	}
	t.Scale(h.rate())
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
	return t, nil
}

// rate is what the steps of the leaves are multiplied by. Where only two classes of
// more occur, their scores mirror each other and each takes half a step, so that
// together they take that of Logistic and the other classes change nothing.
func (h *histTrial) rate() float64 {
	if _, softmax := h.loss.(Softmax); softmax && h.occurring == 2 && h.outputs > 2 {
		return h.learningRate / 2
	}
	return h.learningRate
}

// leaf returns what the rows of a leaf look like to a loss that searches.
func (h *histTrial) leaf(k int, rows []int32) Leaf {
	n := len(rows)
	room := make([]float64, 3*n)
	l := Leaf{Outputs: h.outputs, Classes: h.occurring, Y: room[:n], W: room[n : 2*n], Scores: room[2*n:]}
	scores := h.train.of(k)
	for at, i := range rows {
		l.Y[at], l.W[at], l.Scores[at] = h.train.y[i], h.train.w[i], scores[i]
	}
	return l
}

package cart

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
)

// A workspace holds what growing a tree needs for a while: forests grow hundreds
// of trees of like size, and fresh memory for each would cost more than it
// looks. Trees are built in it and copied out at their size.
type workspace struct {
	rows, spare, y, yNode []int32
	w, wNode              []float64 // a regression task's targets are in w
	scratch               scratch
	builder               builder
	counts                countSplitter
	orders                orders
	tree                  flattree.Tree
	dist                  flattree.Distributions
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// lend gives t the workspace's memory to grow in.
func (ws *workspace) lend(t *flattree.Tree) {
	t.Nodes, t.Impurity, t.Samples, t.Weight = ws.tree.Nodes[:0], ws.tree.Impurity[:0], ws.tree.Samples[:0], ws.tree.Weight[:0]
}

// sample makes the sample of a tree in the workspace's memory.
func (ws *workspace) sample(n int, w []float64, copies []int32, cfg Config) (*Sample, error) {
	s, err := NewSample(ws.rows, n, w, copies)
	if err != nil {
		return nil, err
	}
	ws.rows = s.Rows
	if cfg.MinSamplesLeaf > s.Samples {
		return nil, fmt.Errorf("%w: MinSamplesLeaf is %d, there are only %d rows of positive weight", mlcore.ErrConfig, cfg.MinSamplesLeaf, s.Samples)
	}
	return s, nil
}

// keep takes the memory back that was lent to t.
func (ws *workspace) keep(t *flattree.Tree) {
	ws.tree.Nodes, ws.tree.Impurity, ws.tree.Samples, ws.tree.Weight = t.Nodes, t.Impurity, t.Samples, t.Weight
}

// settle takes the memory back and leaves t a copy of its own, with weights in the
// unit that scale says.
func (ws *workspace) settle(t *flattree.Tree, scale float64) {
	ws.keep(t)
	t.Nodes, t.Impurity, t.Samples, t.Weight = slices.Clone(t.Nodes), slices.Clone(t.Impurity), slices.Clone(t.Samples), slices.Clone(t.Weight)
	t.MissingLeft, t.Sets = slices.Clip(t.MissingLeft), slices.Clip(t.Sets)
	if scale != 1 {
		for i := range t.Weight {
			t.Weight[i] *= scale
		}
	}
}

func (ws *workspace) lendDistributions(d *flattree.Distributions) {
	d.Class, d.At, d.Codes, d.Weights = ws.dist.Class[:0], ws.dist.At[:0], ws.dist.Codes[:0], ws.dist.Weights[:0]
}

func (ws *workspace) keepDistributions(d *flattree.Distributions) {
	ws.dist.Class, ws.dist.At, ws.dist.Codes, ws.dist.Weights = d.Class, d.At, d.Codes, d.Weights
}

func (ws *workspace) settleDistributions(d *flattree.Distributions) {
	ws.keepDistributions(d)
	d.Class, d.At, d.Codes, d.Weights = slices.Clone(d.Class), slices.Clone(d.At), slices.Clone(d.Codes), slices.Clone(d.Weights)
}

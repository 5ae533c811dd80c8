package cart

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

// A workspace holds what growing a tree needs for a while: forests grow hundreds
// of trees of like size, and fresh memory for each would cost more than it
// looks. Trees are built in it and copied out at their size.
type workspace struct {
	rows, spare, y, yNode []int32
	w, wNode              []float64 // a regression task's targets are in w
	scratch               []scratch // of each member of a team
	builder               builder
	counts                countSplitter
	orders                orders
	items                 []item // behind them there is room for a group
	stock                 *histogramStock
	growth                flattree.Growth
}

// Workspaces of subtrees stay small, which those of whole trees do not.
var (
	workspaces        reuse.Shelf[workspace]
	subtreeWorkspaces reuse.Shelf[workspace]
)

// lend gives g the workspace's memory to grow in.
func (ws *workspace) lend(g *flattree.Growth) {
	t, d, own := &g.Tree, &g.Distributions, &ws.growth
	t.Nodes, t.Impurity, t.Samples, t.Weight = own.Tree.Nodes[:0], own.Tree.Impurity[:0], own.Tree.Samples[:0], own.Tree.Weight[:0]
	d.Class, d.At, d.Codes, d.Weights = own.Distributions.Class[:0], own.Distributions.At[:0], own.Distributions.Codes[:0], own.Distributions.Weights[:0]
	g.Values = own.Values[:0]
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

// keep takes the memory back that was lent to g.
func (ws *workspace) keep(g *flattree.Growth) {
	t, d, own := &g.Tree, &g.Distributions, &ws.growth
	own.Tree.Nodes, own.Tree.Impurity, own.Tree.Samples, own.Tree.Weight = t.Nodes, t.Impurity, t.Samples, t.Weight
	own.Distributions.Class, own.Distributions.At, own.Distributions.Codes, own.Distributions.Weights = d.Class, d.At, d.Codes, d.Weights
	own.Values = g.Values
}

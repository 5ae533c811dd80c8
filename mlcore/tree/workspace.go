package tree

import (
	"slices"
	"sync"
)

// A workspace holds what growing a tree needs for a while: forests grow hundreds
// of trees of like size, and fresh memory for each would cost more than it
// looks. Trees are built in it and copied out at their size.
type workspace struct {
	rows, spare, y, yNode []int32
	w, wNode              []float64 // a regression task's targets are in w
	scratch               scratch
	counted               counted
	tree                  structure
	dist                  distributions
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// lend gives t the workspace's memory to grow in.
func (ws *workspace) lend(t *structure) {
	t.nodes, t.impurity, t.samples, t.weight = ws.tree.nodes[:0], ws.tree.impurity[:0], ws.tree.samples[:0], ws.tree.weight[:0]
}

// settle takes the memory back and leaves t a copy of its own.
func (ws *workspace) settle(t *structure) {
	ws.tree.nodes, ws.tree.impurity, ws.tree.samples, ws.tree.weight = t.nodes, t.impurity, t.samples, t.weight
	t.nodes, t.impurity, t.samples, t.weight = slices.Clone(t.nodes), slices.Clone(t.impurity), slices.Clone(t.samples), slices.Clone(t.weight)
	t.missLeft, t.sets = slices.Clip(t.missLeft), slices.Clip(t.sets)
}

func (ws *workspace) lendDistributions(d *distributions) {
	d.class, d.at, d.codes, d.weights = ws.dist.class[:0], ws.dist.at[:0], ws.dist.codes[:0], ws.dist.weights[:0]
}

func (ws *workspace) settleDistributions(d *distributions) {
	ws.dist.class, ws.dist.at, ws.dist.codes, ws.dist.weights = d.class, d.at, d.codes, d.weights
	d.class, d.at, d.codes, d.weights = slices.Clone(d.class), slices.Clone(d.at), slices.Clone(d.codes), slices.Clone(d.weights)
}

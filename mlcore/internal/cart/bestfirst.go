package cart

import "container/heap"

// A promise is a leaf whose split is known but not yet made.
type promise struct {
	node  int32
	at    pending
	split split
}

// promises is a heap: the greatest gain first, on a tie the older node.
type promises []promise

func (h promises) Len() int      { return len(h) }
func (h promises) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h promises) Less(i, j int) bool {
	if h[i].split.gain != h[j].split.gain {
		return h[i].split.gain > h[j].split.gain
	}
	return h[i].node < h[j].node
}
func (h *promises) Push(x any) { *h = append(*h, x.(promise)) }
func (h *promises) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// bestFirst makes the split that takes most impurity away, of all that can be
// made, until there are MaxLeafNodes leaves.
func (g *grower) bestFirst() {
	var (
		queue promises
		left  []int32
	)
	add := func(p pending) int32 {
		id := g.add(p)
		left = append(left, -1)
		sp, fixed := g.evaluate(p)
		if sp.feature >= 0 {
			p.fixed = fixed
			heap.Push(&queue, promise{id, p, sp})
		}
		return id
	}
	add(pending{hi: int32(len(g.rows)), parent: -1})
	for leaves := 1; leaves < g.cfg.MaxLeafNodes && len(queue) > 0; leaves++ {
		next := heap.Pop(&queue).(promise)
		p := next.at
		mid := g.apply(next.node, p, next.split, p.fixed)
		left[next.node] = add(pending{p.lo, mid, p.depth + 1, next.node, false, p.fixed})
		add(pending{mid, p.hi, p.depth + 1, next.node, true, p.fixed})
	}
	var order []int32
	*g.out, order = g.out.Rearranged(func(i int32) (int32, int32) { return left[i], g.out.Nodes[i].Right })
	g.task.renumber(order)
}

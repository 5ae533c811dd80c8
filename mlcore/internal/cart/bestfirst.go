package cart

import "container/heap"

// A promise is a leaf whose split is known but not yet made.
type promise struct {
	id    int32
	node  node
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
	return h[i].id < h[j].id
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
func (b *builder) bestFirst(root node) {
	var (
		queue promises
		left  []int32
	)
	add := func(n *node) int32 {
		id := b.add(n)
		left = append(left, -1)
		if sp := b.evaluate(n); sp != nil {
			heap.Push(&queue, promise{id, *n, *sp})
		}
		return id
	}
	add(&root)
	next, right := new(promise), new(node)
	for leaves := 1; leaves < b.cfg.MaxLeafNodes && len(queue) > 0; leaves++ {
		*next = heap.Pop(&queue).(promise)
		b.split(next.id, &next.node, right, &next.split)
		left[next.id] = add(&next.node)
		add(right)
	}
	var order []int32
	t := &b.out.Tree
	*t, order = t.Rearranged(func(i int32) (int32, int32) { return left[i], t.Nodes[i].Right })
	b.splitter.renumber(order)
}

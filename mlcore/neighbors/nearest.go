package neighbors

import (
	"math"
	"slices"
)

// A candidate is a training row, by its place among those kept, and its reduced
// distance from the query.
type candidate struct {
	dist float64
	row  int32
}

// before says which of two candidates is nearer: ties go to the lower row.
func (c candidate) before(d candidate) bool {
	return c.dist < d.dist || c.dist == d.dist && c.row < d.row
}

// everyRow is as many neighbours as there are: the heap is none then.
const everyRow = math.MaxInt

// nearest keeps the k nearest candidates that it is shown, as a heap with the
// farthest at its root.
type nearest struct {
	heap []candidate
	k    int
	// reach is a reduced distance beyond which no candidate is wanted: a search need
	// not offer it.
	reach float64
	// sure is a reduced distance within which every candidate is wanted whatever its
	// distance, so that a search may offer it with that of isSure; 0: there is none.
	sure float64
}

// isSure stands for the reduced distance of a candidate that is wanted whatever it is.
const isSure = -1

func (h *nearest) reset(k int) { h.heap, h.k, h.reach, h.sure = h.heap[:0], k, math.Inf(1), 0 }

func (h *nearest) full() bool { return len(h.heap) == h.k }

// limit is the reduced distance that a candidate must not exceed; only
// meaningful once the heap is full.
func (h *nearest) limit() float64 { return h.heap[0].dist }

func (h *nearest) offer(dist float64, row int32) {
	c := candidate{dist, row}
	if len(h.heap) < h.k {
		h.heap = append(h.heap, c)
		if h.k == everyRow {
			return
		}
		for i := len(h.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if !h.heap[parent].before(h.heap[i]) {
				break
			}
			h.heap[parent], h.heap[i] = h.heap[i], h.heap[parent]
			i = parent
		}
		return
	}
	if !c.before(h.heap[0]) {
		return
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= h.k {
			break
		}
		if child+1 < h.k && h.heap[child].before(h.heap[child+1]) {
			child++
		}
		if !c.before(h.heap[child]) {
			break
		}
		h.heap[i] = h.heap[child]
		i = child
	}
	h.heap[i] = c
}

// sorted returns the candidates, nearest first, and spoils the heap.
func (h *nearest) sorted() []candidate {
	slices.SortFunc(h.heap, func(a, b candidate) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return h.heap
}

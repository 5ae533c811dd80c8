package tree

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/codec"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// maxClasses bounds K: more is a mistake, in data or in bytes, that would only
// fill memory.
const maxClasses = 1 << 20

// distributions holds the class weights of every node, only those that are
// positive: most nodes of a deep tree have few classes.
type distributions struct {
	classes int
	class   []int32   // by node: the commonest
	at      []int32   // node i's classes are at at[i]:at[i+1]
	codes   []int32   // ascending within a node
	weights []float64 // their weights
	shares  []float64 // weights over their node's sum
}

// add appends a node with the given classes and weights, which are positive.
func (d *distributions) add(codes []int32, weights []float64) {
	if len(d.at) == 0 {
		d.at = append(d.at, 0)
	}
	d.class = append(d.class, codes[kernel.ArgMax(weights)])
	d.codes = append(d.codes, codes...)
	d.weights = append(d.weights, weights...)
	d.at = append(d.at, int32(len(d.codes)))
}

// finish scales the weights and fills in the shares.
func (d *distributions) finish(scale float64) {
	d.shares = make([]float64, len(d.weights))
	for i := range d.class {
		lo, hi := d.at[i], d.at[i+1]
		sum := 0.0
		for _, w := range d.weights[lo:hi] {
			sum += w
		}
		for k := lo; k < hi; k++ {
			d.shares[k] = d.weights[k] / sum
		}
	}
	if scale != 1 {
		for k := range d.weights {
			d.weights[k] *= scale
		}
	}
}

// pick returns the distributions of the given nodes, in that order.
func (d *distributions) pick(order []int32) distributions {
	p := distributions{classes: d.classes}
	for _, i := range order {
		lo, hi := d.at[i], d.at[i+1]
		p.add(d.codes[lo:hi], d.weights[lo:hi])
		if d.shares != nil {
			p.shares = append(p.shares, d.shares[lo:hi]...)
		}
	}
	return p
}

// dense returns node i's weight of every class.
func (d *distributions) dense(i int) []float64 {
	w := make([]float64, d.classes)
	for k := d.at[i]; k < d.at[i+1]; k++ {
		w[d.codes[k]] = d.weights[k]
	}
	return w
}

func (d *distributions) addShares(dst []float64, node int32) {
	lo, hi := d.at[node], d.at[node+1]
	if hi-lo == 1 { // most leaves are pure
		dst[d.class[node]]++
		return
	}
	for k := lo; k < hi; k++ {
		dst[d.codes[k]] += d.shares[k]
	}
}

// topShare is the share of node i's commonest class.
func (d *distributions) topShare(i int) float64 {
	top := 0.0
	for _, s := range d.shares[d.at[i]:d.at[i+1]] {
		top = max(top, s)
	}
	return top
}

func (d *distributions) write(w *codec.Writer) {
	w.Int(d.classes)
	w.Int32s(d.class)
	w.Int32s(d.at)
	w.Int32s(d.codes)
	w.Float64s(d.weights)
	w.Float64s(d.shares)
}

// read decodes the distributions of n nodes.
func (d *distributions) read(r *codec.Reader, n int) {
	d.classes = r.Int()
	d.class, d.at, d.codes = r.Int32s(), r.Int32s(), r.Int32s()
	d.weights, d.shares = r.Float64s(), r.Float64s()
	if r.Err() != nil {
		return
	}
	if d.classes < 1 || d.classes > maxClasses || len(d.class) != n || len(d.at) != n+1 ||
		len(d.codes) != len(d.weights) || len(d.codes) != len(d.shares) {
		r.Fail("%d classes, %d distributions for %d nodes", d.classes, len(d.at)-1, n)
		return
	}
	if d.at[0] != 0 || int(d.at[n]) != len(d.codes) {
		r.Fail("distributions end at %d of %d", d.at[n], len(d.codes))
		return
	}
	for i := range n {
		if d.class[i] < 0 || int(d.class[i]) >= d.classes || d.at[i] >= d.at[i+1] {
			r.Fail("node %d has class %d of %d, %d classes in its distribution", i, d.class[i], d.classes, d.at[i+1]-d.at[i])
			return
		}
	}
	for k, c := range d.codes {
		if w, s := d.weights[k], d.shares[k]; c < 0 || int(c) >= d.classes || !(w > 0) || math.IsInf(w, 1) || !(s > 0 && s <= 1) {
			r.Fail("weight %v, share %v of class %d of %d", w, s, c, d.classes)
			return
		}
	}
}

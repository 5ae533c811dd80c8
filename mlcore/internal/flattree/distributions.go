package flattree

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// MaxClasses bounds K: more is a mistake, in data or in bytes, that would only
// fill memory.
const MaxClasses = 1 << 20

// Distributions holds the class weights of every node, only those that are
// positive: most nodes of a deep tree have few classes.
type Distributions struct {
	Classes int
	Class   []int32   // by node: the commonest
	At      []int32   // node i's classes are at At[i]:At[i+1]
	Codes   []int32   // ascending within a node
	Weights []float64 // their weights
	Shares  []float64 // weights over their node's sum
	pure    []uint8   // by node: 1 + the class where there is one, else 0; see index
}

// index makes AddShares quick for most leaves, which are pure: a byte a node fits in a
// processor's nearest cache.
func (d *Distributions) index() {
	if d.Classes > math.MaxUint8 {
		return
	}
	d.pure = make([]uint8, len(d.Class))
	at := int32(0)
	for i, k := range d.Class {
		next, pure := d.At[i+1], uint8(k)+1
		if next-at > 1 {
			pure = 0
		}
		d.pure[i], at = pure, next // always written: a branch would be mispredicted
	}
}

// Add appends a node with the given classes and weights, which are positive.
func (d *Distributions) Add(codes []int32, weights []float64) {
	class, toCodes, toWeights := d.Extend(len(codes))
	*class = codes[kernel.ArgMax(weights)]
	copy(toCodes, codes)
	copy(toWeights, weights)
}

// AddOne is Add for a node of one class.
func (d *Distributions) AddOne(code int32, weight float64) {
	class, codes, weights := d.Extend(1)
	*class, codes[0], weights[0] = code, code, weight
}

// Extend appends a node of n classes and returns the places of its most common
// class, and of its codes and weights, which the caller is to fill in.
func (d *Distributions) Extend(n int) (class *int32, codes []int32, weights []float64) {
	if len(d.At) == 0 {
		d.At = append(d.At, 0)
	}
	i, at := len(d.Class), len(d.Codes)
	if i == cap(d.Class) || i+1 >= cap(d.At) {
		d.Class, d.At = slices.Grow(d.Class, i+1), slices.Grow(d.At, i+1)
	}
	if at+n > min(cap(d.Codes), cap(d.Weights)) {
		d.Codes, d.Weights = slices.Grow(d.Codes, at+n), slices.Grow(d.Weights, at+n)
	}
	d.Class, d.At = d.Class[:i+1], d.At[:i+2]
	d.Codes, d.Weights = d.Codes[:at+n], d.Weights[:at+n]
	d.At[i+1] = int32(at + n)
	return &d.Class[i], d.Codes[at:], d.Weights[at:]
}

// Finish scales the weights and fills in the shares.
func (d *Distributions) Finish(scale float64) {
	d.Shares = make([]float64, len(d.Weights))
	for i := range d.Class {
		lo, hi := d.At[i], d.At[i+1]
		if hi-lo == 1 { // as in most leaves
			d.Shares[lo] = 1
			continue
		}
		sum := 0.0
		for _, w := range d.Weights[lo:hi] {
			sum += w
		}
		for k := lo; k < hi; k++ {
			d.Shares[k] = d.Weights[k] / sum
		}
	}
	if scale != 1 {
		for k := range d.Weights {
			d.Weights[k] *= scale
		}
	}
}

// Pick returns the distributions of the given nodes, in that order.
func (d *Distributions) Pick(order []int32) Distributions {
	p := Distributions{Classes: d.Classes}
	for _, i := range order {
		lo, hi := d.At[i], d.At[i+1]
		p.Add(d.Codes[lo:hi], d.Weights[lo:hi])
		if d.Shares != nil {
			p.Shares = append(p.Shares, d.Shares[lo:hi]...)
		}
	}
	return p
}

// Dense returns node i's weight of every class.
func (d *Distributions) Dense(i int) []float64 {
	w := make([]float64, d.Classes)
	for k := d.At[i]; k < d.At[i+1]; k++ {
		w[d.Codes[k]] = d.Weights[k]
	}
	return w
}

// AddShares adds the shares of node i to dst, which has a place for each class.
func (d *Distributions) AddShares(dst []float64, i int32) {
	if d.pure != nil {
		if k := d.pure[i]; k > 0 {
			dst[k-1]++
			return
		}
	}
	lo, hi := d.At[i], d.At[i+1]
	if hi-lo == 1 {
		dst[d.Class[i]]++
		return
	}
	for k := lo; k < hi; k++ {
		dst[d.Codes[k]] += d.Shares[k]
	}
}

// TopShare is the share of node i's most common class.
func (d *Distributions) TopShare(i int) float64 {
	top := 0.0
	for _, s := range d.Shares[d.At[i]:d.At[i+1]] {
		top = max(top, s)
	}
	return top
}

// Validate says what is wrong with the distributions of n nodes that come from
// elsewhere.
func (d *Distributions) Validate(n int) error {
	if d.Classes < 1 || d.Classes > MaxClasses || len(d.Class) != n || len(d.At) != n+1 ||
		len(d.Codes) != len(d.Weights) || len(d.Codes) != len(d.Shares) {
		return fmt.Errorf("%d classes, %d distributions for %d nodes", d.Classes, len(d.At)-1, n)
	}
	if d.At[0] != 0 || int(d.At[n]) != len(d.Codes) {
		return fmt.Errorf("distributions end at %d of %d", d.At[n], len(d.Codes))
	}
	for i := range n {
		if d.Class[i] < 0 || int(d.Class[i]) >= d.Classes || d.At[i] >= d.At[i+1] {
			return fmt.Errorf("node %d has class %d of %d, %d classes in its distribution", i, d.Class[i], d.Classes, d.At[i+1]-d.At[i])
		}
	}
	for k, c := range d.Codes {
		if w, s := d.Weights[k], d.Shares[k]; c < 0 || int(c) >= d.Classes || !(w > 0) || math.IsInf(w, 1) || !(s > 0 && s <= 1) {
			return fmt.Errorf("weight %v, share %v of class %d of %d", w, s, c, d.Classes)
		}
	}
	return nil
}

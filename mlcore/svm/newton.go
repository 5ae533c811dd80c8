package svm

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/cg"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/reuse"
)

const (
	// directWidth is the greatest number of columns for which the second derivative is
	// added up and taken apart; with more, conjugate gradients only multiply by it.
	directWidth = 200
	// newtonSteps is far more steps than it takes.
	newtonSteps = 100
)

// begin brings w, and β with it, from 0 to near the minimum of a problem that suits
// Newton's method, by this method on the primal problem
//
//	minimise  ½|w|² + Σ r_t²/(2 λ_t)  with  r = what of z - w·x is beyond ε, on a side
//	that costs
//
// whose second derivative is that of the rows with r ≠ 0 (Mangasarian, 2002, "A finite
// Newton method for classification"; with conjugate gradients, Keerthi & DeCoste, 2005,
// "A modified finite Newton method for fast solution of large scale linear SVMs").
// At the minimum β_t = r_t/λ_t. What is left is for coordinate descent, which also judges
// the end. It takes at most limit steps.
func (d *descent) begin(limit int) *newton {
	clear(d.w)
	clear(d.beta)
	d.constant, d.judged = 0, false
	width := d.d
	if d.bias > 0 {
		width++
	}
	n := &newton{descent: d, w: make([]float64, width), step: make([]float64, width), f: make([]float64, d.len()), along: make([]float64, d.len())}
	n.objective = n.value(0)
	for rough := d.d > directWidth; n.steps < min(newtonSteps, limit); {
		aim, search := n.aim, n.halve
		if rough {
			aim, search = n.aimRoughly, n.least
		}
		gain := 0.0
		if aim() {
			n.steps++
			if share, better := search(n.objective); better < n.objective {
				n.move(share)
				gain, n.objective = n.objective-better, better
			}
		}
		if gain > float64(1e-15*n.objective) {
			continue
		}
		if rough {
			break // as low as rounding lets it get
		}
		// So it may be, or rounding has left nothing of the second derivative.
		rough = true
	}
	n.hand()
	return n
}

// halve returns a share of the step that makes the objective less, and the objective
// there: all of it, or a half, and so on.
func (n *newton) halve(objective float64) (share, better float64) {
	share = 1.0
	better = n.value(share)
	for !(better < objective) && share > 1e-3 {
		share /= 2
		better = n.value(share)
	}
	return share, better
}

// least returns the share of the step that makes the objective least, and the objective
// there. The derivative of the objective by the share is made of straight pieces and
// increases, so that Newton's method ends at the piece that it is 0 on; where it goes
// round in a circle, halving goes on.
func (n *newton) least(float64) (share, better float64) {
	share = 1.0
	lo, hi := 0.0, math.Inf(1)
	for range 50 {
		slope, curvature := n.derivative(share)
		if slope > 0 {
			hi = share
		} else {
			lo = share
		}
		next := share - slope/curvature
		if !(next > lo && next < hi) {
			if next = (lo + hi) / 2; math.IsInf(hi, 1) {
				next = 2 * share
			}
		}
		if math.Abs(next-share) <= 1e-12*share {
			break
		}
		share = next
	}
	return share, n.value(share)
}

// derivative returns the first and the second derivative of value by the share.
func (n *newton) derivative(share float64) (first, second float64) {
	sums := n.sums(len(n.f), 2, func(sums []float64, lo, hi int) {
		first, second := 0.0, 0.0
		for t := lo; t < hi; t++ {
			along := n.along[t]
			if r := n.beyond(t, n.f[t]-float64(share*along)); r != 0 {
				first += float64(r*along) / n.ridge[t]
				second += float64(along*along) / n.ridge[t]
			}
		}
		sums[0], sums[1] = first, second
	})
	first, second = sums[0], sums[1]
	for j, w := range n.w {
		step := n.step[j]
		first -= float64((w - float64(share*step)) * step)
		second += float64(step * step)
	}
	return first, second
}

// suitsNewton reports whether the loss is squared, and twice differentiable.
func (d *descent) suitsNewton() bool {
	for _, l := range d.ridge {
		if !(l > 0) || math.IsInf(l, 1) {
			return false
		}
	}
	return true
}

// A newton is where the method is. Where there is a constant feature, its weight is the
// last of w.
type newton struct {
	*descent
	w, step  []float64
	f, along []float64 // w·x and step·x of each row
	parts    []float64 // of sums

	length    float64 // of the derivative at the last step, 0 before there is any
	objective float64
	steps     int
}

// beyond is r_t where w·x is f.
func (n *newton) beyond(t int, f float64) float64 {
	r := kernel.SoftThreshold(n.target[t]-f, n.epsilon)
	if r > 0 && n.upper[t] == 0 || r < 0 && n.lower[t] == 0 {
		return 0
	}
	return r
}

// value is the objective where a share of the step is gone.
func (n *newton) value(share float64) float64 {
	sum := n.sums(len(n.f), 1, func(sums []float64, lo, hi int) {
		sum := 0.0
		for t := lo; t < hi; t++ {
			if r := n.beyond(t, n.f[t]-float64(share*n.along[t])); r != 0 {
				sum += float64(r*r) / n.ridge[t]
			}
		}
		sums[0] = sum
	})[0]
	for j, w := range n.w {
		w -= float64(share * n.step[j])
		sum += float64(w * w)
	}
	return sum / 2
}

// stripRows is how many rows go into a product at a time.
const stripRows = 128

// aim finds the step: the second derivative's inverse times the first. It reports false
// where rounding leaves none.
func (n *newton) aim() bool {
	m := len(n.w)
	second, gradient := n.derivatives()
	white := factor.Whitener(second, m, 1)
	if white == nil {
		return false
	}
	half := make([]float64, m)
	for j := range half {
		half[j] = kernel.Dot(white[j*m:(j+1)*m], gradient)
	}
	clear(n.step)
	for j, v := range half {
		kernel.AddScaled(n.step, v, white[j*m:(j+1)*m])
	}
	x := make([]float64, m)
	for t := range n.along {
		n.extend(x, t)
		n.along[t] = kernel.Dot(n.step, x)
	}
	return true
}

// aimRoughly is aim by conjugate gradients, the more exact the nearer the minimum is
// (Eisenstat & Walker, 1996, "Choosing the forcing terms in an inexact Newton method").
// It reports false where the derivative is so small that no row violates the tolerance.
func (n *newton) aimRoughly() bool {
	width := len(n.w)
	var rows []int32 // that have a part in the derivatives
	longest := 0.0
	for t, f := range n.f {
		longest = max(longest, n.curvature[t]-n.ridge[t])
		if n.beyond(t, f) != 0 {
			rows = append(rows, int32(t))
		}
	}
	gradient, diagonal := slices.Clone(n.w), slices.Repeat([]float64{1}, width)
	sums := n.sums(len(rows), 2*width, func(sums []float64, lo, hi int) {
		for _, t := range rows[lo:hi] {
			n.add(sums[:width], -n.beyond(int(t), n.f[t])/n.ridge[t], int(t))
			n.addSquares(sums[width:], 1/n.ridge[t], int(t))
		}
	})
	kernel.AddScaled(gradient, 1, sums[:width])
	kernel.AddScaled(diagonal, 1, sums[width:])
	length := kernel.Norm(gradient)
	// Half of the tolerance, since descent adds up w anew.
	if !(float64(length*math.Sqrt(longest)) > n.tolerance/2) {
		return false
	}
	share := 0.1
	if n.length > 0 {
		ratio := length / n.length
		share = min(max(float64(ratio*ratio), 1e-6), share)
	}
	n.length = length
	cg.Solve(n.step, gradient, diagonal, func(out, v []float64) {
		copy(out, v)
		kernel.AddScaled(out, 1, n.sums(len(rows), width, func(sums []float64, lo, hi int) {
			for _, t := range rows[lo:hi] {
				n.add(sums, n.dot(v, int(t))/n.ridge[t], int(t))
			}
		}))
	}, share, 2*width)
	n.team.Chunks(len(n.along), sumRows, func(_, lo, hi int) {
		for t := lo; t < hi; t++ {
			n.along[t] = n.dot(n.step, t)
		}
	})
	return true
}

// sumRows is how many rows one member of the team adds up at a time. It is the same for
// every team, so that sums are.
const sumRows = 1024

// sums adds up over so many rows what add makes of those from lo to hi, in sums of a width
// that are 0 at first. The result is overwritten by the next call.
func (n *newton) sums(rows, width int, add func(sums []float64, lo, hi int)) []float64 {
	parts := max(1, (rows+sumRows-1)/sumRows)
	n.parts = reuse.Slice(n.parts, parts*width)
	clear(n.parts)
	n.team.Chunks(rows, sumRows, func(c, lo, hi int) { add(n.parts[c*width:(c+1)*width], lo, hi) })
	for c := 1; c < parts; c++ {
		kernel.AddScaled(n.parts[:width], 1, n.parts[c*width:(c+1)*width])
	}
	return n.parts[:width]
}

// dot returns the product of v and row t with the constant feature.
func (n *newton) dot(v []float64, t int) float64 {
	var sum float64
	if n.sparse != nil {
		sum = n.sparse.Dot(t, v)
	} else {
		sum = kernel.LongDot(v[:n.d], n.row(t))
	}
	if len(v) > n.d {
		sum += float64(v[n.d] * n.bias)
	}
	return sum
}

// add adds a times row t with the constant feature to y.
func (n *newton) add(y []float64, a float64, t int) {
	n.addRow(y[:n.d], a, t)
	if len(y) > n.d {
		y[n.d] += float64(a * n.bias)
	}
}

// addSquares adds a times the squares of row t with the constant feature to y.
func (n *newton) addSquares(y []float64, a float64, t int) {
	if len(y) > n.d {
		y[n.d] += float64(a * float64(n.bias*n.bias))
	}
	if n.sparse != nil {
		n.sparse.AddSquares(y, a, t)
		return
	}
	for j, v := range n.row(t) {
		y[j] += float64(a * float64(v*v))
	}
}

// derivatives returns the second derivative, of which what stands above the diagonal is
// of no use, and the first.
func (n *newton) derivatives() (second, gradient []float64) {
	m := len(n.w)
	// A strip of rows x, and what goes with them: each x/λ, followed by -r/λ. Their
	// product has a row for each column of the second derivative, and then the first.
	x := kernel.Matrix{Data: make([]float64, stripRows*m), Cols: m}
	with := kernel.Matrix{Data: make([]float64, stripRows*(m+1)), Cols: m + 1}
	sums := kernel.Matrix{Data: make([]float64, (m+1)*m), Rows: m + 1, Cols: m}
	for j := range m {
		sums.Row(j)[j] = 1
	}
	copy(sums.Row(m), n.w)
	var buf kernel.Buffer
	add := func() {
		rows := x.Rows
		kernel.MulTransAdd(sums, kernel.Matrix{Data: with.Data[:rows*(m+1)], Rows: rows, Cols: m + 1},
			kernel.Matrix{Data: x.Data[:rows*m], Rows: rows, Cols: m}, &buf)
		x.Rows = 0
	}
	for t, f := range n.f {
		r := n.beyond(t, f)
		if r == 0 {
			continue
		}
		k := x.Rows
		x.Rows++
		row, scaled := x.Row(k), with.Row(k)
		n.extend(row, t)
		inverse := 1 / n.ridge[t]
		for j, v := range row {
			scaled[j] = float64(v * inverse)
		}
		scaled[m] = float64(-r * inverse)
		if x.Rows == stripRows {
			add()
		}
	}
	add()
	return sums.Data[:m*m], sums.Row(m)
}

// extend puts row t and the constant feature in x.
func (n *newton) extend(x []float64, t int) {
	if copy(x, n.row(t)) < len(x) {
		x[len(x)-1] = n.bias
	}
}

// move goes a share of the step.
func (n *newton) move(share float64) {
	kernel.AddScaled(n.w, -share, n.step)
	kernel.AddScaled(n.f, -share, n.along)
}

// sameMinimum is how far apart, as a share of the primal objective, that and the dual one
// are where both are minimal but for rounding.
const sameMinimum = 1e-9

// hand gives the descent the β of w, and the w of these: or w itself, where that is at the
// minimum, as the dual objective shows, and the sum of large β has lost it in rounding.
func (n *newton) hand() {
	d := n.descent
	d.judged = false
	for t, f := range n.f {
		if r := n.beyond(t, f); r != 0 {
			d.beta[t] = r / n.ridge[t]
			n.addRow(d.w, d.beta[t], t)
			d.constant += float64(d.beta[t] * n.bias)
		}
	}
	if v, dual := d.judge(); v > d.tolerance && n.objective+dual <= float64(sameMinimum*n.objective) {
		n.keep()
	}
}

// keep gives the descent w.
func (n *newton) keep() {
	n.judged = false
	copy(n.descent.w, n.w)
	if n.bias > 0 {
		n.constant = n.w[n.d]
	}
}

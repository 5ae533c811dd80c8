package svm

import (
	"math"

	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

const (
	// newtonWidth is the greatest number of columns for which a Newton step, which
	// takes their square for each row, is worth it.
	newtonWidth = 200
	// newtonSteps is far more steps than it takes.
	newtonSteps = 50
)

// begin brings w, and β with it, near the minimum where squared loss, many rows and few
// columns make that easy: by Newton's method on the primal problem
//
//	minimise  ½|w|² + Σ r_t²/(2 λ_t)  with  r = what of z - w·x is beyond ε, on a side
//	that costs
//
// whose second derivative is that of the rows with r ≠ 0 (Mangasarian, 2002, "A finite
// Newton method for classification"). At the minimum β_t = r_t/λ_t. What is left is for
// coordinate descent, which also judges the end. It returns the number of steps.
func (d *descent) begin() (steps int) {
	if !d.suitsNewton() {
		return 0
	}
	width := d.d
	if d.bias > 0 {
		width++
	}
	n := &newton{descent: d, w: make([]float64, width), step: make([]float64, width), f: make([]float64, d.len()), along: make([]float64, d.len())}
	objective := n.value(0)
	for steps < min(newtonSteps, d.maxIterations) && n.aim() {
		steps++
		share := 1.0
		better := n.value(share)
		for !(better < objective) && share > 1e-3 {
			share /= 2
			better = n.value(share)
		}
		if !(better < objective) {
			break // as low as rounding lets it get
		}
		n.move(share)
		if objective-better <= 1e-15*objective {
			break
		}
		objective = better
	}
	n.hand()
	return steps
}

func (d *descent) suitsNewton() bool {
	if d.d > newtonWidth || d.len() <= 2*d.d {
		return false
	}
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
	sum := 0.0
	for t, f := range n.f {
		if r := n.beyond(t, f-float64(share*n.along[t])); r != 0 {
			sum += float64(r*r) / n.ridge[t]
		}
	}
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
	white := factor.Whitener(second, m)
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
		for j, v := range row {
			scaled[j] = v / n.ridge[t]
		}
		scaled[m] = -r / n.ridge[t]
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

// hand gives the descent the β of w, and the w of these.
func (n *newton) hand() {
	for t, f := range n.f {
		if r := n.beyond(t, f); r != 0 {
			n.beta[t] = r / n.ridge[t]
			kernel.AddScaled(n.descent.w, n.beta[t], n.row(t))
			n.constant += float64(n.beta[t] * n.bias)
		}
	}
}

package linear

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A likelihood is the smooth part of the objective of logistic regression: the
// weighted mean of -log P(class | x), plus l2/2 times the squares of the
// coefficients. The l1 part is left to the solvers.
//
// Parameters are ordered by column, the intercept first, and within a column by
// output: theta[(base+j)*outputs + k]. Two classes have one output, the log-odds
// of the second; more have one a class.
type likelihood struct {
	x       *rows
	shift   []float64 // what was taken away from the columns in x, or nil
	class   []int32   // of each row, from 0
	weight  []float64 // of each row; they sum to 1
	outputs int
	base    int // 1 with an intercept, else 0
	l1, l2  float64
	team    *par.Team
	room    []*chunkScratch // of each member of the team
	prob    []float64       // n×outputs: where it was last evaluated
	parts   []float64       // of each chunk: the gradient and the loss
	squares [][]float64     // of each part but the first: the Hessian; clear between uses
}

// chunkScratch is a member's room for a chunk of rows.
type chunkScratch struct {
	residual []float64
	exp      []float64
	buf      kernel.Buffer
}

// newLikelihood starts a team, which close ends.
func newLikelihood(x *rows, class []int32, weight []float64, classes int, intercept bool, workers int) *likelihood {
	f := &likelihood{x: x, class: class, weight: weight, outputs: functions(classes)}
	if intercept {
		f.base = 1
	}
	if f.chunks() > 1 {
		f.team = par.NewTeam(workers)
	}
	f.room = make([]*chunkScratch, f.team.Size())
	f.prob = make([]float64, x.n*f.outputs)
	f.parts = make([]float64, f.chunks()*(f.size()+1))
	return f
}

func (f *likelihood) close() { f.team.Close() }

func (f *likelihood) scratch(member int) *chunkScratch {
	if f.room[member] == nil {
		rows := min(chunkRows, f.x.n)
		f.room[member] = &chunkScratch{residual: make([]float64, rows*f.outputs), exp: make([]float64, rows)}
	}
	return f.room[member]
}

func (f *likelihood) chunks() int { return (f.x.n + chunkRows - 1) / chunkRows }

// size is the number of parameters.
func (f *likelihood) size() int { return (f.base + f.x.d) * f.outputs }

// eval returns the loss at theta, writes its gradient to grad and keeps the
// probabilities for hessian.
func (f *likelihood) eval(theta, grad []float64) float64 {
	size, B := f.size(), f.outputs
	f.team.Do(f.chunks(), func(member, c int) {
		s := f.scratch(member)
		lo, hi := c*chunkRows, min((c+1)*chunkRows, f.x.n)
		part := f.parts[c*(size+1) : (c+1)*(size+1)]
		clear(part)
		z, residual := f.prob[lo*B:hi*B], s.residual[:(hi-lo)*B]
		f.scores(z, theta, lo, hi, &s.buf)
		if B == 1 {
			part[size] = f.logOdds(z, residual, s.exp[:hi-lo], lo)
		} else {
			part[size] = f.softmax(z, residual, lo)
		}
		f.backward(part[:size], residual, lo, hi, &s.buf)
	})
	clear(grad)
	loss := 0.0
	for c := range f.chunks() {
		part := f.parts[c*(size+1) : (c+1)*(size+1)]
		kernel.AddScaled(grad, 1, part[:size])
		loss += part[size]
	}
	if f.l2 > 0 {
		coef := theta[f.base*B:]
		loss += float64(float64(f.l2*kernel.Dot(coef, coef)) / 2)
		kernel.AddScaled(grad[f.base*B:], f.l2, coef)
	}
	return loss
}

// scores writes w·x + b of rows lo to hi, row-major, to z.
func (f *likelihood) scores(z, theta []float64, lo, hi int, buf *kernel.Buffer) {
	B, coef := f.outputs, theta[f.base*f.outputs:]
	for i := 0; i < len(z); i += B {
		if f.base == 1 {
			copy(z[i:i+B], theta[:B])
		} else {
			clear(z[i : i+B])
		}
	}
	switch {
	case f.x.dense != nil && B == 1:
		for i := range z {
			z[i] += kernel.Dot(f.x.row(lo+i), coef)
		}
	case f.x.dense != nil:
		d := f.x.d
		kernel.MulAdd(kernel.Matrix{Data: z, Rows: hi - lo, Cols: B},
			kernel.Matrix{Data: f.x.dense[lo*d : hi*d], Rows: hi - lo, Cols: d},
			kernel.Matrix{Data: coef, Rows: d, Cols: B}, buf)
	case B == 1 && f.x.ones:
		for i := range z {
			col, _ := f.x.entries(lo + i)
			sum := z[i]
			for _, j := range col {
				sum += coef[j]
			}
			z[i] = sum
		}
	case B == 1:
		for i := range z {
			col, val := f.x.entries(lo + i)
			sum := z[i]
			for e, j := range col {
				sum += float64(val[e] * coef[j])
			}
			z[i] = sum
		}
	default:
		for i := lo; i < hi; i++ {
			col, val := f.x.entries(i)
			row := z[(i-lo)*B : (i-lo+1)*B]
			for e, j := range col {
				kernel.AddScaled(row, val[e], coef[int(j)*B:(int(j)+1)*B])
			}
		}
	}
}

// logOdds turns the log-odds z of the second class of two into its probability,
// writes weight times (probability - outcome) to residual and returns the
// weighted loss. exp is room.
func (f *likelihood) logOdds(z, residual, exp []float64, lo int) float64 {
	for i, v := range z {
		exp[i] = -math.Abs(v)
	}
	kernel.Exp(exp)
	logs := residual // until its elements are written
	copy(logs, exp)
	elementary.Log1pEach(logs)
	loss := 0.0
	for i, v := range z {
		// log(1 + e^-|v|), and |v| more if v is on the wrong side.
		e, w, l := exp[i], f.weight[lo+i], logs[i]
		second := f.class[lo+i] == 1
		if second == (v < 0) {
			l += math.Abs(v)
		}
		loss += float64(w * l)
		p, q := 1/(1+e), e/(1+e) // of the likelier class, of the other
		if v < 0 {
			p, q = q, p
		}
		z[i] = p
		if second {
			residual[i] = float64(-w * q)
		} else {
			residual[i] = float64(w * p)
		}
	}
	return loss
}

// softmax does the same for more classes: z holds one score a class.
func (f *likelihood) softmax(z, residual []float64, lo int) float64 {
	B := f.outputs
	loss := 0.0
	tops := make([]int, len(z)/B)
	for r := range tops {
		row := z[r*B : (r+1)*B]
		tops[r] = decide(row)
		kernel.Shift(row, -row[tops[r]])
		loss -= float64(f.weight[lo+r] * row[f.class[lo+r]])
	}
	kernel.Exp(z)
	rests := make([]float64, len(tops))
	for r, top := range tops {
		// All but the top: a 0 in its place, for a branch would be a matter of chance.
		row, rest := z[r*B:(r+1)*B], 0.0
		e := row[top]
		row[top] = 0
		for _, e := range row {
			rest += e
		}
		row[top], rests[r] = e, rest
	}
	logs := slices.Clone(rests)
	elementary.Log1pEach(logs)
	for r, rest := range rests {
		row := z[r*B : (r+1)*B]
		w, y := f.weight[lo+r], int(f.class[lo+r])
		loss += float64(w * logs[r])
		out := residual[r*B : (r+1)*B]
		kernel.Divide(row, 1+rest)
		copy(out, row)
		kernel.Scale(out, w)
		out[y] -= w
	}
	return loss
}

// backward adds Xᵀ residual to the gradient.
func (f *likelihood) backward(grad, residual []float64, lo, hi int, buf *kernel.Buffer) {
	B, coef := f.outputs, grad[f.base*f.outputs:]
	if f.base == 1 {
		for i := 0; i < len(residual); i += B {
			for k, v := range residual[i : i+B] {
				grad[k] += v
			}
		}
	}
	switch {
	case f.x.dense != nil && B == 1:
		for i, v := range residual {
			kernel.AddScaled(coef, v, f.x.row(lo+i))
		}
	case f.x.dense != nil:
		d := f.x.d
		kernel.MulTransAdd(kernel.Matrix{Data: coef, Rows: d, Cols: B},
			kernel.Matrix{Data: f.x.dense[lo*d : hi*d], Rows: hi - lo, Cols: d},
			kernel.Matrix{Data: residual, Rows: hi - lo, Cols: B}, buf)
	case B == 1 && f.x.ones:
		for i, v := range residual {
			col, _ := f.x.entries(lo + i)
			for _, j := range col {
				coef[j] += v
			}
		}
	case B == 1:
		for i, v := range residual {
			col, val := f.x.entries(lo + i)
			for e, j := range col {
				coef[j] += float64(val[e] * v)
			}
		}
	default:
		for i := lo; i < hi; i++ {
			col, val := f.x.entries(i)
			row := residual[(i-lo)*B : (i-lo+1)*B]
			for e, j := range col {
				kernel.AddScaled(coef[int(j)*B:(int(j)+1)*B], val[e], row)
			}
		}
	}
}

// hessianCells bounds the room for the partial Hessians, in float64.
const hessianCells = 1 << 22

// sumSize is how many elements of the Hessian a member adds up at a time.
const sumSize = 4096

// hessian writes the upper triangle of the second derivatives, where eval was
// last called, to h, which is size×size: for two classes the sum of
// w p(1-p) x xᵀ, for more blocks w (p_k [k=l] - p_k p_l) x xᵀ.
func (f *likelihood) hessian(h []float64) {
	size := f.size()
	// Few parts, each as large as the Hessian; their number depends on the data
	// alone.
	parts := max(1, min(16, f.chunks(), hessianCells/(size*size)))
	per := (f.x.n + parts - 1) / parts
	if f.squares == nil {
		f.squares = make([][]float64, parts-1)
		for c := range f.squares {
			f.squares[c] = make([]float64, size*size)
		}
	}
	clear(h)
	f.team.Do(parts, func(_, c int) {
		part := h
		if c > 0 {
			part = f.squares[c-1]
		}
		f.addHessian(part, c*per, min((c+1)*per, f.x.n))
	})
	// Who has read a part clears it: it takes several times as long to take memory back
	// from a processor that holds a copy as to take over what another has written.
	f.team.Chunks(len(h), sumSize, func(_, lo, hi int) {
		for _, part := range f.squares {
			kernel.AddScaled(h[lo:hi], 1, part[lo:hi])
			clear(part[lo:hi])
		}
	})
	for i := f.base * f.outputs; i < size; i++ {
		h[i*size+i] += f.l2
	}
}

// addHessian adds what rows lo to hi contribute.
func (f *likelihood) addHessian(h []float64, lo, hi int) {
	m := make([]float64, f.outputs*f.outputs)
	switch {
	case f.x.dense != nil:
		f.addDense(h, lo, hi)
	case f.outputs == 1 && f.x.ones:
		f.addOnes(h, m, lo, hi)
	case f.outputs == 1:
		f.addSparse(h, m, lo, hi)
	default:
		f.addSparseBlocks(h, m, lo, hi)
	}
}

// addSparse is addHessian for two classes and sparse rows.
func (f *likelihood) addSparse(h, m []float64, lo, hi int) {
	size, base := f.size(), f.base
	for i := lo; i < hi; i++ {
		f.curvature(m, i)
		col, val := f.x.entries(i)
		if base == 1 {
			h[0] += m[0]
			for e, j := range col {
				h[1+int(j)] += float64(m[0] * val[e])
			}
		}
		for a, p := range col {
			v, at := float64(m[0]*val[a]), base+int(p)
			row := h[at*size+base : (at+1)*size]
			val := val[a:]
			for b, q := range col[a:] {
				row[q] += float64(v * val[b])
			}
		}
	}
}

// addOnes is addSparse where all values are 1.
func (f *likelihood) addOnes(h, m []float64, lo, hi int) {
	size, base := f.size(), f.base
	for i := lo; i < hi; i++ {
		f.curvature(m, i)
		col, _ := f.x.entries(i)
		v := m[0]
		if base == 1 {
			h[0] += v
			for _, j := range col {
				h[1+int(j)] += v
			}
		}
		for a, p := range col {
			at := base + int(p)
			row := h[at*size+base : (at+1)*size]
			for _, q := range col[a:] {
				row[q] += v
			}
		}
	}
}

// addSparseBlocks is addHessian for more classes and sparse rows.
func (f *likelihood) addSparseBlocks(h, m []float64, lo, hi int) {
	size, B := f.size(), f.outputs
	var at []int // the first parameter of each value
	var val []float64
	for i := lo; i < hi; i++ {
		f.curvature(m, i)
		at, val = at[:0], val[:0]
		if f.base == 1 {
			at, val = append(at, 0), append(val, 1)
		}
		col, values := f.x.entries(i)
		for e, j := range col {
			at, val = append(at, (f.base+int(j))*B), append(val, values[e])
		}
		for a, p := range at {
			for b := a; b < len(at); b++ {
				v := float64(val[a] * val[b])
				for k := range B {
					start := (p+k)*size + at[b]
					kernel.AddScaled(h[start:start+B], v, m[k*B:(k+1)*B])
				}
			}
		}
	}
}

// addDense is addHessian for dense rows: for each output the product of the rows with
// themselves, weighted by its curvature with that output and those after it.
func (f *likelihood) addDense(h []float64, lo, hi int) {
	const block = 256
	B, c := f.outputs, f.base+f.x.d
	wide := kernel.PaddedColumns(c) // the rest are zeros
	room := min(block, hi-lo)
	rows, curves := make([]float64, room*wide), make([]float64, room*B*B)
	scaled, products := make([]float64, room*B*c), make([]float64, B*c*wide)
	var buf kernel.Buffer
	for ; lo < hi; lo += block {
		n := min(block, hi-lo)
		x := kernel.Matrix{Data: rows[:n*wide], Rows: n, Cols: wide}
		for i := range n {
			row := x.Row(i)
			if f.base == 1 {
				row[0] = 1
			}
			copy(row[f.base:], f.x.row(lo+i))
			f.curvature(curves[i*B*B:(i+1)*B*B], lo+i)
		}
		for k := range B {
			left := kernel.Matrix{Data: scaled[:n*(B-k)*c], Rows: n, Cols: (B - k) * c}
			for i := range n {
				to, row := left.Row(i), x.Row(i)[:c]
				for _, curve := range curves[i*B*B+k*B+k : i*B*B+(k+1)*B] {
					own := to[:len(row)]
					for j, v := range row {
						own[j] = float64(curve * v)
					}
					to = to[len(row):]
				}
			}
			product := kernel.Matrix{Data: products[:left.Cols*wide], Rows: left.Cols, Cols: wide}
			clear(product.Data)
			kernel.MulTransAdd(product, left, x, &buf)
			for l := k; l < B; l++ {
				f.addBlock(h, product.Data[(l-k)*c*wide:], wide, k, l)
			}
		}
	}
}

// addBlock adds the symmetric product of outputs k and l, whose rows are wide, to the upper
// triangle.
func (f *likelihood) addBlock(h, product []float64, wide, k, l int) {
	size, B := f.size(), f.outputs
	for i := range f.base + f.x.d {
		for j := i; j < f.base+f.x.d; j++ {
			v := product[i*wide+j]
			h[(i*B+k)*size+j*B+l] += v
			if k != l && i != j {
				h[(i*B+l)*size+j*B+k] += v
			}
		}
	}
}

// curvature writes the second derivatives of the loss of row i by its scores.
func (f *likelihood) curvature(m []float64, i int) {
	B, w := f.outputs, f.weight[i]
	p := f.prob[i*B : (i+1)*B]
	if B == 1 {
		m[0] = float64(w * float64(p[0]*(1-p[0])))
		return
	}
	for k, pk := range p {
		for l, pl := range p {
			m[k*B+l] = float64(-w * float64(pk*pl))
		}
		m[k*B+k] += float64(w * pk)
	}
}

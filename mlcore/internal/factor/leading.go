package factor

import (
	"math"
	"math/rand/v2"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Leading returns the count greatest eigenvalues of a symmetric positive semi-definite matrix,
// the greatest first, and their vectors, of length 1: count rows of n numbers. Of g, n×n and
// row-major, the upper triangle is read, and all is overwritten. For a few of many it takes a
// small part of the time of all, the less the faster the values fall. The error is of the size
// of rounding in the greatest eigenvalue, so small ones have fewer digits. It reports false
// where they do not converge soon, or where g holds what is not finite.
//
// A block of somewhat more vectors is multiplied by a polynomial of g that is small for all
// but the greatest eigenvalues, and made orthogonal, until the leading ones stay (Zhou, Saad,
// Tiago & Chelikowsky, 2006, "Self-consistent-field calculations using Chebyshev-filtered
// subspace iteration"). More vectors than count find equal eigenvalues, too. One that is far
// above the rest is taken out of g when it is found, and the others go on without it.
func Leading(g []float64, n, count, workers int) (values, vectors []float64, ok bool) {
	b := (count + 11) &^ 3
	if b > n || !kernel.Finite(g) {
		return nil, nil, false
	}
	for i := range n {
		for j := range i {
			g[i*n+j] = g[j*n+i]
		}
	}
	unit := Unit(g) // squares are in range then
	kernel.Divide(g, unit)
	f := &filter{g: g, n: n, b: b}
	if par.Workers(workers) > 1 {
		f.team = par.NewTeam(workers)
		defer f.team.Close()
	}
	f.buffers = make([]kernel.Buffer, f.team.Size())
	values, vectors, ok = f.run(count)
	for k := range values {
		values[k] *= unit
	}
	return values, vectors, ok
}

// A filter is the state of Leading. Blocks of vectors are n×b.
type filter struct {
	g        []float64
	n, b     int
	products int       // with g so far; n of them take as long as all eigenvalues do
	taken    []float64 // vectors that are taken out of g, n numbers each
	team     *par.Team
	buffers  []kernel.Buffer
}

const (
	// converged is the length of a residual, as a share of the greatest eigenvalue, that
	// rounding leaves at least; nearly is one, as a share of its own eigenvalue, from which on it
	// is enough that it hardly falls any more.
	converged, nearly = 1e-15, 1e-12
	// outshines is how much greater than those of the block an eigenvalue is that is taken out.
	outshines = 10
	// leastDegree is the degree of the first polynomial. It doubles each time: higher degrees
	// converge faster per product, but need a good estimate of the rest of the spectrum first.
	leastDegree, mostDegree = 8, 128
	// enough products are for noise, whose eigenvalues lie close together. Of a large matrix,
	// half as many may be spent as take the time of all eigenvalues.
	enough = 300
	// mostGain is how much more the first vector may grow than the last before their
	// products with the others lose too many digits.
	mostGain = 1e7
)

func (f *filter) run(count int) (values, vectors []float64, ok bool) {
	// Vectors drawn at random have a part of every eigenvector.
	x, rng := f.block(), rand.New(rand.NewPCG(1, 2))
	for i := range x.Data {
		x.Data[i] = float64(rng.Float64()) - 0.5
	}
	rows := f.orthonormal(f.times(x))
	last, lastFirst := math.Inf(1), math.Inf(1)
	for degree := leastDegree; f.products < max(f.n/2, enough); degree = min(2*degree, mostDegree) {
		images := f.rows(f.times(f.columns(rows)))
		for k := range f.b {
			f.beside(images.Row(k))
		}
		found := f.rotate(&rows, &images)
		first, worst, off := 0.0, 0.0, 0.0 // residuals, and those as shares of their values
		for k := range count - len(values) {
			residual := append([]float64(nil), images.Row(k)...)
			kernel.AddScaled(residual, -found[k], rows.Row(k))
			length := kernel.Norm(residual)
			if k == 0 {
				first = length
			}
			worst, off = max(worst, length), max(off, length/found[k])
		}
		switch {
		case !(found[0] > 0) || worst-worst != 0:
			return nil, nil, false
		case worst <= converged*found[0], off <= nearly && worst > 0.7*last:
			rest := count - len(values)
			return append(values, found[:rest]...), append(f.taken, rows.Data[:rest*f.n]...), true
		case found[0] > outshines*found[f.b-1] && first <= nearly*found[0] && first > 0.7*lastFirst:
			values = append(values, found[0])
			rows = f.without(rows, found[0])
			last, lastFirst = math.Inf(1), math.Inf(1)
			continue
		}
		last, lastFirst = worst, first
		rows = f.orthonormal(f.filtered(rows, images, found, degree))
	}
	return nil, nil, false
}

// without takes the first of the vectors, which has that eigenvalue, out of g, and puts another
// in its place: as long as it outshines the others, the polynomials have to be of low degree.
func (f *filter) without(rows kernel.Matrix, value float64) kernel.Matrix {
	q := rows.Row(0)
	f.taken = append(f.taken, q...)
	for i, v := range q {
		kernel.AddScaled(f.g[i*f.n:(i+1)*f.n], -float64(value*v), q)
	}
	others := kernel.Matrix{Data: make([]float64, len(rows.Data)), Rows: f.b, Cols: f.n}
	copy(others.Data, rows.Data[f.n:]) // orthonormal finds the last
	return f.orthonormal(f.columns(others))
}

func (f *filter) block() kernel.Matrix {
	return kernel.Matrix{Data: make([]float64, f.n*f.b), Rows: f.n, Cols: f.b}
}

// times returns g x.
func (f *filter) times(x kernel.Matrix) kernel.Matrix {
	const chunk = 32 // rows
	f.products++
	y := f.block()
	f.team.Do((f.n+chunk-1)/chunk, func(member, c int) {
		lo, hi := c*chunk, min((c+1)*chunk, f.n)
		kernel.MulAdd(
			kernel.Matrix{Data: y.Data[lo*f.b : hi*f.b], Rows: hi - lo, Cols: f.b},
			kernel.Matrix{Data: f.g[lo*f.n : hi*f.n], Rows: hi - lo, Cols: f.n}, x, &f.buffers[member])
	})
	return y
}

// rows returns the vectors of a block as the rows of a matrix, and columns the block.
func (f *filter) rows(x kernel.Matrix) kernel.Matrix {
	r := kernel.Matrix{Data: make([]float64, f.n*f.b), Rows: f.b, Cols: f.n}
	kernel.Transpose(r, x)
	return r
}

func (f *filter) columns(r kernel.Matrix) kernel.Matrix {
	x := f.block()
	kernel.Transpose(x, r)
	return x
}

// beside makes a vector orthogonal to those that are taken out: what rounding leaves of them in g
// is as large as the eigenvalues that are looked for.
func (f *filter) beside(v []float64) {
	for at := 0; at < len(f.taken); at += f.n {
		q := f.taken[at : at+f.n]
		kernel.AddScaled(v, -kernel.Dot(q, v), q)
	}
}

// orthonormal returns vectors of length 1, orthogonal to each other, that span what those of
// the block do, as rows. What is a combination of those before it but for rounding becomes
// anything that is orthogonal to them.
func (f *filter) orthonormal(x kernel.Matrix) kernel.Matrix {
	r, rng := f.rows(x), rand.New(rand.NewPCG(3, 4))
	for k := range f.b {
		v := r.Row(k)
		before := kernel.Norm(v)
		for pass := 0; ; pass++ {
			f.beside(v)
			for j := range k {
				kernel.AddScaled(v, -kernel.Dot(r.Row(j), v), r.Row(j))
			}
			length := kernel.Norm(v)
			if pass > 0 && length > before/2 { // once more than that loses no digits
				kernel.Divide(v, length)
				break
			}
			if before = length; !(length > nothing) || pass > 4 {
				for i := range v {
					v[i] = float64(rng.Float64()) - 0.5
				}
				before, pass = kernel.Norm(v), -1
			}
		}
	}
	return r
}

// rotate makes of orthonormal rows and of their products with g those vectors in their span
// that are nearest to eigenvectors, and returns the eigenvalues, the greatest first (the
// Rayleigh-Ritz method).
func (f *filter) rotate(rows, images *kernel.Matrix) (values []float64) {
	h := make([]float64, f.b*f.b)
	for i := range f.b {
		for j := i; j < f.b; j++ {
			h[i*f.b+j] = kernel.Dot(rows.Row(i), images.Row(j))
			h[j*f.b+i] = h[i*f.b+j]
		}
	}
	turned := func(m kernel.Matrix, found []Direction) kernel.Matrix {
		to := kernel.Matrix{Data: make([]float64, len(m.Data)), Rows: f.b, Cols: f.n}
		for k, direction := range found {
			for j, v := range direction.Right {
				kernel.AddScaled(to.Row(k), v, m.Row(j))
			}
		}
		return to
	}
	found := Directions(h, f.b, f.b)
	for _, direction := range found {
		values = append(values, direction.Value)
	}
	*rows, *images = turned(*rows, found), turned(*images, found)
	return values
}

// filtered applies to x a Chebyshev polynomial of g, of at most that degree. It is within ±1 on
// [0, the least of values], grows beyond, and is scaled to 1 at the greatest.
func (f *filter) filtered(rows, images kernel.Matrix, values []float64, degree int) kernel.Matrix {
	half := float64(max(values[f.b-1], float64(1e-12*values[0])) / 2) // of the interval, and its centre
	sigma := half / (values[0] - half)
	first := sigma
	x, y := f.columns(rows), f.columns(images)
	for i, v := range x.Data {
		y.Data[i] = float64((y.Data[i] - float64(half*v)) * (sigma / half))
	}
	before, gain := 1.0, 1/first // of the polynomials of two degrees, at the greatest
	for range degree - 1 {
		before, gain = gain, float64(2/first*gain)-before
		if gain > mostGain {
			break
		}
		next := 1 / (2/first - sigma)
		z := f.times(y)
		a, b := 2*next/half, float64(sigma*next)
		for i, v := range y.Data {
			z.Data[i] = float64(a*(z.Data[i]-float64(half*v))) - float64(b*x.Data[i])
		}
		x, y, sigma = y, z, next
	}
	return y
}

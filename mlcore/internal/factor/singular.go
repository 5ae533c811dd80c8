package factor

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// Singular returns the count greatest singular values of a, which is m×d and row-major
// with m ≤ d, the greatest first, and for the first of them their right vectors, of length 1:
// so many rows of d numbers. Of more than m values, the others are 0. The squares of the
// elements of a have to be finite and not to underflow: see [Unit]. Values are wrong by no
// more than rounding does to the greatest, whatever their size; those of [Directions], which
// takes longer, are exact in their own units.
//
// A matrix with fewer rows than columns becomes a triangle of its rows first; see [LQ].
// A square one becomes bidiagonal by reflections, and that diagonal by rotations (Golub
// & Reinsch, 1970, "Singular value decomposition and least squares solutions").
func Singular(a []float64, m, d, count, vectors, workers int) (values []float64, right []float64) {
	if m == d {
		values, right = singular(slices.Clone(a), m, vectors, workers)
		return values[:count], right
	}
	lq := NewLQ(a, d, m, d)
	values, inner := singular(lq.L, m, min(vectors, m), workers)
	for len(values) < count {
		values = append(values, 0)
	}
	right = make([]float64, vectors*d)
	_ = par.Do(vectors, workers, func(k int) error {
		u := make([]float64, k+1)
		if u[k] = 1; k < m {
			u = inner[k*m : (k+1)*m]
		}
		copy(right[k*d:(k+1)*d], lq.Back(u))
		return nil
	})
	return values[:count], right
}

// Of a matrix with more rows than manyRows, up to a share of 1/fewVectors of the right
// vectors are made one by one.
const (
	manyRows   = 256
	fewVectors = 4
)

// singular is Singular of all values of a square matrix, which it overwrites.
func singular(a []float64, m, vectors, workers int) (values []float64, right []float64) {
	unit := Unit(a)
	kernel.Divide(a, unit)
	var team *par.Team
	if m > 2*bandRows && par.Workers(workers) > 1 {
		team = par.NewTeam(workers)
		defer team.Close()
	}
	b := newBidiagonal(a, m, team)
	r := &diagonaliser{d: b.diagonal, e: b.above, n: m, workers: workers}
	few := m > manyRows && vectors*fewVectors <= m
	if !few {
		r.right = b.basis(team)
	}
	r.run()
	order := make([]int, m)
	for k := range order {
		order[k] = k
		b.diagonal[k] = max(b.diagonal[k], -b.diagonal[k])
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.diagonal[j], b.diagonal[i]) })
	values = make([]float64, m)
	for to, from := range order {
		values[to] = float64(b.diagonal[from] * unit)
	}
	if few {
		return values, b.back(r, order[:vectors], workers)
	}
	right = make([]float64, vectors*m)
	for to, from := range order[:vectors] {
		copy(right[to*m:][:m], r.right[from*m:])
	}
	return values, right
}

// A bidiagonal is an n×n matrix with numbers on its diagonal and right above it, which
// reflections from both sides have made of another.
type bidiagonal struct {
	n               int
	diagonal, above []float64
	// Row k of a holds, from its element k+1 on, the vector v of the reflection
	// 1 - v vᵀ multiple[k] from the right.
	a        []float64
	multiple []float64
}

// bandRows is how many rows one member of a team takes at a time. It is the same for every
// team, so that sums are.
const bandRows = 128

// newBidiagonal overwrites a, n×n and row-major.
func newBidiagonal(a []float64, n int, team *par.Team) *bidiagonal {
	b := &bidiagonal{n: n, diagonal: make([]float64, n), above: make([]float64, n), a: a, multiple: make([]float64, n)}
	u, sum := make([]float64, n), make([]float64, n)
	bands := make([]float64, (n+bandRows-1)/bandRows*n) // the part of each band in the next sum
	for i := range n {
		u[i] = a[i*n]
		kernel.AddScaled(sum[1:], u[i], a[i*n+1:(i+1)*n])
	}
	for k := range n {
		// The reflection from the left, which makes the column below the diagonal 0. sum is
		// the column times what is to its right, and u differs from it at the diagonal.
		u, v := u[k:], a[k*n+k+1:(k+1)*n]
		before := u[0]
		var left float64
		b.diagonal[k], left = reflection(u)
		kernel.AddScaled(sum[k+1:], u[0]-before, v)
		// Its effect on the first row gives the reflection from the right, and both are
		// applied to a row while it is at hand, which then has its part in the next sum.
		kernel.AddScaled(v, -float64(left*u[0]), sum[k+1:])
		if k == n-1 {
			break
		}
		b.above[k], b.multiple[k] = reflection(v)
		rest := u[1:]
		team.Chunks(len(rest), bandRows, func(c, lo, hi int) {
			next := bands[c*n : (c+1)*n]
			clear(next[k+2:])
			for i := lo; i < hi; i++ {
				row := a[(k+1+i)*n+k+1:][:len(v)]
				kernel.AddScaled(row, -float64(left*rest[i]), sum[k+1:])
				kernel.AddScaled(row, -float64(b.multiple[k]*kernel.LongDot(v, row)), v)
				rest[i] = row[0]
				kernel.AddScaled(next[k+2:], row[0], row[1:])
			}
		})
		copy(sum[k+2:], bands[k+2:n])
		for c := 1; c*bandRows < len(rest); c++ {
			kernel.AddScaled(sum[k+2:], 1, bands[c*n+k+2:(c+1)*n])
		}
	}
	return b
}

// nothing is a length that is far below rounding beside 1.
const nothing = 0x1p-400

// reflection makes of a vector x the v of the reflection 1 - multiple v vᵀ that maps it to
// first times the first unit vector. The multiple of nothing is 0.
func reflection(x []float64) (first, multiple float64) {
	length := kernel.Norm(x)
	if length < nothing {
		return 0, 0
	}
	first = -length
	if x[0] < 0 {
		first = length
	}
	x[0] -= first // with the sign that avoids cancellation
	return first, -1 / float64(first*x[0])
}

// basis returns the product of the reflections from the right, n×n: its row k is what the
// k-th column of the bidiagonal matrix stands for.
func (b *bidiagonal) basis(team *par.Team) []float64 {
	n := b.n
	rows := make([]float64, n*n)
	for k := range n {
		rows[k*n+k] = 1
	}
	// Several reflections are applied to a row while it is at hand, the last one first.
	const few = 16
	for last := n - 2; last >= 0; last -= few {
		first := max(0, last-few+1)
		team.Chunks(n-first-1, bandRows, func(_, lo, hi int) {
			for i := first + 1 + lo; i < first+1+hi; i++ {
				for k := min(last, i-1); k >= first; k-- {
					v, row := b.a[k*n+k+1:(k+1)*n], rows[i*n+k+1:(i+1)*n]
					kernel.AddScaled(row, -float64(b.multiple[k]*kernel.LongDot(v, row)), v)
				}
			}
		})
	}
	return rows
}

// back returns the right vectors of some places on the diagonal, which r has made of b
// without a basis. Each begins as a unit vector, goes back through the rotations, the last one
// first, and then through the reflections: for a few that is less work than the whole basis.
func (b *bidiagonal) back(r *diagonaliser, places []int, workers int) []float64 {
	const cols = kernel.RotateCols
	n := b.n
	right := make([]float64, len(places)*n)
	r.reverse()
	fresh := func() []float64 { return make([]float64, n*cols) }
	// Nothing fails.
	_ = par.DoWith((len(places)+cols-1)/cols, workers, fresh, func(block []float64, at int) error {
		lo, hi := at*cols, min((at+1)*cols, len(places))
		clear(block)
		for k, place := range places[lo:hi] {
			block[place*cols+k] = 1
		}
		for _, s := range r.sweeps {
			kernel.Rotate(block, s.first, s.turns, s.down)
		}
		rows := right[lo*n : hi*n]
		for k := range hi - lo {
			for i := range n {
				rows[k*n+i] = block[i*cols+k]
			}
		}
		for k := n - 2; k >= 0; k-- {
			v := b.a[k*n+k+1 : (k+1)*n]
			for row := rows; len(row) > 0; row = row[n:] {
				kernel.AddScaled(row[k+1:n], -float64(b.multiple[k]*kernel.LongDot(v, row[k+1:n])), v)
			}
		}
		return nil
	})
	return right
}

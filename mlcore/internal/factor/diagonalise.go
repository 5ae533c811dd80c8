package factor

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A diagonaliser makes a bidiagonal matrix diagonal, by sweeps of rotations of
// neighbouring columns and rows (the implicit QR method with a shift, or without one where it
// would not matter: Demmel & Kahan, 1990, "Accurate singular values of bidiagonal
// matrices"). The rotations of the columns go to the rows of right as well: they do not
// depend on these, and so wait until there are many. Where there is no right they are all kept,
// for [bidiagonal.back].
type diagonaliser struct {
	d, e    []float64 // the diagonal, and what stands above it in the next column
	n       int
	right   []float64 // n×n, or nil
	workers int

	sweeps []sweep
	turns  int // in the sweeps
}

// A sweep is rotations of a row with the next, one after the other.
type sweep struct {
	first int // row
	down  bool
	turns []float64
}

const (
	// ulp is the distance of 1 from the next number.
	ulp = 0x1p-52
	// waiting is how many rotations wait at most.
	waiting = 1 << 20
	// mostSweeps, times n, is far more sweeps than it takes.
	mostSweeps = 60
)

func (r *diagonaliser) run() {
	greatest := max(kernel.MaxAbs(r.d), kernel.MaxAbs(r.e))
	tiny := float64(ulp / 4 * greatest)
	for hi, left := r.n-1, mostSweeps*r.n; hi > 0 && left > 0; left-- {
		// The last block without a 0 above its diagonal is from lo to hi.
		lo := hi
		for lo > 0 && !r.split(lo-1, tiny) {
			lo--
		}
		if lo == hi {
			hi--
			continue
		}
		r.sweep(lo, hi)
	}
	r.flush()
}

// split reports whether element k above the diagonal is 0 but for rounding.
func (r *diagonaliser) split(k int, tiny float64) bool {
	if off := math.Abs(r.e[k]); off > tiny && off > float64(ulp/2*(math.Abs(r.d[k])+math.Abs(r.d[k+1]))) {
		return false
	}
	r.e[k] = 0
	return true
}

// sweep makes the elements above the diagonal of a block smaller, those at the end of the
// smaller number on the diagonal first.
func (r *diagonaliser) sweep(lo, hi int) {
	down := math.Abs(r.d[lo]) >= math.Abs(r.d[hi])
	s := sweep{first: lo, down: down, turns: make([]float64, 0, 2*(hi-lo))}
	start, shift := r.d[lo], 0.0
	if down {
		shift = leastSingular(r.d[hi-1], r.e[hi-1], r.d[hi])
	} else {
		s.first, start = hi, r.d[hi]
		shift = leastSingular(r.d[lo], r.e[lo], r.d[lo+1])
	}
	if ratio := shift / start; !(float64(ratio*ratio) > ulp) || start == 0 {
		shift = 0
	}
	switch {
	case down && shift == 0:
		s.turns = r.plainDown(lo, hi, s.turns)
	case down:
		s.turns = r.shiftedDown(lo, hi, shift, s.turns)
	case shift == 0:
		s.turns = r.plainUp(lo, hi, s.turns)
	default:
		s.turns = r.shiftedUp(lo, hi, shift, s.turns)
	}
	r.sweeps = append(r.sweeps, s)
	if r.turns += hi - lo; r.turns >= waiting {
		r.flush()
	}
}

func (r *diagonaliser) plainDown(lo, hi int, turns []float64) []float64 {
	d, e := r.d, r.e
	c, before, sineBefore := 1.0, 1.0, 0.0
	for i := lo; i < hi; i++ {
		var s, length float64
		c, s, length = turn(float64(d[i]*c), e[i])
		if i > lo {
			e[i-1] = float64(sineBefore * length)
		}
		before, sineBefore, d[i] = turn(float64(before*length), float64(d[i+1]*s))
		turns = append(turns, c, s)
	}
	h := float64(d[hi] * c)
	d[hi], e[hi-1] = float64(h*before), float64(h*sineBefore)
	return turns
}

func (r *diagonaliser) plainUp(lo, hi int, turns []float64) []float64 {
	d, e := r.d, r.e
	c, before, sineBefore := 1.0, 1.0, 0.0
	for i := hi; i > lo; i-- {
		var s, length float64
		c, s, length = turn(float64(d[i]*c), e[i-1])
		if i < hi {
			e[i] = float64(sineBefore * length)
		}
		before, sineBefore, d[i] = turn(float64(before*length), float64(d[i-1]*s))
		turns = append(turns, before, sineBefore)
	}
	h := float64(d[lo] * c)
	d[lo], e[lo] = float64(h*before), float64(h*sineBefore)
	return turns
}

func (r *diagonaliser) shiftedDown(lo, hi int, shift float64, turns []float64) []float64 {
	d, e := r.d, r.e
	f, g := begin(d[lo], shift), e[lo]
	for i := lo; i < hi; i++ {
		c, s, length := turn(f, g)
		if i > lo {
			e[i-1] = length
		}
		f = float64(c*d[i]) + float64(s*e[i])
		e[i] = float64(c*e[i]) - float64(s*d[i])
		g = float64(s * d[i+1])
		d[i+1] = float64(c * d[i+1])
		turns = append(turns, c, s)
		c, s, d[i] = turn(f, g)
		f = float64(c*e[i]) + float64(s*d[i+1])
		d[i+1] = float64(c*d[i+1]) - float64(s*e[i])
		if i < hi-1 {
			g = float64(s * e[i+1])
			e[i+1] = float64(c * e[i+1])
		}
	}
	e[hi-1] = f
	return turns
}

func (r *diagonaliser) shiftedUp(lo, hi int, shift float64, turns []float64) []float64 {
	d, e := r.d, r.e
	f, g := begin(d[hi], shift), e[hi-1]
	for i := hi; i > lo; i-- {
		c, s, length := turn(f, g)
		if i < hi {
			e[i] = length
		}
		f = float64(c*d[i]) + float64(s*e[i-1])
		e[i-1] = float64(c*e[i-1]) - float64(s*d[i])
		g = float64(s * d[i-1])
		d[i-1] = float64(c * d[i-1])
		c, s, d[i] = turn(f, g)
		f = float64(c*e[i-1]) + float64(s*d[i-1])
		d[i-1] = float64(c*d[i-1]) - float64(s*e[i-1])
		if i > lo+1 {
			g = float64(s * e[i-2])
			e[i-2] = float64(c * e[i-2])
		}
		turns = append(turns, c, s)
	}
	e[lo] = f
	return turns
}

// begin is what a sweep with a shift begins with, (d² - shift²)/d.
func begin(d, shift float64) float64 {
	return float64((math.Abs(d) - shift) * (math.Copysign(1, d) + shift/d))
}

// turn returns the rotation that makes (f, g) to (length, 0): c f + s g = length and
// c g - s f = 0.
func turn(f, g float64) (c, s, length float64) {
	switch {
	case g == 0:
		return 1, 0, f
	case f == 0:
		return 0, 1, g
	case math.Abs(f) > math.Abs(g):
		t := g / f
		u := math.Sqrt(1 + float64(t*t))
		c = 1 / u
		return c, float64(t * c), float64(f * u)
	}
	t := f / g
	u := math.Sqrt(1 + float64(t*t))
	s = 1 / u
	return float64(t * s), s, float64(g * u)
}

// leastSingular returns the lesser singular value of the matrix with f and h on the
// diagonal and g above it.
func leastSingular(f, g, h float64) float64 {
	f, g, h = math.Abs(f), math.Abs(g), math.Abs(h)
	least, most := min(f, h), max(f, h)
	if least == 0 {
		return 0
	}
	if g < most {
		as, at, au := 1+least/most, (most-least)/most, g/most
		au = float64(au * au)
		c := 2 / (math.Sqrt(float64(as*as)+au) + math.Sqrt(float64(at*at)+au))
		return float64(least * c)
	}
	au := most / g
	if au == 0 {
		return float64(least*most) / g
	}
	as, at := 1+least/most, (most-least)/most
	as, at = float64(as*au), float64(at*au)
	c := 1 / (math.Sqrt(1+float64(as*as)) + math.Sqrt(1+float64(at*at)))
	return 2 * float64(float64(least*c)*au)
}

// flush applies the rotations that wait, to a few columns at a time.
func (r *diagonaliser) flush() {
	if r.right == nil {
		return
	}
	const cols = kernel.RotateCols
	fresh := func() []float64 { return make([]float64, r.n*cols) }
	// Nothing fails.
	_ = par.DoWith((r.n+cols-1)/cols, r.workers, fresh, func(block []float64, b int) error {
		lo, hi := b*cols, min((b+1)*cols, r.n)
		for i := range r.n {
			copy(block[i*cols:(i+1)*cols], r.right[i*r.n+lo:i*r.n+hi])
		}
		for _, s := range r.sweeps {
			kernel.Rotate(block, s.first, s.turns, s.down)
		}
		for i := range r.n {
			copy(r.right[i*r.n+lo:i*r.n+hi], block[i*cols:])
		}
		return nil
	})
	r.sweeps, r.turns = r.sweeps[:0], 0
}

// reverse makes the sweeps their inverse: the last rotation comes first, and each is undone, as
// [kernel.Rotate] does where it comes to its two rows in the opposite order.
func (r *diagonaliser) reverse() {
	slices.Reverse(r.sweeps)
	for k, s := range r.sweeps {
		count := len(s.turns) / 2
		for i, j := 0, count-1; i < j; i, j = i+1, j-1 {
			s.turns[2*i], s.turns[2*j] = s.turns[2*j], s.turns[2*i]
			s.turns[2*i+1], s.turns[2*j+1] = s.turns[2*j+1], s.turns[2*i+1]
		}
		if s.down {
			s.first += count
		} else {
			s.first -= count
		}
		s.down = !s.down
		r.sweeps[k] = s
	}
}

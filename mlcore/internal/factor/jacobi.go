package factor

import (
	"cmp"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
)

// A Direction is a singular value of a matrix A with its vectors.
type Direction struct {
	Value float64
	// Right is the vector v of length 1, Image is A v: Value times the left vector.
	Right, Image []float64

	noise float64 // about the square of how much of the length of Image may be rounding
}

// sweeps bounds the passes over all pairs of columns; about ten are needed.
const sweeps = 60

// Directions returns the d singular values of a, which is m×d and row-major, with
// the greatest first. The squares of its elements have to be finite and not to
// underflow: see [Unit].
//
// It rotates pairs of columns until all are orthogonal: the one-sided Jacobi
// method (Hestenes, 1958; Golub & Van Loan, 2013, section 8.6.3). Small values are
// then as exact as large ones.
func Directions(a []float64, m, d int) []Direction {
	found, _ := directions(a, m, d)
	return found
}

// Thin is [Directions] for a matrix of any form: the singular values that can be other than
// 0, no more than a has rows or columns.
func Thin(a []float64, m, d int) []Direction {
	if m >= d {
		return Directions(a, m, d)
	}
	// Of the triangle, which has fewer and shorter columns to rotate.
	lq := NewLQ(a, d, m, d)
	found := Directions(lq.L, m, m)
	for k := range found {
		v := &found[k]
		v.Right = lq.Back(v.Right)
		image := make([]float64, m)
		for i, row := range lq.Rows {
			image[row] = v.Image[i]
		}
		v.Image = image
	}
	return found
}

// directions also tells how many passes there were.
func directions(a []float64, m, d int) (found []Direction, passes int) {
	found = make([]Direction, d)
	for j := range found {
		found[j] = Direction{Right: make([]float64, d), Image: make([]float64, m)}
		found[j].Right[j] = 1
		for i := range m {
			found[j].Image[i] = a[i*d+j]
		}
	}
	tolerance := math.Sqrt(float64(max(m, 1))) * 0x1p-52
	for changed := true; changed && passes < sweeps; passes++ {
		changed = false
		for j := range found {
			for k := j + 1; k < d; k++ {
				if found[j].orthogonalise(&found[k], tolerance) {
					changed = true
				}
			}
		}
	}
	for j := range found {
		found[j].Value = kernel.Norm(found[j].Image)
	}
	slices.SortStableFunc(found, func(a, b Direction) int { return cmp.Compare(b.Value, a.Value) })
	return found, passes
}

// orthogonalise rotates both images until they are orthogonal, the longer one
// first, and reports whether that changed anything: where two have traded places, a
// pass may have missed a pair.
func (a *Direction) orthogonalise(b *Direction, tolerance float64) bool {
	aa, bb := kernel.SumSquares(a.Image), kernel.SumSquares(b.Image)
	traded := aa < bb
	if traded {
		*a, *b = *b, *a
		aa, bb = bb, aa
	}
	// What rotations have made of a combination of others never gets orthogonal.
	if bb <= 4*b.noise {
		return traded
	}
	ab := kernel.Dot(a.Image, b.Image)
	if math.Abs(ab) <= tolerance*math.Sqrt(aa)*math.Sqrt(bb) {
		return traded
	}
	// The tangent of the angle solves t² + 2 zeta t - 1 = 0.
	zeta := (bb - aa) / (2 * ab)
	t := math.Copysign(1, zeta) / (math.Abs(zeta) + math.Sqrt(1+float64(zeta*zeta)))
	cosine := 1 / math.Sqrt(1+float64(t*t))
	sine := float64(cosine * t)
	rotate(a.Image, b.Image, cosine, sine)
	fromA, fromB := a.noise+float64(ulp*ulp*aa), b.noise+float64(ulp*ulp*bb)
	cc, ss := float64(cosine*cosine), float64(sine*sine)
	a.noise, b.noise = float64(cc*fromA)+float64(ss*fromB), float64(ss*fromA)+float64(cc*fromB)
	rotate(a.Right, b.Right, cosine, sine)
	return true
}

func rotate(a, b []float64, cosine, sine float64) {
	b = b[:len(a)]
	for i, x := range a {
		y := b[i]
		a[i] = float64(cosine*x) - float64(sine*y)
		b[i] = float64(sine*x) + float64(cosine*y)
	}
}

// Unit returns the power of two next to the greatest absolute value in a, 1 if all
// are 0. Divided by it, a has the same digits, and squares in range.
func Unit(a []float64) float64 { return UnitOf(kernel.MaxAbs(a)) }

// UnitOf is Unit of numbers of which this is the greatest absolute value.
func UnitOf(greatest float64) float64 {
	if greatest == 0 {
		return 1
	}
	_, e := math.Frexp(greatest)
	return math.Ldexp(1, e-1)
}

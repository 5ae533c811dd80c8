package cluster

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"gonum.org/v1/gonum/mat"
)

// TestTopTwo: whatever the guesses, the best is the first of the greatest scores, as
// slices.Max and slices.Index find it, and the runner-up has the greatest of the others.
func TestTopTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		score := make([]float64, 2+r.IntN(6))
		for k := range score {
			score[k] = float64(r.IntN(4))
		}
		want := slices.Index(score, slices.Max(score))
		others := slices.Clone(score)
		others[want] = math.Inf(-1)
		for guess := range score {
			for rival := range score {
				if rival == guess {
					continue
				}
				best, second, most, runnerUp := topTwo(slices.Clone(score), guess, rival)
				if best != want || most != score[want] || second == best || score[second] != slices.Max(others) || runnerUp != score[second] {
					t.Fatalf("%v with guesses %d and %d: %d with %v and %d with %v", score, guess, rival, best, most, second, runnerUp)
				}
			}
		}
	}
}

// There are at most 32 parts, of at least 512 rows, and no more rows than that takes.
func TestPartSize(t *testing.T) {
	for _, n := range []int{1, 511, 512, 513, 16383, 16384, 16385, 32 * 1000, 32*1000 + 1} {
		size := partSize(n)
		most := func(size int) int { return (n + size - 1) / size }
		if size < 512 || most(size) > 32 || size > 512 && most(size-1) <= 32 {
			t.Errorf("%d rows are in parts of %d", n, size)
		}
	}
}

// Bounds of roots, by hand.
func TestRootsOfBounds(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{sqrtUp(4, 5), 3}, {sqrtUp(-1, 4), 2}, {sqrtUp(-1, 0), 0},
		{sqrtDown(5, 1), 2}, {sqrtDown(1, 4), 0}, {sqrtDown(-1, 0), 0},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// squareIn is the square of a distance in 200 binary digits.
func squareIn(a, b []float64) *big.Float {
	sum := new(big.Float).SetPrec(200)
	for j, v := range a {
		diff := new(big.Float).SetPrec(200).SetFloat64(v)
		diff.Sub(diff, new(big.Float).SetFloat64(b[j]))
		sum.Add(sum, diff.Mul(diff, diff))
	}
	return sum
}

// Bounds are what they are said to be after every assignment: no row is farther from its own
// centre than upper says, and none nearer to another than lower says, in 200 binary digits;
// near is at most half the distance of a centre from the nearest other.
func TestBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	team := par.NewTeam(1)
	defer team.Close()
	for _, kind := range kinds {
		if strings.Contains(kind, "size") || strings.Contains(kind, "float32") {
			continue // one row is so long that others have no distance
		}
		for _, size := range [][3]int{{50, 1, 3}, {60, 2, 8}, {40, 16, 5}} {
			for _, double := range []bool{false, true} {
				n, d, k := size[0], size[1], size[2]
				l := &lloyd{table: newTable(mat.NewDense(n, d, hostile(r, kind, n, d)), nil, team), team: team, k: k, double: double}
				for c := range k {
					l.centres = append(l.centres, l.row(2*c)...)
				}
				if kind == "ordinary" { // a centre that is much longer than every row
					l.centres[d-1] = 3e4
				}
				l.rooms = make([]scratch, team.Size())
				l.split()
				l.bounds = newBounds(n, k)
				name := fmt.Sprint(kind, " ", size, " in double precision ", double)
				for iteration := 0; iteration < 6 && l.assign(); iteration++ {
					checkBounds(t, l, fmt.Sprint(name, ", iteration ", iteration))
					l.update()
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

func checkBounds(t *testing.T, l *lloyd, name string) {
	t.Helper()
	// beyond compares a distance, of which it has the square, with a bound.
	beyond := func(square *big.Float, bound float64) int {
		if math.IsInf(bound, 1) {
			return -1
		}
		b := new(big.Float).SetPrec(200).SetFloat64(max(0, bound))
		return square.Cmp(b.Mul(b, b))
	}
	centre := func(c int) []float64 { return l.centres[c*l.d:][:l.d] }
	for _, p := range l.parts {
		for i := p.lo; i < p.hi; i++ {
			for c := range l.k {
				far := squareIn(l.row(i), centre(c))
				if c == int(p.labels[i-p.lo]) {
					if beyond(far, l.bounds.upper[i]) > 0 {
						t.Fatalf("%s: the square of the distance of row %d from its centre is %v, the bound %v", name, i, far, l.bounds.upper[i])
					}
				} else if beyond(far, l.bounds.lower[i]) < 0 {
					t.Fatalf("%s: the square of the distance of row %d from centre %d is %v, the bound %v", name, i, c, far, l.bounds.lower[i])
				}
			}
		}
	}
	for a := range l.k {
		for b := range l.k {
			if a != b && beyond(squareIn(centre(a), centre(b)), 2*l.bounds.near[a]) < 0 {
				t.Fatalf("%s: centres %d and %d are nearer to each other than twice %v", name, a, b, l.bounds.near[a])
			}
		}
	}
}

// The slack by hand, generously the error of a squared distance: d + 8 times 2⁻⁵⁰ times the
// greatest square of the length of a row or a centre. The rows ±1 and 1/2 have the squares 1,
// 1 and 1/4 whatever their unit, and a centre 4 times as long as the longest row has 16.
func TestSlack(t *testing.T) {
	team := par.NewTeam(1)
	defer team.Close()
	for _, c := range []struct{ centres, times []float64 }{
		{[]float64{0.5, 0.25}, []float64{1}}, {[]float64{4, 0.25}, []float64{16}}, {[]float64{0.25, -4}, []float64{16}},
	} {
		l := &lloyd{table: newTable(mat.NewDense(4, 1, []float64{-1, 1, 0.5, -0.5}), nil, team), team: team, k: 2}
		for _, v := range c.centres {
			l.centres = append(l.centres, v*l.row(1)[0])
		}
		l.search.prepare(l.centres, 1)
		b := newBounds(4, 2)
		b.prepare(l)
		if one := l.norm[1]; l.largest != one || b.slack != c.times[0]*9*0x1p-50*one {
			t.Errorf("%+v: longest row %v, slack %v; the square of row 1 is %v", c, l.largest, b.slack, one)
		}
	}
}

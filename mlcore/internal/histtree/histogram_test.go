package histtree

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// TestAddRows compares the fast sum with one that is written without haste.
func TestAddRows(t *testing.T) {
	rng := mlcore.NewRand(1)
	const n = 500
	words, values := make([]uint64, n), make([]entry, n)
	for i := range words {
		words[i] = rng.Uint64()
		if i%3 == 0 {
			words[i] |= 0xff // codes that collide
		}
	}
	for _, size := range []int{0, 1, 2, 77, pieceRows, pieceRows + 1, n} {
		rows := make([]int32, size)
		for k := range rows {
			rows[k] = int32(rng.IntN(n))
			values[k] = entry{int64(int32(rng.Uint64())), rng.Uint64()}
		}
		var want block
		for k, i := range rows {
			for c := range blockWidth {
				e := &want[c][words[i]>>(8*c)&255]
				e.residual += values[k].residual
				e.rest += values[k].rest
			}
		}
		for _, part := range [][2]int{{0, 8}, {0, 4}, {4, 8}, {0, 3}, {4, 5}} {
			from, to := part[0], part[1]
			var got, plain, asked block
			got.addRows(from, to, words, rows, values)
			addRowsByFours(&plain, from, to, words, rows, values)
			for c := from / 4 * 4; c < (to+3)/4*4; c++ { // others stay as they are
				asked[c] = want[c]
			}
			if got != asked || plain != asked {
				t.Errorf("%d rows, columns %d to %d: the sums differ", size, from, to-1)
			}
		}
	}
}

// TestAddPulls compares the fast sum with one of entries that are worked by rounding each
// half to a multiple of its unit (math.RoundToEven).
func TestAddPulls(t *testing.T) {
	rng := mlcore.NewRand(3)
	const n = 500
	words, pulls := make([]uint64, n), make([]Pull, n)
	for i := range words {
		words[i] = rng.Uint64()
		if i%3 == 0 {
			words[i] |= 0xff << (8 * rng.IntN(8)) // codes that collide
		}
	}
	for _, size := range []int{0, 1, 2, 15, 16, 17, 77, n, 1 << 19} {
		for _, most := range [][2]float64{{1, 0.25}, {0x1p60, 0x1p-60}, {0x1.fffffep-3, 0x1p-140}, {0, 0}} {
			for i := range pulls {
				pulls[i] = Pull{float32(most[0] * (2*rng.Float64() - 1)), float32(most[1] * rng.Float64())}
				switch rng.IntN(20) {
				case 0:
					pulls[i] = Pull{float32(-most[0]), float32(most[1])}
				case 1:
					pulls[i] = Pull{float32(math.Copysign(0, -1)), 0}
				case 2:
					pulls[i].Residual = float32(most[0] * 0x1p-30 * (float64(rng.IntN(9)) - 4.5)) // halves of units
				}
			}
			s := newScale(max(1, size), most[0], most[1])
			f, rows := s.fixing(), make([]int32, size)
			for k := range rows {
				rows[k] = int32(rng.IntN(n))
			}
			var want block
			for _, i := range rows {
				for c := range blockWidth {
					e := &want[c][words[i]>>(8*c)&255]
					e.residual += int64(math.RoundToEven(float64(pulls[i].Residual) / s.residual))
					e.rest += uint64(math.RoundToEven(float64(pulls[i].Curvature)/s.curvature)) + s.one
				}
			}
			for _, part := range [][2]int{{0, 8}, {0, 4}, {4, 8}, {0, 3}, {4, 5}} {
				from, to := part[0], part[1]
				var got, plain, asked block
				got.addPulls(from, to, words, rows, pulls, &f)
				addPullsByFours(&plain, from, to, words, rows, pulls, &f)
				for c := from / 4 * 4; c < (to+3)/4*4; c++ { // others stay as they are
					asked[c] = want[c]
				}
				if got != asked || plain != asked {
					t.Errorf("%d rows up to %v, columns %d to %d: the sums differ", size, most, from, to-1)
				}
			}
		}
	}
}

// The oracle is subtraction, entry by entry.
func TestSubtractAll(t *testing.T) {
	rng := mlcore.NewRand(4)
	for n := range 14 {
		a, b, want := make([]entry, n+1), make([]entry, n+1), make([]entry, n+1)
		for k := range a {
			a[k], b[k] = entry{int64(rng.Uint64()), rng.Uint64()}, entry{int64(rng.Uint64()), rng.Uint64()}
			want[k] = entry{a[k].residual - b[k].residual, a[k].rest - b[k].rest}
		}
		want[n] = a[n] // which is not asked
		plain := slices.Clone(a)
		subtractAll(a[:n], b)
		subtractAllPlain(plain[:n], b)
		if !slices.Equal(a, want) || !slices.Equal(plain, want) {
			t.Errorf("%d entries: %v, in Go %v, want %v", n, a, plain, want)
		}
	}
}

// The oracle is addition, entry by entry.
func TestAddFour(t *testing.T) {
	rng := mlcore.NewRand(5)
	for _, n := range []int{0, 1, 2, 200} {
		words, values := make([]uint64, n), make([]entry, n)
		for k := range words {
			words[k], values[k] = rng.Uint64()|uint64(0xff<<(8*(k%9))), entry{int64(rng.Uint64()), rng.Uint64()}
		}
		for _, bit := range []uint{0, 32} {
			var got, plain, want half
			for k, w := range words {
				for c := range want {
					e := &want[c][w>>(bit+8*uint(c))&255]
					e.residual += values[k].residual
					e.rest += values[k].rest
				}
			}
			addFour(&got, words, bit, values)
			addFourPlain(&plain, words, bit, values)
			if got != want || plain != want {
				t.Errorf("%d rows from bit %d on: the sums differ", n, bit)
			}
		}
	}
}

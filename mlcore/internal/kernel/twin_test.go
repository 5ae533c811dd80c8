//go:build (amd64 || arm64) && !purego

package kernel

import (
	"math"
	"slices"
	"testing"
)

func setVectors(on bool) { useVectors, tiled = on, on }

// twice runs f with the assembly and with its twin in Go and compares the bits
// of what it returns; with the assembly on vectors of either width, where this processor
// has both.
func twice(t *testing.T, what string, f func() []float64) {
	t.Helper()
	defer func(wide bool) { setVectors(true); setWide(wide) }(useWide)
	wide := useWide
	setVectors(true)
	setWide(false)
	fast := f()
	if wide {
		setWide(true)
		if wider := f(); !sameBits(fast, wider) {
			t.Fatalf("%s: vectors of 256 bits give %v, of 512 bits %v", what, fast, wider)
		}
	}
	setVectors(false)
	if plain := f(); !sameBits(fast, plain) {
		t.Fatalf("%s: the assembly gives %v, Go %v", what, fast, plain)
	}
}

// FuzzTwins compares assembly and Go on sizes and numbers of the fuzzer's, among
// them infinities, NaN and zeros of either sign.
func FuzzTwins(f *testing.F) {
	if !useVectors {
		f.Skip("this processor lacks what the assembly asks for")
	}
	for i := range uint8(40) {
		f.Add(i, 3*i%17+1, 5*i%23+1, uint64(i), 1/float64(i))
	}
	f.Add(uint8(4), uint8(8), uint8(3), uint64(1), math.NaN())
	f.Add(uint8(50), uint8(100), uint8(16), uint64(2), math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, m, n, k uint8, seed uint64, special float64) {
		rows, cols, terms := int(m)+1, int(n)+1, int(k)+1
		a, b, c := randoms(rows*terms, seed, 1), randoms(terms*cols, seed, 2), randoms(rows*cols, seed, 3)
		a[int(seed%uint64(len(a)))] = special
		twice(t, "MulAdd", func() []float64 {
			var buf Buffer
			out := slices.Clone(c)
			MulAdd(Matrix{out, rows, cols}, Matrix{a, rows, terms}, Matrix{b, terms, cols}, &buf)
			return out
		})
		twice(t, "MulTransAdd", func() []float64 {
			var buf Buffer
			out := slices.Clone(c)
			MulTransAdd(Matrix{out, rows, cols}, Matrix{a, terms, rows}, Matrix{b, terms, cols}, &buf)
			return out
		})
		x, y := randoms(rows, seed, 4), randoms(rows, seed, 5)
		x[int(seed%uint64(rows))] = special
		twice(t, "AddScaled", func() []float64 {
			out := slices.Clone(y)
			AddScaled(out, special, x)
			AddScaled(out, 0.3, x)
			return out
		})
		twice(t, "LongDot", func() []float64 {
			return []float64{LongDot(x, y), LongDot(a, a)}
		})
		twice(t, "Rotate", func() []float64 {
			out := randoms((rows+1)*RotateCols, seed, 6)
			out[int(seed%uint64(len(out)))] = special
			turns := randoms(2*rows, seed, 7)
			Rotate(out, 0, turns, true)
			Rotate(out, rows, turns, false)
			return out
		})
		for name, f := range map[string]func([]float64, float64){"Scale": Scale, "Shift": Shift, "Divide": Divide} {
			twice(t, name, func() []float64 {
				out := slices.Clone(x)
				f(out, 0.3)
				f(out, special)
				return out
			})
		}
		points := slices.Clone(b)
		if !math.IsNaN(special) && !math.IsInf(special, 0) { // ChebyshevDistances promises nothing of NaN
			points[int(seed%uint64(len(points)))] = special
		}
		for _, s := range oneToMany {
			twice(t, s.name, func() []float64 {
				out := make([]float64, cols)
				s.f(out[:cols-cols/3], points[:terms], Matrix{points, terms, cols}, cols/3)
				return out
			})
		}
		twice(t, "SquaredDistance", func() []float64 {
			// long enough, whatever the fuzzer's sizes are
			p, q := randoms(2*stretch+rows, seed, 8), randoms(2*stretch+rows, seed, 9)
			p[int(seed%uint64(len(p)))] = special
			return []float64{SquaredDistance(p, q, math.Inf(1)), SquaredDistance(p, q, 100)}
		})
		twice(t, "DividedDistances", func() []float64 {
			out, divisors := make([]float64, cols), randoms(terms*cols, seed, 7)
			divisors[int(seed%uint64(len(divisors)))] = special
			DividedDistances(out, a[:terms], Matrix{b, terms, cols}, Matrix{divisors, terms, cols})
			return out
		})
		twice(t, "ArgMax", func() []float64 { return []float64{float64(ArgMax(x)), float64(ArgMax(y)), float64(ArgMax(c))} })
		twice(t, "SubtractRows", func() []float64 {
			out, wide := make([]float64, terms*(cols+3)), slices.Clone(b[:cols])
			wide[int(seed%uint64(cols))] = special
			SubtractRows(out, cols+3, b, cols, terms, wide[:cols-cols/4])
			return out
		})
		twice(t, "ReLU", func() []float64 {
			out := slices.Clone(x)
			ReLU(out)
			return out
		})
		twice(t, "ReLUBackward", func() []float64 {
			out := slices.Clone(y)
			ReLUBackward(out, x)
			return out
		})
		twice(t, "Adam", func() []float64 {
			p, m, v := slices.Clone(y), randoms(rows, seed, 6), make([]float64, rows)
			for range 2 {
				Adam(p, m, v, x, &AdamRates{0.9, 1 - 0.9, 0.999, 1 - 0.999, 1e-3, 1e-8})
			}
			return slices.Concat(p, m, v)
		})
	})
}

// With assembly a padded vector has no elements that are left to Go, and without it
// none too many.
func TestPadded(t *testing.T) {
	defer func(old bool) { useVectors = old }(useVectors)
	for n := range 20 {
		useVectors = true
		if p := Padded(n); p < n || p >= n+lanes || head(p) != p {
			t.Errorf("%d elements are padded to %d", n, p)
		}
		useVectors = false
		if p := Padded(n); p != n {
			t.Errorf("without assembly %d elements are padded to %d", n, p)
		}
	}
}

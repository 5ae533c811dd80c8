package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// The oracle is arithmetic of 200 bits and more by math/big, with the textbook
// series e^x = Σ xⁿ/n! and log x = 2 artanh((x-1)/(x+1)).
const precision = 240

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// exactExp halves x until the series is short and squares the sum as often.
func exactExp(x *big.Float) *big.Float {
	const halvings = 20
	x = new(big.Float).SetPrec(precision).SetMantExp(x, -halvings)
	sum, term := number(1), number(1)
	for n := 1.0; n < 30; n++ {
		term.Mul(term, x).Quo(term, number(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// exactLog draws roots until x is near 1.
func exactLog(x *big.Float) *big.Float {
	x = new(big.Float).SetPrec(precision).Set(x)
	doublings := 0
	for f, _ := x.Float64(); math.Abs(f-1) > 0x1p-10; f, _ = x.Float64() {
		x.Sqrt(x)
		doublings++
	}
	one := number(1)
	s := new(big.Float).Quo(new(big.Float).Sub(x, one), new(big.Float).Add(x, one))
	square := new(big.Float).Mul(s, s)
	sum, term := number(0), new(big.Float).Set(s)
	for n := 1.0; n < 30; n += 2 {
		sum.Add(sum, new(big.Float).Quo(term, number(n)))
		term.Mul(term, square)
	}
	return sum.SetMantExp(sum, doublings+1)
}

func exactLog2(x *big.Float) *big.Float {
	return new(big.Float).Quo(exactLog(x), exactLog(number(2)))
}

// ulps is the distance of got from the exact value, in units in the last place of
// the latter.
func ulps(got float64, exact *big.Float) float64 {
	near, _ := exact.Float64()
	if near == got && near == 0 {
		return 0
	}
	side := math.Inf(exact.Cmp(number(near)))
	unit := math.Abs(math.Nextafter(near, side) - near)
	off, _ := new(big.Float).Sub(exact, number(got)).Float64()
	return math.Abs(off) / unit
}

func TestWithinOneUnit(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	r := rand.New(rand.NewPCG(1, 2))
	spread := func(low, high float64) float64 { return low + r.Float64()*(high-low) }
	for _, test := range []struct {
		name  string
		f     func(float64) float64
		exact func(*big.Float) *big.Float
		draw  func() float64
		most  float64
	}{
		{"Exp, large", Exp, exactExp, func() float64 { return spread(-708, 709.7) }, 0.52},
		{"Exp, middling", Exp, exactExp, func() float64 { return spread(-5, 5) }, 0.52},
		{"Exp, small", Exp, exactExp, func() float64 { return math.Copysign(math.Ldexp(r.Float64()+0.5, -r.IntN(70)), spread(-1, 1)) }, 0.52},
		{"Exp, subnormal", Exp, exactExp, func() float64 { return spread(-744, -708.4) }, 1},
		{"Log, all", Log, exactLog, func() float64 { return math.Ldexp(r.Float64()+0.5, r.IntN(2070)-1050) }, 0.52},
		{"Log, middling", Log, exactLog, func() float64 { return spread(0.4, 3) }, 0.52},
		{"Log, near 1", Log, exactLog, func() float64 { return 1 + math.Ldexp(spread(-1, 1), -r.IntN(53)) }, 0.52},
		{"Log2, all", Log2, exactLog2, func() float64 { return math.Ldexp(r.Float64()+0.5, r.IntN(2070)-1050) }, 0.52},
		{"Log2, shares", Log2, exactLog2, func() float64 { return r.Float64() }, 0.52},
		{"Log2, near 1", Log2, exactLog2, func() float64 { return 1 + math.Ldexp(spread(-1, 1), -r.IntN(53)) }, 0.52},
		{"CosPi", CosPi, exactCosPi, func() float64 { return r.Float64() }, 0.8},
		{"CosPi, near 1/2", CosPi, exactCosPi, func() float64 { return 0.5 + math.Ldexp(spread(0.5, 1)*float64(1-2*r.IntN(2)), -r.IntN(50)-2) }, 0.8},
		{"Log1p, all", Log1p, log1pExactly, func() float64 { return math.Ldexp(r.Float64()+0.5, r.IntN(1100)-80) }, 0.52},
		{"Log1p, small", Log1p, log1pExactly, func() float64 { return math.Ldexp(spread(0.5, 1)*float64(1-2*r.IntN(2)), -r.IntN(70)-1) }, 0.52},
		{"Log1p, middling", Log1p, log1pExactly, func() float64 { return spread(-0.99, 6) }, 0.52},
	} {
		t.Run(test.name, func(t *testing.T) {
			worst, at := 0.0, 0.0
			for range rounds {
				x := test.draw()
				if off := ulps(test.f(x), test.exact(number(x))); !(off <= worst) {
					worst, at = off, x
				}
			}
			t.Logf("%.3f units at %v", worst, at)
			if !(worst <= test.most) {
				t.Errorf("%.3f units in the last place at %v, want at most %g", worst, at, test.most)
			}
		})
	}
}

func log1pExactly(x *big.Float) *big.Float {
	return exactLog(new(big.Float).SetPrec(2*precision).Add(x, number(1)))
}

func TestPowWithinOneUnit(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	r := rand.New(rand.NewPCG(3, 4))
	worst, ofX, ofY := 0.0, 0.0, 0.0
	for n := range rounds {
		x := math.Ldexp(r.Float64()+0.5, r.IntN(41)-20)
		if n%3 == 0 {
			x = math.Ldexp(r.Float64()+0.5, r.IntN(2000)-1000)
		}
		// The power is anywhere among the normal numbers.
		y := (r.Float64()*1416 - 708) / math.Log(x)
		if n%2 == 0 {
			y = r.Float64() * 5 / math.Abs(math.Log(x))
		}
		exact := exactExp(new(big.Float).Mul(number(y), exactLog(number(x))))
		if off := ulps(Pow(x, y), exact); !(off <= worst) {
			worst, ofX, ofY = off, x, y
		}
	}
	t.Logf("%.3f units at %v, %v", worst, ofX, ofY)
	if !(worst <= 0.6) {
		t.Errorf("%.3f units in the last place at %v^%v", worst, ofX, ofY)
	}
}

// TestSpecialValues: the oracle is the documentation of package math.
func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"Exp(0)", Exp(0), 1},
		{"Exp(-0)", Exp(math.Copysign(0, -1)), 1},
		{"Exp(Inf)", Exp(inf), inf},
		{"Exp(-Inf)", Exp(-inf), 0},
		{"Exp(NaN)", Exp(nan), nan},
		{"Exp(710)", Exp(710), inf},
		{"Exp(709.7827128933841)", Exp(709.7827128933841), inf},
		{"Exp(-746)", Exp(-746), 0},
		{"Exp(-745.13)", Exp(-745.13), math.SmallestNonzeroFloat64},
		{"Log(1)", Log(1), 0},
		{"Log(0)", Log(0), -inf},
		{"Log(-1)", Log(-1), nan},
		{"Log(Inf)", Log(inf), inf},
		{"Log(NaN)", Log(nan), nan},
		{"Log2(1)", Log2(1), 0},
		{"Log2(8)", Log2(8), 3},
		{"Log2(2^-1074)", Log2(math.SmallestNonzeroFloat64), -1074},
		{"Log2(0)", Log2(0), -inf},
		{"Log1p(0)", Log1p(0), 0},
		{"Log1p(-1)", Log1p(-1), -inf},
		{"Log1p(-2)", Log1p(-2), nan},
		{"Log1p(Inf)", Log1p(inf), inf},
		{"Log1p(2^-1074)", Log1p(math.SmallestNonzeroFloat64), math.SmallestNonzeroFloat64},
		{"Pow(0, 2)", Pow(0, 2), 0},
		{"Pow(0, -1)", Pow(0, -1), inf},
		{"Pow(0, 0)", Pow(0, 0), 1},
		{"Pow(3, 0)", Pow(3, 0), 1},
		{"Pow(1, Inf)", Pow(1, inf), 1},
		{"Pow(1, NaN)", Pow(1, nan), 1},
		{"Pow(2, 10)", Pow(2, 10), 1024},
		{"Pow(3, -1)", Pow(3, -1), 1. / 3},
		{"Pow(4, 0.5)", Pow(4, 0.5), 2},
		{"Pow(2, Inf)", Pow(2, inf), inf},
		{"Pow(0.5, Inf)", Pow(0.5, inf), 0},
		{"Pow(2, 1e300)", Pow(2, 1e300), inf},
		{"Pow(2, -1e300)", Pow(2, -1e300), 0},
		{"Pow(Inf, -1)", Pow(inf, -1), 0},
		{"Pow(-1, 2)", Pow(-1, 2), nan},
		{"Pow(1e300, 1)", Pow(1e300, 1), 1e300},
		{"CosPi(0)", CosPi(0), 1},
		{"CosPi(0.5)", CosPi(0.5), 0},
		{"CosPi(1)", CosPi(1), -1},
	} {
		if test.got != test.want && !(test.got != test.got && test.want != test.want) {
			t.Errorf("%s = %v, want %v", test.name, test.got, test.want)
		}
	}
}

// exactCosPi sums the series of cos πx. π is Machin's 16 arctan 1/5 - 4 arctan 1/239.
func exactCosPi(x *big.Float) *big.Float {
	arctanInverse := func(q float64) *big.Float {
		sum, term, square := number(0), new(big.Float).Quo(number(1), number(q)), number(q*q)
		for n := 1.0; n < 120; n += 2 {
			sum.Add(sum, new(big.Float).Quo(term, number(n)))
			term.Quo(term, square).Neg(term)
		}
		return sum
	}
	pi := new(big.Float).Mul(number(16), arctanInverse(5))
	pi.Sub(pi, new(big.Float).Mul(number(4), arctanInverse(239)))
	square := new(big.Float).Mul(pi, x)
	square.Mul(square, square)
	sum, term := number(0), number(1)
	for n := 1.0; n < 70; n += 2 {
		sum.Add(sum, term)
		term.Mul(term, square).Quo(term, number(n*(n+1))).Neg(term)
	}
	return sum
}

var sink float64

func BenchmarkFunctions(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	x := make([]float64, 1024)
	for i := range x {
		x[i] = r.Float64() * 20
	}
	cube := func(f func(x, y float64) float64) func(float64) float64 {
		return func(x float64) float64 { return f(x, 3.3) }
	}
	for _, f := range []struct {
		name       string
		ours, math func(float64) float64
	}{
		{"Exp", Exp, math.Exp}, {"Log", Log, math.Log}, {"Log1p", Log1p, math.Log1p}, {"Log2", Log2, math.Log2},
		{"Pow", cube(Pow), cube(math.Pow)},
	} {
		for _, of := range []struct {
			name string
			f    func(float64) float64
		}{{"ours", f.ours}, {"math", f.math}} {
			b.Run(f.name+"/"+of.name, func(b *testing.B) {
				for i := range b.N {
					sink += of.f(x[i%1024])
				}
			})
		}
	}
}

// TestEach: the bits of the functions of one number, element by element, in and out of
// the range of the assembly, for all lengths.
func TestEach(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	special := []float64{
		0, math.Copysign(0, -1), 1, 700, -700, 700.5, -700.5, 709.7, -708.4, -744, 710, -746, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -1e-300,
		1e-300, 0x1p30, 0x1p30 + 1, 0x1p53, 1e300, math.MaxFloat64, -0.5, -1, -2, math.Sqrt2 - 1, math.Nextafter(math.Sqrt2-1, 1), math.Nextafter(1, 2), 0x1p-53, 3 - 0x1p-51,
	}
	for _, f := range []struct {
		name string
		one  func(float64) float64
		each func([]float64)
	}{{"Exp", Exp, ExpEach}, {"Log1p", Log1p, Log1pEach}} {
		for n := range 60 {
			for round := range 200 {
				x := make([]float64, n)
				for i := range x {
					x[i] = r.NormFloat64() * math.Pow(10, float64(round%4))
					if round%5 == 0 {
						x[i] = math.Exp(x[i])
					}
					if round%2 == 0 {
						x[i] = math.Abs(x[i])
					}
					if round%3 == 0 && r.IntN(7) == 0 {
						x[i] = special[r.IntN(len(special))]
					}
				}
				got := slices.Clone(x)
				f.each(got)
				for i, v := range x {
					if want := f.one(v); math.Float64bits(got[i]) != math.Float64bits(want) {
						t.Fatalf("%s of element %d of %v: %v, want %v", f.name, i, x, got[i], want)
					}
				}
			}
		}
	}
}

func BenchmarkLog1pEach(b *testing.B) {
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i] = math.Exp(-float64(i) / 100)
	}
	b.SetBytes(int64(8 * len(x)))
	for b.Loop() {
		copy(y, x)
		Log1pEach(y)
	}
}

func BenchmarkExpEach(b *testing.B) {
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i] = -float64(i) / 100
	}
	b.SetBytes(int64(8 * len(x)))
	for b.Loop() {
		copy(y, x)
		ExpEach(y)
	}
}

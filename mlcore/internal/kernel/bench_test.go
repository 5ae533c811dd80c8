package kernel

import "testing"

// The products of a batch of 50 rows through a layer of 100×26.
func BenchmarkMulAdd(b *testing.B) {
	var buf Buffer
	x, w, z := Matrix{randoms(5000, 1), 50, 100}, Matrix{randoms(2600, 2), 100, 26}, Matrix{make([]float64, 1300), 50, 26}
	for b.Loop() {
		MulAdd(z, x, w, &buf)
	}
	b.ReportMetric(2*50*100*26*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFlop/s")
}

func BenchmarkMulTransAdd(b *testing.B) {
	var buf Buffer
	x, d, g := Matrix{randoms(5000, 1), 50, 100}, Matrix{randoms(1300, 2), 50, 26}, Matrix{make([]float64, 2600), 100, 26}
	for b.Loop() {
		MulTransAdd(g, x, d, &buf)
	}
	b.ReportMetric(2*50*100*26*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFlop/s")
}

func BenchmarkExp(b *testing.B) {
	x := make([]float64, 1000)
	for b.Loop() {
		for i := range x {
			x[i] = float64(i) * -0.02
		}
		Exp(x)
	}
}

func BenchmarkAddScaled(b *testing.B) {
	x, y := make([]float64, 100), make([]float64, 100)
	for b.Loop() {
		AddScaled(y, 1, x)
	}
}

func BenchmarkAdam(b *testing.B) {
	p, m, v, g := randoms(10000, 1), randoms(10000, 2), make([]float64, 10000), randoms(10000, 3)
	r := &AdamRates{0.9, 0.1, 0.999, 0.001, 1e-3, 1e-8}
	for b.Loop() {
		Adam(p, m, v, g, r)
	}
}

// BenchmarkGramAdd is of 128 rows of 24 columns, as factor.Tall takes them.
func BenchmarkGramAdd(b *testing.B) {
	var buf Buffer
	a, c := Matrix{randoms(128*24, 1), 128, 24}, Matrix{make([]float64, 24*24), 24, 24}
	for b.Loop() {
		GramAdd(c, a, &buf)
	}
}

// BenchmarkSquaredDistances is of one row and 4,000 others of 20 columns, as a row of a
// kernel matrix takes them.
func BenchmarkSquaredDistances(b *testing.B) {
	x, points, dst := randoms(20, 1), Matrix{randoms(20*4000, 2), 20, 4000}, make([]float64, 4000)
	for b.Loop() {
		SquaredDistances(dst, x, points, 0)
	}
}

// BenchmarkFinite and BenchmarkSubtractRows are of 128 rows of 20 columns, as checks of a
// matrix and factor.Tall take them.
func BenchmarkFinite(b *testing.B) {
	x := randoms(128*20, 1)
	for b.Loop() {
		if !Finite(x) {
			b.Fatal("a number is not finite")
		}
	}
}

func BenchmarkSubtractRows(b *testing.B) {
	x, mean, dst := randoms(128*20, 1), randoms(20, 2), make([]float64, 128*24)
	for b.Loop() {
		SubtractRows(dst, 24, x, 20, 128, mean)
	}
}

// BenchmarkDots is of one row and 4,000 others of 20 columns.
func BenchmarkDots(b *testing.B) {
	x, points, dst := randoms(20, 1), Matrix{randoms(20*4000, 2), 20, 4000}, make([]float64, 4000)
	for b.Loop() {
		Dots(dst, x, points, 0)
	}
}

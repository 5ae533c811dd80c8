package factor

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// tall is a matrix of normal numbers around offset, in rising order of the first column
// if sorted, with weights if weighted.
func tall(rows, cols int, offset float64, sorted, weighted bool) (t Tall, x [][]float64, w []float64) {
	r := rand.New(rand.NewPCG(7, uint64(rows)))
	for range rows {
		row := make([]float64, cols)
		for j := range row {
			row[j] = offset + r.NormFloat64()
		}
		weight := 1.0
		if weighted {
			weight = 0.25 + r.Float64()
		}
		x, w = append(x, row), append(w, weight)
	}
	if sorted {
		slices.SortFunc(x, func(a, b []float64) int {
			if a[0] < b[0] {
				return -1
			}
			return 1
		})
	}
	dense := mat.NewDense(rows, cols, nil)
	for i, row := range x {
		dense.SetRow(i, row)
	}
	if t.X = dense; weighted {
		t.Weights = w
	}
	return t, x, w
}

// exactMoments are the means and the sums of products around them, in arithmetic of
// 300 bits.
func exactMoments(x [][]float64, w []float64) (mean []float64, product *mat.Dense) {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	cols := len(x[0])
	total, sums := number(0), make([]*big.Float, cols)
	for j := range sums {
		sums[j] = number(0)
	}
	for i, row := range x {
		total.Add(total, number(w[i]))
		for j, v := range row {
			sums[j].Add(sums[j], number(0).Mul(number(w[i]), number(v)))
		}
	}
	for j := range sums {
		sums[j].Quo(sums[j], total)
		v, _ := sums[j].Float64()
		mean = append(mean, v)
	}
	product = mat.NewDense(cols, cols, nil)
	for a := range cols {
		for b := a; b < cols; b++ {
			sum := number(0)
			for i, row := range x {
				p := number(0).Sub(number(row[a]), sums[a])
				p.Mul(p, number(0).Sub(number(row[b]), sums[b]))
				sum.Add(sum, p.Mul(p, number(w[i])))
			}
			v, _ := sum.Float64()
			product.Set(a, b, v)
		}
	}
	return mean, product
}

// TestCentre: the oracle is arithmetic of 300 bits.
func TestCentre(t *testing.T) {
	for _, tc := range []struct {
		name             string
		rows, cols       int
		offset           float64
		sorted, weighted bool
	}{
		{"plain", 5000, 5, 0, false, false},
		{"one row", 1, 1, 3, false, false},
		{"weights", 3000, 3, 1, false, true},
		{"far from 0", 2000, 4, 1e8, false, true},
		{"in order of a column, far from 0", 4000, 2, 1e6, true, false},
		{"fewer rows than columns", 6, 20, 1e4, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, x, w := tall(tc.rows, tc.cols, tc.offset, tc.sorted, tc.weighted)
			mean, product := exactMoments(x, w)
			var first Moments
			var firstMean []float64
			for _, workers := range []int{1, 2, 7} {
				a.Workers = workers
				m := a.Centre()
				for j := range mean {
					// The offset has digits that the numbers around it have not.
					if math.Abs(a.Mean[j]-mean[j]) > 1e-15*(tc.offset+1)*4 {
						t.Errorf("mean %d is %v, want %v", j, a.Mean[j], mean[j])
					}
					if want := product.At(j, j); math.Abs(m.Square[j]-want) > 1e-13*want+1e-30 {
						t.Errorf("squares of column %d are %v, want %v", j, m.Square[j], want)
					}
					for k := j; k < tc.cols && m.Product != nil; k++ {
						want, size := product.At(j, k), math.Sqrt(product.At(j, j)*product.At(k, k))
						if got := m.Product[j*tc.cols+k]; math.Abs(got-want) > 1e-13*size+1e-30 {
							t.Errorf("product %d, %d is %v, want %v", j, k, got, want)
						}
					}
				}
				if tall := tc.rows >= tc.cols; tall != (m.Product != nil) {
					t.Errorf("products: %v", m.Product != nil)
				}
				if workers == 1 {
					first, firstMean = m, slices.Clone(a.Mean)
				} else if !slices.Equal(m.Product, first.Product) || !slices.Equal(m.Square, first.Square) || !slices.Equal(a.Mean, firstMean) {
					t.Errorf("%d workers give other bits than one", workers)
				}
			}
		})
	}
}

// TestCentreOfUnlikeRows: the first rows, of which a first guess of the mean is made,
// are 0, and all others v. By hand, of n rows with k zeros the mean is v (n-k)/n and the
// sum of squares around it v² k (n-k)/n.
func TestCentreOfUnlikeRows(t *testing.T) {
	const n, k, v = 1 << 21, firstRows, 0.1
	x := mat.NewDense(n, 1, slices.Repeat([]float64{v}, n))
	clear(x.RawMatrix().Data[:k])
	a := Tall{X: x}
	m := a.Centre()
	if want := v * (n - k) / n; math.Abs(a.Mean[0]-want) > 1e-15 {
		t.Errorf("the mean is %v, want %v", a.Mean[0], want)
	}
	if want := v * v * k * (n - k) / n; math.Abs(m.Square[0]-want) > 1e-13*want {
		t.Errorf("the sum of squares is %v, want %v", m.Square[0], want)
	}
}

// TestTriangle: the triangle of a tall matrix has its sums of products, which gonum
// computes, and is the same whatever the number of workers.
func TestTriangle(t *testing.T) {
	for _, size := range [][2]int{{3, 5}, {900, 4}, {5000, 6}, {9000, 130}} {
		a, x, w := tall(size[0], size[1], 0, false, true)
		whole := mat.NewDense(size[0], size[1], nil)
		for i, row := range x {
			for j, v := range row {
				whole.Set(i, j, v*math.Sqrt(w[i]))
			}
		}
		var want, got mat.Dense
		want.Mul(whole.T(), whole)
		r, m := a.Triangle()
		if m > max(size[1], 1024) {
			t.Errorf("%v: %d rows", size, m)
		}
		triangle := mat.NewDense(m, size[1], r)
		got.Mul(triangle.T(), triangle)
		if !mat.EqualApprox(&got, &want, 1e-9) {
			t.Errorf("%v: other sums of products", size)
		}
		a.Workers = 1
		if one, _ := a.Triangle(); !slices.Equal(one, r) {
			t.Errorf("%v: one worker gives other bits", size)
		}
	}
}

// TestCholesky: the triangle is that of gonum's reflections, to twelve digits, and
// columns that nearly depend on others are refused.
func TestCholesky(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(3, 3))
	for _, tc := range []struct {
		name  string
		own   float64 // size of what the last column has of its own
		scale float64 // of the second column
		ok    bool
	}{
		{"independent", 1, 1, true},
		{"of other units", 1, 1e12, true},
		{"nearly dependent", 0.1, 1e-9, true},
		{"dependent but for a thousandth of the length", 1e-3, 1, false},
		{"dependent", 0, 1, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := mat.NewDense(n, 4, nil)
			for i := range n {
				x, y, z, own := r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
				a.SetRow(i, []float64{x, tc.scale * y, z, x + y - z + tc.own*own})
			}
			var g mat.Dense
			g.Mul(a.T(), a)
			got, ok := Cholesky(g.RawMatrix().Data, 4, Plain, 2)
			if ok != tc.ok {
				t.Fatalf("ok is %v", ok)
			}
			if !ok {
				return
			}
			var qr mat.QR
			var want mat.Dense
			qr.Factorize(a)
			qr.RTo(&want)
			for i := range 4 {
				sign := math.Copysign(1, want.At(i, i))
				for j := range 4 {
					size := mat.Norm(a.ColView(j), 2)
					if math.Abs(got[i*4+j]-sign*want.At(i, j)) > 1e-12*size {
						t.Errorf("element %d, %d is %v, want %v", i, j, got[i*4+j], sign*want.At(i, j))
					}
				}
			}
		})
	}
	// In Kahan's matrix (1966) each column is far from the combinations of those before
	// it, and the first ones are near to those of the others.
	for _, c := range []int{10, 20} {
		kahan, sine := mat.NewDense(c, c, nil), math.Pow(1e-3, 0.45/float64(c))
		for i := range c {
			kahan.Set(i, i, math.Pow(sine, float64(i)))
			for j := i + 1; j < c; j++ {
				kahan.Set(i, j, -math.Sqrt(1-sine*sine)*kahan.At(i, i))
			}
		}
		var g mat.Dense
		g.Mul(kahan.T(), kahan)
		if _, ok := Cholesky(g.RawMatrix().Data, c, Plain, 2); ok {
			t.Errorf("%d columns with a condition number of %.0f", c, mat.Cond(kahan, 2))
		}
	}
	for _, v := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if _, ok := Cholesky([]float64{v}, 1, Plain, 2); ok {
			t.Errorf("a root of %v", v)
		}
	}
}

// BenchmarkTall: compare revisions with benchstat.
func BenchmarkTall(b *testing.B) {
	a, _, _ := tall(100_000, 21, 0, false, false)
	b.Run("moments", func(b *testing.B) {
		for b.Loop() {
			a.Centre()
		}
	})
	b.Run("triangle", func(b *testing.B) {
		for b.Loop() {
			a.Triangle()
		}
	})
}

// TestStrip: each number is that of X or of the last column, less the mean, divided by the
// unit and times the root of the weight, in every form that a tall matrix can have.
func TestStrip(t *testing.T) {
	const n, d = 300, 6
	r := rand.New(rand.NewPCG(4, 4))
	some := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	whole := mat.NewDense(n, d, some(n*d))
	part := mat.NewDense(n+2, d+3, some((n+2)*(d+3))).Slice(1, n+1, 2, d+2)
	last, keep, weights := some(n), r.Perm(n)[:200], make([]float64, 200)
	for i := range weights {
		weights[i] = float64(1 + i%3)
	}
	for _, tc := range []struct {
		name string
		tall Tall
	}{
		{"dense", Tall{X: whole}},
		{"centred", Tall{X: whole, Mean: some(d)}},
		{"part of a matrix", Tall{X: part, Last: last, Mean: some(d + 1)}},
		{"transposed twice", Tall{X: whole.T().T(), Last: last}},
		{"transposed", Tall{X: mat.DenseCopyOf(whole.T()).T(), Mean: some(d)}},
		{"some columns", Tall{X: whole, Columns: []int{1, 2, 5}, Mean: some(3), Unit: 0.25}},
		{"some rows", Tall{X: part, Keep: keep, Weights: weights, Last: last, Mean: some(d + 1)}},
		{"weights and a unit", Tall{X: whole, Keep: nil, Weights: append(weights, weights[:100]...), Unit: 8}},
	} {
		a := tc.tall
		rows, c := a.Rows(), a.Cols()
		for _, step := range []int{c, c + 1, c + 3} {
			for _, span := range [][2]int{{0, rows}, {0, 1}, {7, 7}, {rows - 130, rows - 2}} {
				lo, hi := span[0], span[1]
				got := slices.Repeat([]float64{99}, (hi-lo)*step)
				a.reader().strip(got, step, lo, hi)
				want := slices.Repeat([]float64{99}, (hi-lo)*step)
				for i := lo; i < hi; i++ {
					at, root, own := i, 1.0, want[(i-lo)*step:]
					if a.Keep != nil {
						at = a.Keep[i]
					}
					if a.Weights != nil {
						root = math.Sqrt(a.Weights[i])
					}
					for j := range c {
						v := 0.0
						switch {
						case a.Last != nil && j == c-1:
							v = a.Last[at]
						case a.Columns != nil:
							v = a.X.At(at, a.Columns[j])
						default:
							v = a.X.At(at, j)
						}
						if a.Mean != nil {
							v -= a.Mean[j]
						}
						if a.Unit != 0 {
							v /= a.Unit
						}
						own[j] = v * root
					}
					if step > c {
						own[c] = root
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, rows %d to %d, %d apart: %v, want %v", tc.name, lo, hi, step, got, want)
				}
			}
		}
	}
}

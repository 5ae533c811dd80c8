package linear_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"gonum.org/v1/gonum/mat"
)

// exactRidge returns the predictions of ridge regression for its training rows, from
// the equations (XXᵀ + alpha 1) z = y of the centred X and y, solved in 2,000 binary
// digits: they are the means of y plus XXᵀ z.
func exactRidge(X *mat.Dense, y []float64, alpha float64) []float64 {
	n, d := X.Dims()
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(v) }
	centred := func(at func(i int) float64) ([]*big.Float, *big.Float) {
		mean, c := number(0), make([]*big.Float, n)
		for i := range n {
			mean.Add(mean, number(at(i)))
		}
		mean.Quo(mean, number(float64(n)))
		for i := range n {
			c[i] = number(at(i))
			c[i].Sub(c[i], mean)
		}
		return c, mean
	}
	z, mean := centred(func(i int) float64 { return y[i] })
	g, a := make([][]*big.Float, n), make([][]*big.Float, n)
	for i := range n {
		for range n {
			g[i] = append(g[i], number(0))
		}
	}
	for j := range d {
		c, _ := centred(func(i int) float64 { return X.At(i, j) })
		for i := range n {
			for k := range n {
				g[i][k].Add(g[i][k], number(0).Mul(c[i], c[k]))
			}
		}
	}
	for i := range n {
		for k := range n {
			a[i] = append(a[i], number(0).Set(g[i][k]))
		}
		a[i][i].Add(a[i][i], number(alpha))
	}
	for i := range n { // Gauss and Jordan's elimination; a is positive definite
		for k := range n {
			if k == i {
				continue
			}
			f := number(0).Quo(a[k][i], a[i][i])
			for j := i; j < n; j++ {
				a[k][j].Sub(a[k][j], number(0).Mul(f, a[i][j]))
			}
			z[k].Sub(z[k], number(0).Mul(f, z[i]))
		}
	}
	out := make([]float64, n)
	for i := range n {
		sum := number(0).Set(mean)
		for k := range n {
			sum.Add(sum, number(0).Mul(g[i][k], number(0).Quo(z[k], a[k][k])))
		}
		out[i], _ = sum.Float64()
	}
	return out
}

// TestWideRidgeOfUnevenColumns: fewer rows than columns, some of them of large numbers.
func TestWideRidgeOfUnevenColumns(t *testing.T) {
	const n, d = 10, 12
	for name, uneven := range map[string]func(X *mat.Dense, size float64){
		"first column": func(X *mat.Dense, size float64) { scaleColumn(X, 0, size) },
		"last column":  func(X *mat.Dense, size float64) { scaleColumn(X, d-1, size) },
		"three sizes": func(X *mat.Dense, size float64) {
			scaleColumn(X, 4, size)
			scaleColumn(X, 7, math.Sqrt(size))
			scaleColumn(X, 2, 1/math.Sqrt(size))
		},
		"large in the last rows alone": func(X *mat.Dense, size float64) {
			for i := range n {
				X.Set(i, 5, 0)
			}
			X.Set(n-1, 5, size)
			X.Set(n-2, 5, -2*size)
		},
		"two columns that are almost alike": func(X *mat.Dense, size float64) {
			scaleColumn(X, 3, size)
			for i := range n {
				X.Set(i, 8, X.At(i, 3)+X.At(i, 8))
			}
		},
	} {
		for _, size := range []float64{1, 1e4, 1e7, 1e8, 1e12} {
			if size > 1e8 && name == "two columns that are almost alike" {
				continue // rounding the mean moves their difference
			}
			for _, alpha := range []float64{1e-4, 1e-2, 1, 1e3} {
				rng := mlcore.NewRand(7)
				X, y := mat.NewDense(n, d, nil), make([]float64, n)
				for i := range n {
					y[i] = rng.NormFloat64()
					for j := range d {
						X.Set(i, j, rng.NormFloat64())
					}
				}
				uneven(X, size)
				want := exactRidge(X, y, alpha)
				ridge, err := linear.RidgeConfig{Alpha: alpha}.FitRegressor(mlcore.FromMatrix(X, y, nil))
				if err != nil {
					t.Fatal(err)
				}
				net, err := linear.ElasticNetConfig{Alpha: alpha / n}.FitRegressor(mlcore.FromMatrix(X, y, nil))
				if err != nil {
					t.Fatal(err)
				}
				for what, m := range map[string]mlcore.Regressor{"ridge": ridge, "elastic net": net} {
					got, err := m.Predict(X)
					if err != nil {
						t.Fatal(err)
					}
					worst := 0.0
					for i := range got {
						worst = max(worst, math.Abs(got[i]-want[i]))
					}
					if worst > 1e-7 { // the targets are about 1
						t.Errorf("%s, %s times %v, alpha %v: predictions are off by %v", what, name, size, alpha, worst)
					}
				}
			}
		}
	}
}

func scaleColumn(X *mat.Dense, j int, by float64) {
	n, _ := X.Dims()
	for i := range n {
		X.Set(i, j, X.At(i, j)*by)
	}
}

// TestRidgeOfColumnsThatDependOnEachOther: a penalty keeps the normal equations apart, or
// the rows themselves are taken. The oracle computes in 2,000 binary digits.
func TestRidgeOfColumnsThatDependOnEachOther(t *testing.T) {
	for name, tc := range map[string]struct {
		n, d   int
		alpha  float64
		change func(X *mat.Dense)
	}{
		"as drawn":                      {40, 6, 1, func(*mat.Dense) {}},
		"as many rows as columns":       {12, 12, 0.5, func(*mat.Dense) {}},
		"one row more":                  {13, 12, 0.5, func(*mat.Dense) {}},
		"a constant column":             {40, 6, 1, func(X *mat.Dense) { setColumn(X, 5, func(int) float64 { return 3 }) }},
		"a constant column far from 0":  {40, 6, 1, func(X *mat.Dense) { setColumn(X, 0, func(int) float64 { return 1e6 }) }},
		"two columns nearly equal":      {40, 6, 1, func(X *mat.Dense) { setColumn(X, 5, func(i int) float64 { return X.At(i, 0) + 1e-7*float64(i%7) }) }},
		"two equal columns":             {40, 6, 1e-3, func(X *mat.Dense) { setColumn(X, 5, func(i int) float64 { return X.At(i, 0) }) }},
		"two equal, hardly a penalty":   {40, 6, 1e-9, func(X *mat.Dense) { setColumn(X, 5, func(i int) float64 { return X.At(i, 0) }) }},
		"all levels of a category":      {40, 6, 1, func(X *mat.Dense) { oneHot(X) }},
		"a large column":                {40, 6, 1, func(X *mat.Dense) { scaleColumn(X, 2, 1e6) }},
		"a large column and a constant": {40, 6, 1e-2, func(X *mat.Dense) { scaleColumn(X, 2, 1e6); setColumn(X, 4, func(int) float64 { return -1 }) }},
	} {
		t.Run(name, func(t *testing.T) {
			rng := mlcore.NewRand(3)
			X, y := mat.NewDense(tc.n, tc.d, nil), make([]float64, tc.n)
			for i := range y {
				for j := range tc.d {
					X.Set(i, j, rng.NormFloat64())
				}
				y[i] = X.At(i, 0) - X.At(i, 1) + rng.NormFloat64()
			}
			tc.change(X)
			want := exactRidge(X, y, tc.alpha)
			for _, workers := range []int{1, 3} {
				m, err := linear.RidgeConfig{Alpha: tc.alpha, Workers: workers}.FitRegressor(mlcore.FromMatrix(X, y, nil))
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.Predict(X)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range got {
					if !(math.Abs(v-want[i]) <= 1e-9) {
						t.Fatalf("row %d: %v, want %v", i, v, want[i])
					}
				}
			}
		})
	}
}

func setColumn(X *mat.Dense, j int, value func(i int) float64) {
	n, _ := X.Dims()
	for i := range n {
		X.Set(i, j, value(i))
	}
}

// oneHot makes each row one of the levels.
func oneHot(X *mat.Dense) {
	n, d := X.Dims()
	for i := range n {
		for j := range d {
			X.Set(i, j, 0)
		}
		X.Set(i, i*i%d, 1)
	}
}

// A weight u of all rows with a penalty of 1 is a penalty of 1/u, however large u is: beside
// columns that depend on others, which are told by reflections, a column that does not vary
// keeps its coefficient of 0, and no other one is larger than of the least penalty.
func TestPenaltyBesideLargeWeights(t *testing.T) {
	const n = 200
	for _, d := range []int{40, 80, 130} {
		rng := mlcore.NewRand(1, 2)
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			for j := range d {
				X.Set(i, j, rng.NormFloat64())
			}
			X.Set(i, 35, 0)
			X.Set(i, 20, X.At(i, 3))
			X.Set(i, 22, X.At(i, 4)+X.At(i, 5))
			y[i] = 3*X.At(i, 1) + rng.NormFloat64()
		}
		for _, u := range []float64{1, 1e12, 1e30, 1e200} {
			w := make([]float64, n)
			for i := range w {
				w[i] = u
			}
			m, err := linear.RidgeConfig{Alpha: 1}.FitRegressor(mlcore.FromMatrix(X, y, w))
			if err != nil {
				t.Fatal(err)
			}
			coef := m.Coef()
			if coef[35] != 0 {
				t.Errorf("%d columns, weights %v: the coefficient of a constant column is %v", d, u, coef[35])
			}
			for j, b := range coef {
				if !(math.Abs(b) < 10) {
					t.Errorf("%d columns, weights %v: coefficient %d is %v", d, u, j, b)
				}
			}
		}
	}
}

package cluster

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// someMixture has K components that overlap.
func someMixture(t *testing.T, shape Covariance, K, d int) *Mixture {
	t.Helper()
	rng := mlcore.NewRand(uint64(d))
	m := &Mixture{shape: shape, features: d}
	for k := range K {
		m.weights = append(m.weights, float64(k+1)/float64(K*(K+1)/2))
	}
	for range K * d {
		m.means = append(m.means, rng.NormFloat64())
	}
	blocks := K
	if shape == Tied {
		blocks = 1
	}
	for range blocks {
		if shape == Diagonal || shape == Spherical {
			for range blockSize(shape, d) {
				m.covariances = append(m.covariances, 0.1+rng.Float64())
			}
			continue
		}
		a, cov := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
		a.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() / math.Sqrt(float64(d)) }, a)
		cov.Mul(a, a.T())
		for j := range d {
			cov.Set(j, j, cov.At(j, j)+0.1)
		}
		m.covariances = append(m.covariances, cov.RawMatrix().Data...)
	}
	if err := m.prepare(); err != nil {
		t.Fatal(err)
	}
	return m
}

// formula is constant - |W (x - μ)|²/2, every sum in order and over all columns.
func formula(m *Mixture, x []float64, k int) float64 {
	d, sum := m.features, 0.0
	size := blockSize(m.shape, d)
	own := m.covariances[:size]
	if m.shape != Tied {
		own = m.covariances[k*size:][:size]
	}
	var w []float64
	if m.shape == Full || m.shape == Tied {
		w = factor.Whitener(own, d, 0)
	}
	for j := range d {
		white := 0.0
		switch m.shape {
		case Full, Tied:
			for p, v := range x {
				white += float64((v - m.means[k*d+p]) * w[j*d+p])
			}
		default:
			white = (x[j] - m.means[k*d+j]) * (1 / math.Sqrt(own[j%size]))
		}
		sum += float64(white * white)
	}
	return m.constant[k] - float64(sum/2)
}

// logNormal is the logarithm of the density of a normal distribution, as gonum decomposes the
// covariance and solves by it.
func logNormal(x, mean []float64, covariance *mat.Cholesky) float64 {
	var diff, solved mat.VecDense
	diff.SubVec(mat.NewVecDense(len(x), x), mat.NewVecDense(len(x), mean))
	if err := covariance.SolveVecTo(&solved, &diff); err != nil {
		return math.NaN()
	}
	return -(float64(len(x))*math.Log(2*math.Pi) + covariance.LogDet() + mat.Dot(&diff, &solved)) / 2
}

// However many rows are asked for, and whatever lies between them, the densities are those
// that gonum's decomposition gives and, bit for bit, the formula's.
func TestJointDensities(t *testing.T) {
	const K = 3
	for _, shape := range []Covariance{Full, Tied, Diagonal, Spherical} {
		for _, d := range []int{1, 2, 3, 4, 5, 8, 16, 17, 33} {
			t.Run(fmt.Sprintf("%v, d = %d", shape, d), func(t *testing.T) {
				m := someMixture(t, shape, K, d)
				var covariances [K]mat.Cholesky
				for k := range covariances {
					if !covariances[k].Factorize(m.Covariance(k)) {
						t.Fatal("not positive definite")
					}
				}
				var room scratch // of all, with what the one before left in it
				for _, n := range []int{2*together + 1, 0, 1, 5, manyRows - 1, manyRows, together, together + 1, 2*together + manyRows + 3} {
					stride := d + n%3
					rng := mlcore.NewRand(uint64(n))
					rows := make([]float64, n*stride)
					for at := range rows {
						rows[at] = 2 * rng.NormFloat64()
					}
					for i := range n {
						x := rows[i*stride:][:d]
						switch i % 7 { // some far away, some at 0, some at the mean
						case 1:
							x[i%d] *= 1e100
						case 2:
							x[d-1-i%d] = math.Copysign(1e200, x[0])
						case 3:
							clear(x)
						case 4:
							copy(x, m.means)
						case 5:
							x[i%d] = 1e-300
						}
					}
					out := kernel.Matrix{Data: make([]float64, n*K), Rows: n, Cols: K}
					m.joint(&room, out, rows, stride)
					for i := range n {
						x := rows[i*stride:][:d]
						for k, got := range out.Row(i) {
							if want := formula(m, x, k); math.Float64bits(got) != math.Float64bits(want) {
								t.Fatalf("%d rows, row %d, component %d: %v; the formula has %v", n, i, k, got, want)
							}
							want := math.Log(m.weights[k]) + logNormal(x, m.means[k*d:][:d], &covariances[k])
							if math.IsInf(got, -1) && (math.IsInf(want, -1) || math.IsNaN(want)) {
								continue
							}
							if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
								t.Fatalf("%d rows, row %d, component %d: %v; gonum has %v", n, i, k, got, want)
							}
						}
					}
				}
			})
		}
	}
}

// Where a difference overflows, a component has no density, whatever the others have, and
// however many rows are asked for.
func TestDifferencesThatOverflow(t *testing.T) {
	for _, d := range []int{2, 9, 17} {
		m := someMixture(t, Full, 2, d)
		for at := range m.means {
			m.means[at] = 0
		}
		for j := range d {
			m.means[d+j] = 1e308
			for p := range d {
				m.covariances[j*d+p] = 0
			}
			m.covariances[j*d+j] = 1e308
		}
		if err := m.prepare(); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2*together + manyRows} {
			for at := 1; at < d; at++ { // a triangle has no zeros in its first column
				X := mat.NewDense(n, d, nil)
				X.Set(n-1, at, -1e308)
				_, err := m.LogDensity(X)
				if !errors.Is(err, mlcore.ErrNonFinite) || !strings.Contains(err.Error(), fmt.Sprintf("row %d ", n-1)) {
					t.Errorf("%d columns, %d rows, column %d: error %v", d, n, at, err)
				}
			}
			if _, err := m.LogDensity(mat.NewDense(n, d, nil)); err != nil {
				t.Errorf("%d columns, %d rows of zeros: %v", d, n, err)
			}
		}
	}
}

package neighbors_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
)

// exactPlane returns the prediction of LocalLinear from all rows with equal weights
// in exact rational arithmetic, where rank is no matter of tolerance. With Z a basis
// of the row space of the centred rows A, the shortest slope is Zᵀc, of which c
// solves (A Zᵀ)ᵀ(A Zᵀ) c = (A Zᵀ)ᵀ y.
func exactPlane(X [][]float64, y, q []float64) float64 {
	k, d := len(X), len(q)
	number := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	mean := func(at func(i int) float64) *big.Rat {
		sum := new(big.Rat)
		for i := range k {
			sum.Add(sum, number(at(i)))
		}
		return sum.Quo(sum, big.NewRat(int64(k), 1))
	}
	centre, middle := make([]*big.Rat, d), mean(func(i int) float64 { return y[i] })
	for f := range d {
		centre[f] = mean(func(i int) float64 { return X[i][f] })
	}
	a := make([][]*big.Rat, k)
	for i := range a {
		for f := range d {
			a[i] = append(a[i], new(big.Rat).Sub(number(X[i][f]), centre[f]))
		}
	}
	dot := func(a, b []*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for i := range a {
			sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
		}
		return sum
	}
	// The basis is the rows that elimination leaves.
	var basis [][]*big.Rat
	for _, row := range a {
		rest := make([]*big.Rat, d)
		for f := range rest {
			rest[f] = new(big.Rat).Set(row[f])
		}
		for _, b := range basis { // orthogonal to each other
			share := new(big.Rat).Quo(dot(rest, b), dot(b, b))
			for f := range rest {
				rest[f].Sub(rest[f], new(big.Rat).Mul(share, b[f]))
			}
		}
		if dot(rest, rest).Sign() != 0 {
			basis = append(basis, rest)
		}
	}
	// Normal equations of the coefficients, by elimination.
	r := len(basis)
	system := make([][]*big.Rat, r)
	for s := range system {
		system[s] = make([]*big.Rat, r+1)
		for c := range system[s] {
			system[s][c] = new(big.Rat)
		}
		for i := range k {
			own := dot(a[i], basis[s])
			for c := range r {
				system[s][c].Add(system[s][c], new(big.Rat).Mul(own, dot(a[i], basis[c])))
			}
			system[s][r].Add(system[s][r], new(big.Rat).Mul(own, new(big.Rat).Sub(number(y[i]), middle)))
		}
	}
	for p := range r {
		for s := range r {
			if s == p {
				continue
			}
			share := new(big.Rat).Quo(system[s][p], system[p][p])
			for c := p; c <= r; c++ {
				system[s][c].Sub(system[s][c], new(big.Rat).Mul(share, system[p][c]))
			}
		}
	}
	answer := new(big.Rat).Set(middle)
	for s, b := range basis {
		away := make([]*big.Rat, d)
		for f := range away {
			away[f] = new(big.Rat).Sub(number(q[f]), centre[f])
		}
		answer.Add(answer, new(big.Rat).Mul(dot(away, b), new(big.Rat).Quo(system[s][r], system[s][s])))
	}
	v, _ := answer.Float64()
	return v
}

func predictPlane(t *testing.T, X [][]float64, y, q []float64) float64 {
	t.Helper()
	x := mat.NewDense(len(X), len(q), nil)
	for i, row := range X {
		x.SetRow(i, row)
	}
	m, err := neighbors.Config{Neighbors: len(X), LocalLinear: true}.FitRegressor(mlcore.FromMatrix(x, y, nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(mat.NewDense(1, len(q), q))
	if err != nil {
		t.Fatal(err)
	}
	return got[0]
}

// TestLocalLinearRank: rounding from centring is not a direction. The oracle is
// exact rational arithmetic.
func TestLocalLinearRank(t *testing.T) {
	same := [][]float64{{0.1}, {0.1}, {0.1}, {0.1}, {0.1}, {0.1}}
	for _, c := range []struct {
		X    [][]float64
		y, q []float64
		want float64
	}{
		{[][]float64{{37.4, 34.9}, {34.7, 34.4}}, []float64{0, 1}, []float64{22.6, 35.6}, 5.25331564986738},
		{same, []float64{0, 1, 5, 2, 9, 4}, []float64{1.1}, 3.5},
		{[][]float64{{1e200}, {2e200}, {3e200}}, []float64{1, 2, 3}, []float64{4e200}, 4},
		{[][]float64{{1e-200}, {2e-200}, {3e-200}}, []float64{1, 2, 3}, []float64{4e-200}, 4},
	} {
		if exact := exactPlane(c.X, c.y, c.q); math.Abs(exact-c.want) > 1e-12 {
			t.Fatalf("the oracle says %v, not %v", exact, c.want)
		}
		if got := predictPlane(t, c.X, c.y, c.q); math.Abs(got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("at %v: %v, want %v", c.q, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(2, 7))
	for range 60 {
		d := 1 + r.IntN(5)
		k := 2 + r.IntN(d+2)
		X, y, q := make([][]float64, k), make([]float64, k), make([]float64, d)
		for i := range X {
			for range d {
				X[i] = append(X[i], 100+math.Round(r.NormFloat64()*100)/10)
			}
			y[i] = r.NormFloat64()
		}
		for f := range q {
			q[f] = 100 + 3*r.NormFloat64()
		}
		want := exactPlane(X, y, q)
		if got := predictPlane(t, X, y, q); math.Abs(got-want) > 1e-8*max(1, math.Abs(want)) {
			t.Errorf("%d rows of %d columns: %v, want %v", k, d, got, want)
		}
	}
}

package bayes

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"github.com/mllabs-go/mllabs/mlcore/internal/factor"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
	"gonum.org/v1/gonum/mat"
)

// Many rows at a time have the bits of one after the other: of two and more classes, of a
// class that is never predicted, of rows so far out that functions overflow.
func TestRowsTogether(t *testing.T) {
	rng := mlcore.NewRand(4)
	for _, K := range []int{2, 3, 9, 12} {
		for _, d := range []int{1, 5} {
			n := 20 * K
			X, y := mat.NewDense(n, d, nil), make([]int, n)
			for i := range n {
				y[i] = i % K
				for j := range d {
					X.Set(i, j, rng.NormFloat64()+float64(y[i]*(j+1)))
				}
			}
			prior := slices.Repeat([]float64{1 / float64(K-1)}, K)
			prior[K-1] = 0
			queries := mat.NewDense(600, d, nil)
			queries.Apply(func(i, j int, _ float64) float64 {
				switch {
				case i%97 == 96:
					return math.MaxFloat64 * (2*rng.Float64() - 1)
				case i%53 == 52:
					return 1e300 * rng.NormFloat64()
				}
				return float64(K) * rng.NormFloat64()
			}, queries)
			mean := mat.NewDense(1, d, nil) // where scores tie, or nearly
			for name, Q := range map[string]*mat.Dense{"many": queries, "near": queries.Slice(0, 52, 0, d).(*mat.Dense), "the origin": mean} {
				for _, given := range [][]float64{nil, prior} {
					m, err := LinearDiscriminantConfig{Prior: Prior{Given: given}}.FitClassifier(mlcore.FromMatrix(X, y, nil))
					if err != nil {
						t.Fatal(err)
					}
					rows, _ := Q.Dims()
					classes, err := m.Predict(Q)
					p, err2 := m.PredictProba(Q)
					logs, err3 := m.PredictLogProba(Q)
					if err != nil || err2 != nil || err3 != nil {
						t.Fatal(err, err2, err3)
					}
					for i := range rows {
						row := Q.RawRowView(i)
						room := kernel.Matrix{Data: make([]float64, m.room()), Rows: 1, Cols: m.room()}
						m.products(room, kernel.Matrix{Data: row, Rows: 1, Cols: d}, &productRoom{})
						joint := slices.Clone(m.logPrior)
						if !m.score(joint, row, room.Data) {
							t.Fatal("a row without a score")
						}
						best, sum, exps := kernel.ArgMax(joint), 0.0, make([]float64, K)
						for k, v := range joint {
							exps[k] = elementary.Exp(v - joint[best])
							sum += exps[k]
						}
						for k, v := range joint {
							if want := exps[k] / sum; p.At(i, k) != want {
								t.Fatalf("%d classes, %d columns, %s, prior %v, row %d: P(%d) is %v, want %v", K, d, name, given, i, k, p.At(i, k), want)
							}
							if want := v - (joint[best] + elementary.Log(sum)); logs.At(i, k) != want {
								t.Fatalf("%d classes, %d columns, %s, row %d: log P(%d) is %v, want %v", K, d, name, i, k, logs.At(i, k), want)
							}
						}
						if classes[i] != best {
							t.Fatalf("%d classes, %d columns, %s, row %d: class %d, want %d", K, d, name, i, classes[i], best)
						}
					}
				}
			}
		}
	}
}

// The lowest of equal classes is the greatest, whatever the number of classes.
func TestGreatest(t *testing.T) {
	rng := mlcore.NewRand(5)
	for range 1000 {
		row := make([]float64, 1+rng.IntN(12))
		for k := range row {
			row[k] = []float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 2}[rng.IntN(5)]
		}
		want := 0
		for k := range row {
			if row[k] > row[want] {
				want = k
			}
		}
		if got := greatest(row); got != want {
			t.Fatalf("%v: %d, want %d", row, got, want)
		}
	}
}

// Rows that are standardised together have the bits of one column after the other, with the
// units of the smallest and the greatest numbers, weights of 0 and columns that do not vary.
func TestStandardiseColumnByColumn(t *testing.T) {
	rng := mlcore.NewRand(6)
	for _, n := range []int{1, 2, 40} {
		size := []float64{1, 1e-300, 1e300, 0, 1e9, 5e-324}
		d := len(size)
		c := &centred{rows: mat.NewDense(n, d, nil), class: make([]int, n), scale: make([]float64, d), flat: make([]bool, d)}
		w, total := make([]float64, n), 0.0
		for i := range n {
			w[i] = float64(rng.IntN(3))
			total += w[i]
			for j, v := range size {
				c.rows.Set(i, j, v*rng.NormFloat64())
			}
			c.rows.Set(i, 4, 1e-12) // rounding beside 1e9
		}
		if n == 1 {
			w, total = nil, 1
		}
		X := mat.DenseCopyOf(c.rows)
		s := &rowWeights{of: w, total: total}
		for lo := 0; lo < d; lo += 4 { // in parts, the last of them shorter
			hi := min(lo+4, d)
			c.standardise(s, size[lo:hi], lo, hi)
		}
		for j := range d {
			column := mat.Col(nil, j, X)
			unit, sum := factor.Unit(column), 0.0
			for i, v := range column {
				column[i] = v / unit
				sum += float64(given.Weight(w, i) / total * float64(column[i]*column[i]))
			}
			deviation := math.Sqrt(sum)
			scale, flat := float64(deviation*unit), false
			if !(scale > float64(0x1p-50*size[j])) {
				scale, flat = 1, true
			}
			if c.scale[j] != scale || c.flat[j] != flat {
				t.Errorf("%d rows, column %d: scale %v, flat %v, want %v, %v", n, j, c.scale[j], c.flat[j], scale, flat)
			}
			for i, v := range column {
				want := v / deviation * math.Sqrt(given.Weight(w, i)/total)
				if flat {
					want = 0
				}
				if got := c.rows.At(i, j); got != want {
					t.Errorf("%d rows: element %d, %d is %v, want %v", n, i, j, got, want)
				}
			}
		}
	}
}

package bayes_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"gonum.org/v1/gonum/mat"
)

// Of many columns, the log odds are those of the definition, (x - (a+b)/2)ᵀ S⁻¹ (b-a) and
// the log of the ratio of the priors, with S solved by gonum; also where further columns
// repeat the first ones, so that S has no inverse, or where there is shrinkage.
func TestLinearDiscriminantOfManyColumns(t *testing.T) {
	const n, d, repeated = 300, 60, 15
	for _, shrinkage := range []float64{0, 0.2} {
		for _, copies := range []int{0, repeated} {
			if shrinkage > 0 && copies > 0 {
				continue // copies have another mean variance
			}
			t.Run(fmt.Sprintf("shrinkage %v, %d copies", shrinkage, copies), func(t *testing.T) {
				rng := mlcore.NewRand(3)
				X, y := mat.NewDense(n, d+copies, nil), make([]int, n)
				for i := range n {
					y[i] = i % 3 / 2 // two thirds and one third
					for j := range d {
						v := rng.NormFloat64() + 0.3*float64(y[i]*(j%4))
						if j > 0 {
							v += 0.8 * X.At(i, j-1)
						}
						X.Set(i, j, v)
					}
					for j := range copies {
						X.Set(i, d+j, 2*X.At(i, j)+1)
					}
				}
				m, err := bayes.LinearDiscriminantConfig{Shrinkage: shrinkage}.FitClassifier(mlcore.FromMatrix(X, y, nil))
				if err != nil {
					t.Fatal(err)
				}
				got, err := m.PredictLogProba(X)
				if err != nil {
					t.Fatal(err)
				}
				means, count := mat.NewDense(2, d, nil), [2]float64{}
				for i, k := range y {
					count[k]++
					for j := range d {
						means.Set(k, j, means.At(k, j)+X.At(i, j))
					}
				}
				for k := range count {
					for j := range d {
						means.Set(k, j, means.At(k, j)/count[k])
					}
				}
				S := mat.NewSymDense(d, nil)
				for i, k := range y {
					row := mat.NewVecDense(d, nil)
					for j := range d {
						row.SetVec(j, X.At(i, j)-means.At(k, j))
					}
					S.SymRankOne(S, 1/float64(n), row)
				}
				if shrinkage > 0 {
					mean := mat.Trace(S) / d
					S.ScaleSym(1-shrinkage, S)
					for j := range d {
						S.SetSym(j, j, S.At(j, j)+shrinkage*mean)
					}
				}
				var c mat.Cholesky
				if !c.Factorize(S) {
					t.Fatal("S is not positive definite")
				}
				diff, w := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
				for j := range d {
					diff.SetVec(j, means.At(1, j)-means.At(0, j))
				}
				if err := c.SolveVecTo(w, diff); err != nil {
					t.Fatal(err)
				}
				for i := range n {
					want := math.Log(count[1] / count[0])
					for j := range d {
						want += (X.At(i, j) - (means.At(0, j)+means.At(1, j))/2) * w.AtVec(j)
					}
					if odds := got.At(i, 1) - got.At(i, 0); math.Abs(odds-want) > 1e-8*(1+math.Abs(want)) {
						t.Fatalf("row %d: log odds %v, want %v", i, odds, want)
					}
				}
			})
		}
	}
}

package cart

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// Thresholds are drawn from values where no column has a missing one, and from codes
// elsewhere. The oracle of one is the other, to which a row of missing values leads that
// counts for nothing; it also has rows counted where each has its copy, and where there are none.
func TestThresholdsFromValuesAndFromCodes(t *testing.T) {
	const n, d = 600, 4
	rng := mlcore.NewRand(16)
	X, with := mat.NewDense(n, d, nil), mat.NewDense(n+1, d, nil)
	drawn, once := make([]int32, n+1), make([]int32, n+1) // copies of the rows; of the last one none
	for i := range n {
		drawn[i], once[i] = int32(rng.IntN(3)), 1
		X.SetRow(i, []float64{
			rng.NormFloat64(),
			float64(rng.IntN(9)) - 4,
			5e-324 * float64(rng.IntN(5)-2), // zeros and their neighbours
			[]float64{-math.MaxFloat64, -1, 1, math.MaxFloat64 / 2}[rng.IntN(4)],
		})
		with.SetRow(i, X.RawRowView(i))
	}
	for j := range d {
		with.Set(n, j, math.NaN())
	}
	for _, classes := range []int{2, 5} {
		y, target, weights := make([]int, n+1), make([]float64, n+1), make([]float64, n+1)
		for i := range y {
			y[i], target[i], weights[i] = rng.IntN(classes), rng.NormFloat64(), 0.5+rng.Float64()
		}
		for _, cfg := range []Config{
			{Splitter: Random}, {Splitter: Random, MaxFeatures: 2, Rule: flattree.AtLeast}, {RandomCandidates: 3},
			{Splitter: Random, MinSamplesLeaf: 4, Criterion: Entropy}, {Splitter: Random, MaxLeafNodes: 40},
		} {
			for _, sample := range []struct {
				name       string
				w          []float64
				ones, twos []int32
			}{
				{"copies", nil, drawn[:n], drawn}, {"weights and copies", weights, drawn[:n], drawn},
				{"all rows", nil, nil, once}, {"weights", weights, nil, once},
			} {
				name, w := fmt.Sprintf("%+v, %d classes, %s", cfg, classes, sample.name), sample.w
				tables := make([]*ranks.Table, 2)
				for k, X := range []mat.Matrix{X, with} {
					var err error
					if tables[k], err = ranks.Of(X, nil, true, 1); err != nil {
						t.Fatal(err)
					}
				}
				of := func(w []float64, n int) []float64 {
					if w == nil {
						return nil
					}
					return w[:n]
				}
				a, errA := cfg.FitClassifier(tables[0], mlcore.CountClasses(y), y[:n], of(w, n), sample.ones, nil)
				b, errB := cfg.FitClassifier(tables[1], mlcore.CountClasses(y), y, of(w, n+1), sample.twos, nil)
				if errA != nil || errB != nil {
					t.Fatal(name, errA, errB)
				}
				if len(a.Tree().Nodes) < 20 || !reflect.DeepEqual(a, b) {
					t.Errorf("%s: trees of %d and of %d nodes, which differ or are small", name, len(a.Tree().Nodes), len(b.Tree().Nodes))
				}
				cfg := cfg
				cfg.Criterion = SquaredError
				r, errR := cfg.FitRegressor(tables[0], target[:n], of(w, n), sample.ones, nil)
				q, errQ := cfg.FitRegressor(tables[1], target, of(w, n+1), sample.twos, nil)
				if errR != nil || errQ != nil {
					t.Fatal(name, errR, errQ)
				}
				if !reflect.DeepEqual(r, q) {
					t.Errorf("%s: regression trees differ", name)
				}
			}
		}
	}
}

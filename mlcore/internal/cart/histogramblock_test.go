package cart

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/ranks"
)

// The oracle is the definition: a cell is the sum, in the order of the rows, of the
// weights of those with its code and class.
func TestAddToBlock(t *testing.T) {
	rng := mlcore.NewRand(11)
	for trial := range 200 {
		n, d, bins, k := 1+rng.IntN(200), 1+rng.IntN(20), 1+rng.IntN(256), 1+rng.IntN(5)
		byRow := make([]uint8, n*d+ranks.Pad)
		for i := range n * d {
			byRow[i] = uint8(rng.IntN(bins))
		}
		var (
			rows []int32
			y    []int32
			w    []float64
		)
		for i := range n {
			if rng.IntN(3) > 0 {
				rows, y, w = append(rows, int32(i)), append(y, int32(rng.IntN(k))), append(w, rng.Float64())
			}
		}
		first := rng.IntN(d)
		cells := make([][blockFeatures]float64, bins*k)
		addToBlock(cells, rows, byRow[first:], d, y, w, k)
		h := histogramBlock{first: first, n: min(blockFeatures, d-first), cells: cells}
		for j := range d + 1 {
			want := make([]float64, bins*k)
			for p, i := range rows {
				if j < d {
					want[int(byRow[int(i)*d+j])*k+int(y[p])] += w[p]
				}
			}
			got := make([]float64, bins*k)
			if has := j >= first && j < min(d, first+blockFeatures); h.take(got, j) != has {
				t.Fatalf("trial %d: feature %d is there: %v, want %v", trial, j, !has, has)
			} else if has && !reflect.DeepEqual(got, want) {
				t.Fatalf("trial %d: feature %d: %v, want %v", trial, j, got, want)
			}
		}
	}
}

// The oracle is codes of 16 bits, whose histograms are filled one after another.
func TestBlocksGiveTheSameTrees(t *testing.T) {
	rng := mlcore.NewRand(12)
	for _, tc := range []struct{ n, d, values, classes int }{
		{3000, 16, 16, 26}, {5000, 19, 12, 3}, {700, 8, 9, 2}, {900, 5, 30, 4}, {900, 4, 30, 4}, {900, 1, 30, 4}, {2000, 9, 255, 2},
	} {
		X, y, w := mat.NewDense(tc.n, tc.d, nil), make([]int, tc.n), make([]float64, tc.n)
		for i := range y {
			for j := range tc.d {
				X.Set(i, j, float64(rng.IntN(tc.values-j%3)))
			}
			y[i], w[i] = (int(X.At(i, 0))/3+int(X.At(i, tc.d-1))+rng.IntN(2))%tc.classes, rng.Float64()
		}
		b := table(t, X)
		wide := widened(b)
		for _, cfg := range []Config{
			{MaxDepth: 1, Criterion: Misclassification}, {MaxDepth: 3, Criterion: Misclassification}, {}, {Criterion: Entropy, MaxDepth: 4},
			{MinSamplesLeaf: 4}, {MaxFeatures: tc.d}, {Features: []int{0, tc.d - 1}[:min(2, tc.d)], MaxDepth: 2}, {MaxLeafNodes: 6},
		} {
			for _, cfg.Workers = range []int{1, 2, 7} {
				t.Run(fmt.Sprintf("%+v/%v/%d", tc, cfg.Criterion, cfg.Workers), func(t *testing.T) {
					if tc.d == 1 {
						cfg.Features = nil
					}
					got, err := cfg.FitClassifier(b, tc.classes, y, w, nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					want, err := cfg.FitClassifier(wide, tc.classes, y, w, nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(got, want) {
						t.Error("the trees differ")
					}
				})
			}
		}
	}
}

// The oracle is codes of 16 bits: what a stump has left in the memory that trees share
// is not taken for the next tree's.
func TestBlocksAreForgotten(t *testing.T) {
	const n, d = 600, 8
	rng := mlcore.NewRand(14)
	X, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range y {
		for j := range d {
			X.Set(i, j, float64(rng.IntN(9)))
		}
		y[i], w[i] = int(X.At(i, 3))/5, rng.Float64()
	}
	b, other := table(t, X), slices.Clone(y)
	rng.Shuffle(n, func(i, j int) { other[i], other[j] = other[j], other[i] })
	drawn := Config{MaxFeatures: d, MaxDepth: 1}
	want, err := drawn.FitClassifier(widened(b), 2, y, w, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Config{MaxDepth: 1}).FitClassifier(b, 2, other, w, nil, nil); err != nil {
		t.Fatal(err)
	}
	got, err := drawn.FitClassifier(b, 2, y, w, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the trees differ")
	}
}

// By hand: one feature alone tells the classes apart, and every worker's features are
// looked at.
func TestEachFeatureIsSearched(t *testing.T) {
	const n, d = 4000, 19 // more than parallelWork values
	rng := mlcore.NewRand(13)
	y, target, w := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], w[i] = rng.IntN(2), 0.5+rng.Float64()
		target[i] = float64(10 * y[i])
	}
	for j := range d {
		X := mat.NewDense(n, d, nil)
		for i := range n {
			for other := range d {
				X.Set(i, other, float64(rng.IntN(5)))
			}
			X.Set(i, j, float64(3*y[i]+rng.IntN(3)))
		}
		b := table(t, X)
		for _, workers := range []int{1, 2, 7, 40} {
			for _, weights := range [][]float64{nil, w} {
				c, err := Config{MaxDepth: 1, Workers: workers}.FitClassifier(b, mlcore.CountClasses(y), y, weights, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				r, err := Config{MaxDepth: 1, Workers: workers}.FitRegressor(b, target, weights, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, root := range []int32{c.Tree().Nodes[0].Feature, r.Tree().Nodes[0].Feature} {
					if root != int32(j) {
						t.Errorf("%d workers, weights %v: feature %d was found, want %d", workers, weights != nil, root, j)
					}
				}
			}
		}
	}
}

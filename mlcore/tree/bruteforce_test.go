package tree_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// The tests here try every split by the textbook definition of the criterion
// and hold each node of a grown tree to the best, on data full of ties.

// weighted is a row as the definitions see it: class or target, and weight.
type weighted struct{ y, w float64 }

// impurity is the definition of a criterion.
func impurity(c tree.Criterion, rows []weighted) float64 {
	sum, mean := 0.0, 0.0
	share := map[float64]float64{}
	for _, r := range rows {
		sum += r.w
		mean += r.w * r.y
		share[r.y] += r.w
	}
	mean /= sum
	var p []float64
	for _, w := range share {
		p = append(p, w/sum)
	}
	slices.Sort(p)
	h := 0.0
	switch c {
	case tree.Gini:
		for _, v := range p {
			h += v * (1 - v)
		}
	case tree.Entropy:
		for _, v := range p {
			h -= v * math.Log2(v)
		}
	case tree.Misclassification:
		h = 1 - slices.Max(p)
	case tree.SquaredError, tree.FriedmanMSE:
		for _, r := range rows {
			h += r.w * (r.y - mean) * (r.y - mean) / sum
		}
	case tree.AbsoluteError:
		// The best constant is one of the targets.
		h = math.Inf(1)
		for _, m := range rows {
			loss := 0.0
			for _, r := range rows {
				loss += r.w * math.Abs(r.y-m.y) / sum
			}
			h = min(h, loss)
		}
	}
	return h
}

func total(rows []weighted) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += r.w
	}
	return sum
}

// bestThreshold tries every threshold on every column. On a tie the lowest
// feature and then the lowest threshold stays.
func bestThreshold(c tree.Criterion, X *mat.Dense, rows []int, all []weighted, minLeaf int, rule tree.Rule) (feature int, threshold, gain float64) {
	node := make([]weighted, len(rows))
	for k, i := range rows {
		node[k] = all[i]
	}
	before := total(node) * impurity(c, node)
	feature, gain = -1, math.Inf(-1)
	_, d := X.Dims()
	for j := range d {
		var values []float64
		for _, i := range rows {
			values = append(values, X.At(i, j))
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for v := 1; v < len(values); v++ {
			var left, right []weighted
			for _, i := range rows {
				if X.At(i, j) < values[v] {
					left = append(left, all[i])
				} else {
					right = append(right, all[i])
				}
			}
			if len(left) < minLeaf || len(right) < minLeaf {
				continue
			}
			g := before - total(left)*impurity(c, left) - total(right)*impurity(c, right)
			if g > gain+1e-9 {
				feature, gain = j, g
				threshold = (values[v-1] + values[v]) / 2
				if rule == tree.AtLeast {
					threshold = values[v]
				}
			}
		}
	}
	return feature, threshold, gain
}

// tied makes n rows of d small whole numbers (so that nodes are searched by
// histogram, by counting and by insertion) or of halves of normals.
func tied(seed uint64, n, d, classes int) (X *mat.Dense, y []int, target []float64) {
	rng := mlcore.NewRand(seed)
	X, y, target = mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range n {
		for j := range d {
			if j%2 == 0 {
				X.Set(i, j, float64(rng.IntN(6)))
			} else {
				X.Set(i, j, math.Round(8*rng.NormFloat64())/8-1)
			}
		}
		y[i] = (int(X.At(i, 0)) + rng.IntN(3)) % classes
		target[i] = float64(int(X.At(i, 0))*2+rng.IntN(5)) / 2
	}
	return X, y, target
}

func weights(kind string, n int) []float64 {
	rng := mlcore.NewRand(99)
	w := make([]float64, n)
	for i := range w {
		switch kind {
		case "none":
			return nil
		case "equal":
			w[i] = 0.1
		case "whole":
			w[i] = float64(1 + rng.IntN(3))
		case "real":
			w[i] = 0.5 + rng.Float64()
		}
	}
	return w
}

func TestEverySplitIsTheBest(t *testing.T) {
	for _, kind := range []string{"none", "equal", "whole", "real"} {
		for _, rule := range []tree.Rule{tree.AtMost, tree.AtLeast} {
			for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification, tree.SquaredError, tree.FriedmanMSE, tree.AbsoluteError} {
				for _, minLeaf := range []int{1, 4} {
					t.Run(fmt.Sprintf("%v/%v/%s weights/leaves of %d", c, rule, kind, minLeaf), func(t *testing.T) {
						n := 260
						if c == tree.AbsoluteError {
							n = 60 // the definition takes quadratic time
						}
						X, y, target := tied(3, n, 4, 3)
						w := weights(kind, n)
						cfg := tree.Config{Criterion: c, Rule: rule, MinSamplesLeaf: minLeaf, MaxDepth: 5}
						rows := make([]weighted, n)
						var nodes []tree.Node
						var paths [][]int
						if c >= tree.SquaredError {
							m, err := cfg.FitRegressor(mlcore.FromMatrix(X, target, w))
							if err != nil {
								t.Fatal(err)
							}
							nodes = m.Nodes()
							paths, _ = m.DecisionPath(X)
						} else {
							m, err := cfg.FitClassifier(mlcore.FromMatrix(X, y, w))
							if err != nil {
								t.Fatal(err)
							}
							nodes = m.Nodes()
							paths, _ = m.DecisionPath(X)
						}
						for i := range rows {
							rows[i] = weighted{target[i], 1}
							if c < tree.SquaredError {
								rows[i].y = float64(y[i])
							}
							if w != nil {
								rows[i].w = w[i]
							}
						}
						at, depth := make([][]int, len(nodes)), make([]int, len(nodes))
						for i, path := range paths {
							for k, node := range path {
								at[node] = append(at[node], i)
								depth[node] = k
							}
						}
						if len(nodes) < 5 {
							t.Fatalf("only %d nodes to look at", len(nodes))
						}
						for k, node := range nodes {
							own := make([]weighted, len(at[k]))
							for r, i := range at[k] {
								own[r] = rows[i]
							}
							if !near(node.Impurity, impurity(c, own), 1e-9) || node.Samples != len(own) || !near(node.Weight, total(own), 1e-9) {
								t.Fatalf("node %d: impurity %v, %d samples, weight %v; want %v, %d, %v",
									k, node.Impurity, node.Samples, node.Weight, impurity(c, own), len(own), total(own))
							}
							feature, threshold, gain := bestThreshold(c, X, at[k], rows, minLeaf, rule)
							if depth[k] == 5 || impurity(c, own) < 1e-12 || len(own) < 2*minLeaf || c == tree.Misclassification && gain < 1e-9 {
								feature = -1
							}
							if node.Feature != feature || feature >= 0 && node.Threshold != threshold {
								t.Fatalf("node %d of %d rows: x%d at %v, want x%d at %v (gain %v)", k, len(own), node.Feature, node.Threshold, feature, threshold, gain)
							}
						}
					})
				}
			}
		}
	}
}

// TestCategoriesAreSplitIntoTheBestSets tries every pair of sets at the root.
func TestCategoriesAreSplitIntoTheBestSets(t *testing.T) {
	const n, levels = 200, 7
	rng := mlcore.NewRand(8)
	X, y, target := mat.NewDense(n, 1, nil), make([]int, n), make([]float64, n)
	effect := []int{2, 0, 1, 2, 1, 0, 0}
	for i := range n {
		c := rng.IntN(levels)
		X.Set(i, 0, float64(c))
		y[i] = (effect[c] + rng.IntN(5)/4) % 3
		target[i] = float64(effect[c]) + rng.NormFloat64()
	}
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification, tree.SquaredError} {
		for _, kind := range []string{"none", "real"} {
			for _, classes := range []int{2, 3} {
				w := weights(kind, n)
				labels := make([]int, n)
				rows := make([]weighted, n)
				for i := range rows {
					labels[i] = min(y[i], classes-1)
					rows[i] = weighted{float64(labels[i]), 1}
					if c == tree.SquaredError {
						rows[i].y = target[i]
					}
					if w != nil {
						rows[i].w = w[i]
					}
				}
				best := math.Inf(1)
				for set := 1; set < 1<<levels-1; set++ {
					var left, right []weighted
					for i := range rows {
						if set>>int(X.At(i, 0))&1 != 0 {
							left = append(left, rows[i])
						} else {
							right = append(right, rows[i])
						}
					}
					best = min(best, total(left)*impurity(c, left)+total(right)*impurity(c, right))
				}
				cfg := tree.Config{Criterion: c, MaxDepth: 1}
				var nodes []tree.Node
				if c == tree.SquaredError {
					m, err := cfg.FitRegressor(fixture.Levels(mlcore.FromMatrix(X, target, w), []int{levels}))
					if err != nil {
						t.Fatal(err)
					}
					nodes = m.Nodes()
				} else {
					m, err := cfg.FitClassifier(fixture.Levels(mlcore.FromMatrix(X, labels, w), []int{levels}))
					if err != nil {
						t.Fatal(err)
					}
					nodes = m.Nodes()
				}
				if len(nodes) != 3 {
					t.Fatalf("%v, %s weights, %d classes: %d nodes", c, kind, classes, len(nodes))
				}
				if got := nodes[1].Weight*nodes[1].Impurity + nodes[2].Weight*nodes[2].Impurity; !near(got, best, 1e-9) {
					t.Errorf("%v, %s weights, %d classes: %v impurity left by %v, the best sets leave %v", c, kind, classes, got, nodes[0].Categories, best)
				}
				if !slices.Contains(nodes[0].Categories, 0) {
					t.Errorf("%v: the lowest category is not on the left: %v", c, nodes[0].Categories)
				}
			}
		}
	}
}

// At a drawn threshold missing values go to the side where that lowers the error more, also
// where it would fall most if they were apart from all others; by hand: targets of 0 and 10 on
// the two sides, 100 where the column is missing.
func TestMissingBesideADrawnThreshold(t *testing.T) {
	var x, y []float64
	for range 5 {
		x, y = append(x, 0, 1, math.NaN()), append(y, 0, 10, 100)
	}
	for _, criterion := range []tree.Criterion{tree.SquaredError, tree.AbsoluteError} {
		for _, cfg := range []tree.Config{{Splitter: tree.Random}, {RandomCandidates: 3}, {Splitter: tree.Random, MinSamplesLeaf: 3}} {
			cfg.Criterion, cfg.AllowMissing = criterion, true
			m, err := cfg.FitRegressor(mlcore.FromMatrix(mat.NewDense(len(x), 1, x), y, nil))
			if err != nil {
				t.Fatal(err)
			}
			if root := m.Node(0); root.MissingLeft || !(root.Threshold >= 0 && root.Threshold < 1) {
				t.Errorf("%+v: threshold %v, missing values on the left: %v; want them on the right of one from 0 to 1", cfg, root.Threshold, root.MissingLeft)
			}
		}
	}
}

package lab3

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Misclassification is the weighted share of the labels y that are not cls,
//
//	L = Σ w_i 1(y_i ≠ cls),
//
// with weights of 1/n where none are given. (Hand-out, task 2.1, equation 1.)
func Misclassification(y []int, cls int, weights []float64) float64 {
	// BEGIN SOLUTION
	loss := 0.0
	for i, c := range y {
		switch {
		case c == cls:
		case weights == nil:
			loss += 1 / float64(len(y))
		default:
			loss += weights[i]
		}
	}
	return loss
	// END SOLUTION
}

// A Split is a test of one feature and the class that each side gets.
type Split struct {
	Feature int
	Thresh  float64
	C0      int // class of the samples with feature < thresh
	C1      int // class of the samples with feature >= thresh
}

// rounding is an improvement too small to be told from rounding errors in a sum
// of weights.
const rounding = 1e-12

// DecisionNodeSplit finds by brute force the split that most reduces the
// weighted misclassification below that of calling every sample cls, which is
// the commonest class where it is [NoClass]. Thresholds are values of the data,
// and no side gets fewer than minSize samples. Of equally good splits the one
// with the lowest feature, then the lowest threshold, wins. The second result is
// false where no split improves. (Hand-out, task 2.2.)
func DecisionNodeSplit(X *mat.Dense, y []int, cls int, weights []float64, minSize int) (Split, bool) {
	// BEGIN SOLUTION
	if cls == NoClass {
		cls = Vote(y, weights)
	}
	if weights == nil {
		weights = ones(len(y)) // a common factor does not change what is best
	}
	best, bestLoss, found := Split{}, Misclassification(y, cls, weights), false
	_, d := X.Dims()
	for feature := range d {
		values := mat.Col(nil, feature, X)
		slices.Sort(values)
		for _, thresh := range slices.Compact(values) {
			below, above := partition(X, feature, thresh)
			if len(below) < max(minSize, 1) || len(above) < max(minSize, 1) {
				continue
			}
			y0, w0 := pick(y, below), pick(weights, below)
			y1, w1 := pick(y, above), pick(weights, above)
			c0, c1 := Vote(y0, w0), Vote(y1, w1)
			loss := Misclassification(y0, c0, w0) + Misclassification(y1, c1, w1)
			if loss < bestLoss-rounding {
				best, bestLoss, found = Split{feature, thresh, c0, c1}, loss, true
			}
		}
	}
	return best, found
	// END SOLUTION
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// partition returns the rows with feature < thresh and those with
// feature >= thresh.
func partition(X *mat.Dense, feature int, thresh float64) (below, above []int) {
	n, _ := X.Dims()
	for i := range n {
		if X.At(i, feature) < thresh {
			below = append(below, i)
		} else {
			above = append(above, i)
		}
	}
	return below, above
}

// A Tree is a decision node with two subtrees or, where Below is nil, a leaf.
type Tree struct {
	Class   int     // the class assigned to this node
	Feature int     // the feature that a decision tests
	Thresh  float64 // the value it is tested against
	Below   *Tree   // for feature < thresh
	Above   *Tree   // for feature >= thresh
}

// Leaf reports whether the node decides nothing any more.
func (t *Tree) Leaf() bool { return t.Below == nil }

// DecisionTreeTrain splits the samples again and again until no split improves,
// a side would get fewer than minSize samples, or the depth reaches maxDepth.
// (Hand-out, task 2.3.)
func DecisionTreeTrain(X *mat.Dense, y []int, cls int, weights []float64, minSize, depth, maxDepth int) *Tree {
	// BEGIN SOLUTION
	if cls == NoClass {
		cls = Vote(y, weights)
	}
	node := &Tree{Class: cls}
	if depth >= maxDepth {
		return node
	}
	split, ok := DecisionNodeSplit(X, y, cls, weights, minSize)
	if !ok {
		return node
	}
	node.Feature, node.Thresh = split.Feature, split.Thresh
	grow := func(rows []int, class int) *Tree {
		var w []float64
		if weights != nil {
			w = pick(weights, rows)
		}
		return DecisionTreeTrain(takeRows(X, rows), pick(y, rows), class, w, minSize, depth+1, maxDepth)
	}
	below, above := partition(X, split.Feature, split.Thresh)
	node.Below, node.Above = grow(below, split.C0), grow(above, split.C1)
	return node
	// END SOLUTION
}

// takeRows returns a matrix of the given rows of X.
func takeRows(X *mat.Dense, rows []int) *mat.Dense {
	_, d := X.Dims()
	taken := mat.NewDense(len(rows), d, nil)
	for i, r := range rows {
		taken.SetRow(i, X.RawRowView(r))
	}
	return taken
}

// DecisionTreePredict follows the tests of the tree from the root to a leaf for
// each row of X. (Hand-out, task 2.4.)
func DecisionTreePredict(tree *Tree, X *mat.Dense) []int {
	// BEGIN SOLUTION
	n, _ := X.Dims()
	predicted := make([]int, n)
	for i := range predicted {
		node := tree
		for !node.Leaf() {
			if X.At(i, node.Feature) < node.Thresh {
				node = node.Below
			} else {
				node = node.Above
			}
		}
		predicted[i] = node.Class
	}
	return predicted
	// END SOLUTION
}

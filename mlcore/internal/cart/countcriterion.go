package cart

import "github.com/mllabs-go/mllabs/mlcore/internal/flattree"

// A countCriterion is the Gini impurity of the current node of a countSplitter.
type countCriterion struct {
	dist    *flattree.Distributions // the values of the nodes
	minW    float64                 // least weight of a leaf
	present []classCount
	weight  int64
	most    int32   // the weight of the commonest class
	score   float64 // Σ c²/W: see scoreOf
	tol     float64
}

// A classCount is the weight of a class in a node.
type classCount struct{ class, count int32 }

// takeOne is take for a node of one class.
func (g *countCriterion) takeOne(q classCount) summary {
	w := float64(q.count)
	g.dist.AddOne(q.class, w)
	return summary{samples: int(q.count), weight: w, pure: true}
}

// take makes a node of these classes the current one, appends its distribution to the
// result and returns what is known of it.
func (g *countCriterion) take(present []classCount) summary {
	g.present = present
	commonest, codes, weights := g.dist.Extend(len(present))
	codes, weights = codes[:len(present)], weights[:len(present)]
	weight, squares := int64(0), int64(0)
	first := uint64(0) // of the commonest class, the count and, so that the lowest is greatest, the class
	for k, q := range present {
		first = max(first, uint64(q.count)<<32|uint64(^uint32(q.class)))
		n := int64(q.count)
		weight += n
		squares += n * n
		codes[k], weights[k] = q.class, float64(n)
	}
	g.most, *commonest = int32(first>>32), int32(^uint32(first))
	w := float64(weight)
	g.weight, g.score, g.tol = weight, float64(squares)/w, tolerance*w
	return summary{samples: int(weight), weight: w, impurity: max(0, w-g.score) / w, tol: g.tol}
}

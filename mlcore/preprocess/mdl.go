package preprocess

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
)

// A point is a value and the class of its row.
type point struct {
	x     float64
	class int
}

// labelled returns the values of column j that are not missing, sorted.
func labelled(ds *mlcore.Dataset, j int) []point {
	var v []point
	for i, k := range ds.Y {
		if x := ds.X.At(i, j); x == x {
			v = append(v, point{x, k})
		}
	}
	slices.SortFunc(v, func(a, b point) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return a.class - b.class
	})
	return v
}

// mdlCuts returns the accepted cuts of sorted points, ascending. The best cut, half
// way between two values, is that with the greatest information gain, the lowest
// on a tie. With N points, k classes among them and k1, k2 on the two sides, it is
// accepted if (Fayyad & Irani, 1993)
//
//	gain > (log2(N-1) + log2(3^k - 2) - k H + k1 H1 + k2 H2) / N
//
// and then the sides are cut in turn.
func mdlCuts(v []point, classes int) []float64 {
	n := len(v)
	whole, left := make([]int, classes), make([]int, classes)
	for _, p := range v {
		whole[p.class]++
	}
	h, k := entropy(whole, n)
	if n < 2 || k < 2 {
		return nil
	}
	right := slices.Clone(whole)
	best := struct {
		gain, h1, h2 float64
		at, k1, k2   int
	}{gain: math.Inf(-1)}
	for i := 1; i < n; i++ {
		left[v[i-1].class]++
		right[v[i-1].class]--
		if v[i].x == v[i-1].x {
			continue
		}
		h1, k1 := entropy(left, i)
		h2, k2 := entropy(right, n-i)
		gain := h - (float64(float64(i)*h1)+float64(float64(n-i)*h2))/float64(n)
		if gain > best.gain {
			best.gain, best.h1, best.h2, best.at, best.k1, best.k2 = gain, h1, h2, i, k1, k2
		}
	}
	if best.at == 0 {
		return nil
	}
	// log2(3^k - 2), which 3^k would overflow for many classes.
	kinds := float64(float64(k)*elementary.Log2(3)) + elementary.Log1p(-2*elementary.Pow(3, -float64(k)))/math.Ln2
	delta := kinds - float64(float64(k)*h) + float64(float64(best.k1)*best.h1) + float64(float64(best.k2)*best.h2)
	if !(best.gain > (elementary.Log2(float64(n-1))+delta)/float64(n)) {
		return nil
	}
	a, b := v[best.at-1].x, v[best.at].x
	cut := float64(a/2) + float64(b/2)
	if !(cut > a) {
		cut = b
	}
	cuts := append(mdlCuts(v[:best.at], classes), cut)
	return append(cuts, mdlCuts(v[best.at:], classes)...)
}

// entropy returns the entropy, in bits, of n labels and how many classes they have.
func entropy(counts []int, n int) (h float64, classes int) {
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(n)
			h -= float64(p * elementary.Log2(p))
			classes++
		}
	}
	return h, classes
}

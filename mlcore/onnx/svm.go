package onnx

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

// kernelSums are sums of kernels of the support vectors, n×len(sums), with intercepts.
func (g *graph) kernelSums(r *archive.Record, sums []*archive.Record, x string, d int) string {
	x = g.finite(x, d, false)
	vectors, kernel := r.Float64s("support_vectors"), r.Group("kernel")
	if own := r.Optional("origin"); own != nil {
		origin := own.Float64s("origin")
		x, vectors = g.op("Sub", x, g.row(origin...)), slices.Clone(vectors)
		for at := range vectors {
			vectors[at] -= origin[at%d]
		}
	}
	m, k := len(vectors)/max(d, 1), len(sums)
	intercepts := make([]float64, k)
	coef := make([]float64, m*k)
	for s, sum := range sums {
		intercepts[s] = sum.Float64("intercept")
		weights := sum.Float64s("coef")
		for t, v := range sum.Int32s("support") {
			coef[int(v)*k+s] = weights[t]
		}
	}
	if m == 0 { // a regression within the tube
		return g.affine(x, d, k, make([]float64, d*k), intercepts)
	}
	switch kernel.Text("kind") {
	case "linear":
		return g.affine(x, d, k, product(transposed(vectors, m, d), coef, d, m, k), intercepts)
	case "polynomial":
		dots := g.op("MatMul", x, g.matrix(d, m, transposed(vectors, m, d)))
		base := g.op("Add", g.op("Mul", dots, g.row(kernel.Float64("gamma"))), g.row(kernel.Float64("coef0")))
		return g.affine(g.op("Pow", base, g.row(float64(kernel.Int("degree")))), m, k, coef, intercepts)
	}
	distances := g.squaredDistances(x, vectors, m, d)
	return g.affine(g.op("Exp", g.op("Mul", distances, g.row(-kernel.Float64("gamma")))), m, k, coef, intercepts)
}

// squaredDistances are |x|² - 2 x·v + |v|² of n×d rows and m vectors, n×m. Both are
// measured from the vectors' mean, so that little is lost where it is far from 0.
func (g *graph) squaredDistances(x string, vectors []float64, m, d int) string {
	mean := make([]float64, d)
	for i, v := range vectors {
		mean[i%d] += v / float64(m)
	}
	centred, norms := make([]float64, len(vectors)), make([]float64, m)
	for i, v := range vectors {
		c := v - mean[i%d]
		centred[i] = float64(-2 * c)
		norms[i/d] += float64(c * c)
	}
	z := g.op("Sub", x, g.row(mean...))
	own := g.upright(g.sum(g.op("Mul", z, z), 1))
	sum := g.op("Add", own, g.affine(z, d, m, transposed(centred, m, d), norms))
	return g.op("Max", sum, g.row(0))
}

// transposed returns the transpose of a table of the given size.
func transposed(v []float64, rows, cols int) []float64 {
	t := make([]float64, len(v))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = v[i*cols+j]
		}
	}
	return t
}

// product is A·B of n×m and m×k numbers.
func product(A, B []float64, n, m, k int) []float64 {
	C := make([]float64, n*k)
	for i := range n {
		for l := range m {
			for j := range k {
				C[i*k+j] += float64(A[i*m+l] * B[l*k+j])
			}
		}
	}
	return C
}

// machines are the decision values of pairs of classes, n×pairs, and the pairs.
func (g *graph) machines(r *archive.Record, x string, d int) (values string, low, high []int) {
	var sums []*archive.Record
	for _, m := range r.List("machines") {
		sums = append(sums, m.Group("sum"))
		low, high = append(low, m.Int("low")), append(high, m.Int("high"))
	}
	return g.kernelSums(r, sums, x, d), low, high
}

// pairVotes counts for each class the pairs that it wins, n×classes.
func (g *graph) pairVotes(values string, low, high []int, classes int) string {
	change, lows := make([]float64, len(low)*classes), make([]float64, classes)
	for p := range low {
		lows[low[p]]++
		change[p*classes+low[p]] = -1
		change[p*classes+high[p]] = 1
	}
	return g.affine(g.toDouble(g.op("Greater", values, g.row(0))), len(low), classes, change, lows)
}

func svmClassifier(g *graph, r *archive.Record, x string, d int) (answer, error) {
	values, low, high := g.machines(r, x, d)
	classes := r.Int("classes")
	return g.pairwise(values, low, high, classes), nil
}

// pairwise is the answer of machines that each tell two classes apart.
func (g *graph) pairwise(values string, low, high []int, classes int) answer {
	votes := g.pairVotes(values, low, high, classes)
	a := answer{codes: g.argmax(votes), classes: classes, decisions: values, one: len(low) == 1}
	if len(low) > 1 {
		// And less than a third up or down by how clearly pairs are won.
		sign := make([]float64, len(low)*classes)
		for p := range low {
			sign[p*classes+low[p]], sign[p*classes+high[p]] = -1, 1
		}
		sure := g.op("MatMul", values, g.matrix(len(low), classes, sign))
		size := g.op("Mul", g.op("Add", g.op("Abs", sure), g.row(1)), g.row(3))
		a.decisions = g.op("Add", votes, g.op("Div", sure, size))
	}
	return a
}

func svmProbClassifier(g *graph, r *archive.Record, x string, d int) (answer, error) {
	values, low, high := g.machines(r, x, d)
	classes, present := r.Int("classes"), r.Ints("present")
	a := g.pairwise(values, low, high, classes)
	pairs := g.sigmoids(values, r.List("sigmoids")) // of each pair's higher class
	var proba string
	if len(present) == 2 {
		proba = g.concat(g.op("Sub", g.row(1), pairs), pairs)
	} else {
		proba = g.coupled(pairs, len(present))
	}
	a.proba = g.placed(proba, present, classes)
	return a, nil
}

// sigmoids are 1/(1 + exp(A f + B)) of the columns of n×k decision values.
func (g *graph) sigmoids(values string, curves []*archive.Record) string {
	var A, B []float64
	for _, s := range curves {
		A, B = append(A, s.Float64("a")), append(B, s.Float64("b"))
	}
	e := g.op("Exp", g.op("Add", g.op("Mul", values, g.row(A...)), g.row(B...)))
	return g.op("Div", g.row(1), g.op("Add", e, g.row(1)))
}

// placed puts the columns of n×len(present) probabilities to their classes, n×classes.
func (g *graph) placed(proba string, present []int, classes int) string {
	place := make([]float64, len(present)*classes)
	for p, k := range present {
		place[p*classes+k] = 1
	}
	return g.product(proba, g.matrix(len(present), classes, place))
}

// leastProbability is the nearest to 0 and 1 that a pair's probability may come before
// pairs are coupled.
const leastProbability = 1e-7

// coupled makes n×k probabilities of classes of n×k(k-1)/2 probabilities of the higher
// class of each pair: those that minimise Σ_i Σ_j≠i (r_ji p_i - r_ij p_j)² and sum to 1
// (Wu, Lin & Weng, 2004, "Probability estimates for multi-class classification by pairwise
// coupling"). With Q the matrix of that form and e = (1, ..., 1), they are proportional to
// the solution of (Q + e eᵀ) p = e, found by elimination; the matrix is positive definite.
func (g *graph) coupled(pairs string, k int) string {
	r := g.op("Min", g.op("Max", pairs, g.row(leastProbability)), g.row(1-leastProbability))
	nothing := g.op("Mul", g.gather(r, g.list(0), 1), g.row(0))
	// R holds r_ji in row i and column j, n×k×k, and 0 where i = j.
	n, pair := k*(k-1)/2, int64(0)
	from, diagonal := make([]int64, k*k), make([]float64, k*k)
	for i := range k {
		from[i*k+i], diagonal[i*k+i] = int64(2*n), 1
		for j := i + 1; j < k; j++ {
			from[i*k+j], from[j*k+i] = pair, int64(n)+pair
			pair++
		}
	}
	both := g.concat(r, g.op("Sub", g.row(1), r), nothing)
	R := g.op("Reshape", g.gather(both, g.list(from...), 1), g.list(0, int64(k), int64(k)))
	// Q has the sum of the squares of a row on its diagonal, and -r_ij r_ji beside it.
	squares := g.op("Unsqueeze", g.sum(g.op("Mul", R, R), 2), g.list(2))
	Q := g.op("Sub", g.op("Mul", squares, g.constant(doubleTensor([]int{1, k, k}, diagonal))),
		g.op("Mul", R, g.apply("Transpose", []string{R}, intsAttribute("perm", []int64{0, 2, 1}))))
	// M is (Q + e eᵀ | e), n×k×(k+1).
	e := g.op("Add", g.op("Mul", squares, g.row(0)), g.row(1))
	M := g.apply("Concat", []string{g.op("Add", Q, g.row(1)), e}, intAttribute("axis", 2))
	for i := range k {
		at := g.list(int64(i))
		row := g.gather(M, at, 1)                    // n×1×(k+1)
		row = g.op("Div", row, g.gather(row, at, 2)) // the pivot is 1
		unit := make([]float64, k)
		unit[i] = 1
		column := g.op("Sub", g.gather(M, at, 2), g.constant(doubleTensor([]int{1, k, 1}, unit)))
		M = g.op("Sub", M, g.op("Mul", column, row))
	}
	p := g.flatLast(g.gather(M, g.list(int64(k)), 2))
	return g.op("Div", p, g.upright(g.sum(p, 1)))
}

// flatLast makes an n×k×1 tensor n×k.
func (g *graph) flatLast(x string) string { return g.op("Squeeze", x, g.list(2)) }

func svmRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return numbers(g.kernelSums(r, []*archive.Record{r.Group("sum")}, x, d), 1), nil
}

func linearSVMClassifier(g *graph, r *archive.Record, x string, d int) (answer, error) {
	classes, present, planes := r.Int("classes"), r.Ints("present"), r.List("planes")
	// A class without a plane is never predicted; the lower of two has the constant 0.
	W, b := make([]float64, d*classes), make([]float64, classes)
	for k := range b {
		b[k] = math.Inf(-1)
	}
	b[present[0]] = 0
	for p, plane := range planes {
		k := present[len(present)-len(planes)+p]
		b[k] = plane.Float64("intercept")
		for j, w := range plane.Float64s("coef") {
			W[j*classes+k] = w
		}
	}
	scores := g.affine(g.finite(x, d, false), d, classes, W, b)
	a := answer{codes: g.argmax(scores), classes: classes, decisions: scores, one: len(planes) == 1}
	if a.one {
		a.decisions = g.columns(scores, present[1:])
	}
	return a, nil
}

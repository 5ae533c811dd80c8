package onnx

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

// treeClassifier predicts the most common class of the leaf, whose share may tie with
// another's where its weight does not.
func treeClassifier(g *graph, r *archive.Record, x string, d int) (answer, error) {
	trees, classes := []*archive.Record{r}, r.Int("classes")
	f, own := flatGrove(trees), distributionsOf(trees)
	t := leafTableOf(&f, 1+classes, func(row []float64, _, node int) {
		row[0] = float64(own[0].class[node])
		own[0].addShares(row[1:], node, 1)
	})
	rows, err := g.leafRows(x, d, f, t)
	if err != nil {
		return answer{}, err
	}
	rows = g.flat(rows) // n×1×(1+classes) becomes n×(1+classes)
	shares := make([]int, classes)
	for k := range shares {
		shares[k] = k + 1
	}
	return answer{codes: g.toInt64(g.column(rows, 0)), proba: g.columns(rows, shares), classes: classes}, nil
}

func treeRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	y, err := g.treeSums(x, d, flatGrove([]*archive.Record{r}), []float64{0}, [][]float64{r.Float64s("value")})
	return numbers(y, 1), err
}

func forest(g *graph, r *archive.Record, x string, d int) (answer, error) {
	trees, classes := r.List("trees"), r.Int("classes")
	sums, err := g.poll(trees, classes, x, d, ones(len(trees)), r.Bool("vote"))
	if err != nil {
		return answer{}, err
	}
	return answer{codes: g.argmax(sums), proba: g.op("Div", sums, g.row(float64(len(trees)))), classes: classes}, nil
}

// poll adds up what trees say, times their weights: their votes, or the shares of classes.
func (g *graph) poll(trees []*archive.Record, classes int, x string, d int, weights []float64, vote bool) (string, error) {
	f, own := flatGrove(trees), distributionsOf(trees)
	t := leafTableOf(&f, classes, func(row []float64, tree, node int) {
		if vote {
			row[own[tree].class[node]] = weights[tree]
		} else {
			own[tree].addShares(row, node, weights[tree])
		}
	})
	said, err := g.leafRows(x, d, f, t)
	if err != nil || classes == 1 {
		return g.upright(g.sum(said, 1)), err
	}
	return g.sum(said, 1), nil
}

func regressionForest(g *graph, r *archive.Record, x string, d int) (answer, error) {
	trees := r.List("trees")
	values := make([][]float64, len(trees))
	for t, tree := range trees {
		values[t] = tree.Float64s("value")
	}
	sum, err := g.treeSums(x, d, flatGrove(trees), []float64{0}, values)
	return numbers(g.op("Div", sum, g.row(float64(len(trees)))), 1), err
}

func adaBoost(g *graph, r *archive.Record, x string, d int) (answer, error) {
	members, classes, alphas, occurring := r.List("members"), r.Int("classes"), r.Float64s("alphas"), r.Ints("occurring")
	votes, err := g.memberSums(members, nil, classes, x, d, alphas, true)
	if err != nil {
		return answer{}, err
	}
	codes := g.argmax(votes)
	if len(occurring) == 2 { // the higher of two wins a tie
		low, high := g.column(votes, occurring[0]), g.column(votes, occurring[1])
		codes = g.op("Where", g.op("GreaterOrEqual", high, low), g.list(int64(occurring[1])), g.list(int64(occurring[0])))
	}
	sum, others := 0.0, float64(len(occurring)-1)
	for _, a := range alphas {
		sum += a
	}
	absent := slices.Repeat([]float64{minusInf}, classes)
	for _, k := range occurring {
		absent[k] = 0
	}
	against := g.op("Div", g.op("Sub", g.row(sum), votes), g.row(others))
	mean := g.op("Div", g.op("Sub", votes, against), g.row(sum))
	proba := g.softmax(g.op("Add", g.op("Div", mean, g.row(others)), g.row(absent...)))
	a := answer{codes: codes, proba: proba, classes: classes, one: classes == 2}
	if a.one {
		a.decisions = g.op("Sub", g.columns(mean, []int{1}), g.columns(mean, []int{0}))
	} else {
		a.decisions = g.op("Add", mean, g.row(absent...))
	}
	return a, nil
}

// memberSums adds up what classifiers say, times their weights, n×classes. columns are those
// that each member takes, nil for all.
func (g *graph) memberSums(members []*archive.Record, columns [][]int, classes int, x string, d int, weights []float64, vote bool) (string, error) {
	if likeTrees(members, columns) {
		return g.poll(members, classes, x, d, weights, vote)
	}
	views, answers := make([]string, len(members)), make([]answer, len(members))
	for t, m := range members {
		views[t] = x
		width := d
		if columns != nil && columns[t] != nil {
			views[t], width = g.columns(x, columns[t]), len(columns[t])
		}
		var err error
		if answers[t], err = g.convert(m, views[t], width); err != nil {
			return "", err
		}
		vote = vote || answers[t].proba == ""
	}
	sum := ""
	for t, a := range answers {
		var said string
		if vote {
			said = g.oneHot(a.codes, classes)
		} else {
			said = g.certain(a, classes).proba
		}
		said = g.op("Mul", said, g.row(weights[t]))
		if sum == "" {
			sum = said
		} else {
			sum = g.op("Add", sum, said)
		}
	}
	return sum, nil
}

// likeTrees reports whether all members are trees that take the same columns in the same
// way, so that one operator does for all.
func likeTrees(members []*archive.Record, columns [][]int) bool {
	for t, m := range members {
		if m.Kind() != "tree.Classifier" || columns != nil && columns[t] != nil {
			return false
		}
		first := members[0]
		if m.Bool("allow_missing") != first.Bool("allow_missing") || !slices.Equal(m.OptionalInts("levels"), first.OptionalInts("levels")) {
			return false
		}
	}
	return true
}

// averaged is the answer of members that vote, or whose probabilities are averaged.
func (g *graph) averaged(r *archive.Record, columns [][]int, x string, d int, weights []float64, vote bool) (answer, error) {
	classes := r.Int("classes")
	sums, err := g.memberSums(r.List("members"), columns, classes, x, d, weights, vote)
	if err != nil {
		return answer{}, err
	}
	return g.decided(g.op("Div", sums, g.row(total(weights))), classes), nil
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

func bagging(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return g.averaged(r, memberColumns(r), x, d, ones(len(r.List("members"))), r.Bool("vote"))
}

func voting(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return g.averaged(r, nil, x, d, memberWeights(r), !r.Bool("soft"))
}

func memberColumns(r *archive.Record) [][]int {
	var columns [][]int
	for _, c := range r.List("columns") {
		columns = append(columns, c.OptionalInts("columns"))
	}
	return columns
}

func memberWeights(r *archive.Record) []float64 {
	if w := r.Float64s("weights"); len(w) > 0 {
		return w
	}
	return ones(len(r.List("members")))
}

func baggingRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return g.averagedNumbers(r, memberColumns(r), x, d, ones(len(r.List("members"))))
}

func votingRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	return g.averagedNumbers(r, nil, x, d, memberWeights(r))
}

// averagedNumbers is the weighted mean of what regressors predict.
func (g *graph) averagedNumbers(r *archive.Record, columns [][]int, x string, d int, weights []float64) (answer, error) {
	sum := ""
	for t, m := range r.List("members") {
		view, width := x, d
		if columns != nil && columns[t] != nil {
			view, width = g.columns(x, columns[t]), len(columns[t])
		}
		a, err := g.convert(m, view, width)
		if err != nil {
			return answer{}, err
		}
		said := g.op("Mul", a.value, g.row(weights[t]))
		if sum == "" {
			sum = said
		} else {
			sum = g.op("Add", sum, said)
		}
	}
	return numbers(g.op("Div", sum, g.row(total(weights))), 1), nil
}

// stacking asks the final model about the probabilities of the members: with two classes
// only those of the second.
func stacking(g *graph, r *archive.Record, x string, d int) (answer, error) {
	classes := r.Int("classes")
	var parts []string
	width := 0
	for _, m := range r.List("members") {
		a, err := g.convert(m, x, d)
		if err != nil {
			return answer{}, err
		}
		proba := g.certain(a, classes).proba
		if classes == 2 {
			parts, width = append(parts, g.columns(proba, []int{1})), width+1
		} else {
			parts, width = append(parts, proba), width+classes
		}
	}
	a, err := g.final(r, parts, width, x, d)
	if err != nil {
		return answer{}, err
	}
	a = g.padded(a, classes)
	if a.proba != "" {
		a.decisions = "" // those of the final model are not the stack's
	}
	return a, nil
}

func stackingRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	var parts []string
	for _, m := range r.List("members") {
		a, err := g.convert(m, x, d)
		if err != nil {
			return answer{}, err
		}
		parts = append(parts, a.value)
	}
	return g.final(r, parts, len(parts), x, d)
}

// final is the answer of the final model of a stack to what the members say.
func (g *graph) final(r *archive.Record, parts []string, width int, x string, d int) (answer, error) {
	if r.Bool("passthrough") {
		parts, width = append(parts, x), width+d
	}
	return g.convert(r.Group("final"), g.concat(parts...), width)
}

// boostedTrees and histogramTrees return the trees of a boosted model, and the values of
// their nodes.
func boostedTrees(r *archive.Record) (grove, [][]float64) {
	var trees []*archive.Record
	var values [][]float64
	for _, t := range r.List("trees") {
		trees, values = append(trees, t.Group("tree")), append(values, t.Float64s("leaf_values"))
	}
	if len(trees) == 0 {
		return grove{}, nil
	}
	return flatGrove(trees), values
}

func histogramTrees(r *archive.Record) (grove, [][]float64) {
	f := grove{mode: "BRANCH_LEQ"}
	var values [][]float64
	for _, t := range r.List("trees") {
		own := flatTable(t)
		own.missingInSet = false
		f.trees, values = append(f.trees, own), append(values, t.Float64s("value"))
	}
	return f, values
}

// boostedScores is start and what trees add to it, n×outputs.
func (g *graph) boostedScores(r *archive.Record, x string, d int, trees func(r *archive.Record) (grove, [][]float64)) (scores string, outputs int, err error) {
	start := r.Float64s("start")
	f, values := trees(r)
	f.levels, f.missing = r.OptionalInts("levels"), r.Bool("allow_missing")
	if len(f.trees) == 0 { // early stopping may take back all
		zeros := make([]float64, d*len(start))
		return g.affine(g.op("Where", g.op("IsNaN", g.finite(x, d, f.missing)), g.row(0), x), d, len(start), zeros, start), len(start), nil
	}
	scores, err = g.treeSums(x, d, f, start, values)
	return scores, len(start), err
}

func boostedRegressor(trees func(r *archive.Record) (grove, [][]float64)) converter {
	return func(g *graph, r *archive.Record, x string, d int) (answer, error) {
		scores, _, err := g.boostedScores(r, x, d, trees)
		return numbers(scores, 1), err
	}
}

func boostedClassifier(trees func(r *archive.Record) (grove, [][]float64)) converter {
	return func(g *graph, r *archive.Record, x string, d int) (answer, error) {
		scores, outputs, err := g.boostedScores(r, x, d, trees)
		a := answer{classes: r.Int("classes"), decisions: scores, one: outputs == 1}
		if outputs == 1 && a.classes == 2 {
			scores = g.scoresOf(scores)
		}
		a.codes, a.proba = g.argmax(scores), g.softmax(scores)
		return a, err
	}
}

package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

// Trees are written with the operator TreeEnsembleRegressor of version 3 of
// ai.onnx.ml, which compares in double precision but answers in single. So it is asked
// only for the number of what the leaf stands for that a row reaches in each tree, a whole
// number that single precision holds exactly, and operators of double precision look that
// up and add. TreeEnsemble of version 5 answers in double precision, but
// before version 1.24 of ONNX Runtime its sums are not, and its sets of categories are
// wrong.

// maxRows is how many whole numbers single precision holds.
const maxRows = 1 << 24

// A grove is trees that take the same columns.
type grove struct {
	mode    string // of a numeric test whose true branch is the left child
	levels  []int  // numbers of categories; nil: all columns are numeric
	missing bool
	trees   []table
}

// A table holds the nodes of a tree in preorder.
type table struct {
	cut         []float64
	column      []int32 // -1 for a leaf
	right       []int32
	missingLeft []bool
	sets        []uint64 // of categories that go left, at the place that cut says
	// missingInSet: the set has a place for a missing value, after all categories.
	missingInSet bool
}

// flatTable takes the nodes of the trees of packages tree and ensemble.
func flatTable(r *archive.Record) table {
	return table{
		cut: r.Float64s("threshold"), column: r.Int32s("feature"), right: r.Int32s("right"),
		missingLeft: r.Bools("missing_left"), sets: r.Uint64s("category_sets"), missingInSet: true,
	}
}

// flatGrove takes trees of one model.
func flatGrove(trees []*archive.Record) grove {
	first := trees[0]
	f := grove{mode: "BRANCH_LT", levels: first.OptionalInts("levels"), missing: first.Bool("allow_missing")}
	for _, r := range trees {
		f.trees = append(f.trees, flatTable(r))
	}
	return f
}

// level is the number of categories of a column of a tree, 0 for a numeric one.
func (f *grove) level(column int32) int {
	if f.levels == nil {
		return 0
	}
	return f.levels[column]
}

// eachLeaf calls visit for the leaves of all trees, in the order of their numbers.
func (f *grove) eachLeaf(visit func(tree, node int)) {
	for t, tree := range f.trees {
		for i, j := range tree.column {
			if j < 0 {
				visit(t, i)
			}
		}
	}
}

// A categorySet is the categories of a column that go left; the last of the marks is for
// a missing value.
type categorySet struct {
	column int32
	marks  string
}

// set returns the categories that go left at a node.
func (f *grove) set(t, i int) categorySet {
	tree := &f.trees[t]
	levels := f.level(tree.column[i])
	marks := make([]byte, levels+1)
	bits := levels
	if tree.missingInSet {
		bits++
	} else if tree.missingLeft[i] {
		marks[levels] = 1
	}
	for l := range bits {
		marks[l] = byte(tree.sets[int(tree.cut[i])+l>>6] >> (l & 63) & 1)
	}
	return categorySet{tree.column[i], string(marks)}
}

// A leafTable says what each leaf of a grove stands for: rows of width numbers, of which
// equal ones are kept once, as most leaves of a forest are of one class.
type leafTable struct {
	width  int
	values []float64
	rowOf  []int // by leaf, in the order of eachLeaf
}

// leafTableOf calls fill with a row of zeros for each leaf.
func leafTableOf(f *grove, width int, fill func(row []float64, tree, node int)) leafTable {
	t := leafTable{width: width}
	places := map[string]int{}
	row, key := make([]float64, width), make([]byte, 8*width)
	f.eachLeaf(func(tree, node int) {
		clear(row)
		fill(row, tree, node)
		for k, v := range row {
			binary.LittleEndian.PutUint64(key[8*k:], math.Float64bits(v))
		}
		place, known := places[string(key)]
		if !known {
			place = len(places)
			places[string(key)] = place
			t.values = append(t.values, row...)
		}
		t.rowOf = append(t.rowOf, place)
	})
	return t
}

// leafRows is for each of n×d rows and each tree what the leaf stands for: n×T×width, or
// n×T where the width is 1.
func (g *graph) leafRows(x string, d int, f grove, t leafTable) (string, error) {
	if rows := len(t.values) / t.width; rows > maxRows {
		return "", fmt.Errorf("%w: the trees have %d different leaves, and the operator tells %d apart; fit smaller trees", mlcore.ErrConfig, rows, maxRows)
	}
	wide, places := g.withSets(g.withinLevels(g.finite(x, d, f.missing), d, f.levels), d, &f)
	var treeOf, nodeOf, column, yes, no, tracks []int64
	var leafTree, leafNode []int64
	var cut, row []float64
	var mode []string
	for t := range f.trees {
		tree := &f.trees[t]
		for i, j := range tree.column {
			treeOf, nodeOf = append(treeOf, int64(t)), append(nodeOf, int64(i))
			if j < 0 {
				column, cut, mode, yes, no, tracks = append(column, 0), append(cut, 0), append(mode, "LEAF"), append(yes, 0), append(no, 0), append(tracks, 0)
				leafTree, leafNode = append(leafTree, int64(t)), append(leafNode, int64(i))
				continue
			}
			yes, no, mode, tracks = append(yes, int64(i+1)), append(no, int64(tree.right[i])), append(mode, f.mode), append(tracks, 0)
			if f.level(j) > 0 { // 0 goes left, 1 right, and nothing is missing
				column, cut = append(column, int64(places[f.set(t, i)])), append(cut, 0.5)
				continue
			}
			column, cut = append(column, int64(j)), append(cut, tree.cut[i])
			if f.missing && tree.missingLeft[i] {
				tracks[len(tracks)-1] = 1
			}
		}
	}
	for _, r := range t.rowOf {
		row = append(row, float64(r))
	}
	rows := g.name("TreeEnsembleRegressor")
	g.node(mlDomain, "TreeEnsembleRegressor", rows, []string{wide}, rows,
		intAttribute("n_targets", int64(len(f.trees))),
		intsAttribute("nodes_treeids", treeOf), intsAttribute("nodes_nodeids", nodeOf),
		intsAttribute("nodes_featureids", column), tensorAttribute("nodes_values_as_tensor", doubleTensor([]int{len(cut)}, cut)),
		stringsAttribute("nodes_modes", mode), intsAttribute("nodes_truenodeids", yes), intsAttribute("nodes_falsenodeids", no),
		intsAttribute("nodes_missing_value_tracks_true", tracks),
		intsAttribute("target_treeids", leafTree), intsAttribute("target_nodeids", leafNode), intsAttribute("target_ids", leafTree),
		tensorAttribute("target_weights_as_tensor", doubleTensor([]int{len(row)}, row)),
		stringAttribute("aggregate_function", "SUM"), stringAttribute("post_transform", "NONE"))
	shape := []int{len(t.values) / t.width, t.width}
	if t.width == 1 {
		shape = shape[:1]
	}
	return g.gather(g.constant(doubleTensor(shape, t.values)), g.toInt64(rows), 0), nil
}

// withSets appends to the columns of x one for each set of categories that trees test: 0
// where the row's category is in the set and goes left, else 1. It returns their places.
func (g *graph) withSets(x string, d int, f *grove) (string, map[categorySet]int) {
	places := map[categorySet]int{}
	var sets []categorySet
	for t := range f.trees {
		for i, j := range f.trees[t].column {
			if j >= 0 && f.level(j) > 0 {
				if s := f.set(t, i); places[s] == 0 {
					places[s] = -1
					sets = append(sets, s)
				}
			}
		}
	}
	slices.SortStableFunc(sets, func(a, b categorySet) int { return int(a.column - b.column) })
	parts := []string{x}
	for len(sets) > 0 {
		j, n := sets[0].column, 0
		for n < len(sets) && sets[n].column == j {
			places[sets[n]] = d + n
			n++
		}
		codes := len(sets[0].marks)
		goesRight := make([]float64, codes*n)
		for s, set := range sets[:n] {
			for code := range codes {
				goesRight[code*n+s] = float64(1 - set.marks[code])
			}
		}
		code := g.levelOrMissing(g.column(x, int(j)), codes-1)
		parts = append(parts, g.gather(g.matrix(codes, n, goesRight), code, 0))
		d += n
		sets = sets[n:]
	}
	return g.concat(parts...), places
}

// A distribution is the class weights of a tree's nodes.
type distribution struct {
	class, at, codes []int32
	shares           []float64
}

func distributionsOf(trees []*archive.Record) []distribution {
	all := make([]distribution, len(trees))
	for t, r := range trees {
		all[t] = distribution{r.Int32s("class"), r.Int32s("at"), r.Int32s("codes"), r.Float64s("class_shares")}
	}
	return all
}

// addShares adds the shares of the classes at node i, times a weight.
func (d *distribution) addShares(row []float64, i int, weight float64) {
	for k := d.at[i]; k < d.at[i+1]; k++ {
		row[d.codes[k]] += float64(weight * d.shares[k])
	}
}

// treeSums adds what trees say to the numbers of start: tree t to that of output t mod
// len(start), n×len(start). values are those of the nodes of each tree.
func (g *graph) treeSums(x string, d int, f grove, start []float64, values [][]float64) (string, error) {
	outputs := len(start)
	t := leafTableOf(&f, 1, func(row []float64, tree, node int) {
		if row[0] = values[tree][node]; tree < outputs {
			row[0] += start[tree]
		}
	})
	said, err := g.leafRows(x, d, f, t)
	if err != nil || len(f.trees) == outputs {
		return said, err
	}
	return g.inOrder(g.op("Reshape", said, g.list(0, int64(len(f.trees)/outputs), int64(outputs))), len(f.trees)/outputs), nil
}

// inOrder adds up n×m×k numbers along m one after the other, as in Go, so that the sums are
// the same to the last bit, and with them what depends on ties.
func (g *graph) inOrder(x string, m int) string {
	sums := g.op("CumSum", x, g.constant(int64Tensor(nil, []int64{1})))
	return g.gather(sums, g.constant(int64Tensor(nil, []int64{int64(m - 1)})), 1)
}

package onnx

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A graph is the computation in the making. Its methods append nodes and constants
// and return the name of the tensor that comes out.
type graph struct {
	nodes     []node
	constants []constant
	inputs    []message
	outputs   []message
	results   []string // the names of the outputs
	made      int      // tensors that have a name
	ignores   bool     // a column may have the code after its last level
	checked   map[string]string
}

type node struct {
	in      []string
	out     string
	encoded message
}

type constant struct {
	name    string
	encoded message
}

// prefix begins the names of all tensors that are neither inputs nor outputs, so that
// they differ from those of columns.
const prefix = "mllabs/"

func (g *graph) name(of string) string {
	g.made++
	return prefix + of + "_" + strconv.Itoa(g.made)
}

// op appends a node with one output.
func (g *graph) op(kind string, in ...string) string { return g.apply(kind, in) }

// apply is op with attributes.
func (g *graph) apply(kind string, in []string, attributes ...attribute) string {
	out := g.name(kind)
	g.node("", kind, out, in, out, attributes...)
	return out
}

// node appends a node. name is shown by what runs the file where the node fails.
func (g *graph) node(domain, kind, name string, in []string, out string, attributes ...attribute) {
	var m message
	for _, s := range in {
		m.string(1, s)
	}
	m.string(2, out)
	m.string(3, name)
	m.string(4, kind)
	for _, a := range attributes {
		m.bytes(5, a)
	}
	if domain != "" {
		m.string(7, domain)
	}
	g.nodes = append(g.nodes, node{in, out, m})
}

func (g *graph) constant(t tensor) string {
	name := g.name("constant")
	g.constants = append(g.constants, constant{name, t.encode(name)})
	return name
}

// matrix is a constant of rows×cols.
func (g *graph) matrix(rows, cols int, v []float64) string {
	return g.constant(doubleTensor([]int{rows, cols}, v))
}

// row is a constant of 1×len(v), which operators repeat for each row.
func (g *graph) row(v ...float64) string { return g.matrix(1, len(v), v) }

// list is a constant of whole numbers.
func (g *graph) list(v ...int64) string { return g.constant(int64Tensor([]int{len(v)}, v)) }

// toDouble and toInt64 convert what comes of comparisons and look-ups.
func (g *graph) toDouble(x string) string {
	return g.apply("Cast", []string{x}, intAttribute("to", int64(doubles)))
}

func (g *graph) toInt64(x string) string {
	return g.apply("Cast", []string{x}, intAttribute("to", int64(int64s)))
}

// columns picks columns of an n×d tensor.
func (g *graph) columns(x string, columns []int) string {
	return g.gather(x, g.list(whole(columns)...), 1)
}

// column is one column of an n×d tensor, n long.
func (g *graph) column(x string, j int) string {
	return g.gather(x, g.constant(int64Tensor(nil, []int64{int64(j)})), 1)
}

func (g *graph) gather(x, indices string, axis int64) string {
	return g.apply("Gather", []string{x, indices}, intAttribute("axis", axis))
}

// concat puts n×... tensors beside each other.
func (g *graph) concat(parts ...string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return g.apply("Concat", parts, intAttribute("axis", 1))
}

// sum adds up along an axis, which goes.
func (g *graph) sum(x string, axis int64) string {
	return g.apply("ReduceSum", []string{x, g.list(axis)}, intAttribute("keepdims", 0))
}

// argmax is the place of the greatest number of each row, the lowest on a tie.
func (g *graph) argmax(x string) string {
	return g.apply("ArgMax", []string{x}, intAttribute("axis", 1), intAttribute("keepdims", 0))
}

func (g *graph) softmax(x string) string {
	return g.apply("Softmax", []string{x}, intAttribute("axis", 1))
}

// product is the matrix product of numbers that may have been multiplied or divided by a
// single one before. Of that and a MatMul, ONNX Runtime before 1.32 makes one operator, with
// the number in single precision.
func (g *graph) product(x, W string) string { return g.op("Gemm", x, W) }

// affine is x·W + b of an n×d tensor, W being d×k.
func (g *graph) affine(x string, d, k int, W, b []float64) string {
	return g.op("Add", g.op("MatMul", x, g.matrix(d, k, W)), g.row(b...))
}

// oneHot makes codes, n long, n×k numbers that are 1 at the code and else 0.
func (g *graph) oneHot(codes string, k int) string {
	all := make([]int64, k)
	for c := range all {
		all[c] = int64(c)
	}
	return g.toDouble(g.op("Equal", g.upright(codes), g.list(all...)))
}

// upright makes n numbers an n×1 tensor.
func (g *graph) upright(x string) string { return g.op("Unsqueeze", x, g.list(1)) }

// flat makes an n×1 tensor n numbers.
func (g *graph) flat(x string) string { return g.op("Squeeze", x, g.list(1)) }

var nan, minusInf = math.NaN(), math.Inf(-1)

// withinLevels passes x, which is n×d, on if the codes of its categorical columns are below
// their numbers of levels, 0 for a numeric column.
func (g *graph) withinLevels(x string, d int, levels []int) string {
	if !g.ignores || levels == nil {
		return x
	}
	limits := slices.Repeat([]float64{math.Inf(1)}, d)
	for j, l := range levels {
		if l > 0 {
			limits[j] = float64(l)
		}
	}
	beyond := g.toDouble(g.op("GreaterOrEqual", x, g.row(limits...)))
	most := g.apply("ReduceMax", []string{beyond}, intAttribute("keepdims", 0))
	return g.refuse(x, d, g.op("Greater", most, g.constant(doubleTensor(nil, []float64{0}))), beyondLevels)
}

const beyondLevels = "the data have a category that the model does not know"

// levelOrMissing makes codes, n long, whole numbers, and a missing one the number of levels.
func (g *graph) levelOrMissing(codes string, levels int) string {
	return g.toInt64(g.op("Where", g.op("IsNaN", codes), g.constant(doubleTensor(nil, []float64{float64(levels)})), codes))
}

// whole returns the numbers as ONNX has them.
func whole(v []int) []int64 {
	w := make([]int64, len(v))
	for i, x := range v {
		w[i] = int64(x)
	}
	return w
}

// refuse passes x, which is n×d, on where bad, a truth value, is false. Otherwise the
// file cannot be run: there is no operator that says so, and a look-up out of range is
// an error everywhere. The name of the node, which the error shows, says why.
func (g *graph) refuse(x string, d int, bad, why string) string {
	shapes := g.constant(int64Tensor([]int{1, 2}, []int64{0, int64(d)})) // 0: as x has
	shape := g.name("Gather")
	g.node("", "Gather", fmt.Sprintf("%s (%d)", why, g.made), []string{shapes, g.toInt64(bad)}, shape, intAttribute("axis", 0))
	return g.op("Reshape", x, shape)
}

// finite passes an n×d tensor on if all its numbers are finite or, where that is
// allowed, missing.
func (g *graph) finite(x string, d int, missing bool) string {
	key := fmt.Sprint(x, missing)
	if y, done := g.checked[key]; done {
		return y
	}
	numbers, why := x, "the data have a missing value or an infinity"
	if missing {
		numbers = g.op("Where", g.op("IsNaN", x), g.row(0), x)
		why = "the data have an infinity"
	}
	// 0 times what is not finite is NaN, and so is a sum with it.
	none := g.op("MatMul", numbers, g.matrix(d, 1, make([]float64, d)))
	sum := g.apply("ReduceSum", []string{none}, intAttribute("keepdims", 0))
	y := g.refuse(x, d, g.op("IsNaN", sum), why)
	if g.checked == nil {
		g.checked = map[string]string{}
	}
	g.checked[key] = y
	// What has been looked at need not be again.
	g.checked[fmt.Sprint(y, missing)] = y
	if !missing {
		g.checked[fmt.Sprint(y, true)] = y
	}
	return y
}

// output makes a tensor an output of the file.
func (g *graph) output(name, x string, of elementType, shape ...int) {
	g.node("", "Identity", name, []string{x}, name)
	g.outputs = append(g.outputs, valueInfo(name, of, shape...))
	g.results = append(g.results, name)
}

// prune drops nodes and constants that no output needs.
func (g *graph) prune() {
	needed := map[string]bool{}
	for _, name := range g.results {
		needed[name] = true
	}
	for _, n := range slices.Backward(g.nodes) {
		if needed[n.out] {
			for _, s := range n.in {
				needed[s] = true
			}
		}
	}
	g.nodes = slices.DeleteFunc(g.nodes, func(n node) bool { return !needed[n.out] })
	g.constants = slices.DeleteFunc(g.constants, func(c constant) bool { return !needed[c.name] })
}

// encode returns GraphProto.
func (g *graph) encode(name string) message {
	var m message
	for _, n := range g.nodes {
		m.bytes(1, n.encoded)
	}
	m.string(2, name)
	for _, c := range g.constants {
		m.bytes(5, c.encoded)
	}
	for _, v := range g.inputs {
		m.bytes(11, v)
	}
	for _, v := range g.outputs {
		m.bytes(12, v)
	}
	return m
}

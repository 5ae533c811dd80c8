package onnx

import (
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
)

func imputer(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x = g.finite(x, d, true)
	return numbers(g.op("Where", g.op("IsNaN", x), g.row(r.Float64s("fill")...), x), d), nil
}

// scaler is min + (x - shift) / scale of the picked columns.
func scaler(g *graph, r *archive.Record, x string, d int) (answer, error) {
	shift, scale, offset := make([]float64, d), ones(d), make([]float64, d)
	low, high := slices.Repeat([]float64{math.Inf(-1)}, d), slices.Repeat([]float64{math.Inf(1)}, d)
	shifts, scales := r.Float64s("shift"), r.Float64s("scale")
	for p, j := range r.Ints("picked") {
		shift[j], scale[j], offset[j] = shifts[p], scales[p], r.Float64("min")
		low[j], high[j] = r.Float64("min"), r.Float64("max")
	}
	x = g.op("Div", g.op("Sub", g.finite(x, d, true), g.row(shift...)), g.row(scale...))
	x = g.op("Add", x, g.row(offset...))
	if r.Bool("clip") { // a missing value is neither less nor greater
		x = g.op("Where", g.op("Less", x, g.row(low...)), g.row(low...), x)
		x = g.op("Where", g.op("Greater", x, g.row(high...)), g.row(high...), x)
	}
	return numbers(x, d), nil
}

// pieces makes a tensor of others of the columns of x: those that are not picked stay, and
// each that is picked becomes the tensor that replace makes of it, n×1.
func (g *graph) pieces(x string, d int, picked []int, replace func(p int, column string) (string, int)) (string, int) {
	var parts []string
	var stay []int
	width := 0
	keep := func() {
		if len(stay) > 0 {
			parts, width = append(parts, g.columns(x, stay)), width+len(stay)
			stay = nil
		}
	}
	p := 0
	for j := range d {
		if p == len(picked) || picked[p] != j {
			stay = append(stay, j)
			continue
		}
		keep()
		if part, n := replace(p, g.columns(x, []int{j})); n > 0 {
			parts, width = append(parts, part), width+n
		}
		p++
	}
	keep()
	return g.concat(parts...), width
}

// discretizer counts the cuts up to and including a value.
func discretizer(g *graph, r *archive.Record, x string, d int) (answer, error) {
	intervals := r.List("intervals")
	out, width := g.pieces(g.finite(x, d, true), d, r.Ints("picked"), func(p int, column string) (string, int) {
		cuts := intervals[p].Float64s("cuts")
		if len(cuts) == 0 {
			return g.op("Mul", column, g.row(0)), 1
		}
		passed := g.toDouble(g.op("GreaterOrEqual", column, g.row(cuts...)))
		return g.op("Where", g.op("IsNaN", column), column, g.upright(g.sum(passed, 1))), 1
	})
	return numbers(out, width), nil
}

// knownLevels are the codes of a column's levels that an encoder knows, in their places.
func knownLevels(places []int) []float64 {
	var codes []float64
	for l, place := range places {
		if place >= 0 {
			codes = append(codes, float64(l))
		}
	}
	return codes
}

const unknownLevel = "the data have a category that no training row has, or none"

// known passes n×k one-hot columns on if each row has a 1, or if bad is empty.
func (g *graph) known(hot string, k int, column string, ignore bool) string {
	why := unknownLevel
	var bad string
	if ignore {
		missing := g.toDouble(g.op("IsNaN", column))
		most := g.apply("ReduceMax", []string{missing}, intAttribute("keepdims", 0))
		bad, why = g.op("Greater", most, g.constant(doubleTensor(nil, []float64{0}))), "the data have a missing category"
	} else {
		least := g.apply("ReduceMin", []string{g.sum(hot, 1)}, intAttribute("keepdims", 0))
		bad = g.op("Less", least, g.constant(doubleTensor(nil, []float64{1})))
	}
	return g.refuse(hot, k, bad, why)
}

func oneHot(g *graph, r *archive.Record, x string, d int) (answer, error) {
	places, ignore, drop := r.List("places"), r.Bool("ignore_unknown"), r.Bool("drop_first")
	out, width := g.pieces(g.finite(x, d, true), d, r.Ints("picked"), func(p int, column string) (string, int) {
		codes := knownLevels(places[p].Ints("levels"))
		hot := g.known(g.toDouble(g.op("Equal", column, g.row(codes...))), len(codes), column, ignore)
		if !drop {
			return hot, len(codes)
		}
		rest := make([]int, len(codes)-1)
		for k := range rest {
			rest[k] = k + 1
		}
		return g.columns(hot, rest), len(rest)
	})
	return numbers(out, width), nil
}

// ordinal is the place of a level among those that are known; -1 for others that are
// ignored.
func ordinal(g *graph, r *archive.Record, x string, d int) (answer, error) {
	places, ignore := r.List("places"), r.Bool("ignore_unknown")
	out, width := g.pieces(g.finite(x, d, true), d, r.Ints("picked"), func(p int, column string) (string, int) {
		codes := knownLevels(places[p].Ints("levels"))
		missing := g.op("IsNaN", column)
		hot := g.toDouble(g.op("Equal", column, g.row(codes...)))
		if !ignore {
			filled := g.op("Where", missing, g.row(1), hot)
			hot = g.known(filled, len(codes), column, false)
		}
		after := make([]float64, len(codes))
		for k := range after {
			after[k] = float64(k + 1)
		}
		place := g.affine(hot, len(codes), 1, after, []float64{-1})
		return g.op("Where", missing, column, place), 1
	})
	return numbers(out, width), nil
}

// targetEncoder looks up what a level, a missing value or an unknown category becomes.
func targetEncoder(g *graph, r *archive.Record, x string, d int) (answer, error) {
	columns, tables := r.Columns("input_columns"), r.List("tables")
	picked, width := r.Ints("picked"), max(1, len(r.OptionalStrings("classes")))
	out, all := g.pieces(g.finite(x, d, true), d, picked, func(p int, column string) (string, int) {
		levels, codes := len(columns[picked[p]].Levels), g.flat(column)
		number := func(v int) string { return g.constant(doubleTensor(nil, []float64{float64(v)})) }
		codes = g.op("Where", g.op("GreaterOrEqual", codes, number(levels)), number(levels+1), codes)
		return g.gather(g.matrix(levels+2, width, tables[p].Float64s("encodings")), g.levelOrMissing(codes, levels), 0), width
	})
	return numbers(out, all), nil
}

// subset hands on some of the columns.
func subset(g *graph, r *archive.Record, x string, d int) (answer, error) {
	kept := r.Ints("kept")
	return numbers(g.columns(g.finite(x, d, true), kept), len(kept)), nil
}

// others picks the columns that are not among the picked ones, and says how many there are.
func (g *graph) others(x string, d int, picked []int) (parts []string, width int) {
	var stay []int
	for j := range d {
		if !slices.Contains(picked, j) {
			stay = append(stay, j)
		}
	}
	if len(stay) == 0 {
		return nil, 0
	}
	return []string{g.columns(x, stay)}, len(stay)
}

func pca(g *graph, r *archive.Record, x string, d int) (answer, error) {
	picked, mean, loadings, kept := r.Ints("picked"), r.Float64s("mean"), r.Float64s("loadings"), len(r.Float64s("variance"))
	x = g.finite(x, d, true)
	parts, width := g.others(x, d, picked)
	analysed := g.finite(g.columns(x, picked), len(picked), false)
	W := transposed(loadings, kept, len(picked))
	components := g.op("MatMul", g.op("Sub", analysed, g.row(mean...)), g.matrix(len(picked), kept, W))
	return numbers(g.concat(append(parts, components)...), width+kept), nil
}

// polynomial multiplies as many columns as the degree says; where a product has fewer
// factors, the last are a column of ones.
func polynomial(g *graph, r *archive.Record, x string, d int) (answer, error) {
	picked, degree := r.Ints("picked"), r.Int("degree")
	x = g.finite(x, d, true)
	parts, width := g.others(x, d, picked)
	k := len(picked)
	expanded := g.finite(g.columns(x, picked), k, false)
	one := g.op("Add", g.op("Mul", g.columns(expanded, []int{0}), g.row(0)), g.row(1))
	terms := products(k, degree, r.Bool("interaction_only"))
	if r.Bool("bias") {
		terms = append([][]int{nil}, terms...)
	}
	factors := g.concat(expanded, one)
	product := ""
	for f := range degree {
		columns := make([]int, len(terms))
		for t, term := range terms {
			if columns[t] = k; f < len(term) {
				columns[t] = term[f]
			}
		}
		if factor := g.columns(factors, columns); product == "" {
			product = factor
		} else {
			product = g.op("Mul", product, factor)
		}
	}
	return numbers(g.concat(append(parts, product)...), width+len(terms)), nil
}

// products are the columns of each product of up to degree of k columns, by degree and
// then by the columns, as scikit-learn orders them.
func products(k, degree int, once bool) [][]int {
	var all [][]int
	shorter := [][]int{nil}
	for range degree {
		var longer [][]int
		for _, term := range shorter {
			for j := range k {
				if n := len(term); n == 0 || j > term[n-1] || j == term[n-1] && !once {
					longer = append(longer, append(slices.Clip(term), j))
				}
			}
		}
		all = append(all, longer...)
		shorter = longer
	}
	return all
}

// steps takes x through the steps of a pipeline.
func (g *graph) steps(r *archive.Record, x string, d int) (string, int, error) {
	x = g.finite(x, d, true)
	for _, step := range r.List("steps") {
		a, err := g.convert(step, x, d)
		if err != nil {
			return "", 0, err
		}
		x, d = a.value, a.width
	}
	return x, d, nil
}

func pipelineClassifier(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x, d, err := g.steps(r, x, d)
	if err != nil {
		return answer{}, err
	}
	a, err := g.convert(r.Group("model"), x, d)
	if err != nil {
		return answer{}, err
	}
	return g.padded(a, r.Int("classes")), nil
}

func pipelineRegressor(g *graph, r *archive.Record, x string, d int) (answer, error) {
	x, d, err := g.steps(r, x, d)
	if err != nil {
		return answer{}, err
	}
	return g.convert(r.Group("model"), x, d)
}

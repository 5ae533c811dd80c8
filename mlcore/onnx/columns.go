package onnx

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/mlcore"
)

// matrixInput is the name of the input where all columns are numbers.
const matrixInput = "X"

// input appends the inputs of a file and returns the n×d tensor of their numbers.
func (g *graph) input(columns []mlcore.Column, d int) (string, error) {
	if !slices.ContainsFunc(columns, mlcore.Column.Categorical) {
		g.inputs = append(g.inputs, valueInfo(matrixInput, doubles, anySize, d))
		return matrixInput, nil
	}
	seen := map[string]bool{labelOutput: true, probaOutput: true, valueOutput: true}
	parts := make([]string, len(columns))
	for j, c := range columns {
		if c.Name == "" || seen[c.Name] || strings.HasPrefix(c.Name, prefix) {
			return "", fmt.Errorf("%w: column %d is named %q; the inputs and outputs of the file, and all in it that begins with "+prefix+", need names of their own; rename it before the fit", mlcore.ErrColumn, j, c.Name)
		}
		seen[c.Name] = true
		if parts[j] = c.Name; !c.Categorical() {
			g.inputs = append(g.inputs, valueInfo(c.Name, doubles, anySize, 1))
			continue
		}
		g.inputs = append(g.inputs, valueInfo(c.Name, text, anySize, 1))
		parts[j] = g.codes(c)
	}
	return g.concat(parts...), nil
}

// codes makes the codes of categories of their names. An empty name is a missing value,
// unless a category has it; an unknown one is what the column says.
func (g *graph) codes(c mlcore.Column) string {
	names, places := slices.Clone(c.Levels), make([]int64, len(c.Levels))
	table := make([]float64, len(c.Levels))
	for l := range places {
		places[l], table[l] = int64(l), float64(l)
	}
	missing, ignored := int64(len(table)), int64(len(table)+1)
	table = append(table, nan)
	if c.Unknown == mlcore.UnknownIgnore { // the code after the last level
		table = append(table, float64(missing))
		g.ignores = true
	}
	if !slices.Contains(names, "") {
		names, places = append(names, ""), append(places, missing)
	}
	unknown := ignored // outside of the table an error
	switch {
	case c.Unknown == mlcore.UnknownMissing:
		unknown = missing
	case c.Unknown == mlcore.UnknownLevel && missing > 0 && c.Levels[missing-1] == mlcore.UnknownName:
		unknown = missing - 1
	}
	place := g.name("LabelEncoder")
	g.node(mlDomain, "LabelEncoder", place, []string{c.Name}, place,
		stringsAttribute("keys_strings", names), intsAttribute("values_int64s", places), intAttribute("default_int64", unknown))
	code := g.name("Gather")
	g.node("", "Gather", fmt.Sprintf("column %q has a category that the model does not know", c.Name),
		[]string{g.constant(doubleTensor([]int{len(table)}, table)), place}, code, intAttribute("axis", 0))
	return code
}

// checkNames refuses names that a file cannot hold.
func checkNames(what string, names []string) error {
	for _, s := range names {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%w: %s %q is not UTF-8, and an ONNX file can hold no other text; rename it before the fit", mlcore.ErrConfig, what, s)
		}
	}
	return nil
}

// Package oracle brings answers of other people's programs into tests. A JSON
// file of a package's testdata, which a script of scripts/peers/oracles made,
// flows in; a value of the test's own type comes out. Only tests import it.
package oracle

import (
	"encoding/json"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Load decodes the JSON file at path, relative to the package's folder, into a T.
// A file that is missing or is no T ends the test.
func Load[T any](t testing.TB, path string) T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var answers T
	if err := json.Unmarshal(data, &answers); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return answers
}

// Matrix returns rows, at least one and all of one length, as a matrix of its own.
func Matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

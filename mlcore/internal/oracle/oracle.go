// Package oracle brings answers of other people's programs into tests. A JSON
// file flows in, a value of the test's own type comes out. Only tests import it.
//
// The answers of PACKAGE are testdata/peers.json, which scripts/oracles/PACKAGE.py
// made; those on a topic of their own are testdata/peers_TOPIC.json, by
// PACKAGE_TOPIC.py. Tests that compare with them are in oracle_test.go.
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

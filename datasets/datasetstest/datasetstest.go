// Package datasetstest gives tests the course's data: names of sets flow in, the
// sets flow out. It never downloads, because a checkout contains all of them: a test whose
// data are missing fails.
package datasetstest

import (
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
)

// Load is [datasets.LoadDataset] for a test.
func Load(tb testing.TB, name string, target ...string) *mlcore.Dataset {
	tb.Helper()
	ds, err := datasets.LoadDataset(name, target...)
	if err != nil {
		tb.Fatal(err)
	}
	return ds
}

// LoadSplit is [datasets.LoadSplit] for a test.
func LoadSplit(tb testing.TB, name string, target ...string) (train, test *mlcore.Dataset) {
	tb.Helper()
	train, test, err := datasets.LoadSplit(name, target...)
	if err != nil {
		tb.Fatal(err)
	}
	return train, test
}

// Fields returns the lines of a file of a set as they stand in it, blank ones
// left out, cut at commas or, where there are none, at white space.
func Fields(tb testing.TB, name, file string) [][]string {
	tb.Helper()
	data, err := datasets.ReadFile(name, file)
	if err != nil {
		tb.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.Contains(line, ","):
			rows = append(rows, strings.Split(line, ","))
		default:
			rows = append(rows, strings.Fields(line))
		}
	}
	return rows
}

package uci

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
)

// A Description tells of one column of a set's file.
type Description struct {
	Column  string  `table:"column"`
	Type    string  `table:"type"`
	Values  int     `table:"values"`
	Missing int     `table:"missing"`
	Common  string  `table:"commonest"`
	Share   float64 `table:"its share"`
}

// Describe describes every column of a set's file, the class and names of rows included.
// The share of the commonest value is that of the rows where the value is not missing.
func Describe(s Set) ([]Description, error) {
	df, err := datasets.Load(s.Name())
	if err != nil {
		return nil, fmt.Errorf("uci: %w", err)
	}
	var list []Description
	for _, name := range df.Names() {
		column, counts, there := df.Col(name), map[string]int{}, 0
		missing := column.IsNaN()
		for i, v := range column.Records() {
			if !missing[i] {
				counts[v]++
				there++
			}
		}
		d := Description{Column: name, Type: fmt.Sprint(column.Type()), Values: len(counts), Missing: df.Nrow() - there}
		if there > 0 {
			d.Common = slices.MinFunc(slices.Collect(maps.Keys(counts)), func(a, b string) int {
				return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
			})
			d.Share = float64(counts[d.Common]) / float64(there)
		}
		list = append(list, d)
	}
	return list, nil
}

// LowCopies counts the rows that repeat an earlier row and its class, those of them that have
// the first class, and those whose values are all codes below most: of Breast, whose codes 0 to
// 9 stand for the grades 1 to 10, no grade is above most. Missing values are not above it.
func LowCopies(ds *mlcore.Dataset, most int) (copies, low, first int) {
	seen := map[string]bool{}
	for i, y := range ds.Y {
		row := ds.X.RawRowView(i)
		key := fmt.Sprint(row, y)
		if seen[key] {
			copies++
			if !slices.ContainsFunc(row, func(v float64) bool { return v >= float64(most) }) {
				low++
			}
			if y == 0 {
				first++
			}
		}
		seen[key] = true
	}
	return copies, low, first
}

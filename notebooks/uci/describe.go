package uci

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/datasets"
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

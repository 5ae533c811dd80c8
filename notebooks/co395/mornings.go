package co395

import (
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// mornings are the rows of Mornings: weather, late, bag, and how somebody got to work.
const mornings = `sun no none walk
sun yes small walk
sun no large bus
sun yes none walk
sun yes large bus
rain no none bus
rain yes none taxi
rain no large bus
rain yes small taxi
snow no small bus
snow yes none bus
snow yes large bus`

// Mornings is a small table of categories: on twelve mornings the weather, whether
// somebody was late, the size of their bag, and whether they walked or took the bus or
// a taxi.
func Mornings() *mlcore.Dataset {
	columns := []mlcore.Column{
		{Name: "weather", Levels: []string{"sun", "rain", "snow"}},
		{Name: "late", Levels: []string{"no", "yes"}},
		{Name: "bag", Levels: []string{"none", "small", "large"}},
	}
	rows, classes := strings.Split(mornings, "\n"), []string{"walk", "bus", "taxi"}
	X, y := mat.NewDense(len(rows), len(columns), nil), make([]int, len(rows))
	for i, row := range rows {
		words := strings.Fields(row)
		for j, c := range columns {
			X.Set(i, j, float64(slices.Index(c.Levels, words[j])))
		}
		y[i] = slices.Index(classes, words[len(columns)])
	}
	return &mlcore.Dataset{Name: "Mornings", X: X, Columns: columns, Y: y,
		ClassNames: classes, TargetName: "way"}
}

// MorningRows are the rows of [Mornings] as words, with headings in the first.
func MorningRows() [][]string {
	table := [][]string{{"weather", "late", "bag", "way"}}
	for row := range strings.SplitSeq(mornings, "\n") {
		table = append(table, strings.Fields(row))
	}
	return table
}

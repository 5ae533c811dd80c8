package uci

import (
	"slices"

	"github.com/go-gota/gota/dataframe"
)

// GradeFrame returns a frame of two columns: other, which is x in every row, and grade
// with the given values. As in a file, NaN stands for a missing value, and grades that are
// whole numbers make a column of whole numbers.
func GradeFrame(grades ...string) dataframe.DataFrame {
	records := [][]string{{"other", "grade"}}
	for _, grade := range grades {
		records = append(records, []string{"x", grade})
	}
	return dataframe.LoadRecords(records)
}

// PairFrame returns a frame of two columns, a and b, with the values of its first row,
// then those of its second row, and so on. There is an even number of values.
func PairFrame(values ...string) dataframe.DataFrame {
	records := [][]string{{"a", "b"}}
	return dataframe.LoadRecords(slices.AppendSeq(records, slices.Chunk(values, 2)))
}

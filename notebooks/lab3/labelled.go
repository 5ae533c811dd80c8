package lab3

import (
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Labelled returns a frame with one row for each label: the column at holds 0, 10, 20 and
// so on, which tell the rows apart, and the column of the given name holds the labels.
func Labelled(name string, labels []int) dataframe.DataFrame {
	at := make([]int, len(labels))
	for i := range at {
		at[i] = 10 * i
	}
	return dataframe.New(series.New(at, series.Int, "at"), series.New(labels, series.Int, name))
}

// CountBy returns the groups of rows that agree in all the given columns, in the order of
// these columns, with the number of rows of each group in a last column, "count".
func CountBy(df dataframe.DataFrame, columns ...string) dataframe.DataFrame {
	df = df.Mutate(series.New(make([]int, df.Nrow()), series.Int, "rows"))
	counts := df.GroupBy(columns...).Aggregation(
		[]dataframe.AggregationType{dataframe.Aggregation_COUNT}, []string{"rows"})
	order := make([]dataframe.Order, len(columns))
	for i, column := range columns {
		order[i] = dataframe.Sort(column)
	}
	// The counts of an aggregation are floating-point numbers, which would be shown as such.
	whole, err := counts.Col("rows_COUNT").Int()
	if err != nil {
		return dataframe.DataFrame{Err: err}
	}
	counts = counts.Mutate(series.New(whole, series.Int, "count"))
	return counts.Select(append(slices.Clone(columns), "count")).Arrange(order...)
}

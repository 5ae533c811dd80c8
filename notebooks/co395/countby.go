package co395

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// CountBy returns the different values of a column with the number of rows of each in a
// second column, "count", the most frequent value first.
func CountBy(df dataframe.DataFrame, column string) dataframe.DataFrame {
	counts := map[string]int{}
	var values []string
	for _, value := range df.Col(column).Records() {
		if counts[value] == 0 {
			values = append(values, value)
		}
		counts[value]++
	}
	n := make([]int, len(values))
	for i, value := range values {
		n[i] = counts[value]
	}
	return dataframe.New(series.New(values, series.String, column), series.New(n, series.Int, "count")).
		Arrange(dataframe.RevSort("count"))
}

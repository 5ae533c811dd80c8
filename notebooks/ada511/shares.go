package ada511

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Shares is the share of class 1 among the rows of each level of a categorical
// column, and how many rows there are, the level with the highest share first.
// Levels without rows are left out.
func Shares(ds *mlcore.Dataset, column string) (levels []string, shares []float64, rows []int) {
	j := slices.Index(ds.FeatureNames(), column)
	names := ds.Columns[j].Levels
	all, ones := make([]int, len(names)), make([]int, len(names))
	for i, y := range ds.Y {
		level := int(ds.X.At(i, j))
		all[level]++
		ones[level] += y
	}
	order := make([]int, 0, len(names))
	for l := range names {
		if all[l] > 0 {
			order = append(order, l)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ones[b]*all[a], ones[a]*all[b]) })
	for _, l := range order {
		levels, rows = append(levels, names[l]), append(rows, all[l])
		shares = append(shares, float64(ones[l])/float64(all[l]))
	}
	return levels, shares, rows
}

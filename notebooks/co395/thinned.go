package co395

import "github.com/mllabs-go/mllabs/mlcore"

// Thinned is the first n rows that are left of ds when only the first keep rows of one
// class stay, or fewer if there are not so many: classes of unequal size.
func Thinned(ds *mlcore.Dataset, class, keep, n int) *mlcore.Dataset {
	var rows []int
	for i, y := range ds.Y {
		if y == class {
			if keep == 0 {
				continue
			}
			keep--
		}
		if len(rows) < n {
			rows = append(rows, i)
		}
	}
	return ds.Subset(rows)
}

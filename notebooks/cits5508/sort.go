package cits5508

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// SortByFeature returns the samples of a data set in ascending order of a feature.
// Those with equal values keep their order; the data set stays as it is.
func SortByFeature(ds *mlcore.Dataset, feature int) *mlcore.Dataset {
	order := make([]int, ds.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(ds.X.At(a, feature), ds.X.At(b, feature))
	})
	return ds.Subset(order)
}

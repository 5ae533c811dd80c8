package cits5508

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// thirds returns the samples of a data set with a class by their target: the lowest,
// the middle and the highest third, so that a class map can show a numeric target.
// Equal targets have the same class. The data set itself stays as it is.
func thirds(ds *mlcore.Dataset) *mlcore.Dataset {
	out, sorted := *ds, slices.Sorted(slices.Values(ds.Target))
	out.ClassNames = []string{"lowest third", "middle third", "highest third"}
	out.Y = make([]int, ds.Len())
	for i, v := range ds.Target {
		below, _ := slices.BinarySearch(sorted, v)
		out.Y[i] = 3 * below / ds.Len()
	}
	return &out
}

package cits5508

import "github.com/mllabs-go/mllabs/mlcore"

// Part parts a data set by a question: the rows whose feature is at most t go to the
// left, the others to the right.
func Part(ds *mlcore.Dataset, feature int, t float64) (left, right *mlcore.Dataset) {
	var l, r []int
	for i := range ds.Len() {
		if ds.X.At(i, feature) <= t {
			l = append(l, i)
		} else {
			r = append(r, i)
		}
	}
	return ds.Subset(l), ds.Subset(r)
}

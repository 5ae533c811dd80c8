package owndata

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Trios returns 12 groups of three rows, and the group of each row. The rows of a group lie
// close together on a line and have the same label, which is 1 in every third group.
func Trios() (ds *mlcore.Dataset, groups []int) {
	X, y := mat.NewDense(36, 1, nil), make([]int, 36)
	groups = make([]int, 36)
	for i := range y {
		groups[i] = i / 3
		X.Set(i, 0, float64(10*groups[i]+i%3))
		if groups[i]%3 == 0 {
			y[i] = 1
		}
	}
	return mlcore.FromMatrix(X, y, nil), groups
}

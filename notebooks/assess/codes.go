package assess

import "github.com/mllabs-go/mllabs/mlcore"

// Codes returns the rows of ds with their level codes as plain numbers, for learners
// that measure distances or draw lines and take no categories. Whether that makes sense
// is for the caller to say: it gives the levels an order.
func Codes(ds *mlcore.Dataset) *mlcore.Dataset {
	numbers := mlcore.FromMatrix(ds.X, ds.Y, ds.Weights)
	numbers.ClassNames = ds.ClassNames
	return numbers
}

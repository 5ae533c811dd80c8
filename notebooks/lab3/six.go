package lab3

import "github.com/mllabs-go/mllabs/mlcore"

// Six returns six samples at 1 to 6 on a line, with the labels 1 0 0 0 0 1, which no
// single threshold can separate.
func Six() *mlcore.Dataset {
	return &mlcore.Dataset{Name: "Six samples", X: Column(1, 2, 3, 4, 5, 6), Y: []int{1, 0, 0, 0, 0, 1},
		Columns: []mlcore.Column{{Name: "x"}}, ClassNames: []string{"0", "1"}}
}

package co395

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// TwentyBalls returns 20 balls of two colours in the unit square. At x1 < 0.3 there are
// 0 of the first colour and 4 of the second, and at x2 < 0.5 there are 8 and 1. The figures
// show these two splits. It panics on an error, as a cell would.
func TwentyBalls() (balls *mlcore.Dataset, splits []plotx.Figure) {
	X := mat.NewDense(20, 2, []float64{
		.42, .62, .66, .9, .88, .7, // the first colour above, then below
		.36, .12, .5, .3, .58, .1, .69, .36, .78, .14, .93, .3, .4, .42, .88, .44,
		.07, .9, .2, .76, .1, .63, .24, .58, // the second colour on the left, then on the right
		.5, .8, .54, .94, .78, .58, .92, .9, .63, .22,
	})
	y := make([]int, 20)
	for i := 11; i < 20; i++ {
		y[i] = 1
	}
	balls = mlcore.FromMatrix(X, y, nil)
	return balls, []plotx.Figure{cut(balls, "First split", 0, 0.3), cut(balls, "Second split", 1, 0.5)}
}

// cut draws the samples of ds, two features wide, and a line where a feature is split.
func cut(ds *mlcore.Dataset, title string, feature int, threshold float64) *plotx.Panel {
	p, err := plotx.Scatter(ds, title)
	must(err)
	p.Rules = []plotx.Rule{{At: threshold, Vertical: feature == 0, Name: "split"}}
	return p
}

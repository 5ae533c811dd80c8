package cits5508

import (
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// MakeLine draws n points with x uniform on [0, 5) and y = 1 + x/2 plus normal
// noise of standard deviation sd.
func MakeLine(n int, sd float64, seed uint64) *mlcore.Dataset {
	rng, X, y := mlcore.NewRand(seed), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range y {
		x := 5 * rng.Float64()
		X.Set(i, 0, x)
		y[i] = 1 + x/2 + float64(sd*rng.NormFloat64())
	}
	ds := mlcore.FromMatrix(X, y, nil)
	ds.Name, ds.Columns[0].Name, ds.TargetName = "Line", "x", "y"
	return ds
}

// Apart makes two series of points of the samples of a data set of one feature, the given
// rows and the others, with the names of the others and of the rows.
func Apart(ds *mlcore.Dataset, rows []int, others, these string) (rest, chosen plotx.Series) {
	rest, chosen = plotx.Series{Name: others, NoLine: true}, plotx.Series{Name: these, NoLine: true}
	for i, y := range ds.Target {
		s := &rest
		if slices.Contains(rows, i) {
			s = &chosen
		}
		s.X, s.Y = append(s.X, ds.X.At(i, 0)), append(s.Y, y)
	}
	return rest, chosen
}

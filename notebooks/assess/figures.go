package assess

import (
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"gonum.org/v1/gonum/mat"
)

// Curve is the curve of y over xs, ready to be drawn. The values of y are worked
// out several at a time.
func Curve(name string, xs []float64, y func(x float64) float64) plotx.Series {
	s := plotx.Series{Name: name, X: xs, Y: make([]float64, len(xs))}
	inParallel(len(xs), func(i int) { s.Y[i] = y(xs[i]) })
	return s
}

// ClassMap is the class map of f, trained on a data set of two features.
func ClassMap(f FitPredict, ds *mlcore.Dataset, title string) *plotx.Panel {
	predict := func(X *mat.Dense) []int { return f(ds, X) }
	return PredictionMap(predict, ds, plotx.MapOptions{Title: title})
}

// PredictionMap is the class map of a function that predicts, trained before, over
// the plane of a data set of two features. Its options can show the samples' weights.
func PredictionMap(predict func(X *mat.Dense) []int, ds *mlcore.Dataset, opts plotx.MapOptions) *plotx.Panel {
	fig, err := plotx.ClassMap(ds, func(X mat.Matrix) ([]int, error) {
		return predict(mat.DenseCopyOf(X)), nil
	}, opts)
	must(err)
	return fig
}

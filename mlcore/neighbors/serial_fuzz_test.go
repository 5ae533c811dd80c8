package neighbors

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted
// predicts.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1})
	seed := codectest.Seeds(f)
	for _, cfg := range []Config{
		{K: 2}, {K: 1, Metric: Hamming}, {K: 2, Metric: Minkowski(3), FeatureWeights: []float64{1, 2}},
		{K: 3, Metric: Mahalanobis(mat.NewSymDense(2, []float64{1, 0, 0, 2})), Weights: Gaussian},
	} {
		seed(cfg.FitClassifier(X, []int{0, 1, 0, 1, 0, 1}, nil))
		seed(cfg.FitRegressor(X, []float64{0, 1, 0, 1, 0, 1}, []float64{1, 2, 3, 1, 2, 3}))
	}
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		var c Classifier
		if !codectest.Refused(t, c.UnmarshalBinary(data)) && c.classes < 1000 {
			if _, err := c.Predict(mat.NewDense(1, c.NumFeatures(), nil)); err != nil {
				t.Fatal(err)
			}
		}
		var r Regressor
		if !codectest.Refused(t, r.UnmarshalBinary(data)) {
			if _, err := r.Predict(mat.NewDense(1, r.NumFeatures(), nil)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

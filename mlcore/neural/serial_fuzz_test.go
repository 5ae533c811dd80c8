package neural

import (
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and what is accepted answers or
// says that it overflows.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 100})
	seed := codectest.Seeds(f)
	for _, cfg := range []Config{{Hidden: []int{2}, Epochs: 2}, {Hidden: []int{}, Epochs: 1, ValidationFraction: 0.5}, {Hidden: []int{2, 3}, Dropout: 0.1, Epochs: 1}} {
		for _, y := range [][]int{{0, 1, 0, 1, 0, 1}, {0, 1, 2, 0, 1, 2}} {
			c, err := cfg.FitClassifier(X, y, nil)
			seed(c, err)
			seed(c.Network(), nil)
		}
		seed(cfg.FitRegressor(X, []float64{0, 1, 0, 1, 0, 1}, nil))
	}
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		check := func(err error) {
			if err != nil && !errors.Is(err, mlcore.ErrNonFinite) {
				t.Fatal(err)
			}
		}
		var c Classifier
		if !codectest.Refused(t, c.UnmarshalBinary(data)) {
			_, err := c.PredictProba(mat.NewDense(1, c.NumFeatures(), nil))
			check(err)
		}
		var r Regressor
		if !codectest.Refused(t, r.UnmarshalBinary(data)) {
			_, err := r.Predict(mat.NewDense(1, r.NumFeatures(), nil))
			check(err)
		}
		var n Network
		if !codectest.Refused(t, n.UnmarshalBinary(data)) {
			_, err := n.Forward(mat.NewDense(1, n.Inputs(), nil))
			check(err)
		}
	})
}

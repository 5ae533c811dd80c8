package bayes

import (
	"encoding"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted gives
// probabilities.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(4, 2, []float64{0, 1, 2, 0, 1, 1, 0, 0})
	y := []int{0, 1, 0, 2}
	seed := codectest.Seeds(f)
	seed(CategoricalConfig{Unknown: UnknownIgnore}.FitClassifier(X, y, nil))
	seed(BernoulliConfig{}.FitClassifier(X, y, []float64{1, 2, 1, 0}))
	seed(MultinomialConfig{Smoothing: Lidstone(0)}.FitClassifier(X, y, nil))
	seed(GaussianConfig{}.FitClassifier(X, y, nil))
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		for _, m := range []interface {
			mlcore.ProbClassifier
			encoding.BinaryUnmarshaler
		}{new(Categorical), new(Bernoulli), new(Multinomial), new(Gaussian)} {
			if codectest.Refused(t, m.UnmarshalBinary(data)) {
				continue
			}
			p, err := m.PredictProba(mat.NewDense(1, m.NumFeatures(), nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range p.RawRowView(0) {
				if math.IsNaN(v) {
					t.Fatalf("%T gives probabilities %v", m, p.RawRowView(0))
				}
			}
		}
	})
}

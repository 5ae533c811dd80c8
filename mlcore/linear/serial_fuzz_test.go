package linear

import (
	"encoding"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted can
// be asked everything.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 0, 1, 1, 0, 0, 3, 1, 1, 4})
	y, target := []int{0, 1, 0, 2, 1, 0}, []float64{1, 2, 0, 4, 3, 3}
	seed := codectest.Seeds(f)
	seed(LeastSquaresConfig{}.FitRegressor(X, target, nil))
	seed(RidgeConfig{Alpha: 1}.FitRegressor(X, target, nil))
	seed(LassoConfig{Alpha: 0.1}.FitRegressor(X, target, nil))
	seed(LogisticConfig{}.FitClassifier(X, y, nil))
	seed(LogisticConfig{Penalty: NoPenalty}.FitClassifier(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1}, nil))
	seed(PerceptronConfig{Epochs: 3}.FitClassifier(X, y, nil))
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		for _, m := range []interface {
			encoding.BinaryUnmarshaler
			NumFeatures() int
		}{new(LeastSquares), new(Ridge), new(ElasticNet), new(Logistic), new(Perceptron)} {
			if codectest.Refused(t, m.UnmarshalBinary(data)) {
				continue
			}
			ask(t, m, mat.NewDense(1, m.NumFeatures(), nil))
		}
	})
}

// ask calls what a model has; nothing may panic or be NaN.
func ask(t *testing.T, m any, X *mat.Dense) {
	var numbers []float64
	var err error
	switch m := m.(type) {
	case *Logistic:
		var p *mat.Dense
		if p, err = m.PredictProba(X); err == nil {
			numbers = p.RawRowView(0)
		}
		_ = m.Status().String()
		_, _ = m.Inference()
	case *Perceptron:
		_, err = m.Predict(X)
		_ = m.Status().String()
		_, _ = m.Mistakes(), m.Updates()
	case mlcore.Regressor:
		numbers, err = m.Predict(X)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range numbers {
		if math.IsNaN(v) {
			t.Fatalf("%T gives %v", m, numbers)
		}
	}
}

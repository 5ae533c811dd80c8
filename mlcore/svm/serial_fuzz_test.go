package svm

import (
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"gonum.org/v1/gonum/mat"
)

// Whatever the bytes, decoding does not panic, and a model that is accepted
// predicts.
func FuzzUnmarshal(f *testing.F) {
	X := mat.NewDense(6, 2, []float64{0, 1, 2, 3, 4, 4, 6, 7, 8, 9, 1, 1})
	two, three, target := []int{0, 1, 0, 1, 0, 1}, []int{0, 1, 3, 0, 1, 3}, []float64{0, 1, 0, 1, 0, 1}
	seed := codectest.Seeds(f)
	for _, k := range []Kernel{nil, Linear{}, Polynomial{Coef0: 1}} {
		seed(Config{Kernel: k}.FitClassifier(X, three, nil))
		seed(Config{Kernel: k}.FitProbClassifier(X, two, nil))
		seed(Config{Kernel: k, Epsilon: 0.1}.FitRegressor(X, target, nil))
	}
	for _, y := range [][]int{two, three} {
		seed(LinearConfig{}.FitClassifier(X, y, nil))
	}
	seed(LinearConfig{}.FitRegressor(X, target, nil))
	seed(Config{Epsilon: 9}.FitRegressor(X, target, nil))
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		for _, m := range []interface {
			binaryModel
			NumFeatures() int
		}{new(Classifier), new(ProbClassifier), new(Regressor), new(LinearClassifier), new(LinearRegressor)} {
			if codectest.Refused(t, m.UnmarshalBinary(data)) {
				continue
			}
			predictZeros(t, m, m.NumFeatures())
		}
	})
}

// predictZeros asks a model about a row of zeros. Numbers that no fit gave can
// overflow; that is an error too.
func predictZeros(t *testing.T, m any, d int) {
	X := mat.NewDense(1, d, nil)
	var err error
	switch m := m.(type) {
	case *ProbClassifier:
		_, err = m.PredictProba(X)
	case mlcore.Classifier:
		_, err = m.Predict(X)
	case mlcore.Regressor:
		_, err = m.Predict(X)
	}
	if err != nil && !errors.Is(err, mlcore.ErrNonFinite) {
		t.Fatalf("%T: %v", m, err)
	}
}

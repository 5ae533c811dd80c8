package mlcoretest

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// Unsupervised runs the battery on a learner without labels, of clusters or of densities;
// see [Classifier]. outputs is what a model says of rows, as numbers: what is compared.
// Where rows in another order give clusters other numbers, it says what does not depend on
// the numbers.
func Unsupervised[M mlcore.Described, C UnsupervisedConfig[M]](t *testing.T, traits Traits, config func(workers int) C, outputs func(m M, X mat.Matrix) ([]float64, error)) {
	var like func(fitted any) model[float64]
	like = func(fitted any) model[float64] {
		say := func(X mat.Matrix) ([]float64, error) { return outputs(fitted.(M), X) }
		return model[float64]{fitted: fitted, like: like, predict: say, outputs: say}
	}
	s := subject[float64]{
		Traits:     traits,
		unlabelled: true,
		labels:     func(problem) []float64 { return nil },
		train: func(workers int, ds *mlcore.Dataset) (model[float64], error) {
			m, err := config(workers).Fit(ds)
			if err != nil {
				return model[float64]{}, err
			}
			return like(m), nil
		},
		dataset: func(X *mat.Dense, _, w []float64) *mlcore.Dataset { return mlcore.FromMatrix[int](X, nil, w) },
		zero:    func() any { return zeroOf[M]() },
	}
	s.run(t)
}

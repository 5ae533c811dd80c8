package mlcoretest

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Regressor runs the battery on a regressor.
func Regressor(t *testing.T, spec RegressorSpec) {
	s := subject[float64]{
		Traits: spec.Traits,
		labels: func(p problem) []float64 { return p.target },
		fit: func(workers int, X mat.Matrix, y []float64, w []float64) (model[float64], error) {
			r, err := spec.Learn(workers)(X, y, w)
			if err != nil {
				return model[float64]{}, err
			}
			return regressorModel(r), nil
		},
		decode: func(data []byte) (model[float64], error) {
			r, err := spec.Decode(data)
			if err != nil {
				return model[float64]{}, err
			}
			return regressorModel(r), nil
		},
	}
	s.run(t)
	t.Run("predictions", func(t *testing.T) { regressorPredictions(t, spec) })
	t.Run("bad targets", func(t *testing.T) { badTargets(t, spec) })
}

func regressorModel(r mlcore.Regressor) model[float64] {
	return model[float64]{fitted: r, predict: r.Predict, outputs: r.Predict}
}

func regressorPredictions(t *testing.T, spec RegressorSpec) {
	p := makeProblem(spec.Traits, rows)
	r, err := spec.Learn(0)(p.X, p.target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.NumFeatures() != columns {
		t.Errorf("%d features, want %d", r.NumFeatures(), columns)
	}
	got, err := r.Predict(p.X)
	if err != nil {
		t.Fatal(err)
	}
	if err := mlcore.CheckTargets(got, rows); err != nil {
		t.Fatalf("predictions: %v", err)
	}
	if c := stat.Correlation(got, p.target, nil); !(c > 0.5) {
		t.Errorf("predictions and targets of the training rows correlate by %v: it has learnt nothing", c)
	}
}

func badTargets(t *testing.T, spec RegressorSpec) {
	p := makeProblem(spec.Traits, rows)
	for name, v := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
		_, err := spec.Learn(1)(p.X, replaced(p.target, 8, v), nil)
		checkError(t, "a target of "+name, err, mlcore.ErrNonFinite, "row 8")
	}
}

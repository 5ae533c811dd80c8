package mlcoretest

import (
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Regressor runs the battery on a regressor; see [Classifier].
func Regressor[M mlcore.Regressor, C RegressorConfig[M]](t *testing.T, traits Traits, config func(workers int) C) {
	s := subject[float64]{
		Traits: traits,
		labels: func(p problem) []float64 { return p.target },
		train: func(workers int, ds *mlcore.Dataset) (model[float64], error) {
			return asRegressor(config(workers).FitRegressor(ds))
		},
		dataset: func(X *mat.Dense, y []float64, w []float64) *mlcore.Dataset {
			return mlcore.FromMatrix(X, y, w)
		},
		zero: func() any { return zeroOf[M]() },
	}
	s.run(t)
	t.Run("predictions", s.regressorPredictions)
	t.Run("bad targets", func(t *testing.T) { badTargets(t, s) })
}

func asRegressor[M mlcore.Regressor](m M, err error) (model[float64], error) {
	if err != nil {
		return model[float64]{}, err
	}
	return regressorModel(m), nil
}

func regressorModel(r mlcore.Regressor) model[float64] {
	like := func(fitted any) model[float64] { return regressorModel(fitted.(mlcore.Regressor)) }
	return model[float64]{fitted: r, like: like, predict: r.Predict, outputs: r.Predict}
}

func (s subject[L]) regressorPredictions(t *testing.T) {
	p := makeProblem(s.Traits, rows)
	r := s.mustFit(t, 0, p.X, s.labels(p), nil).fitted.(mlcore.Regressor)
	if r.NumFeatures() != s.columns() {
		t.Errorf("%d features, want %d", r.NumFeatures(), s.columns())
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

func badTargets(t *testing.T, s subject[float64]) {
	p := makeProblem(s.Traits, rows)
	for name, v := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
		_, err := s.fit(1, p.X, replaced(p.target, 8, v), nil)
		checkError(t, "a target of "+name, err, mlcore.ErrNonFinite, "row 8")
	}
	ds := s.describe(p.X, p.target, nil)
	ds.Target = nil
	_, err := s.train(1, ds)
	checkError(t, "no targets", err, mlcore.ErrLabel, "no numbers in Target")
}

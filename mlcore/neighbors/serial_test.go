package neighbors_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/internal/fixture"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
)

func someModels(t testing.TB) (X *mat.Dense, classifiers []*neighbors.Classifier, regressor *neighbors.Regressor) {
	t.Helper()
	X = mat.NewDense(40, 2, nil)
	y, target, w := make([]int, 40), make([]float64, 40), make([]float64, 40)
	rng := mlcore.NewRand(2)
	for i := range y {
		X.SetRow(i, []float64{rng.NormFloat64(), float64(i % 4)})
		y[i], target[i], w[i] = i%3, rng.NormFloat64(), float64(i%5)
	}
	for _, cfg := range []neighbors.Config{
		{}, {Neighbors: 3, Metric: neighbors.Minkowski(3), Weights: neighbors.Gaussian, Bandwidth: 0.7},
		{Metric: neighbors.Hamming, FeatureWeights: []float64{1, 2}},
		{Metric: neighbors.Mahalanobis(mat.NewSymDense(2, []float64{1, 0.2, 0.2, 2})), Search: neighbors.Brute, Weights: neighbors.InverseDistance},
	} {
		m, err := cfg.FitClassifier(fixture.Classes(mlcore.FromMatrix(X, y, w), 7))
		if err != nil {
			t.Fatal(err)
		}
		classifiers = append(classifiers, m)
	}
	regressor, err := neighbors.Config{LocalLinear: true}.FitRegressor(mlcore.FromMatrix(X, target, nil))
	if err != nil {
		t.Fatal(err)
	}
	return X, classifiers, regressor
}

// The battery sends models of common settings through each form; these are the rest.
func TestRoundTrip(t *testing.T) {
	X, classifiers, regressor := someModels(t)
	for i, m := range classifiers {
		want, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		for form, again := range carry(t, m) {
			got, err := again.PredictProba(X)
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("classifier %d by %s predicts otherwise: %v", i, form, err)
			}
			if again.NumClasses() != m.NumClasses() || again.NumFeatures() != 2 {
				t.Errorf("classifier %d by %s: %d classes, %d features", i, form, again.NumClasses(), again.NumFeatures())
			}
		}
	}
	want, err := regressor.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for form, again := range carry(t, regressor) {
		got, err := again.Predict(X)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("regressor by %s predicts otherwise: %v", form, err)
		}
	}
}

// carry sends a model through each form and back.
func carry[M any](t *testing.T, m M) map[string]M {
	t.Helper()
	carried := map[string]M{}
	for form, f := range map[string]struct {
		write func(any) ([]byte, error)
		read  func([]byte) (M, error)
	}{
		"binary": {modelfile.Marshal, modelfile.Unmarshal[M]},
		"JSON":   {modelfile.MarshalJSON, modelfile.UnmarshalJSON[M]},
	} {
		data, err := f.write(m)
		if err != nil {
			t.Fatal(err)
		}
		if carried[form], err = f.read(data); err != nil {
			t.Fatal(err)
		}
	}
	return carried
}

// Bytes that are refused leave a model as it was.
func TestRefusedBytesChangeNothing(t *testing.T) {
	X, classifiers, regressor := someModels(t)
	data, err := modelfile.Marshal(classifiers[0])
	if err != nil {
		t.Fatal(err)
	}
	want, err := regressor.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{"a classifier": data, "half a model": data[:len(data)/2], "nothing": nil} {
		if err := regressor.UnmarshalBinary(bad); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Errorf("%s read as a regressor: error %v, want ErrCorrupt", name, err)
		}
	}
	if got, err := regressor.Predict(X); err != nil || !slices.Equal(got, want) {
		t.Errorf("after refusals the model predicts otherwise: %v", err)
	}
}

// Also where the checksum is right: the reader must not go on with half a model.
func TestTruncatedModelsAreRefused(t *testing.T) {
	_, classifiers, regressor := someModels(t)
	for _, m := range []any{classifiers[1], regressor} {
		data, err := modelfile.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		whole := archive.Unsealed(data)
		for n := range whole {
			if _, err := modelfile.Unmarshal[any](archive.Seal(slices.Clone(whole[:n]))); !errors.Is(err, mlcore.ErrCorrupt) {
				t.Fatalf("%T, %d of %d bytes: error %v", m, n, len(whole), err)
			}
		}
	}
}

func TestFunctionsCannotBeSerialised(t *testing.T) {
	m, err := neighbors.Config{Neighbors: 1, Metric: neighbors.MetricFunc("mine", func(a, b []float64) float64 { return 0 })}.FitClassifier(mlcore.FromMatrix(column(1, 2), []int{0, 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for form, write := range map[string]func(any) ([]byte, error){"binary": modelfile.Marshal, "JSON": modelfile.MarshalJSON} {
		if _, err := write(m); !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%s: error %v, want ErrConfig", form, err)
		}
	}
}

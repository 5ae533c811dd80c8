package neighbors_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
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
		{}, {K: 3, Metric: neighbors.Minkowski(3), Weights: neighbors.Gaussian, Bandwidth: 0.7},
		{Metric: neighbors.Hamming, FeatureWeights: []float64{1, 2}, Classes: 7},
		{Metric: neighbors.Mahalanobis(mat.NewSymDense(2, []float64{1, 0.2, 0.2, 2})), Search: neighbors.Brute, Weights: neighbors.InverseDistance},
	} {
		m, err := cfg.FitClassifier(X, y, w)
		if err != nil {
			t.Fatal(err)
		}
		classifiers = append(classifiers, m)
	}
	regressor, err := neighbors.Config{LocalLinear: true}.FitRegressor(X, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	return X, classifiers, regressor
}

func TestRoundTrip(t *testing.T) {
	X, classifiers, regressor := someModels(t)
	for i, m := range classifiers {
		want, err := m.PredictProba(X)
		if err != nil {
			t.Fatal(err)
		}
		for name, again := range carry(t, m) {
			got, err := again.PredictProba(X)
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("classifier %d by %s predicts otherwise: %v", i, name, err)
			}
			if again.NumClasses() != m.NumClasses() || again.NumFeatures() != 2 {
				t.Errorf("classifier %d by %s: %d classes, %d features", i, name, again.NumClasses(), again.NumFeatures())
			}
		}
	}
	want, err := regressor.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for name, again := range carry(t, regressor) {
		got, err := again.Predict(X)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("regressor by %s predicts otherwise: %v", name, err)
		}
	}
}

type binary interface {
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// carry sends a model through each form and back.
func carry[M any, P interface {
	*M
	binary
}](t *testing.T, m P) map[string]P {
	t.Helper()
	carried := map[string]P{"binary": new(M), "JSON": new(M), "gob": new(M)}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := carried["binary"].UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, carried["JSON"]); err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(m); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(carried["gob"]); err != nil {
		t.Fatal(err)
	}
	return carried
}

func TestBadBytesAreRefused(t *testing.T) {
	X, classifiers, regressor := someModels(t)
	m := classifiers[0]
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := m.UnmarshalBinary(data[:n]); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
		bad := slices.Clone(data)
		bad[n] ^= 0x40
		if err := m.UnmarshalBinary(bad); !errors.Is(err, mlcore.ErrCorrupt) {
			t.Fatalf("byte %d altered: %v", n, err)
		}
	}
	if err := regressor.UnmarshalBinary(data); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("a classifier read as a regressor: %v", err)
	}
	if err := json.Unmarshal([]byte(`{"kind":"tree.Classifier"}`), m); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("another kind in JSON: %v", err)
	}
	if got, err := m.Predict(X); err != nil || !slices.Equal(got, want) {
		t.Errorf("after refusals the model predicts otherwise: %v", err)
	}
}

func TestFunctionsCannotBeSerialised(t *testing.T) {
	m, err := neighbors.Config{K: 1, Metric: neighbors.MetricFunc("mine", func(a, b []float64) float64 { return 0 })}.FitClassifier(column(1, 2), []int{0, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.MarshalBinary(); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("error %v", err)
	}
}

package preprocess

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/internal/codectest"
	"gonum.org/v1/gonum/mat"
)

func fuzzData() *mlcore.Dataset {
	return &mlcore.Dataset{
		X: mat.NewDense(6, 3, []float64{
			0, 1.5, 2,
			1, 2.5, 0,
			0, 4.0, 1,
			1, 3.0, 2,
			1, 0.5, 0,
			0, 9.0, 1,
		}),
		Columns:    []mlcore.Column{{Name: "a", Levels: []string{"x", "y"}}, {Name: "b"}, {Name: "c"}},
		Y:          []int{0, 1, 0, 1, 0, 1},
		ClassNames: []string{"no", "yes"},
	}
}

// Whatever the bytes, decoding does not panic, and what is accepted transforms or
// says why not.
func FuzzUnmarshal(f *testing.F) {
	ds := fuzzData()
	steps := []Step{
		ImputerConfig{}, StandardScalerConfig{}, MinMaxScalerConfig{Clip: true}, DiscretizerConfig{Bins: 3},
		OneHotConfig{DropFirst: true}, OrdinalConfig{Unknown: UnknownIgnore}, PCAConfig{},
	}
	seed := codectest.Seeds(f)
	for _, step := range steps {
		fitted, err := step.FitStep(ds)
		seed(fitted.Transformer, err)
	}
	seed(PipelineConfig{
		Columns: ds.Columns,
		Steps:   []Step{ImputerConfig{}, OneHotConfig{}, PCAConfig{}},
		Learner: mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier),
	}.FitClassifier(ds.X, ds.Y, nil))
	codectest.Fuzz(f, func(t *testing.T, data []byte) {
		for _, kind := range []string{imputerKind, scalerKind, discretizerKind, oneHotKind, ordinalKind, pcaKind} {
			m := newOfKind(kind)
			if codectest.Refused(t, m.UnmarshalBinary(data)) {
				continue
			}
			// Zeros may overflow or be unknown, but must not panic.
			out, err := m.TransformRows(mat.NewDense(1, len(m.InputColumns()), nil))
			if err != nil {
				continue
			}
			if _, d := out.Dims(); d != len(m.Columns()) {
				t.Fatalf("%s: %d columns come out, %d are described", kind, d, len(m.Columns()))
			}
		}
		if m, err := DecodeClassifier(data, new(bayes.Gaussian)); !codectest.Refused(t, err) {
			if y, err := m.Predict(mat.NewDense(1, m.NumFeatures(), nil)); err == nil && len(y) != 1 {
				t.Fatalf("%d predictions", len(y))
			}
		}
	})
}

// Each transformer makes the same of new rows after a round trip, bit for bit.
func TestTransformersRoundTrip(t *testing.T) {
	ds := fuzzData()
	for _, step := range []Step{
		ImputerConfig{Strategy: Median}, ImputerConfig{Columns: []string{"b"}}, StandardScalerConfig{Columns: []string{"c"}},
		MinMaxScalerConfig{Min: -3, Max: 5, Clip: true}, DiscretizerConfig{Bins: 3, Letters: true}, DiscretizerConfig{Binning: MDL},
		OneHotConfig{DropFirst: true}, OneHotConfig{}, OrdinalConfig{Unknown: UnknownIgnore}, PCAConfig{Components: 1},
	} {
		fitted, err := step.FitStep(ds)
		if err != nil {
			t.Fatal(err)
		}
		data, err := fitted.Transformer.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		kind, err := kindOf(fitted.Transformer)
		if err != nil {
			t.Fatal(err)
		}
		back := newOfKind(kind)
		if err := back.UnmarshalBinary(data); err != nil {
			t.Fatalf("%T: %v", step, err)
		}
		want, err := fitted.Transformer.Transform(ds)
		if err != nil {
			t.Fatal(err)
		}
		got, err := back.Transform(ds)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.X, want.X) {
			t.Errorf("%T after a round trip:\n%v\nwant\n%v", step, mat.Formatted(got.X), mat.Formatted(want.X))
		}
		if err := sameColumns(got.Columns, want.Columns); err != nil {
			t.Errorf("%T after a round trip: %v", step, err)
		}
		text, err := json.Marshal(fitted.Transformer)
		if err != nil {
			t.Fatal(err)
		}
		again := newOfKind(kind)
		if err := json.Unmarshal(text, again); err != nil {
			t.Fatalf("%T from JSON: %v", step, err)
		}
		if same, err := again.MarshalBinary(); err != nil || !bytes.Equal(same, data) {
			t.Errorf("%T after JSON encodes otherwise (%v)", step, err)
		}
		for n := range data {
			if err := back.UnmarshalBinary(data[:n]); !errors.Is(err, mlcore.ErrCorrupt) {
				t.Fatalf("%T: %d of %d bytes: error %v, want ErrCorrupt", step, n, len(data), err)
			}
		}
	}
}

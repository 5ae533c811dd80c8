package preprocess_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// mixedColumns are two numeric columns, the second with a gap, and two of
// categories.
func mixedColumns() *mlcore.Dataset {
	return &mlcore.Dataset{
		Name: "mixed",
		X: mat.NewDense(6, 4, []float64{
			1.5, 10, 0, 1,
			2.5, 30, 1, 0,
			-4, 20, 2, 1,
			8, 50, 0, 1,
			0.25, 40, 1, 1,
			3, 60, 2, 0,
		}),
		Columns: []mlcore.Column{
			{Name: "a"}, {Name: "c"},
			{Name: "b", Levels: []string{"red", "green", "blue"}}, {Name: "d", Levels: []string{"no", "yes"}},
		},
		Y: []int{0, 1, 0, 1, 0, 1}, ClassNames: []string{"low", "high"},
	}
}

// Each transformer makes the same of rows after a round trip, bit for bit, in both
// forms; a zero one is refused, and so are bytes that are cut short.
func TestTransformersRoundTrip(t *testing.T) {
	ds := mixedColumns()
	gap := mixedColumns()
	gap.X.Set(2, 1, math.NaN())
	threeClasses := *ds
	threeClasses.Y, threeClasses.ClassNames = []int{0, 1, 2, 0, 1, 2}, []string{"low", "middling", "high"}
	for _, tc := range []struct {
		step  preprocess.Step
		train *mlcore.Dataset
	}{
		{preprocess.ImputerConfig{Strategy: preprocess.Median}, gap},
		{preprocess.ImputerConfig{Columns: []string{"b"}}, ds},
		{preprocess.KNNImputerConfig{Neighbors: 2, Weights: neighbors.InverseDistance}, gap},
		{preprocess.StandardScalerConfig{Columns: []string{"c"}}, ds},
		{preprocess.MinMaxScalerConfig{Min: -3, Max: 5, Clip: true}, ds},
		{preprocess.DiscretizerConfig{Bins: 3, Letters: true}, ds},
		{preprocess.DiscretizerConfig{Strategy: preprocess.MDL}, ds},
		{preprocess.OneHotConfig{DropFirst: true}, ds},
		{preprocess.OneHotConfig{}, ds},
		{preprocess.OrdinalConfig{Unknown: mlcore.UnknownIgnore}, ds},
		{preprocess.TargetEncoderConfig{Splitter: modelsel.KFold{Folds: 2}}, ds},
		{preprocess.TargetEncoderConfig{Columns: []string{"d"}, Splitter: modelsel.KFold{Folds: 2}}, &threeClasses},
		{preprocess.SelectConfig{K: 1}, ds},
		{preprocess.SelectConfig{Score: preprocess.MutualInformation, Share: 0.5}, ds},
		{preprocess.RFEConfig{Learner: mlcore.LearnClassifier(tree.Config{}.FitClassifier), StepShare: 0.5}, ds},
		{preprocess.PCAConfig{Components: 1}, ds},
		{preprocess.PolynomialConfig{Degree: 3, IncludeBias: true}, ds},
		{preprocess.PolynomialConfig{InteractionOnly: true, Columns: []string{"c"}}, ds},
	} {
		fitted, err := tc.step.FitStep(tc.train)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fitted.Transformer.Transform(tc.train)
		if err != nil {
			t.Fatal(err)
		}
		data, err := modelfile.Marshal(fitted.Transformer)
		if err != nil {
			t.Fatal(err)
		}
		text, err := modelfile.MarshalJSON(fitted.Transformer)
		if err != nil {
			t.Fatal(err)
		}
		binary, err := modelfile.Unmarshal[preprocess.Transformer](data)
		if err != nil {
			t.Fatal(err)
		}
		json, err := modelfile.UnmarshalJSON[preprocess.Transformer](text)
		if err != nil {
			t.Fatal(err)
		}
		for form, back := range map[string]preprocess.Transformer{"binary": binary, "JSON": json} {
			got, err := back.Transform(tc.train)
			if err != nil || !sameBits(got.X, want.X) || !reflect.DeepEqual(got.Columns, want.Columns) {
				t.Errorf("%T after a round trip in %s: %v, want %v (%v)", tc.step, form, got, want, err)
			}
		}
		for n := range data {
			if _, err := modelfile.Unmarshal[preprocess.Transformer](data[:n]); !errors.Is(err, mlcore.ErrCorrupt) {
				t.Fatalf("%T: %d of %d bytes: error %v, want ErrCorrupt", tc.step, n, len(data), err)
			}
		}
		zero := reflect.New(reflect.TypeOf(fitted.Transformer).Elem()).Interface().(preprocess.Transformer)
		_, inSaving := modelfile.Marshal(zero)
		_, inRows := zero.TransformRows(ds.X)
		_, inDataset := zero.Transform(ds)
		for what, err := range map[string]error{"saving": inSaving, "TransformRows": inRows, "Transform": inDataset} {
			if !errors.Is(err, mlcore.ErrNotFitted) {
				t.Errorf("%s of a %T that is not fitted: error %v, want ErrNotFitted", what, zero, err)
			}
		}
	}
}

func sameBits(a, b *mat.Dense) bool {
	x, y := a.RawMatrix().Data, b.RawMatrix().Data
	for i := range x {
		if i >= len(y) || math.Float64bits(x[i]) != math.Float64bits(y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

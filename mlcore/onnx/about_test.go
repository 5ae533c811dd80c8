package onnx

import (
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/tree"
)

// A file says what it was made of, and names its inputs.
func TestAbout(t *testing.T) {
	mixed := people(60, false, 1)
	numeric := grid(60, 2, 2, 1)
	bare := mlcore.FromMatrix(numeric.X, numeric.Target, nil)
	bare.TargetName = ""
	b := newBench(t)
	for _, tc := range []struct {
		name  string
		model any
		want  map[string]string
	}{
		{"categories", fit[any](t)(pair(tree.Config{}.FitClassifier(mixed))), map[string]string{
			"kind": "tree.Classifier", "feature_names": `["age","colour","in kg","place"]`, "class_names": `["no","yes","può darsi"]`, "target_name": "answer",
			"inputs": `{"age": ["tensor(double)", "rows", 1], "colour": ["tensor(string)", "rows", 1], "in kg": ["tensor(double)", "rows", 1], "place": ["tensor(string)", "rows", 1]}`,
		}},
		{"numbers", fit[any](t)(pair(linear.RidgeConfig{}.FitRegressor(bare))), map[string]string{
			"kind": "linear.Ridge", "feature_names": `["x0","x1"]`, "inputs": `{"X": ["tensor(double)", "rows", 2]}`,
		}},
	} {
		ds := mixed
		if tc.want["class_names"] == "" {
			ds = bare
		}
		tc.want["producer"], tc.want["graph"] = "mllabs", tc.want["kind"]
		b.add(tc.name, tc.model, inputsOf(ds.Columns, ds.X), func(t *testing.T, a runAnswer) {
			for key, want := range tc.want {
				if a.About[key] != want {
					t.Errorf("%s is %s, want %s", key, a.About[key], want)
				}
			}
			if len(a.About) != len(tc.want) {
				t.Errorf("the file says %v of itself, want %d things", a.About, len(tc.want))
			}
		})
	}
	b.run()
}

// Class codes are the labels where classes have no names.
func TestLabelsAreCodes(t *testing.T) {
	ds := grid(100, 2, 3, 1)
	m := fit[*tree.Classifier](t)(tree.Config{}.FitClassifier(mlcore.FromMatrix(ds.X, ds.Y, nil)))
	X := between(2, 3)
	b := newBench(t)
	b.add("tree", m, inputsOf(nil, X), says(m, X, rounding))
	b.run()
}

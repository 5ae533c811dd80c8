package onnx

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/linear"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"github.com/mllabs-go/mllabs/mlcore/svm"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// fit returns what a fit made, which has to succeed.
func fit[M any](t testing.TB) func(m M, err error) M {
	return func(m M, err error) M {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// Models that have no form in ONNX, alone or within others, and what is no model.
func TestRefusedModels(t *testing.T) {
	ds := grid(60, 2, 3, 1)
	nearest := mlcore.LearnClassifier(neighbors.Config{Neighbors: 3}.FitClassifier)
	twice := people(60, false, 1)
	twice.Columns[2].Name = "age"
	label := people(60, false, 1)
	label.Columns[0].Name = "label"
	inside := people(60, false, 1)
	inside.Columns[0].Name = "mllabs/Gather_2"
	latin := grid(60, 2, 2, 1)
	latin.ClassNames[1] = "caf\xe9"
	kernel := svm.KernelFunc(func(a, b []float64) float64 { return a[0] * b[0] })
	for _, tc := range []struct {
		name  string
		model any
		is    error
		says  string
	}{
		{"k-NN", fit[any](t)(pair(neighbors.Config{Neighbors: 3}.FitClassifier(ds))), mlcore.ErrKind, "neighbors.Classifier"},
		{"a pipeline of k-NN", fit[any](t)(pair(preprocess.PipelineConfig{Learner: nearest}.FitClassifier(ds))), mlcore.ErrKind, "neighbors.Classifier"},
		{"a bag of k-NN", fit[any](t)(pair(ensemble.BaggingConfig{Learner: nearest}.FitClassifier(ds))), mlcore.ErrKind, "neighbors.Classifier"},
		{"no model", 7, mlcore.ErrConfig, "int"},
		{"nil", nil, mlcore.ErrConfig, "nil"},
		{"a nil model", (*tree.Classifier)(nil), mlcore.ErrNotFitted, "tree.Classifier"},
		{"a model that is not fitted", &linear.Ridge{}, mlcore.ErrNotFitted, "linear.Ridge"},
		{"a kernel of the caller's", fit[any](t)(pair(svm.Config{Kernel: kernel}.FitClassifier(ds))), mlcore.ErrConfig, "KernelFunc"},
		{"two columns of one name", fit[any](t)(pair(tree.Config{}.FitClassifier(twice))), mlcore.ErrColumn, `column 2 is named "age"`},
		{"a column like a tensor of the file", fit[any](t)(pair(tree.Config{}.FitClassifier(inside))), mlcore.ErrColumn, `column 0 is named "mllabs/Gather_2"`},
		{"a column like an output", fit[any](t)(pair(tree.Config{}.FitClassifier(label))), mlcore.ErrColumn, `column 0 is named "label"`},
		{"Latin-1", fit[any](t)(pair(tree.Config{}.FitClassifier(latin))), mlcore.ErrConfig, `caf\xe9`},
	} {
		if _, err := Marshal(tc.model); !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v does not wrap %v or say %q", tc.name, err, tc.is, tc.says)
		}
	}
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := Save(path, 7); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name the file", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a model that was refused left a file")
	}
	m := fit[*tree.Classifier](t)(tree.Config{}.FitClassifier(ds))
	if err := Save(path, m); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Marshal(m); err != nil || string(again) != string(data) {
		t.Errorf("Save and Marshal differ (%v)", err)
	}
}

// What a model refuses to predict, its file refuses too, and says why.
func TestRefusedRows(t *testing.T) {
	ds, mixed := grid(100, 2, 3, 1), people(300, false, 1)
	gappy := people(300, true, 1)
	plain := tree.Config{}
	logisticOn := fit[*linear.Logistic](t)(linear.LogisticConfig{}.FitClassifier(ds))
	treeOn := fit[*tree.Classifier](t)(plain.FitClassifier(ds))
	treeWithGaps := fit[*tree.Classifier](t)(tree.Config{AllowMissing: true}.FitClassifier(ds))
	counts := fit[*bayes.Multinomial](t)(bayes.MultinomialConfig{}.FitClassifier(ds))
	mixedTree := fit[*tree.Classifier](t)(plain.FitClassifier(mixed))
	steps := []preprocess.Step{preprocess.OneHotConfig{}, preprocess.ImputerConfig{}}
	lacking := people(300, false, 1) // no training row has an unknown place
	for i := range lacking.Len() {
		lacking.X.Set(i, 3, float64(int(lacking.X.At(i, 3))%69))
	}
	encoder := fit[*preprocess.Classifier](t)(preprocess.PipelineConfig{Steps: steps, Learner: logisticModel}.FitClassifier(lacking))
	strict := people(300, false, 1)
	strict.Columns[1].Unknown = mlcore.UnknownError
	strictTree := fit[*tree.Classifier](t)(plain.FitClassifier(strict))
	gapTree := fit[*tree.Classifier](t)(tree.Config{AllowMissing: true}.FitClassifier(gappy))

	numbersWith := func(v float64) map[string]*testTensor {
		return map[string]*testTensor{"X": doubleValues([]int{3, 2}, []float64{1, 2, 3, v, 0, 1})}
	}
	// A row of people, with another colour and place.
	person := func(colour, place string) map[string]*testTensor {
		inputs := inputsOf(mixed.Columns, mat.NewDense(1, 4, []float64{30, 0, 0.5, 3}))
		inputs["colour"].Strings[0], inputs["place"].Strings[0] = colour, place
		return inputs
	}
	says := func(why string) func(t *testing.T, a runAnswer) {
		return func(t *testing.T, a runAnswer) {
			if why == "" && a.Error != "" || why != "" && !strings.Contains(a.Error, why) {
				t.Errorf("error %q, want %q", a.Error, why)
			}
		}
	}
	const missing, infinite = "the data have a missing value or an infinity", "the data have an infinity"
	b := newBench(t)
	for _, tc := range []struct {
		name   string
		model  any
		inputs map[string]*testTensor
		why    string // "" where nothing is refused
	}{
		{"a number", logisticOn, numbersWith(1e300), ""},
		{"NaN for a linear model", logisticOn, numbersWith(nan), missing},
		{"an infinity for a linear model", logisticOn, numbersWith(math.Inf(1)), missing},
		{"NaN for a tree", treeOn, numbersWith(nan), missing},
		{"NaN for a tree that takes it", treeWithGaps, numbersWith(nan), ""},
		{"an infinity for a tree that takes NaN", treeWithGaps, numbersWith(math.Inf(-1)), infinite},
		{"a negative count", counts, numbersWith(-1), "the data have a negative count"},
		{"known categories", mixedTree, person("blue", "P3"), ""},
		{"an unknown category that is a level", mixedTree, person("blue", "P99"), ""},
		{"an unknown category that is missing, for a tree that refuses", mixedTree, person("mauve", "P3"), missing},
		{"an unknown category that is missing, for a tree that takes it", gapTree, person("mauve", "P3"), ""},
		{"an unknown category that is an error", strictTree, person("mauve", "P3"), `column "colour" has a category that the model does not know`},
		{"no category", strictTree, person("", "P3"), missing},
		{"a known category for an encoder", encoder, person("red", "P3"), ""},
		{"a missing category for an encoder", encoder, person("mauve", "P3"), unknownLevel},
		{"an unknown category for an encoder", encoder, person("red", "P99"), unknownLevel},
	} {
		b.add(tc.name, tc.model, tc.inputs, says(tc.why))
	}
	b.run()
}

// An unknown category that is to be a level, or missing, is predicted as such.
func TestUnknownCategories(t *testing.T) {
	ds := people(400, true, 6)
	m := fit[*tree.Classifier](t)(tree.Config{AllowMissing: true}.FitClassifier(ds))
	X := people(50, false, 9).X
	inputs := inputsOf(ds.Columns, X)
	for i := range 50 {
		inputs["colour"].Strings[i], inputs["place"].Strings[i] = "mauve", "Atlantis"
		X.Set(i, 1, nan)
		X.Set(i, 3, 69)
	}
	b := newBench(t)
	b.add("tree", m, inputs, says(m, X, rounding))
	b.run()
}

// An unknown category that is to be ignored is, by models that can; others refuse it.
func TestIgnoredCategories(t *testing.T) {
	ds := people(400, false, 6)
	for j := range ds.Columns {
		ds.Columns[j].Unknown = mlcore.UnknownError
	}
	encode := preprocess.OneHotConfig{Unknown: mlcore.UnknownIgnore}
	number := preprocess.OrdinalConfig{Unknown: mlcore.UnknownIgnore}
	onlyNames := fit[*mlcore.Dataset](t)(ds.Select("colour", "place"))
	X := people(50, false, 9).X
	inputs := inputsOf(ds.Columns, X)
	for i := range 50 {
		inputs["colour"].Strings[i] = "mauve"
		X.Set(i, 1, 3)
	}
	names := mat.NewDense(50, 2, nil)
	for i := range 50 {
		names.SetRow(i, []float64{3, X.At(i, 3)})
	}
	b := newBench(t)
	for _, step := range []preprocess.Step{encode, number, preprocess.TargetEncoderConfig{}} {
		m := fit[*preprocess.Classifier](t)(preprocess.PipelineConfig{Steps: []preprocess.Step{step}, Learner: stump}.FitClassifier(ds))
		b.add(fmt.Sprintf("%T", step), m, inputs, says(m, X, rounding))
	}
	m := fit[*bayes.Categorical](t)(bayes.CategoricalConfig{Unknown: mlcore.UnknownIgnore}.FitClassifier(onlyNames))
	b.add("naive Bayes", m, map[string]*testTensor{"colour": inputs["colour"], "place": inputs["place"]}, says(m, names, rounding))

	ignoring := *ds
	ignoring.Columns = slices.Clone(ds.Columns)
	ignoring.Columns[1].Unknown = mlcore.UnknownIgnore
	for name, m := range map[string]any{
		"tree": fit[any](t)(pair(tree.Config{AllowMissing: true}.FitClassifier(&ignoring))),
	} {
		if _, err := m.(mlcore.Classifier).Predict(X); !errors.Is(err, mlcore.ErrLevel) {
			t.Errorf("%s: error %v of the model itself", name, err)
		}
		b.add(name, m, inputs, func(t *testing.T, a runAnswer) {
			if !strings.Contains(a.Error, beyondLevels) {
				t.Errorf("error %q, want %q", a.Error, beyondLevels)
			}
		})
		known := inputsOf(ds.Columns, people(50, false, 9).X)
		b.add(name+" of what it knows", m, known, says(m, people(50, false, 9).X, rounding))
	}
	b.run()
}

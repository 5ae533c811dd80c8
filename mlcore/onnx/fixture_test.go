package onnx

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	_ "github.com/mllabs-go/mllabs/mlcore/all"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/neural"
	"github.com/mllabs-go/mllabs/mlcore/preprocess"
	"gonum.org/v1/gonum/mat"
)

// columnsOf are the columns that a model describes, nil if it describes none.
func columnsOf(m any) []mlcore.Column {
	if d, ok := m.(mlcore.Described); ok && d.Schema() != nil {
		return d.Schema().Columns
	}
	if t, ok := m.(preprocess.Transformer); ok {
		return t.InputColumns()
	}
	return nil
}

// says returns a check that the outputs of a file are what the model says of the rows of
// X: classes exactly, numbers within tolerance times their greatest.
func says(model any, X *mat.Dense, tolerance float64) func(t *testing.T, a runAnswer) {
	return func(t *testing.T, a runAnswer) {
		t.Helper()
		if a.Error != "" {
			t.Fatal(a.Error)
		}
		n, _ := X.Dims()
		if m, ok := model.(interface {
			Predict(X mat.Matrix) ([]int, error)
		}); ok { // of classes, or of clusters
			y, err := m.Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			compareLabels(t, model, y, a.Outputs["label"])
			p, estimates := model.(interface {
				PredictProba(X mat.Matrix) (*mat.Dense, error)
			})
			var proba *mat.Dense
			if estimates {
				// A pipeline or a stack refuses where the model inside estimates none.
				if proba, err = p.PredictProba(X); errors.Is(err, mlcore.ErrConfig) {
					estimates = false
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if _, has := a.Outputs["probabilities"]; has != estimates {
				t.Fatalf("probabilities: %v, the model estimates them: %v", has, estimates)
			}
			if estimates {
				compareNumbers(t, proba, a.Outputs["probabilities"], tolerance)
			}
			return
		}
		var want *mat.Dense
		var err error
		switch m := model.(type) {
		case mlcore.Regressor:
			var y []float64
			if y, err = m.Predict(X); err == nil {
				want = mat.NewDense(n, 1, y)
			}
		case preprocess.Transformer:
			want, err = m.TransformRows(X)
		case *neural.Network:
			want, err = m.Forward(X)
		default:
			t.Fatalf("nothing to compare of a %T", model)
		}
		if err != nil {
			t.Fatal(err)
		}
		compareNumbers(t, want, a.Outputs["variable"], tolerance)
	}
}

func compareLabels(t *testing.T, model any, y []int, got *testTensor) {
	t.Helper()
	var names []string
	if d, ok := model.(mlcore.Described); ok && d.Schema() != nil && len(d.Schema().ClassNames) > 0 && d.Schema().ClassNames[0] != "0" {
		names = d.Schema().ClassNames
	}
	if got == nil || len(got.Shape) != 1 || got.Shape[0] != len(y) || (got.Type == "string") != (names != nil) {
		t.Fatalf("labels %+v for %d rows", got, len(y))
	}
	wrong := 0
	for i, k := range y {
		if names != nil && got.Strings[i] != names[k] || names == nil && got.numbers()[i] != float64(k) {
			if wrong++; wrong == 1 {
				t.Errorf("row %d: the file says %+v, the model %d of %q", i, got, k, names)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d labels differ", wrong, len(y))
	}
}

func compareNumbers(t *testing.T, want *mat.Dense, got *testTensor, tolerance float64) {
	t.Helper()
	n, k := want.Dims()
	if got == nil || len(got.Shape) != 2 || got.Shape[0] != n || got.Shape[1] != k || got.Type != "float64" {
		t.Fatalf("output %+v, want %d×%d doubles", got, n, k)
	}
	size, worst := 1.0, 0.0
	for _, v := range mat.DenseCopyOf(want).RawMatrix().Data {
		if v == v {
			size = max(size, math.Abs(v))
		}
	}
	for i, v := range got.numbers() {
		w := want.At(i/k, i%k)
		if (v != v) != (w != w) {
			t.Fatalf("row %d, column %d: %v, want %v", i/k, i%k, v, w)
		}
		if v == v {
			worst = max(worst, math.Abs(v-w)/size)
		}
	}
	if worst > tolerance {
		t.Errorf("numbers differ by up to %.3g of the greatest, want %.3g", worst, tolerance)
	}
}

// A fixture is a model file that an earlier release has saved, and rows to ask it about.
type fixture struct {
	name  string
	model any
	X     *mat.Dense
}

// fixtures are those of all kinds that can be written.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	files, err := filepath.Glob("../modelfile/testdata/v1/*.model")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures (%v)", err)
	}
	var all []fixture
	for _, file := range files {
		f := fixture{name: strings.TrimSuffix(filepath.Base(file), ".model")}
		if f.model, err = modelfile.Load[any](file); err != nil {
			t.Fatal(err)
		}
		if notWritten[f.name] != "" {
			continue
		}
		var stored struct{ Queries [][]string }
		text, err := os.ReadFile(strings.TrimSuffix(file, ".model") + ".expected.json")
		if err == nil {
			err = json.Unmarshal(text, &stored)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.X = mat.NewDense(len(stored.Queries), len(stored.Queries[0]), nil)
		for i, row := range stored.Queries {
			for j, text := range row {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				f.X.Set(i, j, v)
			}
		}
		all = append(all, f)
	}
	return all
}

// Models that earlier releases have saved say the same as ONNX.
func TestFixtures(t *testing.T) {
	b := newBench(t)
	for _, f := range fixtures(t) {
		b.add(f.name, f.model, inputsOf(columnsOf(f.model), f.X), says(f.model, f.X, rounding))
	}
	b.run()
}

var update = flag.Bool("update", false, "write testdata/answers.json with the answers of ONNX Runtime")

// A stored answer is what ONNX Runtime said of a file with this checksum.
type storedAnswer struct {
	SHA256  string                 `json:"sha256"`
	Outputs map[string]*testTensor `json:"outputs"`
}

const storedAnswers = "testdata/answers.json"

// Without Python too, files of stored models are the bytes that ONNX Runtime has answered
// for, and its answers are what the models say.
func TestStoredAnswers(t *testing.T) {
	all := fixtures(t)
	sums := make([]string, len(all))
	dir := t.TempDir()
	var cases []runCase
	for i, f := range all {
		data, err := marshal(f.model, "v0.0.0") // the same in all releases
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		sums[i] = fmt.Sprintf("%x", sha256.Sum256(data))
		if *update {
			cases = append(cases, runCase{strconv.Itoa(i) + ".onnx", inputsOf(columnsOf(f.model), f.X)})
			if err := os.WriteFile(filepath.Join(dir, cases[i].File), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	stored := map[string]storedAnswer{}
	if *update {
		for i, a := range runAll(t, dir, cases) {
			stored[all[i].name] = storedAnswer{sums[i], a.Outputs}
		}
		text, err := json.MarshalIndent(stored, "", " ")
		if err == nil {
			err = os.WriteFile(storedAnswers, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(storedAnswers)
	if err == nil {
		err = json.Unmarshal(text, &stored)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range all {
		a := stored[f.name]
		if a.SHA256 != sums[i] {
			t.Errorf("the file of %s is another than ONNX Runtime has answered for; if it is meant to be, go test ./mlcore/onnx -run TestStoredAnswers -update asks again", f.name)
			continue
		}
		t.Run(f.name, func(t *testing.T) { says(f.model, f.X, rounding)(t, runAnswer{Outputs: a.Outputs}) })
	}
}

// Each kind of model is written, or has a reason why it is not, which the error tells.
func TestKinds(t *testing.T) {
	for _, kind := range archive.Kinds() {
		if strings.Contains(kind, "/") {
			continue // of a test
		}
		_, written := converters[kind]
		why, refused := notWritten[kind]
		if written == refused {
			t.Errorf("kind %s is written: %v, and has a reason why it is not: %v; give it a converter, or a reason in answer.go and a place in doc.go", kind, written, refused)
		}
		if !refused {
			continue
		}
		m, err := modelfile.Load[any]("../modelfile/testdata/v1/" + kind + ".model")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Marshal(m); !errors.Is(err, mlcore.ErrKind) || !strings.Contains(err.Error(), kind) || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v of %s does not wrap ErrKind or say %q", err, kind, why)
		}
	}
	for kind := range notWritten {
		if !slices.Contains(archive.Kinds(), kind) {
			t.Errorf("there is no kind %s", kind)
		}
	}
}

// aside are fields of models that change no prediction, or that another field implies.
var aside = strings.Fields(`
	version schema input_columns features classes columns present
	status history solutions tolerance interrupted stopped_early best_epoch mistakes errors training_loss validation_loss
	inference inference_undefined fit aliased terms solver alpha l1_ratio l1 l2 dropout init loss epsilon
	rule samples weight impurity class_weights gain curvature value allow_missing levels has_levels
	means scalings explained_variance_ratio total_variance inertia log_likelihood
	scores p_values has_p_values judged ranking
	support degree gamma coef0
`)

// A converter asks for every field of a model that predictions depend on: one that a kind
// has gained since is not passed over in silence.
func TestFieldsAreRead(t *testing.T) {
	for _, f := range fixtures(t) {
		r, err := archive.TakeApart(f.model)
		if err != nil {
			t.Fatal(err)
		}
		about := describe(r, f.model)
		g := &graph{}
		x, err := g.input(about.columns, about.features)
		if err == nil {
			_, err = g.convert(r, x, about.features)
		}
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		for _, name := range r.Unasked() {
			if field := name[strings.LastIndex(name, ".")+1:]; !slices.Contains(aside, field) {
				t.Errorf("the converter of %s does not read %s; if no prediction depends on it, its place is in the list aside", f.name, name)
			}
		}
	}
}

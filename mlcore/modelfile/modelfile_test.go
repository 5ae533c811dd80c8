package modelfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/bayes"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	for _, s := range samples(t) {
		path := filepath.Join(dir, "model")
		if err := modelfile.Save(path, s.model); err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		back, err := modelfile.Load[any](path)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if got, want := answers(t, back, s.queries), answers(t, s.model, s.queries); !slices.EqualFunc(got, want, sameBits) {
			t.Errorf("%s: answers %v, want %v", s.name, got, want)
		}
		if first, second := mustMarshal(t, s.model), mustMarshal(t, back); !bytes.Equal(first, second) {
			t.Errorf("%s: a second save writes other bytes", s.name)
		}
		if d, ok := s.model.(mlcore.Described); ok && !back.(mlcore.Described).Schema().Equal(d.Schema()) {
			t.Errorf("%s: the Schema is %v, was %v", s.name, back.(mlcore.Described).Schema(), d.Schema())
		}
	}
}

func mustMarshal(t *testing.T, m any) []byte {
	t.Helper()
	data, err := modelfile.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Members share one Schema, which is written once however many they are.
func TestSchemaIsWrittenOnce(t *testing.T) {
	_, _, mixed := data(t)
	bag, err := ensemble.BaggingConfig{Estimators: 20, Learner: mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.FitClassifier)}.FitClassifier(mixed)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(mustMarshal(t, bag), []byte("middling")); n != 1 {
		t.Errorf("a level's name is written %d times, want once", n)
	}
	back, err := modelfile.Unmarshal[*ensemble.Bagging](mustMarshal(t, bag))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range back.Members() {
		if s := m.(mlcore.Described).Schema(); !s.Equal(mixed.Schema()) {
			t.Fatalf("member %d has the Schema %v", i, s)
		}
	}
}

// own is a model of another module.
type own struct{ class int }

func (m *own) NumFeatures() int               { return 4 }
func (m *own) NumClasses() int                { return 3 }
func (m *own) MarshalBinary() ([]byte, error) { return []byte{byte(m.class)}, nil }
func (m *own) UnmarshalBinary(data []byte) error {
	if len(data) != 1 || data[0] > 2 {
		return errors.New("not one of three classes")
	}
	m.class = int(data[0])
	return nil
}

func (m *own) Predict(X mat.Matrix) ([]int, error) {
	n, _ := X.Dims()
	return slices.Repeat([]int{m.class}, n), nil
}

func init() { modelfile.Register[own]("example.org/mymodels.Constant") }

// A registered model can be part of anything.
func TestForeignModel(t *testing.T) {
	numbers, _, _ := data(t)
	constant := func(*mlcore.Dataset) (mlcore.Classifier, error) { return &own{2}, nil }
	voting, err := ensemble.VotingConfig{Learners: []mlcore.ClassifierLearner{constant, mlcore.LearnClassifier(bayes.GaussianConfig{}.FitClassifier)}}.FitClassifier(numbers)
	if err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.Unmarshal[*ensemble.Voting](mustMarshal(t, voting))
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := back.Members()[0].(*own); !ok || m.class != 2 {
		t.Errorf("the member comes back as %#v", back.Members()[0])
	}
	text, err := modelfile.MarshalJSON(&own{1})
	if err != nil || !strings.Contains(string(text), `"kind": "example.org/mymodels.Constant"`) {
		t.Errorf("JSON %s (%v)", text, err)
	}
	if _, err := modelfile.Unmarshal[*own](reseal(t, mustMarshal(t, &own{2}), func(b []byte) { b[len(b)-1] = 9 })); !errors.Is(err, mlcore.ErrCorrupt) || !strings.Contains(err.Error(), "three classes") {
		t.Errorf("bytes that the model refuses: %v", err)
	}
	for _, kind := range []string{"Constant", "mymodels.Constant", "example.org/mymodels.Constant"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("kind %q is accepted", kind)
				}
			}()
			modelfile.Register[other](kind)
		}()
	}
}

type other struct{ own }

// reseal changes the body of a message and gives it a right checksum.
func reseal(t *testing.T, data []byte, change func(body []byte)) []byte {
	t.Helper()
	body := slices.Clone(archive.Unsealed(data))
	change(body)
	return archive.Seal(body)
}

func TestRefused(t *testing.T) {
	numbers, _, _ := data(t)
	m, err := bayes.GaussianConfig{}.FitClassifier(numbers)
	if err != nil {
		t.Fatal(err)
	}
	good := mustMarshal(t, m)
	kindAt := bytes.Index(good, []byte("bayes.Gaussian"))
	old := []byte("MLLB\x0e\x00\x00\x00\x00\x00\x00\x00bayes.Gaussian")
	if _, err := modelfile.Unmarshal[*bayes.Gaussian](good); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		data []byte
		want error
		says string
	}{
		{"nothing", nil, mlcore.ErrCorrupt, "not an mllabs model"},
		{"another file", []byte("<html>an error page of some length"), mlcore.ErrCorrupt, "not an mllabs model"},
		{"cut short", good[:len(good)/2], mlcore.ErrCorrupt, "checksum"},
		{"a development version", old, mlcore.ErrVersion, "before v0.1.0"},
		{"unknown kind of the library", reseal(t, good, func(b []byte) { copy(b[kindAt:], "bayes.Gaussxxx") }), mlcore.ErrKind, `import _ "github.com/mllabs-go/mllabs/mlcore/all"`},
		{"unknown kind of another", reseal(t, good, func(b []byte) { copy(b[kindAt:], "a.b/c.Gaussian") }), mlcore.ErrKind, `import _ "a.b/c"`},
		{"a newer kind", reseal(t, good, func(b []byte) { binary.LittleEndian.PutUint64(b[kindAt+14:], 7) }), mlcore.ErrVersion, "version 7 of bayes.Gaussian"},
		{"a newer format", reseal(t, good, func(b []byte) { b[len("mllabs model\n")] = 9 }), mlcore.ErrVersion, "format 9"},
		{"bytes left over", archive.Seal(append(slices.Clone(archive.Unsealed(good)), 0)), mlcore.ErrCorrupt, "left over"},
	} {
		_, err := modelfile.Unmarshal[any](tc.data)
		if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want %v that says %q", tc.name, err, tc.want, tc.says)
		}
	}
	if _, err := modelfile.Unmarshal[*tree.Classifier](good); !errors.Is(err, mlcore.ErrCorrupt) || !strings.Contains(err.Error(), "holds a bayes.Gaussian where a *tree.Classifier is needed") {
		t.Errorf("a model of another type: %v", err)
	}
	if _, err := modelfile.Unmarshal[mlcore.Regressor](good); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("a classifier for a regressor: %v", err)
	}
	dir := t.TempDir()
	if err := modelfile.Save(filepath.Join(dir, "m"), new(bayes.Gaussian)); !errors.Is(err, mlcore.ErrNotFitted) {
		t.Errorf("saving a model that is not fitted: %v", err)
	}
	if err := modelfile.Save(filepath.Join(dir, "m"), 7); !errors.Is(err, mlcore.ErrConfig) || !strings.Contains(err.Error(), "modelfile.Register") {
		t.Errorf("saving a number: %v", err)
	}
	if err := modelfile.Save(filepath.Join(dir, "m"), nil); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("saving nil: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%d files are left (%v)", len(entries), err)
	}
	if _, err := modelfile.Load[any](filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// JSON that a person has edited is checked like any other.
func TestEditedJSON(t *testing.T) {
	numbers, _, _ := data(t)
	m, err := tree.Config{MaxDepth: 1}.FitClassifier(numbers)
	if err != nil {
		t.Fatal(err)
	}
	text, err := modelfile.MarshalJSON(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, from, to, says string }{
		{"no JSON", "{", "", "not JSON"},
		{"no field", `"allow_missing"`, `"allow"`, "allow_missing"},
		{"a field too many", `"allow_missing": false,`, `"allow_missing": false, "more": 1,`, "do not belong there"},
		{"a word for a number", `"features": 4`, `"features": "four"`, "features"},
		{"no such rule", `"rule": "at most"`, `"rule": "about"`, `"about"`},
		{"a feature that is not there", `"features": 4`, `"features": 1`, ""},
	} {
		edited := strings.Replace(string(text), tc.from, tc.to, 1)
		if edited == string(text) {
			t.Fatalf("%s: there is no %s in\n%s", tc.name, tc.from, text)
		}
		if _, err := modelfile.UnmarshalJSON[any]([]byte(edited)); !errors.Is(err, mlcore.ErrCorrupt) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want ErrCorrupt that says %q", tc.name, err, tc.says)
		}
	}
}

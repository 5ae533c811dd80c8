package modelfile_test

import (
	"encoding/json"
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
	"github.com/mllabs-go/mllabs/mlcore/internal/atomicfile"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

var update = flag.Bool("update", false, "write fixtures of kinds that have none yet; those that exist stay as they are")

const fixtures = "testdata/v1"

// expected is what the model of a fixture said when it was written.
type expected struct {
	Queries [][]string `json:"queries"`
	Answers []string   `json:"answers"`
	Classes []string   `json:"classes,omitempty"`
	Outcome string     `json:"outcome,omitempty"` // of the fit; files of v0.1 have none
}

// outcome is how the fit of a model ended, "" where the model does not say.
func outcome(m any) string {
	if m, ok := m.(interface{ Status() mlcore.Status }); ok {
		return m.Status().Outcome.String()
	}
	return ""
}

// kindAndVersion are those of the model in a file that a person can read.
func kindAndVersion(t *testing.T, readable []byte) (kind string, version int) {
	t.Helper()
	var file struct {
		Model struct {
			Kind    string
			Version int
		}
	}
	if err := json.Unmarshal(readable, &file); err != nil || file.Model.Kind == "" || file.Model.Version < 1 {
		t.Fatalf("a model of kind %q and version %d (%v)", file.Model.Kind, file.Model.Version, err)
	}
	return file.Model.Kind, file.Model.Version
}

func fixture(name string) string {
	return filepath.Join(fixtures, strings.ReplaceAll(name, " ", "-"))
}

// Files of format 1 stay readable: the files under testdata/v1 are never written
// again. What a loaded model says is compared with what the model said that was saved,
// but for the rounding that a later release may do otherwise.
func TestFilesOfVersion1(t *testing.T) {
	if *update {
		writeFixtures(t)
	}
	type versioned struct {
		kind    string
		version int
	}
	tested := map[versioned]bool{}
	files, err := filepath.Glob(filepath.Join(fixtures, "*.model"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures (%v)", err)
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".model")
		var want expected
		text, err := os.ReadFile(base + ".expected.json")
		if err == nil {
			err = json.Unmarshal(text, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		rows := make([][]float64, len(want.Queries))
		X := mat.NewDense(len(rows), len(want.Queries[0]), nil)
		for i, row := range want.Queries {
			X.SetRow(i, numbersOf(t, row))
		}
		binary, err := modelfile.Load[any](file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		readable, err := os.ReadFile(base + ".json")
		if err != nil {
			t.Fatal(err)
		}
		fromJSON, err := modelfile.UnmarshalJSON[any](readable)
		if err != nil {
			t.Errorf("%s.json: %v", base, err)
			continue
		}
		for form, m := range map[string]any{"binary": binary, "JSON": fromJSON} {
			if got := answers(t, m, X); !slices.EqualFunc(got, numbersOf(t, want.Answers), nearly) {
				t.Errorf("%s, %s: answers %v, want %v", base, form, got, want.Answers)
			}
			if d, ok := m.(mlcore.Described); ok && !slices.Equal(d.Schema().ClassNames, want.Classes) {
				t.Errorf("%s, %s: classes %q, want %q", base, form, d.Schema().ClassNames, want.Classes)
			}
			if got := outcome(m); want.Outcome != "" && got != want.Outcome {
				t.Errorf("%s, %s: the fit ended with %q, want %q", base, form, got, want.Outcome)
			}
		}
		kind, version := kindAndVersion(t, readable)
		tested[versioned{kind, version}] = true
	}
	// Every version of every kind that a file can have.
	current := map[string]int{}
	for _, s := range samples(t) {
		readable, err := modelfile.MarshalJSON(s.model)
		if err != nil {
			t.Fatal(err)
		}
		kind, version := kindAndVersion(t, readable)
		current[kind] = version
	}
	for _, kind := range archive.Kinds() {
		if strings.Contains(kind, "/") {
			continue // of a test
		}
		for version := range current[kind] {
			if !tested[versioned{kind, version + 1}] {
				t.Errorf("version %d of kind %s has no fixture; with a sample of its own, go test -run TestFilesOfVersion1 -update writes that of the current version", version+1, kind)
			}
		}
		if current[kind] == 0 {
			t.Errorf("kind %s has no sample: add a model to samples in kinds_test.go, then go test ./mlcore/modelfile -run TestFilesOfVersion1 -update writes its fixture", kind)
		}
	}
}

// Numbers stand in fixtures as decimals that read back to the same bits.
func numbersOf(t *testing.T, texts []string) []float64 {
	t.Helper()
	v := make([]float64, len(texts))
	for i, text := range texts {
		var err error
		if v[i], err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

func textsOf(v []float64) []string {
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = fmt.Sprint(x)
	}
	return texts
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func nearly(a, b float64) bool {
	return sameBits(a, b) || math.Abs(a-b) <= 1e-9*max(1, math.Abs(b))
}

func writeFixtures(t *testing.T) {
	t.Helper()
	if err := os.MkdirAll(fixtures, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range samples(t) {
		base := fixture(s.name)
		if _, err := os.Stat(base + ".model"); err == nil {
			continue
		}
		e := expected{Answers: textsOf(answers(t, s.model, s.queries)), Outcome: outcome(s.model)}
		for i := range s.queries.RawMatrix().Rows {
			e.Queries = append(e.Queries, textsOf(s.queries.RawRowView(i)))
		}
		if d, ok := s.model.(mlcore.Described); ok {
			e.Classes = d.Schema().ClassNames
		}
		text, err := json.MarshalIndent(e, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		readable, err := modelfile.MarshalJSON(s.model)
		if err != nil {
			t.Fatal(err)
		}
		for file, data := range map[string][]byte{base + ".expected.json": append(text, '\n'), base + ".json": readable} {
			if err := atomicfile.Write(file, data); err != nil {
				t.Fatal(err)
			}
		}
		if err := modelfile.Save(base+".model", s.model); err != nil {
			t.Fatal(err)
		}
	}
}

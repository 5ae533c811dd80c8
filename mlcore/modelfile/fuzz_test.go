package modelfile_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/archive"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"gonum.org/v1/gonum/mat"
)

// FuzzUnmarshal changes the bytes of a file of every kind and gives them a right
// checksum, or no decoder would read further than that. What is refused says so; what
// is accepted answers and explains itself without a panic. Neither takes much more
// memory than there are bytes.
func FuzzUnmarshal(f *testing.F) {
	for _, data := range fixtureFiles(f, "*.model") {
		f.Add(archive.Unsealed(data))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		data := archive.Seal(slices.Clone(body))
		decode(t, "a changed file", len(data), func() (any, error) { return modelfile.Unmarshal[any](data) })
	})
}

// FuzzUnmarshalJSON does the same to the form that a person can read and edit.
func FuzzUnmarshalJSON(f *testing.F) {
	for _, data := range fixtureFiles(f, "*.json") {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		decode(t, "a changed file", len(data), func() (any, error) { return modelfile.UnmarshalJSON[any](data) })
	})
}

func fixtureFiles(t testing.TB, pattern string) [][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures (%v)", err)
	}
	var all [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

func decode(t *testing.T, name string, size int, read func() (any, error)) {
	t.Helper()
	if m := readWithinBounds(t, name, size, read); m != nil {
		askWithinBounds(t, name, m, size)
		explain(m)
	}
}

// explain asks a model for all that it says of itself. Models that claim to be huge are
// let alone: that is a column or a class at a time.
func explain(m any) {
	if c, ok := m.(mlcore.Classifier); ok && c.NumClasses() > 1000 || featuresOf(m) > 1000 {
		return
	}
	for _, v := range []float64{0, 1, 2.5, -1e300} {
		X := mat.NewDense(2, featuresOf(m), nil)
		X.Apply(func(_, _ int, _ float64) float64 { return v }, X)
		_, _ = ask(m, X)
	}
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		if v.Method(i).Type().NumIn() == 0 {
			v.Method(i).Call(nil)
		}
	}
}

package modelfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelfile"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"gonum.org/v1/gonum/mat"
)

// always returns a model that predicts one class of three.
func always(t *testing.T, class int) *tree.Classifier {
	t.Helper()
	ds := &mlcore.Dataset{
		Columns: []mlcore.Column{{Name: "x"}}, ClassNames: []string{"a", "b", "c"},
		X: mat.NewDense(1, 1, nil), Y: []int{class},
	}
	m, err := tree.Config{}.FitClassifier(ds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func predicted(t *testing.T, m mlcore.Classifier) int {
	t.Helper()
	y, err := m.Predict(mat.NewDense(1, 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	return y[0]
}

func TestSource(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.model")
	if _, err := modelfile.Open[mlcore.Classifier](path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	save := func(class int) func() error {
		return func() error { return modelfile.Save(path, always(t, class)) }
	}
	write := func(text string) func() error { return func() error { return os.WriteFile(path, []byte(text), 0o600) } }
	if err := save(0)(); err != nil {
		t.Fatal(err)
	}
	source, err := modelfile.Open[mlcore.Classifier](path)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		do   func() error
		want int
		err  error
	}{
		{"as it was", func() error { return nil }, 0, nil},
		{"replaced", save(1), 1, nil},
		{"broken", write("no model"), 1, mlcore.ErrCorrupt},
		{"broken still", func() error { return nil }, 1, mlcore.ErrCorrupt},
		{"gone", func() error { return os.Remove(path) }, 1, fs.ErrNotExist},
		{"there again", save(2), 2, nil},
		{"of the same size and another time", func() error {
			if err := save(0)(); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, time.Unix(1, 0))
		}, 0, nil},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		m, err := source.Model()
		if !errors.Is(err, step.err) || step.err == nil && err != nil {
			t.Errorf("%s: error %v, want %v", step.name, err, step.err)
		}
		if got := predicted(t, m); got != step.want {
			t.Errorf("%s: predicts %d, want %d", step.name, got, step.want)
		}
	}
	if _, err := modelfile.Open[mlcore.Regressor](path); !errors.Is(err, mlcore.ErrCorrupt) {
		t.Errorf("another kind of model: %v", err)
	}
}

// While the file is replaced, every answer comes from a whole model, and from the last
// one when all is done.
func TestSourceWhileReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows replaces no file that is being read all the time")
	}
	path := filepath.Join(t.TempDir(), "m.model")
	models := []*tree.Classifier{always(t, 0), always(t, 1), always(t, 2)}
	if err := modelfile.Save(path, models[0]); err != nil {
		t.Fatal(err)
	}
	source, err := modelfile.Open[mlcore.Classifier](path)
	if err != nil {
		t.Fatal(err)
	}
	var done atomic.Bool
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for !done.Load() {
				m, err := source.Model()
				if err != nil {
					t.Error(err)
					return
				}
				if y, err := m.Predict(mat.NewDense(1, 1, nil)); err != nil || y[0] < 0 || y[0] > 2 {
					t.Error(y, err)
					return
				}
			}
		})
	}
	for i := range 200 {
		if err := modelfile.Save(path, models[i%3]); err != nil {
			t.Error(err)
		}
	}
	done.Store(true)
	askers.Wait()
	if m, err := source.Model(); err != nil || predicted(t, m) != 199%3 {
		t.Errorf("at the end: class %d, error %v", predicted(t, m), err)
	}
}

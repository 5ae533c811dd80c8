//go:build unix

package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// What is right is noted, what is gone is dropped, and the rest stays.
func TestNoteSums(t *testing.T) {
	for _, write := range []bool{true, false} {
		r, _ := newReporter(t)
		for name, text := range map[string]string{
			"notebooks/go.mod": "module m\n", "scripts/go.mod": "module m\n", "notebooks/lab3/01_x.ipynb": "{}", "notebooks/lab3/02_y.ipynb": "{}",
			key.SumsFile: "lab3/01_x 11\nlab3/02_y 22\nlab3/03_gone 33\n",
		} {
			path := r.Path(filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		nbs := []project.Notebook{
			{Course: "lab3", Topic: "01_x", Path: r.Path("notebooks", "lab3", "01_x.ipynb")},
			{Course: "lab3", Topic: "02_y", Path: r.Path("notebooks", "lab3", "02_y.ipynb")},
		}
		right := &notebook.Notebook{}
		k, err := r.keys().Notebook(right, filepath.Dir(nbs[0].Path))
		if err != nil {
			t.Fatal(err)
		}
		changed, err := r.noteSums(nbs, []*notebook.Notebook{right, nil}, write)
		if err != nil {
			t.Fatal(err)
		}
		want := "lab3/01_x " + k + "\nlab3/02_y 22\n"
		if !write {
			want = "lab3/01_x 11\nlab3/02_y 22\nlab3/03_gone 33\n"
		}
		got, err := os.ReadFile(r.Path(key.SumsFile))
		if err != nil || string(got) != want || changed != 2 {
			t.Errorf("write %v: %q, %v, %d changed; want %q and 2", write, got, err, changed, want)
		}
	}
}

// The exercises of a notebook are tried by lab test if its key is not the one that was noted.
func TestChanged(t *testing.T) {
	r, _ := newReporter(t)
	for name, text := range map[string]string{"notebooks/go.mod": "module m\n", "scripts/go.mod": "module m\n"} {
		path := r.Path(filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	nbs, err := r.Notebooks()
	if err != nil || len(nbs) != 1 {
		t.Fatal(nbs, err)
	}
	nb, err := notebook.Read(nbs[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	k, err := r.keys().Notebook(nb, filepath.Dir(nbs[0].Path))
	if err != nil {
		t.Fatal(err)
	}
	for noted, want := range map[string]bool{k: false, strings.Repeat("0", 64): true} {
		if err := (key.Sums{nbs[0].Name(): noted}).Write(r.Project); err != nil {
			t.Fatal(err)
		}
		changed, err := r.changed(nbs)
		if err != nil || changed(0) != want {
			t.Errorf("noted %s: changed %v, %v", noted, changed(0), err)
		}
	}
}

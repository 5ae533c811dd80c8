package browser

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/andybalholm/brotli"
)

// contents are those of all files below a folder; compressed ones are unpacked.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var r io.Reader = bytes.NewReader(data)
		switch filepath.Ext(path) {
		case ".gz":
			r, err = gzip.NewReader(r)
		case ".br":
			r = brotli.NewReader(r)
		}
		if err == nil {
			files[path], err = io.ReadAll(r)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Of the recorded answers a site gets those of its notebooks, and none that a worked notebook
// alone asks for.
func TestWhichAnswersGoOut(t *testing.T) {
	b := &builder{root: t.TempDir(), cache: t.TempDir(), notebooks: []string{"lab/01_first", "lab/02_none"}}
	for name, text := range map[string]string{
		"lab/01_first/aa.txt": "for students", "lab/01_first/worked/bb.txt": "of a solution", "lab/03_other/cc.txt": "of a notebook that is not there", "lab/01_first/README.md": "no answer",
	} {
		file := filepath.Join(b.root, filepath.FromSlash(recordedIn), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	answers, err := b.recorded()
	if err != nil {
		t.Fatal(err)
	}
	if keys := slices.Collect(maps.Keys(answers)); !slices.Equal(keys, []string{"aa"}) {
		t.Errorf("answers to %q go out", keys)
	}
	files := contents(t, b.cache)
	for path, text := range files {
		if string(text) != "for students" {
			t.Errorf("%s holds %q", path, text)
		}
	}
	if len(files) != 3 {
		t.Errorf("there are %d files, want the answer and its two compressed forms", len(files))
	}
}

// The engine of a real course, unpacked, holds no answer that its worked notebooks alone ask
// for, and all that students' copies ask for.
func TestNoAnswerIsGivenAway(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	site, err := engineFolder()
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, text := range contents(t, filepath.Join(site, "engine")) {
		held[string(text)] = true
	}
	given := 0
	for _, nb := range resolved(t, "lab3") {
		for key, text := range answersIn(t, recordedOf(nb.Name(), "worked")) {
			if held[text] {
				t.Errorf("the engine holds answer %s, which only the worked notebook asks for", key)
			}
		}
		for key, text := range answersIn(t, recordedOf(nb.Name(), "")) {
			if given++; !held[text] {
				t.Errorf("the engine lacks answer %s", key)
			}
		}
	}
	if given == 0 {
		t.Error("no answer is looked for")
	}
}

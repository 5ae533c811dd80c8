package project

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
)

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// Whoever imports the library downloads the root module and what it requires: not the
// notebooks, their pictures or the tool, and nothing that only these need.
func TestTheLibraryIsSmall(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile(p.Path("go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"\ntool", "replace", Module + "/", "gonb", "goja", "chroma", "goldmark", "bluemonday", "x/tools"} {
		if strings.Contains(string(gomod), other) {
			t.Errorf("go.mod has %q", other)
		}
	}
	var size counter
	z := zip.NewWriter(&size)
	root := os.DirFS(p.Root)
	for _, folder := range []string{"mlcore", "datasets"} {
		err = errors.Join(err, fs.WalkDir(root, folder, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case !d.Type().IsRegular():
				return nil
			}
			f, err := root.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			w, err := z.Create(name)
			if err == nil {
				_, err = io.Copy(w, f)
			}
			return err
		}))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil || size > 6e6 {
		t.Errorf("the module's zip has %d bytes (%v), 6,000,000 at most", size, err)
	}
}

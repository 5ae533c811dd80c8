package browser

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// The installed Go's sources look as what is laid over them expects it.
func TestLaidOver(t *testing.T) {
	g, version, err := newGoCommand(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	for tool, list := range changes {
		for _, c := range list {
			paths, err := filepath.Glob(filepath.Join(g.goroot, "src", "cmd", c.files))
			if err != nil {
				t.Fatal(err)
			}
			folders := map[string]bool{} // whether a file of theirs has changed
			for _, path := range paths {
				source, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				text, err := c.to(source)
				if err != nil {
					t.Fatal(err)
				}
				folder := filepath.Dir(path)
				folders[folder] = folders[folder] || !bytes.Equal(text, source)
			}
			if len(folders) == 0 {
				t.Errorf("%s: %s has no %s", tool, version, c.files)
			}
			for folder, changed := range folders {
				if changed == (filepath.Base(folder) == "wasm") {
					t.Errorf("%s, %s of %s: changed is %v", tool, folder, version, changed)
				}
			}
		}
	}
}

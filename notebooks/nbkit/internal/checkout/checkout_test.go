package checkout

import (
	"os"
	"path/filepath"
	"testing"
)

// This package lies four folders below the root.
// A notebook outside the checkout is told where that is.
func TestRootOfANotebookElsewhere(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(wd, "..", "..", "..", "..")
	t.Setenv("GONB_DIR", t.TempDir())
	t.Setenv(RootEnv, wd)
	t.Chdir(t.TempDir())
	if root, err := Root(); err != nil || root != want {
		t.Errorf("%s, %v", root, err)
	}
}

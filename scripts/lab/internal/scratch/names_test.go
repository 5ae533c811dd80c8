package scratch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Nobody else makes folders of such names: they are nobody's without the lock, and are cleared
// while they are in use. PDFs were lost in this way.
func TestOnlyThisPackageUsesItsNames(t *testing.T) {
	makes := regexp.MustCompile(`MkdirTemp\([^,]*, *"` + prefix + `[a-z]+-"`)
	files := 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if found := makes.Find(text); found != nil {
			t.Errorf("%s: %s is for scratch.New", path, found)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files were read, %v", files, err)
	}
}

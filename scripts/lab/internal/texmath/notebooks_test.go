package texmath_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/texmath"
)

// All formulas of the notebooks are understood, and Typst sets them without a message.
func TestNotebooks(t *testing.T) {
	formulas := map[string]string{}
	files, all := 0, 0
	root := filepath.FromSlash("../../../../notebooks")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".ipynb" {
			return err
		}
		nb, err := notebook.Read(path)
		if err != nil {
			return err
		}
		files++
		for _, c := range nb.Cells {
			if c.Type != "markdown" {
				continue
			}
			for _, tex := range export.ReadMarkdown(c.Source).Formulas {
				all++
				if _, ok := formulas[tex]; ok {
					continue
				}
				src, err := texmath.Typst(tex)
				if err != nil {
					t.Errorf("%s: the formula %s %v", path, tex, err)
					continue
				}
				if bad := texmath.Unsafe(src); bad != "" {
					t.Errorf("%s: %s has %q", path, src, bad)
				}
				formulas[tex] = src
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d notebooks, %d formulas, %d different", files, all, len(formulas))
	if files < 92 || len(formulas) < 1000 {
		t.Fatal("these are not all notebooks")
	}
	texmath.Compile(t, formulas)
}

package datasets

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// What lab data list and the citations in notebooks print of a set is there, and its
// files are pinned to their bytes.
func TestCatalogueIsComplete(t *testing.T) {
	if !slices.IsSorted(Names()) {
		t.Errorf("the catalogue is not in alphabetical order: %q", Names())
	}
	for _, s := range All() {
		for what, text := range map[string]string{"Title": s.Title, "Description": s.Description, "Home": s.Home, "Licence": s.Licence, "Citation": s.Citation, "Task": string(s.Task)} {
			if text == "" {
				t.Errorf("%s has no %s", s.Name, what)
			}
		}
		if len(s.Targets) == 0 || len(s.Files) == 0 {
			t.Errorf("%s has %d targets and %d files", s.Name, len(s.Targets), len(s.Files))
		}
		for _, target := range s.Targets {
			if !slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Name == target }) {
				t.Errorf("%s: target %s is no column", s.Name, target)
			}
		}
		for _, f := range s.Files {
			if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || f.Size <= 0 || f.Rows <= 0 {
				t.Errorf("%s, %s: SHA256 %q, %d bytes, %d rows", s.Name, f.Name, f.SHA256, f.Size, f.Rows)
			}
			if !strings.HasPrefix(f.URL, "https://") {
				t.Errorf("%s, %s: its URL is %q; pin one that begins with https://", s.Name, f.Name, f.URL)
			}
		}
	}
}

//go:build !handout

package project

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A cell that a course's README.md names, `02_decision_trees#colour` or, of another
// course, `lab3/02_decision_trees#leaf`.
var namedCell = regexp.MustCompile("`((?:[a-z]\\w*/)?\\d\\d_\\w+)#([^`\\s]*)`")

// missingCells returns a fault for each cell that the text of the README.md of a course
// names and that is in no notebook, and how many are named.
func missingCells(p Project, course, text string) (faults []string, named int, err error) {
	ids := map[string][]string{}
	for _, match := range namedCell.FindAllStringSubmatch(text, -1) {
		named++
		name, id := match[1], match[2]
		if !strings.Contains(name, "/") {
			name = course + "/" + name
		}
		if _, read := ids[name]; !read {
			ids[name], err = cellIDs(p.Path("notebooks", filepath.FromSlash(name)+".ipynb"))
			if err != nil && !os.IsNotExist(err) {
				return nil, 0, err
			}
		}
		switch {
		case ids[name] == nil:
			faults = append(faults, fmt.Sprintf("%s: there is no notebook %s", match[0], name))
		case !slices.Contains(ids[name], id):
			faults = append(faults, fmt.Sprintf("%s: notebook %s has no cell with the id %q", match[0], name, id))
		}
	}
	return faults, named, nil
}

func cellIDs(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var notebook struct {
		Cells []struct {
			ID string `json:"id"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &notebook); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	ids := []string{}
	for _, c := range notebook.Cells {
		ids = append(ids, c.ID)
	}
	return ids, nil
}

// Each cell that the README.md of a course names is there, as in the table that says
// which cell works which section of the course's document.
func TestCellsInReadmesExist(t *testing.T) {
	p, err := Find(".")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(GlobQuote(p.Path("notebooks")), "*", "README.md"))
	if err != nil || len(paths) < len(CourseOrder) {
		t.Fatalf("%d READMEs: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		course := filepath.Base(filepath.Dir(path))
		faults, _, err := missingCells(p, course, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			t.Errorf("notebooks/%s/README.md names %s", course, fault)
		}
	}
}

// The faults of a README.md that was made for this test, by hand.
func TestMissingCells(t *testing.T) {
	p := made(t, "notebooks/lab3/02_trees.ipynb", "notebooks/uci/01_data.ipynb")
	for name, text := range map[string]string{
		"lab3/02_trees": `{"cells": [{"id": "leaf"}, {"id": "split-show"}]}`,
		"uci/01_data":   `{"cells": []}`,
	} {
		if err := os.WriteFile(p.Path("notebooks", filepath.FromSlash(name)+".ipynb"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text  string
		named int
		want  string
	}{
		{"| Section | `02_trees#leaf`, `02_trees#split-show` |", 2, ""},
		{"`02_trees` and `#leaf` and `a#b` are no cells", 0, ""},
		{"`02_trees#leaves`", 1, "`02_trees#leaves`: notebook lab3/02_trees has no cell with the id \"leaves\""},
		{"`02_trees#`", 1, "`02_trees#`: notebook lab3/02_trees has no cell with the id \"\""},
		{"`03_trees#leaf`", 1, "`03_trees#leaf`: there is no notebook lab3/03_trees"},
		{"`lab3/02_trees#leaf` `uci/01_data#leaf`", 2, "`uci/01_data#leaf`: notebook uci/01_data has no cell with the id \"leaf\""},
	} {
		faults, named, err := missingCells(p, "lab3", c.text)
		if err != nil || named != c.named || strings.Join(faults, "\n") != c.want {
			t.Errorf("%s: %q of %d, %v", c.text, faults, named, err)
		}
	}
}

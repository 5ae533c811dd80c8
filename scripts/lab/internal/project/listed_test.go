//go:build !handout

package project

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every notebook of this checkout is where a reader looks for it, and every course has
// its place in the book.
func TestNotebooksAreListed(t *testing.T) {
	_ = os.Getenv(TestedVariable)
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	nbs, err := p.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	// read returns a README, or nothing where there is none.
	read := func(folder string) string {
		text, _ := os.ReadFile(filepath.Join(p.Root, folder, "README.md"))
		return string(text)
	}
	courses := map[string]bool{"": true}
	for _, nb := range nbs {
		folder := path.Join("notebooks", nb.Course)
		readme, link := read(folder), "("+path.Base(nb.Path)+")"
		if nb.Course == "" {
			folder, readme, link = "", read(""), "("+p.Rel(nb.Path)+")"
		}
		if !strings.Contains(readme, link) {
			t.Errorf("%s has no link %s: add a row to its table of notebooks", path.Join(folder, "README.md"), link)
		}
		if courses[nb.Course] {
			continue
		}
		courses[nb.Course] = true
		if !slices.Contains(CourseOrder, nb.Course) {
			t.Errorf("course %s is not in CourseOrder: add it in scripts/lab/internal/project/notebooks.go, where it belongs in the book", nb.Course)
		}
		if !strings.HasPrefix(readme, "# ") {
			t.Errorf("%s/README.md does not begin with a heading: write one, it is the title of the course in the book", folder)
		}
		if !strings.Contains(read(""), "("+folder+")") {
			t.Errorf("README.md has no link to %s: add a row to its table of courses", folder)
		}
	}
	for _, course := range CourseOrder {
		if !courses[course] {
			t.Errorf("CourseOrder has %s, and no notebook is in notebooks/%[1]s", course)
		}
	}
	if len(nbs) < 40 {
		t.Errorf("%d notebooks were found", len(nbs))
	}
}

//go:build !handout

package project

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Every notebook of this checkout is where a reader looks for it, and every course has
// its place in the book.
func TestNotebooksAreListed(t *testing.T) {
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
	readme, err := os.ReadFile(p.Path("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	courses := map[string]bool{"": true}
	for _, nb := range nbs {
		if !strings.Contains(string(readme), "("+p.Rel(nb.Path)+")") {
			t.Errorf("README.md has no link to %s: add a row to the table of its course", p.Rel(nb.Path))
		}
		if courses[nb.Course] {
			continue
		}
		courses[nb.Course] = true
		if !slices.Contains(CourseOrder, nb.Course) {
			t.Errorf("course %s is not in CourseOrder: add it in scripts/lab/internal/project/notebooks.go, where it belongs in the book", nb.Course)
		}
		if text, err := os.ReadFile(p.Path("notebooks", nb.Course, "README.md")); err != nil || !strings.HasPrefix(string(text), "# ") {
			t.Errorf("notebooks/%s/README.md does not begin with a heading: write one, it is the title of the course in the book", nb.Course)
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

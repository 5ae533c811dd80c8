//go:build !handout && !light

package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/syllabus"
)

var minutesAtTop = regexp.MustCompile(`\*\*Time:\*\*[^.]*?(\d+) minutes`)

// What the syllabus tells instructors is what a notebook tells its reader.
func TestMinutesAtTheTop(t *testing.T) {
	p, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	nbs, err := p.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, nb := range nbs {
		worked, err := notebook.Read(nb.Path)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, c := range worked.Cells {
			if m := minutesAtTop.FindStringSubmatch(c.Source); m != nil && c.Type == "markdown" {
				said = append(said, m[1])
			}
		}
		if want := strconv.Itoa(worked.Needs().Minutes); len(said) != 1 || said[0] != want {
			t.Errorf("%s: its text says %q minutes, its metadata %s", nb.Name(), said, want)
		}
	}
}

// The committed page is that of today's notebooks, each with its minutes.
func TestSyllabusIsCurrent(t *testing.T) {
	p, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	e := &env{Project: p}
	pages, err := e.syllabus()
	if err != nil {
		t.Fatal(err)
	}
	page := pages["notebooks/SYLLABUS.md"]
	if lines := strings.Count(page, "\n"); lines > 150 {
		t.Errorf("%d lines: nobody plans a course with more than 150", lines)
	}
	if strings.Contains(page, "| ? |") || strings.Contains(page, "(? min") {
		t.Error("a notebook does not say how many minutes it takes: \"mllabs\": {\"minutes\": 120} in its metadata")
	}
	if say, err := e.staleSyllabus(); err != nil || say != "" {
		t.Error(say, err)
	}
}

// An old page, or one that is missing, fails the check of all notebooks, which says what to do.
// A folder without path.json, as it is handed out, has no such pages.
func TestStaleSyllabus(t *testing.T) {
	here, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	entries, err := os.ReadDir(here.Path("notebooks"))
	for _, folder := range []string{"notebooks", "figures"} {
		if err == nil {
			err = os.Mkdir(filepath.Join(root, folder), 0o755)
		}
	}
	for _, entry := range entries {
		if err == nil && entry.Name() != "SYLLABUS.md" && entry.Name() != "MISTAKES.md" && entry.Name() != "path.json" {
			err = os.Symlink(here.Path("notebooks", entry.Name()), filepath.Join(root, "notebooks", entry.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	e := &env{Project: project.Project{Root: root}}
	if say, err := e.staleSyllabus(); say != "" || err != nil {
		t.Errorf("without a path: %s, %v", say, err)
	}
	if err := os.Symlink(here.Path("notebooks", "path.json"), filepath.Join(root, "notebooks", "path.json")); err != nil {
		t.Fatal(err)
	}
	pages, err := e.syllabus()
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, page string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, page := range pages {
		write(name, page)
	}
	if say, err := e.staleSyllabus(); say != "" || err != nil {
		t.Errorf("current pages: %s, %v", say, err)
	}
	for name, page := range pages {
		want := name + " is not what go run ./scripts/lab syllabus writes"
		write(name, page+"\n")
		if say, err := e.staleSyllabus(); err != nil || !strings.HasPrefix(say, want) {
			t.Errorf("an old page: %q, %v, want %q", say, err, want)
		}
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
		if say, err := e.staleSyllabus(); err != nil || !strings.HasPrefix(say, want) {
			t.Errorf("no page: %q, %v, want %q", say, err, want)
		}
		write(name, page)
	}
}

// The path, the book, the site and the lists of lab have the courses in one order.
func TestOneOrderOfCourses(t *testing.T) {
	p, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	path, err := syllabus.ReadPath(p.Path("notebooks", "path.json"))
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, c := range path.Courses {
		folders = append(folders, c.Folder)
	}
	if !slices.Equal(folders, project.CourseOrder) {
		t.Errorf("notebooks/path.json has the courses in the order %v, and the book in the order %v", folders, project.CourseOrder)
	}
}

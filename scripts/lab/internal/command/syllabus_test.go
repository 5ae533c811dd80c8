//go:build !handout && !light

package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
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
	page, err := e.syllabus()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page, "| ? |") {
		t.Error("a notebook does not say how many minutes it takes: \"mllabs\": {\"minutes\": 120} in its metadata")
	}
	if say, err := e.staleSyllabus(); err != nil || say != "" {
		t.Error(say, err)
	}
}

// An old page fails the check of all notebooks, which says what to do.
func TestStaleSyllabus(t *testing.T) {
	here, err := project.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	entries, err := os.ReadDir(here.Path("notebooks"))
	if err == nil {
		err = os.Mkdir(filepath.Join(root, "notebooks"), 0o755)
	}
	for _, entry := range entries {
		if err == nil && entry.Name() != "SYLLABUS.md" {
			err = os.Symlink(here.Path("notebooks", entry.Name()), filepath.Join(root, "notebooks", entry.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	e := &env{Project: project.Project{Root: root}}
	if say, err := e.staleSyllabus(); say != "" || err != nil {
		t.Errorf("without a page: %s, %v", say, err)
	}
	page, err := e.syllabus()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ page, says string }{{page, ""}, {page + "\n", "notebooks/SYLLABUS.md is not what go run ./scripts/lab syllabus writes"}} {
		if err := os.WriteFile(filepath.Join(root, "notebooks", "SYLLABUS.md"), []byte(c.page), 0o644); err != nil {
			t.Fatal(err)
		}
		if say, err := e.staleSyllabus(); err != nil || (say == "") != (c.says == "") || !strings.HasPrefix(say, c.says) {
			t.Errorf("%q, %v, want %q", say, err, c.says)
		}
	}
}

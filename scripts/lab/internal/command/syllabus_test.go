//go:build !handout && !light

package command

import (
	"os"
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
	want, err := (&env{Project: p}).syllabus()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(want, "| ? |") {
		t.Error("a notebook does not say how many minutes it takes: \"mllabs\": {\"minutes\": 120} in its metadata")
	}
	got, err := os.ReadFile(p.Path("notebooks", "SYLLABUS.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("notebooks/SYLLABUS.md is not what go run ./scripts/lab syllabus writes; run it and commit the file")
	}
}

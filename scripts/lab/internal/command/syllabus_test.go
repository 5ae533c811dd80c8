//go:build !handout

package command

import (
	"os"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

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

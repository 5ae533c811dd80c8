//go:build !handout

package command

import (
	"os"
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
	got, err := os.ReadFile(p.Path("notebooks", "SYLLABUS.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("notebooks/SYLLABUS.md is not what go run ./scripts/lab syllabus writes; run it and commit the file")
	}
}

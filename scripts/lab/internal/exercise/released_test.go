package exercise

import (
	"context"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// What is released has the solutions and nothing hidden, and still compiles.
func TestReleased(t *testing.T) {
	worked, err := notebook.Read("testdata/rates.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	worked.Canonicalise()
	for _, c := range worked.Cells {
		if c.ID == "rate-check" {
			c.Outputs = []*notebook.Output{{Type: "stream", Name: "stdout", Text: "✓ none"}}
		}
	}
	nb := Released(worked)
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, hidden := range []string{"HIDDEN", "BEGIN SOLUTION", "END SOLUTION", `\"none\"`, `\"three\"`, "✓ none", "fingerprint"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%s is released", hidden)
		}
	}
	for _, wanted := range []string{"mistakes := 0", `\"half\"`, "It is 0: the numerator"} {
		if !strings.Contains(text, wanted) {
			t.Errorf("%s is not released", wanted)
		}
	}
	if len(nb.Cells) != len(worked.Cells) {
		t.Errorf("%d cells of %d", len(nb.Cells), len(worked.Cells))
	}
	// Without markers nothing in it is an exercise; it has to compile all the same.
	problems, err := Verify(context.Background(), toolchain(t), worked, nb, nil)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

package syllabus

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Oracle: worked by hand from the small notebook of package exercise, which has exercises
// of 2 points and 1.
func TestPage(t *testing.T) {
	read := func(meta map[string]any) *notebook.Notebook {
		nb, err := notebook.Read("../exercise/testdata/rates.ipynb")
		if err != nil {
			t.Fatal(err)
		}
		nb.Metadata["mllabs"] = meta
		return nb
	}
	first := Lab{Topic: "00_go", Worked: read(map[string]any{})}
	second := Lab{Course: "lab", Topic: "01_rates", Worked: read(map[string]any{"minutes": json.Number("45"), "after": []any{"00_go"}, "peers": true})}
	page, err := Page("lab syllabus", []Lab{first, second})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"written by `lab syllabus` from",
		"## Before the courses\n\n| notebook |",
		"| [Error rates](00_go.ipynb) | ? |  | 2 | 0 | 3 |\n",
		"## lab\n\n| notebook |",
		"| [Error rates](lab/01_rates.ipynb) | 45 | [Error rates](00_go.ipynb), Python's scikit-learn | 2 | 0 | 3 |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	for _, after := range []string{"02_none", "lab/01_rates"} {
		second.Worked = read(map[string]any{"after": []any{after}})
		if _, err := Page("lab syllabus", []Lab{first, second}); err == nil || !strings.Contains(err.Error(), "lab/01_rates builds on "+after) {
			t.Errorf("%s: %v", after, err)
		}
	}
}

func TestMistake(t *testing.T) {
	for says, want := range map[string]string{
		"This is what one gets when β is not squared.":                        "β is not squared.",
		"This is what one gets when ties go to the last class. Look at them.": "Ties go to the last class. Look at them.",
		"This is what one gets when k is not used.":                           "`k` is not used.",
		"This is what one gets when a row is skipped.":                        "A row is skipped.",
	} {
		if got := mistake(says); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

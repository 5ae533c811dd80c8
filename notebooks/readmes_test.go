// Package notebooks_test holds the README.md of each course against its notebooks. It stands
// in their module because Go takes the result of a test from its cache if only files outside
// of the module have changed.
package notebooks_test

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// namedCell matches a cell that a course's README.md names, `02_decision_trees#colour` or,
// of another course, `lab3/02_decision_trees#leaf`, with the quotations from its output that
// may follow: `02_decision_trees#boxes`: "0.0439", "6.6439".
var namedCell = regexp.MustCompile("`((?:[a-z]\\w*/)?\\d\\d_?\\w+)#([^`\\s]*)`(?::((?:,? \"[^\"]+\")+))?")

var quoted = regexp.MustCompile(`"[^"]+"`)

// seenCells holds, by the id of a cell, what a reader sees of it, in one line.
type seenCells map[string]string

// cellFaults returns a fault for each cell that the text of the README.md of a course names
// and that is in no notebook, for each quotation that the cell does not contain, and for each
// row of the table of cells without a quotation. It also counts the cells and quotations.
func cellFaults(root, course, text string) (faults []string, named, quotations int, err error) {
	notebooks := map[string]seenCells{}
	for _, match := range namedCell.FindAllStringSubmatch(text, -1) {
		named++
		name, id := match[1], match[2]
		if !strings.Contains(name, "/") {
			name = course + "/" + name
		}
		if _, read := notebooks[name]; !read {
			notebooks[name], err = readCells(filepath.Join(root, filepath.FromSlash(name)+".ipynb"))
			if err != nil && !os.IsNotExist(err) {
				return nil, 0, 0, err
			}
		}
		seen, there := notebooks[name][id]
		switch {
		case notebooks[name] == nil:
			faults = append(faults, fmt.Sprintf("`%s#%s`: there is no notebook %s", match[1], id, name))
		case !there:
			faults = append(faults, fmt.Sprintf("`%s#%s`: notebook %s has no cell with the id %q", match[1], id, name, id))
		default:
			for _, phrase := range quoted.FindAllString(match[3], -1) {
				quotations++
				if phrase = strings.Trim(phrase, `"`); !strings.Contains(seen, phrase) {
					faults = append(faults, fmt.Sprintf("`%s#%s`: %q does not stand in its output, or in a cell without one in its text", match[1], id, phrase))
				}
			}
		}
	}
	inTable := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case strings.HasSuffix(line, "| what it says or asks | cells |"):
			inTable = true
		case inTable && !strings.HasPrefix(line, "| ---"):
			cells := strings.Split(line, " | ")
			if last := cells[len(cells)-1]; !strings.HasPrefix(last, "no cell: ") && !strings.Contains(last, "`: \"") {
				faults = append(faults, fmt.Sprintf("the row %q, which neither quotes a cell nor gives a reason after \"no cell: \"", line))
			}
		}
	}
	return faults, named, quotations, nil
}

var (
	tag   = regexp.MustCompile(`<[^>]*>`)
	alt   = regexp.MustCompile(`alt="([^"]*)"`)
	space = regexp.MustCompile(`\s+`)
)

// readCells returns, for each cell, its outputs as text, with the alternative texts of
// figures, or its source where it has no output.
func readCells(path string) (seenCells, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var notebook struct {
		Cells []struct {
			ID      string `json:"id"`
			Source  lines  `json:"source"`
			Outputs []struct {
				Text lines                      `json:"text"`
				Data map[string]json.RawMessage `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &notebook); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	cells := seenCells{}
	for _, c := range notebook.Cells {
		text := string(c.Source)
		if len(c.Outputs) > 0 {
			text = ""
		}
		for _, out := range c.Outputs {
			var plain, page lines
			for kind, form := range map[string]*lines{"text/plain": &plain, "text/html": &page} {
				if raw, ok := out.Data[kind]; ok {
					if err := json.Unmarshal(raw, form); err != nil {
						return nil, fmt.Errorf("%s: cell %s: %s: %w", path, c.ID, kind, err)
					}
				}
			}
			text += string(out.Text) + " " + string(plain) + " " + shownHTML(string(page)) + " "
		}
		cells[c.ID] = strings.TrimSpace(space.ReplaceAllString(text, " "))
	}
	return cells, nil
}

// shownHTML is what a reader sees of HTML, and hears of its figures.
func shownHTML(page string) string {
	var seen []string
	for _, match := range alt.FindAllStringSubmatch(page, -1) {
		seen = append(seen, match[1])
	}
	return html.UnescapeString(strings.Join(append(seen, tag.ReplaceAllString(page, " ")), " "))
}

// lines are a text that a notebook may store as a list of lines.
type lines string

// UnmarshalJSON reads both forms.
func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// Each cell that the README.md of a course names exists and contains what the README.md
// quotes from it, and every row of the course's table of cells quotes something.
func TestCellsInReadmes(t *testing.T) {
	paths, err := filepath.Glob("*/README.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d READMEs: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		course := filepath.Dir(path)
		faults, _, quotations, err := cellFaults(".", course, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			t.Errorf("notebooks/%s/README.md names %s", course, fault)
		}
		if quotations == 0 {
			t.Errorf("notebooks/%s/README.md quotes no cell", course)
		}
	}
}

// The faults of a README.md that was made for this test, by hand.
func TestCellFaults(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"lab3/02_trees": `{"cells": [
			{"id": "leaf", "source": ["func Leaf()\n", "of a tree"]},
			{"id": "split-show", "source": "fmt.Println(2)", "outputs": [{"text": ["gain 0.3\n", "of 2"]},
				{"data": {"text/html": ["<figure><img alt=\"A &lt; tree\" src=\"\"></figure>", "<td>1.5</td><td>2.5</td>"], "text/plain": "as text"}}]}]}`,
		"uci/01_data": `{"cells": []}`,
	} {
		path := filepath.Join(root, filepath.FromSlash(name)+".ipynb")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text              string
		named, quotations int
		want              string
	}{
		{"| Section | `02_trees#leaf`, `02_trees#split-show` |", 2, 0, ""},
		{"`02_trees` and `#leaf` and `a#b` are no cells", 0, 0, ""},
		{"`02_trees#leaves`", 1, 0, "`02_trees#leaves`: notebook lab3/02_trees has no cell with the id \"leaves\""},
		{"`02_trees#`", 1, 0, "`02_trees#`: notebook lab3/02_trees has no cell with the id \"\""},
		{"`03_trees#leaf`", 1, 0, "`03_trees#leaf`: there is no notebook lab3/03_trees"},
		{"`lab3/02_trees#leaf` `uci/01_data#leaf`", 2, 0, "`uci/01_data#leaf`: notebook uci/01_data has no cell with the id \"leaf\""},
		{"`02_trees#leaf`: \"Leaf() of a\" `02_trees#split-show`: \"gain 0.3 of 2\", \"A < tree\", \"1.5 2.5\", \"as text\"", 2, 5, ""},
		{"`02_trees#leaf`: \"Leaf() of b\"", 1, 1, "`02_trees#leaf`: \"Leaf() of b\" does not stand in its output, or in a cell without one in its text"},
		{"`02_trees#split-show`: \"gain 0.3\", \"Println\"", 1, 2, "`02_trees#split-show`: \"Println\" does not stand in its output, or in a cell without one in its text"},
		{"| a | what it says or asks | cells |\n| --- | --- | --- |\n| b | d | `02_trees#leaf`: \"Leaf\" |\n| c | d | no cell: a reason |\n\n| d | `02_trees#leaf` |", 2, 1, ""},
		{"| a | what it says or asks | cells |\n| --- | --- | --- |\n| b | c | `02_trees#leaf` |", 1, 0, "the row \"| b | c | `02_trees#leaf` |\", which neither quotes a cell nor gives a reason after \"no cell: \""},
	} {
		faults, named, quotations, err := cellFaults(root, "lab3", c.text)
		if err != nil || named != c.named || quotations != c.quotations || strings.Join(faults, "\n") != c.want {
			t.Errorf("%s: %q of %d and %d, %v", c.text, faults, named, quotations, err)
		}
	}
}

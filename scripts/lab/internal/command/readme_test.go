package command

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// The table of commands in scripts/lab/README.md names every command, and every flag
// that a person may set.
func TestReadmeNamesAllFlags(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ := strings.Cut(rest, "`")
			name, _, _ = strings.Cut(name, " ")
			rows[name] += line
		}
	}
	for _, c := range commands() {
		row, ok := rows[c.name]
		if !ok {
			t.Errorf("the table has no row for %s", c.name)
			continue
		}
		fs, _ := c.flags(t.Output())
		fs.VisitAll(func(f *flag.Flag) {
			if !strings.Contains(f.Usage, "used by "+c.name+" itself") && !strings.Contains(row, "--"+f.Name) {
				t.Errorf("the row for %s does not name --%s: %s", c.name, f.Name, f.Usage)
			}
		})
	}
}

package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

func TestProgress(t *testing.T) {
	nbs := []project.Notebook{
		{Course: "lab3", Topic: "01_nearest_neighbours"}, {Course: "lab3", Topic: "02_decision_trees"},
		{Course: "uci", Topic: "03_tables"}, {Course: "ada511", Topic: "03_adult_income_trees"},
	}
	for _, c := range []struct {
		name string
		do   func(p *progress)
		line string // in a terminal
		out  string // elsewhere
	}{
		{"none", func(p *progress) {}, "", ""},
		{"one", func(p *progress) { p.cell(1, 3, 40) }, "[2/4] lab3/02_decision_trees cell 3/40", ""},
		{"lines", func(p *progress) {
			for n := 1; n <= 11; n++ {
				p.cell(1, n, 11)
			}
		}, "[2/4] lab3/02_decision_trees cell 11/11", "[2/4] lab3/02_decision_trees  cell 1/11\n[2/4] lab3/02_decision_trees  cell 10/11\n"},
		{"two", func(p *progress) { p.cell(2, 2, 9); p.cell(0, 5, 40) }, "[1/4] lab3/01 cell 5/40  [3/4] uci/03 cell 2/9", ""},
		{"one of two has ended", func(p *progress) { p.cell(2, 2, 9); p.cell(0, 5, 40); p.end(2) }, "[1/4] lab3/01_nearest_neighbours cell 5/40", ""},
		{"four", func(p *progress) {
			for i := range nbs {
				p.cell(i, 22, 40)
			}
		}, "[1/4] lab3/01 cell 22/40  [2/4] lab3/02 cell 22/40  [3/4] uci/03 cell 22/40 ...", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, screen bytes.Buffer
			p := (&env{out: &out}).progress(nbs)
			c.do(p)
			if line := p.line(); line != c.line {
				t.Errorf("line %q, want %q", line, c.line)
			}
			if out.String() != c.out {
				t.Errorf("printed %q, want %q", &out, c.out)
			}
			p = (&env{out: &screen}).progress(nbs)
			p.terminal = true
			c.do(p)
			p.aside(func() { screen.WriteString("said\n") })
			if want := clearLine + "said\n" + clearLine + c.line; !strings.HasSuffix(screen.String(), want) {
				t.Errorf("the screen ends %q, want %q", &screen, want)
			}
		})
	}
}

package mistakes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A program is a notebook with all bodies of its catalogue in it. One build tries them
// all: in place of each function that students write stands a switch between the worked
// one and the bodies, and each body has a cell that throws the switch and runs the check.
type program struct {
	nb       *notebook.Notebook
	bodies   []Body
	declares map[int]int // the cell of the program, from 0, that declares a body
	checks   []int       // the cell that checks each body
}

// switchboard is declared beside the switches.
const switchboard = "var " + chosen + " int\n"

// compose puts the bodies into the notebook. Right ones meet the cases of the worked
// notebook, wrong ones those that the copy shows.
func compose(worked, copied *notebook.Notebook, exercises []exercise.Exercise, c *Catalogue) (*program, error) {
	p := &program{nb: &notebook.Notebook{Metadata: worked.Metadata, NBFormat: worked.NBFormat, NBFormatMinor: worked.NBFormatMinor, Cells: slices.Clone(worked.Cells)},
		declares: map[int]int{}}
	switches := switchboard
	for _, e := range exercises {
		first := len(p.bodies)
		p.bodies = append(p.bodies, c.Of(e.Number)...)
		writes := map[string][]int{} // the bodies that write a function
		for i, b := range p.bodies[first:] {
			k := first + i + 1 // 0 is the worked one
			body, err := readSource(b.Source)
			if err != nil {
				return nil, err
			}
			n := 0
			for name, fn := range body.functions() {
				if slices.Contains(e.Names, name) {
					body.rename(fn.Name, bodyEnding(k))
					writes[name] = append(writes[name], k)
					n++
				}
			}
			if n == 0 {
				return nil, fmt.Errorf("%s: %s declares none of the functions of exercise %d: %s", c.file, b.part(), e.Number, strings.Join(e.Names, ", "))
			}
			body.renameHelpers(e.Names, bodyEnding(k))
			p.declares[p.add(body.top())] = k - 1
		}
		s, err := p.switchable(e, writes)
		if err != nil {
			return nil, err
		}
		switches += s
	}
	p.add(switches)
	for i, b := range p.bodies {
		e := exercises[slices.IndexFunc(exercises, func(e exercise.Exercise) bool { return e.Number == b.Exercise })]
		of := copied
		if b.Right {
			of = worked
		}
		check := cell.Split(of.Cells[e.Graded].Source).Main
		at := p.add(fmt.Sprintf("%%%%\n%s = %d\n%s", chosen, i+1, check))
		p.nb.Cells[at].Metadata = map[string]any{"nbgrader": map[string]any{"points": 1}} // so that its check reports
		p.checks = append(p.checks, at)
	}
	return p, nil
}

// add adds a code cell and returns its number.
func (p *program) add(code string) int {
	p.nb.Cells = append(p.nb.Cells, &notebook.Cell{Type: "code", ID: fmt.Sprint("catalogue-", len(p.nb.Cells)), Source: code})
	return len(p.nb.Cells) - 1
}

// switchable gives the worked functions another name, and returns the switches in their
// place.
func (p *program) switchable(e exercise.Exercise, writes map[string][]int) (string, error) {
	worked := *p.nb.Cells[e.Solution]
	split := cell.Split(worked.Source)
	s, err := readSource(split.Top)
	if err != nil {
		return "", err
	}
	switches := ""
	functions := s.functions()
	for _, name := range slices.Sorted(maps.Keys(writes)) {
		fn := functions[name]
		switches += s.switchOf(fn, writes[name])
		s.rename(fn.Name, referenceEnding)
	}
	worked.Source = s.top()
	if split.HasMain {
		worked.Source += "\n%%\n" + split.Main
	}
	p.nb.Cells[e.Solution] = &worked
	return switches, nil
}

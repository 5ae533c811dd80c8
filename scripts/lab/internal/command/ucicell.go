//go:build !handout && !light

package command

import (
	"fmt"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/uci"
)

// A publishedCell is one of Table 2 or, with a distance of k-NN, of Table 4.
type publishedCell struct {
	set uci.Set
	row uci.Algorithm
}

func (c publishedCell) String() string { return fmt.Sprintf("%s/%s", c.set, c.row) }

// publishedCells lists those of Table 2, then those of Table 4.
func publishedCells() (list []publishedCell) {
	for _, row := range uci.Rows() {
		for _, s := range uci.Sets() {
			list = append(list, publishedCell{s, row})
		}
	}
	for _, s := range uci.Sets() {
		for _, d := range []uci.Algorithm{uci.KNNSquared, uci.KNNCityBlock, uci.KNNHamming} {
			if _, printed := uci.PublishedDistance(s, d); printed {
				list = append(list, publishedCell{s, d})
			}
		}
	}
	return list
}

// cellCalled returns the cell of a name, in capitals or not, of which the set may be given by
// its name in the catalogue: "car/nb".
func cellCalled(name string) (publishedCell, error) {
	set, row, _ := strings.Cut(strings.TrimSpace(name), "/")
	for _, c := range publishedCells() {
		if strings.EqualFold(row, string(c.row)) && (strings.EqualFold(set, string(c.set)) || strings.EqualFold(set, c.set.Name())) {
			return c, nil
		}
	}
	return publishedCell{}, usagef("--cell %q: the report has no such cell; there are %s", name, join(cellNames()))
}

func cellNames() (names []string) {
	for _, c := range publishedCells() {
		names = append(names, c.String())
	}
	return names
}

// checkCell refuses what goes with no cell.
func (x *experiment) checkCell(args []string) error {
	if len(args) > 0 {
		return usagef("uci --cell takes no arguments, got %q", args)
	}
	for _, name := range x.given {
		if name != "cell" {
			return usagef("--cell runs nothing, so leave --%s out", name)
		}
	}
	if x.cell == "list" {
		return nil
	}
	_, err := cellCalled(x.cell)
	return err
}

// sayCell says what the audit knows of a cell, or lists the cells.
func (e *env) sayCell(name string) error {
	runs, err := uci.Committed()
	if err != nil {
		return err
	}
	if name == "list" {
		for _, c := range publishedCells() {
			f := runs.Find(c.set, c.row)
			e.say("%-9s %.4f  %s", c, f.Said.Mean, f.Kind)
		}
		return nil
	}
	c, err := cellCalled(name)
	if err != nil {
		return err
	}
	f := runs.Find(c.set, c.row)
	deviation := fmt.Sprintf(", standard deviation %.4f", f.Said.SD)
	table := "Tables 2 and 3"
	if _, inTable2 := uci.Published(c.set, c.row); !inTable2 {
		table, deviation = "Table 4", ", without a standard deviation"
	}
	e.say("%s in %s: the report has %.4f%s.", c, table, f.Said.Mean, deviation)
	e.say("")
	e.say("Readings that were tried and kept:")
	for _, t := range runs.Trials(c.set, c.row) {
		e.say("  %s: %.4f, standard deviation %.4f: %s%s", t.Reading, t.Cell.Mean, t.Cell.SD, t.Kind, refuted(t))
		e.say("    tried until it was found: %d; free: %s", t.Tried, freeWords(t.Free))
	}
	for _, s := range uci.Searches() {
		if s.Set == c.set && s.Row == c.row {
			e.say("  a search of %d that found nothing: %s.", s.Tried, s.What)
		}
	}
	e.say("All in all %s.", plural(f.Tried, "reading"))
	e.say("")
	if f.Kind == uci.NotFound {
		e.say("None fits. The closest: %s.", f.Reading)
	} else {
		e.say("It fits (%s): %s.", f.Kind, f.Reading)
	}
	first := f.Cell.TenTimes()
	e.say("  mean of all %s: %.4f; of the first five, ten times over, as the report counts: %.4f, standard deviation %.4f", plural(len(f.Cell.Accuracies), "fold"), f.Cell.Mean, first.Mean, first.SD)
	e.say("  chosen by a look at the report's tables: %s", freeWords(f.Free))
	if err := e.sayBase(c, f); err != nil {
		return err
	}
	e.say("")
	e.say("Again: %s", again(f))
	return nil
}

func refuted(t uci.Trial) string {
	if t.Refuted {
		return " (but the reading is refuted on other sets, and does not count)"
	}
	return ""
}

func freeWords(free []string) string {
	if len(free) == 0 {
		return "nothing"
	}
	return strings.Join(free, ", ")
}

// sayBase says the base rate of what was found.
func (e *env) sayBase(c publishedCell, f uci.Finding) error {
	a, err := uci.AlternativesOf(c.set, c.row)
	if err != nil {
		return err
	}
	e.say("  base rate: of %s, %d near, %d exact; varied: %s", plural(f.Base.Of, "reading"), f.Base.Near, f.Base.Exact, a.Varied)
	return nil
}

// again is the command that makes the cell of a finding again.
func again(f uci.Finding) string {
	if f.Variant != "" {
		return "go run ./scripts/lab uci --variant " + f.Variant
	}
	return "go run ./scripts/lab uci --only " + f.Name()
}

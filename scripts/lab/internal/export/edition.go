package export

import (
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// An Edition is a choice of what a page shows of a notebook.
type Edition int

const (
	// Whole shows all cells as they are.
	Whole Edition = iota
	// Reader is for somebody who reads and does not run: the lines for the
	// kernel, the markers of solutions and the hidden tests are left out, a check that was
	// passed is one line, and times of the last run are not shown. A notebook that belongs
	// to no course is about notebooks: it keeps all of these but markers and hidden tests.
	Reader
	// about is Reader for a notebook that belongs to no course.
	about
)

func (s Source) edition() Edition {
	switch {
	case s.Copy:
		return Whole
	case s.Course == "" && s.Edition == Reader:
		return about
	}
	return s.Edition
}

// forReader is what the reader's edition shows of a code cell; told is why it leaves
// something out, for the reader.
func forReader(cell *notebook.Cell) (source string, outputs []*notebook.Output, told string) {
	source, outputs = readable(cell.Source), cell.Outputs
	if cell.HasTag(notebook.TagVolatile) {
		timed := func(o *notebook.Output) bool { return o.Type == "stream" }
		if slices.ContainsFunc(outputs, timed) {
			outputs = slices.DeleteFunc(slices.Clone(outputs), timed)
			told = "Running times depend on the machine and are not shown here."
		}
	}
	passed := func(o *notebook.Output) bool { return kindClass(o) == "check" }
	if _, graded := cell.Points(); graded && len(outputs) > 0 && !slices.ContainsFunc(outputs, func(o *notebook.Output) bool { return !passed(o) }) {
		source = ""
	}
	return source, outputs, told
}

// unmarked is a cell's source without markers and hidden tests.
func unmarked(source string) string {
	var kept []string
	hidden := false
	for _, line := range strings.Split(source, "\n") {
		switch strings.TrimSpace(line) {
		case notebook.BeginHidden:
			hidden = true
		case notebook.EndHidden:
			hidden = false
		case notebook.BeginSolution, notebook.EndSolution:
		default:
			if !hidden {
				kept = append(kept, line)
			}
		}
	}
	return strings.Join(kept, "\n")
}

// readable is a cell's source without lines for the kernel, markers and hidden tests.
func readable(source string) string {
	var kept []string
	for _, line := range strings.Split(unmarked(source), "\n") {
		switch mark := strings.TrimSpace(line); {
		case mark == "%%":
		case mark == "" && (len(kept) == 0 || kept[len(kept)-1] == ""):
		default:
			kept = append(kept, strings.TrimRight(line, " \t"))
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

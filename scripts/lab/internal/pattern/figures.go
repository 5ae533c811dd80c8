package pattern

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// Figures are what the table says of a notebook.
type Figures struct {
	CodeCells        int
	Median, P90, Max float64 // of the lines of a code cell
	WordsPerCell     float64 // words of markdown for each code cell
	WordsPerLine     float64 // words of markdown for each line of code
	Exercises        int
	Points           int
	Questions        int
}

// measure counts. Lines are those of code, see isCode; words are what stands between
// spaces.
func measure(nb *notebook.Notebook, exercises []exercise.Exercise, questions int) Figures {
	f := Figures{Exercises: len(exercises), Questions: questions}
	words, all := 0, 0
	var lines []float64
	for _, c := range nb.Cells {
		switch c.Type {
		case "markdown":
			words += len(strings.Fields(c.Source))
		case "code":
			n := 0
			for line := range strings.Lines(c.Source) {
				if isCode(line) {
					n++
				}
			}
			lines = append(lines, float64(n))
			all += n
		}
	}
	for _, e := range exercises {
		f.Points += e.Points
	}
	tasks, _ := exercise.Tasks(nb) // whose problems are the caller's
	for _, t := range tasks {
		f.Points += t.Points
	}
	n := len(lines)
	f.CodeCells = n
	if n == 0 {
		return f
	}
	slices.Sort(lines)
	f.Median = (lines[(n-1)/2] + lines[n/2]) / 2
	f.P90 = lines[int(math.Ceil(0.9*float64(n)))-1]
	f.Max = lines[n-1]
	f.WordsPerCell = float64(words) / float64(n)
	f.WordsPerLine = float64(words) / float64(all)
	return f
}

// isCode reports whether a line of a cell is one of code. Empty lines, the %% before
// what is run, comments, among them the markers of an exercise, and closing brackets are
// none: what is counted is how much code there is between two paragraphs.
func isCode(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Trim(line, "})],;") != "" && line != "%%" && !strings.HasPrefix(line, "//")
}

// Heading is the two lines above the table's rows: the columns, and what a notebook of the
// second edition aims at. width is that of the names.
func Heading(width int) string {
	return fmt.Sprintf("%-*s  %5s  %-14s  %9s  %9s  %9s  %6s  %9s\n", width, "", "code", "lines a cell", "words per", "words per", "", "", "") +
		fmt.Sprintf("%-*s  %5s  %-14s  %9s  %9s  %9s  %6s  %9s\n", width, "notebook", "cells", "med / p90 / max", "code cell", "code line", "exercises", "points", "questions") +
		fmt.Sprintf("%-*s  %5s  %-15s  %9s  %9s", width, "(second edition)", "12-40", "≤ 6 / 14 / 20", "≥ 50", "≥ 8")
}

// Row is the table's row of a notebook; note is put behind it.
func (f Figures) Row(width int, name, note string) string {
	lines := fmt.Sprintf("%.4g / %.0f / %.0f", f.Median, f.P90, f.Max)
	return strings.TrimRight(fmt.Sprintf("%-*s  %5d  %-15s  %9.0f  %9.1f  %9d  %6d  %9d  %s", width, name, f.CodeCells, lines,
		f.WordsPerCell, f.WordsPerLine, f.Exercises, f.Points, f.Questions, note), " ")
}

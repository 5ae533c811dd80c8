package exercise

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// question begins a question, as a heading or as a paragraph.
var question = regexp.MustCompile(`(?m)^(#{1,6} |\*\*)(Question \d+|Predict)\b`)

// predictFirst puts the cells of a copy in the order in which a student works: the place for an
// answer stands directly under its question, before the code whose output gives the answer away.
// In the worked notebook the answer comes after that output, because it discusses it. An answer
// tagged reading stays there in copies, too: its question is about the output. What explains the
// output under a place to write, with nothing but code between, is folded.
//
// worked and copied hold the same cells.
func predictFirst(worked, copied []*notebook.Cell) []*notebook.Cell {
	var out []*notebook.Cell
	for i, c := range worked {
		at := len(out)
		if places(c) && !c.HasTag(notebook.TagReading) {
			if asked := questionOf(worked, i); asked >= 0 {
				at = 1 + slices.Index(out, copied[asked])
			}
		}
		out = slices.Insert(out, at, copied[i])
	}
	asked := false // above is a place to write, and nothing but code since
	for _, c := range out {
		switch {
		case IsPlace(c):
			asked = true
		case c.Type == "markdown":
			if asked && strings.HasSuffix(c.ID, "-read") && !anyHeading.MatchString(c.Source) {
				c.Source = "<details>\n<summary>What to see</summary>\n\n" + c.Source + "\n\n</details>"
			}
			asked = false
		}
	}
	return out
}

// places reports whether a cell holds the worked answer of a question that nobody marks. Tasks
// that are marked may discuss what the student has made.
func places(c *notebook.Cell) bool {
	_, graded := c.AnswerPoints()
	return c.Type == "markdown" && c.HasTag(notebook.TagAnswer) && !graded
}

// questionOf returns the index of the cell with the question that cells[answer] answers, or -1
// where it is an item of a list, or where the student writes code in between.
func questionOf(cells []*notebook.Cell, answer int) int {
	for i := answer - 1; i >= 0; i-- {
		c := cells[i]
		switch {
		case c.Type == "code":
			if _, graded := c.Points(); graded || c.IsSolution() || c.HasTag(notebook.TagAnswer) {
				return -1
			}
		case c.HasTag(notebook.TagAnswer):
			return -1
		case question.MatchString(c.Source):
			return i
		}
	}
	return -1
}

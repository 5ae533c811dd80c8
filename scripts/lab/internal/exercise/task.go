package exercise

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Task is a question with a written answer to which somebody gives points by hand.
// Cells are counted from 0.
type Task struct {
	Number int // from 1, among the tasks of the notebook
	Title  string
	Points int
	Text   int    // the markdown cell that sets it
	Answer int    // the cell that holds the worked answer, and the student's in a copy
	Rubric string // what earns the points, in markdown
}

var (
	taskHeading = regexp.MustCompile(`(?m)^### (\S.*) \((\d+) points?\)[ \t]*$`)
	rubricLead  = regexp.MustCompile(`(?m)^\*\*Rubric\.\*\*[ \t]*`)
)

// Tasks reads the tasks of a notebook: the cells tagged as answers that have points. The
// text that sets one is the nearest markdown before it that has a heading; the heading has
// the points of all answers to it, and the text ends with a rubric. What is missing from
// them is told as problems.
func Tasks(nb *notebook.Notebook) ([]Task, []notebook.Problem) {
	f := &finder{nb: nb}
	var tasks []Task
	text, first := -1, 0 // of the tasks that text sets
	end := func() {
		if first < len(tasks) {
			f.question(text, tasks[first:])
		}
		first = len(tasks)
	}
	for i, c := range nb.Cells {
		answer := c.HasTag(notebook.TagAnswer)
		if c.Type == "markdown" && !answer && anyHeading.MatchString(outsideFences(c.Source)) {
			end()
			text = i
		}
		meta, _ := c.Metadata["nbgrader"].(map[string]any)
		if !answer || meta["points"] == nil {
			continue
		}
		switch points, _ := c.AnswerPoints(); {
		case points < 1:
			f.bad(i, "is a worked answer that gives %v points; a whole number of at least 1", meta["points"])
		case text < 0:
			f.bad(i, "is a worked answer with points, but no text with a heading sets its question")
		default:
			tasks = append(tasks, Task{Number: len(tasks) + 1, Points: points, Text: text, Answer: i})
		}
	}
	end()
	return tasks, f.problems
}

// question reads the text that sets tasks.
func (f *finder) question(text int, tasks []Task) {
	source := outsideFences(f.nb.Cells[text].Source)
	points := 0
	for _, t := range tasks {
		points += t.Points
	}
	title, rubric := "", ""
	if m := taskHeading.FindStringSubmatch(source); m == nil {
		f.bad(text, "sets a question that is answered for points; its heading is like \"### Question 3: which k? (%d points)\"", points)
	} else if title = m[1]; m[2] != strconv.Itoa(points) {
		f.bad(text, "says %s points in its heading, its answers give %d", m[2], points)
	}
	if at := rubricLead.FindStringIndex(source); at != nil {
		rubric = strings.TrimSpace(source[at[1]:])
	}
	if rubric == "" {
		f.bad(text, "sets a question that is answered for points, and does not say what earns them: end it with a paragraph that begins with **Rubric.**")
	}
	for i := range tasks {
		tasks[i].Title, tasks[i].Rubric = title, rubric
	}
}

var anyHeading = regexp.MustCompile(`(?m)^#+ +\S`)

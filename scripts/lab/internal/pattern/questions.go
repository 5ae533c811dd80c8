package pattern

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

var (
	questionHeading = regexp.MustCompile(`^(Question \d+|Predict)\b`)
	questionLead    = regexp.MustCompile(`(?m)^\*\*(Question \d+|Predict)\b`)
	listHeading     = regexp.MustCompile(`^Questions?$`)
)

// questions wants an answer for each question, and counts the questions. A question
// is a markdown cell with a heading "### Question 3" or "### Predict", or a paragraph
// that begins with **Question 3 or **Predict; its answer is the markdown cell tagged
// answer that comes after it and before the next question. A section "## Questions"
// holds a numbered list, which one cell tagged answer answers under the same numbers.
func (c *checker) questions() int {
	asked, open := 0, -1 // the question whose answer is to come
	list := -1           // the section "## Questions" that has begun
	var items, answered []int
	endList := func() {
		if list < 0 {
			return
		}
		for _, n := range items {
			if !slices.Contains(answered, n) {
				c.bad(list, "question %d of the list has no answer under its number in a cell tagged %s", n, notebook.TagAnswer)
			}
		}
		for _, n := range answered {
			if !slices.Contains(items, n) {
				c.bad(list, "answer %d answers no question of the list", n)
			}
		}
		list, items, answered = -1, nil, nil
	}
	endQuestion := func() {
		if open >= 0 {
			c.bad(open, "asks a question that has no answer: a markdown cell after it, tagged %s", notebook.TagAnswer)
		}
		open = -1
	}
	for i, cell := range c.nb.Cells {
		if cell.Type != "markdown" {
			continue
		}
		text := c.texts[i]
		if cell.HasTag(notebook.TagAnswer) {
			switch {
			case list >= 0:
				answered = append(answered, text.Items...)
			case open >= 0:
				open = -1
			default:
				c.bad(i, "is tagged %s, but no question stands before it", notebook.TagAnswer)
			}
			continue
		}
		n, section := len(questionLead.FindAllString(cell.Source, -1)), false
		for _, h := range text.Headings {
			if questionHeading.MatchString(h.Text) {
				n++
			}
			if h.Level <= 2 {
				endList()
				endQuestion()
			}
			section = section || h.Level == 2 && listHeading.MatchString(strings.TrimSpace(h.Text))
		}
		if section {
			list = i
		}
		if n > 0 {
			endQuestion()
			open = i
			asked += n
		}
		if list >= 0 {
			for _, n := range text.Items {
				if !slices.Contains(items, n) {
					items = append(items, n)
					asked++
				}
			}
		}
	}
	endList()
	endQuestion()
	return asked
}

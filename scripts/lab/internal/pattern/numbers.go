package pattern

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// TagConstant marks a cell whose numbers no output has to show: constants of the
// course, such as the size of a published study.
const TagConstant = "constant"

// numbers wants each number in prose, questions, answers and alternative texts to be
// shown: prose that was written beside another run of the notebook is found here.
//
// A number is shown if an output of the notebook has it, whatever its sign, or has
// one that rounds to it in the digits that prose gives: 0.72 for 0.7191. A percentage
// may also be a hundred times what the output has: 72 % for 0.7191. The pictures of
// figures show nothing here, nor do their alternative texts, which are prose
// themselves. What the notebook's own code says counts as shown, too, and what a
// formula of the same cell says. Numbers written as words count from thirteen on,
// with hundred, thousand and million; fractions and ordinals in words are not read.
//
// Excused are: code, formulas, headings, links and the numbers of list items; whole
// numbers up to twelve, unless they are percentages; years from 1900 to 2049, but for 2000;
// names (X1, 2D) and versions (0.11.4, Go 1.26); and what is numbered, such as
// notebook 3, tasks 2.1 and 2.2, figure 14 or line 20. The tag [TagConstant] on a
// cell excuses all of its numbers.
func (c *checker) numbers() {
	shown := c.shown()
	for i, cell := range c.nb.Cells {
		if cell.HasTag(TagConstant) {
			continue
		}
		here := shown
		for _, f := range c.texts[i].Formulas {
			here = append(here, values(f)...)
		}
		var missing []string
		for _, text := range append([]string{c.texts[i].Prose}, c.altsOf(i)...) {
			for _, n := range mentions(text) {
				if !n.excused && !slices.ContainsFunc(here, n.shownBy) && !slices.Contains(missing, n.text) {
					missing = append(missing, n.text)
				}
			}
		}
		if len(missing) > 0 {
			c.bad(i, "says %s, which no output of the notebook shows; mend it, print it, or tag the cell %s if it is a constant of the course",
				strings.Join(missing, ", "), TagConstant)
		}
	}
}

var (
	tag     = regexp.MustCompile(`<[^>]*>`)
	literal = regexp.MustCompile(`[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+`)
	comma   = regexp.MustCompile(`([0-9]),([0-9]{3})\b`)
)

// shown lists the numbers in the code and in the outputs of the notebook.
func (c *checker) shown() []float64 {
	var all []float64
	for _, cell := range c.nb.Cells {
		if cell.Type != "code" {
			continue
		}
		all = append(all, values(cell.Source)...)
		for _, o := range cell.Outputs {
			all = append(all, values(o.Text)...)
			if o.Kind() == "figure" {
				continue
			}
			text, _ := o.Data["text/plain"].(string)
			page, _ := o.Data["text/html"].(string)
			all = append(all, values(text)...)
			all = append(all, values(html.UnescapeString(tag.ReplaceAllString(notebook.WithoutPictures(page), " ")))...)
		}
	}
	slices.Sort(all)
	return slices.Clip(slices.Compact(all))
}

// values lists the numbers in an output or in code.
func values(text string) []float64 {
	var all []float64
	grouped := comma.ReplaceAllString(comma.ReplaceAllString(text, "$1$2"), "$1$2")
	for _, s := range []string{text, grouped} {
		for _, loc := range literal.FindAllStringIndex(s, -1) {
			if from := loc[0]; from > 0 && isNamePart(s[from-1]) {
				continue // X1 names a column
			}
			m := s[loc[0]:loc[1]]
			if strings.HasPrefix(m, ".") {
				m = "0" + m
			}
			if n := parse(m); n.value >= 0 {
				all = append(all, n.value)
			}
		}
		if grouped == text {
			break
		}
	}
	return all
}

func isNamePart(b byte) bool {
	return b == '_' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

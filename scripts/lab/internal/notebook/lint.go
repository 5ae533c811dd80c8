package notebook

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Place is what Lint must know about where a notebook is.
type Place struct {
	Name string // course/topic
	// File is the notebook's bytes as committed.
	File []byte
	// Figure reads a committed figure by its name, and Figures lists their
	// names. Nil: figures on disk are not looked at.
	Figure  func(name string) ([]byte, error)
	Figures func() []string
}

// Lint lists what a committed notebook must not have, or must.
func (nb *Notebook) Lint(at Place) []Problem {
	l := &linter{nb: nb, at: at}
	l.whole()
	for i, c := range nb.Cells {
		l.cell, l.i = c, i
		l.source()
		for _, o := range c.Outputs {
			l.output(o)
		}
	}
	l.figuresLeft()
	return l.problems
}

type linter struct {
	nb       *Notebook
	at       Place
	i        int
	cell     *Cell
	figures  []string
	problems []Problem
}

func (l *linter) bad(format string, args ...any) {
	l.problems = append(l.problems, Problem{Cell: l.i, ID: l.cell.ID, Text: fmt.Sprintf(format, args...)})
}

func (l *linter) badWhole(format string, args ...any) {
	l.problems = append(l.problems, Problem{Cell: -1, Text: fmt.Sprintf(format, args...)})
}

var (
	notebookCall = regexp.MustCompile(`nbkit\.Notebook\("([^"]*)"\)`)
	titleLine    = regexp.MustCompile(`(?m)^# \S`)
	fencedBlock  = regexp.MustCompile("(?ms)^ {0,3}```.*?^ {0,3}```")
)

// whole checks what concerns the notebook as a whole.
func (l *linter) whole() {
	if l.at.File != nil {
		canonical, err := Parse(l.at.File)
		var b []byte
		if err == nil {
			canonical.Canonicalise()
			b, err = canonical.Encode()
		}
		if err != nil || !bytes.Equal(b, l.at.File) {
			l.badWhole("not in canonical form (ids, counts or metadata of another tool); lab run writes it so")
		}
	}
	switch has, current := l.nb.Stamped(); {
	case !has:
		l.badWhole("no fingerprint of its cells (metadata mllabs.fingerprint); lab run notes it with the outputs")
	case !current:
		l.badWhole("its code cells or outputs are not those of its last run (metadata mllabs.fingerprint); run it with lab run, or, if a change of the cells leaves their outputs as they are, lab run --stamp")
	}
	titles, shows := 0, false
	named := ""
	for i, c := range l.nb.Cells {
		if c.Type == "markdown" {
			titles += len(titleLine.FindAllString(fencedBlock.ReplaceAllString(c.Source, ""), -1))
			if i == 0 && !strings.HasPrefix(c.Source, "# ") {
				l.badWhole("the first cell does not begin with a title (# …)")
			}
			continue
		}
		shows = shows || strings.Contains(c.Source, "nbkit.Show(")
		if m := notebookCall.FindStringSubmatch(c.Source); m != nil {
			named = m[1]
		}
	}
	if titles != 1 {
		l.badWhole("%d titles (# …); a notebook has one", titles)
	}
	if named != l.at.Name && (named != "" || shows) {
		l.badWhole("nbkit.Notebook says %q, the notebook is %q: its figures would be saved in the wrong place", named, l.at.Name)
	}
}

func (l *linter) source() {
	if p := MachinePath(l.cell.Source); p != "" {
		l.bad("names a path of one machine, %s", p)
	}
	if l.cell.Type != "code" {
		return
	}
	if trap := l.cell.Trap(); trap != nil {
		l.bad("%v", trap)
	}
	if strings.TrimSpace(l.cell.Source) == "" {
		l.bad("is empty; remove it")
	}
	if strings.Contains(l.cell.Source, ".Aggregation(") && !strings.Contains(l.cell.Source, "Arrange(") {
		l.bad("prints groups in the order in which gota's map gives them, which changes from run to run; put them in order with Arrange")
	}
}

var imgTag = regexp.MustCompile(`(?i)<img\b[^>]*>`)
var imgAlt = regexp.MustCompile(`(?i)\balt="[^"]*[^"\s][^"]*"`)

func (l *linter) output(o *Output) {
	raises := l.cell.HasTag(TagRaises)
	switch {
	case o.Type == "error" && !raises:
		l.bad("ends in an error, %s; mend it, or tag the cell %s if it is meant to fail", clip(o.EValue), TagRaises)
	case o.Type == "stream" && o.Name == "stderr" && !raises:
		l.bad("writes to stderr, %s", clip(strings.TrimSpace(o.Text)))
	case o.Kind() == "error":
		l.bad("shows an error, %s", clip(o.plain()))
	case o.Kind() == "check-failed" && !raises:
		l.bad("shows a failed check, %s; tag the cell %s if that is meant", clip(o.plain()), TagRaises)
	}
	texts := append([]string{o.Text, o.EValue}, o.Trace...)
	for _, m := range mimes(o) {
		if s, ok := o.Data[m].(string); ok && isText(m) {
			texts = append(texts, embeddedPicture.ReplaceAllString(s, ""))
		}
	}
	if !raises {
		for _, t := range texts {
			if p := MachinePath(t); p != "" {
				l.bad("prints a path of one machine, %s", p)
				break
			}
		}
	}
	page, _ := o.Data["text/html"].(string)
	for _, img := range imgTag.FindAllString(embeddedPicture.ReplaceAllString(page, ""), -1) {
		if !imgAlt.MatchString(img) {
			l.bad("a figure has no alternative text; show it with nbkit.Show")
		}
	}
	png, isPicture := o.Data["image/png"].(string)
	if isPicture && page == "" && strings.TrimSpace(o.plain()) == "" {
		l.bad("a figure has no alternative text; show it with nbkit.Show")
	}
	if o.Kind() == "figure" {
		l.figure(o, png)
	}
}

func (o *Output) plain() string {
	s, _ := o.Data["text/plain"].(string)
	return s
}

// figure checks a figure of nbkit against the file in figures/.
func (l *linter) figure(o *Output, png string) {
	name, _ := o.Metadata["name"].(string)
	if slices.Contains(l.figures, name) {
		l.bad("two figures are called %q, and the second replaces the first in figures/; rename one", name)
	}
	l.figures = append(l.figures, name)
	if l.at.Figure == nil {
		return
	}
	file, err := l.at.Figure(name)
	if err != nil {
		l.bad("figures/%s/%s.png is missing; lab run makes it, then commit it", l.at.Name, name)
		return
	}
	if data, err := decodeBase64(png); err != nil || !SamePixels(data, file) {
		l.bad("figures/%s/%s.png is not the figure shown; lab run makes it, then commit it", l.at.Name, name)
	}
}

// figuresLeft finds files that no cell shows any more.
func (l *linter) figuresLeft() {
	if l.at.Figures == nil {
		return
	}
	for _, name := range l.at.Figures() {
		if !slices.Contains(l.figures, name) {
			l.badWhole("figures/%s/%s.png is shown by no cell; delete it", l.at.Name, name)
		}
	}
}

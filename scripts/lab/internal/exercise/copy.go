package exercise

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Links say where the links of a copy lead.
type Links struct {
	// HasCopy says whether a notebook, by its name, has a copy, too: links then lead
	// to that.
	HasCopy func(name string) bool
	// Alone is for copies that are handed out without the worked notebooks: links to
	// other files, and pictures from files, become text.
	Alone bool
}

// What stands where the worked answer of a question was, and code that goes with it.
const (
	yourAnswer = "*Write your answer here.*"
	yourCode   = "%%\n// Write your code here."
)

// Unanswered reports whether a student has left what the copy has in place of an answer,
// or nothing.
func Unanswered(source string) bool {
	switch strings.TrimSpace(source) {
	case "", yourAnswer, yourCode:
		return true
	}
	return false
}

// Copy makes the copy of a worked notebook that students work in: a stub in place of
// each solution, a place to write in place of each answer, which stands before the code that
// would give the answer away, folded hints, no hidden tests and no outputs, and at the end a
// cell that runs all checks. Cells keep their ids.
//
// The notebook must be without the problems that [Find] tells.
func Copy(name string, nb *notebook.Notebook, links Links) *notebook.Notebook {
	out := emptyLike(nb)
	course, topic := path.Split(name)
	for _, c := range nb.Cells {
		cell := &notebook.Cell{Type: c.Type, ID: c.ID, Source: c.Source, Attachments: shown(c), Metadata: only(c.Metadata, "tags", "nbgrader")}
		out.Cells = append(out.Cells, cell)
		switch {
		case c.HasTag(notebook.TagAnswer):
			cell.Source, cell.Attachments = yourAnswer, nil
			if c.Type == "code" {
				cell.Source = yourCode
			}
			delete(cell.Metadata, "tags")
			if _, graded := c.AnswerPoints(); graded {
				cell.Metadata["deletable"] = false
			}
		case c.Type == "markdown":
			cell.Source = foldHints(links.relink(c.Source, course))
		case c.Type == "code":
			cell.Source = strings.Replace(stubbed(c.Source), `nbkit.Notebook("`+name+`")`, `nbkit.Notebook("`+course+project.Exercises+"/"+topic+`")`, 1)
			if _, graded := c.Points(); graded {
				cell.Metadata["deletable"], cell.Metadata["editable"] = false, false
			} else if c.IsSolution() {
				cell.Metadata["deletable"] = false
			}
		}
	}
	out.Cells = append(predictFirst(nb.Cells, out.Cells), checkAll(nb)...)
	return out
}

// IsPlace says whether a cell of a copy is the place where students write what they
// answer in words.
func IsPlace(c *notebook.Cell) bool { return c.Type == "markdown" && c.Source == yourAnswer }

// IsStub says whether a cell of a copy is one in which students write code.
func IsStub(c *notebook.Cell) bool {
	meta, _ := c.Metadata["nbgrader"].(map[string]any)
	return c.Type == "code" && (meta["solution"] == true || c.Source == yourCode)
}

// emptyLike is a notebook without cells, with the metadata that students need.
func emptyLike(nb *notebook.Notebook) *notebook.Notebook {
	out := &notebook.Notebook{Metadata: only(nb.Metadata, "kernelspec", "language_info", "mllabs"), NBFormat: nb.NBFormat, NBFormatMinor: nb.NBFormatMinor}
	if own, ok := out.Metadata["mllabs"].(map[string]any); ok {
		if own = only(own, "peers", "edition"); len(own) > 0 {
			out.Metadata["mllabs"] = own
		} else {
			delete(out.Metadata, "mllabs")
		}
	}
	return out
}

// Released is a worked notebook as students may have it once the exercises are done: with
// solutions, answers and outputs, but without hidden tests, which the next class meets as
// well, and without the markers around solutions.
func Released(nb *notebook.Notebook) *notebook.Notebook {
	out := emptyLike(nb)
	for _, c := range nb.Cells {
		copied := *c
		copied.Metadata = only(c.Metadata, "tags")
		out.Cells = append(out.Cells, &copied)
		found, err := regions(c.Source)
		if c.Type != "code" || err != nil || len(found) == 0 {
			continue
		}
		lines := strings.Split(c.Source, "\n")
		var kept []string
		next := 0
		hidden := false
		for _, r := range found {
			kept = append(kept, lines[next:r.First]...)
			if r.Hidden {
				hidden = true
			} else {
				kept = append(kept, lines[r.First+1:r.Last]...)
			}
			next = r.Last + 1
		}
		copied.Source = strings.Join(append(kept, lines[next:]...), "\n")
		if hidden { // which its outputs name
			copied.Source = cell.DropUnused(copied.Source)
			copied.Outputs, copied.ExecutionCount = nil, nil
		}
	}
	return out
}

// shown are the attachments of a cell that its text refers to: another might be the
// picture of an answer.
func shown(c *notebook.Cell) map[string]any {
	kept := map[string]any{}
	for name, bundle := range c.Attachments {
		if strings.Contains(c.Source, "attachment:"+name) || strings.Contains(c.Source, "attachment:"+url.PathEscape(name)) {
			kept[name] = bundle
		}
	}
	return kept
}

// only is the part of metadata that a copy keeps. What else an author's tools put there
// may tell more than students should read.
func only(metadata map[string]any, keys ...string) map[string]any {
	kept := map[string]any{}
	for _, k := range keys {
		if v, ok := metadata[k]; ok {
			kept[k] = v
		}
	}
	return kept
}

// stubbed is the source of a cell with stubs for its solutions and without its hidden
// tests, and what was made for those only.
func stubbed(source string) string {
	found, err := regions(source)
	if err != nil || len(found) == 0 {
		return source
	}
	split := cell.Split(source)
	file, parseErr := split.Parse()
	lines := strings.Split(source, "\n")
	var out []string
	next := 0
	for _, r := range found {
		out = append(out, lines[next:r.First]...)
		next = r.Last + 1
		if r.Hidden {
			continue
		}
		name := ""
		if parseErr == nil {
			if fn := functionAround(file, split, r); fn != nil {
				name = cell.FuncName(fn)
			}
		}
		indent := lines[r.First][:len(lines[r.First])-len(strings.TrimLeft(lines[r.First], " \t"))]
		out = append(out, indent+"// YOUR CODE HERE", fmt.Sprintf("%spanic(nbkit.NotImplemented(%q))", indent, name))
	}
	copied := strings.Join(append(out, lines[next:]...), "\n")
	if slices.ContainsFunc(found, func(r region) bool { return r.Hidden }) {
		copied = cell.DropUnused(copied)
	}
	return copied
}

var inlineLink = regexp.MustCompile(`(!?)\[((?:[^\[\]\\]|\\.)*)\]\(([^()\s]+)\)`)

// relink makes the links of a markdown text lead to the same places from a folder
// below: to another notebook's copy, if it has one.
func (l Links) relink(source, course string) string {
	return outsideCode(source, func(text string) string {
		return inlineLink.ReplaceAllStringFunc(text, func(link string) string {
			m := inlineLink.FindStringSubmatch(link)
			u, err := url.Parse(m[3])
			if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
				return link
			}
			target := path.Join(course, u.Path)
			if name, ok := strings.CutSuffix(target, ".ipynb"); ok && m[1] == "" && !strings.HasPrefix(target, "..") && l.HasCopy(name) {
				dir, file := path.Split(target)
				target = path.Join(dir, project.Exercises, file)
			} else if l.Alone {
				return m[2]
			}
			u.Path = relative(path.Join(course, project.Exercises), target)
			return m[1] + "[" + m[2] + "](" + u.String() + ")"
		})
	})
}

// relative is the way from a folder to a file, both seen from notebooks/.
func relative(from, to string) string {
	a, b := strings.Split(path.Clean(from), "/"), strings.Split(path.Clean(to), "/")
	for len(a) > 0 && len(b) > 1 && a[0] == b[0] && a[0] != ".." {
		a, b = a[1:], b[1:]
	}
	return strings.Repeat("../", len(a)) + strings.Join(b, "/")
}

var codeInMarkdown = regexp.MustCompile("(?ms)^ {0,3}```.*?^ {0,3}```|`[^`\n]*`")

// outsideCode changes a markdown text but for the code in it.
func outsideCode(source string, change func(string) string) string {
	var b strings.Builder
	next := 0
	for _, loc := range codeInMarkdown.FindAllStringIndex(source, -1) {
		b.WriteString(change(source[next:loc[0]]))
		b.WriteString(source[loc[0]:loc[1]])
		next = loc[1]
	}
	return b.String() + change(source[next:])
}

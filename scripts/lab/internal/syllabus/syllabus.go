// Package syllabus tells instructors what is in the courses: worked notebooks and their
// catalogues of mistakes flow in, one page of markdown flows out, with each notebook's
// minutes, what it builds on, its points, and what students get wrong in it.
package syllabus

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/mistakes"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Lab is a notebook of the courses.
type Lab struct {
	Course, Topic string
	Worked        *notebook.Notebook
	Catalogue     *mistakes.Catalogue // nil where there is none
}

func (l Lab) name() string { return path.Join(l.Course, l.Topic) }

// link is a link to the notebook from the page, which stands in the folder of notebooks.
func (l Lab) link() string { return fmt.Sprintf("[%s](%s.ipynb)", l.title(), l.name()) }

func (l Lab) title() string { return cmp.Or(l.Worked.Title(), l.Topic) }

const head = `# Syllabus

This page is written by %s from the notebooks and their
catalogues of mistakes; [INSTRUCTORS.md](INSTRUCTORS.md) says how notebooks are handed out
and graded.

Minutes are those of a second-year student who does every exercise and answers every
question. They are estimates from the lengths of texts and the numbers of exercises and
questions, not measured times. Points are those of exercises, which lab grade scores, and of
written answers, which somebody marks by hand. Nobody needs to have finished an earlier
notebook: what a notebook takes from one it builds on is in the course's package.
`

// Page is the page. Notebooks stand in reading order, those of a course together. An error
// names a notebook that builds on one which is not there, or whose exercises lack parts.
func Page(command string, labs []Lab) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, head, "`"+command+"`")
	byName := map[string]Lab{}
	for _, l := range labs {
		byName[l.name()] = l
	}
	course := "\n" // none is called so
	for i, l := range labs {
		if l.Course != course {
			course = l.Course
			title := course
			if course == "" {
				title = "Before the courses"
			}
			fmt.Fprintf(&b, "\n## %s\n\n| notebook | minutes | builds on | exercises | written answers | points |\n| --- | --- | --- | --- | --- | --- |\n", title)
		}
		row, err := row(l, byName)
		if err != nil {
			return "", err
		}
		b.WriteString(row)
		if i+1 == len(labs) || labs[i+1].Course != course {
			wrong(&b, labs[:i+1], course)
		}
	}
	return b.String(), nil
}

func row(l Lab, byName map[string]Lab) (string, error) {
	exercises, problems := exercise.Find(l.Worked)
	if len(problems) > 0 {
		return "", fmt.Errorf("%s: %v", l.name(), problems[0])
	}
	tasks, _ := exercise.Tasks(l.Worked) // whose problems are among those
	points := 0
	for _, e := range exercises {
		points += e.Points
	}
	for _, t := range tasks {
		points += t.Points
	}
	needs := l.Worked.Needs()
	minutes := "?"
	if needs.Minutes > 0 {
		minutes = fmt.Sprint(needs.Minutes)
	}
	var after []string
	for _, name := range needs.After {
		before, there := byName[name]
		if !there || name == l.name() {
			return "", fmt.Errorf("%s builds on %s by its metadata mllabs.after, which is no other notebook", l.name(), name)
		}
		after = append(after, before.link())
	}
	if needs.Peers {
		after = append(after, "Python's scikit-learn")
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d |\n", l.link(), minutes, strings.Join(after, ", "), len(exercises), len(tasks), points), nil
}

// wrong tells what students get wrong in a course's notebooks.
func wrong(b *strings.Builder, labs []Lab, course string) {
	first := slices.IndexFunc(labs, func(l Lab) bool { return l.Course == course })
	for _, l := range labs[first:] {
		if l.Catalogue == nil {
			continue
		}
		exercises, _ := exercise.Find(l.Worked) // row has told of problems
		fmt.Fprintf(b, "\n### What students get wrong in %s\n", l.title())
		for _, e := range exercises {
			fmt.Fprintf(b, "\nExercise %d, %s:\n\n", e.Number, e.Title)
			for _, body := range l.Catalogue.Of(e.Number) {
				if !body.Right {
					fmt.Fprintf(b, "- %s\n", mistake(body.Says))
				}
			}
		}
	}
}

// mistake is what the catalogue says to a student, as a sentence. Where it begins with a
// variable, that is marked as code, because k and K are two.
func mistake(says string) string {
	rest := strings.TrimPrefix(says, "This is what one gets when ")
	if name, _, _ := strings.Cut(rest, " "); len(name) == 1 && name != "a" && name >= "A" {
		return "`" + name + "`" + rest[1:]
	}
	first, size := utf8.DecodeRuneInString(rest)
	if first > unicode.MaxASCII { // β is another symbol than Β
		return rest
	}
	return strings.ToUpper(rest[:size]) + rest[size:]
}

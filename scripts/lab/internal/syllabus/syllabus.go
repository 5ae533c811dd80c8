// Package syllabus lays out the courses for instructors: worked notebooks, their catalogues
// of mistakes and the path through them flow in; a page of weeks, a page of mistakes and a
// map of the modules flow out.
package syllabus

import (
	"cmp"
	"fmt"
	"path"
	"strings"

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

// link is a link to the notebook from a page in the folder of notebooks.
func (l Lab) link() string { return fmt.Sprintf("[%s](%s.ipynb)", l.title(), l.name()) }

func (l Lab) title() string { return cmp.Or(l.Worked.Title(), l.Topic) }

func (l Lab) minutes() string {
	if m := l.Worked.Needs().Minutes; m > 0 {
		return fmt.Sprint(m)
	}
	return "?"
}

// points counts those of exercises and of written answers.
func (l Lab) points() (int, error) {
	exercises, problems := exercise.Find(l.Worked)
	if len(problems) > 0 {
		return 0, fmt.Errorf("%s: %v", l.name(), problems[0])
	}
	tasks, _ := exercise.Tasks(l.Worked) // whose problems are among those
	points := 0
	for _, e := range exercises {
		points += e.Points
	}
	for _, t := range tasks {
		points += t.Points
	}
	return points, nil
}

const head = `# Syllabus

%s writes this page from [path.json](path.json) and the notebooks.
[MISTAKES.md](MISTAKES.md) lists what students get wrong in each exercise, and
[INSTRUCTORS.md](INSTRUCTORS.md) explains how to hand out and grade notebooks.

![Map of the five courses: their modules in order, and the modules of other courses on which
they build](../figures/course_map.svg)

Each course is planned for one sitting of two hours a week. The notebooks in bold are its
**core**, about %d of all %d hours. The others deepen a subject, and you may leave out any of them,
because a notebook takes what it needs of earlier ones from the course's package. Begin every
plan with %s.

Minutes are estimates for a second-year student who works on every exercise and question. Fourteen
core notebooks, all of the first course and two of each other, were tried by readers who had not
seen them and wrote every function. At 180 words and 8 lines of code a minute, with the exercises,
questions and runs, they needed 88 to 139 %% of the minutes stated, and five notebooks have been
given more since. Points count the exercises, which lab grade scores, and the written answers, which you mark.
`

// Page is the page of weeks. labs are in reading order. An error names a notebook that the path
// does not contain, that builds on one which does not exist, or whose exercises lack parts.
func Page(command string, p Path, labs []Lab) (string, error) {
	byName := index(labs)
	if err := p.check(byName); err != nil {
		return "", err
	}
	var b strings.Builder
	core, all := 0, 0
	isCore := p.Core()
	for name, l := range byName {
		all += l.Worked.Needs().Minutes
		if isCore[name] {
			core += l.Worked.Needs().Minutes
		}
	}
	var doors []string
	for _, l := range labs {
		if l.Course == "" {
			doors = append(doors, l.link())
		}
	}
	fmt.Fprintf(&b, head, "`"+command+"`", core/60, all/60, strings.Join(doors, " and "))
	for _, c := range p.Courses {
		fmt.Fprintf(&b, "\n## [%s](%s)\n\n%s\n\n| week | notebook | minutes | points | builds on | afterwards you can |\n| --- | --- | --- | --- | --- | --- |\n", c.Title, c.Folder, c.About)
		var further []string
		for _, m := range c.Modules {
			fmt.Fprintf(&b, "|  | *%s* |  |  |  |  |\n", m.Title)
			for _, s := range m.Steps {
				l := byName[path.Join(c.Folder, s.Notebook)]
				points, err := l.points()
				if err != nil {
					return "", err
				}
				after, err := l.after(byName)
				if err != nil {
					return "", err
				}
				link := l.link()
				switch {
				case s.Week == 0:
					further = append(further, fmt.Sprintf("%s (%s min, %d points)", link, l.minutes(), points))
					continue
				case s.Core:
					link = "**" + link + "**"
				}
				fmt.Fprintf(&b, "| %d | %s | %s | %d | %s | %s |\n", s.Week, link, l.minutes(), points, after, s.Can)
			}
		}
		if len(further) > 0 {
			fmt.Fprintf(&b, "\nFurther: %s.\n", strings.Join(further, ", "))
		}
	}
	b.WriteString("\n## Plans across courses\n\nEach link is one week.\n")
	for _, plan := range p.Plans {
		var links []string
		for _, name := range plan.Weeks {
			links = append(links, byName[name].link())
		}
		fmt.Fprintf(&b, "\n**%s** (%d weeks): %s.\n", plan.Title, len(links), strings.Join(links, "; "))
	}
	return b.String(), nil
}

// index finds notebooks by name.
func index(labs []Lab) map[string]Lab {
	byName := map[string]Lab{}
	for _, l := range labs {
		byName[l.name()] = l
	}
	return byName
}

// after lists what a notebook builds on. The notebook before the courses is not said each time.
func (l Lab) after(byName map[string]Lab) (string, error) {
	var after []string
	needs := l.Worked.Needs()
	for _, name := range needs.After {
		before, there := byName[name]
		if !there || name == l.name() {
			return "", fmt.Errorf("%s builds on %s by its metadata mllabs.after, which is no other notebook", l.name(), name)
		}
		if before.Course != "" {
			after = append(after, before.link())
		}
	}
	if needs.Peers {
		after = append(after, "Python's scikit-learn")
	}
	return strings.Join(after, ", "), nil
}

package syllabus

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// two are two notebooks before the courses and three of courses, all of them the small notebook
// of package exercise, which has exercises of 2 points and 1, and a path through them.
func two(t *testing.T, meta map[string]any) (Path, []Lab) {
	t.Helper()
	read := func(meta map[string]any) *notebook.Notebook {
		nb, err := notebook.Read("../exercise/testdata/rates.ipynb")
		if err != nil {
			t.Fatal(err)
		}
		nb.Metadata["mllabs"] = meta
		return nb
	}
	labs := []Lab{
		{Topic: "00_go", Worked: read(map[string]any{})},
		{Topic: "01_python", Worked: read(map[string]any{})},
		{Course: "lab", Topic: "01_rates", Worked: read(meta)},
		{Course: "lab", Topic: "02_more", Worked: read(map[string]any{"minutes": json.Number("75"), "after": []any{"lab/01_rates"}})},
		{Course: "other", Topic: "01_end", Worked: read(map[string]any{"minutes": json.Number("60"), "after": []any{"lab/02_more"}})},
	}
	return Path{
		Courses: []Course{
			{Folder: "lab", Title: "The lab", About: "About it.", Modules: []Module{{Title: "Counting & more", Steps: []Step{
				{Notebook: "01_rates", Core: true, Week: 1, Can: "count"}, {Notebook: "02_more"}}}}},
			{Folder: "other", Title: "Other", About: "About that.", Modules: []Module{{Title: "The end", Steps: []Step{
				{Notebook: "01_end", Week: 1}}}}},
		},
		Plans: []Plan{{Title: "Both", Weeks: []string{"lab/01_rates", "other/01_end"}}},
	}, labs
}

// Oracle: worked by hand.
func TestPage(t *testing.T) {
	p, labs := two(t, map[string]any{"minutes": json.Number("45"), "after": []any{"00_go"}, "peers": true})
	page, err := Page("lab syllabus", p, labs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"`lab syllabus` writes this page",
		"about 0 of all 3 hours",
		"Begin every\nplan with [Error rates](00_go.ipynb) and [Error rates](01_python.ipynb).\n",
		"## [The lab](lab)\n\nAbout it.\n",
		"|  | *Counting & more* |  |  |  |  |\n" +
			"| 1 | **[Error rates](lab/01_rates.ipynb)** | 45 | 3 | Python's scikit-learn | count |\n" +
			"\nFurther: [Error rates](lab/02_more.ipynb) (75 min, 3 points).\n",
		"| 1 | [Error rates](other/01_end.ipynb) | 60 | 3 | [Error rates](lab/02_more.ipynb) |  |\n",
		"**Both** (2 weeks): [Error rates](lab/01_rates.ipynb); [Error rates](other/01_end.ipynb).\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	for _, after := range []string{"02_none", "lab/01_rates"} {
		p, labs := two(t, map[string]any{"after": []any{after}})
		if _, err := Page("lab syllabus", p, labs); err == nil || !strings.Contains(err.Error(), "lab/01_rates builds on "+after) {
			t.Errorf("%s: %v", after, err)
		}
	}
}

// A path that does not fit the notebooks is refused, and the error names what does not fit.
func TestBadPath(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Path)
		want  string
	}{
		{"no such notebook", func(p *Path) { p.Courses[0].Modules[0].Steps[1].Notebook = "03" }, `names lab/03, which is no notebook`},
		{"twice", func(p *Path) {
			p.Courses[0].Modules = append(p.Courses[0].Modules, Module{Title: "Again", Steps: []Step{{Notebook: "02_more"}}})
		}, `lab/02_more stands in "Counting & more" and in "Again"`},
		{"left out", func(p *Path) { p.Courses[0].Modules[0].Steps = p.Courses[0].Modules[0].Steps[:1] }, "lab/02_more stands in no module"},
		{"core without a week", func(p *Path) { p.Courses[0].Modules[0].Steps[0].Week = 0 }, `lab/01_rates is core, and needs a "week"`},
		{"core without an end", func(p *Path) { p.Courses[0].Modules[0].Steps[0].Can = "" }, `lab/01_rates is core`},
		{"weeks out of order", func(p *Path) { p.Courses[0].Modules[0].Steps[1].Week = 3 }, "lab/02_more has week 3, and the week after the last one before it is 2"},
		{"plan", func(p *Path) { p.Plans[0].Weeks[1] = "other/02" }, `the plan "Both" names other/02`},
	} {
		p, labs := two(t, map[string]any{})
		c.spoil(&p)
		_, err := Page("lab syllabus", p, labs)
		_, drawn := Map(p, labs)
		for _, err := range []error{err, drawn} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		}
	}
}

// The map is XML in which every module stands in a box with its core notebooks and what it
// builds on, and no line is longer than its box.
func TestMap(t *testing.T) {
	p, labs := two(t, map[string]any{})
	svg, err := Map(p, labs)
	if err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{">The lab<": 1, ">Counting &amp; more<": 1, ">• Error rates<": 1, ">and 1 further<": 2, ">← The lab: Counting &amp; more<": 1} {
		if strings.Count(svg, want) != times {
			t.Errorf("%d times %q, want %d, in\n%s", strings.Count(svg, want), want, times, svg)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range wrap("a sentence of several words that does not fit", 100, 1) {
		if len(line) > 15 {
			t.Errorf("%q is longer than 100 pixels", line)
		}
	}
}

func TestMistake(t *testing.T) {
	for says, want := range map[string]string{
		"This is what one gets when β is not squared.":                        "β is not squared.",
		"This is what one gets when ties go to the last class. Look at them.": "Ties go to the last class. Look at them.",
		"This is what one gets when k is not used.":                           "`k` is not used.",
		"This is what one gets when a row is skipped.":                        "A row is skipped.",
	} {
		if got := mistake(says); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

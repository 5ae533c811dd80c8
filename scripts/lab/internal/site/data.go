package site

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore/plotx"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A dataPage is what the page of a data set shows.
type dataPage struct {
	datasets.Set
	Columns   []column
	Figure    string // its file
	FigureAlt string
	UsedBy    []*entry
	Bytes     int64
}

// A column is what a table says of a column.
type column struct {
	Name, Role, Type string
	Levels           string // with their meanings
	Range            string // of the values
	Missing          int
}

// pageOf is the page of a data set.
func pageOf(s datasets.Set) string { return "data/" + s.Name + ".html" }

// HomeHost is the host that presents the set.
func (d dataPage) HomeHost() string {
	u, err := url.Parse(d.Home)
	if err != nil {
		return d.Home
	}
	return u.Host
}

func (b *builder) writeDataSets(ctx context.Context) error {
	var all []*dataPage
	for _, set := range b.DataSets {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.summary.DataSets++
		d, err := b.dataPage(set)
		if err != nil {
			return err
		}
		all = append(all, d)
		b.search.add(section{Page: pageOf(set), Title: "Data: " + set.Title, Text: set.Description + " " + strings.Join(columnNames(set), " ")})
		if err := b.writePage(pageOf(set), "dataset", set.Title, set.Description, d); err != nil {
			return err
		}
	}
	notice, err := b.notice(ctx)
	if err != nil {
		return err
	}
	return b.writePage("data/index.html", "datasets", "Data sets", "The data sets of the course: where they come from and on which terms.", dataIndex{all, notice})
}

// A dataIndex is the content of the page of all data sets.
type dataIndex struct {
	Sets   []*dataPage
	Notice template.HTML // authors and licences
}

// notice returns the authors and licences of the data, without the heading of the file.
func (b *builder) notice(ctx context.Context) (template.HTML, error) {
	file := filepath.Join(b.Root, "datasets", "NOTICE.md")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("data files may be passed on only with their licences: %w", err)
	}
	_, text, _ = bytes.Cut(text, []byte("\n"))
	page, err := export.Piece(ctx, b.Root, string(text))
	return template.HTML(page), err // Piece sanitises it
}

// uses reports whether cells load a data set by name, as in datasets.Load("letter"), or with a
// function or variable named after it, such as datasets.IncomeTrain or uci.Letter.
func uses(cells []*notebook.Cell, set datasets.Set) bool {
	called := regexp.MustCompile(fmt.Sprintf(`\bdatasets\.\w+\("%s"|\b[a-z]\w*\.%s(Train|Test)?\b`, set.Name, strings.ToUpper(set.Name[:1])+set.Name[1:]))
	return slices.ContainsFunc(cells, func(c *notebook.Cell) bool { return c.Type == "code" && called.MatchString(c.Source) })
}

func columnNames(s datasets.Set) (names []string) {
	for _, c := range s.Columns {
		names = append(names, c.Name)
	}
	return names
}

func (b *builder) dataPage(set datasets.Set) (*dataPage, error) {
	d := &dataPage{Set: set}
	for _, f := range set.Files {
		d.Bytes += f.Size
	}
	for _, e := range b.entries() {
		if uses(e.shown.Cells, set) {
			d.UsedBy = append(d.UsedBy, e)
		}
	}
	df, err := datasets.Load(set.Name)
	if err != nil {
		return nil, err
	}
	for _, c := range set.Columns {
		d.Columns = append(d.Columns, describe(set, c, df))
	}
	figure, alt, err := draw(set, df)
	if err != nil {
		return nil, fmt.Errorf("the figure of data set %s: %w", set.Name, err)
	}
	png, err := plotx.PNG(figure)
	if err != nil {
		return nil, fmt.Errorf("the figure of data set %s: %w", set.Name, err)
	}
	d.Figure, d.FigureAlt = path.Join("pictures", shortHash(png)+".png"), alt
	return d, b.folder.write(d.Figure, png)
}

// describe describes a column, with the range of its values.
func describe(set datasets.Set, c datasets.Column, df dataframe.DataFrame) column {
	d := column{Name: c.Name, Role: "feature", Type: map[series.Type]string{series.String: "category", series.Int: "whole number", series.Float: "number"}[c.Type]}
	switch {
	case c.Identifier:
		d.Role, d.Type = "identifier", "text"
	case slices.Contains(set.Targets, c.Name):
		d.Role = "label"
		if set.Task == datasets.Regression {
			d.Role = "target"
		}
	}
	var levels []string
	for i, l := range c.Levels {
		if i < len(c.LevelNames) && c.LevelNames[i] != l {
			l += " (" + c.LevelNames[i] + ")"
		}
		levels = append(levels, l)
	}
	d.Levels = strings.Join(levels, ", ")
	s := df.Col(c.Name)
	for _, missing := range s.IsNaN() {
		if missing {
			d.Missing++
		}
	}
	if c.Type != series.String {
		lowest, highest := math.Inf(1), math.Inf(-1)
		for _, v := range s.Float() {
			if !math.IsNaN(v) {
				lowest, highest = min(lowest, v), max(highest, v)
			}
		}
		d.Range = fmt.Sprintf("%.6g to %.6g", lowest, highest)
		return d
	}
	counts := count(s)
	if d.Range = plural(len(counts), "value"); !c.Identifier && d.Levels == "" {
		most := counts[:min(len(counts), 4)]
		for i, n := range most {
			d.Range += map[bool]string{true: ": ", false: ", "}[i == 0] + n.name
		}
		if len(counts) > len(most) {
			d.Range += ", …"
		}
	}
	return d
}

// A number says how often a value occurs.
type number struct {
	name string
	n    int
}

// count counts the values of a column, the commonest first, then by name.
func count(s series.Series) (list []number) {
	counts := map[string]int{}
	missing := s.IsNaN()
	for i, v := range s.Records() {
		if !missing[i] {
			counts[v]++
		}
	}
	for name, n := range counts {
		list = append(list, number{name, n})
	}
	slices.SortFunc(list, func(a, b number) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	return list
}

// draw draws a set: its points if they lie in a plane, its target's distribution if that
// is a number, else how many rows each class has.
func draw(set datasets.Set, df dataframe.DataFrame) (plotx.Figure, string, error) {
	target := set.Target()
	switch s := df.Col(target); {
	case set.Task == datasets.Regression:
		values := slices.DeleteFunc(s.Float(), math.IsNaN)
		figure, err := plotx.Histogram(set.Title, target, values, nil, nil, 24)
		return figure, "Histogram of " + target + " in " + set.Title, err
	case len(set.Features()) == 2:
		ds, err := datasets.LoadDataset(set.Name)
		if err != nil {
			return nil, "", err
		}
		figure, err := plotx.Scatter(ds, set.Title)
		return figure, "Scatter plot of " + set.Title + ", coloured by " + target, err
	default:
		var names []string
		bars := plotx.BarGroup{Name: "rows"}
		for _, c := range count(s) {
			names, bars.Values = append(names, meaning(set, target, c.name)), append(bars.Values, float64(c.n))
		}
		figure, err := plotx.Bars("Rows of each class", "rows", "%.0f", names, bars)
		return figure, "Rows of each class of " + target + " in " + set.Title, err
	}
}

// meaning is what a value of a column means.
func meaning(set datasets.Set, name, value string) string {
	for _, c := range set.Columns {
		if i := slices.Index(c.Levels, value); c.Name == name && i >= 0 && i < len(c.LevelNames) {
			return c.LevelNames[i]
		}
	}
	return value
}

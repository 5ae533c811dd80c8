package exercise

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Leaks finds what would give a solution away, or put another in the place of a
// student's: a name that two cells declare, a line of a solution elsewhere in the
// copy, a figure of the worked notebook, a package that exports what students are to
// write. root is the checkout's.
func Leaks(root string, nb, copied *notebook.Notebook, exercises []Exercise) []notebook.Problem {
	l := &leaks{nb: nb}
	l.declaredTwice()
	l.lines(copied)
	l.outputs(copied)
	l.packages(root, exercises)
	return l.problems
}

type leaks struct {
	nb       *notebook.Notebook
	problems []notebook.Problem
}

func (l *leaks) bad(i int, format string, args ...any) {
	l.problems = append(l.problems, problemAt(l.nb, i, fmt.Sprintf(format, args...)))
}

// problemAt is a problem of a cell of the worked notebook, or of the cell that only a copy has,
// at the end, or of no cell, -1.
func problemAt(nb *notebook.Notebook, i int, text string) notebook.Problem {
	p := notebook.Problem{Cell: i, Text: text}
	switch {
	case i >= len(nb.Cells):
		p.ID = CheckAllID
	case i >= 0:
		p.ID = nb.Cells[i].ID
	}
	return p
}

// indexOf finds a cell of a copy in the worked notebook, where it may have another place.
func indexOf(nb *notebook.Notebook, id string) int {
	if i := slices.IndexFunc(nb.Cells, func(c *notebook.Cell) bool { return c.ID == id }); i >= 0 {
		return i
	}
	return len(nb.Cells)
}

// declaredTwice finds names that two cells declare. The kernel takes the later
// declaration: a student's function would be replaced, or a stub stay.
func (l *leaks) declaredTwice() {
	first := map[string]int{}
	for i, c := range l.nb.Cells {
		if c.Type != "code" || c.HasTag(notebook.TagRaises) {
			continue // what is meant to fail declares nothing that others could use
		}
		names, err := cell.Split(c.Source).Declares()
		if err != nil {
			l.bad(i, "is not Go: %v; statements stand below a line %%%%", err)
			continue
		}
		for _, n := range names {
			if j, ok := first[n.Name]; ok {
				l.bad(i, "line %d declares %s again, which cell %d (id %s) declares", n.Line+1, n.Name, j+1, l.nb.Cells[j].ID)
			} else {
				first[n.Name] = i
			}
		}
	}
}

// A SolutionLine is a line that is found in a solution only.
type SolutionLine struct {
	Cell, Line int    // both from 0
	Text       string // as it stands there
	squeezed   string // without white space
}

// minLine is the length from which a line, without spaces, is somebody's idea: what is
// shorter many would write alike.
const minLine = 20

// common are lines that many would write alike though they are long: heads of loops and
// of function literals, comments, new slices and maps, one call of something given with
// plain names, whether its answer is kept, returned or not wanted.
var common = regexp.MustCompile(`^(?:for\b.*\{|[^{]*\bfunc\([^{]*\{|if err != nil.*|//.*|var \w+ .*|defer .*|return \w+(?:, \w+)*|` +
	`\w+(?:, \w+)* :?= (?:make\(.*\)|(?:map\[\w+\]|\[\])+\w+\{\})|` +
	`(?:return |\w+(?:, \w+)* :?= )?\w+\.\w+(?:\.\w+)*\([\w, ]*\))$`)

// SolutionLines lists the lines of a notebook's solutions and hidden tests that a
// student could copy.
func SolutionLines(nb *notebook.Notebook) []SolutionLine {
	var list []SolutionLine
	for i, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		found, err := regions(c.Source)
		if err != nil {
			continue
		}
		for n, line := range strings.Split(c.Source, "\n") {
			s := squeeze(line)
			if inRegion(found, n) && len(s) > minLine && !common.MatchString(strings.TrimSpace(line)) {
				list = append(list, SolutionLine{i, n, strings.TrimSpace(line), s})
			}
		}
	}
	return list
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// lines finds the lines of solutions in the copy, also beside the stub.
func (l *leaks) lines(copied *notebook.Notebook) {
	all := SolutionLines(l.nb)
	for _, c := range copied.Cells {
		i := indexOf(l.nb, c.ID)
		text := squeeze(c.Source)
		for _, line := range all {
			if strings.Contains(text, line.squeezed) {
				l.bad(i, "has line %d of cell %d (id %s), which is part of its solution: %s", line.Line+1, line.Cell+1, l.nb.Cells[line.Cell].ID, line.Text)
			}
		}
	}
}

// ofFigures finds pictures of the worked notebooks: inline, by reference and in HTML.
var ofFigures = regexp.MustCompile(`(?im)(?:!\[[^\]]*\]\(|^ {0,3}\[[^\]]+\]:|<img\b)[^)>\n]*\bfigures/`)

// What a page of markdown does not show and its file does: comments of HTML,
// destinations of links that no link names, which serve as comments, and what follows
// the language of a code block.
var (
	comment    = regexp.MustCompile(`<!--`)
	afterFence = regexp.MustCompile("(?m)^[ >]*(?:```+|~~~+)[ \t]*[^\\s`]+[ \t]+([^\\s`][^\n`]*)$")
	definition = regexp.MustCompile(`(?m)^[ >]*\[((?:[^\[\]\\]|\\.)+)\]:`)
)

// unusedDefinition is the name of a link's destination that no link of the text uses, ""
// if there is none. A text of its own in place of "[name]" makes no difference.
func unusedDefinition(source string) string {
	plain := func(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }
	text := plain(definition.ReplaceAllString(source, ""))
	for _, m := range definition.FindAllStringSubmatch(source, -1) {
		if !strings.Contains(text, "["+plain(m[1])+"]") {
			return m[1]
		}
	}
	return ""
}

// outputs wants none in the copy, and no figure that the worked notebook has made.
func (l *leaks) outputs(copied *notebook.Notebook) {
	for _, c := range copied.Cells {
		i := indexOf(l.nb, c.ID)
		if len(c.Outputs) > 0 || c.ExecutionCount != nil {
			l.bad(i, "has outputs of the worked notebook")
		}
		if c.Type == "markdown" && ofFigures.MatchString(c.Source) {
			l.bad(i, "shows a figure of the worked notebooks, which students are to draw; draw it in a cell")
		}
		if c.Type == "raw" {
			l.bad(i, "is a raw cell, which no page shows and whoever opens the copy can read; make it markdown, or delete it")
		}
		if c.Type != "markdown" {
			continue
		}
		if m := afterFence.FindStringSubmatch(c.Source); m != nil {
			l.bad(i, "has %q after the language of a code block, which no page shows; delete it", m[1])
		}
		text := outsideFences(c.Source)
		if comment.MatchString(text) {
			l.bad(i, "has an HTML comment, which whoever opens the cell can read; delete it")
		}
		if name := unusedDefinition(text); name != "" {
			l.bad(i, "has a line \"[%s]: …\" that no link uses: a comment, which whoever opens the cell can read; delete it", name)
		}
	}
}

// packages finds exercises that a package below notebooks/ exports, which the notebook
// imports, directly or through others.
func (l *leaks) packages(root string, exercises []Exercise) {
	wanted := map[string]Exercise{}
	for _, e := range exercises {
		for _, name := range e.Names {
			wanted[strings.ToLower(name)] = e
		}
	}
	seen := map[string]bool{}
	var visit func(cell int, importPath, through string)
	visit = func(cell int, importPath, through string) {
		rel, ok := strings.CutPrefix(importPath, project.Module+"/")
		if !ok || !strings.HasPrefix(rel, "notebooks/") || seen[importPath] {
			return
		}
		seen[importPath] = true
		exported, imports, err := readPackage(filepath.Join(root, filepath.FromSlash(rel)))
		if err != nil {
			l.bad(cell, "imports %s, which cannot be read: %v", importPath, err)
			return
		}
		way := importPath
		if through != "" {
			way = through + ", which imports " + importPath
		}
		for _, name := range exported {
			if e, ok := wanted[strings.ToLower(name)]; ok {
				l.bad(cell, "imports %s, which exports %s: exercise %d asks for it", way, name, e.Number)
			}
		}
		for _, next := range imports {
			visit(cell, next, way)
		}
	}
	for i, c := range l.nb.Cells {
		if c.Type != "code" {
			continue
		}
		paths, err := cell.Split(c.Source).Imports()
		if err != nil {
			continue // declaredTwice has told
		}
		for _, p := range paths {
			visit(i, p, "")
		}
	}
}

// readPackage lists what a package exports, methods behind the name of their type,
// and what it imports.
func readPackage(dir string) (exported, imports []string, err error) {
	if err := mustBeFolder(dir); err != nil {
		return nil, nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	set := token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		for _, spec := range f.Imports {
			imports = append(imports, strings.Trim(spec.Path.Value, `"`))
		}
		for _, e := range Exports(f) {
			exported = append(exported, e.Name)
		}
	}
	slices.Sort(imports)
	return exported, slices.Compact(imports), nil
}

func mustBeFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "read", Path: path.Base(dir), Err: fs.ErrInvalid}
	}
	return nil
}

// An Export is something that a file exports.
type Export struct {
	Name string // a method's behind the name of its type
	// Shape is the types of a function's parameters and results, without the names of
	// packages: the same for all that can stand in for each other. It is "" for what is
	// no function.
	Shape string
}

// Exports lists what a file exports.
func Exports(file *ast.File) (list []Export) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				list = append(list, Export{cell.FuncName(d), Shape(d)})
			}
		case *ast.GenDecl:
			for _, id := range cell.Idents(d) {
				if id.IsExported() {
					list = append(list, Export{Name: id.Name})
				}
			}
		}
	}
	return list
}

// Shape is the [Export.Shape] of a function.
func Shape(fn *ast.FuncDecl) string {
	list := []string{"func"}
	for _, fields := range []*ast.FieldList{fn.Type.Params, fn.Type.Results} {
		if fields != nil {
			for _, f := range fields.List {
				text := qualifier.ReplaceAllString(types.ExprString(f.Type), "")
				list = append(list, slices.Repeat([]string{text}, max(1, len(f.Names)))...)
			}
		}
		list = append(list, ";")
	}
	return strings.Join(list, " ")
}

var qualifier = regexp.MustCompile(`\b\w+\.`)

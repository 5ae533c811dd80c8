package cell

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Program is what cells make when they are put together: all declarations, and a function
// for the body of each cell that has one.
type Program struct {
	files []file
}

// A file is a source file of a program.
type file struct {
	name string
	text []byte
}

// harness is the package that runs the bodies, and harnessName what it is called in
// programs, where students can call nothing so.
const (
	harness     = "github.com/mllabs-go/mllabs/notebooks/nbkit/harness"
	harnessName = Reserved + "harness"
)

// bodyName is what the function is called that is the body of a cell.
func bodyName(cell int) string { return fmt.Sprint(Reserved, "cell", cell) }

// Compose makes the program of a notebook, in which each body does what it does in a kernel.
// Checks in cells with points report their score instead of showing it. The lines of the program
// are called after the cells, "cell3:7" being line 7 of cell 3, both from 1. Cells that are meant
// to fail are left out.
func Compose(nb *notebook.Notebook) (*Program, error) {
	program, _, err := whole(ReadPage(nb))
	return program, err
}

// Whole is [Compose] for a program whose checks are shown, and lists the cells that have a body.
func Whole(nb *notebook.Notebook) (*Program, []int, error) {
	cells := ReadPage(nb)
	for i := range cells {
		cells[i].Graded = false
	}
	return whole(cells)
}

func whole(cells []PageCell) (*Program, []int, error) {
	page := NewPage(cells, -1)
	if len(page.Errors) > 0 {
		return nil, nil, &Errors{Cells: page.Errors}
	}
	return page.Program(), page.Bodies(), nil
}

// ReadAll reads the code cells of a notebook for [Assemble], by their number, but for those that
// are meant to fail.
func ReadAll(nb *notebook.Notebook) (map[int]*Unit, error) {
	units := map[int]*Unit{}
	for i, cell := range nb.Cells {
		if cell.Type != "code" || cell.HasTag(notebook.TagRaises) {
			continue
		}
		u, err := Read(i, cell)
		if err != nil {
			return nil, err
		}
		units[i] = u
	}
	return units, nil
}

// Rules are how cells are put together.
type Rules struct {
	// Imports are specs of the course's cells that are no part of the program, and
	// StudentImports those of the student's: any cell may use what another imports.
	Imports, StudentImports []string
	// Refused says what a student's cell may not use of a package of which it uses these
	// names ("." for a dot import), "package os" or "lab3.FromModel"; "" for nothing.
	Refused func(u *Unit, path string, names []string) string
}

// Assemble makes a program of cells. The course's stand in one file, each of a student's in
// one of its own, so that what a cell imports is its own matter. Of a name that several
// declare, a student's cell gives way to the course's, then to the one that is wanted to
// declare it, then to a later one. What cannot be put together is an [Errors].
func Assemble(units []*Unit, rules Rules) (*Program, error) {
	units = slices.SortedFunc(slices.Values(units), func(a, b *Unit) int { return a.Cell - b.Cell })
	a := assembly{units: units, owner: owners(units), declared: map[string]bool{}, given: map[string]bool{}, taken: map[string]bool{}, refused: rules.Refused}
	var course, student []string
	for _, u := range units {
		for _, n := range u.Names {
			a.declared[n.Name] = true
			if !u.Student || slices.Contains(u.Wanted, n.Name) {
				a.given[n.Name] = true
			}
		}
		if u.Student {
			student = append(student, shared(u.imports)...)
		} else {
			course = append(course, u.imports...)
		}
	}
	slices.Sort(course)
	a.courseImports = slices.Concat(slices.Compact(course), shared(rules.Imports))
	a.studentImports = slices.Concat(shared(a.courseImports), student, shared(rules.StudentImports))
	p := &Program{}
	if err := a.course(p); err != nil {
		return nil, err
	}
	wrong := &Errors{}
	for _, u := range units {
		if u.Student {
			f, found := a.student(u)
			p.files = append(p.files, f)
			wrong.Cells = append(wrong.Cells, found...)
		}
	}
	if len(wrong.Cells) > 0 {
		return nil, wrong
	}
	p.files = append(p.files, a.main())
	return p, nil
}

type assembly struct {
	units    []*Unit
	owner    map[string]*Unit
	declared map[string]bool // by any cell
	given    map[string]bool // by the course's, or as the course wants it
	refused  func(u *Unit, path string, names []string) string
	taken    map[string]bool // what the course's cells call packages, and the predeclared names that they use

	courseImports, studentImports []string // which are there for the cells
}

// owners are the cells whose declaration of a name counts.
func owners(units []*Unit) map[string]*Unit {
	owner := map[string]*Unit{}
	rank := func(u *Unit, name string) int {
		switch {
		case !u.Student:
			return 2
		case slices.Contains(u.Wanted, name):
			return 1
		}
		return 0
	}
	for _, u := range units {
		for _, n := range u.Names {
			if old := owner[n.Name]; old == nil || !(rank(old, n.Name) > rank(u, n.Name)) {
				owner[n.Name] = u
			}
		}
	}
	return owner
}

// course writes the file of the course's cells.
func (a *assembly) course(p *Program) error {
	var decls, bodies strings.Builder
	for _, u := range a.units {
		if u.Student {
			continue
		}
		fmt.Fprintf(&decls, "//line cell%d:1\n%s", u.Cell+1, u.text)
		if u.WithBody {
			fmt.Fprintf(&bodies, "func %s() {\n//line cell%d:%d\n%s\n}\n", bodyName(u.Cell), u.Cell+1, u.split.MainLine+1, u.body())
		}
		for _, name := range types.Universe.Names() {
			if u.needs(name) {
				a.taken[name] = true
			}
		}
	}
	rest := decls.String() + bodies.String()
	used, err := neededImports(a.courseImports, rest, a.given)
	if err != nil {
		return saidOf([]byte(err.Error()))
	}
	for _, spec := range used {
		a.taken[packageName(spec)] = true
	}
	var graded bool
	for _, u := range a.units {
		graded = graded || u.WithBody && u.graded
	}
	if graded {
		used = append(used, harnessName+` "`+harness+`"`)
	}
	p.files = append(p.files, file{"course.go", []byte(importing(used) + rest)})
	return nil
}

// body is the cell's body. In a cell that gives points the harness takes what is shown
// elsewhere.
func (u *Unit) body() string {
	if !u.graded {
		return u.split.Main
	}
	return nbkitCheck.ReplaceAllString(u.split.Main, harnessName+".Try(")
}

var nbkitCheck = regexp.MustCompile(`\bnbkit\.Check\(`)

// student writes the file of a student's cell.
func (a *assembly) student(u *Unit) (file, []*Error) {
	var wrong []*Error
	bad := func(line int, format string, args ...any) {
		wrong = append(wrong, &Error{Cell: u.Cell, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	whole := slices.Clone(u.text)
	defer func() { u.text = whole }()
	for _, n := range u.Names {
		switch {
		case a.owner[n.Name] != u:
			u.giveWay(n)
		case a.taken[n.Name] && predeclared(n.Name):
			bad(n.Line, "%s is a word of Go that the notebook uses; call yours something else", n.Name)
		case a.taken[n.Name]:
			bad(n.Line, "%s is what the notebook calls a package; call yours something else", n.Name)
		}
	}
	for _, d := range u.file.Decls { // the kernel would run it; here only tests are run
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" {
			u.blank(fn.Pos(), fn.End())
		}
	}
	used, err := neededImports(slices.Concat(u.imports, a.studentImports), string(u.text), a.declared)
	if err != nil { // it was parsed before
		bad(0, "%v", err)
		return file{}, wrong
	}
	for _, spec := range used {
		if refused := a.refused(u, specPath(spec), u.Selected(packageName(spec))); refused != "" {
			bad(u.lineOfPackage(packageName(spec)), "%s is not allowed in an answer", refused)
			wrong[len(wrong)-1].Forbidden = true
		}
	}
	name := fmt.Sprintf("student%d.go", u.Cell)
	return file{name, fmt.Appendf(nil, "%s//line cell%d:1\n%s", importing(used), u.Cell+1, u.text)}, wrong
}

// giveWay takes a declaration out of the cell's text.
func (u *Unit) giveWay(n Name) {
	if n.Func != nil {
		u.blank(n.Func.Pos(), n.Func.End())
		return
	}
	u.write(n.ident, "_")
}

// Selected are the names that the cell selects from a package of this name; "." is that of
// packages whose names stand alone.
func (u *Unit) Selected(name string) []string {
	if name == "." {
		return []string{"."}
	}
	var names []string
	ast.Inspect(u.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == name {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// lineOfPackage is the first line, from 0, on which something is selected from a name.
func (u *Unit) lineOfPackage(name string) int {
	line := 0
	ast.Inspect(u.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && line == 0 {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == name {
				line = u.split.Line(id.Pos())
			}
		}
		return line == 0
	})
	return line
}

// main writes the file that runs the body of a cell.
func (a *assembly) main() file {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%simport %s %q\n\nfunc main() {\n\t%s.Main(\n", header, harnessName, harness, harnessName)
	for _, u := range a.units {
		if u.WithBody {
			fmt.Fprintf(&b, "\t\t%s.Cell{%d, %s},\n", harnessName, u.Cell, bodyName(u.Cell))
		}
	}
	b.WriteString("\t)\n}\n")
	return file{"main.go", b.Bytes()}
}

func importing(specs []string) string {
	var b strings.Builder
	b.WriteString(header)
	for _, s := range specs {
		fmt.Fprintf(&b, "import %s\n", s)
	}
	return b.String()
}

// Key stands for the program: equal programs have equal keys.
func (p *Program) Key() string {
	h := sha256.New()
	for _, f := range p.files {
		fmt.Fprintf(h, "%s %d\n%s", f.name, len(f.text), f.text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Imports are the packages that a program needs.
func (p *Program) Imports() []string {
	var paths []string
	for _, f := range p.files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.ImportsOnly)
		if err != nil {
			continue // the compiler will say so
		}
		for _, spec := range parsed.Imports {
			paths = append(paths, strings.Trim(spec.Path.Value, "\"`"))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// shared are the specs that other cells get to see: no blank import, and none that puts
// what a package exports among the names of the file.
func shared(specs []string) []string {
	return slices.DeleteFunc(slices.Clone(specs), func(spec string) bool { return strings.HasPrefix(spec, "_ ") || strings.HasPrefix(spec, ". ") })
}

// specPath is the path in an import spec, packageName what the package is called by it.
func specPath(spec string) string {
	if _, p, renamed := strings.Cut(spec, " "); renamed {
		spec = p
	}
	return strings.Trim(spec, "\"`")
}

func packageName(spec string) string {
	if name, _, renamed := strings.Cut(spec, " "); renamed {
		return name
	}
	importPath := specPath(spec)
	if name := path.Base(importPath); !majorVersion.MatchString(name) {
		return name
	}
	return path.Base(path.Dir(importPath))
}

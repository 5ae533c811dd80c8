package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A PageCell is a code cell of a page on which a student works.
type PageCell struct {
	Source string
	Graded bool // it gives points
	Raises bool // it is meant to fail
}

// A Page is the code cells of a page on their way to a program. A cell that is no right Go
// is left out, and said, and the others make a program all the same. The compiler may find
// more such cells; [Page.Said] takes its words, and [Page.Program] then is without them.
type Page struct {
	cells []PageCell
	units []*Unit // nil for a cell that is not read, or is not wanted
	left  map[int]Left

	// Errors are what is wrong with cells.
	Errors []*Error
	// Rest is what the compiler said of no cell.
	Rest string
}

// Left says how far a cell is left out of a program, and why.
type Left struct {
	// BodyOnly says that the declarations are there.
	BodyOnly bool
	// Needs is a name that the cell uses and that another cell declares, From, which is
	// left out; "": there is something wrong with this cell itself.
	Needs string
	From  int
}

// NewPage reads the cells of a page. Cells that are meant to fail are left out, but for the
// one called own, which is put together with the cells above it; -1 for none.
func NewPage(cells []PageCell, own int) *Page {
	p := &Page{cells: cells, units: make([]*Unit, len(cells)), left: map[int]Left{}}
	for i, c := range cells {
		if c.Raises && i != own || own >= 0 && i > p.until(own) {
			continue
		}
		u, err := readOfPage(i, c)
		if err != nil {
			p.Errors = append(p.Errors, err.Cells...)
			p.left[i] = Left{BodyOnly: u != nil}
		}
		p.units[i] = u
	}
	return p
}

// readOfPage reads a cell. Of one whose body is no Go there is a unit without body.
func readOfPage(i int, c PageCell) (*Unit, *Errors) {
	u, err := read(i, strings.ReplaceAll(c.Source, "\r", ""), false)
	if err != nil {
		return nil, err.(*Errors) // read has no others
	}
	u.graded = c.Graded
	u.mainAsBody()
	if strings.TrimSpace(u.split.Main) == "" {
		return u, nil
	}
	if wrong := u.bodyErrors(); wrong != nil {
		return u, wrong
	}
	u.WithBody, u.inBody = true, readBody(u.split.Main).uses
	return u, nil
}

// mainAsBody takes a function main for the body of the cell, as the kernel does.
func (u *Unit) mainAsBody() {
	for _, d := range u.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != "main" || fn.Body == nil {
			continue
		}
		if !u.split.HasMain {
			u.split.HasMain, u.split.MainLine = true, u.split.Line(fn.Body.Lbrace)
			u.split.Main = string(u.text[u.offset(fn.Body.Lbrace)+1 : u.offset(fn.Body.Rbrace)])
		}
		u.blank(fn.Pos(), fn.End())
		u.Names = slices.DeleteFunc(u.Names, func(n Name) bool { return n.Func == fn })
	}
}

// bodyErrors are what keeps the body from being Go: nil, if it is.
func (u *Unit) bodyErrors() *Errors {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", bodyHeader+u.split.Main+"\n}\n", parser.SkipObjectResolution)
	last := strings.Count(u.split.Main, "\n")
	at := func(line int) int {
		return u.split.MainLine + min(max(0, line-1-strings.Count(bodyHeader, "\n")), last)
	}
	switch list, _ := err.(scanner.ErrorList); {
	case len(list) > 0:
		e := &Errors{}
		for _, one := range list {
			e.Cells = append(e.Cells, &Error{Cell: u.Cell, Line: at(one.Pos.Line), Column: one.Pos.Column, Text: one.Msg})
		}
		return e
	case err != nil:
		return oneError(u.Cell, u.split.MainLine, "%v", err)
	case len(file.Decls) != 1:
		return oneError(u.Cell, at(set.Position(file.Decls[1].Pos()).Line), "a function stands below the line %%%%; put it above")
	}
	return nil
}

// until is the last cell of the program in which the body of a cell runs that has one of its
// own: a cell that declares again what stands above the body comes too late for it.
func (p *Page) until(own int) int {
	if p.cells[own].Raises {
		return own
	}
	again := p.declaredAgain(own)
	if len(again) == 0 {
		return len(p.cells) - 1
	}
	return again[0] - 1
}

// declaredAgain are the cells below one that declare what it, or a cell above it, declares.
func (p *Page) declaredAgain(cell int) []int {
	above := map[string]bool{}
	var again []int
	for i, c := range p.cells {
		if c.Raises {
			continue
		}
		names, err := Split(c.Source).Declares()
		if err != nil {
			continue
		}
		for _, n := range names {
			switch {
			case n.Name == "main", strings.HasPrefix(n.Name, "init_"):
			case i <= cell:
				above[n.Name] = true
			case above[n.Name]:
				again = append(again, i)
			}
		}
	}
	return again
}

// Own are the cells whose bodies run in programs of their own: those that are meant to
// fail, and those above which something is declared that a cell below declares again.
func (p *Page) Own() []int {
	own := []int{}
	for i, c := range p.cells {
		if c.Raises || len(p.declaredAgain(i)) > 0 {
			own = append(own, i)
		}
	}
	return own
}

// Bodies are the cells whose bodies the program has.
func (p *Page) Bodies() []int {
	all := []int{}
	for i, u := range p.units {
		if u != nil && u.WithBody {
			all = append(all, i)
		}
	}
	return all
}

// Left are the cells that are not, or not whole, in the program.
func (p *Page) Left() map[int]Left { return p.left }

// Program puts the cells together, each in a file of its own: what one imports another may
// use, but what it imports itself counts first. Of a name that several declare, the later
// one counts.
func (p *Page) Program() *Program {
	var units []*Unit
	for _, u := range p.units {
		if u != nil {
			units = append(units, u)
		}
	}
	a := assembly{units: units, owner: owners(units), declared: map[string]bool{}}
	var all []string
	for _, u := range units {
		all = append(all, shared(u.imports)...)
		for _, n := range u.Names {
			a.declared[n.Name] = true
		}
	}
	program := &Program{}
	for _, u := range units {
		program.files = append(program.files, a.ofPage(u, all))
	}
	program.files = append(program.files, a.main())
	return program
}

// ofPage writes the file of a cell. Lines and columns are those of the cell.
func (a *assembly) ofPage(u *Unit, imports []string) file {
	whole := slices.Clone(u.text)
	defer func() { u.text = whole }()
	for _, n := range u.Names {
		if a.owner[n.Name] != u {
			u.giveWay(n)
		}
	}
	code := fmt.Sprintf("//line cell%d:1:1\n%s", u.Cell+1, u.text)
	if u.WithBody {
		code += fmt.Sprintf("func %s() {\n//line cell%d:%d:1\n%s\n}\n", bodyName(u.Cell), u.Cell+1, u.split.MainLine+1, u.body())
	}
	used, err := neededImports(slices.Concat(u.imports, imports), code, a.declared)
	if err != nil {
		used = nil // both parts were parsed before
	}
	if u.WithBody && u.graded {
		used = append(used, harnessName+` "`+harness+`"`)
	}
	var text strings.Builder
	text.WriteString(header)
	seen := map[string]bool{}
	for _, spec := range used {
		if name := packageName(spec); !seen[name] || name == "_" || name == "." {
			seen[name] = true
			fmt.Fprintf(&text, "//line cell%d:%d:1\nimport %s\n", u.Cell+1, u.lineOfImport(spec)+1, spec)
		}
	}
	return file{fmt.Sprintf("cell%d.go", u.Cell+1), []byte(text.String() + code)}
}

// lineOfImport is the line, from 0, where the cell imports a package, or else uses it.
func (u *Unit) lineOfImport(spec string) int {
	for _, s := range u.file.Imports {
		if importSpec(s) == spec {
			return u.split.Line(s.Pos())
		}
	}
	return u.lineOfPackage(packageName(spec))
}

var (
	undefined   = regexp.MustCompile(`^undefined: (\w+)$`)
	noSuchField = regexp.MustCompile(`\.(\w+) undefined `)
	noPackage   = regexp.MustCompile(`^could not import (\S+) \(`)
)

// Said takes what the compiler said of the program, and leaves out the cells with which
// something is wrong. It says whether there is less to compile than before.
func (p *Page) Said(text []byte) bool {
	said := saidOf(text)
	p.Rest = said.Rest
	missing := p.missing() // before the compiler has spoken: what it says now follows from that
	fewer := false
	for _, e := range said.Cells {
		if e.Cell < 0 || e.Cell >= len(p.units) || p.units[e.Cell] == nil {
			continue
		}
		u := p.units[e.Cell]
		var why Left
		if from, name, follows := followsFrom(e, missing); follows {
			why = Left{Needs: name, From: from}
		} else {
			if m := noPackage.FindStringSubmatch(e.Text); m != nil {
				e.Text = fmt.Sprintf("package %s is not among those that this page has", m[1])
			}
			p.Errors = append(p.Errors, e)
		}
		why.BodyOnly = u.WithBody && e.Line >= u.split.MainLine
		if old, already := p.left[e.Cell]; already {
			why.BodyOnly = why.BodyOnly && old.BodyOnly
			if old.Needs == "" {
				why.Needs, why.From = "", 0
			}
		}
		p.left[e.Cell] = why
		fewer = true
	}
	for i, l := range p.left {
		switch u := p.units[i]; {
		case u == nil:
		case l.BodyOnly:
			p.units[i] = u.WithoutBody()
		default:
			p.units[i] = nil
		}
	}
	return fewer
}

// missing are the names that only cells declare which are left out, with these cells.
func (p *Page) missing() map[string]int {
	names := map[string]int{}
	for _, i := range slices.Sorted(maps.Keys(p.left)) {
		if p.left[i].BodyOnly || p.cells[i].Raises {
			continue
		}
		for _, name := range declaredLoosely(p.cells[i].Source) {
			names[name] = i
		}
	}
	for _, u := range p.units {
		if u != nil {
			for _, n := range u.Names {
				delete(names, n.Name)
			}
		}
	}
	return names
}

// followsFrom says whether an error is one only because a name is missing.
func followsFrom(e *Error, missing map[string]int) (from int, name string, follows bool) {
	if m := undefined.FindStringSubmatch(e.Text); m != nil {
		name = m[1]
		from, follows = missing[name]
		return from, name, follows
	}
	if m := noSuchField.FindStringSubmatch(e.Text); m != nil {
		for _, full := range slices.Sorted(maps.Keys(missing)) {
			if _, method, isMethod := strings.Cut(full, "."); isMethod && method == m[1] {
				return missing[full], method, true
			}
		}
	}
	return 0, "", false
}

var looseDeclaration = regexp.MustCompile(`(?m)^(?:func|type|var|const)\s+(?:\(\s*\w*\s*\*?(\w+)[^)]*\)\s*)?(\w+)`)

// declaredLoosely are the names that a cell declares, as far as that can be told of one that
// may be no Go.
func declaredLoosely(source string) []string {
	c := Split(source)
	if names, err := c.Declares(); err == nil {
		var list []string
		for _, n := range names {
			list = append(list, n.Name)
		}
		return list
	}
	var list []string
	for _, m := range looseDeclaration.FindAllStringSubmatch(c.Top, -1) {
		if m[1] != "" {
			m[2] = m[1] + "." + m[2]
		}
		list = append(list, m[2])
	}
	return list
}

// ReadPage is the page of a notebook's code cells; cells of other kinds are empty ones, so
// that cells keep their numbers.
func ReadPage(nb *notebook.Notebook) []PageCell {
	var cells []PageCell
	for _, c := range nb.Cells {
		var p PageCell
		if c.Type == "code" {
			_, graded := c.Points()
			p = PageCell{Source: c.Source, Graded: graded, Raises: c.HasTag(notebook.TagRaises)}
		}
		cells = append(cells, p)
	}
	return cells
}

// Files are the program's source files by name.
func (p *Program) Files() map[string]string {
	files := map[string]string{}
	for _, f := range p.files {
		files[f.name] = string(f.text)
	}
	return files
}

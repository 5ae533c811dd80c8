package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// A Unit is a code cell that was read to become part of programs ([Assemble]).
type Unit struct {
	Cell  int    // by which errors name it, from 0
	Names []Name // what it declares
	// WithBody says that its body can be run.
	WithBody bool
	// Student says that a student wrote the cell, and Wanted are the names that it is to
	// declare. It gives way where it declares what the course declares.
	Student bool
	Wanted  []string
	// Eager says that it does something before the main function begins.
	Eager bool

	split   *Cell
	file    *ast.File
	text    []byte // the declarations without imports; a student's without comments, too
	imports []string
	uses    map[string]bool // all names in the declarations
	inBody  map[string]int  // and how often they occur in the body
	graded  bool
}

// Read reads a cell of the course.
func Read(number int, cell *notebook.Cell) (*Unit, error) {
	u, err := read(number, cell.Source, false)
	if err != nil {
		return nil, err
	}
	_, u.graded = cell.Points()
	if u.WithBody = strings.TrimSpace(u.split.Main) != ""; u.WithBody {
		if body := readBody(u.split.Main); body != nil {
			u.inBody = body.uses
		}
	}
	return u, nil
}

// MaxSource is the most bytes that a student's cell may have. It bounds how deep its
// expressions can be nested.
const MaxSource = 64 << 10

// Reserved is how the names begin that a composed program keeps for itself.
const Reserved = "lab__"

// ReadStudent reads a cell that a student wrote, for its declarations only. What is wrong
// with it is an [Errors].
func ReadStudent(number int, source string, wanted []string) (*Unit, error) {
	if len(source) > MaxSource {
		return nil, oneError(number, 0, "the cell has %d bytes; at most %d are read", len(source), MaxSource)
	}
	source = strings.ReplaceAll(source, "\r", "") // the offsets of comments count none
	u, err := read(number, source, true)
	if err != nil {
		return nil, err
	}
	u.Wanted = wanted
	for _, c := range u.file.Comments { // with them what tells the compiler more than Go does
		u.blank(c.Pos(), c.End())
	}
	var wrong []*Error
	ast.Inspect(u.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, Reserved) {
			wrong = append(wrong, &Error{Cell: number, Line: u.split.Line(id.Pos()), Text: fmt.Sprintf("names that begin with %s are taken; call it something else", Reserved), Forbidden: true})
		}
		return true
	})
	if len(wrong) > 0 {
		return nil, &Errors{Cells: wrong}
	}
	return u, nil
}

func read(number int, source string, student bool) (*Unit, error) {
	u := &Unit{Cell: number, Student: student, split: Split(source), uses: map[string]bool{}}
	var err error
	if u.file, err = u.split.Parse(); err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) {
			e := &Errors{}
			for _, one := range list {
				e.Cells = append(e.Cells, &Error{Cell: number, Line: max(0, one.Pos.Line-2), Column: one.Pos.Column, Text: one.Msg})
			}
			return nil, e
		}
		return nil, oneError(number, 0, "%v", err)
	}
	u.Names = declared(u.split, u.file)
	u.text = []byte(u.split.Top + "\n")
	for _, d := range u.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			// The kernel takes each function init_... for one that is called init.
			if d.Recv == nil && (d.Name.Name == "init" || strings.HasPrefix(d.Name.Name, "init_")) {
				u.write(d.Name, "init")
				u.Eager = true
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR && eager(d) {
				u.Eager = true
			}
			if d.Tok != token.IMPORT {
				continue
			}
			for _, s := range d.Specs {
				u.imports = append(u.imports, importSpec(s.(*ast.ImportSpec)))
			}
			u.blank(d.Pos(), d.End())
		}
	}
	ast.Inspect(u.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			u.uses[id.Name] = true
		}
		return true
	})
	return u, nil
}

// WithoutBody is the cell's declarations alone.
func (u *Unit) WithoutBody() *Unit {
	top := *u
	top.WithBody = false
	return &top
}

// Body is the cell's body alone, as a cell of another number: beside one that declares the same.
func (u *Unit) Body(number int) *Unit {
	body := *u
	body.Cell, body.Names, body.text, body.uses = number, nil, nil, nil
	return &body
}

// needs says whether a name occurs in what the cell adds to a program.
func (u *Unit) needs(name string) bool {
	return u.uses[name] || u.WithBody && u.inBody[name] > 0
}

// eager says whether a variable's value takes more than to be written down.
func eager(d *ast.GenDecl) bool {
	found := false
	for _, s := range d.Specs {
		for _, v := range s.(*ast.ValueSpec).Values {
			ast.Inspect(v, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false // a call of it stands outside
				case *ast.CallExpr:
					found = true
				case *ast.UnaryExpr:
					found = found || n.Op == token.ARROW
				}
				return true
			})
		}
	}
	return found
}

// importSpec is an import without its comments: `m "math"`.
func importSpec(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name + " " + s.Path.Value
	}
	return s.Path.Value
}

func (u *Unit) offset(p token.Pos) int { return u.split.files.Position(p).Offset - len(header) }

// blank puts spaces in place of what stands between two places of the cell.
func (u *Unit) blank(from, to token.Pos) {
	text := u.text[max(0, u.offset(from)):min(len(u.text), u.offset(to))]
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}

// write puts another name, which is no longer, in place of an identifier.
func (u *Unit) write(id *ast.Ident, name string) {
	u.blank(id.Pos(), id.End())
	copy(u.text[u.offset(id.Pos()):], name)
}

// Declares says whether the cell declares a name, "Split.Loss" for a method.
func (u *Unit) Declares(name string) bool {
	return slices.ContainsFunc(u.Names, func(n Name) bool { return n.Name == name })
}

// Calls says whether the declarations of a cell use a name that another declares, a method's by
// that of its type. What a name means where it stands counts, other than for [Reach].
func (u *Unit) Calls(other *Unit) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", header+string(u.text), 0)
	return err == nil && slices.ContainsFunc(file.Unresolved, func(id *ast.Ident) bool {
		return slices.ContainsFunc(other.Names, func(n Name) bool {
			of, _, _ := strings.Cut(n.Name, ".")
			return of == id.Name
		})
	})
}

// Imports are the import specs of the cell.
func (u *Unit) Imports() []string { return u.imports }

// Packages are those that the cell uses, its body too. imports are specs of other cells.
func (u *Unit) Packages(imports []string) ([]string, error) {
	code := string(u.text)
	if u.WithBody {
		code += "\nfunc _() {\n" + u.split.Main + "\n}\n"
	}
	used, err := neededImports(slices.Concat(u.imports, shared(imports)), code, nil)
	var paths []string
	for _, spec := range used {
		paths = append(paths, specPath(spec))
	}
	return paths, err
}

// predeclared says whether Go itself gives the name a meaning.
func predeclared(name string) bool { return types.Universe.Lookup(name) != nil }

// Normal is the source of a cell's declarations without comments and in one form, by which
// what was handed out is known again; false if it is not Go.
func Normal(source string) (string, bool) {
	u, err := read(0, strings.ReplaceAll(source, "\r", ""), true)
	if err != nil {
		return "", false
	}
	for _, c := range u.file.Comments {
		u.blank(c.Pos(), c.End())
	}
	return words(string(u.text)), true
}

// words is a source as its tokens, a space after each.
func words(source string) string {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(source)), []byte(source), nil, 0)
	var b strings.Builder
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		switch {
		case tok == token.SEMICOLON:
			lit = ";"
		case lit == "":
			lit = tok.String()
		}
		b.WriteString(lit + " ")
	}
}

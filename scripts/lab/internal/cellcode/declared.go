package cellcode

import (
	"fmt"
	"go/ast"
	"go/token"
)

// A Name is a name that a cell declares for all cells.
type Name struct {
	Name string
	Line int // of the cell, from 0
	Func *ast.FuncDecl
}

// Declares lists the names that the cell declares; methods have that of their type
// before them.
func (c *Cell) Declares() ([]Name, error) {
	file, err := c.Parse()
	if err != nil {
		return nil, err
	}
	var names []Name
	add := func(id *ast.Ident) {
		if id.Name != "_" {
			names = append(names, Name{Name: id.Name, Line: c.Line(id.Pos())})
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && (d.Name.Name == "_" || d.Name.Name == "init") {
				continue
			}
			names = append(names, Name{FuncName(d), c.Line(d.Pos()), d})
		case *ast.GenDecl:
			for _, id := range Idents(d) {
				add(id)
			}
		}
	}
	return names, nil
}

// Imports lists the paths that the cell imports.
func (c *Cell) Imports() ([]string, error) {
	file, err := c.Parse()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, spec := range file.Imports {
		paths = append(paths, spec.Path.Value[1:len(spec.Path.Value)-1])
	}
	return paths, nil
}

// withoutImports is the declarations with the import declarations blanked out, and
// the import specs apart.
func (c *Cell) withoutImports() (decls string, specs []string, err error) {
	file, err := c.Parse()
	if err != nil {
		return "", nil, fmt.Errorf("%w", err)
	}
	text := []byte(c.Top + "\n")
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			specs = append(specs, c.text(s.Pos(), s.End()))
		}
		for i := c.files.Position(g.Pos()).Offset; i < c.files.Position(g.End()).Offset; i++ {
			if b := &text[i-len(header)]; *b != '\n' {
				*b = ' '
			}
		}
	}
	return string(text), specs, nil
}

// Idents lists the types, variables and constants that a declaration names.
func Idents(d *ast.GenDecl) []*ast.Ident {
	var ids []*ast.Ident
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			ids = append(ids, s.Name)
		case *ast.ValueSpec:
			ids = append(ids, s.Names...)
		}
	}
	return ids
}

package cell

import (
	"go/ast"
)

// A Name is a name that a cell declares for all cells.
type Name struct {
	Name string
	Line int // of the cell, from 0
	Func *ast.FuncDecl

	ident *ast.Ident
}

// Declares lists the names that the cell declares; methods have that of their type
// before them.
func (c *Cell) Declares() ([]Name, error) {
	file, err := c.Parse()
	if err != nil {
		return nil, err
	}
	return declared(c, file), nil
}

func declared(c *Cell, file *ast.File) []Name {
	var names []Name
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && (d.Name.Name == "_" || d.Name.Name == "init") {
				continue
			}
			names = append(names, Name{FuncName(d), c.Line(d.Pos()), d, d.Name})
		case *ast.GenDecl:
			for _, id := range Idents(d) {
				if id.Name != "_" {
					names = append(names, Name{Name: id.Name, Line: c.Line(id.Pos()), ident: id})
				}
			}
		}
	}
	return names
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

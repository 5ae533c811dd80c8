package memo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
)

// sourceOf returns the source of a function and of everything in its package
// that it refers to, directly or not, and the paths of the packages that this
// imports; "" if it cannot be found. It is an error if the function reads local
// variables around it.
func sourceOf(f any) (source string, imports []string, err error) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return "", nil, nil
	}
	file, line := fn.FileLine(fn.Entry())
	fset := token.NewFileSet()
	pkg := parsePackage(fset, filepath.Dir(file))
	main := pkg[file]
	if main == nil {
		return "", nil, nil
	}
	bodies := functionsAt(fset, main, line)
	if len(bodies) == 0 {
		return "", nil, nil
	}
	decls := declarations(pkg)
	var out strings.Builder
	seen := map[ast.Node]bool{}
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if spec, ok := n.(*ast.ImportSpec); ok {
			imports = append(imports, strings.Trim(spec.Path.Value, "`\""))
		}
		var next []string
		ast.Inspect(n, func(c ast.Node) bool {
			if id, ok := c.(*ast.Ident); ok {
				next = append(next, id.Name)
			}
			return true
		})
		printer.Fprint(&out, fset, n)
		out.WriteByte('\n')
		sort.Strings(next)
		for _, name := range next {
			for _, d := range decls[name] {
				visit(d)
			}
		}
	}
	for _, b := range bodies {
		if name := captured(fset, main, b); name != "" {
			return "", nil, fmt.Errorf("its function reads the local variable %s, whose value is no part of the key; pass it in params", name)
		}
		visit(b)
	}
	sort.Strings(imports)
	return out.String(), slices.Compact(imports), nil
}

// parsePackage parses the Go files of a folder; in GoNB that is the one program
// made of all cells.
func parsePackage(fset *token.FileSet, dir string) map[string]*ast.File {
	files := map[string]*ast.File{}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range paths {
		if f, err := parser.ParseFile(fset, path, nil, 0); err == nil {
			files[path] = f
		}
	}
	return files
}

// functionsAt are the functions that start on a line, literals or a declaration, or else the
// innermost one around it: a function that needs no stack begins at its first statement.
func functionsAt(fset *token.FileSet, file *ast.File, line int) []ast.Node {
	var found, around []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			switch from, to := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line; {
			case from == line:
				found = append(found, n)
			case from < line && line <= to:
				around = []ast.Node{n}
			}
		}
		return true
	})
	if len(found) == 0 {
		return around
	}
	return found
}

// declarations maps each name declared at the top of a package to where, methods
// under their own name and that of their type.
func declarations(pkg map[string]*ast.File) map[string][]ast.Node {
	decls := map[string][]ast.Node{}
	var paths []string
	for path := range pkg {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	add := func(name string, n ast.Node) {
		if name != "_" {
			decls[name] = append(decls[name], n)
		}
	}
	for _, path := range paths {
		for _, d := range pkg[path].Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				// A cell's statements are the body of main: no part of what a
				// function refers to.
				if d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init") {
					continue
				}
				add(d.Name.Name, d)
				if d.Recv != nil {
					ast.Inspect(d.Recv, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok {
							add(id.Name, d)
						}
						return true
					})
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name.Name, s)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							// The whole group, for iota and repeated values.
							if d.Tok == token.CONST {
								add(id.Name, d)
							} else {
								add(id.Name, s)
							}
						}
					case *ast.ImportSpec:
						name := filepath.Base(strings.Trim(s.Path.Value, `"`))
						if s.Name != nil {
							name = s.Name.Name
						}
						add(name, s)
					}
				}
			}
		}
	}
	return decls
}

// captured names a variable that a function literal reads from the function
// around it, or "".
func captured(fset *token.FileSet, file *ast.File, literal ast.Node) string {
	name := ""
	ast.Inspect(literal, func(n ast.Node) bool {
		// The parser resolves names within a file, which is all that local
		// variables need.
		id, ok := n.(*ast.Ident)
		if !ok || id.Obj == nil || id.Obj.Kind != ast.Var && id.Obj.Kind != ast.Fun {
			return true
		}
		pos := id.Obj.Pos()
		inside := pos >= literal.Pos() && pos < literal.End()
		if !inside && file.Scope.Lookup(id.Name) != id.Obj && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

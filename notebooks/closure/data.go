package closure

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// dataPackage is the folder of the package that catalogues data sets, in the variable
// catalogueName.
const (
	dataPackage   = "datasets"
	catalogueName = "catalogue"
)

// Data lists the data files, below the folder datasets/files, that code may read. These are the
// files of the sets that are named by a string, or whose function of package datasets, such as
// Iris, is called, in the packages of the closure that belong to the folder notebooks, or among
// the words of the caller's own code. There are none if the code does not import package
// datasets. A name that is put together from pieces is not found.
func (t *Tree) Data(words []string, imports ...string) ([]string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, _, err := t.reach(imports)
	if err != nil || own[Module+"/"+dataPackage] == nil {
		return nil, err
	}
	if t.data == nil {
		if t.data, err = dataNames(filepath.Join(t.root, dataPackage)); err != nil {
			return nil, err
		}
	}
	var files []string
	for name, of := range t.data {
		named := slices.Contains(words, name)
		for path, s := range own {
			named = named || strings.HasPrefix(path, Module+"/notebooks/") && s.words[name]
		}
		if named {
			files = append(files, of...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// dataNames reads, from the source of package datasets, which files the names of sets and of the
// functions that load one stand for.
func dataNames(dir string) (map[string][]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	sets := map[string][]string{}
	var functions []*ast.FuncDecl
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					functions = append(functions, d)
				}
			case *ast.GenDecl:
				for _, set := range listed(d) {
					if names := stringsOf(set, "Name"); len(names) > 1 {
						sets[names[0]] = names[1:]
					}
				}
			}
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%s lists no data sets in a variable %s", dir, catalogueName)
	}
	names := map[string][]string{}
	for set, files := range sets {
		names[set] = files
	}
	for _, fn := range functions {
		for _, word := range stringsOf(fn, "") {
			names[fn.Name.Name] = append(names[fn.Name.Name], sets[word]...)
		}
	}
	return names, nil
}

// listed are the elements of the catalogue, if that is what is declared.
func listed(d *ast.GenDecl) []ast.Expr {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if ok && v.Names[0].Name == catalogueName && len(v.Values) == 1 {
			if list, ok := v.Values[0].(*ast.CompositeLit); ok {
				return list.Elts
			}
		}
	}
	return nil
}

// stringsOf are the values of the strings below a node, in their order: those of the fields of
// this name, or all where it is "".
func stringsOf(n ast.Node, field string) (values []string) {
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if value, err := strconv.Unquote(lit.Value); err == nil {
				values = append(values, value)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == field {
				add(n.Value)
			}
		case *ast.BasicLit:
			if field == "" {
				add(n)
			}
		}
		return true
	})
	return values
}

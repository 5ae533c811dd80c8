package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Many cells declare functions and types and no more. The kernel builds and runs a program for
// each of them, which would make the variables of the cells before once more, and do nothing
// else. Such a program need not be linked, which takes longer than to compile it: another one,
// which does nothing, stands for it.

// A start is what a program does when it starts.
type start struct {
	// Before main are the texts of variables with values, and of init functions.
	Before []string
	// Says are those of the functions that only print a text: by the kernel's own it knows
	// how far the program has come.
	Says []string
	// Main says that the main function does something.
	Main bool
}

// startOf reads what the program of the file at path does.
func startOf(path string) (s start, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return s, err
	}
	source := func(n ast.Node) string {
		return string(text[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(v.Values) > 0 {
					s.Before = append(s.Before, source(v))
				}
			}
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil:
			case d.Name.Name == "init" && prints(d):
				s.Says = append(s.Says, source(d))
			case d.Name.Name == "init":
				s.Before = append(s.Before, source(d))
			case d.Name.Name == "main":
				s.Main = slices.ContainsFunc(d.Body.List, func(stmt ast.Stmt) bool { return source(stmt) != "flag.Parse()" }) // which the kernel writes
			}
		}
	}
	return s, nil
}

// prints says that a function does nothing but print a text.
func prints(f *ast.FuncDecl) bool {
	if len(f.Body.List) != 1 {
		return false
	}
	stmt, _ := f.Body.List[0].(*ast.ExprStmt)
	if stmt == nil {
		return false
	}
	call, _ := stmt.X.(*ast.CallExpr)
	if call == nil || len(call.Args) != 1 {
		return false
	}
	name, _ := call.Fun.(*ast.Ident)
	text, _ := call.Args[0].(*ast.BasicLit)
	return name != nil && name.Name == "print" && text != nil && text.Kind == token.STRING
}

// Files in the kernel's folder: what the program before did when it started, and the program
// that does nothing, with its source.
const (
	ranName    = ".cellbuild.ran.json"
	idleName   = ".cellbuild.idle"
	idleSource = ".cellbuild.idle.txt"
)

// idle says that a program does nothing that those before it have not done.
func idle(dir string, s start) bool {
	if s.Main {
		return false
	}
	var ran start
	b, err := os.ReadFile(filepath.Join(dir, ranName))
	if err != nil || json.Unmarshal(b, &ran) != nil {
		return false
	}
	return !slices.ContainsFunc(s.Before, func(text string) bool { return !slices.Contains(ran.Before, text) })
}

// keepRan notes what the program that has been linked does.
func keepRan(dir string, s start) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ranName), b, 0o600)
}

// linkIdle puts a program that does nothing but say the same in the place of target.
func linkIdle(dir, goroot, target string, p packages, config string, says []string) error {
	source, program := filepath.Join(dir, idleSource), filepath.Join(dir, idleName)
	text := []byte("package main\n\n" + strings.Join(says, "\n") + "\n\nfunc main() {}\n")
	if of, _ := os.ReadFile(source); !bytes.Equal(of, text) {
		archive := filepath.Join(filepath.Dir(config), "idle.a")
		os.Remove(program)
		if err := os.WriteFile(source, text, 0o600); err != nil {
			return err
		}
		if err := run(dir, goroot, "compile", p.Compile(archive, config, source)...); err != nil {
			return err
		}
		if err := run(dir, goroot, "link", p.Link(program, config, archive)...); err != nil {
			return err
		}
	}
	made, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	os.Remove(target) // so that nothing is changed that runs
	return os.WriteFile(target, made, 0o755)
}

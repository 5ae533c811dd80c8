package cellcode

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// DropUnused removes from the body of a cell the variables that nothing in it uses,
// with the comments right above them: where hidden tests are taken out, what was made
// for them only would not compile.
func DropUnused(source string) string {
	for {
		c := Split(source)
		from, to, ok := unusedLines(c.Main)
		if !c.HasMain || !ok {
			return source
		}
		lines := strings.Split(source, "\n")
		source = strings.Join(append(lines[:c.MainLine+from:c.MainLine+from], lines[c.MainLine+to:]...), "\n")
	}
}

// unusedLines are the lines, from 0, of a statement of the body that only declares
// what is not used.
func unusedLines(body string) (from, to int, ok bool) {
	const open = "package main\nfunc _() {\n"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", open+body+"\n}\n", parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return 0, 0, false
	}
	line := func(p token.Pos) int { return set.Position(p).Line - 1 - strings.Count(open, "\n") }
	uses := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			uses[id.Name]++
		}
		return true
	})
	for _, s := range file.Decls[0].(*ast.FuncDecl).Body.List {
		names := declaredBy(s)
		unused := len(names) > 0
		for _, name := range names {
			unused = unused && (name == "_" || uses[name] == 1)
		}
		if !unused {
			continue
		}
		from, to = line(s.Pos()), line(s.End())+1
		for _, group := range file.Comments {
			if line(group.End()) == from-1 {
				from = line(group.Pos())
			}
		}
		return from, to, true
	}
	return 0, 0, false
}

// declaredBy are the names that a statement declares, if that is all it does.
func declaredBy(s ast.Stmt) (names []string) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return nil
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return nil
		}
		for _, spec := range d.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

package cell

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
		b := readBody(c.Main)
		if !c.HasMain || b == nil {
			return source
		}
		from, to, instead, ok := b.unused()
		if !ok {
			return source
		}
		lines := strings.Split(source, "\n")
		kept := append([]string{}, lines[:c.MainLine+from]...)
		source = strings.Join(append(append(kept, instead...), lines[c.MainLine+to:]...), "\n")
	}
}

// A body is that of a cell, parsed.
type body struct {
	source string
	set    *token.FileSet
	file   *ast.File
	uses   map[string]int // how often a name occurs
}

const bodyHeader = "package main\nfunc _() {\n"

// readBody parses a body; nil if it is not Go.
func readBody(main string) *body {
	b := &body{source: bodyHeader + main + "\n}\n", set: token.NewFileSet(), uses: map[string]int{}}
	var err error
	if b.file, err = parser.ParseFile(b.set, "", b.source, parser.ParseComments|parser.SkipObjectResolution); err != nil || len(b.file.Decls) != 1 {
		return nil
	}
	ast.Inspect(b.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			b.uses[id.Name]++
		}
		return true
	})
	return b
}

// line is the line of the body, from 0, in which a piece stands.
func (b *body) line(p token.Pos) int {
	return b.set.Position(p).Line - 1 - strings.Count(bodyHeader, "\n")
}

func (b *body) text(n ast.Node) string {
	return b.source[b.set.Position(n.Pos()).Offset:b.set.Position(n.End()).Offset]
}

// unused finds a statement that declares what is not used: its lines, and what has to
// stand instead of them.
func (b *body) unused() (from, to int, instead []string, ok bool) {
	for _, s := range b.file.Decls[0].(*ast.FuncDecl).Body.List {
		names := declaredBy(s)
		idle := 0
		for _, id := range names {
			if b.idle(id) {
				idle++
			}
		}
		from, to := b.line(s.Pos()), b.line(s.End())+1
		switch assign, isAssign := s.(*ast.AssignStmt); {
		case idle > 0 && idle == len(names):
			for _, group := range b.file.Comments {
				if b.line(group.End()) == from-1 {
					from = b.line(group.Pos())
				}
			}
			return from, to, nil, true
		case isAssign && len(names) > 1 && len(assign.Rhs) == len(assign.Lhs) && idle > 0:
			return from, to, []string{b.without(assign)}, true
		}
	}
	return 0, 0, nil, false
}

// idle says whether a declared name is used nowhere.
func (b *body) idle(id *ast.Ident) bool { return id.Name == "_" || b.uses[id.Name] == 1 }

// without is x, y := 1, 2 as x := 1, if y is not used.
func (b *body) without(s *ast.AssignStmt) string {
	var left, right []string
	for i, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); !ok || !b.idle(id) {
			left, right = append(left, b.text(e)), append(right, b.text(s.Rhs[i]))
		}
	}
	return strings.Join(left, ", ") + " := " + strings.Join(right, ", ")
}

// declaredBy are the names that a statement declares, if that is all it does.
func declaredBy(s ast.Stmt) (names []*ast.Ident) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return nil
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok {
				names = append(names, id)
			}
		}
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return nil
		}
		for _, spec := range d.Specs {
			names = append(names, spec.(*ast.ValueSpec).Names...)
		}
	}
	return names
}

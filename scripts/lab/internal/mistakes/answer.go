package mistakes

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
)

// Answer is a worked cell as somebody would hand it in who wrote the body: with the body's
// declarations in place of those of the same names.
func (b Body) Answer(worked string) (string, error) {
	body, err := readSource(b.Source)
	if err != nil {
		return "", err
	}
	split := cell.Split(worked)
	answered, err := readSource(split.Top)
	if err != nil {
		return "", err
	}
	written := body.functions()
	for name, fn := range answered.functions() {
		if written[name] != nil {
			answered.cut(fn.Doc, fn)
		}
	}
	declared := map[string]bool{}
	for _, d := range body.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			for _, id := range cell.Idents(d) {
				declared[id.Name] = true
			}
		}
	}
	for _, d := range answered.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			if ids := cell.Idents(d); len(ids) > 0 && declared[ids[0].Name] {
				answered.cut(d.Doc, d)
			}
		}
	}
	var imports strings.Builder // which stand first in a file
	for _, d := range body.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			imports.WriteString(body.piece(d.Pos(), d.End()) + "\n")
			body.cut(d.Doc, d)
		}
	}
	answer := imports.String() + strings.TrimSpace(answered.top()) + "\n\n" + strings.TrimSpace(body.top()) + "\n"
	if split.HasMain {
		answer += "\n%%\n" + split.Main
	}
	return answer, nil
}

// cut leaves out a declaration and what is said of it.
func (s *source) cut(doc *ast.CommentGroup, d ast.Node) {
	from := d.Pos()
	if doc != nil {
		from = doc.Pos()
	}
	s.edits = append(s.edits, edit{s.set.Position(from).Offset, s.piece(from, d.End()), ""})
}

package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Key hashes everything that the page and the PDF of a notebook depend on, except this program:
// its cells with their outputs, the targets of its links and pictures, and its edition.
// Notebooks with the same key give the same bytes.
func (s Source) Key() (string, error) {
	data, err := s.Notebook.Encode()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	add := func(text string) {
		fmt.Fprintf(h, "%d ", len(text))
		io.WriteString(h, text)
	}
	add(s.name())
	add(fmt.Sprint(s.Copy, s.Edition))
	add(s.Note)
	add(string(data))
	k := newWalker(s, nil, "", func(target, fragment string) string { return target + "#" + fragment })
	for _, cell := range s.Notebook.Cells {
		if cell.Type != "markdown" || !strings.ContainsAny(cell.Source, "[<") {
			continue
		}
		t := k.markdown.read(cell.Source, cell.Attachments)
		if t == nil {
			continue
		}
		ast.Walk(t.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				switch n := n.(type) {
				case *ast.Link:
					add(string(n.Destination))
				case *ast.Image:
					add(string(n.Destination))
				}
			}
			return ast.WalkContinue, nil
		})
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

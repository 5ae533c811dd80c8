package cell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// A Cell is a code cell divided.
type Cell struct {
	// Top is the declarations. Lines that are not Go are empty, so that lines keep
	// their numbers.
	Top string
	// Main is the body of main, and MainLine the number of its first line, from 0.
	Main     string
	MainLine int
	HasMain  bool
	files    *token.FileSet
}

const header = "package main\n"

// Split divides the source of a code cell.
func Split(source string) *Cell {
	c := &Cell{files: token.NewFileSet()}
	var top, main []string
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.HasPrefix(line, "%%"), strings.HasPrefix(line, "%main"):
			if !c.HasMain {
				c.HasMain, c.MainLine = true, i+1
				continue
			}
			line = ""
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, "!"):
			line = ""
		}
		if c.HasMain {
			main = append(main, line)
		} else {
			top = append(top, line)
		}
	}
	c.Top, c.Main = strings.Join(top, "\n"), strings.Join(main, "\n")
	return c
}

// Parse parses the declarations. An error wraps a [scanner.ErrorList] whose lines count
// from 2: the first is the package clause.
func (c *Cell) Parse() (*ast.File, error) {
	file, err := parser.ParseFile(c.files, "cell", header+c.Top+"\n", parser.ParseComments|parser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return nil, &parseError{list}
	}
	return file, err
}

// A parseError names the first line of the cell that is not Go.
type parseError struct{ list scanner.ErrorList }

func (e *parseError) Error() string {
	return fmt.Sprintf("line %d: %s", e.list[0].Pos.Line-1, e.list[0].Msg)
}

func (e *parseError) Unwrap() error { return e.list }

// Line is the number of the cell's line, from 0, in which a parsed piece stands.
func (c *Cell) Line(p token.Pos) int { return c.files.PositionFor(p, false).Line - 2 }

// FuncName is the name of a function, with that of its receiver's type before it:
// "Split.Loss".
func FuncName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

//go:build !js

package cell

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"strconv"
	"strings"
)

// A Sealer takes the constants out of the bodies of cells, so that a program of these does not hold
// them: the numbers and texts with which hidden cases call reach only the runs that try them. It
// knows the type of each from a program of the cells that compiles.
type Sealer struct {
	info   types.Info
	bodies map[string]*ast.BlockStmt // of the program's functions
	known  map[string]bool           // the packages that its files import, by path
}

// Sealer reads a program.
func (t *Toolchain) Sealer(ctx context.Context, p *Program) (*Sealer, error) {
	set, err := t.knowing(ctx, p.Imports())
	if err != nil {
		return nil, err
	}
	s := &Sealer{info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}}, bodies: map[string]*ast.BlockStmt{}, known: map[string]bool{}}
	positions := token.NewFileSet()
	var files []*ast.File
	for _, f := range p.files {
		file, err := parser.ParseFile(positions, f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				s.bodies[fn.Name.Name] = fn.Body
			}
		}
		for _, i := range file.Imports {
			if i.Name == nil {
				s.known[specPath(i.Path.Value)] = true
			}
		}
	}
	archive := func(path string) (io.ReadCloser, error) { return os.Open(set.Archives[path]) }
	config := types.Config{Importer: importer.ForCompiler(positions, "gc", archive)}
	_, err = config.Check("main", positions, files, &s.info)
	return s, err
}

// Seal takes the constants out of the source of a cell whose body is that of a cell of the program,
// from 0. They are returned as they are written in Go, for [Binary.Run].
func (s *Sealer) Seal(number int, source string) (sealed string, constants []string, err error) {
	c := Split(source)
	b, typed := readBody(c.Main), s.bodies[bodyName(number)]
	if b == nil || typed == nil {
		return "", nil, errors.New("the check has no body that can be read")
	}
	// The two have the same expressions in the same order.
	all, theirs := constantsIn(b.file.Decls[0].(*ast.FuncDecl).Body), constantsIn(typed)
	if len(all) != len(theirs) {
		return "", nil, errors.New("the body of the check is not that of the program")
	}
	fixed := s.fixed(typed)
	var cuts []cut
	for i, e := range all {
		of, kind, ok := s.constant(theirs[i])
		ok = ok && !fixed[theirs[i]]
		if inside := len(cuts) > 0 && e.Pos() < cuts[len(cuts)-1].to; ok && !inside {
			cuts = append(cuts, cut{e.Pos(), e.End(), fmt.Sprintf("%s.Given[%s](%d)", harnessName, kind, len(constants))})
			constants = append(constants, of)
		}
	}
	lines := strings.Split(source, "\n")
	return strings.Join(lines[:c.MainLine], "\n") + "\n" + b.cut(cuts), constants, nil
}

// constantsIn are the expressions of a body that may be constants, outer ones first.
func constantsIn(body *ast.BlockStmt) []ast.Expr {
	var all []ast.Expr
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit, *ast.BinaryExpr, *ast.UnaryExpr, *ast.ParenExpr, *ast.CallExpr:
			all = append(all, n.(ast.Expr))
		}
		return true
	})
	return all
}

// fixed are the expressions of a body that Go wants to be constants: lengths of arrays, places in
// a list and what constants are declared to be.
func (s *Sealer) fixed(body *ast.BlockStmt) map[ast.Node]bool {
	all := map[ast.Node]bool{}
	mark := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			all[n] = true
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				mark(n)
			}
		case *ast.ArrayType:
			if n.Len != nil {
				mark(n.Len)
			}
		case *ast.CompositeLit:
			if _, isMap := s.info.TypeOf(n).Underlying().(*types.Map); isMap {
				break
			}
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					mark(kv.Key)
				}
			}
		}
		return true
	})
	return all
}

// constant is the value of an expression, and its type as the course's cells call it; not ok where
// it is no constant that can be given.
func (s *Sealer) constant(e ast.Expr) (value, kind string, ok bool) {
	tv := s.info.Types[e]
	if tv.Value == nil {
		return "", "", false
	}
	switch of := types.Unalias(types.Default(tv.Type)).(type) {
	case *types.Basic: // as the harness calls it: a student may have declared the word
		name := types.Typ[of.Kind()].Name()
		kind = harnessName + "." + strings.ToUpper(name[:1]) + name[1:]
	case *types.Named:
		pkg := of.Obj().Pkg()
		switch {
		case of.TypeArgs() != nil:
			return "", "", false
		case pkg.Name() == "main":
			kind = of.Obj().Name()
		case s.known[pkg.Path()]:
			kind = pkg.Name() + "." + of.Obj().Name()
		default:
			return "", "", false
		}
	default:
		return "", "", false
	}
	basic := tv.Type.Underlying().(*types.Basic)
	switch {
	case basic.Info()&types.IsString != 0:
		return strconv.QuoteToASCII(constant.StringVal(tv.Value)), kind, true
	case basic.Info()&types.IsBoolean != 0:
		return strconv.FormatBool(constant.BoolVal(tv.Value)), kind, true
	case basic.Info()&types.IsInteger != 0:
		return constant.ToInt(tv.Value).ExactString(), kind, true
	case basic.Info()&types.IsFloat != 0:
		x, _ := constant.Float64Val(tv.Value)
		return strconv.FormatFloat(x, 'g', -1, 64), kind, true
	}
	return "", "", false // a complex number
}

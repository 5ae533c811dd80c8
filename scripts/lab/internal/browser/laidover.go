package browser

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strconv"
)

// A change is what is laid over files of the installed Go where a tool is built for the
// browser. It returns a file that does not look as expected as it is: the tool then is larger,
// or takes more memory.
type change struct {
	files string // a pattern of their names in the folder cmd
	to    func(source []byte) []byte
}

// changes are those of each tool. The compiler loses what only other processors need, two
// fifths of it, and the linker reads objects as objects.go tells.
var changes = map[string][]change{
	"compile": {
		{"compile/main.go", func([]byte) []byte { return []byte(compileMain) }},
		{"compile/internal/ssa/config.go", wasmOnly},
		{"compile/internal/ssagen/intrinsics.go", withoutSIMD},
		{"internal/obj/*/*.go", withoutAssembler},
	},
	"link": {
		{"link/main.go", func([]byte) []byte { return []byte(linkMain) }},
		{"internal/bio/buf_nommap.go", mapped},
	},
}

// laidOver are the files of a tool that change, by their paths in the folder cmd.
func (g *goCommand) laidOver(tool string) (map[string][]byte, error) {
	texts, sources := map[string][]byte{}, os.DirFS(g.commands())
	for _, c := range changes[tool] {
		paths, err := fs.Glob(sources, c.files)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			source, err := fs.ReadFile(sources, path)
			if err != nil {
				return nil, err
			}
			if text := c.to(source); !bytes.Equal(text, source) {
				texts[path] = text
			}
		}
	}
	return texts, nil
}

// The main functions of the compiler and of the linker with the back end for wasm alone.
const (
	compileMain = `package main

import (
	"cmd/compile/internal/base"
	"cmd/compile/internal/gc"
	"cmd/compile/internal/wasm"
	"internal/buildcfg"
)

func main() {
	buildcfg.Check()
	gc.Main(wasm.Init)
	base.Exit(0)
}
`
	linkMain = `package main

import (
	"cmd/link/internal/ld"
	"cmd/link/internal/wasm"
	"internal/buildcfg"
)

func main() {
	buildcfg.Check()
	arch, theArch := wasm.Init()
	ld.Main(arch, theArch)
}
`
)

// wasmOnly is the compiler's table of processors with wasm alone.
func wasmOnly(source []byte) []byte {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return source
	}
	var cut []span
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "NewConfig" || fn.Body == nil {
			continue
		}
		for _, s := range fn.Body.List {
			if s, ok := s.(*ast.SwitchStmt); ok && isName(s.Tag, "arch") {
				cases := s.Body.List
				for i, c := range cases {
					if c := c.(*ast.CaseClause); i+1 < len(cases) && len(c.List) == 1 && isOtherText(c.List[0], "wasm") {
						cut = append(cut, span{c.Pos(), cases[i+1].Pos()})
					}
				}
			}
		}
	}
	return without(source, set, cut)
}

func isName(e ast.Expr, name string) bool {
	x, ok := e.(*ast.Ident)
	return ok && x.Name == name
}

// isOtherText reports whether an expression is a text in quotes, and not this one.
func isOtherText(e ast.Expr, text string) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING && lit.Value != strconv.Quote(text)
}

// withoutSIMD leaves out the operations of an experiment with amd64's vectors.
func withoutSIMD(source []byte) []byte {
	return bytes.Replace(source, []byte("\tif buildcfg.Experiment.SIMD {\n"), []byte("\tif false && buildcfg.Experiment.SIMD {\n"), 1)
}

// withoutAssembler takes its assembler away from each processor but wasm. The compiler has
// them all, for it names the registers of each.
func withoutAssembler(source []byte) []byte {
	if !bytes.Contains(source, []byte(" = obj.LinkArch{")) {
		return source
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return source
	}
	var cut []span
	ast.Inspect(file, func(n ast.Node) bool {
		arch, ok := n.(*ast.CompositeLit)
		if !ok || !isSelector(arch.Type, "obj", "LinkArch") || slices.ContainsFunc(arch.Elts, func(e ast.Expr) bool { return isField(e, "Arch", "ArchWasm") }) {
			return true
		}
		for i, e := range arch.Elts {
			end := arch.Rbrace
			if i+1 < len(arch.Elts) {
				end = arch.Elts[i+1].Pos()
			}
			if !isField(e, "Arch", "") {
				cut = append(cut, span{e.Pos(), end})
			}
		}
		return false
	})
	return without(source, set, cut)
}

func isSelector(e ast.Expr, pkg, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	return isName(s.X, pkg) && (name == "" || s.Sel.Name == name)
}

// isField reports whether an element of a literal sets a field to a name of package sys, any
// if value is empty.
func isField(e ast.Expr, key, value string) bool {
	kv, ok := e.(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	return isName(kv.Key, key) && isSelector(kv.Value, "sys", value)
}

// A span is a part of a file.
type span struct{ from, to token.Pos }

// without cuts parts out of a source, which come in their order.
func without(source []byte, set *token.FileSet, parts []span) []byte {
	text := slices.Clone(source)
	for _, p := range slices.Backward(parts) {
		text = slices.Delete(text, set.Position(p.from).Offset, set.Position(p.to).Offset)
	}
	return text
}

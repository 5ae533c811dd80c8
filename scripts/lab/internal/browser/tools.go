package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// A goCommand runs the go command for js/wasm in the module whose packages a cell imports.
type goCommand struct {
	dir    string
	goroot string
}

func newGoCommand(ctx context.Context, root string) (*goCommand, string, error) {
	g := &goCommand{dir: filepath.Join(root, "notebooks")}
	out, err := g.run(ctx, "env", "-json", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, "", err
	}
	var env struct{ GOROOT, GOVERSION string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, "", err
	}
	g.goroot = env.GOROOT
	return g, env.GOVERSION, nil
}

func (g *goCommand) run(ctx context.Context, args ...string) ([]byte, error) {
	return g.runIn(ctx, g.dir, args...)
}

func (g *goCommand) runIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=", "GOWASM=", "GOFLAGS=-buildvcs=false")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("go %s for the browser: %w\n%s", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return out, nil
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

// tool builds the compiler or the linker of the installed Go for the browser. One file of
// each is laid over: the compiler loses what only other processors need, a quarter of it, and
// the linker reads objects as objects.go tells.
func (g *goCommand) tool(ctx context.Context, name, dir, out string) error {
	source := func(elem ...string) string {
		return filepath.Join(append([]string{g.goroot, "src", "cmd"}, elem...)...)
	}
	main, path, change := compileMain, source("compile", "internal", "ssa", "config.go"), wasmOnly
	if name == "link" {
		main, path, change = linkMain, source("internal", "bio", "buf_nommap.go"), mapped
	}
	text, err := change(path)
	if err != nil {
		return err
	}
	texts := map[string]string{source(name, "main.go"): main, path: text}
	replace := map[string]string{}
	for path, text := range texts {
		laid := filepath.Join(dir, name+"_"+filepath.Base(path))
		if err := os.WriteFile(laid, []byte(text), 0o600); err != nil {
			return err
		}
		replace[path] = laid
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, name+"_overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return err
	}
	_, err = g.run(ctx, "build", "-overlay", file, "-trimpath", "-ldflags=-s -w", "-o", out, "cmd/"+name)
	return err
}

// wasmOnly is the compiler's table of processors with wasm alone. Where it does not look as
// it is expected to, it is as it is: the compiler then is larger.
func wasmOnly(path string) (string, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var cut [][2]int // from, to
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "NewConfig" {
			continue
		}
		for _, s := range fn.Body.List {
			if s, ok := s.(*ast.SwitchStmt); ok {
				cases := s.Body.List
				for i, c := range cases[:len(cases)-1] {
					if c := c.(*ast.CaseClause); len(c.List) == 1 && !isText(c.List[0], "wasm") {
						cut = append(cut, [2]int{set.Position(c.Pos()).Offset, set.Position(cases[i+1].Pos()).Offset})
					}
				}
				break
			}
		}
	}
	for _, c := range slices.Backward(cut) {
		source = slices.Delete(source, c[0], c[1])
	}
	return string(source), nil
}

func isText(e ast.Expr, text string) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == strconv.Quote(text)
}

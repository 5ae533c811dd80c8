package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// commands is the folder of the sources of Go's own commands.
func (g *goCommand) commands() string { return filepath.Join(g.goroot, "src", "cmd") }

// tool builds the compiler or the linker of the installed Go for the browser, with texts laid
// over some files of the folder cmd.
func (g *goCommand) tool(ctx context.Context, name string, texts map[string][]byte, dir, out string) error {
	over := map[string][]byte{}
	for path, text := range texts {
		over[filepath.Join(g.commands(), filepath.FromSlash(path))] = text
	}
	file, err := overlay(over, dir, name)
	if err != nil {
		return err
	}
	_, err = g.run(ctx, "build", "-overlay", file, "-trimpath", "-ldflags=-s -w", "-o", out, "cmd/"+name)
	return err
}

// overlay writes texts that are laid over files, by their paths, into a folder, and what tells
// the go command so, whose path it returns.
func overlay(texts map[string][]byte, dir, name string) (string, error) {
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%s_%d.go", name, len(replace)))
		if err := os.WriteFile(replace[path], text, 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, name+"_overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}

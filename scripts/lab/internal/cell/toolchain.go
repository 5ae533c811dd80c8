//go:build !js

package cell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// A Toolchain builds programs with the packages of a checkout. It asks the go command, which
// compiles packages, only about those that it does not know yet. It may be used by several
// goroutines at a time.
type Toolchain struct {
	root, goroot, cache string

	mu    sync.Mutex // of what follows
	roots []string   // what was asked for
	set   *archives.Set
}

// Prepare makes a toolchain that knows these packages, for programs that import packages of
// the module of the checkout's notebooks.
func Prepare(ctx context.Context, root string, imports []string) (*Toolchain, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	t := &Toolchain{root: root, set: &archives.Set{}}
	out, err := t.goCommand(ctx, "env", "-json", "GOROOT", "GOCACHE")
	if err != nil {
		return nil, err
	}
	var env struct{ GOROOT, GOCACHE string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	t.goroot, t.cache = env.GOROOT, env.GOCACHE
	_, err = t.knowing(ctx, imports)
	return t, err
}

// knowing returns the compiled packages, with these among them.
func (t *Toolchain) knowing(ctx context.Context, imports []string) (*archives.Set, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	imports = append(slices.Clone(imports), harness)
	if t.set.Has(imports) {
		return t.set, nil
	}
	roots := slices.Compact(slices.Sorted(slices.Values(slices.Concat(t.roots, imports))))
	folder, err := scratch.New("toolchain")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	var b bytes.Buffer
	b.WriteString(header)
	for _, p := range roots {
		fmt.Fprintf(&b, "import _ %q\n", p)
	}
	b.WriteString("func main() {}\n")
	source := filepath.Join(folder.Path, "main.go")
	if err := os.WriteFile(source, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	// As the kernel builds cells, so that no package is compiled in two ways.
	out, err := t.goCommand(ctx, "list", "-tags="+archives.Tags, "-ldflags="+archives.Linker, "-gcflags="+archives.Compiler, "-deps", "-export", "-json="+archives.Fields, source)
	if err != nil {
		return nil, err
	}
	listed, err := archives.Read(out)
	if err != nil {
		return nil, err
	}
	set := &archives.Set{}
	for _, p := range listed {
		set.Add(p)
		if p.ImportPath == harness { // the program itself belongs to no module
			set.Lang = p.Lang()
		}
	}
	t.roots, t.set = roots, set
	return set, nil
}

func (t *Toolchain) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = filepath.Join(t.root, "notebooks") // the module whose packages a cell imports
	// The compiler of cells gets nothing of this machine's settings and takes these processors.
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && complaint.Len() > 0:
		return nil, errors.New(strings.TrimSpace(complaint.String()))
	}
	return out, err
}

//go:build !js

package cell

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cellflags"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// A Toolchain builds programs with the packages of a checkout. The go command is asked
// once, which compiles the packages; after that the compiler and the linker are called
// without it, because it looks at all packages again each time.
type Toolchain struct {
	root, goroot, cache string
	lang, debug         string
	archives            map[string]string // compiled packages by import path
	config              []byte            // what the compiler and the linker know them by
}

// Prepare makes a toolchain for programs that import these packages of the module of the
// checkout's notebooks.
func Prepare(ctx context.Context, root string, imports []string) (*Toolchain, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	folder, err := scratch.New("toolchain")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	var b bytes.Buffer
	b.WriteString(header)
	for _, p := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(imports), harness)))) {
		fmt.Fprintf(&b, "import _ %q\n", p)
	}
	b.WriteString("func main() {}\n")
	source := filepath.Join(folder.Path, "main.go")
	if err := os.WriteFile(source, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	t := &Toolchain{root: root, archives: map[string]string{}}
	out, err := t.goCommand(ctx, "env", "-json", "GOROOT", "GOCACHE")
	if err != nil {
		return nil, err
	}
	var env struct{ GOROOT, GOCACHE string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	t.goroot, t.cache = env.GOROOT, env.GOCACHE
	// As the kernel builds cells, so that no package is compiled in two ways.
	if out, err = t.goCommand(ctx, "list", "-tags="+cellflags.Tags, "-ldflags="+cellflags.Linker, "-deps", "-export", "-json=ImportPath,Name,Export,DefaultGODEBUG,Module", source); err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l struct {
			ImportPath, Name, Export, DefaultGODEBUG string
			Module                                   *struct{ GoVersion string }
		}
		if err := d.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		switch {
		case l.Name == "main":
			t.debug = l.DefaultGODEBUG
		case l.ImportPath == harness && l.Module != nil:
			t.lang = version.Lang("go" + l.Module.GoVersion)
		}
		if l.Export != "" && l.Name != "main" { // unsafe has none
			t.archives[l.ImportPath] = l.Export
		}
	}
	var config bytes.Buffer
	for _, p := range slices.Sorted(maps.Keys(t.archives)) {
		fmt.Fprintf(&config, "packagefile %s=%s\n", p, t.archives[p])
	}
	t.config = config.Bytes()
	return t, nil
}

// Key stands for all that the toolchain puts into programs: the version of Go and the
// content of the packages.
func (t *Toolchain) Key() string {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), t.lang, t.debug)
	h.Write(t.config) // the files of the build cache are called after their content
	return hex.EncodeToString(h.Sum(nil))
}

func (t *Toolchain) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = filepath.Join(t.root, "notebooks") // the module whose packages a cell imports
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
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

// tool is the file of a tool of Go.
func (t *Toolchain) tool(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(t.goroot, "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH, name)
}

package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// sources are the folders whose files a notebook's outputs may depend on: the
// packages that it may import, those of other courses among them, and what its
// own folder holds. Data files are not among them: the catalogue pins their bytes.
var sources = []string{"mlcore", "datasets", "notebooks", "scripts/week3"}

// Key identifies what the outputs of a notebook, of which file are the bytes,
// depend on: its cells, the code of the module, the versions of dependencies and
// of Go. Two runs with one key give the same outputs, so the second need not
// happen.
func Key(p project.Project, file []byte) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "2 %s %s\n", runtime.Version(), runtime.GOARCH)
	h.Write(runner)
	parsed, err := notebook.Parse(file)
	if err != nil {
		return "", err
	}
	for _, c := range parsed.Cells {
		b, err := json.Marshal([]any{c.Type, c.ID, c.Source, c.Metadata, c.Attachments})
		if err != nil {
			return "", err
		}
		h.Write(b)
	}
	files := []string{p.Path("go.mod"), p.Path("go.sum")}
	for _, dir := range sources {
		err := filepath.WalkDir(p.Path(filepath.FromSlash(dir)), func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil {
				return err
			}
			name := d.Name()
			switch {
			case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") || path == p.Path("datasets", "files")):
				return filepath.SkipDir
			case d.IsDir(), strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".ipynb"), strings.HasSuffix(name, ".md"), strings.HasPrefix(name, "."), strings.HasSuffix(name, ".test"):
				return nil
			}
			files = append(files, path)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	for _, path := range files {
		b, err := notebook.ReadFile(path, notebook.MaxFile)
		if err != nil {
			return "", err
		}
		if filepath.Base(path) == "go.mod" {
			b = requirements(b)
		}
		fmt.Fprintf(h, "%s %d\n", p.Rel(path), len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// requirements are the lines of a go.mod without comments and order, which mean
// nothing to a build.
func requirements(gomod []byte) []byte {
	lines := strings.Split(string(gomod), "\n")
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "//")
		lines[i] = strings.TrimSpace(line)
	}
	slices.Sort(lines)
	return []byte(strings.TrimSpace(strings.Join(slices.Compact(lines), "\n")))
}

// Cached returns the notebook with the outputs of its last run in .lab/runs if
// nothing they depend on has changed since, and runs it otherwise. Figures go to
// .lab/runs too; nothing that is committed is touched. fresh forces a run.
func Cached(ctx context.Context, tools *setup.Tools, nb project.Notebook, fresh bool, o Options) (res *notebook.Notebook, ran bool, err error) {
	p := tools.Project
	source, err := notebook.ReadFile(nb.Path, notebook.MaxFile)
	if err != nil {
		return nil, false, err
	}
	key, err := Key(p, source)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", nb.Path, err)
	}
	file := p.Lab("runs", nb.Course, nb.Topic+".ipynb")
	stamp := p.Lab("runs", nb.Course, nb.Topic+".key")
	if old, err := os.ReadFile(stamp); err == nil && string(old) == key && !fresh {
		if res, err := notebook.Read(file); err == nil {
			return res, false, nil
		}
	}
	figures := Figures(p)
	if err := os.RemoveAll(filepath.Join(figures, nb.Course, nb.Topic)); err != nil {
		return nil, true, err
	}
	o.Env = append(o.Env, "MLLABS_FIGURES="+figures)
	res, err = Notebook(ctx, tools, nb.Path, source, o)
	if err != nil {
		return nil, true, err
	}
	b, err := res.Encode()
	if err != nil {
		return nil, true, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, true, err
	}
	os.Remove(stamp) // a stamp must never stand beside other outputs
	if err := atomicfile.Write(file, b); err != nil {
		return nil, true, err
	}
	return res, true, atomicfile.Write(stamp, []byte(key))
}

// Figures is the folder where automatic runs save figures, laid out like
// figures/ in the root.
func Figures(p project.Project) string { return p.Lab("runs", "figures") }

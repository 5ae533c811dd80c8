package handout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// always are packages that a student may import, or that the tool is or builds.
var always = []string{"./mlcore/...", "./datasets/...", "./notebooks/nbkit", "./notebooks/nbkit/harness", "./notebooks/assess", "./scripts/lab", "./scripts/lab/internal/tool", "./" + setup.CellBuild}

// scripts are the programs that a course's notebooks are handed out with, which test
// functions that students write into a file.
var scripts = map[string]string{"lab3": "./scripts/week3"}

// scriptsOf returns the scripts of the notebooks' courses.
func scriptsOf(notebooks []Notebook) (list []string) {
	for _, nb := range notebooks {
		if script, ok := scripts[path.Dir(nb.Name)]; ok && !slices.Contains(list, script) {
			list = append(list, script)
		}
	}
	return list
}

// otherFiles go with the packages: what the go command does not list.
var otherFiles = []string{"go.work", "go.work.sum", "go.mod", "go.sum", "notebooks/go.mod", "notebooks/go.sum", "scripts/go.mod", "scripts/go.sum",
	"LICENSE", "scripts/NOTICE.md", ".gitignore", setup.Requirements, setup.PeersRequirements, setup.TypstRequirements, "datasets/NOTICE.md"}

// dataFiles is handed out as a whole, because a student may load any data set.
const dataFiles = "datasets/files"

// without is the build constraint of the files that a handed-out folder goes without.
const without = "handout"

var leftOut = regexp.MustCompile(`(?m)^//go:build !` + without + `\b`)

// sources reads the files of the modules that the notebooks and the tool need.
func sources(ctx context.Context, root string, notebooks []Notebook) ([]file, error) {
	wanted := slices.DeleteFunc(slices.Concat(always, scriptsOf(notebooks)), func(p string) bool {
		return !project.Exists(filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(p, "/..."))))
	})
	for _, nb := range notebooks {
		for i, c := range nb.Copy.Cells {
			if c.Type != "code" {
				continue
			}
			paths, err := cell.Split(c.Source).Imports()
			if err != nil {
				return nil, fmt.Errorf("%s, cell %d (id %s): %w", nb.Name, i+1, c.ID, err)
			}
			for _, p := range paths {
				if rel, ok := strings.CutPrefix(p, project.Module+"/"); ok && strings.HasPrefix(rel, "notebooks/") {
					wanted = append(wanted, "./"+rel)
				}
			}
		}
	}
	packages, err := list(ctx, root, wanted)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, p := range packages {
		rel := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, project.Module), "/")
		if slices.Contains(strings.Split(rel, "/"), "solutions") {
			return nil, fmt.Errorf("package %s would be handed out, because a notebook or a package that it imports needs it; it holds solutions", p.ImportPath)
		}
		for _, name := range p.files() {
			if strings.HasPrefix(rel, "notebooks/") && path.Ext(name) == ".txtar" {
				return nil, fmt.Errorf("%s would be handed out with the package that embeds it; it holds answers to exercises", path.Join(rel, name))
			}
			data, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".go") && leftOut.Match(data) {
				continue
			}
			files = append(files, file{path.Join(rel, name), data})
		}
	}
	data, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dataFiles)))
	if err != nil {
		return nil, err
	}
	others := slices.Clone(otherFiles)
	for _, d := range data {
		if d.Type().IsRegular() && !strings.HasPrefix(d.Name(), ".") { // locks of downloads
			others = append(others, path.Join(dataFiles, d.Name()))
		}
	}
	for _, name := range others {
		if slices.ContainsFunc(files, func(f file) bool { return f.path == name }) {
			continue // embedded in a package
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) && name != "go.work" && path.Base(name) != "go.mod" {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, data})
	}
	return files, nil
}

// A pkg is what go list says of a package.
type pkg struct {
	Dir, ImportPath                               string
	Imports                                       []string
	GoFiles, CgoFiles, IgnoredGoFiles             []string
	SFiles, HFiles, EmbedFiles, IgnoredOtherFiles []string
}

// files lists each file once: an embedded one may be a Go file that is ignored.
func (p pkg) files() []string {
	all := slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.SFiles, p.HFiles, p.EmbedFiles, p.IgnoredOtherFiles)
	slices.Sort(all)
	return slices.Compact(all)
}

// list lists the packages of the checkout's modules among those wanted and all that they import,
// but for the helpers of tests.
func list(ctx context.Context, root string, wanted []string) ([]pkg, error) {
	cmd := process.Command(ctx, "go", append([]string{"list", "-deps", "-json", "-tags", without}, wanted...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=") // the checkout's
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	var packages []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if strings.HasPrefix(p.ImportPath, project.Module+"/") && !slices.Contains(p.Imports, "testing") && len(p.GoFiles) > 0 {
			packages = append(packages, p)
		}
	}
	return packages, nil
}

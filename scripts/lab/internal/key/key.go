// Package key answers the question what results depend on: the outputs of a notebook, a
// verdict, a page. A notebook and the packages of the tool that make the result flow in; a key
// flows out. Results with the same key are the same, so one that was kept need not be made
// again.
package key

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/notebooks/closure"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gonb"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Keys makes the keys of a checkout as its sources were when each was first read. It may be
// used by several goroutines at a time.
type Keys struct {
	project project.Project
	tree    *closure.Tree

	mu   sync.Mutex
	data map[string]string // hashes of data files
}

// Open returns the keys of a checkout.
func Open(p project.Project) *Keys {
	return &Keys{project: p, tree: closure.Open(p.Root), data: map[string]string{}}
}

// Of hashes what results have in common that were made from these parts.
func Of(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Notebook returns the key of the outputs of a notebook in a folder: its code cells and whether
// they are meant to fail, the code of the packages that they import, directly or not, the files
// of [Keys.Data], and the kernel's version and patches. It is the same on every machine.
func (k *Keys) Notebook(nb *notebook.Notebook, folder string) (string, error) {
	u := use(nb)
	code, err := k.tree.Hash(u.imports...)
	if err != nil {
		return "", err
	}
	files, err := k.Data(nb, folder)
	if err != nil {
		return "", err
	}
	kernel, err := k.kernel()
	if err != nil {
		return "", err
	}
	parts := append(u.cells, code, kernel)
	for _, path := range files {
		sum, err := k.file(path)
		if err != nil {
			return "", err
		}
		parts = append(parts, filepath.ToSlash(k.project.Rel(path)), sum)
	}
	return Of(parts...), nil
}

// Data lists the files that a notebook in a folder may read: those of the data sets that it loads
// ([closure.Tree.Data]) and those below the folder that a string of a cell names, "my.csv" or
// "data/my.csv".
func (k *Keys) Data(nb *notebook.Notebook, folder string) ([]string, error) {
	u := use(nb)
	names, err := k.tree.Data(u.words, u.imports...)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range names {
		files = append(files, k.project.Path("datasets", "files", name))
	}
	for _, w := range u.words {
		if !strings.Contains(w, ".") || !filepath.IsLocal(w) {
			continue
		}
		path := filepath.Join(folder, filepath.FromSlash(w))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// A used is what the code cells of a notebook are and what they name.
type used struct{ cells, imports, words []string }

// use reads the code cells. One that is no Go imports nothing.
func use(nb *notebook.Notebook) (u used) {
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		source := strings.TrimRight(strings.ReplaceAll(c.Source, "\r\n", "\n"), "\n")
		u.cells = append(u.cells, c.ID, source)
		if c.HasTag(notebook.TagRaises) {
			u.cells = append(u.cells, notebook.TagRaises)
		}
		split := cell.Split(source)
		imports, _ := split.Imports()
		u.imports = append(u.imports, imports...)
		u.words = append(u.words, closure.Words(split.Top+"\n"+split.Main)...)
	}
	return u
}

// file hashes a data file. One of a data set that is not there is found elsewhere by package
// datasets, which knows its hash.
func (k *Keys) file(path string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if sum, ok := k.data[path]; ok {
		return sum, nil
	}
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	sum := sha256.Sum256(b)
	k.data[path] = hex.EncodeToString(sum[:])
	return k.data[path], nil
}

var kernelLine = regexp.MustCompile(`\bgithub\.com/janpfeifer/gonb v\S+`)

// kernel identifies the kernel by its version and by what is changed in it.
func (k *Keys) kernel() (string, error) {
	b, err := os.ReadFile(k.project.Path("scripts", "go.mod"))
	if err != nil {
		return "", err
	}
	patches, err := gonb.Sum()
	return string(bytes.TrimSpace(kernelLine.Find(b))) + " " + patches, err
}

// Packages returns the key of packages, by their import paths, of everything that they import,
// and of the versions of other modules.
func (k *Keys) Packages(imports ...string) (string, error) { return k.tree.Hash(imports...) }

// harness is the package that runs the bodies of cells. No cell and no package of the tool
// imports it: it is linked with the programs that the tool makes.
const harness = project.Module + "/notebooks/nbkit/harness"

// Here returns a key for results that were made on this machine's kind of processor, by this
// version of Go, by the packages of the tool with these names, and by the harness.
func (k *Keys) Here(made string, tool ...string) (string, error) {
	paths := []string{harness}
	for _, name := range tool {
		paths = append(paths, project.Module+"/scripts/lab/internal/"+name)
	}
	code, err := k.tree.Own(paths...)
	return Of(made, code, runtime.Version(), runtime.GOARCH), err
}

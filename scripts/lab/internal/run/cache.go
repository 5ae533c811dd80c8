package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Key returns the key of the outputs that a notebook in a folder gets on this machine.
func Key(keys *key.Keys, nb *notebook.Notebook, folder string) (string, error) {
	k, err := keys.Notebook(nb, folder)
	if err != nil {
		return "", err
	}
	return keys.Here(k, "run")
}

// Kept returns the notebook with the outputs of its last run in .lab/runs, or nil if
// there was none or something that they depend on has changed since.
func Kept(p project.Project, keys *key.Keys, nb project.Notebook) *notebook.Notebook {
	if !project.Exists(p.Lab("runs", nb.Course, nb.Topic+".key")) {
		return nil // a key takes time
	}
	source, err := notebook.Read(nb.Path)
	if err != nil {
		return nil
	}
	k, err := Key(keys, source, filepath.Dir(nb.Path))
	if err != nil {
		return nil
	}
	return kept(p, nb, k, false, source)
}

// throughKernel follows the key in the stamp of a run through the kernel.
const throughKernel = " kernel"

// kept puts the outputs of the last run into the notebook, whose code cells are those of the run
// if the key is. The rest of it, such as prose, may have changed.
func kept(p project.Project, nb project.Notebook, key string, kernel bool, current *notebook.Notebook) *notebook.Notebook {
	stamp, err := os.ReadFile(p.Lab("runs", nb.Course, nb.Topic+".key"))
	if err != nil || string(stamp) != key+throughKernel && (kernel || string(stamp) != key) {
		return nil
	}
	res, err := notebook.Read(p.Lab("runs", nb.Course, nb.Topic+".ipynb"))
	if err != nil {
		return nil
	}
	ran, now := codeCells(res), codeCells(current)
	if len(ran) != len(now) {
		return nil // somebody has changed the file of the run
	}
	for i, c := range now {
		c.Outputs = ran[i].Outputs
	}
	current.Canonicalise()
	return current
}

func codeCells(nb *notebook.Notebook) []*notebook.Cell {
	return slices.DeleteFunc(slices.Clone(nb.Cells), func(c *notebook.Cell) bool { return c.Type != "code" })
}

// Cached returns the notebook with the outputs of its last run in .lab/runs if nothing they
// depend on has changed since, and runs it otherwise, by a function that gets the file's bytes
// and the notebook in them. fresh forces a run, and so does kernel, which says that the function
// runs it through the kernel, if the last run was one without.
func Cached(p project.Project, keys *key.Keys, nb project.Notebook, fresh, kernel bool, run func(file []byte, parsed *notebook.Notebook) (*notebook.Notebook, error)) (res *notebook.Notebook, ran bool, err error) {
	source, err := notebook.ReadFile(nb.Path, notebook.MaxFile)
	if err != nil {
		return nil, false, err
	}
	parsed, err := notebook.Parse(source)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", nb.Path, err)
	}
	k, err := Key(keys, parsed, filepath.Dir(nb.Path))
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", nb.Path, err)
	}
	file := p.Lab("runs", nb.Course, nb.Topic+".ipynb")
	stamp := p.Lab("runs", nb.Course, nb.Topic+".key")
	if !fresh {
		if old := kept(p, nb, k, kernel, parsed); old != nil {
			return old, false, nil
		}
	}
	if res, err = run(source, parsed); err != nil {
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
	if kernel {
		k += throughKernel
	}
	return res, true, atomicfile.Write(stamp, []byte(k))
}

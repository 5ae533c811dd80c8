//go:build !light

package command

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// sample chooses the notebooks that lab test runs through the kernel and not as programs: every
// tenth, others each day, and those that have changed since the last commit.
func (e *env) sample(ctx context.Context, nbs []project.Notebook, day time.Time) func(i int) bool {
	changed := e.uncommitted(ctx, "notebooks")
	turn := int(day.Unix() / (24 * 60 * 60) % 10)
	return func(i int) bool { return i%10 == turn || changed[e.Rel(nbs[i].Path)] }
}

// changed chooses the notebooks whose key is another one than that with which lab check found their
// outputs and their exercises right.
func (e *env) changed(nbs []project.Notebook) (func(i int) bool, error) {
	sums, err := key.ReadSums(e.Project)
	if err != nil {
		return nil, err
	}
	return func(i int) bool {
		nb, err := notebook.Read(nbs[i].Path)
		if err != nil {
			return true // which is said where it is checked
		}
		k, err := e.keys().Notebook(nb, filepath.Dir(nbs[i].Path))
		return err != nil || k != sums[nbs[i].Name()]
	}, nil
}

// uncommitted are the files of a folder that differ from the last commit, by their paths relative
// to the root; none where git does not tell.
func (e *env) uncommitted(ctx context.Context, folder string) map[string]bool {
	cmd := process.Command(ctx, "git", "status", "--porcelain", "-z", "--untracked-files=all", "--", folder)
	cmd.Dir = e.Root
	out, err := cmd.Output()
	files := map[string]bool{}
	if err != nil {
		return files
	}
	for _, entry := range strings.Split(string(out), "\x00") {
		if len(entry) > 3 { // two letters and a space come before the path
			files[filepath.FromSlash(entry[3:])] = true
		}
	}
	return files
}

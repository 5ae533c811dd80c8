package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// An Engine runs notebooks without a kernel, each as one program of all its cells, which
// takes a fifth of a kernel's time.
type Engine struct {
	Project project.Project
	Chain   *cell.Toolchain
	Keys    *key.Keys
	// Runner runs the programs. In one that contains them, they find the data files that the
	// notebook's key counts ([key.Keys.Data]), and no other file of the checkout: a notebook
	// that read one would be shown with outputs of long ago.
	Runner sandbox.Runner
}

// Notebook builds the program of a notebook in a folder, and returns the notebook with fresh
// outputs in canonical form. The bodies run one after the other in one process, for as long as
// one cell may take. In a kernel each has a process of its own, so a cell whose outputs are not
// those of the given notebook is run once more in that way, and so is a cell that did not come to
// its end.
//
// The notebook must be one that [cell.NeedsKernel] has nothing against.
func (p *Engine) Notebook(ctx context.Context, nb *notebook.Notebook, in string, o Options) (*notebook.Notebook, error) {
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Minute
	}
	program, bodies, err := cell.Whole(nb)
	if err != nil {
		return nil, compileError(nb, err)
	}
	folder, err := scratch.New("program")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	dir := filepath.Join(folder.Path, "build")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	binary, err := p.Chain.Build(ctx, sandbox.Unsafe(), program, dir)
	if err != nil {
		return nil, compileError(nb, err)
	}
	fresh := &notebook.Notebook{Metadata: nb.Metadata}
	for _, c := range nb.Cells {
		f := *c
		f.Outputs, f.ExecutionCount = nil, nil
		fresh.Cells = append(fresh.Cells, &f)
	}
	show := func(cells []int) (map[int]*cell.Shown, sandbox.Result, error) {
		job, err := p.job(ctx, nb, in, o.Timeout)
		if err != nil {
			return nil, sandbox.Result{}, err
		}
		figures := filepath.Join(folder.Path, "figures")
		if p.Runner.Contains() {
			figures = filepath.Join(os.TempDir(), "figures") // of the sandbox
		}
		job.Env = append(job.Env, "MLLABS_FIGURES="+figures)
		return binary.Show(ctx, p.Runner, cells, job)
	}
	var together map[int]*cell.Shown
	if len(bodies) > 0 {
		var res sandbox.Result
		if together, res, err = show(bodies); err != nil {
			return nil, err
		}
		if i := bodies[0]; together[i] == nil {
			return nil, ended(nb.Cells[i], i, res, together[-1], o)
		}
	}
	if before := together[-1]; before != nil {
		return nil, fmt.Errorf("package variables or init functions put out %q, which a kernel repeats in each cell; move that below a line %%%%", text(before))
	}
	for _, i := range bodies {
		c, s := fresh.Cells[i], together[i]
		if s != nil && s.Ended {
			c.Outputs = s.Outputs
		}
		if s != nil && s.Ended && same(nb.Cells[i], c) {
			continue
		}
		alone, res, err := show([]int{i})
		if err != nil {
			return nil, err
		}
		if s = alone[i]; s == nil || !s.Ended {
			return nil, ended(c, i, res, s, o)
		}
		c.Outputs = s.Outputs
	}
	fresh.Canonicalise()
	fresh.ReplacePaths(p.Project.Root, folder.Path)
	return fresh, nil
}

// same reports whether a cell has the outputs of another run.
func same(old, new *notebook.Cell) bool {
	canonical := *new
	nb := &notebook.Notebook{Cells: []*notebook.Cell{&canonical}}
	nb.Canonicalise()
	return len(notebook.Compare(&notebook.Notebook{Cells: []*notebook.Cell{old}}, nb)) == 0
}

// compileError is the error of the first cell that does not compile.
func compileError(nb *notebook.Notebook, err error) error {
	var wrong *cell.Errors
	if errors.As(err, &wrong) && len(wrong.Cells) > 0 {
		i := wrong.Cells[0].Cell
		return &CellError{Index: i, ID: nb.Cells[i].ID, Kind: "error", Text: wrong.Error()}
	}
	return err
}

// ended is the error of a cell whose process did not come to the end of its body.
func ended(c *notebook.Cell, i int, r sandbox.Result, s *cell.Shown, o Options) error {
	e := &CellError{Index: i, ID: c.ID, Kind: "error", Limit: o.Timeout}
	switch r.Ended {
	case sandbox.OutOfTime:
		e.Kind = "timeout"
	case sandbox.TooMuchOutput:
		e.Kind, e.Text = "output", "text"
	case sandbox.OutOfMemory:
		e.Kind, e.Text = "died", fmt.Sprintf("it took more than %d GB", ContainedMemory>>30)
	default:
		e.Kind = "left"
		if r.Code != 0 || r.Ended == sandbox.Killed {
			e.Kind = "error"
		}
	}
	if e.Text == "" && s != nil {
		e.Text = text(s)
	}
	return e
}

// text returns the first lines of what was printed.
func text(s *cell.Shown) string {
	var all strings.Builder
	for _, o := range s.Outputs {
		all.WriteString(o.Text)
	}
	lines := strings.Split(strings.TrimSpace(all.String()), "\n")
	return strings.Join(lines[:min(30, len(lines))], "\n")
}

// job holds what the program of a notebook may read and take. It is far more than the
// notebooks of the course need: limits end what would never end.
func (p *Engine) job(ctx context.Context, nb *notebook.Notebook, in string, limit time.Duration) (sandbox.Job, error) {
	job := sandbox.Job{Dir: in, Limits: sandbox.Limits{
		CPU: limit, Wall: limit, Memory: ContainedMemory, Disk: ContainedDisk, Output: notebook.MaxFile, Processes: containedTasks, Fork: true,
	}}
	data, err := p.Keys.Data(nb, in)
	if err != nil {
		return job, err
	}
	job.ReadOnly = append([]string{p.Project.Path("go.mod")}, data...)
	if below := func(path string) bool { return strings.HasPrefix(path, in+string(filepath.Separator)) }; p.Runner.Contains() && !slices.ContainsFunc(data, below) {
		job.Dir = "" // there is no such folder inside
	}
	if folder := os.Getenv("MLLABS_DATASETS"); filepath.IsAbs(folder) {
		job.ReadOnly = append(job.ReadOnly, folder)
	}
	if !p.Runner.Contains() {
		job.Env = os.Environ() // as the kernel's programs have it
	}
	if !nb.Needs().Peers {
		return job, nil
	}
	job.Env = append(job.Env, "PATH="+os.Getenv("PATH"), "LANG=C.UTF-8", "PYTHONIOENCODING=utf-8", "PYTHONDONTWRITEBYTECODE=1")
	python := os.Getenv("MLLABS_PYTHON")
	if peers := p.Project.Lab("peers", "bin", "python"); python == "" && project.Exists(peers) {
		python = peers
	}
	if python == "" {
		return job, nil
	}
	folders, err := pythonFolders(ctx, python)
	if err != nil {
		return job, err
	}
	if python, err = inside(python); err != nil {
		return job, err
	}
	job.Env = append(job.Env, "MLLABS_PYTHON="+python)
	job.ReadOnly = append(append(job.ReadOnly, folders...), systemFolders()...)
	return job, nil
}

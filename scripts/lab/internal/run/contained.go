package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// What a notebook in a sandbox may take as a whole. Go's compiler and linker need most
// of the memory.
const (
	ContainedMemory = 4 << 30
	ContainedDisk   = 1 << 30
	containedTasks  = 4096 // Go starts some for each processor, in each of its programs
	containedOutput = 16 << 20
)

// cacheLayer lets Go build on the cache of outside, which is read-only, in containedCache.
const (
	cacheLayer     = project.Module + "/scripts/lab/internal/cachelayer"
	containedCache = "/tmp/go-build"
)

// contained executes a notebook with the kernel, and all that it starts, in a sandbox.
// What is of use there is read-only: Go, its caches, Python, and of the checkout the
// packages that cells import, without notebooks. Only outputs come back.
func contained(ctx context.Context, tools *setup.Tools, path string, nb *notebook.Notebook, o Options) (*notebook.Notebook, error) {
	folder, err := scratch.New("run")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	// The folder is closed to others, this one in it is not: inside, root is nobody.
	dir := filepath.Join(folder.Path, "in")
	job, err := containedJob(ctx, tools, dir, filepath.Dir(path), nb, o)
	if err != nil {
		return nil, err
	}
	res, err := o.Sandbox.Run(ctx, job)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	var end outcome
	for line := range bytes.Lines(res.Output) {
		var e event
		if json.Unmarshal(line, &e) == nil && e.Event != "" {
			end.take(e)
		}
	}
	if res.Ended != sandbox.Exited {
		text := fmt.Sprintf("all of the notebook together: %v", res.Ended)
		if res.Ended == sandbox.OutOfMemory {
			text = fmt.Sprintf("all of the notebook together took more than %d GB of memory, or made too many files", ContainedMemory>>30)
		}
		end.failed = &event{Cell: end.cell, Kind: "died", Text: text}
	} else if end.failed == nil && !end.done {
		return nil, fmt.Errorf("the notebook runner broke off with exit status %d%s", res.Code, detail(string(res.Output)))
	}
	fresh, err := notebook.Parse(res.Report)
	if err == nil {
		err = takeOutputs(nb, fresh)
	}
	if err != nil {
		if end.failed != nil {
			return end.of(nb, nil, nil, o)
		}
		return nil, fmt.Errorf("what came out of the sandbox is no outcome of this notebook: %w", err)
	}
	nb.Canonicalise()
	nb.ReplacePaths(tools.Project.Root, dir)
	return end.of(nb, nb, nil, o)
}

// takeOutputs puts the outputs of another copy of a notebook into it. Nothing else of
// the copy counts, since cells may have had their hands on it.
func takeOutputs(nb, from *notebook.Notebook) error {
	if len(nb.Cells) != len(from.Cells) {
		return fmt.Errorf("it has %d cells instead of %d", len(from.Cells), len(nb.Cells))
	}
	for i, c := range nb.Cells {
		f := from.Cells[i]
		if c.ID != f.ID || c.Type != f.Type || c.Source != f.Source {
			return fmt.Errorf("cell %d (id %s) is another one", i+1, c.ID)
		}
	}
	for i, c := range nb.Cells {
		c.Outputs, c.ExecutionCount = from.Cells[i].Outputs, from.Cells[i].ExecutionCount
	}
	return nil
}

// containedJob makes a folder with what the runner needs, and the job that runs it.
func containedJob(ctx context.Context, tools *setup.Tools, dir, course string, nb *notebook.Notebook, o Options) (job sandbox.Job, err error) {
	p := tools.Project
	golang, err := goFolders(ctx)
	if err != nil {
		return job, err
	}
	python, err := pythonFolders(ctx, tools.Python)
	if err != nil {
		return job, err
	}
	code, err := withoutNotebooks(p.Path("notebooks"))
	if err != nil {
		return job, err
	}
	b, err := nb.Encode()
	if err != nil {
		return job, err
	}
	spec, err := kernelSpec(p)
	if err != nil {
		return job, err
	}
	kernel := filepath.Join(dir, "jupyter", "kernels", "gonb")
	if err := os.MkdirAll(kernel, 0o755); err != nil {
		return job, err
	}
	for name, text := range map[string][]byte{"in.ipynb": b, "runner.py": runner, "jupyter/kernels/gonb/kernel.json": spec} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o644); err != nil {
			return job, err
		}
	}
	layer := filepath.Join(dir, "cachelayer")
	build := process.Command(ctx, "go", "build", "-o", layer, cacheLayer)
	build.Dir, build.Env = p.Root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return job, fmt.Errorf("go build %s: %w%s", cacheLayer, err, detail(string(out)))
	}

	job.ReadOnly = append([]string{dir, golang.GOROOT, golang.GOCACHE, golang.GOMODCACHE, p.Lab("bin")}, python...)
	job.ReadOnly = append(job.ReadOnly, code...)
	job.ReadOnly = append(job.ReadOnly, systemFolders()...)
	for _, path := range []string{
		p.Path("go.mod"), p.Path("go.sum"), p.Path("go.work"), p.Path("go.work.sum"), p.Path("scripts", "go.mod"), p.Path("scripts", "go.sum"),
		p.Path("mlcore"), p.Path("datasets"),
	} {
		if project.Exists(path) {
			job.ReadOnly = append(job.ReadOnly, path)
		}
	}
	job.Env = []string{
		"PATH=" + strings.Join([]string{p.Lab("bin"), filepath.Join(golang.GOROOT, "bin"), "/usr/local/bin", "/usr/bin", "/bin"}, ":"),
		"HOME=/tmp/home", "LANG=C.UTF-8", "PYTHONIOENCODING=utf-8", "PYTHONDONTWRITEBYTECODE=1",
		"JUPYTER_PATH=" + filepath.Join(dir, "jupyter"),
		"GOCACHEPROG=" + layer + " " + golang.GOCACHE + " " + containedCache,
		"GOPROXY=off", "GOTOOLCHAIN=local", "GOENV=off",
		"MLLABS_ROOT=" + p.Root, "MLLABS_FIGURES=/tmp/figures", "MLLABS_RUN=" + dir,
	}
	// Some notebooks compare with scikit-learn.
	if peers := p.Lab("peers", "bin", "python"); project.Exists(peers) {
		folders, err := pythonFolders(ctx, peers)
		if err != nil {
			return job, err
		}
		if peers, err = inside(peers); err != nil {
			return job, err
		}
		job.ReadOnly = append(job.ReadOnly, folders...)
		job.Env = append(job.Env, "MLLABS_PYTHON="+peers)
	}
	for _, kv := range tools.Env(setup.DirRuns) {
		if strings.HasPrefix(kv, "GOFLAGS=") || strings.HasPrefix(kv, "CGO_ENABLED=") {
			job.Env = append(job.Env, kv)
		}
	}
	if data := os.Getenv("MLLABS_DATASETS"); data != "" {
		if data, err = filepath.Abs(data); err != nil {
			return job, err
		}
		job.ReadOnly = append(job.ReadOnly, data)
		job.Env = append(job.Env, "MLLABS_DATASETS="+data)
	}
	// The kernel works beside the notebook where something else is there to be read.
	if !slices.ContainsFunc(job.ReadOnly, func(path string) bool { return path == course || strings.HasPrefix(path, course+"/") }) {
		course = "/tmp"
	}
	wall := StartTimeout + time.Duration(nb.CodeCells()+1)*o.Timeout
	if job.Path, err = inside(tools.Python); err != nil {
		return job, err
	}
	job.Args = []string{filepath.Join(dir, "runner.py"), filepath.Join(dir, "in.ipynb"), "-", course,
		strconv.Itoa(max(1, int(o.Timeout.Seconds()))), strconv.Itoa(int(StartTimeout.Seconds())), strconv.Itoa(MaxText), strconv.Itoa(MaxData)}
	slices.Sort(job.ReadOnly)
	job.ReadOnly = slices.Compact(job.ReadOnly)
	job.Limits = sandbox.Limits{
		CPU: wall * time.Duration(runtime.NumCPU()), Wall: wall, Memory: ContainedMemory, Disk: ContainedDisk,
		Output: containedOutput, Report: notebook.MaxFile, Processes: containedTasks, Fork: true,
	}
	return job, nil
}

// systemFolders are those of the system's programs and libraries that are there.
func systemFolders() []string {
	return slices.DeleteFunc([]string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"},
		func(path string) bool { return !project.Exists(path) })
}

// goFolders are where Go is and keeps what it has built and fetched.
func goFolders(ctx context.Context) (f struct{ GOROOT, GOCACHE, GOMODCACHE string }, err error) {
	out, err := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return f, fmt.Errorf("go env: %w", err)
	}
	return f, json.Unmarshal(out, &f)
}

// inside is where an environment's interpreter is in its own folder, without the link
// that the environment is known by. The interpreter is itself a link out of it.
func inside(python string) (string, error) {
	bin, err := filepath.EvalSymlinks(filepath.Dir(python))
	return filepath.Join(bin, filepath.Base(python)), err
}

// pythonFolders are the environment and the Python that it was made with.
func pythonFolders(ctx context.Context, python string) ([]string, error) {
	out, err := exec.CommandContext(ctx, python, "-c", "import os, sys\nfor p in (sys.prefix, sys.base_prefix): print(os.path.realpath(p))").Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	return strings.Fields(string(out)), nil
}

// kernelSpec is the kernel's, with a home in the scratch folder and a cache that is there.
func kernelSpec(p project.Project) ([]byte, error) {
	path := p.Lab(setup.DirRuns, "kernels", "gonb", "kernel.json")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec map[string]any
	if err := json.Unmarshal(b, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	env, _ := spec["env"].(map[string]any)
	if env == nil {
		return nil, errors.New(path + " has no environment; run lab setup again")
	}
	env["HOME"], env["GOPATH"], env["GOENV"] = "/tmp/home", "/tmp/home/go", "off"
	env["XDG_CACHE_HOME"], env["XDG_CONFIG_HOME"] = "/tmp/home/.cache", "/tmp/home/.config"
	env["GOCACHE"] = containedCache
	return json.Marshal(spec)
}

// withoutNotebooks are the folders of a tree in which there is no notebook, and the other
// files of the rest. Whatever starts with a dot is left out.
func withoutNotebooks(dir string) (paths []string, err error) {
	has := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (filepath.Ext(path) == ".ipynb" || strings.HasPrefix(d.Name(), ".")) {
			for up := filepath.Dir(path); len(up) >= len(dir); up = filepath.Dir(up) {
				has[up] = true
			}
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && !has[path]:
			paths = append(paths, path)
			return fs.SkipDir
		case d.Type().IsRegular() && filepath.Ext(path) != ".ipynb":
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

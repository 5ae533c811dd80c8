package setup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/closure"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/apt"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gonb"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Via says where Python's packages come from.
type Via string

// The ways of [Options.Via].
const (
	Auto Via = "auto" // pip; the system's packages where pip cannot and they are there, or somebody agrees
	Pip  Via = "pip"  // a private .venv
	Apt  Via = "apt"  // the system's packages
)

// Options are the settings of [Run].
type Options struct {
	Via Via       // Auto if empty
	Log io.Writer // what is being done, a line at a time
	// Progress is where a step reports how far it is, every ten seconds; nil: nowhere.
	Progress io.Writer
	Agree    apt.Agree // to the installation of the system's packages, which Apt agrees to
}

// Tools are what set-up made.
type Tools struct {
	Project project.Project
	// Python is the interpreter that can import nbclient.
	Python string
	// How tells where Python's packages came from, for the summary.
	How string
}

// Run makes what is missing or out of date.
func Run(ctx context.Context, p project.Project, o Options) (*Tools, error) {
	switch o.Via {
	case "":
		o.Via = Auto
	case Auto, Pip, Apt:
	default:
		return nil, fmt.Errorf("no way of set-up is called %q; use auto, pip or apt", o.Via)
	}
	if runtime.GOOS == "windows" {
		return nil, errors.New("set-up: the Go kernel needs the named pipes of Unix, which Windows does not have, so run notebooks on Linux, macOS or WSL 2")
	}
	s, unlock, err := begin(ctx, p, o, setupLock)
	if err != nil {
		return nil, fmt.Errorf("set-up: %w", err)
	}
	defer unlock()
	env, err := s.kernel(ctx)
	if err != nil {
		return nil, fmt.Errorf("set-up: %w", err)
	}
	py, err := s.python(ctx)
	if err == nil && py.Via == Pip {
		err = s.editorSpec(env)
	}
	if err != nil {
		return nil, fmt.Errorf("set-up: %w", err)
	}
	return &Tools{Project: p, Python: py.Path, How: py.How}, nil
}

type setter struct {
	project.Project
	Options
}

// setupLock is the file in .lab that all set-ups lock but that of gopls, which takes place in the background.
const setupLock = "setup.lock"

// begin makes the folder of what set-up makes, and keeps other set-ups with the same lock waiting until
// unlock is called.
func begin(ctx context.Context, p project.Project, o Options, name string) (s *setter, unlock func(), err error) {
	if strings.ContainsRune(p.Root, os.PathListSeparator) {
		return nil, nil, fmt.Errorf("the path of this checkout, %s, has a %q in it, which separates folders in PATH; move the checkout to a folder without one", p.Root, os.PathListSeparator)
	}
	if err := os.MkdirAll(p.Lab(), 0o755); err != nil {
		return nil, nil, err
	}
	unlock, err = lock(ctx, p.Lab(name), o.Log)
	if err != nil {
		return nil, nil, err
	}
	return &setter{Project: p, Options: o}, unlock, nil
}

func (s *setter) say(format string, args ...any) {
	if s.Log != nil {
		fmt.Fprintf(s.Log, format+"\n", args...)
	}
}

// run runs a command and, if it fails, returns its last lines in the error.
func (s *setter) run(ctx context.Context, env []string, name string, args ...string) error {
	cmd := process.Command(ctx, name, args...)
	cmd.Dir = s.Root
	cmd.Env = append(os.Environ(), env...)
	var out progress
	cmd.Stdout, cmd.Stderr = &out, &out
	end := out.report(s.Progress)
	err := cmd.Run()
	end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, lastLines(out.text(), 15))
	}
	return nil
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return "    " + strings.Join(lines[max(0, len(lines)-n):], "\n    ")
}

// kernelPrograms are the packages of what the kernel is and calls. Their programs have
// the names of the last elements.
var kernelPrograms = []string{gonb.Module, "golang.org/x/tools/cmd/goimports", project.Module + "/" + CellBuild}

// CellBuild is the folder of the program that builds cells for the script of quickGo.
const CellBuild = toolModule + "/lab/internal/cellbuild"

// toolModule is the folder of the module whose go.mod names the kernel's version.
const toolModule = "scripts"

// kernel builds GoNB and what it calls, and writes the kernel specifications, whose
// environment it returns. Those and the script for Go are short: they are compared with
// what they should be.
func (s *setter) kernel(ctx context.Context) (env map[string]string, err error) {
	gomod, err := os.ReadFile(s.Path(toolModule, "go.mod"))
	if err != nil {
		return nil, err
	}
	own, err := closure.Open(s.Root).Own(project.Module + "/" + CellBuild)
	if err != nil {
		return nil, err
	}
	patches, err := gonb.Sum()
	if err != nil {
		return nil, err
	}
	stamp, bin := hash(toolLines(gomod), []byte(runtime.Version()), []byte(s.Root), []byte(own), []byte(patches)), s.Lab("bin")
	if r := readRecord(s.Lab("kernel.stamp")); r == nil || r.Stamp != stamp || !r.intact(bin, byContents) {
		if err := s.buildKernel(ctx, stamp, bin); err != nil {
			return nil, err
		}
	}
	if env, err = s.kernelEnv(ctx); err != nil {
		return nil, err
	}
	if err := quickGo(bin, env["GOROOT"]); err != nil {
		return nil, err
	}
	delete(env, "GOROOT")
	if err := s.spec(s.specFile(DirPeople), env); err != nil {
		return nil, err
	}
	runs := maps.Clone(env)
	runs["HOME"] = s.Lab("home")
	return env, s.spec(s.specFile(DirRuns), runs)
}

// editorSpec puts a specification into the environment .venv as well, where editors look for kernels when
// they are given its Python. They start the kernel without the environment of this tool,
// so that it has what a cell needs of it.
func (s *setter) editorSpec(env map[string]string) error {
	env = maps.Clone(env)
	t := &Tools{Project: s.Project}
	for _, kv := range t.Env(DirPeople) {
		if k, v, _ := strings.Cut(kv, "="); slices.Contains([]string{"PATH", "GOFLAGS", "CGO_ENABLED"}, k) {
			env[k] = v
		}
	}
	return s.spec(s.Path(".venv", "share", "jupyter", "kernels", "gonb", "kernel.json"), env)
}

// buildKernel builds the kernel's programs aside, since Go takes a damaged program with
// the right head for its own work, and records them.
func (s *setter) buildKernel(ctx context.Context, stamp, bin string) error {
	s.say("set-up: building the GoNB kernel and its helpers into .lab/bin (a minute the first time)")
	if err := folder(bin); err != nil {
		return err
	}
	left, _ := filepath.Glob(filepath.Join(project.GlobQuote(s.Lab()), "build-*"))
	for _, dir := range left { // by a set-up that was killed
		os.RemoveAll(dir)
	}
	aside, err := os.MkdirTemp(s.Lab(), "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	module, err := s.download(ctx, gonb.Module)
	if err != nil {
		return cannotBuild(err)
	}
	modfile, err := gonb.Prepare(s.Path(toolModule), module, aside)
	if err != nil {
		return err
	}
	err = s.run(ctx, []string{"GOWORK=off"}, "go",
		append([]string{"-C", toolModule, "build", "-o", filepath.Join(aside, "bin") + string(filepath.Separator), "-v", "-modfile", modfile}, kernelPrograms...)...)
	if err != nil {
		return cannotBuild(err)
	}
	var names []string
	for _, p := range kernelPrograms {
		name := path.Base(p)
		if info, err := os.Lstat(filepath.Join(bin, name)); err == nil && info.IsDir() {
			if err := os.RemoveAll(filepath.Join(bin, name)); err != nil {
				return err
			}
		}
		if err := os.Rename(filepath.Join(aside, "bin", name), filepath.Join(bin, name)); err != nil {
			return err
		}
		names = append(names, name)
	}
	r, err := newRecord(stamp, bin, names, byContents)
	if err != nil {
		return err
	}
	return r.write(s.Lab("kernel.stamp"))
}

func cannotBuild(err error) error {
	return fmt.Errorf("cannot build the kernel (Go and, the first time, a network are needed): %w", err)
}

// download fetches a module of the tool's go.mod, unless it is there, and returns its folder.
func (s *setter) download(ctx context.Context, module string) (string, error) {
	cmd := process.Command(ctx, "go", "-C", toolModule, "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = s.Root, append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if bad := json.Unmarshal(out, &got); got.Error != "" {
		err = errors.New(got.Error)
	} else if err == nil {
		err = bad
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && len(failed.Stderr) > 0 {
		err = fmt.Errorf("%w\n%s", err, lastLines(string(failed.Stderr), 15))
	}
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	return got.Dir, nil
}

// toolLines are the lines of the tool's go.mod that say which kernel to build: one more
// dependency of the library is no reason to build it again.
func toolLines(gomod []byte) []byte {
	var kept []string
	for _, line := range strings.Split(string(gomod), "\n") {
		if strings.Contains(line, "janpfeifer/gonb") || strings.Contains(line, "golang.org/x/tools") {
			line, _, _ = strings.Cut(line, "//")
			kept = append(kept, strings.TrimSpace(line))
		}
	}
	return []byte(strings.Join(kept, "\n"))
}

// The folders below .lab that JUPYTER_PATH names. The kernel of automated runs has a home of its own.
const (
	DirPeople = "jupyter"
	DirRuns   = "jupyter-runs"
)

// ConfigDir is the folder of Jupyter's settings, private to the checkout.
func ConfigDir(p project.Project) string { return p.Lab("jupyter-user", "config") }

func (s *setter) specFile(dir string) string { return s.Lab(dir, "kernels", "gonb", "kernel.json") }

// kernelEnv gives a kernel folders of its own in .lab, where goimports keeps its
// cache and Go its telemetry. What Go itself has been told and has built stays
// where it is; so does Go, which GOROOT names. Automatic runs get another home besides; people's cells see theirs.
func (s *setter) kernelEnv(ctx context.Context) (map[string]string, error) {
	cmd := process.Command(ctx, "go", "env", "-json", "GOCACHE", "GOENV", "GOMODCACHE", "GOPATH", "GOROOT")
	cmd.Dir = s.Root
	out, err := cmd.Output()
	env := map[string]string{}
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot ask Go for its folders with \"go env\": %w", err)
	}
	home := s.Lab("home")
	if err := folder(home); err != nil {
		return nil, err
	}
	env["XDG_CACHE_HOME"], env["XDG_CONFIG_HOME"] = filepath.Join(home, ".cache"), filepath.Join(home, ".config")
	// A go.work that the user's environment names, or forbids, would hide that of the kernel.
	env["MLLABS_ROOT"], env["GOWORK"] = s.Root, ""
	return env, nil
}

// spec writes a kernel specification. Errors are text, because other clients than JupyterLab show no
// HTML. What the kernel logs would go to the terminal in which a student reads JupyterLab's address;
// only why it ends does. The kernel knows the packages of this checkout, in whatever folder a notebook is,
// and looks for no others, so that no cell has to set it up.
func (s *setter) spec(file string, env map[string]string) error {
	spec := map[string]any{
		"argv":           []string{s.Lab("bin", "gonb"), "--kernel", "{connection_file}", "-raw_error=true", "-logtostderr=false", "-log_file=" + os.DevNull, "-stderrthreshold=FATAL", "-go_work=" + s.Path("notebooks"), "-autoget=false"},
		"display_name":   "Go (gonb)",
		"language":       "go",
		"interrupt_mode": "message",
		"env":            env,
	}
	b, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return err
	}
	return keep(file, b, 0o644)
}

// Env is the environment in which Jupyter finds the private kernel and nothing
// of the user's; dir is DirPeople or DirRuns.
func (t *Tools) Env(dir string) []string {
	p := t.Project
	path := []string{p.Lab("bin")}
	if dir == DirPeople {
		path = append(path, p.Lab("gopls"), os.Getenv("PATH"))
	} else {
		path = append(path, withoutGopls(os.Getenv("PATH"))...)
	}
	set := map[string]string{
		"PATH":                strings.Join(path, string(os.PathListSeparator)),
		"JUPYTER_PATH":        p.Lab(dir),
		"JUPYTER_CONFIG_DIR":  ConfigDir(p),
		"JUPYTER_DATA_DIR":    p.Lab("jupyter-user", "data"),
		"JUPYTER_RUNTIME_DIR": p.Lab("jupyter-user", "runtime"),
		"IPYTHONDIR":          p.Lab("jupyter-user", "ipython"),
		"PYTHONIOENCODING":    "utf-8",
		// A go.work of the user's would hide the kernel's.
		"GOWORK":  "",
		"GOFLAGS": cellFlags(os.Getenv("GOFLAGS")),
		// Linking a cell without C's part of package net takes a sixth less time.
		"CGO_ENABLED": cmp.Or(os.Getenv("CGO_ENABLED"), "0"),
	}
	var env []string
	for _, kv := range os.Environ() {
		k, _, _ := strings.Cut(kv, "=")
		if _, ours := set[k]; !ours {
			env = append(env, kv)
		}
	}
	for k, v := range set {
		if v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// withoutGopls returns the folders of a PATH but for those where Go installs tools, if
// gopls is one of them: a kernel that finds it starts it, and it loads the module, to
// answer questions that nobody asks in an automatic run.
func withoutGopls(path string) []string {
	return slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		has := func(name string) bool { return executable(filepath.Join(dir, name)) }
		return has("gopls") && !has("go") && !has("sh") && !has("python3")
	})
}

// cellFlags adds the flags of cells to those of the environment, unless they are set
// there. A cell is built with a go.work, which allows no -mod=mod.
func cellFlags(flags string) string {
	flags = strings.Join(slices.DeleteFunc(strings.Fields(flags), func(f string) bool {
		return strings.HasPrefix(strings.TrimLeft(f, "-"), "mod=")
	}), " ")
	if !strings.Contains(flags, "-ldflags") {
		flags += " -ldflags=" + archives.Linker
	}
	if !strings.Contains(flags, "-gcflags") {
		flags += " -gcflags=" + archives.Compiler
	}
	if !strings.Contains(flags, "-tags") {
		flags += " -tags=" + archives.Tags
	}
	return strings.TrimSpace(flags)
}

func hash(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func executable(path string) bool {
	info, err := os.Stat(path)
	// Windows tells a program by its name, and has no such right.
	return err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows")
}

//go:build unix

package setup

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/apt"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gonb"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// kernelModule is the folder of the kernel's module in Go's cache, "" if it is not there.
var kernelModule = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", gonb.Module).Output()
	return strings.TrimSpace(string(out))
})

// machine is a PATH of shell scripts that stand for python3, apt-get and go; each
// call is noted in the file calls.
func machine(t *testing.T, scripts map[string]string) (p project.Project, calls func() string) {
	t.Helper()
	bin, root := t.TempDir(), t.TempDir()
	t.Setenv("TEST_GONB", kernelModule()) // while PATH has Go
	log := filepath.Join(bin, "calls")
	for name, script := range scripts {
		text := "#!/bin/sh\nPATH=/usr/bin:/bin\necho " + name + ` "$@" >> ` + log + "\n" + script
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	old := systemPython
	systemPython = filepath.Join(bin, "system-python")
	t.Cleanup(func() { systemPython = old })
	for path, text := range map[string]string{"scripts/go.mod": "module x\n", "scripts/go.sum": "", CellBuild + "/main.go": "package main\n", Requirements: "nbclient==1\n"} {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return project.Project{Root: root}, func() string {
		b, _ := os.ReadFile(log)
		os.Remove(log)
		return string(b)
	}
}

// Scripts of a machine where all is well. python3 -m venv makes a Python that
// can do everything; go build makes the three programs.
const (
	goodPython = `
case "$*" in
*sys.executable*) echo "$0";;
"-m venv "*) mkdir -p "$3/bin" && printf '#!/bin/sh\nexit 0\n' > "$3/bin/python" && chmod +x "$3/bin/python";;
esac`
	goodGo = `
[ "$1" = -C ] && shift 2
case "$1" in
mod) echo '{"Dir": "'"$TEST_GONB"'"}';;
env) echo '{"GOCACHE": "/c", "GOENV": "/e", "GOMODCACHE": "/m", "GOPATH": "/p"}';;
*) mkdir -p "$3"; for name in gonb goimports cellbuild; do touch "$3$name" && chmod +x "$3$name"; done;;
esac`
)

func TestRunMakesWhatIsMissing(t *testing.T) {
	p, calls := machine(t, map[string]string{"python3": goodPython, "go": goodGo})
	ctx := context.Background()
	var log bytes.Buffer
	tools, err := Run(ctx, p, Options{Via: Pip, Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Python != p.Path(".venv", "bin", "python") || !strings.Contains(log.String(), "half a minute") {
		t.Errorf("tools %+v, log %s", tools, log.String())
	}
	if first := calls(); !strings.Contains(first, "go -C scripts build -o") || !strings.Contains(first, "python3 -m venv") {
		t.Errorf("calls %s", first)
	}
	for _, dir := range []string{DirPeople, DirRuns} {
		if b, err := os.ReadFile(p.Lab(dir, "kernels", "gonb", "kernel.json")); err != nil || !strings.Contains(string(b), "-raw_error=true") || !strings.Contains(string(b), `"-go_work=`+p.Path("notebooks")+`"`) || !strings.Contains(string(b), `"GOWORK": ""`) || !strings.Contains(string(b), p.Lab("bin", "gonb")) ||
			strings.Contains(string(b), `"HOME": "`+p.Lab("home")+`"`) != (dir == DirRuns) || !strings.Contains(string(b), `"XDG_CACHE_HOME": "`+p.Lab("home", ".cache")+`"`) || !strings.Contains(string(b), `"GOCACHE": "/c"`) {
			t.Errorf("%s: %s, %v", dir, b, err)
		}
	}

	// Editors are given no more than .venv.
	for range 2 {
		b, err := os.ReadFile(p.Path(".venv", "share", "jupyter", "kernels", "gonb", "kernel.json"))
		if err != nil || !strings.Contains(string(b), p.Lab("bin", "gonb")) || !strings.Contains(string(b), `"PATH": "`+p.Lab("bin")+":") ||
			!strings.Contains(string(b), `"CGO_ENABLED": "0"`) || strings.Contains(string(b), "JUPYTER") {
			t.Errorf("for editors: %s, %v", b, err)
		}
		if err := os.RemoveAll(p.Path(".venv", "share")); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(ctx, p, Options{}); err != nil {
			t.Fatal(err)
		}
		calls()
	}

	log.Reset()
	if _, err := Run(ctx, p, Options{Log: &log}); err != nil || log.Len() > 0 {
		t.Errorf("a second time: %v, log %s", err, log.String())
	}
	if again := calls(); again != "go env -json GOCACHE GOENV GOMODCACHE GOPATH GOROOT\n" {
		t.Errorf("a second time it called %s", again)
	}

	edit := func(path string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("module x\nrequire github.com/janpfeifer/gonb v9.9.9\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit(p.Path("scripts", "go.mod"))
	if _, err := Run(ctx, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if c := calls(); !strings.Contains(c, "go -C scripts build") || strings.Contains(c, "venv") {
		t.Errorf("after go.mod changed it called %s", c)
	}
	edit(p.Path(filepath.FromSlash(Requirements)))
	if _, err := Run(ctx, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if c := calls(); strings.Contains(c, "go -C scripts build") || !strings.Contains(c, "venv") {
		t.Errorf("after the requirements changed it called %s", c)
	}
}

// A colon would end the name of a folder in PATH and JUPYTER_PATH.
// A .lab that was copied from another checkout names that one's Python.
func TestRunTakesNoPythonOfAnotherCheckout(t *testing.T) {
	ctx, tools := context.Background(), map[string]string{"python3": goodPython, "go": goodGo}
	other, _ := machine(t, tools)
	if _, err := Run(ctx, other, Options{Via: Pip}); err != nil {
		t.Fatal(err)
	}
	record, err := os.ReadFile(other.Lab("python.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := machine(t, tools)
	write(t, p.Lab("python.json"), string(record))
	if got, err := Run(ctx, p, Options{}); err != nil || got.Python != p.Path(".venv", "bin", "python") {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRunRefusesAColon(t *testing.T) {
	p, calls := machine(t, map[string]string{"python3": goodPython, "go": goodGo})
	p.Root = filepath.Join(p.Root, "a:b")
	for name, err := range map[string]error{
		"Run":   func() error { _, err := Run(context.Background(), p, Options{}); return err }(),
		"Gopls": Gopls(context.Background(), p, Options{}),
	} {
		if err == nil || !strings.Contains(err.Error(), p.Root) || !strings.Contains(err.Error(), "move the checkout") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c := calls(); c != "" {
		t.Errorf("calls %s", c)
	}
}

func TestRunSaysWhatToDo(t *testing.T) {
	ctx := context.Background()
	noVenv := `case "$*" in *sys.executable*) echo "$0";; *) echo "ensurepip is not available" >&2; exit 1;; esac`
	noPip := `
case "$*" in
*sys.executable*) echo "$0";;
"-m venv "*) mkdir -p "$3/bin" && printf '#!/bin/sh\necho "No matching distribution" >&2; exit 1\n' > "$3/bin/python" && chmod +x "$3/bin/python";;
esac`
	for _, c := range []struct {
		name    string
		scripts map[string]string
		want    []string
	}{
		{"no python", map[string]string{"go": goodGo}, []string{"no Python 3.10 or newer", "apt-get install python3"}},
		{"old python", map[string]string{"go": goodGo, "python3": "exit 1"}, []string{"no Python 3.10 or newer"}},
		{"no venv", map[string]string{"go": goodGo, "python3": noVenv}, []string{"python3-venv", "ensurepip is not available"}},
		{"no network", map[string]string{"go": goodGo, "python3": noPip}, []string{"a network is needed", "No matching distribution"}},
		{"kernel does not build", map[string]string{"go": "echo 'dial tcp: no route' >&2; exit 1"}, []string{"cannot build the kernel", "no route"}},
	} {
		p, _ := machine(t, c.scripts)
		_, err := Run(ctx, p, Options{Via: Pip})
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q in it", c.name, err, want)
			}
		}
		if _, err := os.Stat(p.Path(".venv")); err == nil {
			t.Errorf("%s: half an environment is left", c.name)
		}
	}
	p, _ := machine(t, nil)
	if _, err := Run(ctx, p, Options{Via: "magic"}); err == nil || !strings.Contains(err.Error(), "auto, pip or apt") {
		t.Errorf("magic: %v", err)
	}
}

// Where pip cannot work, the system's packages are taken, and installed where somebody
// agrees to it and this process may install.
func TestRunFallsBackToTheSystem(t *testing.T) {
	ctx := context.Background()
	scripts := map[string]string{
		"go":            goodGo,
		"system-python": `case "$*" in *nbclient*) test -e "$0.installed";; *) exit 1;; esac`,
		"apt-get":       `case "$*" in *install*) touch "$(dirname "$0")/system-python.installed";; esac`,
	}
	const command = "apt-get install -y --no-install-recommends python3-nbclient"
	yes, no := apt.Agree(apt.Always), apt.Agree(func(context.Context, string) bool { return false })
	for _, c := range []struct {
		name     string
		via      Via
		agree    apt.Agree
		installs bool
	}{
		{"nobody is asked", Auto, nil, false},
		{"the answer is no", Auto, no, false},
		{"pip alone", Pip, yes, false},
		{"the answer is yes", Auto, yes, true},
		{"--via apt", Apt, nil, true},
	} {
		p, calls := machine(t, scripts)
		tools, err := Run(ctx, p, Options{Via: c.via, Agree: c.agree})
		if os.Geteuid() != 0 {
			if c.via != Pip && (err == nil || !strings.Contains(err.Error(), "sudo "+command)) {
				t.Errorf("%s, without rights: %v", c.name, err)
			}
			continue
		}
		installed := strings.Contains(calls(), "apt-get")
		switch {
		case installed != c.installs:
			t.Errorf("%s: installs %v, want %v", c.name, installed, c.installs)
		case c.installs && (err != nil || tools.Python != systemPython):
			t.Errorf("%s: %+v, %v", c.name, tools, err)
		case !c.installs && (err == nil || c.via == Auto && !strings.Contains(err.Error(), command)):
			t.Errorf("%s: error %v", c.name, err)
		}
		if !c.installs {
			continue
		}
		if _, err := Run(ctx, p, Options{}); err != nil {
			t.Errorf("%s, a second time: %v", c.name, err)
		}
		if c := calls(); strings.Contains(c, "apt-get") {
			t.Errorf("a second time it called %s", c)
		}
	}

	delete(scripts, "apt-get")
	p, _ := machine(t, scripts)
	if _, err := Run(ctx, p, Options{Via: Apt}); err == nil || !strings.Contains(err.Error(), "no apt-get") {
		t.Errorf("no apt-get: %v", err)
	}
}

func TestLockWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	var log bytes.Buffer
	if _, err := lock(ctx, path, &log); err == nil || !strings.Contains(log.String(), "waiting") {
		t.Errorf("a second lock: %v, %s", err, log.String())
	}
	unlock()
	again, err := lock(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestEnv(t *testing.T) {
	t.Setenv("GOWORK", "/somewhere/go.work")
	t.Setenv("JUPYTER_PATH", "/user")
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("CGO_ENABLED", "")
	tools := &Tools{Project: project.Project{Root: "/src"}}
	env := tools.Env(DirRuns)
	for _, want := range []string{"JUPYTER_PATH=/src/.lab/jupyter-runs", "GOFLAGS=-buildvcs=false -ldflags=-s -gcflags=all=-dwarf=false -tags=minimal,noasm", "CGO_ENABLED=0"} {
		if !slices.Contains(env, want) {
			t.Errorf("no %s in %v", want, env)
		}
	}
	if want := "PATH=/src/.lab/bin:/src/.lab/gopls:" + os.Getenv("PATH"); !slices.Contains(tools.Env(DirPeople), want) || slices.Contains(env, want) {
		t.Errorf("people's kernels alone have gopls: no %s in %v", want, tools.Env(DirPeople))
	}
	for _, kv := range env {
		if strings.HasPrefix(kv, "GOWORK=") || kv == "JUPYTER_PATH=/user" {
			t.Errorf("%s is there", kv)
		}
		if path, ok := strings.CutPrefix(kv, "PATH="); ok && !strings.HasPrefix(path, "/src/.lab/bin") {
			t.Errorf("PATH is %s", path)
		}
	}
	t.Setenv("CGO_ENABLED", "1")
	if !slices.Contains(tools.Env(DirRuns), "CGO_ENABLED=1") {
		t.Error("a CGO_ENABLED of the user's is lost")
	}
	for flags, want := range map[string]string{
		"-ldflags=-w -gcflags=-N -tags=x": "-ldflags=-w -gcflags=-N -tags=x", // the user's
		"-mod=mod -buildvcs=false":        "-buildvcs=false -ldflags=-s -gcflags=all=-dwarf=false -tags=minimal,noasm",
	} {
		if got := cellFlags(flags); got != want {
			t.Errorf("flags %s become %s, want %s", flags, got, want)
		}
	}
}

// A user's gopls would be started by every kernel of an automatic run.
func TestEnvWithoutGopls(t *testing.T) {
	tools, system, other := t.TempDir(), t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(tools, "gopls"), filepath.Join(system, "gopls"), filepath.Join(system, "sh"), filepath.Join(other, "git")} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	list := func(dirs ...string) string { return "PATH=" + strings.Join(dirs, string(os.PathListSeparator)) }
	path := strings.TrimPrefix(list(tools, system, other), "PATH=")
	t.Setenv("PATH", path)
	p := project.Project{Root: "/src"}
	for dir, want := range map[string]string{
		DirRuns:   list(p.Lab("bin"), system, other),
		DirPeople: list(p.Lab("bin"), p.Lab("gopls"), tools, system, other),
	} {
		if env := (&Tools{Project: p}).Env(dir); !slices.Contains(env, want) {
			t.Errorf("%s: no %s in %v", dir, want, env)
		}
	}
}

func TestGopls(t *testing.T) {
	ctx := context.Background()
	// Kernels, which look into .lab/gopls at any time, do not see what is being written.
	p, calls := machine(t, map[string]string{"go": `case "$1" in install) printf '#!/bin/sh' > "$GOBIN/gopls" && chmod +x "$GOBIN/gopls" && [ ! -e .lab/gopls/gopls ];; esac`})
	var log bytes.Buffer
	if err := os.MkdirAll(p.Lab(), 0o755); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock(ctx, p.Lab(setupLock), nil) // by another set-up, which does not wait for gopls, nor gopls for it
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := Gopls(ctx, p, Options{Log: &log}); err != nil || !strings.Contains(log.String(), "gopls") {
		t.Fatalf("%v, log %s", err, log.String())
	}
	if c := calls(); c != "go install "+goplsModule+"\n" {
		t.Errorf("calls %s", c)
	}
	log.Reset()
	if err := Gopls(ctx, p, Options{Log: &log}); err != nil || log.Len() > 0 || calls() != "" {
		t.Errorf("a second time: %v, log %s", err, log.String())
	}
	p, _ = machine(t, map[string]string{"go": "echo 'dial tcp: no route' >&2; exit 1"})
	for range 2 { // a failure is no reason not to try again
		if err := Gopls(ctx, p, Options{}); err == nil || !strings.Contains(err.Error(), "no route") {
			t.Errorf("without a network: %v", err)
		}
	}
}

// The kernel's Go hands everything on, and spares garbage collection while it builds
// a cell, but not in the programs that it runs.
func TestQuickGo(t *testing.T) {
	goroot, bin := filepath.Join(t.TempDir(), "it's Go"), t.TempDir()
	if err := os.MkdirAll(filepath.Join(goroot, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(goroot, "bin", "go"), []byte("#!/bin/sh\necho \"GOGC=$GOGC $*\"\nexit 7\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOGC", "")
	for range 2 { // it is written anew over an old one
		if err := quickGo(bin, goroot); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"build -o x": "GOGC=off build -o x\n", "test -c -o x": "GOGC=off test -c -o x\n",
		"test ./...": "GOGC= test ./...\n", "run .": "GOGC= run .\n", "env": "GOGC= env\n",
	} {
		cmd := exec.Command(filepath.Join(bin, "go"), strings.Fields(args)...)
		out, err := cmd.Output()
		if cmd.ProcessState.ExitCode() != 7 || string(out) != want {
			t.Errorf("go %s: %q, %v; want %q and exit status 7", args, out, err, want)
		}
	}
	// What cellbuild can build it builds, and Go the rest.
	helper := "#!/bin/sh\necho \"cellbuild $*\"\n[ \"$2\" = good ]\n"
	if err := os.WriteFile(filepath.Join(bin, "cellbuild"), []byte(helper), 0o755); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"build -o good":   "cellbuild " + goroot + " good\n",
		"build -o bad":    "cellbuild " + goroot + " bad\nGOGC=off build -o bad\n",
		"build -o good .": "GOGC=off build -o good .\n",
	} {
		if out, _ := exec.Command(filepath.Join(bin, "go"), strings.Fields(args)...).Output(); string(out) != want {
			t.Errorf("go %s, with cellbuild: %q, want %q", args, out, want)
		}
	}
	if err := quickGo(bin, t.TempDir()); err != nil || executable(filepath.Join(bin, "go")) {
		t.Errorf("without a Go there: %v, and a script is left", err)
	}
}

package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/apt"
)

// Requirements is the pinned list of Python packages, from the root.
const Requirements = "scripts/lab/requirements.txt"

// aptPackages bring nbclient and a Jupyter for people.
var aptPackages = []string{"python3-nbclient", "python3-nbformat", "jupyter-notebook"}

// systemPython is the interpreter that the system's packages belong to; tests
// change it.
var systemPython = "/usr/bin/python3"

// A python is an interpreter that was found able to run notebooks.
type python struct {
	Path  string `json:"path"`
	How   string `json:"how"`
	Via   Via    `json:"via"`
	Stamp string `json:"stamp"`

	stale bool // not what is asked for, which could not be had
}

func (s *setter) python(ctx context.Context) (*python, error) {
	req, err := os.ReadFile(s.Path(filepath.FromSlash(Requirements)))
	if err != nil {
		return nil, err
	}
	record, stamp := s.Lab("python.json"), hash(req)
	if py := readPython(record); py != nil && py.Stamp == stamp && (s.Via == Auto || s.Via == py.Via) && s.working(ctx, py) {
		s.sweep(s.jupyter())
		return py, nil
	}
	py, err := s.findPython(ctx)
	if err != nil || py.stale {
		return py, err
	}
	py.Stamp = stamp
	b, err := json.Marshal(py)
	if err != nil {
		return nil, err
	}
	return py, keep(record, b, 0o644)
}

// working tells whether an interpreter can run notebooks as it could when it was found.
// One of another checkout, whose .lab was copied, is none of ours.
func (s *setter) working(ctx context.Context, py *python) bool {
	if e := s.jupyter(); py.Via == Pip {
		return py.Path == e.python() && e.working(ctx, e.link) == nil
	}
	return executable(py.Path) && canImport(ctx, py.Path) == nil
}

func readPython(path string) *python {
	b, err := readNote(path)
	var py python
	if err != nil || json.Unmarshal(b, &py) != nil {
		return nil
	}
	return &py
}

func (s *setter) findPython(ctx context.Context) (*python, error) {
	switch s.Via {
	case Pip:
		return s.venv(ctx)
	case Apt:
		return s.apt(ctx)
	}
	py, err := s.venv(ctx)
	if err == nil || ctx.Err() != nil {
		return py, err
	}
	s.say("set-up: no private Python environment: %v", err)
	s.say("set-up: trying the system's packages instead")
	py, aptErr := s.apt(ctx)
	if aptErr != nil {
		return nil, fmt.Errorf("no Python that can run notebooks:\n  with pip: %w\n  with the system's packages: %w", err, aptErr)
	}
	return py, nil
}

// importAll imports what runs notebooks, without a package that takes two seconds and
// that runs leave out, too (runner.py).
const importAll = `import sys; sys.modules["rfc3987_syntax"] = None; import nbclient, nbformat, jupyter_client`

// canImport says why an interpreter cannot run notebooks, or nil.
func canImport(ctx context.Context, path string) error {
	out, err := exec.CommandContext(ctx, path, "-c", importAll).CombinedOutput()
	if err != nil {
		return errors.New(strings.TrimSpace(lastLines(string(out), 1)))
	}
	return nil
}

// jupyter is the environment that runs notebooks.
func (s *setter) jupyter() environment {
	return environment{
		name: "jupyter", link: s.Path(".venv"), what: "Jupyter (half a minute)",
		requirements: []string{Requirements}, minor: 10, check: canImport, found: canImport,
	}
}

// venv makes .venv with the pinned packages.
func (s *setter) venv(ctx context.Context) (*python, error) {
	e := s.jupyter()
	stale, err := s.environment(ctx, e)
	if err != nil {
		return nil, err
	}
	return &python{Path: e.python(), How: "pip, in .venv", Via: Pip, stale: stale}, nil
}

// basePythons are the interpreters on PATH that are new enough, by their real
// paths, so that an environment does not depend on a version manager's shims. Windows
// has the launcher py, and programs named like Python that only open its store.
func basePythons(ctx context.Context, minor int) []string {
	var found []string
	seen := map[string]bool{}
	for _, line := range [][]string{{"python3"}, {"python"}, {systemPython}, {"py", "-3"}} {
		path, err := exec.LookPath(line[0])
		if err != nil {
			continue
		}
		cmd := exec.CommandContext(ctx, path, append(line[1:], "-c", fmt.Sprintf("import sys; assert sys.version_info >= (3, %d); print(sys.executable)", minor))...)
		cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8") // else Windows writes the path as it likes
		out, err := cmd.Output()
		real := strings.TrimSpace(string(out))
		if err != nil || real == "" || seen[real] {
			continue
		}
		seen[real] = true
		found = append(found, real)
	}
	return found
}

// apt uses the system's packages, and installs them where somebody agrees.
func (s *setter) apt(ctx context.Context) (*python, error) {
	py := &python{Path: systemPython, How: "the system's packages", Via: Apt}
	if executable(systemPython) && canImport(ctx, systemPython) == nil {
		return py, nil
	}
	agree := s.Agree
	if s.Via == Apt {
		agree = apt.Always
	}
	err := apt.Install(ctx, agree, s.Log, aptPackages...)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, apt.ErrUnavailable):
		return nil, fmt.Errorf("%s lacks nbclient and %w; install Python's nbclient with the system's package manager, or use --via pip", systemPython, err)
	case err != nil:
		return nil, fmt.Errorf("%s lacks nbclient; %w", systemPython, err)
	}
	if err := canImport(ctx, systemPython); err != nil {
		return nil, fmt.Errorf("%s cannot import nbclient though it is installed: %w", systemPython, err)
	}
	return py, nil
}

package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// PeersRequirements is the pinned list of the Python libraries that notebooks
// compare with, from the root.
const PeersRequirements = "notebooks/peers/requirements.txt"

// BenchRequirements are those and what else times are compared with, which notebooks do
// not need.
const BenchRequirements = "scripts/lab/bench-requirements.txt"

// ONNXRequirements are ONNX Runtime and what it asks for, which only tests need.
const ONNXRequirements = "scripts/lab/onnx-requirements.txt"

// What an environment is made for, to be imported in it.
const (
	peersModules = "sklearn"
	onnxModules  = "onnx, onnxruntime"
)

// Peers makes the private Python environment .lab/peers with the libraries that
// mllabs is compared with, unless it is up to date. An interpreter that the
// environment variable MLLABS_PYTHON names is taken as it is.
func Peers(ctx context.Context, p project.Project, o Options) error {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" {
		return importable(ctx, name, peersModules)
	}
	_, err := environment(ctx, p, o, "peers", peersModules, PeersRequirements)
	return err
}

// BenchPeers makes the private Python environment .lab/bench with the libraries of
// BenchRequirements, and returns its interpreter, or that which MLLABS_PYTHON names.
func BenchPeers(ctx context.Context, p project.Project, o Options) (python string, err error) {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" {
		return name, importable(ctx, name, peersModules)
	}
	return environment(ctx, p, o, "bench", peersModules, BenchRequirements, PeersRequirements)
}

// ONNX makes the private Python environment .lab/onnx with ONNX Runtime, unless it is up to
// date or the interpreter that MLLABS_PYTHON names has it.
func ONNX(ctx context.Context, p project.Project, o Options) error {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" && importable(ctx, name, onnxModules) == nil {
		return nil
	}
	_, err := environment(ctx, p, o, "onnx", onnxModules, ONNXRequirements)
	return err
}

// environment makes .lab/name with the libraries that the first of the files lists,
// unless it is up to date with all of them, and returns its interpreter, which can import
// the modules.
func environment(ctx context.Context, p project.Project, o Options, name, modules string, requirements ...string) (python string, err error) {
	var all []byte
	for _, file := range requirements {
		req, err := os.ReadFile(p.Path(filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		all = append(all, req...)
	}
	dir, stamp := p.Lab(name), hash(all)
	python = filepath.Join(dir, "bin", "python")
	if stamped(filepath.Join(dir, "mllabs.stamp"), stamp) && executable(python) {
		return python, nil
	}
	if err := os.MkdirAll(p.Lab(), 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, p.Lab("setup.lock"), o.Log)
	if err != nil {
		return "", err
	}
	defer unlock()
	if stamped(filepath.Join(dir, "mllabs.stamp"), stamp) && executable(python) {
		return python, nil // another set-up was quicker
	}
	s := &setter{Project: p, Options: o}
	last := errors.New("no Python 3.11 or newer on PATH")
	for _, base := range basePythons(ctx) {
		if err := os.RemoveAll(dir); err != nil {
			return "", err
		}
		s.say("set-up: installing Python's %s into .lab/%s from %s (a minute)", modules, name, requirements[0])
		last = s.run(ctx, nil, base, "-m", "venv", dir)
		if last == nil {
			last = s.run(ctx, []string{"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_NO_CACHE_DIR=1"}, python, "-m", "pip", "install", "--quiet", "-r", s.Path(filepath.FromSlash(requirements[0])))
		}
		if last == nil {
			last = importable(ctx, python, modules)
		}
		if last == nil {
			return python, atomicfile.Write(filepath.Join(dir, "mllabs.stamp"), []byte(stamp))
		}
		os.RemoveAll(dir)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return "", last
}

func importable(ctx context.Context, python, modules string) error {
	out, err := exec.CommandContext(ctx, python, "-c", "import "+modules).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s cannot import %s: %s", python, modules, strings.TrimSpace(lastLines(string(out), 1)))
	}
	return nil
}

package setup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

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

// NBGraderRequirements are nbgrader and what it asks for, which instructors need who grade
// with it.
const NBGraderRequirements = "scripts/lab/nbgrader-requirements.txt"

// TypstRequirements are the compiler that makes PDFs.
const TypstRequirements = "scripts/lab/typst-requirements.txt"

// LiteRequirements are JupyterLite and what it asks for, with which a site gets JupyterLab.
const LiteRequirements = "scripts/lab/lite-requirements.txt"

// What an environment is made for, to be imported in it.
const (
	peersModules = "sklearn"
	onnxModules  = "onnx, onnxruntime"

	nbgraderModules = "nbgrader, jupyter_server"
	liteModules     = "jupyterlite_core, jupyter_server"
)

// Peers makes the private Python environment .lab/peers with the libraries that
// mllabs is compared with, unless it is up to date. An interpreter that the
// environment variable MLLABS_PYTHON names is taken as it is.
func Peers(ctx context.Context, p project.Project, o Options) error {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" {
		return importable(ctx, name, peersModules)
	}
	_, err := peer(ctx, p, o, "peers", peersModules, PeersRequirements)
	return err
}

// BenchPeers makes the private Python environment .lab/bench with the libraries of
// BenchRequirements, and returns its interpreter, or that which MLLABS_PYTHON names.
func BenchPeers(ctx context.Context, p project.Project, o Options) (python string, err error) {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" {
		return name, importable(ctx, name, peersModules)
	}
	return peer(ctx, p, o, "bench", peersModules, BenchRequirements, PeersRequirements)
}

// ONNX makes the private Python environment .lab/onnx with ONNX Runtime, unless it is up to
// date or the interpreter that MLLABS_PYTHON names has it.
func ONNX(ctx context.Context, p project.Project, o Options) error {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" && importable(ctx, name, onnxModules) == nil {
		return nil
	}
	_, err := peer(ctx, p, o, "onnx", onnxModules, ONNXRequirements)
	return err
}

// NBGrader makes the private Python environment .lab/nbgrader, unless it is up to date, and
// returns its interpreter. One that MLLABS_PYTHON names is not asked: nbgrader is of one
// version, whose insides the settings for it know.
func NBGrader(ctx context.Context, p project.Project, o Options) (python string, err error) {
	return peer(ctx, p, o, "nbgrader", nbgraderModules, NBGraderRequirements)
}

// Typst makes the private Python environment .lab/typst with the compiler of PDFs, unless it
// is up to date, and returns its interpreter. It ignores MLLABS_PYTHON, because documents are
// written for one version of the compiler.
func Typst(ctx context.Context, p project.Project, o Options) (python string, err error) {
	check := func(ctx context.Context, python string) error { return importable(ctx, python, "typst") }
	return private(ctx, p, o, environment{
		name: "typst", link: p.Lab("typst"), what: "Typst, which makes PDFs (half a minute)", requirements: []string{TypstRequirements}, minor: 9,
		check: check, found: check,
	})
}

// JupyterLite makes the private Python environment .lab/lite, unless it is up to date, and
// returns its interpreter.
func JupyterLite(ctx context.Context, p project.Project, o Options) (python string, err error) {
	return peer(ctx, p, o, "lite", liteModules, LiteRequirements)
}

// peer makes the environment .lab/name, unless it is up to date with the requirements,
// and returns its interpreter, which can import the modules.
func peer(ctx context.Context, p project.Project, o Options, name, modules string, requirements ...string) (python string, err error) {
	return private(ctx, p, o, environment{
		name: name, link: p.Lab(name), what: "Python's " + modules + " (a minute)", requirements: requirements, minor: 11,
		check: func(ctx context.Context, python string) error { return importable(ctx, python, modules) },
		// To import scikit-learn takes seconds; this shows that the base Python is still of
		// the version that the environment was made with.
		found: func(ctx context.Context, python string) error { return importable(ctx, python, "pip") },
	})
}

// private makes an environment, unless it is up to date, and returns its interpreter.
func private(ctx context.Context, p project.Project, o Options, e environment) (python string, err error) {
	s, unlock, err := begin(ctx, p, o, setupLock)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := s.environment(ctx, e); err != nil {
		return "", err
	}
	return e.python(), nil
}

func importable(ctx context.Context, python, modules string) error {
	out, err := exec.CommandContext(ctx, python, "-c", "import "+modules).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s cannot import %s: %s", python, modules, strings.TrimSpace(lastLines(string(out), 1)))
	}
	return nil
}

package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// PeersRequirements is the pinned list of the Python libraries that notebooks
// compare with, from the root.
const PeersRequirements = "notebooks/peers/requirements.txt"

// Peers makes the private Python environment .lab/peers with the libraries that
// mllabs is compared with, unless it is up to date. An interpreter that the
// environment variable MLLABS_PYTHON names is taken as it is.
func Peers(ctx context.Context, p project.Project, o Options) error {
	if name := os.Getenv("MLLABS_PYTHON"); name != "" {
		return importable(ctx, name)
	}
	req, err := os.ReadFile(p.Path(filepath.FromSlash(PeersRequirements)))
	if err != nil {
		return err
	}
	dir, stamp := p.Lab("peers"), hash(req)
	python := filepath.Join(dir, "bin", "python")
	if stamped(filepath.Join(dir, "mllabs.stamp"), stamp) && executable(python) {
		return nil
	}
	if err := os.MkdirAll(p.Lab(), 0o755); err != nil {
		return err
	}
	unlock, err := lock(ctx, p.Lab("setup.lock"), o.Log)
	if err != nil {
		return err
	}
	defer unlock()
	if stamped(filepath.Join(dir, "mllabs.stamp"), stamp) && executable(python) {
		return nil // another set-up was quicker
	}
	s := &setter{Project: p, Options: o}
	last := errors.New("no Python 3.11 or newer on PATH")
	for _, base := range basePythons(ctx) {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		s.say("set-up: installing scikit-learn into .lab/peers from %s (a minute)", PeersRequirements)
		last = s.run(ctx, nil, base, "-m", "venv", dir)
		if last == nil {
			last = s.run(ctx, []string{"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_NO_CACHE_DIR=1"}, python, "-m", "pip", "install", "--quiet", "-r", s.Path(filepath.FromSlash(PeersRequirements)))
		}
		if last == nil {
			last = importable(ctx, python)
		}
		if last == nil {
			return atomicfile.Write(filepath.Join(dir, "mllabs.stamp"), []byte(stamp))
		}
		os.RemoveAll(dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return last
}

func importable(ctx context.Context, python string) error {
	out, err := exec.CommandContext(ctx, python, "-c", "import sklearn").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s cannot import scikit-learn: %s", python, strings.TrimSpace(lastLines(string(out), 1)))
	}
	return nil
}

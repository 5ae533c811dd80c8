package peers

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrUnavailable says that no Python with the peers can be had. It is a fact to
// report politely, not a failure of the caller.
var ErrUnavailable = errors.New("scikit-learn is not available")

// Environment is the folder of the private Python environment of the peers,
// relative to the top of the checkout.
const Environment = ".lab/peers"

// Python returns the interpreter to run peers with: the one named by
// MLLABS_PYTHON, else that of the checkout's private [Environment], else
// python3 on the PATH. It does not look whether scikit-learn is there; the
// comparison itself says so.
func Python() (string, error) {
	if p := os.Getenv("MLLABS_PYTHON"); p != "" {
		if _, err := exec.LookPath(p); err != nil {
			return "", fmt.Errorf("%w: MLLABS_PYTHON is %q: %v", ErrUnavailable, p, err)
		}
		return p, nil
	}
	for _, start := range []string{os.Getenv("MLLABS_ROOT"), os.Getenv("GONB_DIR"), "."} {
		if top, ok := checkout(start); ok {
			p := interpreter(filepath.Join(top, Environment))
			if _, err := os.Stat(p); err == nil {
				return p, nil
			}
		}
	}
	if p, err := exec.LookPath("python3"); err == nil {
		return p, nil
	}
	return "", fmt.Errorf("%w: no python3 on the PATH; install Python 3.11 or newer", ErrUnavailable)
}

// interpreter is where a virtual environment keeps its Python.
func interpreter(env string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(env, "Scripts", "python.exe")
	}
	return filepath.Join(env, "bin", "python")
}

// checkout climbs from a folder to the one that holds this module's sources.
func checkout(dir string) (string, bool) {
	if dir == "" {
		return "", false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "notebooks", "peers", "requirements.txt")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// unavailable is the error of an interpreter that lacks a package.
func unavailable(why, python string) error {
	return fmt.Errorf("%w: %s in %s; \"go run ./scripts/lab setup --peers\" installs it privately", ErrUnavailable, why, python)
}

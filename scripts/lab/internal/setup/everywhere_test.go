package setup

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// On Windows a program is no script, so that this test's program stands for Python, where
// it has its name.
func TestMain(m *testing.M) {
	self, err := os.Executable()
	if name := strings.TrimSuffix(filepath.Base(self), ".exe"); err == nil && (name == "python" || name == "python3") {
		err = pretend(self, os.Args[1:])
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// pretend does what Python does of a command line: it tells its path, makes an environment, installs
// and imports.
func pretend(self string, args []string) error {
	switch line := strings.Join(args, " "); {
	case strings.Contains(line, "sys.executable"):
		_, err := io.WriteString(os.Stdout, self+"\r\n")
		return err
	case strings.HasPrefix(line, "-m venv "):
		to := interpreter(args[2])
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return copyProgram(self, to)
	case strings.HasPrefix(line, "-m pip install "), strings.HasPrefix(line, "-c import "):
		return nil
	}
	return errors.ErrUnsupported
}

func copyProgram(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o755)
}

// An environment is made, found again, and made anew for other requirements, on each
// system with what it has for links and programs.
func TestEnvironmentOnThisSystem(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, bin := t.TempDir(), t.TempDir()
	name := "python3"
	if runtime.GOOS == "windows" {
		name = "python.exe"
	}
	if err := copyProgram(self, filepath.Join(bin, name)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	old := systemPython
	systemPython = filepath.Join(bin, "none")
	t.Cleanup(func() { systemPython = old })
	var said strings.Builder
	for _, c := range []struct {
		requirements string
		makes        bool
	}{{"x==1\n", true}, {"x==1\n", false}, {"x==2\n", true}, {"x==2\n", false}} {
		path := filepath.Join(root, filepath.FromSlash(PeersRequirements))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.requirements), 0o644); err != nil {
			t.Fatal(err)
		}
		said.Reset()
		python, err := peer(t.Context(), project.Project{Root: root}, Options{Log: &said}, "peers", peersModules, PeersRequirements)
		if err != nil || !executable(python) || strings.Contains(said.String(), "making .lab/peers") != c.makes {
			t.Errorf("%q: %s, %v\n%s", c.requirements, python, err, said.String())
		}
	}
	if made, err := filepath.Glob(filepath.Join(root, ".lab", "peers*")); err != nil || len(made) != 1 {
		t.Errorf("left are %v, %v", made, err)
	}
}

package nbgrader

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// folder is that of this package, from the root: Python's module and the settings are in it.
const folder = "scripts/lab/internal/nbgrader"

// Formgrader is the word that starts the pages on which people grade, and is not one of
// nbgrader's own.
const Formgrader = "formgrader"

// Command is nbgrader with its arguments in the folder of a course, or the server of
// [Formgrader] with Jupyter's arguments after it. It ends with ctx.
func Command(ctx context.Context, tools *setup.Tools, python, course string, args ...string) *exec.Cmd {
	line := append([]string{"-m", "nbgrader"}, args...)
	if len(args) > 0 && args[0] == Formgrader {
		line = []string{"-m", "jupyter_server", "--ServerApp.root_dir=" + course, "--ServerApp.default_url=/formgrader"}
		if os.Geteuid() == 0 {
			line = append(line, "--allow-root")
		}
		line = append(line, args[1:]...)
	}
	cmd := exec.CommandContext(ctx, python, line...)
	cmd.Dir, cmd.Env = course, env(tools, python)
	// Both end their kernels when they are asked to end.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

// env is the environment in which nbgrader finds the settings, its own programs, the kernel
// of automatic runs and, from a notebook that lies anywhere, the checkout.
func env(tools *setup.Tools, python string) []string {
	here := tools.Project.Path(folder)
	var env []string
	path := ""
	for _, kv := range tools.Env(setup.DirRuns) {
		switch name, value, _ := strings.Cut(kv, "="); name {
		case "PATH":
			path = value
		case "JUPYTER_CONFIG_PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "MLLABS_ROOT":
		default:
			env = append(env, kv)
		}
	}
	return append(env, "PATH="+filepath.Dir(python)+string(os.PathListSeparator)+path,
		"JUPYTER_CONFIG_PATH="+here, "PYTHONPATH="+here, "PYTHONDONTWRITEBYTECODE=1", "MLLABS_ROOT="+tools.Project.Root)
}

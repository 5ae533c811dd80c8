package command

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// labDefaults keep JupyterLab from asking whether it may fetch news, and from
// looking for a newer version than the pinned one; its settings dialogue can
// change that again. (The option news_url alone does not stop the question.)
const labDefaults = `{
  "@jupyterlab/apputils-extension:notification": {
    "fetchNews": "false",
    "checkForUpdates": false
  }
}
`

// writeLabDefaults puts them where the private JupyterLab looks for defaults.
func (e *env) writeLabDefaults() error {
	path := filepath.Join(setup.ConfigDir(e.Project), "labconfig", "default_setting_overrides.json")
	if old, err := os.ReadFile(path); err == nil && string(old) == labDefaults {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(labDefaults))
}

var jupyterCommand = command{
	name:  "jupyter",
	args:  "[-- JUPYTER ARGUMENTS]",
	short: "open the notebooks in JupyterLab",
	long: `
Starts JupyterLab on the folder notebooks/, with the project's own kernel. Tab
completes a name and Shift-Tab shows its documentation, by gopls, which is built
first. What follows is handed to it: lab jupyter -- --no-browser --port 8899. With
the system's packages (--via apt) it is the classic notebook. End it with Ctrl-C.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via := viaFlag(fs)
		return func(ctx context.Context, e *env, args []string) error {
			tools, err := e.setUp(ctx, *via)
			if err != nil {
				return err
			}
			module := ""
			for _, m := range []string{"jupyterlab", "notebook"} {
				if exec.CommandContext(ctx, tools.Python, "-c", "import "+m).Run() == nil {
					module = m
					break
				}
			}
			if module == "" {
				return errors.New("neither JupyterLab nor the classic notebook is installed; lab setup --via pip brings JupyterLab, apt-get install jupyter-notebook the other")
			}
			if err := e.writeLabDefaults(); err != nil {
				return err
			}
			line := []string{"-m", module, "--notebook-dir=" + e.Path("notebooks")}
			if os.Geteuid() == 0 {
				line = append(line, "--allow-root")
			}
			if err := e.completion(ctx); err != nil {
				return err
			}
			cmd := exec.CommandContext(ctx, tools.Python, append(line, args...)...)
			cmd.Env = tools.Env(setup.DirPeople)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, plain(e.out), e.err
			// Jupyter ends its kernels when it is asked to end.
			cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
			cmd.WaitDelay = 15 * time.Second
			err = cmd.Run()
			if ctx.Err() != nil {
				return nil // Ctrl-C is how one leaves it
			}
			return err
		}
	},
}

package command

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// labSettings are files of JupyterLab's private settings, by their paths in .lab/jupyter-user. The first keeps
// it from asking whether it may fetch news and from looking for a newer version than the pinned one, which its
// settings dialogue can change again. (The option news_url alone does not stop the question.) It also gives
// gopls, which answers within a second on an idle machine only, more time for Tab, and gofmt the key
// that it has in VS Code. The others are in a folder of their own, which nbgrader's server does not read.
var labSettings = map[string][]byte{
	"config/labconfig/default_setting_overrides.json": []byte(`{
  "@jupyterlab/apputils-extension:notification": {
    "fetchNews": "false",
    "checkForUpdates": false
  },
  "@jupyterlab/completer-extension:manager": {
    "providerTimeout": 10000
  },
  "@jupyterlab/shortcuts-extension:shortcuts": {
    "shortcuts": [
      {
        "command": "jupyterlab_code_formatter:gofmt",
        "keys": ["Alt Shift F"],
        "selector": ".jp-Notebook"
      }
    ]
  }
}
`),
	"server/jupyter_server_config.py": serverConfig,
	"server/new.ipynb":                newNotebook,
}

//go:embed own/jupyter_server_config.py
var serverConfig []byte

// writeLabSettings puts them where the private JupyterLab looks for them.
func (e *env) writeLabSettings() error {
	for name, content := range labSettings {
		path := e.Lab("jupyter-user", filepath.FromSlash(name))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(path, content); err != nil {
			return err
		}
	}
	return nil
}

var jupyterCommand = command{
	name:  "jupyter",
	args:  "[PATH] [-- JUPYTER ARGUMENTS]",
	short: "open the notebooks in JupyterLab",
	long: `
Starts JupyterLab on the folder notebooks/, with the project's own kernel, and opens
notebooks/work, which git ignores: in it are the exercises, to write in, and whatever
notebooks you add. A PATH is another folder to open, or a notebook. Tab
completes a name and Shift-Tab shows its documentation, by gopls, which is built
meanwhile. What follows -- is handed to Jupyter: lab jupyter -- --no-browser --port 8899. With
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
				// To import it would take two seconds.
				if exec.CommandContext(ctx, tools.Python, "-c", "import importlib.util; assert importlib.util.find_spec('"+m+"')").Run() == nil {
					module = m
					break
				}
			}
			if module == "" {
				return errors.New("neither JupyterLab nor the classic notebook is installed; lab setup --via pip brings JupyterLab, apt-get install jupyter-notebook the other")
			}
			if err := e.writeLabSettings(); err != nil {
				return err
			}
			line := []string{"-m", module}
			if len(args) == 0 || !project.Exists(args[0]) { // otherwise Jupyter opens it
				line = append(line, "--notebook-dir="+e.Path("notebooks"))
				worked, err := e.Notebooks()
				if err == nil && len(worked) > 0 { // in a hand-out, git tracks nothing
					err = e.fillWork(ctx, worked)
					line = append(line, "--LabApp.default_url=/lab/tree/"+project.Work)
				}
				if err != nil {
					return err
				}
			}
			if os.Geteuid() == 0 {
				line = append(line, "--allow-root")
			}
			// The kernel finds gopls once it is there.
			building, stop := context.WithCancel(ctx)
			built := make(chan struct{})
			go func() {
				defer close(built)
				_ = e.completion(building, setup.Options{Log: e.out})
			}()
			defer func() { stop(); <-built }()
			cmd := exec.CommandContext(ctx, tools.Python, append(line, args...)...)
			e.say("opening JupyterLab in a browser; Ctrl-C ends it")
			tool, err := os.Executable()
			if err != nil {
				return err
			}
			cmd.Env = append(tools.Env(setup.DirPeople), "JUPYTER_CONFIG_PATH="+e.Lab("jupyter-user", "server"), "MLLABS_ROOT="+e.Root, "MLLABS_TOOL="+tool)
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

package lite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Options say what [Site] writes.
type Options struct {
	// Python is an interpreter that has JupyterLite.
	Python string
	// Notebooks are the files that JupyterLab shows, by their paths with slashes.
	Notebooks map[string][]byte
	// Engine is where the engine is, from the folder of the site: "../engine/".
	Engine string
}

// Site writes JupyterLab as a folder of static files.
func Site(ctx context.Context, dir string, o Options) error {
	folder, err := scratch.New("lite")
	if err != nil {
		return err
	}
	defer folder.Remove()
	in := filepath.Join(folder.Path, "in")
	contents := filepath.Join(folder.Path, "contents")
	kernel := filepath.Join(folder.Path, WheelName)
	for name, data := range o.Notebooks {
		to := filepath.Join(contents, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
			return err
		}
	}
	wheel, err := Wheel("")
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{"LiteBuildConfig": map[string]any{
		"federated_extensions": []string{kernel}, "ignore_sys_prefix": []string{"federated_extensions"}, "no_sourcemaps": true, "cache_dir": filepath.Join(folder.Path, "cache"),
	}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(in, 0o755), os.WriteFile(kernel, wheel, 0o644), os.WriteFile(filepath.Join(in, "jupyter_lite_config.json"), config, 0o644)); err != nil {
		return err
	}
	cmd := process.Command(ctx, o.Python, "-m", "jupyterlite_core", "build", "--lite-dir", in, "--contents", contents, "--output-dir", dir)
	cmd.Dir = in
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "JUPYTER_PLATFORM_DIRS=1", "HOME="+folder.Path, "TMPDIR="+folder.Path)
	if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("jupyter lite build: %w\n%s", err, lastLines(string(out), 15))
	}
	return settle(filepath.Join(dir, "jupyter-lite.json"), o.Engine)
}

// settle tells JupyterLite which kernel is the usual one and where the engine is.
func settle(file, engine string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var settings map[string]any
	if err := json.Unmarshal(text, &settings); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	config, ok := settings["jupyter-config-data"].(map[string]any)
	if !ok {
		return fmt.Errorf("%s is not what this version of JupyterLite writes", file)
	}
	config["appName"] = "mllabs"
	config["defaultKernelName"] = "gonb"
	config["litePluginSettings"] = map[string]any{extension + ":kernel": map[string]any{"engine": engine}}
	if text, err = json.MarshalIndent(settings, "", "  "); err != nil {
		return err
	}
	return atomicfile.Write(file, append(text, '\n'))
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

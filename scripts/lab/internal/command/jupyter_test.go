package command

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// JupyterLab reads defaults of its extensions' settings from this place in each
// folder of settings; the names and values are those of the extension's schema,
// apputils-extension/notification.json.
func TestJupyterLabIsQuiet(t *testing.T) {
	e := &env{Project: project.Project{Root: t.TempDir()}, out: io.Discard, err: io.Discard}
	path := filepath.Join(setup.ConfigDir(e.Project), "labconfig", "default_setting_overrides.json")
	for _, before := range []string{"none", "of an older version of the tool"} {
		if before != "none" {
			if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.writeLabSettings(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var settings map[string]map[string]any
		if err := json.Unmarshal(b, &settings); err != nil {
			t.Fatal(err)
		}
		s := settings["@jupyterlab/apputils-extension:notification"]
		if s["fetchNews"] != "false" || s["checkForUpdates"] != false {
			t.Errorf("before %q: settings %v", before, settings)
		}
	}
}

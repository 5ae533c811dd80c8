package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// names are what browsers that can print are called.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell",
	"chrome-headless-shell", "microsoft-edge", "microsoft-edge-stable", "brave-browser",
}

var macApps = []string{
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
}

// ErrNoBrowser says that nothing on this machine can print.
var ErrNoBrowser = errors.New("no Chromium, Chrome or Edge found; install one (Debian: apt-get install chromium) or name it in the environment variable CHROME")

// Installed returns the browser that the environment variable CHROME names, or
// one on PATH, or [ErrNoBrowser].
func Installed() (string, error) {
	if name := os.Getenv("CHROME"); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("CHROME=%s: %w", name, err)
		}
		return path, nil
	}
	if path := onPath(); path != "" {
		return path, nil
	}
	return "", ErrNoBrowser
}

// Find is [Installed], but where there is no browser, apt-get is tried if this
// process may use it without questions.
func Find(ctx context.Context, log io.Writer) (string, error) {
	if path, err := Installed(); !errors.Is(err, ErrNoBrowser) {
		return path, err
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return "", ErrNoBrowser
	}
	fmt.Fprintln(log, "pdf: no browser to print with; apt-get install chromium (some minutes)")
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends", "chromium"}} {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
		cmd := process.Gentle(ctx, time.Minute, "apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil && args[0] == "install" {
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			return "", fmt.Errorf("%w (apt-get %s: %v: %s)", ErrNoBrowser, strings.Join(args, " "), err, lines[len(lines)-1])
		}
	}
	if path := onPath(); path != "" {
		return path, nil
	}
	return "", ErrNoBrowser
}

func onPath() string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if runtime.GOOS == "darwin" {
		for _, app := range macApps {
			if _, err := os.Stat(app); err == nil {
				return app
			}
		}
	}
	return ""
}

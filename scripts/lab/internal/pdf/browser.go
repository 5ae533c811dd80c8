package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/apt"
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
var ErrNoBrowser = errors.New("no Chromium, Chrome or Edge found; install one (Debian: apt-get install chromium, or --via apt, by which this tool does it) or name it in the environment variable CHROME")

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

// Find is [Installed], but where there is no browser, one is installed by apt-get if
// agree says yes. Else the error wraps [ErrNoBrowser].
func Find(ctx context.Context, agree apt.Agree, log io.Writer) (string, error) {
	path, err := Installed()
	if !errors.Is(err, ErrNoBrowser) || agree == nil {
		return path, err
	}
	if err := apt.Install(ctx, agree, log, "chromium"); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %w", ErrNoBrowser, err)
	}
	return Installed()
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

// Package chrome finds the browser in which tests look at pages: an environment flows
// in, the path of a program flows out.
package chrome

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// names are the programs of Chromium and of browsers based on it.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell",
	"chrome-headless-shell", "microsoft-edge", "microsoft-edge-stable", "brave-browser",
}

var macApps = []string{
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
}

// ErrNone is returned if there is no browser on this machine.
var ErrNone = errors.New("no Chromium, Chrome or Edge found; install one (Debian: apt-get install chromium) or name it in the environment variable CHROME")

// Installed returns the browser that the environment variable CHROME names, or
// one on PATH, or [ErrNone].
func Installed() (string, error) {
	if name := os.Getenv("CHROME"); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("CHROME=%s: %w", name, err)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	if runtime.GOOS == "darwin" {
		for _, app := range macApps {
			if _, err := os.Stat(app); err == nil {
				return app, nil
			}
		}
	}
	return "", ErrNone
}

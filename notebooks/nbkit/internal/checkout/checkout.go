// Package checkout finds the checkout of the module that a notebook belongs to: the
// environment and the working folder flow in, a folder flows out.
package checkout

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Module is the path of the module whose checkout is looked for.
const Module = "github.com/mllabs-go/mllabs"

// RootEnv names the environment variable that says where the checkout is to a notebook
// that lies elsewhere. The kernel sets it.
const RootEnv = "MLLABS_ROOT"

// Root is the root of the checkout that the notebook, or the program, is in.
func Root() (string, error) {
	starts := []string{os.Getenv(RootEnv), os.Getenv(protocol.GONB_DIR_ENV)}
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}
	for _, dir := range starts {
		if dir == "" {
			continue
		}
		for {
			if isRoot(dir) {
				return dir, nil
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return "", errors.New("not inside a checkout of " + Module)
}

func isRoot(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); strings.HasPrefix(line, "module ") {
			return strings.TrimSpace(strings.TrimPrefix(line, "module ")) == Module
		}
	}
	return false
}

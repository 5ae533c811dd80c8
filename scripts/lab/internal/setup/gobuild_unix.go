//go:build unix

package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// goScript stands for Go on the kernel's PATH. A build of a cell is over in half a
// second and needs little memory; collecting garbage meanwhile would take a fifth of
// its time. The cell's program itself collects as ever. The limit is for packages
// that are compiled for the first time.
const goScript = `#!/bin/sh
case "$1 $2" in
"build "*|"test -c") export GOGC=off GOMEMLIMIT=300MiB;;
esac
exec %s "$@"
`

// quickGo writes the script into a folder, for the Go in goroot.
func quickGo(bin, goroot string) error {
	path, script := filepath.Join(goroot, "bin", "go"), filepath.Join(bin, "go")
	if err := os.Remove(script); err != nil && !os.IsNotExist(err) {
		return err
	}
	if !executable(path) {
		return nil // an unusual Go: cells are built by what PATH has
	}
	quoted := "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	return os.WriteFile(script, fmt.Appendf(nil, goScript, quoted), 0o755)
}

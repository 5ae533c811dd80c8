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
// that are compiled for the first time. What cellbuild beside the script can build, it
// builds; the rest is left to Go.
const goScript = `#!/bin/sh
case "$1 $2" in
"build "*|"test -c") export GOGC=off GOMEMLIMIT=300MiB;;
esac
case "$# $1 $2" in
"3 build -o") [ -x %[2]s ] && %[2]s %[3]s "$3" && exit;;
esac
exec %[1]s "$@"
`

// quickGo writes the script into a folder, for the Go in goroot.
func quickGo(bin, goroot string) error {
	path, script := filepath.Join(goroot, "bin", "go"), filepath.Join(bin, "go")
	if !executable(path) {
		return os.RemoveAll(script) // an unusual Go: cells are built by what PATH has
	}
	text := fmt.Sprintf(goScript, quoted(path), quoted(filepath.Join(bin, "cellbuild")), quoted(goroot))
	return keep(script, []byte(text), 0o755)
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

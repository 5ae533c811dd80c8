//go:build unix

package scratch

import (
	"io/fs"
	"os"
	"syscall"
)

// isOurs tells whether the user that runs this program owns a file.
func isOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

//go:build !unix

package scratch

import "io/fs"

// isOurs is true where temporary files are each user's own.
func isOurs(fs.FileInfo) bool { return true }

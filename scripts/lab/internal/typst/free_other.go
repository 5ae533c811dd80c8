//go:build !linux

package typst

// free is how much memory a program can have without others being pushed out; false: that
// is not known.
func free() (bytes int64, known bool) { return 0, false }

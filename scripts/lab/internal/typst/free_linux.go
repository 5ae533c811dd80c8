package typst

import (
	"os"
	"regexp"
	"strconv"
)

var memAvailable = regexp.MustCompile(`(?m)^MemAvailable:\s+([0-9]+) kB$`)

// free returns how much memory a program can use without making the system swap, if that is
// known.
func free() (bytes int64, known bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	m := memAvailable.FindSubmatch(text)
	if m == nil {
		return 0, false
	}
	kilobytes, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kilobytes << 10, err == nil
}

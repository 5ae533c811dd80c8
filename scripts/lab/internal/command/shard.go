//go:build !handout && !light

package command

import (
	"strconv"
	"strings"
)

// parseShard reads I/N, part I of N from 1 on, as a part from 0 on. Nothing is all of one.
func parseShard(s string) (part, parts int, err error) {
	if s == "" {
		return 0, 1, nil
	}
	i, n, ok := strings.Cut(s, "/")
	part, err = strconv.Atoi(i)
	parts, err2 := strconv.Atoi(n)
	if !ok || err != nil || err2 != nil || part < 1 || part > parts {
		return 0, 0, usagef("--shard %s: write 2/5 for the second of five parts", s)
	}
	return part - 1, parts, nil
}

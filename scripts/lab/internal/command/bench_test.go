package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be measured leaves the file as it is.
func TestBenchGrowthLeavesTheFile(t *testing.T) {
	t.Setenv("MLLABS_PYTHON", "/nowhere/python")
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"bench --growth growth.json", Failed, "growth.json is not written"},
		{"bench --growth growth.json --only CART", Usage, "leave out --only"},
		{"bench --growth growth.json --json other.json", Usage, "leave out --only"},
		{"bench --growth growth.json --runs 0", Usage, "at least one run"},
		{"bench --growth nowhere/growth.json", Failed, "nowhere"},
	} {
		root := inCheckout(t, map[string]string{"growth.json": "as it was"})
		code, _, errs := call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: code %d, %q; want %d and %q", c.args, code, errs, c.code, c.says)
		}
		if data, err := os.ReadFile(filepath.Join(root, "growth.json")); err != nil || string(data) != "as it was" {
			t.Errorf("%s: the file is %q (%v)", c.args, data, err)
		}
		if files, err := filepath.Glob(filepath.Join(root, "*")); err != nil || len(files) != 2 {
			t.Errorf("%s: left behind: %v (%v)", c.args, files, err)
		}
	}
}

package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The clock and the processor time of cells, in seconds, and when a cell has had its 10.
func TestStopwatch(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs python3 on PATH")
	} else if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, looks string // turn, clock and processor time of each look
		want        string // how many looks it takes; none, if it goes on
	}{
		{"a machine of its own", "(1, 0, 0), (1, 9, 9), (1, 10, 10), (1, 11, 11)", "4"},
		{"eight processors", "(1, 0, 0), (1, 2, 16), (1, 9, 72), (1, 11, 88)", "4"},
		{"a busy machine", "(1, 0, 0), (1, 50, 2), (1, 100, 4), (1, 200, 8), (1, 250, 9.9)", "None"},
		{"a busy machine in the end", "(1, 0, 0), (1, 50, 2), (1, 100, 4), (1, 200, 8), (1, 260, 10.1)", "5"},
		{"no work", "(1, 0, 0), (1, 5, 0), (1, 10, 0), (1, 11, 0.1)", "4"},
		{"no work after some", "(1, 0, 0), (1, 8, 8), (1, 11, 8), (1, 16, 8), (1, 22, 8)", "5"},
		{"each cell has its own time", "(1, 0, 0), (1, 9, 9), (2, 12, 12), (2, 21, 21), (3, 23, 23)", "None"},
		{"between cells", "(1, 0, 0), (None, 5, 5), (None, 50, 50), (2, 51, 51), (2, 55, 55)", "None"},
		{"what died with its time", "(1, 0, 0), (1, 9, 9), (1, 12, 3), (1, 13, 9.5), (1, 14, 10.5)", "5"},
	}
	looks := ""
	for _, c := range cases {
		looks += "[" + c.looks + "],"
	}
	program := `import importlib.util, sys
spec = importlib.util.spec_from_file_location("runner", sys.argv[1])
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)
for looks in [` + looks + `]:
    watch = runner.Stopwatch(10)
    print(next((n for n, look in enumerate(looks, 1) if watch.over(*look)), None))`
	path := filepath.Join(t.TempDir(), "runner.py")
	if err := os.WriteFile(path, runner, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-B", "-c", program, path).CombinedOutput()
	got := strings.Fields(string(out))
	if err != nil || len(got) != len(cases) {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, c := range cases {
		if got[i] != c.want {
			t.Errorf("%s: %s, want %s", c.name, got[i], c.want)
		}
	}
}

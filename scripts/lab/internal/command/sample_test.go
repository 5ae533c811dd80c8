package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// In ten days each notebook has its turn once; one that was changed has it every day.
func TestSample(t *testing.T) {
	root := t.TempDir()
	e := &env{Project: project.Project{Root: root}}
	var nbs []project.Notebook
	for i := range 23 {
		path := filepath.Join(root, "notebooks", "lab3", fmt.Sprintf("%02d_ä x.ipynb", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		nbs = append(nbs, project.Notebook{Course: "lab3", Path: path})
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	days := func() []int {
		turns := make([]int, len(nbs))
		for day := range 10 {
			in := e.sample(t.Context(), nbs, time.Date(2026, 11, 25+day, 12, 0, 0, 0, time.UTC))
			for i := range nbs {
				if in(i) {
					turns[i]++
				}
			}
		}
		return turns
	}
	want := slices.Repeat([]int{1}, len(nbs))
	if got := days(); !slices.Equal(got, want) {
		t.Errorf("without git: %v", got)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "x")
	if got := days(); !slices.Equal(got, want) {
		t.Errorf("all is committed: %v", got)
	}
	if err := os.WriteFile(nbs[7].Path, []byte("{ }"), 0o644); err != nil {
		t.Fatal(err)
	}
	want[7] = 10
	if got := days(); !slices.Equal(got, want) {
		t.Errorf("one is changed: %v", got)
	}
}

package command

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

func TestEdition(t *testing.T) {
	root := t.TempDir()
	e := &env{Project: project.Project{Root: root}}
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when, version, date string) {
		t.Helper()
		v, d := e.edition(context.Background())
		if v != version || d != date {
			t.Errorf("%s: %q of %q, want %q of %q", when, v, d, version, date)
		}
	}
	git := func(day string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "core.abbrev=9"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+day, "GIT_COMMITTER_DATE="+day, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(bytes.TrimSpace(out))
	}
	check("nothing", "", "")
	write("mlcore/CHANGELOG.md", "# Changes\n\nText.\n\n## v0.2.0\n\n## v0.1.0\n")
	check("no repository", "Version 0.2.0", "")
	git("", "init", "-q")
	check("no commit", "Version 0.2.0", "")
	git("", "add", ".")
	git("2026-02-03T23:59:59+0900", "commit", "-qm", "first")
	first := git("", "log", "-1", "--format=%h")
	check("a commit", "Version 0.2.0, commit "+first, "3 February 2026")
	write("README.md", "not shown in the book\n")
	git("", "add", ".")
	git("2026-05-06T00:00:00+0000", "commit", "-qm", "second")
	check("a commit of something else", "Version 0.2.0, commit "+first, "3 February 2026")
	write("notebooks/lab3/01_x.ipynb", "{}")
	git("", "add", ".")
	git("2026-07-08T00:00:00+0000", "commit", "-qm", "third")
	check("a commit of a notebook", "Version 0.2.0, commit "+git("", "log", "-1", "--format=%h"), "8 July 2026")
}

// The title page has a picture, and names the licence.
func TestCover(t *testing.T) {
	e := &env{Project: project.Project{Root: filepath.Join("..", "..", "..", "..")}}
	if _, err := png.Decode(bytes.NewReader(e.cover())); err != nil || e.licence() != "MIT License" {
		t.Errorf("error %v, licence %q", err, e.licence())
	}
	if e.Root = t.TempDir(); e.cover() != nil || e.licence() != "" {
		t.Error("a project without them has both")
	}
}

//go:build unix

package setup

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

type writerFunc func(string)

func (f writerFunc) Write(b []byte) (int, error) { f(string(b)); return len(b), nil }

// A command that goes on only when its first line has been reported, and one that says nothing.
func TestProgress(t *testing.T) {
	defer func(old time.Duration) { progressPause = old }(progressPause)
	progressPause = time.Millisecond
	const waits = "; for i in $(seq 300); do [ -e seen ] && break; sleep 0.1; done; [ -e seen ]"
	for _, c := range []struct{ name, script, line string }{
		{"a line", "echo first; echo second >&2", ", second\n"},
		{"nothing yet", "true", " s\n"},
		{"a long line", "echo " + strings.Repeat("ä", 70), ", " + strings.Repeat("ä", 60) + "…\n"},
	} {
		root := t.TempDir()
		s := &setter{project.Project{Root: root}, Options{Progress: writerFunc(func(text string) {
			if strings.HasPrefix(text, "set-up: ") && strings.HasSuffix(text, c.line) {
				_ = os.WriteFile(filepath.Join(root, "seen"), nil, 0o644)
			}
		})}}
		if err := s.run(t.Context(), nil, "sh", "-c", c.script+waits); err != nil {
			t.Errorf("%s: the line %q was not reported: %v", c.name, c.line, err)
		}
	}
	s := &setter{project.Project{Root: t.TempDir()}, Options{Progress: io.Discard}}
	if err := s.run(t.Context(), nil, "sh", "-c", "echo why >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("error %v", err)
	}
}

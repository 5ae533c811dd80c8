package scratch

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Many who make folders at once clear each other's only when nobody uses them: one that was made is
// there until its owner removes it.
func TestNobodyClearsWhatIsBeingMade(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				f, err := New("race")
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.Mkdir(filepath.Join(f.Path, "work"), 0o700); err != nil {
					t.Error(err)
				}
				f.Remove()
			}
		})
	}
	wait.Wait()
}

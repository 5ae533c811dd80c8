package scratch

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gofrs/flock"
)

// With this set, the test's program makes a folder, tells its name and waits.
const wait = "MLLABS_TEST_SCRATCH"

func TestMain(m *testing.M) {
	if os.Getenv(wait) != "" {
		f, err := New("test")
		if err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString(f.Path + "\n")
		bufio.NewReader(os.Stdin).ReadByte()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// other is a process with a folder of its own.
func other(t *testing.T) (cmd *exec.Cmd, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self)
	cmd.Env = append(os.Environ(), wait+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, line[:len(line)-1]
}

// setTempDir gives the test a folder for temporary files of its own, by the names that Unix and Windows
// have for it.
func setTempDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
}

func TestKilledProcessesAreClearedAfter(t *testing.T) {
	setTempDir(t)
	killed, dead := other(t)
	living, used := other(t)
	killed.Process.Kill()
	killed.Wait()
	foreign := filepath.Join(os.TempDir(), "mllabs-my-notes")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	empty, full := filepath.Join(os.TempDir(), "mllabs-run-1"), filepath.Join(os.TempDir(), "mllabs-run-2")
	for _, dir := range []string{empty, filepath.Join(full, "notes")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	mine, err := New("test")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{dead: false, used: true, foreign: true, empty: false, full: true, mine.Path: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", filepath.Base(dir), err == nil, want)
		}
	}
	mine.Remove()
	if _, err := os.Stat(mine.Path); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	living.Process.Kill()
	living.Wait()
}

// What a link leads to belongs to somebody else, whatever the link's name says, and
// whether it stands in the place of the folder or within one that is cleared.
func TestLinksAreNotFollowed(t *testing.T) {
	setTempDir(t)
	victim := t.TempDir()
	precious := filepath.Join(victim, "thesis.txt")
	for _, name := range []string{filepath.Join(victim, lockName), precious} {
		if err := os.WriteFile(name, []byte("years of work"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(os.TempDir(), "mllabs-run-2")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, lockName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{filepath.Join(os.TempDir(), "mllabs-run-1"), filepath.Join(left, "within")} {
		if err := os.Symlink(victim, link); err != nil {
			t.Fatal(err)
		}
	}
	clear()
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("a file behind a link is gone: %v", err)
	}
	if _, err := os.Lstat(left); !os.IsNotExist(err) {
		t.Errorf("what a killed process left is still there: %v", err)
	}
	linked := filepath.Join(os.TempDir(), "mllabs-run-1")
	if err := remove(linked, flock.New(filepath.Join(linked, lockName))); err == nil {
		t.Error("remove took a link for a folder")
	}
}

// Several at a time, in one process and without waiting for each other.
func TestFoldersAreNotClearedInUse(t *testing.T) {
	setTempDir(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				f, err := New("test")
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(f.Path, "x"), nil, 0o600); err != nil {
					t.Error(err)
				}
				f.Remove()
			}
		})
	}
	all.Wait()
}

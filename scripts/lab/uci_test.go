//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// uciCommand is the tool's command on the data set that is always at hand, long
// enough to be stopped on the way.
func uciCommand(json string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "uci", "--only", "C/AB,C/NB", "--repeats", "20", "--json", json)
	cmd.Env = append(os.Environ(), beTheTool+"=1")
	return cmd
}

// A run that is stopped at any moment and started again ends with the same bytes
// as one that was not stopped.
func TestUCIResumes(t *testing.T) {
	dir := t.TempDir()
	want := filepath.Join(dir, "want.json")
	if out, err := uciCommand(want).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			path := filepath.Join(dir, signal.String()+".json")
			cmd := uciCommand(path)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			kept := 0
			for end := time.Now().Add(waits.Left(t)); kept < 10 && time.Now().Before(end); time.Sleep(time.Millisecond) {
				journal, _ := os.ReadFile(path + ".journal")
				kept = bytes.Count(journal, []byte("\n"))
			}
			cmd.Process.Signal(signal)
			if err := cmd.Wait(); err == nil {
				t.Fatal("the run was over before it was stopped")
			}
			if _, err := os.Stat(path); err == nil {
				t.Fatal("results of a run that was stopped")
			}
			out, err := uciCommand(path).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "going on after ") {
				t.Fatalf("%v\n%s", err, out)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
				t.Errorf("other results than without the stop, %v", err)
			}
		})
	}
}

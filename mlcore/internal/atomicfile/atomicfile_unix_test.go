//go:build unix

package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whoever reads a file while it is replaced reads the old one to its end.
func TestWriteWhileItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	if err := Write(path, []byte("the old model")); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if old, err := io.ReadAll(reader); err != nil || string(old) != "the old model" {
		t.Errorf("it read %q (%v)", old, err)
	}
}

// Whoever may write in /dev would otherwise replace /dev/null by a file.
func TestWriteKeepsSpecialFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(pipe, []byte("text")); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("error %v", err)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is one no more: %v (%v)", info, err)
	}
}

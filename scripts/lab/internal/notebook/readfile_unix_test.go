//go:build unix

package notebook

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ipynb")
	for _, c := range []struct {
		name string
		make func() error
		want string // in the error, "" for none
	}{
		{"a file", func() error { return os.WriteFile(path, []byte("0123456789"), 0o600) }, ""},
		{"too large", func() error { return os.WriteFile(path, []byte("0123456789x"), 0o600) }, "11 bytes, at most 10"},
		{"a device", func() error { return os.Symlink("/dev/zero", path) }, "no regular file"},
		{"a pipe", func() error { return syscall.Mkfifo(path, 0o600) }, "no regular file"},
		{"a folder", func() error { return os.Mkdir(path, 0o755) }, "no regular file"},
		{"nothing", func() error { return nil }, "no such file"},
	} {
		if err := errors.Join(os.RemoveAll(path), c.make()); err != nil {
			t.Fatal(err)
		}
		b, err := ReadFile(path, 10)
		if c.want == "" && (err != nil || string(b) != "0123456789") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %q, %v", c.name, b, err)
		}
	}
}

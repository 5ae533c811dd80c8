//go:build unix

package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-gota/gota/series"
)

// What would be read for ever, or waited for, is an error at once.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	root := elsewhere(t)
	dir := filepath.Join(root, "datasets", "files")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "wdbc.data")
	for _, c := range []struct {
		name, says string
		make       func() error
		want, csv  error // of a published set, and of a user's table
	}{
		{"endless device", "(D", func() error { return os.Symlink("/dev/zero", path) }, ErrNotRegular, ErrNotRegular},
		{"pipe", "(p", func() error { return syscall.Mkfifo(path, 0o600) }, ErrNotRegular, ErrNotRegular},
		{"folder", "(d", func() error { return os.Mkdir(path, 0o755) }, ErrNotRegular, ErrNotRegular},
		{"larger than memory", "1099511627776 bytes", func() error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		}, ErrChecksum, ErrTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.make(); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(path)
			for what, err := range map[string]error{
				"Available": second(Available("wdbc")), "Find": second(Find("wdbc")), "Verify": second(Verify("wdbc")), "Load": second(Load("wdbc")),
			} {
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if _, err := ReadCSVFile(path, Column{Name: "x", Type: series.Int}); !errors.Is(err, c.csv) || !strings.Contains(err.Error(), path) {
				t.Errorf("ReadCSVFile: %v", err)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

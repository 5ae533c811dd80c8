// Package atomicfile writes files that are there whole or not at all: bytes flow in
// and a file flows out, by way of a temporary neighbour that is renamed. A full disk
// or a kill at any moment leaves what stood at the path as it was.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Write replaces the file at path, or makes it; the folder has to exist. A file that
// is replaced keeps its permissions, a new one gets rw-r--r--. A symbolic link to a
// file stays one, and that file is replaced; a link to nothing gives way. What is no
// regular file, such as a device or a pipe, is not replaced. An error says that the
// file is unchanged, and why.
func Write(path string, data []byte) error {
	if err := write(path, data); err != nil {
		return fmt.Errorf("%s is unchanged: %w", path, err)
	}
	return nil
}

func write(path string, data []byte) error {
	target, mode := path, fs.FileMode(0o644)
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		// A rename would put a file in the place of a device, such as /dev/null.
		return fmt.Errorf("%s is no regular file", path)
	case err == nil:
		mode = info.Mode().Perm()
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	// A short name, since that of the file may be as long as the file system allows.
	tmp, err := os.CreateTemp(filepath.Dir(target), ".mllabs.tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if closing := tmp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = rename(tmp.Name(), target)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// rename replaces a file. Windows refuses that while another program, such as a virus scanner,
// reads the old one, so we try again until that program has finished.
func rename(from, to string) error {
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := os.Rename(from, to)
		if err == nil || runtime.GOOS != "windows" || time.Since(begin) > patience {
			return err
		}
	}
}

// patience is how long we try on Windows.
const patience = 2 * time.Second

// Package atomicfile writes files that are there whole or not at all: bytes flow in
// and a file flows out, by way of a temporary neighbour that is renamed. A full disk
// or a kill at any moment leaves what stood at the path as it was.
package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write replaces the file at path, or makes it, with the permissions rw-r--r--. The
// folder has to exist. An error says that the file is unchanged, and why. A path
// that is a symbolic link stays one: the file that it points to is replaced.
func Write(path string, data []byte) error {
	target, err := resolve(path)
	if err == nil {
		err = replace(target, data)
	}
	if err != nil {
		return fmt.Errorf("%s is unchanged: %w", path, err)
	}
	return nil
}

// resolve follows symbolic links; a path where nothing stands yet is its own target.
func resolve(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if os.IsNotExist(err) {
		return path, nil
	}
	return target, err
}

func replace(path string, data []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if _, err = tmp.Write(data); err != nil {
		return err
	}
	if err = tmp.Chmod(0o644); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// Package atomicfile writes files that are there whole or not at all: bytes flow in
// and a file flows out, by way of a temporary neighbour that is renamed. A full disk
// or a kill at any moment leaves what stood at the path as it was; the neighbour that
// a killed process left is removed when the path is written again.
//
// A path that is a symbolic link stays one: the file that it points to is replaced,
// or made. What is no regular file, such as a device or a pipe, is not replaced.
// A file that is replaced keeps its permissions, a new one gets rw-r--r--. The folder
// has to exist.
//
// What notebooks show and what the tool writes is written so. The library has a simpler
// package of the same name to itself.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// Write replaces the file at path, or makes it. An error says that the file is
// unchanged, and why.
func Write(path string, data []byte) error {
	return write(path, data, func() error { return nil })
}

// ErrChanged says that a file was not replaced because it is no longer what was
// read.
var ErrChanged = errors.New("the file was changed in the meantime")

// WriteUnchanged is [Write] for a file that was read as old. If it has other bytes
// by now, or is gone, it is left alone, and the error wraps [ErrChanged].
func WriteUnchanged(path string, old, data []byte) error {
	return write(path, data, func() error {
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, old) {
			return ErrChanged
		}
		return nil
	})
}

// write replaces a file if, with all ready to be renamed, check agrees.
func write(path string, data []byte, check func() error) error {
	p, err := create(path)
	if err != nil {
		return fmt.Errorf("%s is unchanged: %w", path, err)
	}
	defer p.discard()
	if _, err = p.tmp.Write(data); err == nil {
		if err = p.finish(); err == nil {
			if err = check(); err == nil {
				err = p.rename()
			}
		}
	}
	if err != nil {
		return fmt.Errorf("%s is unchanged: %w", path, err)
	}
	return nil
}

// CanWrite finds out early whether [Write] may write into path's folder.
func CanWrite(path string) error {
	p, err := create(path)
	if err != nil {
		return err
	}
	return p.discard()
}

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"errors"
	"os"
	"time"
)

// A lock does not lock here, because Windows would not let a locked file be written or renamed.
// Files whose process was killed are recognised by their age.
type lock struct{ name string }

func lockOf(name string) *lock { return &lock{name: name} }

// left is the age beyond which no process still writes a file.
const left = time.Hour

// TryLock reports whether the file was left behind.
func (l *lock) TryLock() (bool, error) {
	info, err := os.Stat(l.name)
	if err != nil {
		return false, err
	}
	if time.Since(info.ModTime()) < left {
		return false, errors.ErrUnsupported
	}
	return true, nil
}

// Unlock does nothing.
func (l *lock) Unlock() error { return nil }

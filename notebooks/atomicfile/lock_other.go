//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"errors"
	"os"
	"time"
)

// A lock is none here: Windows would not let a file that is locked be written or renamed.
// Whose process was killed is told by a file's age.
type lock struct{ name string }

func lockOf(name string) *lock { return &lock{name: name} }

// left is how old a file is that no process still writes.
const left = time.Hour

// TryLock says whether the file was left behind.
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

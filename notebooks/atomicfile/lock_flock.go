//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// A lock is held on an open file and ends with the process. Here the system call is
// made directly: package flock would bring all of x/sys/unix into every program that
// saves a file, cells of notebooks among them.
type lock struct {
	name string
	file *os.File // while it is held
}

func lockOf(name string) *lock { return &lock{name: name} }

// TryLock says whether it got the lock, at once.
func (l *lock) TryLock() (bool, error) {
	f, err := os.Open(l.name)
	if err != nil {
		return false, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = nil // another process has it
		}
		return false, err
	}
	l.file = f
	return true, nil
}

// Unlock gives the lock up, if it is held.
func (l *lock) Unlock() error {
	if l.file == nil {
		return nil
	}
	err := syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	err = errors.Join(err, l.file.Close())
	l.file = nil
	return err
}

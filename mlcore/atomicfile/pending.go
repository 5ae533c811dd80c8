package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// A Pending is a file that is being written. It takes its place at [Pending.Commit].
type Pending struct {
	target string
	mode   os.FileMode
	tmp    *os.File
	lock   *flock.Flock
	// closed: tmp is closed; done: tmp stands under its own name no more.
	closed, done bool
}

// Create begins a file whose bytes come bit by bit. End with [Pending.Commit] or
// [Pending.Discard].
func Create(path string) (*Pending, error) {
	p := &Pending{target: path, mode: 0o644}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		p.target = target
	} else if !os.IsNotExist(err) {
		return nil, err
	} else if target, err := os.Readlink(path); err == nil {
		// A link to a file that is yet to be made.
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return Create(target)
	}
	if info, err := os.Stat(p.target); err == nil {
		p.mode = info.Mode().Perm()
	}
	var err error
	p.tmp, p.lock, err = neighbour(p.target)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Write appends to what is to be the file.
func (p *Pending) Write(b []byte) (int, error) { return p.tmp.Write(b) }

// Commit puts the file in its place, with all its bytes on the disk. After an error
// what stood there is as it was.
func (p *Pending) Commit() error {
	err := p.finish()
	if err == nil {
		err = p.rename()
	}
	return errors.Join(err, p.Discard())
}

// finish brings all bytes to the disk.
func (p *Pending) finish() error {
	if p.closed {
		return os.ErrClosed
	}
	err := p.tmp.Chmod(p.mode)
	if err == nil {
		err = p.tmp.Sync()
	}
	if err == nil {
		p.closed = true
		err = p.tmp.Close()
	}
	return err
}

func (p *Pending) rename() error {
	err := os.Rename(p.tmp.Name(), p.target)
	p.done = p.done || err == nil
	return err
}

// Discard leaves the place as it was. It does nothing after [Pending.Commit].
func (p *Pending) Discard() error {
	var closing, removing error
	if !p.closed {
		p.closed = true
		closing = p.tmp.Close()
	}
	if !p.done {
		p.done = true
		removing = os.Remove(p.tmp.Name())
	}
	return errors.Join(closing, removing, p.lock.Unlock())
}

// neighbour makes a temporary file beside path and keeps it locked, and clears those
// that are not, whose processes were killed.
func neighbour(path string) (*os.File, *flock.Flock, error) {
	dir, pattern := filepath.Dir(path), "."+filepath.Base(path)+".tmp-*"
	lockOf := func(name string) *flock.Flock { return flock.New(name, flock.SetFlag(os.O_RDONLY)) }
	old, _ := filepath.Glob(filepath.Join(quoteGlob(dir), quoteGlob("."+filepath.Base(path))+".tmp-*"))
	for _, name := range old {
		lock := lockOf(name)
		if ok, err := lock.TryLock(); ok && err == nil {
			os.Remove(name)
		}
		lock.Unlock()
	}
	for range 10 {
		tmp, err := os.CreateTemp(dir, pattern)
		if err != nil {
			return nil, nil, err
		}
		// Before it was locked, another process may have taken it for left behind.
		// Some file systems know no locks; nothing is taken there.
		lock := lockOf(tmp.Name())
		if ok, err := lock.TryLock(); ok || err != nil {
			mine, err := tmp.Stat()
			now, err2 := os.Stat(tmp.Name())
			if err == nil && err2 == nil && os.SameFile(mine, now) {
				return tmp, lock, nil
			}
		}
		lock.Unlock()
		tmp.Close()
		os.Remove(tmp.Name())
	}
	return nil, nil, fmt.Errorf("cannot lock a file in %s", dir)
}

func quoteGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

package atomicfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A pending is a file that is being written. It takes its place when it is renamed.
type pending struct {
	target string
	mode   os.FileMode
	tmp    *os.File
	lock   *lock
	// closed: tmp is closed; done: tmp stands under its own name no more.
	closed, done bool
}

// create begins a file. End with discard in any case.
func create(path string) (*pending, error) {
	target, err := follow(path)
	if err != nil {
		return nil, err
	}
	p := &pending{target: target, mode: 0o644}
	if info, err := os.Stat(target); err == nil {
		if !info.Mode().IsRegular() {
			// A rename would put a file in the place of a device, such as /dev/null.
			return nil, fmt.Errorf("%s is no regular file", target)
		}
		p.mode = info.Mode().Perm()
	}
	p.tmp, p.lock, err = neighbour(p.target)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// follow finds the file that a path means, which need not be there: a link may lead
// to a file that is still to be made.
func follow(path string) (string, error) {
	for range 40 { // as many as Linux follows
		target, err := filepath.EvalSymlinks(path)
		if err == nil || !os.IsNotExist(err) {
			return target, err
		}
		next, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, and nothing is there
		}
		if !filepath.IsAbs(next) {
			// The folder may be a link itself, and next may begin with "..".
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			next = filepath.Join(dir, next)
		}
		path = next
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// finish brings all bytes to the disk.
func (p *pending) finish() error {
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

// rename puts the file into its place. Windows refuses that while another program, such as a
// virus scanner, reads the old one, so we try again until that program has finished.
func (p *pending) rename() error {
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := os.Rename(p.tmp.Name(), p.target)
		if p.done = err == nil; p.done || runtime.GOOS != "windows" || time.Since(begin) > patience {
			return err
		}
	}
}

// patience is how long we try on Windows.
const patience = 2 * time.Second

// discard removes what is not renamed, and gives the lock up.
func (p *pending) discard() error {
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

// maxPrefix leaves room for the ten digits that [os.CreateTemp] adds to a name:
// file systems allow 255 bytes.
const maxPrefix = 240

// neighbour makes a temporary file beside path and keeps it locked, and clears those
// that are not, whose processes were killed.
func neighbour(path string) (*os.File, *lock, error) {
	dir, prefix := filepath.Dir(path), "."+filepath.Base(path)+".tmp-"
	if len(prefix) > maxPrefix {
		// What is cut off is replaced by a checksum, so that the neighbours of two
		// files have different names still.
		sum := crc32.ChecksumIEEE([]byte(prefix))
		prefix = fmt.Sprintf("%s~%08x.tmp-", strings.ToValidUTF8(prefix[:maxPrefix-14], ""), sum)
	}
	old, _ := os.ReadDir(dir)
	for _, e := range old {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		lock := lockOf(name)
		if ok, err := lock.TryLock(); ok && err == nil {
			os.Remove(name)
		}
		lock.Unlock()
	}
	for range 10 {
		tmp, err := os.CreateTemp(dir, prefix+"*")
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

package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// An environment is a virtual environment of Python that set-up keeps up to date. But on
// Windows, it does not survive being moved, so each is made in a folder of its own for good,
// .lab/python/NAME-..., and what people and programs know is a symbolic link to it. The
// link is swapped once a new environment is complete: one that fails, or is killed, or
// has no network, leaves that of before as it was.
type environment struct {
	name, link   string
	what         string   // is installed, for a line of progress
	requirements []string // from the root; the first is installed, the others belong to it
	minor        int      // the oldest Python 3 that the packages know
	// check returns why an interpreter cannot do what the environment is for, or nil.
	check func(ctx context.Context, python string) error
	// found is check for an environment whose files are as they were made: it may be
	// quicker.
	found func(ctx context.Context, python string) error
}

func (e environment) python() string { return interpreter(e.link) }

// interpreter is the path of Python in a virtual environment.
func interpreter(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "Scripts", "python.exe")
	}
	return filepath.Join(dir, "bin", "python")
}

// recordName is a file in a complete environment: its record.
const recordName = "mllabs.json"

// working returns why the environment in a folder cannot be used as it was made, or nil.
func (e environment) working(ctx context.Context, dir string) error {
	python := interpreter(dir)
	if !readRecord(filepath.Join(dir, recordName)).intact(dir, byLooks) || !executable(python) {
		return errors.New("it is not complete")
	}
	return e.found(ctx, python)
}

// environment makes an environment unless it is up to date. Where that fails and the one
// of before still works, it is left in use, and stale is true.
func (s *setter) environment(ctx context.Context, e environment) (stale bool, err error) {
	stamp, err := s.stamp(e)
	if err != nil {
		return false, err
	}
	ready := func(dir string) bool {
		r := readRecord(filepath.Join(dir, recordName))
		return r != nil && r.Stamp == stamp && e.working(ctx, dir) == nil
	}
	if ready(e.link) {
		s.sweep(e)
		return false, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	for _, dir := range s.made(e) {
		if ready(dir) { // by a set-up that was killed before it swapped the link
			return false, e.use(dir)
		}
	}
	s.sweep(e)
	err = s.makeEnvironment(ctx, e, stamp)
	if err == nil || ctx.Err() != nil {
		return false, err
	}
	if executable(e.python()) && e.check(ctx, e.python()) == nil {
		s.say("set-up: %v", err)
		s.say("set-up: warning: going on with the %s of before, though it is damaged or not what %s asks for now; with a network, go run ./scripts/lab setup makes it anew", s.Rel(e.link), e.requirements[0])
		return true, nil
	}
	return false, err
}

// stamp identifies what an environment is made of.
func (s *setter) stamp(e environment) (string, error) {
	depends := [][]byte{[]byte(s.Root)} // its programs name their interpreter by its path
	for _, file := range e.requirements {
		req, err := os.ReadFile(s.Path(filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		depends = append(depends, req)
	}
	return hash(depends...), nil
}

// made are the folders of an environment that are there, complete or not.
func (s *setter) made(e environment) []string {
	entries, _ := os.ReadDir(s.Lab("python"))
	var dirs []string
	for _, d := range entries {
		if strings.HasPrefix(d.Name(), e.name+"-") {
			dirs = append(dirs, s.Lab("python", d.Name()))
		}
	}
	return dirs
}

// sweep deletes what a swap left behind, and what was never completed. A program that
// still uses the environment of before has had time until the set-up after the swap.
func (s *setter) sweep(e environment) {
	used, _ := os.Readlink(e.link)
	for _, dir := range s.made(e) {
		if filepath.Base(dir) != filepath.Base(used) {
			os.RemoveAll(dir)
		}
	}
	os.RemoveAll(e.link + ".before")
}

func (s *setter) makeEnvironment(ctx context.Context, e environment, stamp string) error {
	bases := basePythons(ctx, e.minor)
	if len(bases) == 0 {
		return fmt.Errorf("no Python 3.%d or newer on PATH; install one (Debian and Ubuntu: apt-get install python3 python3-venv; macOS: brew install python; else python.org) and try again", e.minor)
	}
	if err := folder(s.Lab("python")); err != nil {
		return err
	}
	var last error
	for _, base := range bases {
		dir, err := os.MkdirTemp(s.Lab("python"), e.name+"-"+stamp[:12]+"-")
		if err != nil {
			return err
		}
		last = s.install(ctx, e, base, dir)
		if last == nil {
			last = complete(dir, stamp)
		}
		if last == nil {
			return e.use(dir)
		}
		os.RemoveAll(dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return last
}

// complete records an environment, which from then on may be used.
func complete(dir, stamp string) error {
	files, err := filesOf(dir)
	if err != nil {
		return err
	}
	r, err := newRecord(stamp, dir, files, byLooks)
	if err != nil {
		return err
	}
	return r.write(filepath.Join(dir, recordName))
}

// install makes an environment in an empty folder.
func (s *setter) install(ctx context.Context, e environment, base, dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	name := s.Rel(e.link)
	s.say("set-up: making %s with %s", name, base)
	if err := s.run(ctx, nil, base, "-m", "venv", dir); err != nil {
		return fmt.Errorf("cannot make %s (Debian and Ubuntu need the package python3-venv): %w", name, err)
	}
	s.say("set-up: installing %s into %s from %s", e.what, name, e.requirements[0])
	python := interpreter(dir)
	err := s.run(ctx, pipEnv(), python, "-m", "pip", "install", "--progress-bar=off", "--require-hashes", "--only-binary=:all:", "-r", s.Path(filepath.FromSlash(e.requirements[0])))
	if err == nil {
		err = e.check(ctx, python)
	}
	if err != nil {
		return fmt.Errorf("cannot install Python's packages (a network is needed the first time): %w", err)
	}
	return nil
}

// pipEnv keeps pip from asking and from filling a cache. A slow server is waited for
// longer than pip's 15 seconds, unless the user's own setting says how long.
func pipEnv() []string {
	env := []string{"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_NO_CACHE_DIR=1"}
	if os.Getenv("PIP_DEFAULT_TIMEOUT") == "" {
		env = append(env, "PIP_DEFAULT_TIMEOUT=120")
	}
	return env
}

// use has the link lead to a complete environment, in one step. A folder in the place
// of the link, which older versions of this tool made, is moved away first. On Windows,
// where few may make links, such a folder is what is made: a Python there finds its
// environment from where it is, and is called by this path alone.
func (e environment) use(dir string) error {
	next, before := e.link+".next", e.link+".before"
	if info, err := os.Lstat(e.link); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		if err := errors.Join(os.RemoveAll(before), os.Rename(e.link, before)); err != nil {
			return err
		}
	}
	if runtime.GOOS == "windows" {
		return os.Rename(dir, e.link)
	}
	to, err := filepath.Rel(filepath.Dir(e.link), dir)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(next), os.Symlink(to, next)); err != nil {
		return err
	}
	return os.Rename(next, e.link)
}

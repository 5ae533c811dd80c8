package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// nobody is the user and the group that a job has inside, and outside too where the tool
// is run by root: the kernel binds root by no number of processes.
const nobody = 65534

// scratchFolder is where a job may write.
const scratchFolder = "/tmp"

// files is how many files a job may have open.
const files = 1024

// bubblewrap runs each job in namespaces of its own, which bwrap builds: a root with
// nothing but what the job names, no network, no other process. A seccomp filter refuses
// the calls that have no place in it, and the kernel's limits, a control group where there
// is a place for one, and a watcher do the rest.
type bubblewrap struct {
	bwrap            string
	setpriv, prlimit string // for root; "" for others, who have no rights to give away
	groups           controlGroups
}

func (bubblewrap) Contains() bool { return true }

func (b bubblewrap) Run(ctx context.Context, job Job) (Result, error) {
	if err := cmp.Or(job.check(), job.checkInside(), ctx.Err()); err != nil {
		return Result{}, err
	}
	limits := job.Limits.orUsual()
	rules, err := filter(limits.Fork)
	if err != nil {
		return Result{}, err
	}
	if b.setpriv != "" && job.Writable != "" {
		if err := giveAway(job.Writable); err != nil {
			return Result{}, err
		}
	}
	// What this process was started with must not reach a job.
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return Result{}, err
	}
	options, line := b.line(job, limits)
	var ours, theirs []*os.File
	var writing sync.WaitGroup
	defer func() {
		for _, f := range append(ours, theirs...) {
			f.Close()
		}
		writing.Wait()
	}()
	for i := range 4 {
		r, w, err := os.Pipe()
		if err != nil {
			return Result{}, err
		}
		if i == 0 {
			r, w = w, r // the first one is written by bwrap
		}
		ours, theirs = append(ours, w), append(theirs, r)
	}
	status, gate := ours[0], ours[1]
	for i, text := range [][]byte{rules, options} {
		writing.Go(func() {
			ours[2+i].Write(text)
			ours[2+i].Close()
		})
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = []string{} // what bwrap has in its environment the job can read
	cmd.Dir = "/"
	cmd.ExtraFiles = theirs // from 4 on; see line
	process.OwnGroup(cmd)
	group, err := b.groups.make(limits)
	if err != nil {
		return Result{}, err
	}
	defer group.remove()
	group.hold(cmd)

	a := &attempt{limits: limits, cmd: cmd}
	inside := newInside()
	lines := json.NewDecoder(status)
	a.started = func() error {
		for _, f := range theirs {
			f.Close()
		}
		var first struct {
			Child int `json:"child-pid"`
		}
		if err := lines.Decode(&first); err != nil || first.Child <= 1 {
			inside.set(nil, 0)
			return nil // bwrap has failed; its output says why
		}
		// It waits at the gate, so that this is its number still.
		pidfd, err := unix.PidfdOpen(first.Child, unix.PIDFD_NONBLOCK)
		if err != nil {
			inside.set(nil, 0)
			return err
		}
		inside.set(os.NewFile(uintptr(pidfd), "pidfd"), first.Child)
		if err := b.limit(first.Child, limits); err != nil {
			return fmt.Errorf("a limit could not be set: %w", err)
		}
		_, err = gate.Write([]byte{0})
		gate.Close()
		if errors.Is(err, syscall.EPIPE) {
			err = nil
		}
		return err
	}
	a.kill = func() {
		inside.kill()
		process.KillGroup(cmd.Process.Pid)
	}
	a.look = func() usage {
		now := usageOf(cmd.Process.Pid)
		now.full = inside.manyFiles()
		return now
	}
	res, err := a.run(ctx)
	inside.close()
	if err != nil {
		return Result{}, err
	}
	if (res.Ended == Exited || res.Ended == Killed) && group.lackedMemory() {
		res.Ended = OutOfMemory
	}
	if res.Ended != Exited && res.Ended != Killed {
		res.Code = -1
		return res, nil
	}
	var last struct {
		Code *int `json:"exit-code"`
	}
	for last.Code == nil {
		if err := lines.Decode(&last); err != nil {
			return Result{}, fmt.Errorf("bubblewrap could not build the sandbox: %s", bytes.TrimSpace(res.Output))
		}
	}
	res.Ended, res.Code, res.Signal = Exited, *last.Code, ""
	// Bubblewrap tells of a signal as a shell does. A program that exits with such a
	// number of its own accord is taken for killed.
	if signal := syscall.Signal(*last.Code - 128); signal > 0 && signal < 32 {
		res.Ended, res.Code, res.Signal = Killed, -1, signal.String()
	}
	limits.explain(&res)
	return res, nil
}

// line is how bwrap is started, and the options that it reads from a file descriptor:
// a command line could be read inside, with the names of our folders.
func (b bubblewrap) line(job Job, limits Limits) (options []byte, line []string) {
	program := job.Path
	type mount struct {
		source, place string
		writable      bool
	}
	var mounts []mount
	known := false
	for _, path := range job.ReadOnly {
		mounts = append(mounts, mount{path, filepath.Clean(path), false})
		known = known || within(path, job.Path)
	}
	if !known {
		program = "/job/" + filepath.Base(job.Path)
		mounts = append(mounts, mount{job.Path, program, false})
	}
	if job.Writable != "" {
		mounts = append(mounts, mount{job.Writable, filepath.Clean(job.Writable), true})
	}
	// A folder before what is in it.
	slices.SortStableFunc(mounts, func(a, b mount) int { return cmp.Compare(a.place, b.place) })

	inner := []string{b.bwrap, "--args", "7", "--", program}
	inner = append(inner, job.Args...)
	if b.setpriv != "" {
		// Folders in a home that is closed to others are first brought to a place where
		// nobody can get at them, in a view of the machine that ends with the job.
		line = []string{b.bwrap, "--dev-bind", "/", "/", "--perms", "0755", "--tmpfs", scratchFolder}
		for i := range mounts {
			bind := "--ro-bind"
			if mounts[i].writable {
				bind = "--bind"
			}
			place := scratchFolder + "/" + strconv.Itoa(i)
			line = append(line, bind, mounts[i].source, place)
			mounts[i].source = place
		}
		id := strconv.Itoa(nobody)
		line = append(line, "--", b.setpriv, "--reuid", id, "--regid", id, "--clear-groups", "--")
	}
	line = append(line, inner...)

	id := strconv.Itoa(nobody)
	o := []string{"--unshare-all", "--unshare-user", "--uid", id, "--gid", id, "--disable-userns", "--cap-drop", "ALL",
		"--die-with-parent", "--new-session", "--hostname", "job",
		"--json-status-fd", "4", "--block-fd", "5", "--seccomp", "6",
		"--dev", "/dev", "--remount-ro", "/dev"}
	if limits.Fork { // without it there is nothing to be seen
		o = append(o, "--proc", "/proc")
		for _, path := range []string{"/proc/kallsyms", "/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/sched_debug", "/proc/latency_stats"} {
			if _, err := os.Stat(path); err == nil {
				o = append(o, "--ro-bind", "/dev/null", path)
			}
		}
	}
	o = append(o, "--size", strconv.FormatInt(limits.Disk, 10), "--tmpfs", scratchFolder)
	for _, m := range mounts {
		bind := "--ro-bind"
		if m.writable {
			bind = "--bind"
		}
		o = append(o, bind, m.source, m.place)
	}
	o = append(o, "--remount-ro", "/", "--chdir", cmp.Or(job.Dir, scratchFolder), "--clearenv")
	for _, kv := range job.Env {
		name, value, _ := strings.Cut(kv, "=")
		o = append(o, "--setenv", name, value)
	}
	return []byte(strings.Join(o, "\x00") + "\x00"), line
}

// within tells whether a path is a folder or something in it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// checkInside says what of a job has no place in a sandbox.
func (job Job) checkInside() error {
	visible := func(path string) bool {
		return slices.ContainsFunc(append([]string{scratchFolder, job.Writable}, job.ReadOnly...), func(folder string) bool {
			return folder != "" && within(folder, path)
		})
	}
	// A folder is there, too, if something in it is.
	if job.Dir != "" && !visible(job.Dir) && !slices.ContainsFunc(job.ReadOnly, func(path string) bool { return within(job.Dir, path) }) {
		return fmt.Errorf("the job is to run in %s, which is neither among what it may read nor what it may write", job.Dir)
	}
	for _, text := range append(append([]string{}, job.Env...), job.Args...) {
		if strings.ContainsRune(text, 0) {
			return fmt.Errorf("%q has a zero byte", text)
		}
	}
	for _, kv := range job.Env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			return fmt.Errorf("%q is not NAME=value", kv)
		}
	}
	if loader := interpreter(job.Path); loader != "" && !visible(loader) {
		return fmt.Errorf("%s is linked dynamically, and %s is not there in the sandbox; build it with CGO_ENABLED=0", job.Path, loader)
	}
	return nil
}

// interpreter is the program that loads a dynamically linked one, "" for others.
func interpreter(path string) string {
	program, err := elf.Open(path)
	if err != nil {
		return "" // a script, for instance
	}
	defer program.Close()
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP {
			b, err := io.ReadAll(p.Open())
			if err == nil {
				return strings.TrimRight(string(b), "\x00")
			}
		}
	}
	return ""
}

// limit limits the first process of a job, and so what it starts.
func (b bubblewrap) limit(pid int, limits Limits) error {
	// The kernel counts processes in each namespace apart, once it is made.
	all := append(limits.resources(), resource{"nproc", unix.RLIMIT_NPROC, uint64(limits.Processes)}, resource{"nofile", unix.RLIMIT_NOFILE, files},
		resource{"memlock", unix.RLIMIT_MEMLOCK, 0}, resource{"msgqueue", unix.RLIMIT_MSGQUEUE, 0}, resource{"sigpending", unix.RLIMIT_SIGPENDING, 1024})
	args := []string{"--pid", strconv.Itoa(pid)}
	for i, r := range all {
		var old unix.Rlimit
		if err := unix.Prlimit(os.Getpid(), r.number, nil, &old); err != nil {
			return err
		}
		all[i].most = min(r.most, old.Max) // only root may raise one
		args = append(args, fmt.Sprintf("--%s=%d:%d", r.name, all[i].most, all[i].most))
	}
	if b.setpriv == "" {
		for _, r := range all {
			if err := unix.Prlimit(pid, r.number, &unix.Rlimit{Cur: r.most, Max: r.most}, nil); err != nil {
				return err
			}
		}
		return nil
	}
	// Root of a container may have no power over the processes of others.
	id := strconv.Itoa(nobody)
	out, err := exec.Command(b.setpriv, append([]string{"--reuid", id, "--regid", id, "--clear-groups", "--", b.prlimit}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// giveAway makes a folder and what is in it nobody's. Links are not followed.
func giveAway(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(path, nobody, nobody)
	})
}

// An insideProcess is the first process of a job's namespace: all others die with it.
type insideProcess struct {
	known chan struct{}
	once  sync.Once
	file  *os.File // nil: there is none
	pid   int
}

func newInside() *insideProcess { return &insideProcess{known: make(chan struct{})} }

func (p *insideProcess) set(pidfd *os.File, pid int) {
	p.once.Do(func() {
		p.file, p.pid = pidfd, pid
		close(p.known)
	})
}

// kill returns when all of the namespace is dead.
func (p *insideProcess) kill() {
	select {
	case <-p.known:
	case <-time.After(time.Second): // bwrap hangs, and goes with its group
		return
	}
	if p.file == nil {
		return
	}
	fd := int(p.file.Fd())
	unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 10_000)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// manyFiles tells whether the scratch folder has more files than anybody needs.
func (p *insideProcess) manyFiles() bool {
	select {
	case <-p.known:
	default:
		return false
	}
	var s unix.Statfs_t
	if p.file == nil || unix.Statfs("/proc/"+strconv.Itoa(p.pid)+"/root"+scratchFolder, &s) != nil {
		return false
	}
	return s.Type == unix.TMPFS_MAGIC && s.Files-s.Ffree > maxFiles
}

func (p *insideProcess) close() {
	if p.file != nil {
		p.file.Close()
	}
}

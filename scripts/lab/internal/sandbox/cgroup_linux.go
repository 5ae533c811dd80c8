package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// controlGroups makes a control group (cgroup, version 2) for each job, by which the kernel
// itself bounds the memory and the number of all its processes together; the watcher
// looks only so often. It is "" where there is no place for one.
type controlGroups struct {
	folder string // in which groups may be made
}

// groupsOf is the pattern of the names of the groups that a process makes.
func groupsOf(pid int) string { return fmt.Sprintf("%s%d-*", groupPrefix, pid) }

const groupPrefix = "mllabs-"

// young is how long a group is taken for one at work, whoever made it: a process of another
// container has a number that says nothing here.
const young = 10 * time.Minute

// findControlGroups looks for a place: the nearest group above this process whose
// children have the memory and the pids controller, and in which this user may make one.
// That is so for root and in the desktop session of a user where systemd runs, and seldom
// in containers. What is found there is not changed. A program is tried out in it.
func findControlGroups(program string, args ...string) controlGroups {
	const mount = "/sys/fs/cgroup"
	var s unix.Statfs_t
	if unix.Statfs(mount, &s) != nil || s.Type != unix.CGROUP2_SUPER_MAGIC {
		return controlGroups{}
	}
	self, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return controlGroups{}
	}
	for _, folder := range groupsAbove(mount, self) {
		g := controlGroups{folder}
		if g.try(program, args...) == nil {
			g.removeLeft()
			return g
		}
	}
	return controlGroups{}
}

// groupsAbove are the folders of the group of a process and of those above it, the
// nearest first, whose children have the controllers that we need.
func groupsAbove(mount string, procSelfCgroup []byte) (folders []string) {
	own := ""
	for line := range strings.Lines(string(procSelfCgroup)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::/"); ok && filepath.IsLocal(filepath.Join(".", path)) {
			own = filepath.Join("/", path)
		}
	}
	for own != "" {
		folder := filepath.Join(mount, own)
		controllers, err := os.ReadFile(filepath.Join(folder, "cgroup.subtree_control"))
		if fields := strings.Fields(string(controllers)); err == nil && slices.Contains(fields, "memory") && slices.Contains(fields, "pids") {
			folders = append(folders, folder)
		}
		if own == "/" {
			break
		}
		own = filepath.Dir(own)
	}
	return folders
}

// try starts a program in a group.
func (g controlGroups) try(program string, args ...string) error {
	group, err := g.make(Usual)
	if err != nil {
		return err
	}
	defer group.remove()
	cmd := exec.Command(program, args...)
	group.hold(cmd)
	return cmd.Run()
}

// removeLeft removes the groups of tools that were killed.
func (g controlGroups) removeLeft() {
	left, _ := filepath.Glob(filepath.Join(g.folder, groupPrefix+"*"))
	for _, folder := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), groupPrefix), "-")
		_, err := os.Stat("/proc/" + pid)
		if info, e := os.Stat(folder); e == nil && errors.Is(err, fs.ErrNotExist) && time.Since(info.ModTime()) > young {
			os.Remove(folder) // fails while something lives in it
		}
	}
}

// A controlGroup is that of one job; nil is none.
type controlGroup struct {
	folder string
	dir    *os.File
}

// Bubblewrap's own processes, and what they take.
const (
	helpers       = 16
	helpersMemory = 32 << 20
)

// make makes the group of a job; nil where there is no place for one.
func (g controlGroups) make(l Limits) (*controlGroup, error) {
	if g.folder == "" {
		return nil, nil
	}
	folder, err := os.MkdirTemp(g.folder, groupsOf(os.Getpid()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the session has ended in which there was a place, and this tool goes on
	} else if err != nil {
		return nil, err
	}
	c := &controlGroup{folder: folder}
	for _, f := range []struct {
		name   string
		value  int64
		always bool
	}{
		// Files of the scratch folder are memory, too.
		{"memory.max", l.Memory + l.Disk + helpersMemory, true},
		{"memory.oom.group", 1, true},
		{"pids.max", int64(l.Processes) + helpers, true},
		{"memory.swap.max", 0, false}, // is there where the kernel swaps
	} {
		if e := os.WriteFile(filepath.Join(c.folder, f.name), []byte(strconv.FormatInt(f.value, 10)), 0o644); f.always {
			err = errors.Join(err, e)
		}
	}
	if err == nil {
		c.dir, err = os.Open(c.folder)
	}
	if err != nil {
		c.remove()
		return nil, fmt.Errorf("the limits of a control group cannot be set: %w", err)
	}
	return c, nil
}

// hold has a command begin its life in the group.
func (c *controlGroup) hold(cmd *exec.Cmd) {
	if c == nil {
		return
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(c.dir.Fd())
}

// lackedMemory tells whether the kernel has killed the job because it wanted more memory
// than it may have. A job that was killed because the whole machine lacked memory has not
// come to a limit of its own.
func (c *controlGroup) lackedMemory() bool {
	if c == nil {
		return false
	}
	events, _ := os.ReadFile(filepath.Join(c.folder, "memory.events"))
	return cameToLimit(events)
}

func cameToLimit(memoryEvents []byte) bool {
	counts := map[string]int{}
	for line := range bytes.Lines(memoryEvents) {
		name, n, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		counts[string(name)] = number(n)
	}
	return counts["oom"] > 0 && counts["oom_kill"] > 0
}

// remove kills what is left in the group and removes it.
func (c *controlGroup) remove() {
	if c == nil {
		return
	}
	if c.dir != nil {
		c.dir.Close()
	}
	os.WriteFile(filepath.Join(c.folder, "cgroup.kill"), []byte("1"), 0o644) // since Linux 5.14
	// The dead belong to it until somebody has waited for them.
	for pause := time.Millisecond; pause < time.Second; pause *= 2 {
		if err := unix.Rmdir(c.folder); err == nil || errors.Is(err, unix.ENOENT) {
			return
		}
		time.Sleep(pause)
	}
}

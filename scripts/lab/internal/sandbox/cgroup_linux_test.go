package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The trees are as systemd makes them: the nearest group whose children have both
// controllers comes first.
func TestGroupsAbove(t *testing.T) {
	const app = "user.slice/user-1000.slice/user@1000.service/app.slice"
	for _, c := range []struct {
		name, self string
		control    map[string]string // cgroup.subtree_control by folder
		want       []string
	}{
		{"a desktop", "0::/" + app + "/terminal.scope\n",
			map[string]string{app + "/terminal.scope": "", app: "cpu memory pids", "user.slice": "memory pids", ".": "cpuset cpu io memory pids"}, []string{app, "user.slice", "."}},
		{"no memory", "0::/a/b\n", map[string]string{"a/b": "", "a": "cpu pids", ".": "pids"}, nil},
		{"both versions", "12:memory:/a\n1:name=systemd:/a\n0::/a\n", map[string]string{"a": "memory pids\n", ".": ""}, []string{"a"}},
		{"version 1", "12:memory:/a\n1:name=systemd:/a\n", map[string]string{"a": "memory pids"}, nil},
		{"above what can be seen", "0::/../../a\n", map[string]string{".": "memory pids"}, nil},
		{"the root", "0::/\n", map[string]string{".": "memory pids"}, []string{"."}},
	} {
		mount := t.TempDir()
		for folder, text := range c.control {
			at := filepath.Join(mount, folder)
			if err := errors.Join(os.MkdirAll(at, 0o755), os.WriteFile(filepath.Join(at, "cgroup.subtree_control"), []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		var want []string
		for _, folder := range c.want {
			want = append(want, filepath.Join(mount, folder))
		}
		if got := groupsAbove(mount, []byte(c.self)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

// The files are the kernel's: of a job that came to its limit, of one that was killed when
// the machine lacked memory, and of one that was slowed down only.
func TestCameToLimit(t *testing.T) {
	for events, want := range map[string]bool{
		"low 0\nhigh 0\nmax 81\noom 2\noom_kill 1\noom_group_kill 1\n": true,
		"low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 1\n":  false,
		"low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\n":                   false,
		"": false,
	} {
		if got := cameToLimit([]byte(events)); got != want {
			t.Errorf("%q: %v, want %v", events, got, want)
		}
	}
}

// The kernel itself holds a program that nobody watches. Where this user may not make
// control groups, as in most containers, there is nothing to try.
func TestControlGroup(t *testing.T) {
	program, err := hostile()
	if err != nil {
		t.Fatal(err)
	}
	groups := findControlGroups(program, "nothing")
	if groups.folder == "" {
		t.Skip("needs control groups of version 2 in which this user may make some with the controllers memory and pids")
	}
	for _, c := range []struct {
		attack, size string
		limits       Limits
		memory       bool // is what it lacks
	}{
		{"nothing", "", Limits{}, false},
		{"memory", "", Limits{Memory: 64 * mebi, Disk: mebi}, true},
		{"memories", "60000000", Limits{Memory: 64 * mebi, Disk: mebi}, true}, // each alone may have that
		{"bomb", "1000", Limits{Processes: 16}, false},
	} {
		t.Run(c.attack, func(t *testing.T) {
			group, err := groups.make(c.limits.orUsual())
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(context.Background(), program, c.attack, c.size)
			group.hold(cmd)
			out, err := cmd.CombinedOutput()
			t.Logf("%v %.200s", err, out)
			if c.attack == "nothing" && err != nil {
				t.Error("it does not run in a group")
			}
			if got := group.lackedMemory(); got != c.memory {
				t.Errorf("it lacked memory: %v, want %v", got, c.memory)
			}
			if c.attack == "bomb" {
				most, _ := os.ReadFile(filepath.Join(group.folder, "pids.events"))
				if !strings.HasPrefix(string(most), "max ") || strings.HasPrefix(string(most), "max 0\n") {
					t.Errorf("no process was refused: %s", most)
				}
			}
			group.remove()
			if _, err := os.Stat(group.folder); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the group is still there: %v", err)
			}
		})
	}
}

// A job of the sandbox that wants too much is told so, whoever has seen it first, and
// leaves no group.
func TestSandboxInAControlGroup(t *testing.T) {
	program, err := hostile()
	if err != nil {
		t.Fatal(err)
	}
	b, ok := contained(t).(bubblewrap)
	if !ok || b.groups.folder == "" {
		t.Skip("needs control groups of version 2 in which this user may make some with the controllers memory and pids")
	}
	res, err := b.Run(context.Background(), Job{Path: program, Args: []string{"memory"}, Limits: Limits{Memory: 128 * mebi}})
	if err != nil || res.Ended != OutOfMemory {
		t.Errorf("%v, %v", res.Ended, err)
	}
	if left, _ := filepath.Glob(filepath.Join(b.groups.folder, groupsOf(os.Getpid()))); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

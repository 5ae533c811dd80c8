//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// A go command that builds a program by copying it, and has nothing to do where one
// stands; it writes down how it was called.
const buildingGo = `
echo "$@" >> "$MACHINE/calls"
[ "$1" = build ] || exit 0
while [ "$1" != -o ]; do shift; done
[ -e "$2" ] || cp "$MACHINE/program" "$2"
`

// toldProgram tells what it was given, and ends with 7.
const toldProgram = `for a; do echo "<$a>"; done; cat; echo to stderr >&2; exit 7`

// An emptyCheckout is a checkout with nothing in it that the launcher does not look for.
type emptyCheckout struct {
	t         *testing.T
	root, bin string
	temp      string
}

func newLaunch(t *testing.T, goScript, program string) *emptyCheckout {
	t.Helper()
	l := &emptyCheckout{t: t, root: t.TempDir(), bin: t.TempDir(), temp: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(l.root, "scripts", "lab", "internal", "tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	l.write("go", goScript)
	l.write("program", program)
	return l
}

func (l *emptyCheckout) write(name, script string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		l.t.Fatal(err)
	}
}

// command is the launcher in a folder of the checkout, with what it says in out.
func (l *emptyCheckout) command(out *bytes.Buffer, args ...string) *exec.Cmd {
	l.t.Helper()
	self, err := os.Executable()
	if err != nil {
		l.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = filepath.Join(l.root, "scripts", "lab")
	cmd.Env = append(os.Environ(), beTheLauncher+"=1", "MACHINE="+l.bin, "TMPDIR="+l.temp, "PATH="+l.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("from stdin\n"), out, out
	return cmd
}

func (l *emptyCheckout) run(args ...string) (code int, out string) {
	l.t.Helper()
	var b bytes.Buffer
	cmd := l.command(&b, args...)
	cmd.Run()
	return cmd.ProcessState.ExitCode(), b.String()
}

// wait waits for a file that a script makes in the folder of the programs.
func (l *emptyCheckout) wait(name string) {
	l.t.Helper()
	if !waits.Until(l.t, func() bool { return exists(filepath.Join(l.bin, name)) }) {
		l.t.Fatalf("%s did not come", name)
	}
}

// left names what is in the folder of the programs and the one for temporary files.
func (l *emptyCheckout) left() string {
	var names []string
	for _, dir := range []string{filepath.Join(l.root, ".lab", "bin"), l.temp} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}

func TestLaunch(t *testing.T) {
	t.Parallel()
	told := "from stdin\nto stderr\n"
	for _, c := range []struct {
		name, goScript string
		prepare        func(l *emptyCheckout)
		args           []string
		code           int
		says           []string
		left           string // of the programs
	}{
		{"the light program", buildingGo, nil, []string{"reports", "a b", ""}, 7, []string{"<reports>\n<a b>\n<>\n" + told}, "lab-light"},
		{"the whole program", buildingGo, nil, []string{"check"}, 7, []string{"<check>\n" + told}, "lab"},
		{"no command", buildingGo, nil, nil, 7, []string{told}, "lab"},
		{"a program that stands", buildingGo, func(l *emptyCheckout) {
			l.run("check")
			l.write("program", "echo another")
		}, []string{"check"}, 7, []string{told}, "lab"},
		{"a program that is not up to date", strings.Replace(buildingGo, `[ -e "$2" ] ||`, `rm -f "$2";`, 1), func(l *emptyCheckout) {
			l.run("check")
			l.write("program", "echo another")
		}, []string{"check"}, 0, []string{"another"}, "lab"},
		{"a program that a signal ends", buildingGo, func(l *emptyCheckout) { l.write("program", "kill -KILL $$") }, []string{"check"}, -1, nil, "lab"},
		{"no folder to write to", buildingGo, func(l *emptyCheckout) {
			if err := os.WriteFile(filepath.Join(l.root, ".lab"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"reports"}, 7, []string{"<reports>\n" + told}, ""},
		{"code that does not compile", `echo "x.go:1:1: syntax error" >&2; exit 1`, nil, []string{"check"}, 1,
			[]string{"x.go:1:1: syntax error\n", "lab: cannot build the tool, for the reason that Go gives above: exit status 1"}, ""},
		{"a killed launcher's folder", buildingGo, func(l *emptyCheckout) {
			old := filepath.Join(l.root, ".lab", "bin", "new-1")
			if err := os.MkdirAll(filepath.Join(old, "x"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(old, time.Time{}, time.Now().Add(-48*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, []string{"check"}, 7, []string{told}, "lab"},
		// The go command is busy until the launcher, which says so, has counted the packages.
		{"a long build", `
if [ "$1" = list ]; then touch "$MACHINE/counted"; echo a b c; exit; fi
echo "go: downloading example.com v1" >&2
for i in $(seq 3000); do [ -e "$MACHINE/counted" ] && break; sleep 0.02; done` + buildingGo, nil, []string{"setup"}, 7,
			[]string{"go: downloading example.com v1\n", "lab: compiling this tool, which takes about ", told}, "lab-light"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLaunch(t, c.goScript, toldProgram)
			if c.prepare != nil {
				c.prepare(l)
			}
			code, out := l.run(c.args...)
			if code != c.code {
				t.Errorf("code %d, want %d\n%s", code, c.code, out)
			}
			for _, says := range c.says {
				if !strings.Contains(out, says) {
					t.Errorf("does not say %q\n%s", says, out)
				}
			}
			if left := l.left(); left != c.left {
				t.Errorf("left are %q, want %q", left, c.left)
			}
		})
	}
}

// The go command is told which of the two programs to build, and nothing of tags for the
// whole one: GOFLAGS may name some.
func TestLaunchTags(t *testing.T) {
	t.Parallel()
	for command, tags := range map[string]bool{"reports": true, "run": true, "setup": true, "jupyter": true, "check": false, "help": false, "bench": false} {
		l := newLaunch(t, buildingGo, "exit 0")
		l.run(command)
		calls, err := os.ReadFile(filepath.Join(l.bin, "calls"))
		if err != nil || strings.Contains(string(calls), "-tags light ./lab/internal/tool") != tags || strings.Contains(string(calls), "-tags") != tags {
			t.Errorf("%s: %s %v", command, calls, err)
		}
	}
}

func TestLaunchOutsideOfACheckout(t *testing.T) {
	t.Parallel()
	l := newLaunch(t, buildingGo, toldProgram)
	l.root = t.TempDir()
	if err := os.MkdirAll(filepath.Join(l.root, "scripts", "lab"), 0o755); err != nil {
		t.Fatal(err)
	}
	if code, out := l.run("reports"); code != 1 || !strings.Contains(out, "is not inside a checkout of mllabs") {
		t.Errorf("code %d\n%s", code, out)
	}
}

// Many at a time, while the program changes under them, run a whole program each.
func TestLaunchTogether(t *testing.T) {
	t.Parallel()
	l := newLaunch(t, strings.Replace(buildingGo, `[ -e "$2" ] ||`, `rm -f "$2";`, 1), toldProgram)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 5 {
				want := fmt.Sprintf("<check>\n<%d>\nfrom stdin\nto stderr\n", i)
				if code, out := l.run("check", fmt.Sprint(i)); code != 7 || !strings.HasSuffix(out, want) {
					t.Errorf("code %d\n%s", code, out)
				}
			}
		})
	}
	all.Wait()
	if left := l.left(); left != "lab" {
		t.Errorf("left are %s", left)
	}
}

// A signal reaches whatever is at work: the go command, which ends in order or, at the second
// signal, at once; or the program.
func TestLaunchSignals(t *testing.T) {
	t.Parallel()
	const waits = `touch "$MACHINE/begun"; while :; do sleep 0.05; done`
	// The count of packages is broken off, too, whenever it is at work.
	const building = `if [ "$1" = list ]; then echo $$ > "$MACHINE/list"; exec sleep 1000; fi; `
	for _, c := range []struct {
		name, goScript, program string
		signals                 []syscall.Signal
		temporary               bool // .lab/bin cannot be written
		code                    int
		says                    string
	}{
		{"Ctrl-C in a build", building + `trap 'echo in order >&2; exit 1' INT; ` + waits, "", []syscall.Signal{syscall.SIGINT}, false, 1, "in order\nlab: interrupted"},
		{"SIGTERM in a build", building + `trap 'echo in order >&2; exit 1' INT; ` + waits, "", []syscall.Signal{syscall.SIGTERM}, false, 1, "in order\nlab: interrupted"},
		{"Ctrl-C twice in a build", building + `trap 'touch "$MACHINE/asked"' INT; ` + waits, "", []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, false, 1, "lab: interrupted"},
		{"Ctrl-C in the program", buildingGo, `trap 'echo ends; exit 5' INT; ` + waits, []syscall.Signal{syscall.SIGINT}, false, 5, "ends\n"},
		{"SIGTERM in the program", buildingGo, `trap 'echo ends; exit 5' TERM; ` + waits, []syscall.Signal{syscall.SIGTERM}, false, 5, "ends\n"},
		{"SIGTERM in a program that is a child", buildingGo, `trap 'echo ends; exit 5' TERM; ` + waits, []syscall.Signal{syscall.SIGTERM}, true, 5, "ends\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLaunch(t, c.goScript, c.program)
			if c.temporary {
				if err := os.WriteFile(filepath.Join(l.root, ".lab"), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var out bytes.Buffer
			cmd := l.command(&out, "check")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for i, s := range c.signals {
				l.wait([]string{"begun", "asked"}[i])
				cmd.Process.Signal(s)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(out.String(), c.says) {
				t.Errorf("code %d\n%s", code, out.String())
			}
			if b, err := os.ReadFile(filepath.Join(l.bin, "list")); err == nil && len(b) > 0 {
				if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err != nil || syscall.Kill(pid, 0) == nil {
					t.Errorf("the count of packages goes on: %s, %v", b, err)
				}
			}
			if left := l.left(); strings.Contains(left, "new-") || strings.Contains(left, "lab-launcher-") {
				t.Errorf("left are %s", left)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	var packages []string
	for i := range 20 {
		packages = append(packages, fmt.Sprintf("p%d", i))
	}
	for _, c := range []struct {
		name     string
		terminal bool
		of       int
		lines    []string
		want     string
	}{
		{"few packages", false, 3, packages[:3], ""},
		{"quarters", false, 20, packages, "lab: 5 of 20 packages\nlab: 10 of 20 packages\nlab: 15 of 20 packages\nlab: 20 of 20 packages\n"},
		{"messages", false, 20, []string{"p0", "# p0", "x.go:1: no", "\tnot this", ""}, "# p0\nx.go:1: no\n\tnot this\n\n"},
		{"a terminal", true, 3, []string{"p0", "go: downloading x v1", "p1"},
			"\r\x1b[Klab: 0 of 3 packages\r\x1b[Klab: 1 of 3 packages\r\x1b[Kgo: downloading x v1\n\r\x1b[Klab: 2 of 3 packages"},
	} {
		var b bytes.Buffer
		p := &progress{w: &b, terminal: c.terminal, seen: map[string]bool{}}
		p.of(packages[:c.of])
		for _, line := range c.lines {
			p.line(line)
		}
		if b.String() != c.want {
			t.Errorf("%s: %q", c.name, b.String())
		}
	}
}

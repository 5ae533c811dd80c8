package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// hostile builds the program of testdata/hostile once.
var hostile = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hostile-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "hostile")
	cmd := exec.Command("go", "build", "-o", path, "./testdata/hostile")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, os.Chmod(dir, 0o755)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := hostile(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// alive are the processes with a text on their command lines.
func alive(text string) []string {
	var found []string
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		b, err := os.ReadFile(name)
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "stat"))
		if err == nil && bytes.Contains(b, []byte(text)) && !bytes.Contains(stat, []byte(") Z ")) {
			found = append(found, name)
		}
	}
	return found
}

const (
	mebi  = 1 << 20
	small = 300 * time.Millisecond
)

// What a program does, and how it ends. In a sandbox nothing breaks.
func TestHostile(t *testing.T) {
	program, err := hostile()
	if err != nil {
		t.Fatal(err)
	}
	sandbox := contained(t)

	// The machine around the job.
	dir := t.TempDir()
	secret := filepath.Join(dir, "other", "submission")
	if err := errors.Join(os.Mkdir(filepath.Dir(secret), 0o755), os.WriteFile(secret, []byte("secret"), 0o644)); err != nil {
		t.Fatal(err)
	}
	checkout := filepath.Join(dir, "checkout")
	theirs := filepath.Join(checkout, "theirs")
	if err := errors.Join(os.Mkdir(checkout, 0o755), os.WriteFile(theirs, []byte("theirs"), 0o644)); err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	go func() {
		b := make([]byte, 16)
		for {
			_, from, err := udp.ReadFrom(b)
			if err != nil {
				return
			}
			udp.WriteTo([]byte("x"), from)
		}
	}()
	addresses := []string{"tcp=" + tcp.Addr().String(), "udp=" + udp.LocalAddr().String()}
	for _, path := range []string{filepath.Join(dir, "socket"), "@mllabs-" + strconv.Itoa(os.Getpid())} {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addresses = append(addresses, "unix="+path)
	}
	// A file that a careless parent has left open for all its children.
	open, err := unix.Open(secret, unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(open)
	t.Setenv("MLLABS_TEST_SECRET", "mllabs-secret")
	neighbour := exec.Command("sleep", "1000")
	neighbour.Env = []string{"SECRET=mllabs-secret"}
	if err := neighbour.Start(); err != nil {
		t.Fatal(err)
	}
	defer neighbour.Wait()
	defer neighbour.Process.Kill()

	fork := Limits{Fork: true}
	home, _ := os.UserHomeDir()
	for _, c := range []struct {
		attack string
		args   []string
		limits Limits
		ended  Ended
		says   string // what stands in the output
		// What becomes of it without a sandbox: the attack breaks something, ends in
		// the same way, or is not to be tried.
		unsafe string
	}{
		{"nothing", nil, Limits{}, Exited, "end\n", "same"},
		{"goroutines", nil, Limits{}, Exited, "end\n", "same"},
		{"loop", nil, Limits{CPU: time.Second}, OutOfTime, "", "same"},
		{"loops", nil, Limits{CPU: time.Second}, OutOfTime, "", "same"},
		{"loop", nil, Limits{CPU: time.Second, Wall: small}, OutOfTime, "", "same"}, // it works, if slowly
		{"sleep", nil, Limits{Wall: small}, OutOfTime, "", "same"},
		{"print", nil, Limits{}, TooMuchOutput, "xxx", "same"},
		{"print", nil, Limits{Spill: 4 << 20}, TooMuchOutput, "xxx", "same"},
		{"report", nil, Limits{}, TooMuchOutput, "", "same"},
		{"memory", nil, Limits{Memory: 256 * mebi}, OutOfMemory, "", "same"},
		{"memories", []string{strconv.Itoa(150 * mebi)}, Limits{Memory: 256 * mebi, Fork: true, Wall: waits.Long}, OutOfMemory, "", "same"},
		{"shared", nil, Limits{}, Exited, "held: a file in memory: operation not permitted", "breaks"},
		{"shared", nil, fork, Exited, "held: a file in memory: operation not permitted", "breaks"},
		{"zero", nil, Limits{}, Exited, "held", "breaks"},
		{"bomb", []string{"40"}, Limits{}, Exited, "started 0 ", "not"},
		{"bomb", []string{"400"}, Limits{Fork: true, Processes: 60}, Exited, "resource temporarily unavailable", "not"},
		{"threads", nil, Limits{Processes: 64, Wall: waits.Long}, Exited, "failed to create new OS thread", "not"},
		{"disk", nil, Limits{Disk: 10 * mebi}, Exited, "wrote 10485760 write large: file too large", "same"},
		{"disks", nil, Limits{Disk: 10 * mebi}, Exited, "", "not"},
		{"files", nil, Limits{}, OutOfMemory, "", "not"},
		{"network", addresses, Limits{}, Exited, "held: tcp", "breaks"},
		{"network", addresses, fork, Exited, "held: tcp", "breaks"},
		{"read", []string{secret, dir, home, "/etc/passwd", "/etc/shadow", "/root", "/home", "/sys", "/proc/1/environ", "/run", "/var"}, Limits{}, Exited, "held: /etc/shadow", "breaks"},
		{"read", []string{secret, dir, home, "/etc/passwd", "/etc/shadow", "/root", "/home", "/sys", "/proc/kcore", "/run", "/var"}, fork, Exited, "held: /etc/shadow", "breaks"},
		{"calls", nil, Limits{}, Exited, "held: clone3: function not implemented", "breaks"},
		{"calls", nil, fork, Exited, "held: clone3: function not implemented", "breaks"},
		{"namespace", nil, Limits{}, Exited, "held", "not"},
		{"namespace", nil, fork, Exited, "held: a user namespace: fork/exec /job/hostile: operation not permitted", "not"},
		{"signal", []string{strconv.Itoa(os.Getpid())}, Limits{}, Exited, "held", "breaks"},
		{"signal", []string{strconv.Itoa(os.Getpid())}, fork, Exited, "held", "breaks"},
		{"massacre", nil, fork, Exited, "end\n", "not"},
		{"die", nil, Limits{}, Killed, "", "same"},
		{"others", []string{"mllabs-secret"}, Limits{}, Exited, "held", "breaks"},
		{"descriptors", nil, Limits{}, Exited, "held", "breaks"},
		{"exec", nil, Limits{}, Exited, "held: another program: no such file", "not"},
		{"environment", nil, Limits{}, Exited, "[A=1 B=2=3 PWD=/tmp]", "not"},
	} {
		for _, r := range []Runner{sandbox, Unsafe()} {
			if !r.Contains() && c.unsafe == "not" {
				continue
			}
			t.Run(fmt.Sprintf("%s fork=%t contained=%t", c.attack, c.limits.Fork, r.Contains()), func(t *testing.T) {
				res, err := r.Run(context.Background(), Job{Path: program, Args: append([]string{c.attack}, c.args...), Env: []string{"A=1", "B=2=3"}, Limits: c.limits})
				if err != nil {
					t.Fatal(err)
				}
				output := string(res.Output[:min(len(res.Output), 2000)])
				broke := strings.Contains(output, "broke")
				if res.Ended != c.ended || broke != (!r.Contains() && c.unsafe == "breaks") || !broke && !strings.Contains(output, c.says) {
					t.Errorf("%v %d %s, %v CPU, %v, %d MB\n%s", res.Ended, res.Code, res.Signal, res.CPU, res.Wall, res.MaxMemory>>20, output)
				}
				limits := c.limits.orUsual()
				if int64(len(res.Output)) > limits.Output || int64(len(res.Report)) > limits.Report || res.CPU > limits.CPU+4*time.Second {
					t.Errorf("%d bytes of output, %d of report, %v CPU", len(res.Output), len(res.Report), res.CPU)
				}
				if c.attack == "loop" && res.CPU < limits.CPU {
					t.Errorf("ended after %v of the processor time of %v", res.CPU, limits.CPU)
				}
				if found := alive(program); len(found) > 0 {
					t.Errorf("alive: %v", found)
				}
			})
		}
	}

	run := func(t *testing.T, r Runner, job Job) Result {
		t.Helper()
		job.Path = program
		res, err := r.Run(context.Background(), job)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	t.Run("disks are one", func(t *testing.T) {
		res := run(t, sandbox, Job{Args: []string{"disks"}, Limits: Limits{Disk: 10 * mebi}})
		var n int
		if _, err := fmt.Sscanf(string(res.Output), "wrote %d", &n); err != nil || n > 10*mebi || n < 8*mebi {
			t.Errorf("%s", res.Output)
		}
	})
	t.Run("bombs end", func(t *testing.T) {
		res := run(t, sandbox, Job{Args: []string{"bomb", "400"}, Limits: Limits{Fork: true, Processes: 60}})
		var n int
		if _, err := fmt.Sscanf(string(res.Output), "started %d", &n); err != nil || n < 1 || n > 60 {
			t.Errorf("%s", res.Output)
		}
	})
	for _, r := range []Runner{sandbox, Unsafe()} {
		t.Run(fmt.Sprintf("survivor contained=%t", r.Contains()), func(t *testing.T) {
			env := map[bool]string{true: "empty", false: "inherited"}[r.Contains()]
			begin := time.Now()
			res := run(t, r, Job{Args: []string{"survivor", "mllabs-survivor", env}, Limits: fork})
			if found := alive("mllabs-survivor"); len(found) > 0 || string(res.Output) != "end\n" {
				t.Errorf("alive %v after %v: %s", found, time.Since(begin), res.Output)
			}
		})
		t.Run(fmt.Sprintf("writers contained=%t", r.Contains()), func(t *testing.T) {
			res := run(t, r, Job{Args: []string{"writers"}})
			if a, b := bytes.Count(res.Report, []byte("aaaaaaaaa\n")), bytes.Count(res.Report, []byte("bbbbbbbbb\n")); a != 1000 || b != 1000 {
				t.Errorf("%d and %d lines", a, b)
			}
		})
		t.Run(fmt.Sprintf("exit contained=%t", r.Contains()), func(t *testing.T) {
			if res := run(t, r, Job{Args: []string{"exit", "7"}}); res.Ended != Exited || res.Code != 7 {
				t.Errorf("%+v", res)
			}
		})
		t.Run(fmt.Sprintf("keep contained=%t", r.Contains()), func(t *testing.T) {
			folder := t.TempDir()
			run(t, r, Job{Args: []string{"keep", folder}, Writable: folder, Dir: folder})
			if b, err := os.ReadFile(filepath.Join(folder, "kept")); err != nil || string(b) != "kept" {
				t.Errorf("%q, error %v", b, err)
			}
		})
		t.Run(fmt.Sprintf("interrupted contained=%t", r.Contains()), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), small)
			defer cancel()
			if _, err := r.Run(ctx, Job{Path: program, Args: []string{"sleep"}}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
			if found := alive(program); len(found) > 0 {
				t.Errorf("alive: %v", found)
			}
		})
	}
	t.Run("write", func(t *testing.T) {
		job := Job{Args: []string{"write", checkout}, ReadOnly: []string{checkout}, Dir: checkout}
		for _, job.Limits.Fork = range []bool{false, true} {
			if res := run(t, sandbox, job); bytes.Contains(res.Output, []byte("broke")) || bytes.Count(res.Output, []byte("held")) != 4 {
				t.Errorf("%s", res.Output)
			}
		}
		entries, err := os.ReadDir(checkout)
		if b, err2 := os.ReadFile(theirs); err != nil || err2 != nil || len(entries) != 1 || string(b) != "theirs" {
			t.Errorf("%v, %q", entries, b)
		}
		if res := run(t, Unsafe(), job); bytes.Count(res.Output, []byte("broke")) != 4 {
			t.Errorf("without a sandbox: %s", res.Output)
		}
	})
	t.Run("many at once", func(t *testing.T) {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				res, err := sandbox.Run(context.Background(), Job{Path: program, Args: []string{"goroutines"}})
				if err != nil || res.Ended != Exited || res.Code != 0 {
					t.Errorf("%+v, error %v", res, err)
				}
			})
		}
		all.Wait()
	})
}

// Jobs that make no sense are not run.
func TestJobErrors(t *testing.T) {
	program, err := hostile()
	if err != nil {
		t.Fatal(err)
	}
	sandbox := contained(t)
	for name, job := range map[string]Job{
		"no program":          {Path: filepath.Join(filepath.Dir(program), "none")},
		"a folder":            {Path: filepath.Dir(program)},
		"a relative path":     {Path: "hostile"},
		"no file":             {Path: program, ReadOnly: []string{"/none"}},
		"a negative limit":    {Path: program, Limits: Limits{CPU: -1}},
		"an unseen folder":    {Path: program, Dir: "/etc"},
		"a dynamic one":       {Path: "/bin/sh"},
		"a nameless variable": {Path: program, Env: []string{"=x"}},
		"a zero byte":         {Path: program, Env: []string{"A=\x00--bind\x00/\x00/"}},
	} {
		if res, err := sandbox.Run(context.Background(), job); err == nil {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

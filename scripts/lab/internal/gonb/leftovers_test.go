//go:build linux

package gonb_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// server starts a kernel and, in it, a cell that never ends, says the kernel's process, and waits.
const server = `
import signal, sys
from jupyter_client.manager import start_new_kernel
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup, in front of the tests, has ignored
manager, client = start_new_kernel(kernel_name="gonb", startup_timeout=300)
client.execute("%noautoget\nimport \"fmt\"\n\n%%\nfmt.Println(\"begun\")\nfor {}")
while True:
    message = client.get_iopub_msg(timeout=300)
    if message["msg_type"] == "stream" and "begun" in message["content"]["text"]:
        break
print(manager.provisioner.pid, flush=True)
sys.stdin.read()
`

// having returns the processes that were started with an environment variable.
func having(t *testing.T, variable string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		// A process that has ended, and one of somebody else, says nothing.
		if b, err := os.ReadFile(file); err == nil && bytes.Contains(append([]byte{0}, b...), []byte("\x00"+variable+"\x00")) {
			pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
			pids = append(pids, pid)
		}
	}
	return pids
}

// Whichever of them is killed or asked to end, nothing is left of JupyterLab, its kernel, the program of
// a cell and gopls, and the next kernel removes the folder that a killed one could not.
func TestNothingIsLeft(t *testing.T) {
	tools := tools(t)
	temp := t.TempDir()
	start := func(t *testing.T) (cmd *exec.Cmd, kernel int) {
		cmd = exec.Command(tools.Python, "-c", server)
		cmd.Dir, cmd.Env = t.TempDir(), append(tools.Env(setup.DirPeople), "TMPDIR="+temp)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			cmd.Process.Kill()
			cmd.Wait()
			for _, pid := range having(t, "TMPDIR="+temp) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		})
		line, err := bufio.NewReader(out).ReadString('\n')
		if err == nil {
			kernel, err = strconv.Atoi(strings.TrimSpace(line))
		}
		if err != nil {
			t.Fatal(err)
		}
		return cmd, kernel
	}
	folders := func() []string {
		names, err := filepath.Glob(filepath.Join(temp, "*gonb_*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	for _, c := range []struct {
		what         string
		signal       syscall.Signal
		kernel       bool // is sent it, not the server
		leavesFolder bool
	}{
		{"the server is killed", syscall.SIGKILL, false, false},
		{"the server's terminal is closed", syscall.SIGHUP, false, false},
		{"the kernel is killed", syscall.SIGKILL, true, true},
		{"the kernel is asked to end", syscall.SIGTERM, true, false}, // and the folder before goes
	} {
		t.Run(c.what, func(t *testing.T) {
			cmd, kernel := start(t)
			if n := len(having(t, "TMPDIR="+temp)); n < 3 {
				t.Fatalf("%d processes, want the server, the kernel and a program at least", n)
			}
			if n := len(folders()); n != 1 {
				t.Errorf("%d folders while a kernel runs: %q", n, folders())
			}
			pid := cmd.Process.Pid
			if c.kernel {
				pid = kernel
			}
			if err := syscall.Kill(pid, c.signal); err != nil {
				t.Fatal(err)
			}
			if !c.kernel {
				cmd.Wait()
			}
			left := func() (pids []int) {
				for _, p := range having(t, "TMPDIR="+temp) {
					if p != cmd.Process.Pid {
						pids = append(pids, p)
					}
				}
				return pids
			}
			for end := time.Now().Add(waits.Long); len(left()) > 0; time.Sleep(50 * time.Millisecond) {
				if time.Now().After(end) {
					for _, p := range left() {
						line, _ := os.ReadFile("/proc/" + strconv.Itoa(p) + "/cmdline")
						t.Errorf("process %d is left: %q", p, line)
					}
					return
				}
			}
			if got := len(folders()) > 0; got != c.leavesFolder {
				t.Errorf("folders that are left: %q", folders())
			}
		})
	}
}

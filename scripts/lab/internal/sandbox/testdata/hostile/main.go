// Command hostile attacks whatever runs it, in the way that its first argument names. It
// prints a line with "broke" for each thing that it got and should not have.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	attack, args := attacks[os.Args[1]], os.Args[2:]
	if attack == nil {
		fmt.Fprintln(os.Stderr, "no such attack")
		os.Exit(99)
	}
	attack(args)
	fmt.Println("end")
}

// tried says how something went that must not go.
func tried(what string, err error) {
	if err == nil {
		fmt.Println("broke:", what)
	} else {
		fmt.Println("held:", what+":", err)
	}
}

var attacks = map[string]func(args []string){
	"nothing": func([]string) {},
	"loop": func([]string) {
		for {
		}
	},
	"loops": func([]string) {
		for range 3 {
			go func() {
				for {
				}
			}()
		}
		select {}
	},
	"sleep": func([]string) { time.Sleep(time.Hour) },
	"print": func([]string) {
		line := []byte(strings.Repeat("x", 1<<16))
		for range 1 << 14 {
			os.Stdout.Write(line)
		}
	},
	"report": func([]string) {
		line := []byte(strings.Repeat("x", 1<<16))
		for range 1 << 14 {
			syscall.Write(3, line)
		}
	},
	// Two write to the report at once; what each writes is whole.
	"writers": func([]string) {
		var all sync.WaitGroup
		for _, text := range []string{"a", "b"} {
			all.Go(func() {
				for range 1000 {
					syscall.Write(3, []byte(strings.Repeat(text, 9)+"\n"))
				}
			})
		}
		all.Wait()
	},
	"memory": func([]string) {
		var all [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			all = append(all, b)
		}
	},
	// Three processes that have each what one may have.
	"memories": func(args []string) {
		for range 3 {
			child := exec.Command(os.Args[0], "hoard", args[0])
			child.Stdout = os.Stdout
			if err := child.Start(); err != nil {
				fmt.Println("no child:", err)
			}
		}
		time.Sleep(time.Hour)
	},
	"hoard": func(args []string) {
		n, _ := strconv.Atoi(args[0])
		b := make([]byte, n)
		for {
			for i := 0; i < len(b); i += 4096 {
				b[i]++
			}
			time.Sleep(time.Millisecond)
		}
	},
	"shared": func([]string) {
		_, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANON)
		tried("shared memory", err)
		_, err = unix.MemfdCreate("x", 0)
		tried("a file in memory", err)
		_, err = unix.SysvShmGet(1, 1<<20, unix.IPC_CREAT|0o600)
		tried("System V's shared memory", err)
	},
	"zero": func([]string) {
		fd, err := unix.Open("/dev/zero", unix.O_RDWR, 0)
		if err == nil {
			_, err = unix.Mmap(fd, 0, 1<<30, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		}
		tried("shared memory of /dev/zero", err)
	},
	"bomb": func(args []string) {
		most, _ := strconv.Atoi(args[0])
		n := 0
		var err error
		for n < most {
			if err = exec.Command(os.Args[0], "sleep").Start(); err != nil {
				break
			}
			n++
		}
		fmt.Println("started", n, err)
	},
	"threads": func([]string) {
		for range 1000 {
			go func() {
				runtime.LockOSThread()
				time.Sleep(time.Hour)
			}()
		}
		time.Sleep(time.Hour)
	},
	"goroutines": func([]string) {
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() { time.Sleep(10 * time.Millisecond) })
		}
		all.Wait()
	},
	// A survivor holds all of our files open and is known by its argument.
	"survivor": func(args []string) {
		child := exec.Command(os.Args[0], "sleep", args[0])
		if args[1] == "empty" {
			child.Env = []string{}
		}
		child.Stdout, child.ExtraFiles = os.Stdout, []*os.File{os.NewFile(3, "report")}
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			fmt.Println("no child:", err)
		}
	},
	"disk": func([]string) {
		// Without a sandbox the limit comes from outside, when the program runs already.
		for limit := (syscall.Rlimit{}); ; time.Sleep(time.Millisecond) {
			if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil || limit.Cur < 1<<30 {
				break
			}
		}
		f, err := os.Create("large")
		n := 0
		for err == nil && n < 1<<30 {
			var k int
			k, err = f.Write(make([]byte, 1<<20))
			n += k
		}
		fmt.Println("wrote", n, err)
	},
	"disks": func([]string) {
		n := 0
		for i := range 1000 {
			b := make([]byte, 1<<20)
			if os.WriteFile(strconv.Itoa(i), b, 0o600) == nil {
				n += len(b)
			}
		}
		fmt.Println("wrote", n)
	},
	"files": func([]string) {
		for i := 0; ; i++ {
			os.WriteFile(strconv.Itoa(i), nil, 0o600)
		}
	},
	"network": func(args []string) {
		for _, a := range args {
			network, address, _ := strings.Cut(a, "=")
			conn, err := net.DialTimeout(network, address, 3*time.Second)
			if err == nil && network == "udp" {
				_, err = conn.Write([]byte("x"))
				if err == nil {
					conn.SetReadDeadline(time.Now().Add(time.Second))
					_, err = conn.Read(make([]byte, 1))
				}
			}
			tried(a, err)
		}
	},
	"read": func(args []string) {
		for _, name := range args {
			_, err := os.ReadDir(name)
			if err != nil {
				_, err = os.ReadFile(name)
			}
			tried(name, err)
		}
	},
	"write": func(args []string) {
		for _, folder := range args {
			tried("a file in "+folder, os.WriteFile(filepath.Join(folder, "mine"), []byte("x"), 0o600))
			theirs := filepath.Join(folder, "theirs")
			tried("to change "+theirs, os.WriteFile(theirs, []byte("x"), 0o600))
			tried("to open it up", os.Chmod(theirs, 0o777))
			tried("to remove it", os.Remove(theirs))
		}
	},
	"keep": func(args []string) {
		if err := os.WriteFile(filepath.Join(args[0], "kept"), []byte("kept"), 0o644); err != nil {
			fmt.Println(err)
		}
	},
	"calls": func([]string) {
		// Nobody has this number: a call that is made says that there is no such process.
		const none = 1<<22 + 1
		call := func(what string, made syscall.Errno, number uintptr, args ...uintptr) {
			args = append(args, 0, 0, 0, 0, 0, 0)
			_, _, err := syscall.RawSyscall6(number, args[0], args[1], args[2], args[3], args[4], args[5])
			if err == made {
				fmt.Println("broke:", what)
			} else {
				fmt.Println("held:", what+":", err)
			}
		}
		call("ptrace", syscall.ESRCH, unix.SYS_PTRACE, unix.PTRACE_ATTACH, none)
		call("process_vm_readv", syscall.ESRCH, unix.SYS_PROCESS_VM_READV, none)
		call("unshare", 0, unix.SYS_UNSHARE, unix.CLONE_FS)
		call("bpf", syscall.EINVAL, unix.SYS_BPF, 1<<20)
		call("keyctl", syscall.EOPNOTSUPP, unix.SYS_KEYCTL, 1<<20)
		call("clone3", syscall.EINVAL, unix.SYS_CLONE3)
		call("setns", syscall.EBADF, unix.SYS_SETNS, 1<<20)
		call("mount", syscall.EFAULT, unix.SYS_MOUNT, 1, 1)
		call("pidfd_getfd", syscall.EBADF, unix.SYS_PIDFD_GETFD, 1<<20)
	},
	"namespace": func([]string) {
		child := exec.Command(os.Args[0], "nothing")
		child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
		tried("a user namespace", child.Run())
	},
	"signal": func(args []string) {
		pid, _ := strconv.Atoi(args[0])
		tried("the process that runs us", syscall.Kill(pid, 0))
	},
	"massacre": func([]string) {
		syscall.Kill(-1, syscall.SIGKILL)
		syscall.Kill(1, syscall.SIGKILL)
	},
	"die": func([]string) {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	},
	// What others have in their environment and on their command lines.
	"others": func(args []string) {
		names, _ := filepath.Glob("/proc/[0-9]*/*")
		var found error = syscall.ENOENT
		for _, name := range names {
			if strings.HasSuffix(name, "/environ") || strings.HasSuffix(name, "/cmdline") {
				if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), args[0]) {
					found = nil
				}
			}
		}
		tried("a secret of others", found)
	},
	"descriptors": func(args []string) {
		var found error = syscall.EBADF
		for fd := 4; fd < 1024; fd++ {
			var s syscall.Stat_t
			if syscall.Fstat(fd, &s) == nil && s.Mode&syscall.S_IFMT == syscall.S_IFREG {
				found = nil
			}
		}
		tried("a file that somebody had open", found)
	},
	"environment": func([]string) { fmt.Println(os.Environ()) },
	"exec": func([]string) {
		tried("another program", syscall.Exec("/bin/true", []string{"true"}, nil))
	},
	"exit": func(args []string) {
		code, _ := strconv.Atoi(args[0])
		os.Exit(code)
	},
}

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Find returns a runner that holds against malice, or says what this machine lacks and
// what to do about it. It has tried the runner out: a program in it could not reach a port
// of this machine, read a file or start a second program.
func Find(ctx context.Context) (Runner, error) {
	b, err := installed(ctx)
	if err == nil {
		err = b.probe(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("there is no sandbox on this machine: %w", err)
	}
	b.groups = findControlGroups(b.bwrap, "--version")
	return b, nil
}

// installed finds the programs that a sandbox needs.
func installed(ctx context.Context) (b bubblewrap, err error) {
	if b.bwrap, err = exec.LookPath("bwrap"); err != nil {
		return b, errors.New("bubblewrap is not installed (apt-get install bubblewrap, or dnf install bubblewrap)")
	}
	if b.bwrap, err = filepath.Abs(b.bwrap); err != nil {
		return b, err
	}
	version, err := exec.CommandContext(ctx, b.bwrap, "--version").Output()
	if err != nil {
		return b, fmt.Errorf("%s --version: %w", b.bwrap, err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(version), "bubblewrap %d.%d", &major, &minor); err != nil || major == 0 && minor < 8 {
		return b, fmt.Errorf("it needs bubblewrap 0.8 or later, as Debian 12, Ubuntu 24.04 and Fedora have it; %s is %s", b.bwrap, bytes.TrimSpace(version))
	}
	if os.Geteuid() != 0 {
		return b, nil
	}
	for name, path := range map[string]*string{"setpriv": &b.setpriv, "prlimit": &b.prlimit} {
		if *path, err = exec.LookPath(name); err == nil {
			*path, err = filepath.Abs(*path)
		}
		if err != nil {
			return b, fmt.Errorf("root needs %s to give its rights away (apt-get install util-linux), or run this as another user", name)
		}
	}
	return b, nil
}

// probeName is the variable by which a program of ours knows that it runs as a probe.
const probeName = "MLLABS_SANDBOX_PROBE"

// probe runs this program itself in the sandbox, where it tries what must not work.
func (b bubblewrap) probe(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	libraries, err := mapped()
	if err != nil {
		return err
	}
	folder, err := scratch.New("probe")
	if err != nil {
		return err
	}
	defer folder.Remove()
	secret := filepath.Join(folder.Path, "secret")
	if err := errors.Join(os.Chmod(folder.Path, 0o755), os.WriteFile(secret, []byte("secret"), 0o644)); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	for _, fork := range []bool{false, true} {
		limits := Usual
		limits.Fork = fork
		res, err := b.Run(ctx, Job{
			Path:     self,
			ReadOnly: libraries,
			Env:      []string{probeName + "=" + strconv.Itoa(port) + " " + strconv.Itoa(os.Getpid()) + " " + secret},
			Limits:   limits,
		})
		if err != nil {
			return errors.Join(err, advice(err))
		}
		broken, ok := strings.CutSuffix(string(res.Report), "done\n")
		if !ok {
			return fmt.Errorf("a trial of bubblewrap did not come to its end: %v, exit status %d %s\n%s", res.Ended, res.Code, res.Signal, bytes.TrimSpace(res.Output))
		}
		if fork {
			if broken, ok = strings.CutSuffix(broken, secondProcess+"\n"); !ok {
				return fmt.Errorf("no program can be started in it: %s", bytes.TrimSpace(res.Output))
			}
		}
		if broken != "" {
			return fmt.Errorf("bubblewrap runs, but does not hold: a trial program had %s", strings.Join(strings.Fields(broken), " "))
		}
	}
	return nil
}

// mapped are the dynamic libraries of this program, and what loads them.
func mapped() ([]string, error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	var found []string
	for line := range strings.Lines(string(maps)) {
		if fields := strings.Fields(line); len(fields) == 6 && strings.Contains(filepath.Base(fields[5]), ".so") && !slices.Contains(found, fields[5]) {
			found = append(found, fields[5])
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if loader := interpreter(self); loader != "" && !slices.Contains(found, loader) {
		found = append(found, loader)
	}
	return found, nil
}

// advice says what to do where bwrap may not make namespaces, nil if it does not know.
func advice(err error) error {
	is := func(file, value string) bool {
		b, err := os.ReadFile(file)
		return err == nil && string(bytes.TrimSpace(b)) == value
	}
	exists := func(file string) bool {
		_, err := os.Stat(file)
		return !errors.Is(err, fs.ErrNotExist)
	}
	switch {
	case is("/proc/sys/kernel/unprivileged_userns_clone", "0"):
		return errors.New("user namespaces are switched off; sysctl kernel.unprivileged_userns_clone=1 switches them on")
	case is("/proc/sys/user/max_user_namespaces", "0"):
		return errors.New("no user namespaces are allowed; sysctl user.max_user_namespaces=10000 allows them")
	case exists("/.dockerenv"), exists("/run/.containerenv"):
		return errors.New("the container does not allow namespaces; start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or work outside of it")
	case is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"):
		return errors.New(`AppArmor lets only named programs make user namespaces, as Ubuntu has it since 24.04; write
    abi <abi/4.0>,
    include <tunables/global>
    profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }
into /etc/apparmor.d/bwrap and let systemctl reload apparmor read it`)
	}
	return nil
}

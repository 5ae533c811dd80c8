// Command lab sets up, runs, tests and prints the notebooks of mllabs.
//
//	go run ./scripts/lab help
//
// The work is done by internal/tool. On a machine where Go has compiled nothing yet, it takes
// Go a minute or more to build that, so this program imports next to nothing: it soon runs,
// and can report what is being compiled. It has the go command build the tool into .lab/bin,
// and then replaces its own process by it.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The exit code if the tool cannot be started. All others come from the tool.
const failed = 1

// A program is what a command is built into.
type program struct {
	name string
	tags string
	// work is the processor time, in seconds, that Go needs to compile it with an empty cache.
	work int
}

var (
	// light leaves out the files with the build constraint !light.
	light = program{"lab-light", "light", 55}
	whole = program{"lab", "", 170}
)

// lightCommands are those that light has.
var lightCommands = []string{"setup", "run", "reports", "new", "jupyter"}

func programFor(args []string) program {
	if len(args) > 0 && slices.Contains(lightCommands, args[0]) {
		return light
	}
	return whole
}

func main() { os.Exit(launch(os.Args[1:])) }

// launch builds the program and runs it, or becomes it and does not return.
func launch(args []string) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	root, err := checkout()
	if err != nil {
		fmt.Fprintf(os.Stderr, "lab: %v\n", err)
		return failed
	}
	path, folder, err := programFor(args).build(root, signals)
	if folder != "" {
		defer os.RemoveAll(folder)
	}
	if err == nil && len(signals) > 0 {
		err = errInterrupted
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "lab: %v\n", err)
		return failed
	}
	if folder == "" {
		_ = become(path, args) // returns only where it cannot
	}
	return runChild(path, args, signals)
}

// runChild runs the program as a child, and returns its exit code. A terminal sends Ctrl-C to
// both; other signals are passed on.
func runChild(path string, args []string, signals <-chan os.Signal) int {
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(os.Stderr, "lab: %v\n", err)
		return failed
	}
	go func() {
		for s := range signals {
			if s != os.Interrupt {
				cmd.Process.Signal(s)
			}
		}
	}()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		return code
	}
	return failed // a signal ended it
}

// checkout is the root of the checkout that the current folder is in. A go.work stands
// beside its go.mod, and the tool's sources below it.
func checkout() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "scripts", "lab", "internal", "tool")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not inside a checkout of mllabs; change to the folder that holds its go.work and try again", wd)
		}
	}
}

// build returns the path of the program, which the go command builds if it is not up to
// date. Several launchers may build at the same time, so each does so in its own folder and
// renames the result: no launcher then starts a program that is half written. If .lab/bin
// cannot be written, as in another user's checkout, or if the program is running and cannot
// be replaced, as on Windows, the program stays in that folder, which the caller removes.
func (p program) build(root string, signals <-chan os.Signal) (path, folder string, err error) {
	name := p.name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	bin := filepath.Join(root, ".lab", "bin")
	if folder, err = newFolder(bin); err != nil {
		folder, err = os.MkdirTemp("", "lab-launcher-")
	}
	if err != nil {
		return "", "", err
	}
	kept := filepath.Join(bin, name)
	path = filepath.Join(folder, name)
	// The go command does not link a program again that is up to date, which saves seconds.
	// To see that, it needs the old program in the place of the new one.
	anew := os.Link(kept, path) != nil
	if err := p.compile(root, path, anew, signals); err != nil {
		return "", folder, err
	}
	if same(path, kept) || os.Rename(path, kept) == nil {
		os.RemoveAll(folder)
		return kept, "", nil
	}
	return path, folder, nil
}

// newFolder makes a folder in bin, and removes those of launchers that were killed.
func newFolder(bin string) (string, error) {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	entries, _ := os.ReadDir(bin)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), "new-") && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(filepath.Join(bin, e.Name()))
		}
	}
	return os.MkdirTemp(bin, "new-")
}

func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

var errInterrupted = errors.New("interrupted; what has been compiled is kept")

// patience is how long to wait for the go command before reporting what it does, if there is
// a program already: it takes less time to find that one up to date.
const patience = 1500 * time.Millisecond

// compile has the go command build the program into a file, anew or as far as it is not up
// to date. The first signal asks it to end, the second ends it.
func (p program) compile(root, file string, anew bool, signals <-chan os.Signal) error {
	cmd := p.goCommand(context.Background(), filepath.Join(root, "scripts"), "build", "-v", "-buildvcs=false", "-o", file)
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("the go command is not on PATH; install Go (https://go.dev/dl/) and open a new terminal")
	}
	if err != nil {
		return err
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	show := newProgress(os.Stderr)
	counted := make(chan []string, 1)
	var asking sync.WaitGroup
	defer asking.Wait()
	counting, stop := context.WithCancel(context.Background())
	defer stop()
	silent := patience
	if anew {
		silent = 0
	}
	wait := time.NewTimer(silent)
	defer wait.Stop()
	interrupted := 0
	for lines != nil {
		select {
		case text, more := <-lines:
			if !more {
				lines = nil
				break
			}
			show.line(text)
		case <-wait.C:
			show.begin(p.work/runtime.NumCPU(), runtime.NumCPU(), anew)
			asking.Go(func() { counted <- p.stale(counting, cmd.Dir) })
		case packages := <-counted:
			show.of(packages)
		case <-signals:
			// A terminal has sent it to the go command as well; a second one does no harm.
			if interrupted++; interrupted > 1 || cmd.Process.Signal(os.Interrupt) != nil {
				cmd.Process.Kill()
			}
		}
	}
	err = cmd.Wait()
	show.clear()
	switch {
	case interrupted > 0:
		return errInterrupted
	case err != nil:
		return fmt.Errorf("cannot build the tool, for the reason that Go gives above: %w", err)
	}
	return nil
}

// stale returns the packages that the go command still has to compile.
func (p program) stale(ctx context.Context, dir string) []string {
	out, _ := p.goCommand(ctx, dir, "list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}").Output()
	return strings.Fields(string(out))
}

// goCommand returns a call of the go command for the program's package. It runs in the folder
// of the tool's module, which works with the checkout's go.work and without.
func (p program) goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	if p.tags != "" {
		args = append(args, "-tags", p.tags)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./lab/internal/tool")...)
	cmd.Dir = dir
	return cmd
}

// Package command is the command line of the tool: it parses arguments, calls
// the packages that do the work, and tells the reader how it went. Arguments
// flow in; text and an exit code flow out.
package command

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/cell"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// Exit codes of the tool.
const (
	OK     = 0 // all went well
	Failed = 1 // something that was asked for did not succeed, or was interrupted
	Usage  = 2 // the command line makes no sense
)

// A usageError is a mistake on the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported ends a command that has already said what is wrong.
var errReported = errors.New("failed")

// A command is one word after lab.
type command struct {
	name  string
	args  string // after the flags, for the usage line
	short string // one line
	long  string
	// run gets a flag set to add its flags to, and returns what to do once
	// they are parsed.
	run func(fs *flag.FlagSet) func(ctx context.Context, e *env, args []string) error
}

// env is what every command works with.
type env struct {
	project.Project
	out, err io.Writer
	in       io.Reader // where answers come from

	opened   sync.Once
	theirKey *key.Keys

	preparing sync.Mutex
	toolchain *cell.Toolchain // nil until somebody needs it
}

// keys are those of the checkout as its sources are when they are first asked for.
func (e *env) keys() *key.Keys {
	e.opened.Do(func() { e.theirKey = key.Open(e.Project) })
	return e.theirKey
}

func (e *env) say(format string, args ...any) { fmt.Fprintf(e.out, format+"\n", args...) }

// An output remembers that something could not be written.
type output struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// plain is what an output writes to, for programs that look whether it is a
// terminal.
func plain(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.w
	}
	return w
}

// available are the commands that the light tool has; those of whole.go and more.go are
// added to them.
var available = []command{setupCommand, runCommand, reportsCommand, newCommand, jupyterCommand}

// order is that of the help text.
var order = []string{"setup", "run", "check", "reports", "site", "exercises", "grade", "nbgrader", "syllabus", "test", "data", "uci", "bench", "new", "jupyter"}

func commands() []command {
	list := slices.Clone(available)
	slices.SortFunc(list, func(a, b command) int {
		return cmp.Compare(slices.Index(order, a.name), slices.Index(order, b.name))
	})
	return list
}

// Main runs the tool and returns its exit code.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		overview(stderr)
		return Usage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(rest, stdout, stderr)
	}
	c := find(name)
	if c == nil {
		fmt.Fprintf(stderr, "lab: no command is called %q\n\n", name)
		overview(stderr)
		return Usage
	}
	fs, do := c.flags(stderr)
	args, err := parse(fs, rest)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			c.help(stdout)
			return OK
		}
		fmt.Fprintf(stderr, "lab %s: %v (lab help %s explains)\n", name, err, name)
		return Usage
	}
	out := &output{w: stdout}
	e := &env{out: out, err: stderr, in: os.Stdin}
	err = func() (err error) {
		wd, err := os.Getwd()
		if err != nil {
			return err
		}
		if e.Project, err = project.Find(wd); err != nil {
			return err
		}
		return do(ctx, e, args)
	}()
	var usage usageError
	var unknown *project.UnknownError
	switch {
	case err == nil && out.err != nil:
		fmt.Fprintf(stderr, "lab %s: what it did could not be told: %v\n", name, out.err)
		return Failed
	case err == nil:
		return OK
	case errors.Is(err, errReported):
		return Failed
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "lab %s: interrupted; nothing was left half done\n", name)
		return Failed
	case errors.As(err, &unknown):
		fmt.Fprintf(stderr, "lab %s: %v\n", name, err)
		return Usage
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "lab %s: %v (lab help %s explains)\n", name, err, name)
		return Usage
	}
	fmt.Fprintf(stderr, "lab %s: %v\n", name, err)
	return Failed
}

// parse parses flags wherever they stand among the arguments, which it returns.
// After -- everything is an argument.
func parse(fs *flag.FlagSet, line []string) (args []string, err error) {
	for {
		if err := fs.Parse(line); err != nil {
			return nil, err
		}
		rest := fs.Args()
		read := len(line) - len(rest)
		if len(rest) == 0 || read > 0 && line[read-1] == "--" {
			return append(args, rest...), nil
		}
		args, line = append(args, rest[0]), rest[1:]
	}
}

func find(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

func (c command) flags(stderr io.Writer) (*flag.FlagSet, func(context.Context, *env, []string) error) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs, c.run(fs)
}

func (c command) help(w io.Writer) {
	fs, _ := c.flags(w)
	n := 0
	fs.VisitAll(func(*flag.Flag) { n++ })
	line := "usage: go run ./scripts/lab " + c.name
	if n > 0 {
		line += " [flags]"
	}
	if c.args != "" {
		line += " " + c.args
	}
	fmt.Fprintf(w, "%s\n\n%s\n", line, strings.TrimSpace(c.long))
	if n > 0 {
		fmt.Fprintf(w, "\nFlags:\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}

const exitCodes = "Exit codes: 0 all went well, 1 something failed or was interrupted, 2 the command line makes no sense."

func overview(w io.Writer) {
	fmt.Fprintf(w, "lab sets up, runs, tests and prints the notebooks of mllabs.\n\nusage: go run ./scripts/lab COMMAND [flags] [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.short)
	}
	fmt.Fprintf(w, "  %-9s %s\n\n%s\n", "help", "explain a command: lab help run", exitCodes)
}

func help(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		overview(stdout)
		return OK
	}
	c := find(args[0])
	if c == nil {
		fmt.Fprintf(stderr, "lab help: no command is called %q\n\n", args[0])
		overview(stderr)
		return Usage
	}
	c.help(stdout)
	fmt.Fprintf(stdout, "\n%s\n", exitCodes)
	return OK
}

//go:build !handout && !light

package command

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// hangs is how long go test lets a package's tests run. It is for those that would never
// end: on a busy machine the slowest take twenty times their minutes.
const hangs = "6h"

var testCommand = command{
	name:  "test",
	short: "go vet, go test with coverage, and the notebook checks",
	long: `
Sets up what is missing, then runs go vet and go test on all modules (a line for each
package, with the share of its statements that tests cover) and lab check. Fails
if any of them fails, and if no test ran at all. A notebook that cannot be run,
for want of scikit-learn or of a Python that can run any, is only looked at, and the
summary says so; with the environment variable CI set, that is a failure.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		fresh := fs.Bool("fresh", false, "run notebooks even if nothing changed since their last run")
		short := fs.Bool("short", false, "pass -short to go test, which leaves out slow tests")
		race := fs.Bool("race", false, "pass -race to go test")
		jobs := jobsFlag(fs)
		return func(ctx context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return usagef("test takes no arguments, got %q", args)
			}
			if err := checkJobs(*jobs); err != nil {
				return err
			}
			start := time.Now()
			c := &checker{env: e, via: *via, timeout: *timeout, fresh: *fresh, jobs: *jobs}
			var err error
			if err := setup.Peers(ctx, e.Project, setup.Options{Log: e.out}); err != nil {
				e.say("set-up: tests against scikit-learn will be skipped: %v", err)
			}
			if _, err := e.newPrinter(ctx); err != nil {
				e.say("set-up: tests that make PDFs will be skipped: %v", err)
			}
			if err := setup.ONNX(ctx, e.Project, setup.Options{Log: e.out}); err != nil {
				e.say("set-up: tests against ONNX Runtime will be skipped: %v", err)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			var lines []string
			ok := true
			note := func(good bool, format string, args ...any) {
				mark := "ok  "
				if !good {
					mark, ok = "FAIL", false
				}
				lines = append(lines, mark+" "+fmt.Sprintf(format, args...))
			}

			e.say("== go vet")
			err = e.goTool(ctx, "vet", allPackages)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			note(err == nil, "go vet")

			e.say("== go test")
			flags := []string{"test", "-json", "-cover", "-timeout", hangs}
			if *short {
				flags = append(flags, "-short")
			}
			if *race {
				flags = append(flags, "-race")
			}
			t, err := e.goTest(ctx, append(flags, allPackages))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			note(err == nil && t.failed == 0 && t.passed > 0, "go test: %s", t)

			e.say("== notebooks")
			nbs, err := e.Notebooks()
			if err != nil {
				return err
			}
			r, err := c.check(ctx, nbs)
			if err != nil {
				return err
			}
			if r.ok() && r.notRun > 0 {
				lines = append(lines, "-    "+r.String()) // neither good nor a failure
			} else {
				note(r.ok(), "%s", r)
			}

			e.say("\n%s\n%s in all", strings.Join(lines, "\n"), time.Since(start).Round(100*time.Millisecond))
			if !ok {
				return errReported
			}
			return nil
		}
	},
}

// allPackages matches the packages of every module of the checkout's go.work, which ./...
// does not.
const allPackages = project.Module + "/..."

// goCommand is the go command at the root, with the checkout's go.work and no other.
func (e *env) goCommand(ctx context.Context, args []string) *exec.Cmd {
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = e.Root
	cmd.Env = append(os.Environ(), "GOWORK=")
	return cmd
}

// goTool runs the go command and shows what it says.
func (e *env) goTool(ctx context.Context, args ...string) error {
	cmd := e.goCommand(ctx, args)
	cmd.Stdout, cmd.Stderr = plain(e.out), e.err
	return cmd.Run()
}

// A testCount counts the tests of a go test.
type testCount struct {
	passed, failed, skipped int // top-level tests and examples
	packages, failedPkgs    int
}

func (t testCount) String() string {
	s := fmt.Sprintf("%d passed, %d failed, %d skipped in %s", t.passed, t.failed, t.skipped, plural(t.packages, "package"))
	if t.failedPkgs > 0 {
		s += fmt.Sprintf(", %s failed", plural(t.failedPkgs, "package"))
	}
	if t.passed+t.failed == 0 {
		s += "; no test ran"
	}
	return s
}

// goTest runs go test -json and shows a line for each package, with the output
// of what fails.
func (e *env) goTest(ctx context.Context, args []string) (testCount, error) {
	cmd := e.goCommand(ctx, args)
	cmd.Stderr = e.err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return testCount{}, err
	}
	if err := cmd.Start(); err != nil {
		return testCount{}, err
	}
	t := countTests(out, e.out)
	err = cmd.Wait()
	if err == nil && t.failedPkgs > 0 {
		err = fmt.Errorf("%s failed", plural(t.failedPkgs, "package"))
	}
	return t, err
}

var coverage = regexp.MustCompile(`coverage: ([0-9.]+%)`)

// countTests reads the events of go test -json and reports packages as they end.
func countTests(events io.Reader, report io.Writer) testCount {
	var t testCount
	type state struct {
		output   map[string][]string // of tests that may yet fail
		coverage string
		tests    int
	}
	packages := map[string]*state{}
	s := bufio.NewScanner(events)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var ev struct {
			Action, Package, Test, Output, ImportPath string
			Elapsed                                   float64
		}
		if json.Unmarshal(s.Bytes(), &ev) != nil {
			fmt.Fprintln(report, s.Text())
			continue
		}
		if ev.Action == "build-output" {
			fmt.Fprint(report, ev.Output)
			continue
		}
		p := packages[ev.Package]
		if p == nil {
			p = &state{output: map[string][]string{}}
			packages[ev.Package] = p
		}
		top := ev.Test != "" && !strings.Contains(ev.Test, "/")
		switch ev.Action {
		case "output":
			p.output[ev.Test] = append(p.output[ev.Test], ev.Output)
			if m := coverage.FindStringSubmatch(ev.Output); m != nil && ev.Test == "" {
				p.coverage = m[1]
			}
		case "pass", "skip", "fail":
			if ev.Test != "" {
				if ev.Action == "fail" {
					fmt.Fprint(report, strings.Join(p.output[ev.Test], ""))
				}
				delete(p.output, ev.Test)
				if top {
					p.tests++
					switch ev.Action {
					case "pass":
						t.passed++
					case "fail":
						t.failed++
					case "skip":
						t.skipped++
					}
				}
				continue
			}
			t.packages++
			switch {
			case ev.Action == "fail":
				t.failedPkgs++
				for _, lines := range p.output {
					fmt.Fprint(report, strings.Join(lines, ""))
				}
				fmt.Fprintf(report, "FAIL %s\n", ev.Package)
			case p.tests == 0:
				fmt.Fprintf(report, "     %s  no tests\n", ev.Package)
			default:
				fmt.Fprintf(report, "ok   %s  %s, %.1f s, covered %s\n", ev.Package, plural(p.tests, "test"), ev.Elapsed, p.coverage)
			}
		}
	}
	return t
}

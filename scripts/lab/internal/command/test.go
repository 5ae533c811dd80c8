//go:build !handout && !light

package command

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"runtime"
	"slices"
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
	short: "go vet, go test, and the notebook checks",
	long: `
Runs go vet and the tests that need nothing but Go, of all modules: they answer
within some minutes. Then sets up what is missing, and runs the tests that build and
run cells, print or ask Python, and lab check. A test that fails shows its output at
once. Slow tests, such as those in a browser, run with --all only, as in
continuous integration. Notebooks run as programs. Every tenth, another one each day,
and those that have changed since the last commit run through the kernel. Exercises
are tried of these, and of notebooks whose key is not the one in notebooks/outputs.sum.
With --all, both are done for all. Fails if any of them fails, and if no test ran at all.

A notebook that cannot be run, for want of scikit-learn or of a Python that can
run any, is only looked at, and the summary says so; with the environment variable
CI set, that is a failure. What tests need and this machine lacks stands at the end.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via, timeout := viaFlag(fs), timeoutFlag(fs)
		fresh := fs.Bool("fresh", false, "run notebooks even if nothing changed since their last run")
		all := fs.Bool("all", false, "run the slow tests, too, and all notebooks through the kernel")
		jobs := jobsFlag(fs)
		return func(ctx context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return usagef("test takes no arguments, got %q", args)
			}
			if err := checkJobs(*jobs); err != nil {
				return err
			}
			start := time.Now()
			var lines []string
			ok := true
			note := func(good bool, format string, args ...any) {
				mark := "ok  "
				if !good {
					mark, ok = "FAIL", false
				}
				lines = append(lines, mark+" "+fmt.Sprintf(format, args...))
			}
			lacks := map[string][]string{}
			test := func(what string, packages []string, flags ...string) error {
				e.say("== go test of %s", what)
				flags = append([]string{"test", "-json", "-timeout", hangs}, flags...)
				if !*all {
					flags = append(flags, "-short")
				}
				begin := time.Now()
				t, err := e.goTest(ctx, append(flags, packages...), lacks)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				note(err == nil && t.failed == 0 && t.passed > 0, "go test of %s: %s, %s", what, t, time.Since(begin).Round(100*time.Millisecond))
				return nil
			}

			e.say("== go vet")
			err := e.goTool(ctx, "vet", allPackages)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			note(err == nil, "go vet")

			first, second, err := e.tiers(ctx)
			if err != nil {
				return err
			}
			if err := test("what needs nothing but Go", first); err != nil {
				return err
			}
			e.say("\n%s\n\n== set-up", strings.Join(lines, "\n"))
			if _, _, err = e.tryToSetUp(ctx, *via); err != nil {
				return err
			}
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

			// They also wait, for browsers and for programs that never end.
			if err := test("the rest", second, "-p", fmt.Sprint(runtime.GOMAXPROCS(0)+1)); err != nil {
				return err
			}

			e.say("== notebooks")
			nbs, err := e.Notebooks()
			if err != nil {
				return err
			}
			c := &checker{jobs: *jobs, runner: runner{env: e, via: *via, timeout: *timeout, fresh: *fresh, contained: true, kernel: func(int) bool { return true }}}
			if !*all {
				c.kernel = e.sample(ctx, nbs, time.Now())
				changed, err := e.changed(nbs)
				if err != nil {
					return err
				}
				c.compile = func(i int) bool { return c.kernel(i) || changed(i) }
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
			for _, what := range slices.Sorted(maps.Keys(lacks)) {
				tests := lacks[what]
				if n := len(tests) - 3; n > 0 {
					tests = append(tests[:3:3], fmt.Sprintf("%d more", n))
				}
				lines = append(lines, fmt.Sprintf("-    %s (%s)", what, strings.Join(tests, ", ")))
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

// go test starts packages in the order in which it is given them. With the longest last, one
// processor would work on those while the others idle, so both lists are by processor
// time, longest first. Where a package has moved, TestTiers says so.
var (
	// longest are those of the packages that need nothing but Go which take more than a
	// few seconds; the others come after them.
	longest = []string{
		"scripts/lab/internal/project", "mlcore/plotx", "notebooks/uci", "mlcore/modelfile", "mlcore/neighbors",
		"notebooks/ada511", "mlcore/internal/factor",
		"mlcore", "mlcore/linear", "notebooks/lab3/week3", "mlcore/internal/cart", "mlcore/examples", "notebooks/nbkit",
		"mlcore/sigtest", "mlcore/cluster", "mlcore/neural", "mlcore/ensemble", "scripts/lab/internal/bench", "datasets",
		"mlcore/preprocess", "mlcore/tree",
	}
	// equipped are the packages whose tests build cells, or need Python, a sandbox, a browser,
	// Node or Typst.
	equipped = []string{
		"scripts/lab/internal/browser", "scripts/lab/internal/command", "scripts/lab/internal/grade",
		"scripts/lab/internal/site", "scripts/lab/internal/run", "scripts/lab", "scripts/lab/internal/export",
		"scripts/lab/internal/nbgrader", "scripts/lab/internal/handout", "scripts/lab/internal/gonb",
		"scripts/lab/internal/cellbuild", "scripts/lab/internal/sandbox", "mlcore/onnx", "scripts/lab/internal/setup",
		"scripts/lab/internal/exercise", "scripts/lab/internal/cell", "scripts/lab/internal/mistakes",
		"scripts/lab/internal/texmath", "scripts/lab/internal/typst", "scripts/lab/internal/pdftext",
		"scripts/lab/internal/lite", "scripts/lab/internal/compress", "scripts/lab/internal/marking", "notebooks/cits5508",
		"notebooks/peers",
	}
)

// tiers are the packages to be tested: first those that need nothing but Go, then the equipped.
func (e *env) tiers(ctx context.Context) (first, second []string, err error) {
	cmd := e.goCommand(ctx, []string{"list", allPackages})
	cmd.Stderr = e.err
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w", err)
	}
	all := strings.Fields(string(out))
	take := func(names []string) (taken []string) {
		for _, name := range names {
			if i := slices.Index(all, project.Module+"/"+name); i >= 0 {
				taken, all = append(taken, all[i]), slices.Delete(all, i, i+1)
			}
		}
		return taken
	}
	second = take(equipped)
	return append(take(longest), all...), second, nil
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
// of what fails. What tests say that they need goes into lacks, with their names.
func (e *env) goTest(ctx context.Context, args []string, lacks map[string][]string) (testCount, error) {
	cmd := e.goCommand(ctx, args)
	cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", project.TestedVariable, time.Now().UnixNano()))
	cmd.Stderr = e.err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return testCount{}, err
	}
	if err := cmd.Start(); err != nil {
		return testCount{}, err
	}
	t := countTests(out, e.out, lacks)
	err = cmd.Wait()
	if err == nil && t.failedPkgs > 0 {
		err = fmt.Errorf("%s failed", plural(t.failedPkgs, "package"))
	}
	return t, err
}

// need finds what a skipped test says that it needs and the machine lacks, by the words
// with which the reasons of such tests begin. Other reasons are what was asked for (-short),
// or what no machine of the kind has.
var need = regexp.MustCompile(`^ +\w+\.go:\d+: (needs .*)`)

// slow is the number of seconds from which a package's longest test is named.
const slow = 10

// countTests reads the events of go test -json and reports packages as they end, with their
// longest test where it is slow, and tests as they fail.
func countTests(events io.Reader, report io.Writer, lacks map[string][]string) testCount {
	var t testCount
	type state struct {
		output  map[string][]string // of tests that may yet fail
		tests   int
		slowest string // the test that took longest, and its seconds
		seconds float64
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
		case "pass", "skip", "fail":
			if ev.Test != "" {
				switch ev.Action {
				case "fail":
					fmt.Fprintf(report, "FAIL %s %s\n%s", ev.Package, ev.Test, strings.Join(p.output[ev.Test], ""))
				case "skip":
					for _, line := range p.output[ev.Test] {
						if m := need.FindStringSubmatch(line); m != nil {
							lacks[m[1]] = append(lacks[m[1]], path.Base(ev.Package)+"."+ev.Test)
						}
					}
				}
				delete(p.output, ev.Test)
				if top {
					p.tests++
					if ev.Elapsed > p.seconds {
						p.slowest, p.seconds = ev.Test, ev.Elapsed
					}
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
				for _, test := range slices.Sorted(maps.Keys(p.output)) {
					fmt.Fprint(report, strings.Join(p.output[test], ""))
				}
				fmt.Fprintf(report, "FAIL %s\n", ev.Package)
			case p.tests == 0:
				fmt.Fprintf(report, "     %s  no tests\n", ev.Package)
			default:
				fmt.Fprintf(report, "ok   %s  %s, %.1f s", ev.Package, plural(p.tests, "test"), ev.Elapsed)
				if p.seconds >= slow {
					fmt.Fprintf(report, ", the longest %s, %.1f s", p.slowest, p.seconds)
				}
				fmt.Fprintln(report)
			}
		}
	}
	return t
}

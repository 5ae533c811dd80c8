package command

import (
	"context"
	"errors"
	"flag"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

var setupCommand = command{
	name:  "setup",
	short: "make what running notebooks needs (other commands do it by themselves)",
	long: `
Builds the GoNB kernel from scripts/go.mod into .lab/bin and makes a private Python
environment with Jupyter in .venv from scripts/lab/requirements.txt, unless they
are up to date. Where pip cannot work, the system's packages are used, and if they are
not there, a terminal is asked whether apt-get may install them; --via apt uses only
those, and installs them unasked. gopls is built into .lab/gopls, for Tab completion and hover
documentation; where it cannot be had, all else works. --peers also installs scikit-learn privately, for comparisons.
In your home folder only Go's own caches grow; to undo, delete .lab and .venv.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		via := viaFlag(fs)
		withPeers := fs.Bool("peers", false, "install scikit-learn into .lab/peers too")
		return func(ctx context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return usagef("setup takes no arguments, got %q", args)
			}
			tools, err := e.setUp(ctx, *via)
			if err != nil {
				return err
			}
			if err := e.completion(ctx, setup.Options{Log: e.out, Progress: e.out}); err != nil {
				return err
			}
			if *withPeers {
				if err := setup.Peers(ctx, e.Project, setup.Options{Log: e.out}); err != nil {
					return err
				}
			}
			e.say("set-up: ready (kernel in .lab/bin, Python from %s)", tools.How)
			return nil
		}
	},
}

// completion sets up gopls. Where it cannot be had it says so in a line; only an
// interruption is an error.
func (e *env) completion(ctx context.Context, o setup.Options) error {
	err := setup.Gopls(ctx, e.Project, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		e.say("set-up: no Tab completion and hover documentation, for gopls cannot be built: %s", lastLine(err))
	}
	return nil
}

// lastLine is what a program said before it failed.
func lastLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func viaFlag(fs *flag.FlagSet) *string {
	return fs.String("via", "auto", "where Python's packages come from: auto, pip or apt, which may then install what is missing")
}

// tryToSetUp is setUp for commands that have something to do without: the reason
// why notebooks cannot be run here is returned and told. Only mistakes on the
// command line and interruptions are errors.
func (e *env) tryToSetUp(ctx context.Context, via string) (tools *setup.Tools, cannot, err error) {
	tools, cannot = e.setUp(ctx, via)
	var usage usageError
	switch {
	case cannot == nil:
		return tools, nil, nil
	case ctx.Err() != nil, errors.As(cannot, &usage):
		return nil, nil, cannot
	}
	e.say("%v\nset-up: going on without running notebooks", cannot)
	return nil, cannot, nil
}

// firstLine is the gist of an error that tells a story.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimSuffix(line, ":")
}

func (e *env) setUp(ctx context.Context, via string) (*setup.Tools, error) {
	switch setup.Via(via) {
	case setup.Auto, setup.Pip, setup.Apt:
	default:
		return nil, usagef("--via %s: use auto, pip or apt", via)
	}
	return setup.Run(ctx, e.Project, setup.Options{Via: setup.Via(via), Log: e.out, Progress: e.out, Agree: e.agree(via)})
}

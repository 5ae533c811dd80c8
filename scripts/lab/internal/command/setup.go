package command

import (
	"context"
	"flag"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

var setupCommand = command{
	name:  "setup",
	short: "make what running notebooks needs (other commands do it by themselves)",
	long: `
Builds the GoNB kernel from go.mod into .lab/bin and makes a private Python
environment with Jupyter in .venv from scripts/lab/requirements.txt, unless they
are up to date. Where pip cannot work, the system's packages are used; --via apt
uses only those. --peers also installs scikit-learn privately, for comparisons.
Nothing in your home folder is changed; to undo, delete .lab and .venv.`,
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

func viaFlag(fs *flag.FlagSet) *string {
	return fs.String("via", "auto", "where Python's packages come from: auto, pip or apt")
}

func (e *env) setUp(ctx context.Context, via string) (*setup.Tools, error) {
	switch setup.Via(via) {
	case setup.Auto, setup.Pip, setup.Apt:
	default:
		return nil, usagef("--via %s: use auto, pip or apt", via)
	}
	return setup.Run(ctx, e.Project, setup.Options{Via: setup.Via(via), Log: e.out})
}

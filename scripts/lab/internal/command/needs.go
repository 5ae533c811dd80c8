package command

import (
	"context"
	"fmt"
	"os"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

// A needer finds out, once, whether what notebooks need is installed.
type needer struct {
	*env
	noPeers *string
}

func (e *env) newNeeder() *needer { return &needer{env: e} }

// missing says what a notebook needs and this machine lacks, "" if nothing.
func (n *needer) missing(ctx context.Context, needs notebook.Needs) string {
	if !needs.Peers {
		return ""
	}
	if n.noPeers == nil {
		why := ""
		if err := setup.Peers(ctx, n.Project, setup.Options{Log: n.out}); err != nil {
			why = "Python's scikit-learn is missing"
			n.say("set-up: no scikit-learn: %v", err)
		}
		n.noPeers = &why
	}
	return *n.noPeers
}

// inCI says whether this run decides over a change, where a notebook that could
// not be run is as bad as one that failed.
func inCI() bool {
	v := os.Getenv("CI")
	return v != "" && v != "0" && v != "false"
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

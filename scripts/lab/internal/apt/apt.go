// Package apt installs packages of Debian and Ubuntu where somebody has agreed to it:
// they change the whole system, not the checkout alone. Names of packages and a
// person's consent flow in; installed programs, or the command to type, flow out.
package apt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// An Agree puts a question to a person and returns whether the answer was yes. A nil one
// stands for nobody, who agrees to nothing.
type Agree func(ctx context.Context, question string) bool

// Always is the consent that was given beforehand, such as on the command line.
func Always(context.Context, string) bool { return true }

// ErrUnavailable says that this system has no apt-get.
var ErrUnavailable = errors.New("this system has no apt-get")

// patience is how long apt-get may take to end in order when it is asked to: killed at
// the wrong time, it leaves packages half installed.
const patience = 10 * time.Minute

// Install installs packages if agree says yes to the command, which the question names.
// Without consent, or rights, the error says which command to run.
func Install(ctx context.Context, agree Agree, log io.Writer, packages ...string) error {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return ErrUnavailable
	}
	command := "apt-get install -y --no-install-recommends " + strings.Join(packages, " ")
	if os.Geteuid() != 0 {
		return fmt.Errorf("run\n    sudo %s\n  and try again", command)
	}
	if agree == nil || !agree(ctx, "Run "+command+"?") {
		return fmt.Errorf("run\n    %s\n  and try again, or give --via apt, by which this tool runs it", command)
	}
	if log != nil {
		fmt.Fprintf(log, "set-up: %s (some minutes)\n", command)
	}
	args := strings.Fields(command)[1:]
	err := run(ctx, args...)
	if err != nil && ctx.Err() == nil {
		// The lists may be missing or old, as they are in fresh containers.
		if err = run(ctx, "update"); err == nil {
			err = run(ctx, args...)
		}
	}
	return err
}

func run(ctx context.Context, args ...string) error {
	cmd := process.Gentle(ctx, patience, "apt-get", args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("apt-get %s: %w\n    %s", strings.Join(args, " "), err, strings.Join(lines[max(0, len(lines)-15):], "\n    "))
	}
	return nil
}

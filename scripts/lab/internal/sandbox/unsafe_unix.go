//go:build unix

package sandbox

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// Unsafe returns a runner that holds against mistakes only: a job runs with the rights
// of this process, sees the whole machine and may use the network. Its limits of time,
// output and report hold everywhere, those of memory and of a file's size on Linux; the
// number of processes and the scratch folder as a whole are not limited. A process that
// has left the job's group is found at the end by its environment, on Linux.
func Unsafe() Runner { return unsafeRunner{} }

type unsafeRunner struct{}

func (unsafeRunner) Contains() bool { return false }

func (unsafeRunner) Run(ctx context.Context, job Job) (Result, error) {
	if err := job.check(); err != nil {
		return Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	limits := job.Limits.orUsual()
	mark := "MLLABS_JOB=" + rand.Text()
	cmd := exec.Command(job.Path, job.Args...)
	cmd.Env = append(append([]string{}, job.Env...), mark)
	cmd.Dir = job.Dir
	if cmd.Dir == "" {
		folder, err := scratch.New("job")
		if err != nil {
			return Result{}, err
		}
		defer folder.Remove()
		cmd.Dir = filepath.Join(folder.Path, "work") // the folder itself holds its lock
		if err := os.Mkdir(cmd.Dir, 0o700); err != nil {
			return Result{}, err
		}
	}
	process.OwnGroup(cmd)
	a := &attempt{limits: limits, cmd: cmd}
	started := make(chan struct{})
	a.started = func() error {
		limitProcess(cmd.Process.Pid, limits)
		close(started)
		return nil
	}
	a.kill = func() {
		<-started
		process.KillGroup(cmd.Process.Pid)
		process.KillMarked(mark)
	}
	a.look = func() usage { return usageOf(cmd.Process.Pid) }
	res, err := a.run(ctx)
	if err != nil {
		return Result{}, err
	}
	limits.explain(&res)
	return res, nil
}

//go:build unix

package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// An attempt is a job at work.
type attempt struct {
	limits Limits
	cmd    *exec.Cmd
	// started is called once cmd has been started, and before its end is waited for.
	started func() error
	// look says what the job takes at the moment; nil where that cannot be told.
	look func() usage
	// kill ends everything that the job has started.
	kill func()

	mu     sync.Mutex
	reason Ended // the first that was found, or Exited
	peak   usage
}

// A usage is what the living processes of a job take together.
type usage struct {
	cpu    time.Duration // also of the dead that somebody has waited for
	memory int64         // bytes; of the past, too
	full   bool          // more files than anybody needs
}

// maxFiles bounds the files of a scratch folder: each takes a kilobyte of the kernel's
// memory, which no other limit counts.
const maxFiles = 1 << 16

// interval is how often a job is looked at.
const interval = 50 * time.Millisecond

// leastShare is the part of its time that a job has to work, once [Limits.Wall] is over.
// It takes no longer than so many times its processor time, or Wall.
const leastShare = 20

// stop ends the job for a reason; the first one counts.
func (a *attempt) stop(why Ended) {
	a.mu.Lock()
	if a.reason == Exited {
		a.reason = why
	}
	a.mu.Unlock()
	a.kill()
}

// A pipe takes what a job writes, as far as its limit, and lets spill what follows up to another.
type pipe struct {
	r, w  *os.File
	b     bytes.Buffer
	spill int64
	done  chan struct{}
}

func newPipe() (*pipe, error) {
	r, w, err := os.Pipe()
	return &pipe{r: r, w: w, done: make(chan struct{})}, err
}

// read reads to the end, or calls full once there is more than the limit and what is spilt.
func (p *pipe) read(limit int64, full func()) {
	defer close(p.done)
	if _, err := io.CopyN(&p.b, p.r, limit); err != nil {
		return
	}
	if n, _ := io.CopyN(io.Discard, p.r, p.spill+1); n > p.spill {
		full()
	}
}

// run starts the command, with the job's report as file descriptor 3, and waits for
// its end, of which it is the cause if a limit is passed.
func (a *attempt) run(ctx context.Context) (Result, error) {
	var pipes [2]*pipe
	for i := range pipes {
		p, err := newPipe()
		if err != nil {
			return Result{}, err
		}
		defer p.r.Close()
		defer p.w.Close()
		pipes[i] = p
	}
	output, report := pipes[0], pipes[1]
	output.spill = a.limits.Spill
	a.cmd.Stdout, a.cmd.Stderr = output.w, output.w
	a.cmd.ExtraFiles = append([]*os.File{report.w}, a.cmd.ExtraFiles...)
	begin := time.Now()
	if err := a.cmd.Start(); err != nil {
		return Result{}, err
	}
	output.w.Close()
	report.w.Close()
	go output.read(a.limits.Output, func() { a.stop(TooMuchOutput) })
	go report.read(a.limits.Report, func() { a.stop(TooMuchOutput) })
	ended := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { a.watch(ctx, ended) })
	err := a.started()
	if err != nil {
		a.kill()
	}
	waited := a.cmd.Wait()
	close(ended)
	watching.Wait()
	a.kill()
	for _, p := range pipes {
		// What has escaped every kill may hold the other end.
		p.r.SetReadDeadline(time.Now().Add(5 * time.Second))
		<-p.done
	}
	state := a.cmd.ProcessState
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return Result{}, err
	} else if state == nil {
		return Result{}, waited
	}
	res := Result{
		Ended:     a.reason,
		Code:      state.ExitCode(),
		Output:    output.b.Bytes(),
		Report:    report.b.Bytes(),
		CPU:       max(state.UserTime()+state.SystemTime(), a.peak.cpu),
		Wall:      time.Since(begin),
		MaxMemory: a.peak.memory,
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		res.Signal = status.Signal().String()
		if res.Ended == Exited {
			res.Ended = Killed
		}
	}
	return res, nil
}

// explain finds the limit that stands behind a job's end where nobody of us ended it.
func (l Limits) explain(res *Result) {
	switch {
	// The kernel, where the watcher came too late.
	case res.Ended == Killed && res.Signal == syscall.SIGKILL.String() && res.CPU >= l.CPU:
		res.Ended = OutOfTime
	case res.Ended == Exited && res.Code == 2 && lacksMemory(res.Output):
		res.Ended = OutOfMemory
	}
}

// lacksMemory tells whether Go's runtime ended a program for want of memory.
func lacksMemory(output []byte) bool {
	for _, message := range []string{"fatal error: runtime: out of memory", "fatal error: runtime: cannot allocate memory", "fatal error: out of memory", "runtime: cannot map pages in arena address space"} {
		if bytes.Contains(output, []byte(message)) {
			return true
		}
	}
	return false
}

// watch ends the job when its time is over, or when all its processes together take
// more than they may, which no limit of the kernel's own bounds.
func (a *attempt) watch(ctx context.Context, ended <-chan struct{}) {
	begin := time.Now()
	wall := time.NewTimer(a.limits.Wall)
	defer wall.Stop()
	next := time.NewTimer(2 * time.Millisecond) // for those that end at once
	defer next.Stop()
	for pause := 4 * time.Millisecond; ; pause = min(2*pause, interval) {
		select {
		case <-ended:
			return
		case <-ctx.Done():
			a.kill()
			return
		case <-wall.C:
			if a.look == nil {
				a.stop(OutOfTime)
				return
			}
		case <-next.C:
			next.Reset(pause)
		}
		if a.look == nil {
			continue
		}
		now := a.look()
		a.peak.cpu, a.peak.memory = max(a.peak.cpu, now.cpu), max(a.peak.memory, now.memory)
		elapsed := time.Since(begin)
		switch {
		case now.cpu > a.limits.CPU, elapsed > a.limits.Wall && a.peak.cpu < elapsed/leastShare:
			a.stop(OutOfTime)
			return
		case now.memory > a.limits.Memory || now.full:
			a.stop(OutOfMemory)
			return
		}
	}
}

// String names the reason, for messages.
func (e Ended) String() string {
	switch e {
	case Exited:
		return "exited"
	case Killed:
		return "killed"
	case OutOfTime:
		return "out of time"
	case OutOfMemory:
		return "out of memory"
	case TooMuchOutput:
		return "too much output"
	}
	return fmt.Sprintf("Ended(%d)", int(e))
}

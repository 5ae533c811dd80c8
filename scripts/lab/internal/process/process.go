package process

import (
	"context"
	"os/exec"
	"time"
)

// Command is like [exec.CommandContext], but the command gets a process group of
// its own, and the end of ctx kills the whole group.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	OwnGroup(cmd)
	cmd.Cancel = func() error { KillGroup(cmd.Process.Pid); return nil }
	// A grandchild that left the group may hold a pipe open.
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Gentle is like [Command], but the end of ctx asks the group to end and kills
// only after patience: for programs that must not be stopped halfway, such as a
// package manager.
func Gentle(ctx context.Context, patience time.Duration, name string, args ...string) *exec.Cmd {
	cmd := Command(ctx, name, args...)
	cmd.Cancel = func() error { endGroup(cmd.Process.Pid); return nil }
	cmd.WaitDelay = patience
	return cmd
}

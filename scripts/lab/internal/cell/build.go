//go:build !js

package cell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// buildLimits are what the compiler and the linker get: twenty times what a notebook
// takes. There are programs that keep a compiler busy for ever. Fork, because both map
// files as shared memory; neither runs what it builds.
var buildLimits = sandbox.Limits{CPU: 20 * time.Second, Wall: 5 * time.Minute, Memory: 2 << 30, Disk: 256 << 20, Processes: 128, Fork: true}

// A Binary is a program that was built.
type Binary struct {
	chain *Toolchain
	path  string
}

// Build compiles the program into an empty folder of the caller's, an absolute path. What
// is wrong with its cells is an [Errors].
func (t *Toolchain) Build(ctx context.Context, runner sandbox.Runner, p *Program, dir string) (*Binary, error) {
	set, err := t.knowing(ctx, p.Imports())
	if err != nil {
		return nil, err
	}
	const archive, config = "cells.a", "importcfg"
	err = os.WriteFile(filepath.Join(dir, config), set.Config(), 0o644)
	compile := set.Compile(archive, config, "-trimpath", dir)
	for _, f := range p.files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, f.name), f.text, 0o644))
		compile = append(compile, f.name)
	}
	if err != nil {
		return nil, err
	}
	if err := t.run(ctx, runner, dir, "compile", compile); err != nil {
		return nil, err
	}
	b := &Binary{chain: t, path: filepath.Join(dir, "cells")}
	return b, t.run(ctx, runner, dir, "link", set.Link(b.path, config, archive))
}

// run runs a tool of Go in a folder.
func (t *Toolchain) run(ctx context.Context, runner sandbox.Runner, dir, tool string, args []string) error {
	r, err := runner.Run(ctx, sandbox.Job{Path: archives.Tool(t.goroot, tool), Args: args, Dir: dir, Writable: dir, ReadOnly: []string{t.goroot, t.cache},
		Env: []string{"GOROOT=" + t.goroot, "HOME=" + dir, "TMPDIR=" + dir, "TMP=" + dir, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}, Limits: buildLimits})
	switch {
	case err != nil:
		return err
	case r.Ended == sandbox.Exited && r.Code == 0:
		return nil
	}
	said := saidOf(r.Output)
	if r.Ended != sandbox.Exited {
		said.Stopped = true
		said.Rest = strings.TrimSpace(said.Rest + "\nthe compiler was stopped: it took too long, or too much memory")
	} else if len(said.Cells) == 0 && said.Rest == "" {
		said.Rest = fmt.Sprintf("%s ended with exit status %d", tool, r.Code)
	}
	return said
}

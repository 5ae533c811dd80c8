package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// goplsModule is what the kernel asks for Tab completion and documentation. It is
// no tool of go.mod, whose golang.org/x/tools is older than it needs.
const goplsModule = "golang.org/x/tools/gopls@v0.23.0"

// Gopls builds gopls into .lab/gopls, where the kernels of people find it, unless it
// is there. Everything else works without it.
func Gopls(ctx context.Context, p project.Project, o Options) error {
	dir := p.Lab("gopls")
	stamp := goplsModule + " " + runtime.Version()
	ready := func() bool {
		r := readRecord(filepath.Join(dir, "gopls.stamp"))
		return r != nil && r.Stamp == stamp && r.intact(dir, byContents)
	}
	s, unlock, err := begin(ctx, p, o)
	if err != nil {
		return err
	}
	defer unlock()
	if ready() {
		return nil
	}
	// Go takes a damaged program with the right head for its own work.
	if err := errors.Join(folder(dir), os.RemoveAll(filepath.Join(dir, "gopls"))); err != nil {
		return err
	}
	s.say("set-up: building gopls into .lab/gopls, for Tab completion and documentation (two minutes, once)")
	if err := s.run(ctx, []string{"GOBIN=" + dir, "GOFLAGS=-ldflags=-s", "GOWORK=off", "CGO_ENABLED=0"}, "go", "install", goplsModule); err != nil {
		return err
	}
	r, err := newRecord(stamp, dir, []string{"gopls"}, byContents)
	if err != nil {
		return err
	}
	return r.write(filepath.Join(dir, "gopls.stamp"))
}

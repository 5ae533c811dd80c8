package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// goplsModule is what the kernel asks for Tab completion and documentation. It is
// no tool of go.mod, whose golang.org/x/tools is older than it needs.
const goplsModule = "golang.org/x/tools/gopls@v0.23.0"

// Gopls builds gopls into .lab/gopls, where the kernels of people find it, unless it
// is there. Everything else works without it, meanwhile too.
func Gopls(ctx context.Context, p project.Project, o Options) error {
	dir := p.Lab("gopls")
	stamp := goplsModule + " " + runtime.Version()
	ready := func() bool {
		r := readRecord(filepath.Join(dir, "gopls.stamp"))
		return r != nil && r.Stamp == stamp && r.intact(dir, byContents)
	}
	s, unlock, err := begin(ctx, p, o, "gopls.lock")
	if err != nil {
		return err
	}
	defer unlock()
	if ready() {
		return nil
	}
	// It is built aside, because a kernel may look for it at any time. Go takes a damaged program with the right head
	// for its own work.
	aside := filepath.Join(dir, "new")
	if err := errors.Join(folder(dir), os.RemoveAll(filepath.Join(dir, "gopls")), os.RemoveAll(aside), folder(aside)); err != nil {
		return err
	}
	s.say("set-up: building gopls into .lab/gopls; once it is there, Tab completes names and Shift-Tab shows documentation (two minutes, once)")
	// Half of the processors are left to the first cells of a notebook.
	flags := fmt.Sprintf("GOFLAGS=-ldflags=-s -v -p=%d", max(1, runtime.NumCPU()/2))
	err = s.run(ctx, []string{"GOBIN=" + aside, flags, "GOWORK=off", "CGO_ENABLED=0"}, "go", "install", goplsModule)
	if err == nil {
		err = os.Rename(filepath.Join(aside, "gopls"), filepath.Join(dir, "gopls"))
	}
	if err := errors.Join(err, os.RemoveAll(aside)); err != nil {
		return err
	}
	r, err := newRecord(stamp, dir, []string{"gopls"}, byContents)
	if err != nil {
		return err
	}
	return r.write(filepath.Join(dir, "gopls.stamp"))
}

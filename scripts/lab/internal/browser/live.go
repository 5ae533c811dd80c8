package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/closure"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

// liveModule is the folder of the program that moves figures.
const liveModule = "scripts/lab/internal/live/module"

// Live builds the module of package live, which moves the figures of pages, and returns it
// with the script of Go that starts it. Of opts it takes Cache and Log.
func Live(ctx context.Context, root string, opts Options) (wasm, exec []byte, err error) {
	b := &builder{root: root, opts: opts}
	b.cache = b.opts.cacheIn(root)
	if b.gocmd, b.goVersion, err = newGoCommand(ctx, root); err != nil {
		return nil, nil, err
	}
	if exec, err = b.goScript(); err != nil {
		return nil, nil, err
	}
	module, err := closure.Open(root).Hash(project.Module + "/" + liveModule)
	if err != nil {
		return nil, nil, err
	}
	kept := filepath.Join(b.cache, "live", key.Of(b.goVersion, module)+".wasm")
	if wasm, err = os.ReadFile(kept); err == nil {
		return wasm, exec, nil
	}
	b.say("browser: what moves the figures")
	folder, err := scratch.New("live")
	if err != nil {
		return nil, nil, err
	}
	defer folder.Remove()
	out := filepath.Join(folder.Path, "live.wasm")
	if _, err := b.gocmd.runIn(ctx, filepath.Join(root, "scripts"), "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./"+strings.TrimPrefix(liveModule, "scripts/")); err != nil {
		return nil, nil, err
	}
	if wasm, err = os.ReadFile(out); err != nil {
		return nil, nil, err
	}
	return wasm, exec, errors.Join(os.MkdirAll(filepath.Dir(kept), 0o755), atomicfile.Write(kept, wasm))
}

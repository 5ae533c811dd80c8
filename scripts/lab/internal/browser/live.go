package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/sources"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
)

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
	key, err := b.liveKey()
	if err != nil {
		return nil, nil, err
	}
	kept := filepath.Join(b.cache, "live", key+".wasm")
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
	if _, err := b.gocmd.runIn(ctx, filepath.Join(root, "scripts"), "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./lab/internal/live/module"); err != nil {
		return nil, nil, err
	}
	if wasm, err = os.ReadFile(out); err != nil {
		return nil, nil, err
	}
	return wasm, exec, errors.Join(os.MkdirAll(filepath.Dir(kept), 0o755), atomicfile.Write(kept, wasm))
}

// liveKey changes with all that the module is made of.
func (b *builder) liveKey() (string, error) {
	library, err := sources.Hash(b.root)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, b.goVersion, library)
	err = filepath.WalkDir(filepath.Join(b.root, "scripts", "lab", "internal", "live"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(path), len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}

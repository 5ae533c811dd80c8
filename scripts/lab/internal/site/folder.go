package site

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/compress"
)

// A folder is where a site is made.
type folder struct {
	root string

	mu    sync.Mutex
	files int
	bytes int64
}

// path is a file's, from its path in the site with slashes.
func (f *folder) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *folder) write(name string, data []byte) error {
	file := f.path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// compressible are the endings of files that become smaller.
var compressible = []string{".html", ".css", ".js", ".json", ".svg", ".ipynb", ".wasm", ".otf", ".ttf"}

// minCompressed is the size of a file, in bytes, from which a compressed form saves a
// packet of the network.
const minCompressed = 1400

// compress writes name.br and name.gz beside each file that becomes smaller by it,
// unless they are there, and counts what the site holds.
func (f *folder) compress(ctx context.Context, effort compress.Effort) error {
	var names []string
	err := filepath.WalkDir(f.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, name := range names {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f.compressFile(name, effort)
		})
	}
	return group.Wait()
}

func (f *folder) compressFile(name string, effort compress.Effort) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f.count(info.Size())
	if info.Size() < minCompressed || !slices.Contains(compressible, filepath.Ext(name)) {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for ending, pack := range map[string]func([]byte, compress.Effort) ([]byte, error){".br": compress.Brotli, ".gz": compress.Gzip} {
		if _, err := os.Stat(name + ending); err == nil {
			continue // the engine has brought it
		}
		packed, err := pack(data, effort)
		if err != nil {
			return err
		}
		if len(packed) >= len(data) {
			continue
		}
		if err := os.WriteFile(name+ending, packed, 0o644); err != nil {
			return err
		}
		f.count(int64(len(packed)))
	}
	return nil
}

func (f *folder) count(size int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files++
	f.bytes += size
}

package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/compress"
)

// A File is one of those that a page fetches, with its sizes in bytes.
type File struct {
	Name   string `json:"file"`
	Size   int    `json:"size"`
	Brotli int    `json:"br"`
	Gzip   int    `json:"gz"`
}

// A fileStore is a folder of files that are called after their content, each with its
// compressed forms beside it.
type fileStore struct {
	dir    string
	effort compress.Effort
}

// put writes a file unless it is there. name is "compile.wasm", for "compile-1a2b3c4d.wasm".
func (s *fileStore) put(name string, data []byte) (File, error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return File{}, err
	}
	sum := sha256.Sum256(data)
	ending := filepath.Ext(name)
	f := File{Name: fmt.Sprintf("%s-%s%s", name[:len(name)-len(ending)], hex.EncodeToString(sum[:4]), ending), Size: len(data)}
	forms := []struct {
		ending string
		size   *int
		make   func() ([]byte, error)
	}{
		{"", new(int), func() ([]byte, error) { return data, nil }},
		{".gz", &f.Gzip, func() ([]byte, error) { return compress.Gzip(data, s.effort) }},
		{".br", &f.Brotli, func() ([]byte, error) { return compress.Brotli(data, s.effort) }},
	}
	for _, form := range forms {
		path := filepath.Join(s.dir, f.Name+form.ending)
		if info, err := os.Stat(path); err == nil {
			*form.size = int(info.Size())
		} else {
			b, err := form.make()
			if err == nil {
				err = atomicfile.Write(path, b)
			}
			if err != nil {
				return File{}, err
			}
			*form.size = len(b)
		}
	}
	return f, nil
}

package browser

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
)

// A File is one of those that a page fetches, with its sizes in bytes.
type File struct {
	Name   string `json:"file"`
	Size   int    `json:"size"`
	Brotli int    `json:"br"`
	Gzip   int    `json:"gz"`
}

// A shelf is a folder of files that are called after their content, each with its
// compressed forms beside it.
type shelf struct {
	dir   string
	quick bool
}

// put writes a file unless it is there. name is "compile.wasm", for "compile-1a2b3c4d.wasm".
func (s *shelf) put(name string, data []byte) (File, error) {
	sum := sha256.Sum256(data)
	ending := filepath.Ext(name)
	f := File{Name: fmt.Sprintf("%s-%s%s", name[:len(name)-len(ending)], hex.EncodeToString(sum[:4]), ending), Size: len(data)}
	forms := []struct {
		ending string
		size   *int
		make   func() ([]byte, error)
	}{
		{"", new(int), func() ([]byte, error) { return data, nil }},
		{".gz", &f.Gzip, func() ([]byte, error) { return gzipped(data, s.quick) }},
		{".br", &f.Brotli, func() ([]byte, error) { return brotlied(data, s.quick) }},
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

func gzipped(data []byte, quick bool) ([]byte, error) {
	var b bytes.Buffer
	level := gzip.BestCompression
	if quick {
		level = gzip.BestSpeed
	}
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// brotlied takes half a second of a processor for a megabyte. The next quality takes many
// times that.
func brotlied(data []byte, quick bool) ([]byte, error) {
	var b bytes.Buffer
	level := 9
	if quick {
		level = 2
	}
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: level, LGWin: 24})
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

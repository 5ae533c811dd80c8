// Package compress makes the compressed forms of files that a site holds beside them.
package compress

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"
)

// An Effort says what counts more, the size or the time.
type Effort int

const (
	// Small takes about a second of a processor for a megabyte by brotli. The next quality
	// takes ten times that for a twentieth less.
	Small Effort = iota
	// Fast is for tests.
	Fast
)

// Gzip compresses data by gzip.
func Gzip(data []byte, effort Effort) ([]byte, error) {
	level := gzip.BestCompression
	if effort == Fast {
		level = gzip.BestSpeed
	}
	return written(data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, level) })
}

// Brotli compresses data by brotli, with a window of 16 MB.
func Brotli(data []byte, effort Effort) ([]byte, error) {
	quality := 9
	if effort == Fast {
		quality = 2
	}
	return written(data, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: quality, LGWin: 24}), nil
	})
}

func written(data []byte, begin func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var b bytes.Buffer
	w, err := begin(&b)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

package datasets

import (
	"fmt"
	"io"
	"os"
)

// readPublished reads a file that should be f, and checks it. What is no regular file is an
// error before it is opened, for a pipe would wait for a writer and a device might never
// end; so is a file of another size.
func readPublished(f File, path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w (%s); put a file in its place", path, ErrNotRegular, info.Mode())
	case info.Size() != f.Size:
		return nil, fmt.Errorf("%s: %w: %s has %d bytes; %s", f.Name, ErrChecksum, path, info.Size(), f.expected())
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, f.Size+1) // one more, for a file that grows
	n, err := io.ReadFull(r, data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	return data[:n], check(f, data[:n], path)
}

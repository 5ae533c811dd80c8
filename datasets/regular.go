package datasets

import (
	"fmt"
	"io"
	"os"
)

// openRegular opens a file to be read. What is no regular file is an error before
// it is opened, for a pipe would wait for a writer and a device might never end;
// so is a file of more than limit bytes. The size is that of the moment: read no
// more than limit.
func openRegular(path string, limit int64) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s: %w but a %s; put a file in its place", path, ErrNotRegular, kindOf(info.Mode()))
	case info.Size() > limit:
		return nil, 0, fmt.Errorf("%s: %w: it has %d bytes, at most %d are read", path, ErrTooLarge, info.Size(), limit)
	}
	f, err = os.Open(path)
	return f, info.Size(), err
}

func kindOf(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&os.ModeNamedPipe != 0:
		return "pipe"
	case m&os.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// readPublished reads a file that should be f, and checks it.
func readPublished(f File, path string) ([]byte, error) {
	data, err := readUnchecked(f, path)
	if err != nil {
		return nil, err
	}
	return data, check(f, data, path)
}

// readUnchecked reads a file that should be f. Its size is compared first: one of
// another size is not read.
func readUnchecked(f File, path string) ([]byte, error) {
	r, size, err := openRegular(path, 1<<62)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size != f.Size {
		return nil, fmt.Errorf("%s: %w: %s has %d bytes; %s", f.Name, ErrChecksum, path, size, f.expected())
	}
	data := make([]byte, size+1) // one more, for a file that grows
	n, err := io.ReadFull(r, data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	return data[:n], nil
}

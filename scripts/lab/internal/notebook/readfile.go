package notebook

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxFile is the largest notebook that is read, in bytes.
const MaxFile = 256 << 20

// ReadFile reads a regular file of at most limit bytes. Anything else is an error
// before it is opened: a pipe would wait for a writer, and a device might never
// end.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", path, info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, limit))
	return b, errors.Join(err, f.Close())
}

package datasets

import (
	"fmt"
	"slices"
)

// ReadFile returns the bytes of one file of a set, as published and checked
// against its pin, for those who want to read it in their own way. A file
// that is not at hand is an error, as for [Load].
func ReadFile(name, file string) ([]byte, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(set.Files, func(f File) bool { return f.Name == file })
	if i < 0 {
		return nil, fmt.Errorf("%s: %w: it has no file %q", name, ErrUnknown, file)
	}
	return set.Files[i].read(name)
}

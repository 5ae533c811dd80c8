package datasets

import (
	"context"
	"fmt"
	"slices"
)

// ReadFile returns the bytes of one file of a set, as published and checked
// against its pin, for those who want to read it in their own way. Like [Load] it
// downloads a file that is not at hand, unless MLLABS_OFFLINE=1.
func ReadFile(name, file string) ([]byte, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(set.Files, func(f File) bool { return f.Name == file })
	if i < 0 {
		return nil, fmt.Errorf("%s: %w: it has no file %q", name, ErrUnknown, file)
	}
	_, data, err := obtain(context.Background(), set.Files[i], defaultFetcher(), false, nil)
	if err != nil {
		return nil, inSet(name, err)
	}
	return data, nil
}

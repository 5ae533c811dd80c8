package datasets

import (
	"errors"
	"fmt"
	"io/fs"
)

// Find returns where each file of a set is, without the network; the files are
// read and checked. If one is nowhere, the error wraps [ErrNotFound] and names
// every place that was looked in and how to get the file; if one is not as
// published, it wraps [ErrChecksum].
func Find(name string) ([]Location, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	var all []Location
	for _, f := range set.Files {
		loc, err := f.Find()
		if err != nil {
			return nil, inSet(name, withRemedy(name, f, err))
		}
		all = append(all, loc)
	}
	return all, nil
}

// Find is the package's [Find] for one file. A file that is not as published
// is an error together with where it is.
func (f File) Find() (Location, error) {
	loc, _, err := locate(f)
	return loc, err
}

// Check reads the file at a path and compares it with what was published. The
// error wraps [fs.ErrNotExist] if there is none, and [ErrChecksum] if it is another.
func (f File) Check(path string) error {
	_, err := readPublished(f, path)
	return err
}

// read returns the checked bytes of a file of a set.
func (f File) read(set string) ([]byte, error) {
	_, data, err := locate(f)
	if err != nil {
		return nil, inSet(set, withRemedy(set, f, err))
	}
	return data, nil
}

// withRemedy adds to the error of a file that was not found how to get it.
func withRemedy(set string, f File, err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w; %s", err, remedy(set, f, checkout() != ""))
}

// remedy says how to get a file. A program that is built outside of a checkout cannot
// run the tool there.
func remedy(set string, f File, inCheckout bool) string {
	fetch := fmt.Sprintf("\"go run ./scripts/lab data fetch %s\"", set)
	if !inCheckout {
		fetch = fmt.Sprintf("download.Fetch(ctx, %q, nil) of package datasets/download", set)
	}
	return fmt.Sprintf("fetch it with %s, or save %s there", fetch, f.URL)
}

// Available is [Find] in one line: where the set comes from, or why it cannot
// be had without the network.
func Available(name string) (from Source, err error) {
	all, err := Find(name)
	if err != nil {
		return "", err
	}
	return all[len(all)-1].From, nil
}

// Verify checks every copy of a set's files in every place, also those that
// are hidden by a copy in an earlier place, and returns the good ones. The
// error joins one for each copy that is not as published; it wraps
// [ErrNotFound] if there is no copy of a file at all.
func Verify(name string) ([]Location, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	var (
		good []Location
		errs []error
	)
	for _, f := range set.Files {
		found := false
		for _, p := range places() {
			loc, _, err := p.read(f)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			found = true
			if err != nil {
				errs = append(errs, inSet(name, err))
			} else {
				good = append(good, loc)
			}
		}
		if !found {
			_, _, err := locate(f)
			errs = append(errs, inSet(name, withRemedy(name, f, err)))
		}
	}
	return good, errors.Join(errs...)
}

func inSet(name string, err error) error {
	return fmt.Errorf("data set %q: %w", name, err)
}

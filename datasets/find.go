package datasets

import (
	"context"
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
		loc, _, err := locate(f)
		if err != nil {
			return nil, inSet(name, withRemedy(f, err))
		}
		all = append(all, loc)
	}
	return all, nil
}

// withRemedy adds to the error of a file that was not found how to get it.
func withRemedy(f File, err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w; fetch it with \"go run ./scripts/lab data fetch\", or save %s there", err, f.URL)
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

// Fetch makes sure that all files of a set are at hand, downloads those that
// are not into [FilesDir], and returns where they are. A file that is there but
// not as published is replaced, except in the folder of MLLABS_DATASETS, which
// is the user's. progress may be nil.
//
// Cancelling ctx stops a download at once. Errors wrap [ErrDownload] and leave
// no partial file behind.
func Fetch(ctx context.Context, name string, progress Progress) ([]Location, error) {
	set, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	var all []Location
	for _, f := range set.Files {
		loc, _, err := obtain(ctx, f, defaultFetcher(), true, progress)
		if err != nil {
			return nil, inSet(name, err)
		}
		all = append(all, loc)
	}
	return all, nil
}

// obtain returns the checked bytes of a file from wherever they are, by
// download if need be. replace says whether to download over bytes that are
// not as published.
func obtain(ctx context.Context, f File, t *fetcher, replace bool, progress Progress) (Location, []byte, error) {
	loc, data, err := locate(f)
	switch {
	case err == nil:
		return loc, data, nil
	case errors.Is(err, ErrNotFound):
	case errors.Is(err, ErrChecksum) && replace && (loc.From == FromFiles || loc.From == FromShared):
	default:
		return loc, nil, err
	}
	dir, dirErr := FilesDir()
	if dirErr != nil {
		return loc, nil, fmt.Errorf("%w; %w", err, dirErr)
	}
	if fetchErr := t.fetch(ctx, f, dir, progress); fetchErr != nil {
		return loc, nil, fmt.Errorf("%w; %w", err, fetchErr)
	}
	return locate(f)
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
			errs = append(errs, inSet(name, withRemedy(f, err)))
		}
	}
	return good, errors.Join(errs...)
}

func inSet(name string, err error) error {
	return fmt.Errorf("data set %q: %w", name, err)
}

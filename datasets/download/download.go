// Package download fetches data files from their official homes: the name of a set flows
// in, the locations of its checked files flow out. Programs that are built outside of a
// checkout need it, since a checkout contains all files. It is separate from package
// datasets because the network would double what a program links.
//
// A file is kept in [datasets.FilesDir]. It is written beside its final place and
// renamed once it is whole and its checksum right, so that a partial file is never
// seen. With MLLABS_OFFLINE=1 nothing is downloaded.
package download

import (
	"context"
	"errors"
	"fmt"

	"github.com/mllabs-go/mllabs/datasets"
)

// EnvOffline names the environment variable that, set to 1, forbids downloads.
const EnvOffline = "MLLABS_OFFLINE"

// The sentinel errors of this package.
var (
	// ErrDownload: a file could not be had from its home.
	ErrDownload = errors.New("download failed")
	// ErrOffline: a download is needed and MLLABS_OFFLINE forbids it.
	ErrOffline = errors.New("downloads are switched off by " + EnvOffline)
)

// Progress is told how a download goes on: done of f.Size bytes are here.
type Progress func(f datasets.File, done int64)

// Fetch makes sure that all files of a set are at hand, downloads those that
// are not into [datasets.FilesDir], and returns where they are. A file that is there
// but not as published is replaced, except in the folder of MLLABS_DATASETS, which
// is the user's. progress may be nil.
//
// Cancelling ctx stops a download at once. Errors wrap [ErrDownload] and leave
// no partial file behind.
func Fetch(ctx context.Context, name string, progress Progress) ([]datasets.Location, error) {
	set, err := datasets.Lookup(name)
	if err != nil {
		return nil, err
	}
	var all []datasets.Location
	for _, f := range set.Files {
		loc, err := obtain(ctx, f, defaultFetcher(), progress)
		if err != nil {
			return nil, fmt.Errorf("data set %q: %w", name, err)
		}
		all = append(all, loc)
	}
	return all, nil
}

// obtain finds a file, or downloads it if it is nowhere or is damaged in a place
// that is not the user's.
func obtain(ctx context.Context, f datasets.File, t *fetcher, progress Progress) (datasets.Location, error) {
	loc, err := f.Find()
	switch {
	case err == nil:
		return loc, nil
	case errors.Is(err, datasets.ErrNotFound):
	case errors.Is(err, datasets.ErrChecksum) && loc.From != datasets.FromEnv:
	default:
		return loc, err
	}
	dir, dirErr := datasets.FilesDir()
	if dirErr != nil {
		return loc, fmt.Errorf("%w; %w", err, dirErr)
	}
	if fetchErr := t.fetch(ctx, f, dir, progress); fetchErr != nil {
		return loc, fmt.Errorf("%w; %w", err, fetchErr)
	}
	return f.Find()
}

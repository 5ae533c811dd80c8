package datasets

import (
	"errors"

	"github.com/mllabs-go/mllabs/mlcore/frame"
)

// The sentinel errors of this package; what is wrong with the content of a
// user's table wraps one of mlcore's.
var (
	// ErrUnknown: no set of that name in the catalogue.
	ErrUnknown = errors.New("unknown data set")
	// ErrNotFound: a file is in none of the places it is looked for.
	ErrNotFound = errors.New("data file not found")
	// ErrChecksum: a file is not the published one, byte for byte.
	ErrChecksum = errors.New("not the published bytes")
	// ErrNotRegular: there is a folder, a pipe or a device in the place of a file.
	ErrNotRegular = frame.ErrNotRegular
	// ErrTooLarge: a file has more bytes than are read.
	ErrTooLarge = frame.ErrTooLarge
)

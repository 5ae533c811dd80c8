package datasets

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
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
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge: a file has more bytes than are read.
	ErrTooLarge = errors.New("file too large")
)

// How much of what is wrong an error repeats: the bytes of a text, the texts of a list.
const (
	mostQuoted = 80
	mostListed = 20
)

// quoted quotes a text, of a long one the beginning.
func quoted[T string | []byte](text T) string {
	if len(text) <= mostQuoted {
		return strconv.Quote(string(text))
	}
	begin := strings.ToValidUTF8(string(text[:mostQuoted]), "") // a letter may be cut
	return fmt.Sprintf("%q... (%d bytes)", begin, len(text))
}

// quotedList quotes the first texts of a list.
func quotedList(texts []string) string {
	var b strings.Builder
	for i, text := range texts[:min(len(texts), mostListed)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoted(text))
	}
	if more := len(texts) - mostListed; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return "[" + b.String() + "]"
}

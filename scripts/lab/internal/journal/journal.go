// Package journal keeps what a long work has done so far on disk, so that the work
// can be stopped at any moment and gone on with. Entries flow in one by one, each a
// line of JSON with its checksum; after a stop the whole entries flow out again.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"

	"github.com/gofrs/flock"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

var (
	// ErrInUse says that another process writes the journal.
	ErrInUse = errors.New("another run is writing it")
	// ErrForeign says that the file is something else, which is left as it is.
	ErrForeign = errors.New("the file is no journal, or its first line is damaged")

	errOther = errors.New("of another key")
)

// A Journal is an open journal. Its methods are for one goroutine at a time.
type Journal struct {
	file *os.File
	lock *flock.Flock
}

// header is the first entry.
type header struct {
	Key string `json:"key"`
}

// Open opens the journal at path, or begins one. key stands for everything that
// the entries depend on: a journal with another key that has entries is moved to
// path.old, and a new one begun. entries are what is there already. From the first
// damaged line on everything is thrown away; a last line cut short, as a sudden end
// leaves it, is none. note says what is not used and why, and is "" otherwise.
func Open(path, key string) (j *Journal, entries []json.RawMessage, note string, err error) {
	lock := flock.New(path)
	locked, err := lock.TryLock()
	if err != nil {
		return nil, nil, "", fmt.Errorf("journal: %w", err)
	}
	if !locked {
		return nil, nil, "", fmt.Errorf("journal %s: %w", path, ErrInUse)
	}
	j = &Journal{lock: lock}
	defer func() {
		if err != nil {
			j.Close()
			j = nil
		}
	}()
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return j, nil, "", fmt.Errorf("journal: %w", err)
	}
	data, err := notebook.ReadFile(path, notebook.MaxFile)
	if err != nil {
		return j, nil, "", fmt.Errorf("journal: %w", err)
	}
	entries, good, note, err := read(data, key)
	switch {
	case errors.Is(err, errOther):
		note = "it is of other settings or another version of the program; all is done again"
		if bytes.Count(data, []byte("\n")) > 1 {
			if err = os.WriteFile(path+".old", data, 0o644); err != nil {
				return j, nil, "", fmt.Errorf("journal: %w", err)
			}
			note += ", and what it held is kept in " + path + ".old"
		}
	case err != nil:
		return j, nil, "", fmt.Errorf("journal %s: %w", path, err)
	}
	if err = j.file.Truncate(int64(good)); err != nil {
		return j, nil, "", fmt.Errorf("journal: %w", err)
	}
	if _, err = j.file.Seek(int64(good), 0); err != nil {
		return j, nil, "", fmt.Errorf("journal: %w", err)
	}
	if good == 0 {
		err = j.Add(header{key})
	}
	return j, entries, note, err
}

// read returns the entries after the header and the length of the good part.
func read(data []byte, key string) (entries []json.RawMessage, good int, note string, err error) {
	for line := 1; ; line++ {
		end := bytes.IndexByte(data[good:], '\n')
		if end < 0 && (line > 1 || beginsHeader(data)) {
			return entries, good, "", nil
		}
		entry, ok := unseal(data[good : good+max(end, 0)])
		if line == 1 {
			var h header
			switch {
			case !ok || json.Unmarshal(entry, &h) != nil || h.Key == "":
				return nil, 0, "", ErrForeign
			case h.Key != key:
				return nil, 0, "", errOther
			}
		} else if !ok {
			return entries, good, fmt.Sprintf("line %d is damaged; what it and those after it held is done again", line), nil
		} else {
			entries = append(entries, entry)
		}
		good += end + 1
	}
}

// beginsHeader reports whether data, without an end of line, can be a header cut
// short.
func beginsHeader(data []byte) bool {
	const start = ` {"key":"`
	for _, c := range data[:min(len(data), sumDigits)] {
		if !strings.ContainsRune("0123456789abcdef", rune(c)) {
			return false
		}
	}
	rest := string(data[min(len(data), sumDigits):])
	return strings.HasPrefix(rest, start) || strings.HasPrefix(start, rest)
}

const sumDigits = 8

func seal(entry []byte) []byte {
	return fmt.Appendf(nil, "%0*x %s\n", sumDigits, crc32.ChecksumIEEE(entry), entry)
}

func unseal(line []byte) (json.RawMessage, bool) {
	if len(line) <= sumDigits+1 {
		return nil, false
	}
	entry := line[sumDigits+1:]
	want := seal(entry)
	return bytes.Clone(entry), bytes.Equal(line, want[:len(want)-1])
}

// Add writes an entry. Once it has returned, the entry outlasts the process.
func (j *Journal) Add(entry any) error {
	data, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if _, err := j.file.Write(seal(data)); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// Close leaves the journal for a later run.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, j.lock.Unlock())
}

// Remove closes the journal and deletes it: the work is done.
func (j *Journal) Remove() error {
	path := j.lock.Path()
	err := os.Remove(path)
	return errors.Join(err, j.Close())
}

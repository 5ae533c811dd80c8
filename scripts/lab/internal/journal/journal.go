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

	"github.com/gofrs/flock"
)

// ErrInUse says that another process writes the journal.
var ErrInUse = errors.New("another run is writing it")

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
// the entries depend on: those of a journal with another key are thrown away.
// entries are what is there already. From the first damaged line on everything is
// thrown away too, except that a last line cut short, as a sudden end leaves it,
// is none. note says what was thrown away and why, and is "" otherwise.
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
	data, err := os.ReadFile(path)
	if err != nil {
		return j, nil, "", fmt.Errorf("journal: %w", err)
	}
	entries, good, note := read(data, key)
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
func read(data []byte, key string) (entries []json.RawMessage, good int, note string) {
	for line := 1; ; line++ {
		end := bytes.IndexByte(data[good:], '\n')
		if end < 0 {
			return entries, good, note
		}
		entry, ok := unseal(data[good : good+end])
		if !ok {
			return entries, good, fmt.Sprintf("line %d is damaged; what it and those after it held is done again", line)
		}
		if line == 1 {
			var h header
			if json.Unmarshal(entry, &h) != nil || h.Key != key {
				return nil, 0, "it is of other settings or another version of the program; all is done again"
			}
		} else {
			entries = append(entries, entry)
		}
		good += end + 1
	}
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

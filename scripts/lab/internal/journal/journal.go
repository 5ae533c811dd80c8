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
	end  int64 // of the last whole line
}

// header is the first entry.
type header struct {
	Key string `json:"key"`
}

// Open opens the journal at path, or begins one. key stands for everything that
// the entries depend on: a journal with another key that has entries is moved to
// path.old, and a new one begun. entries are what is there already, in their order, and
// have to make sense without each other: a damaged line is left out, the others stay, and
// the file as it was is kept as path.old. A last line cut short, as a sudden end leaves it,
// is none. note says what is not used and why, and is "" otherwise.
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
	entries, kept, damaged, err := read(data, key)
	switch {
	case errors.Is(err, errOther):
		note = "it is of other settings or another version of the program; all is done again"
		if bytes.Count(data, []byte("\n")) > 1 {
			if err = os.WriteFile(path+".old", data, 0o644); err != nil {
				return j, nil, "", fmt.Errorf("journal: %w", err)
			}
			note += ", and what it held is kept in " + path + ".old"
		}
		err = j.rewrite(nil)
	case err != nil:
		return j, nil, "", fmt.Errorf("journal %s: %w", path, err)
	case len(damaged) > 0:
		note = fmt.Sprintf("%s damaged and left out; the file as it was is kept as %s.old", linesAre(damaged), path)
		if err = os.WriteFile(path+".old", data, 0o644); err == nil {
			err = j.rewrite(kept)
		}
	default:
		j.end = int64(len(kept))
		err = j.back()
	}
	if err == nil && j.end == 0 {
		err = j.Add(header{key})
	}
	if err != nil {
		return j, nil, "", fmt.Errorf("journal: %w", err)
	}
	return j, entries, note, nil
}

// linesAre names lines, "line 3 is" or "lines 3 and 7 are" or, of many, the first.
func linesAre(lines []int) string {
	switch len(lines) {
	case 1:
		return fmt.Sprintf("line %d is", lines[0])
	case 2:
		return fmt.Sprintf("lines %d and %d are", lines[0], lines[1])
	}
	return fmt.Sprintf("line %d and %d others are", lines[0], len(lines)-1)
}

// rewrite makes kept all that the file holds.
func (j *Journal) rewrite(kept []byte) error {
	if err := j.back(); err != nil {
		return err
	}
	_, err := j.file.Write(kept)
	j.end = int64(len(kept))
	return err
}

// back takes away what stands behind the last whole line.
func (j *Journal) back() error {
	err := j.file.Truncate(j.end)
	if err == nil {
		_, err = j.file.Seek(j.end, 0)
	}
	return err
}

// read returns the entries after the header, the whole lines with the header, and the
// numbers of the damaged ones.
func read(data []byte, key string) (entries []json.RawMessage, kept []byte, damaged []int, err error) {
	rest := data
	for line := 1; ; line++ {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 && (line > 1 || beginsHeader(rest)) {
			return entries, kept, damaged, nil
		}
		entry, ok := unseal(rest[:max(end, 0)])
		if line == 1 {
			var h header
			switch {
			case !ok || json.Unmarshal(entry, &h) != nil || h.Key == "":
				return nil, nil, nil, ErrForeign
			case h.Key != key:
				return nil, nil, nil, errOther
			}
		} else if ok {
			entries = append(entries, entry)
		} else {
			damaged = append(damaged, line)
		}
		if ok {
			kept = append(kept, rest[:end+1]...)
		}
		rest = rest[end+1:]
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

// Add writes an entry. Once it has returned, the entry outlasts the process. One that
// cannot be written whole, on a full disk, leaves no piece behind.
func (j *Journal) Add(entry any) error {
	data, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	n, err := j.file.Write(seal(data))
	if err != nil {
		return fmt.Errorf("journal: %w", errors.Join(err, j.back()))
	}
	j.end += int64(n)
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

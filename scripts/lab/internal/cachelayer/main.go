// Command cachelayer lets the go command build on a cache that it may not write to: what
// is found in the folder BASE comes from there, and what is new goes to the folder TOP. It
// speaks the protocol of GOCACHEPROG, and knows how the go command lays out a cache; if
// that changed, everything would be built anew, and still be right.
//
//	GOCACHEPROG="cachelayer BASE TOP" go build
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: cachelayer BASE TOP")
		os.Exit(2)
	}
	if err := serve(cache{os.Args[1], os.Args[2]}, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cachelayer:", err)
		os.Exit(1)
	}
}

// A request is what the go command asks; a body follows that of a put.
type request struct {
	ID                 int64
	Command            string
	ActionID, OutputID []byte
	BodySize           int64
}

type response struct {
	ID            int64
	Err           string   `json:",omitempty"`
	KnownCommands []string `json:",omitempty"`
	Miss          bool     `json:",omitempty"`
	OutputID      []byte   `json:",omitempty"`
	Size          int64    `json:",omitempty"`
	DiskPath      string   `json:",omitempty"`
}

// serve answers requests, in their order, until the go command is done.
func serve(c cache, r io.Reader, w io.Writer) error {
	in, out := json.NewDecoder(bufio.NewReaderSize(r, 1<<20)), json.NewEncoder(w)
	if err := out.Encode(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		var q request
		if err := in.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		a := response{ID: q.ID}
		switch q.Command {
		case "get":
			if entry, ok := c.get(q.ActionID); ok {
				a.OutputID, a.Size, a.DiskPath = entry.output, entry.size, entry.path
			} else {
				a.Miss = true
			}
		case "put":
			var body []byte
			if q.BodySize > 0 {
				if err := in.Decode(&body); err != nil {
					return err
				}
			}
			path, err := c.put(q.ActionID, q.OutputID, body)
			if err != nil {
				a.Err = err.Error()
			}
			a.DiskPath = path
		case "close":
			return out.Encode(a)
		default:
			a.Err = "unknown command " + q.Command
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

// A cache is two folders that are laid out as the go command lays out its own.
type cache struct{ base, top string }

type entry struct {
	output []byte
	size   int64
	path   string
}

// file is where the output (d) or the action (a) of an ID is kept.
func file(folder string, id []byte, kind string) string {
	name := hex.EncodeToString(id)
	return filepath.Join(folder, name[:2], name+"-"+kind)
}

func (c cache) get(action []byte) (entry, bool) {
	if len(action) == 0 {
		return entry{}, false
	}
	for _, folder := range []string{c.top, c.base} {
		// v1, the action, the output, its size, and when it was made
		text, err := os.ReadFile(file(folder, action, "a"))
		fields := bytes.Fields(text)
		if err != nil || len(fields) != 5 || string(fields[0]) != "v1" || string(fields[1]) != hex.EncodeToString(action) {
			continue
		}
		output, err := hex.DecodeString(string(fields[2]))
		size, err2 := strconv.ParseInt(string(fields[3]), 10, 64)
		if err != nil || err2 != nil || len(output) == 0 {
			continue
		}
		path := file(folder, output, "d")
		if info, err := os.Stat(path); err == nil && info.Size() == size {
			return entry{output, size, path}, true
		}
	}
	return entry{}, false
}

// put keeps an output, whole or not at all: two go commands may be at work.
func (c cache) put(action, output, body []byte) (path string, err error) {
	if len(action) == 0 || len(output) == 0 {
		return "", errors.New("an ID is missing")
	}
	path = file(c.top, output, "d")
	text := fmt.Sprintf("v1 %x %x %20d %20d\n", action, output, len(body), 0)
	if err := write(path, body); err != nil {
		return "", err
	}
	return path, write(file(c.top, action, "a"), []byte(text))
}

func write(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

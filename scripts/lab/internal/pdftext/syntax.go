package pdftext

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strconv"
)

// Values are parts of the file, so that a value can be replaced where it stands.

const (
	spaces     = " \n\r\t\f\x00"
	delimiters = "()<>[]{}/%"
)

var errSyntax = errors.New("has a value that cannot be read")

// value finds the first value, or the first operator, at or after at. It is io.EOF if there
// is none.
func value(b []byte, at int) (from, to int, err error) {
	if at < 0 {
		return 0, 0, errSyntax
	}
	var open []byte // of arrays and dictionaries: what ends them
	from = -1
	for at < len(b) {
		c := b[at]
		if bytes.IndexByte([]byte(spaces), c) >= 0 {
			at++
			continue
		}
		if from < 0 {
			from = at
		}
		switch {
		case c == '(':
			if at, err = literal(b, at); err != nil {
				return 0, 0, err
			}
		case bytes.HasPrefix(b[at:], []byte("<<")):
			open = append(open, '>')
			at += 2
		case c == '<':
			n := bytes.IndexByte(b[at:], '>')
			if n < 0 {
				return 0, 0, errSyntax
			}
			at += n + 1
		case c == '[':
			open = append(open, ']')
			at++
		case c == ']' || c == '>':
			if len(open) == 0 || open[len(open)-1] != c || c == '>' && !bytes.HasPrefix(b[at:], []byte(">>")) {
				return 0, 0, errSyntax
			}
			open = open[:len(open)-1]
			if at++; c == '>' {
				at++
			}
		case c != '/' && bytes.IndexByte([]byte(delimiters), c) >= 0:
			return 0, 0, errSyntax // also a comment, which Typst does not write
		default:
			for at++; at < len(b) && bytes.IndexByte([]byte(spaces+delimiters), b[at]) < 0; at++ {
			}
		}
		if len(open) == 0 {
			return from, at, nil
		}
	}
	if from >= 0 {
		return 0, 0, errSyntax
	}
	return 0, 0, io.EOF
}

// literal returns where the string ends that begins at at.
func literal(b []byte, at int) (int, error) {
	for depth := 0; at < len(b); at++ {
		switch b[at] {
		case '\\':
			at++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at + 1, nil
			}
		}
	}
	return 0, errSyntax
}

// items returns the values in an array. A reference is one value.
func items(array []byte) ([][]byte, error) {
	if len(array) < 2 || array[0] != '[' {
		return nil, errSyntax
	}
	return values(array[1 : len(array)-1])
}

func values(b []byte) ([][]byte, error) {
	var list [][]byte
	for at := 0; ; {
		from, to, err := value(b, at)
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		v := b[from:to]
		if n := len(list); n >= 2 && string(v) == "R" && isNumber(list[n-1]) && isNumber(list[n-2]) {
			first := offset(b, list[n-2])
			list = append(list[:n-2], b[first:to])
		} else {
			list = append(list, v)
		}
		at = to
	}
}

// entries returns the values of a dictionary, by their keys without the slash.
func entries(dict []byte) (map[string][]byte, error) {
	if len(dict) < 4 || !bytes.HasPrefix(dict, []byte("<<")) {
		return nil, errSyntax
	}
	_, end, err := value(dict, 0)
	if err != nil {
		return nil, err
	}
	list, err := values(dict[2 : end-2])
	if err != nil || len(list)%2 != 0 {
		return nil, errSyntax
	}
	m := map[string][]byte{}
	for i := 0; i < len(list); i += 2 {
		key := list[i]
		if key[0] != '/' || m[string(key[1:])] != nil {
			return nil, errSyntax
		}
		m[string(key[1:])] = list[i+1]
	}
	return m, nil
}

func isNumber(b []byte) bool {
	_, err := strconv.Atoi(string(b))
	return err == nil
}

// reference returns the number of the object that a value such as "7 0 R" refers to.
func reference(b []byte) (int, bool) {
	f := bytes.Fields(b)
	if len(f) != 3 || string(f[1]) != "0" || string(f[2]) != "R" {
		return 0, false
	}
	n, err := strconv.Atoi(string(f[0]))
	return n, err == nil
}

// text returns the bytes of a string, or "" if it cannot be read.
func text(b []byte) string {
	if len(b) < 2 {
		return ""
	}
	in := b[1 : len(b)-1]
	if b[0] == '<' {
		out, _ := hex.DecodeString(string(in))
		return string(out)
	}
	var out []byte
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			out = append(out, in[i])
			continue
		}
		if i++; i == len(in) || bytes.IndexByte([]byte(`()\`), in[i]) < 0 {
			return "" // no address has other escapes
		}
		out = append(out, in[i])
	}
	return string(out)
}

// offset is where a part of b begins in it. A part reaches as far as b does in memory.
func offset(b, part []byte) int { return cap(b) - cap(part) }

// replace returns b with another value in the place of a part of it.
func replace(b, part []byte, with string) []byte {
	at := offset(b, part)
	return slices.Concat(b[:at], []byte(with), b[at+len(part):])
}

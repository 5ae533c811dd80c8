package frame

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBytes is the most that a table may have, also after gzip has unpacked it.
const maxBytes = 1 << 30

// formats are the first bytes of files that are taken for tables by mistake. A table may
// begin with those of a binary one, as with a column named PAR1, but is text.
var formats = []struct {
	begin, what, advice string
	binary              bool
}{
	{"PK\x03\x04", "a zip archive or an Excel workbook (.xlsx)", "unpack the archive, or save the sheet as CSV UTF-8", true},
	{"\xd0\xcf\x11\xe0", "an Excel workbook (.xls)", "save the sheet as CSV UTF-8", true},
	{"\xff\xfe", "in UTF-16", "save it as UTF-8", true},
	{"\xfe\xff", "in UTF-16", "save it as UTF-8", true},
	{"BZh", "compressed by bzip2", "unpack it, or compress it by gzip", true},
	{"\xfd7zXZ", "compressed by xz", "unpack it, or compress it by gzip", true},
	{"\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it, or compress it by gzip", true},
	{"PAR1", "a Parquet file", "save it as CSV", true},
	{"SQLite format 3", "an SQLite database", "save its table as CSV", true},
	{"%PDF", "a PDF", "save its table as CSV", false},
	{"version https://git-lfs", "a pointer of Git LFS", "fetch the file itself with git lfs pull", false},
}

// markups are those that are texts, without the white space in them and in small letters.
var markups = []struct{ begin, what, advice string }{
	{"<!doctype", "an HTML page", "download the file itself, not the page that shows it"},
	{"<html", "an HTML page", "download the file itself, not the page that shows it"},
	{`{"`, "JSON", "save it as CSV"},
	{`[{"`, "JSON", "save it as CSV"},
	{`{\rtf`, "a document of a word processor (RTF)", "save it as plain text"},
}

// textOf reads the text of a table, with LF or CRLF at the end of its lines.
func textOf(r io.Reader) ([]byte, error) {
	data, err := readAll(r)
	if err == nil && bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		unpacked, wrong := gzip.NewReader(bytes.NewReader(data))
		if wrong == nil {
			data, wrong = readAll(unpacked)
		}
		if wrong != nil {
			return nil, fmt.Errorf("%w: it is compressed by gzip and cannot be unpacked: %w", ErrFormat, wrong)
		}
	}
	if err != nil {
		return nil, err
	}
	binary := bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data)
	for _, f := range formats {
		if f.binary == binary && bytes.HasPrefix(data, []byte(f.begin)) {
			return nil, fmt.Errorf("%w: it is %s; %s", ErrFormat, f.what, f.advice)
		}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	begin := strings.ToLower(strings.Join(strings.Fields(string(data[:min(len(data), 100)])), ""))
	for _, f := range markups {
		if strings.HasPrefix(begin, f.begin) {
			return nil, fmt.Errorf("%w: it is %s; %s", ErrFormat, f.what, f.advice)
		}
	}
	if at := bytes.IndexByte(data, 0); at >= 0 { // half of every comma and line end in UTF-16
		return nil, fmt.Errorf("line %d: %w: there is a zero byte, as UTF-16 has; save it as UTF-8", lineAt(data, at), ErrFormat)
	}
	if !utf8.Valid(data) {
		at := 0
		for at < len(data) {
			letter, size := utf8.DecodeRune(data[at:])
			if letter == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return nil, fmt.Errorf("line %d: %w: the byte %#x is not UTF-8; save it as UTF-8", lineAt(data, at), ErrFormat, data[at])
	}
	return endLines(data), nil
}

// endLines makes LF of what ends a line, outside of quotes, beside LF and CRLF: several CR
// before an LF, as programs write that end lines twice, and a CR alone, as Excel for the Mac
// may write it around fields with an LF of their own.
func endLines(data []byte) []byte {
	if !strangeEnds(data) {
		return data
	}
	out := make([]byte, 0, len(data))
	for {
		at := bytes.IndexAny(data, "\r\"")
		if at < 0 {
			return append(out, data...)
		}
		if data[at] == '"' {
			at += 1 + bytes.IndexByte(data[at+1:], '"') + 1 // no further than the quote that opens where none closes
			out, data = append(out, data[:at]...), data[at:]
			continue
		}
		out = append(out, data[:at]...)
		rest := bytes.TrimLeft(data[at:], "\r")
		if ends := len(data) - at - len(rest); !bytes.HasPrefix(rest, []byte("\n")) {
			out = append(out, bytes.Repeat([]byte("\n"), ends)...)
		}
		data = rest
	}
}

// strangeEnds reports whether there is a CR that does not stand before an LF.
func strangeEnds(data []byte) bool {
	for {
		at := bytes.IndexByte(data, '\r')
		if at < 0 {
			return false
		}
		if data = data[at+1:]; !bytes.HasPrefix(data, []byte("\n")) {
			return true
		}
	}
}

// trimQuoted leaves out the white space between a quoted field and the separators or line
// ends around it, where package csv allows none. It stops where it would not know what is in
// quotes and what is not, which is an error of that package.
func trimQuoted(data []byte, separator rune) []byte {
	space := func(r rune) bool { return unicode.IsSpace(r) && r != '\n' && r != '\r' && r != separator }
	edge := func(text []byte, decode func([]byte) (rune, int)) bool {
		r, size := decode(text)
		return size == 0 || r == '\n' || r == '\r' || r == separator
	}
	var out []byte
	kept, at := 0, 0 // out has what is before kept
	leaveOut := func(from, to int) {
		if from < to {
			out = append(out, data[kept:from]...)
			kept = to
		}
	}
	for {
		open := bytes.IndexByte(data[at:], '"')
		if open < 0 {
			break
		}
		open += at
		before := at + len(bytes.TrimRightFunc(data[at:open], space))
		if !edge(data[:before], utf8.DecodeLastRune) {
			break
		}
		leaveOut(before, open)
		at = open + 1
		for {
			next := bytes.IndexByte(data[at:], '"')
			if next < 0 {
				return append(out, data[kept:]...)
			}
			at += next + 1
			if !bytes.HasPrefix(data[at:], []byte(`"`)) {
				break
			}
			at++
		}
		after := len(data) - len(bytes.TrimLeftFunc(data[at:], space))
		if !edge(data[after:], utf8.DecodeRune) {
			break
		}
		leaveOut(at, after)
		at = after
	}
	if kept == 0 {
		return data
	}
	return append(out, data[kept:]...)
}

func lineAt(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte("\n")) }

// readAll is [io.ReadAll] with a bound, and copies nothing of a buffer.
func readAll(r io.Reader) ([]byte, error) {
	if whole, ok := r.(*bytes.Buffer); ok {
		return whole.Next(whole.Len()), nil
	}
	var b bytes.Buffer
	if known, ok := r.(interface{ Len() int }); ok {
		b.Grow(min(known.Len(), maxBytes) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(r, maxBytes+1)); err != nil {
		return nil, err
	}
	if b.Len() > maxBytes {
		return nil, fmt.Errorf("%w: at most %d bytes are read", ErrTooLarge, maxBytes)
	}
	return b.Bytes(), nil
}

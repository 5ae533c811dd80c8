package frame

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxBytes is the most that a table may have, also after gzip has unpacked it.
const maxBytes = 1 << 30

// formats are the first bytes of files that are taken for tables by mistake.
var formats = []struct{ begin, what, advice string }{
	{"PK\x03\x04", "a zip archive or an Excel workbook (.xlsx)", "unpack the archive, or save the sheet as CSV UTF-8"},
	{"\xd0\xcf\x11\xe0", "an Excel workbook (.xls)", "save the sheet as CSV UTF-8"},
	{"\xff\xfe", "in UTF-16", "save it as UTF-8"},
	{"\xfe\xff", "in UTF-16", "save it as UTF-8"},
	{"BZh", "compressed by bzip2", "unpack it, or compress it by gzip"},
	{"\xfd7zXZ", "compressed by xz", "unpack it, or compress it by gzip"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it, or compress it by gzip"},
	{"PAR1", "a Parquet file", "save it as CSV"},
	{"%PDF", "a PDF", "save its table as CSV"},
	{"SQLite format 3", "an SQLite database", "save its table as CSV"},
	{"version https://git-lfs", "a pointer of Git LFS", "fetch the file itself with git lfs pull"},
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
	for _, f := range formats {
		if bytes.HasPrefix(data, []byte(f.begin)) {
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
	if bytes.IndexByte(data, '\n') < 0 { // as Excel for the Mac may save it
		return bytes.ReplaceAll(data, []byte("\r"), []byte("\n")), nil
	}
	if bytes.Contains(data, []byte("\r\r\n")) { // as programs write that end lines twice
		lines := make([]byte, 0, len(data))
		for line := range bytes.Lines(data) {
			text, ended := bytes.CutSuffix(line, []byte("\n"))
			if lines = append(lines, bytes.TrimRight(text, "\r")...); ended {
				lines = append(lines, '\n')
			}
		}
		data = lines
	}
	return loneReturns(data), nil
}

// loneReturns makes LF of every CR that ends a line by itself, which one in quotes does not.
func loneReturns(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	quoted, changed := false, false
	for i, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\r' && !quoted && (i+1 == len(data) || data[i+1] != '\n'):
			if !changed { // the caller may keep the data
				data, changed = bytes.Clone(data), true
			}
			data[i] = '\n'
		}
	}
	return data
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

package export

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg" // is read
	_ "image/png"  // is read
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
)

// A browser takes memory for each line of a page and for each pixel of a picture, some
// gigabytes for millions. Nothing that is meant to be read comes near these limits; what
// goes beyond them is cut, and the page says so.
const (
	maxLines     = 4_000      // of an output, about 80 printed pages
	maxPageLines = 20_000     // of all outputs of a notebook
	maxColumns   = 200        // of a table
	maxPixels    = 40_000_000 // of a picture

	lineLength   = 88 // characters; longer lines are wrapped
	pictureLines = 20 // what a picture counts
	lineTags     = 2  // how many tags that begin no line, such as those of cells, count as one
	longWord     = 80 // characters after which a word may be divided
)

// cutText returns as much of a text as fits into so many lines, how many these are, and
// what is left out, "" if nothing is.
func cutText(s string, limit int) (head string, lines int, left string) {
	at := 0
	for at < len(s) && lines < limit {
		end := strings.IndexByte(s[at:], '\n') + 1
		if end == 0 {
			end = len(s) - at
		}
		if room := (limit - lines) * lineLength; end > room {
			for end = room; end > room-utf8.UTFMax && !utf8.RuneStart(s[at+end]); end-- {
			}
		}
		at += end
		lines += (end + lineLength - 1) / lineLength
	}
	if at == len(s) {
		return s, lines, ""
	}
	return s[:at], lines, amount(s[at:])
}

// amount says how much text there is.
func amount(s string) string {
	switch n := strings.Count(s, "\n"); {
	case n > 1:
		return fmt.Sprintf("%d lines", n)
	case len(s) >= 1_000_000:
		return fmt.Sprintf("%.0f MB", float64(len(s))/1e6)
	case len(s) >= 10_000:
		return fmt.Sprintf("%.0f kB", float64(len(s))/1e3)
	}
	return fmt.Sprintf("%d bytes", len(s))
}

// cutHTML is cutText for HTML. What it returns may end within elements.
func cutHTML(page string, limit int) (head string, lines int, left string) {
	at, breaks, tags, columns, letters, verbatim := 0, 0, 0, 0, 0, false
	count := func() int { return breaks + tags/lineTags + letters/lineLength }
	for z := nethtml.NewTokenizer(strings.NewReader(page)); ; {
		kind := z.Next()
		if kind == nethtml.ErrorToken {
			return page, count(), ""
		}
		raw, before := z.Raw(), count()
		switch kind {
		case nethtml.TextToken:
			letters += len(raw)
			if verbatim {
				breaks += bytes.Count(raw, []byte("\n"))
			}
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			name, attributes := z.TagName()
			switch string(name) {
			case "td", "th":
				tags++
				columns++
			case "span", "a", "b", "i", "u", "s", "em", "strong", "code", "small", "sub", "sup", "kbd", "abbr", "col":
				tags++
			case "img":
				breaks += pictureLines
			default:
				breaks++
				columns = 0
			}
			verbatim = verbatim || string(name) == "pre"
			for attributes {
				var key, value []byte
				key, value, attributes = z.TagAttr()
				switch string(key) {
				case "style":
					verbatim = verbatim || bytes.Contains(value, []byte("white-space"))
				case "colspan":
					if n, err := strconv.Atoi(string(value)); err == nil && n > 1 {
						columns += min(n, maxColumns)
					}
				}
			}
		}
		if count() > limit || columns > maxColumns {
			if kind == nethtml.TextToken {
				kept, _, _ := cutText(string(raw), max(limit-before, 0))
				at += len(kept)
			}
			if at == len(page) {
				return page, limit, ""
			}
			return page[:at], min(count(), limit), amount(page[at:])
		}
		at += len(raw)
	}
}

// tooManyPixels says whether a picture, in base64, would take too much memory to show.
func tooManyPixels(data string) bool {
	c, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	return err == nil && c.Width*c.Height > maxPixels
}

// divide lets a browser break words that are longer than a line.
func divide(s string) string {
	if len(s) <= longWord {
		return s
	}
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; unicode.IsSpace(r) {
			n = 0
		}
		if n > longWord {
			b.WriteRune('\u200b')
			n = 1
		}
		b.WriteRune(r)
	}
	return b.String()
}

package export

import (
	"regexp"
	"strings"

	nethtml "golang.org/x/net/html"
)

// Both readers, of markdown and of HTML, take time that grows with the product of
// how much there is and how deep it is nested, or worse. Nothing that is meant to
// be read comes near these limits.
const (
	maxNesting  = 100       // of lists and quotations in markdown
	maxMarks    = 20_000    // signs and line breaks between two empty lines of markdown
	maxHTMLWork = 4_000_000 // tags in an output times their depth
)

var containers = regexp.MustCompile(`^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*`)

// nestedTooDeep says whether a line of markdown is below more lists and
// quotations than anybody can follow.
func nestedTooDeep(src string) bool {
	for line := range strings.Lines(src) {
		depth, spaces := 0, 0
		for _, c := range containers.FindString(line) {
			switch c {
			case ' ':
				spaces++
			case '\t':
				spaces += 4
			case '>', '-', '*', '+', '.', ')':
				depth++
			}
		}
		if depth+spaces/2 > maxNesting {
			return true
		}
	}
	return false
}

// tooManyMarks says whether a paragraph, a table or another piece of markdown without
// an empty line has so many signs and line breaks that could mean something that reading it would take
// long: 100 kB of prose stay below, and so does a picture in base64.
func tooManyMarks(src string) bool {
	marks, empty := 0, true
	for i := range len(src) {
		c := src[i]
		switch {
		case c == '\n':
			if empty {
				marks = 0
			}
			empty = true
			marks++
		case c == ' ' || c == '\t' || c == '\r':
		default:
			empty = false
			if c < 0x80 && !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
				marks++
			}
		}
		if marks > maxMarks {
			return true
		}
	}
	return false
}

// tooMuchHTML says whether a piece of HTML would take long to read.
func tooMuchHTML(page string) bool {
	tags, depth, deepest := 0, 0, 0
	open := map[string]int{} // an end tag without a start tag closes nothing
	for z := nethtml.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case nethtml.ErrorToken:
			return tags*deepest > maxHTMLWork
		case nethtml.StartTagToken:
			tags++
			name, _ := z.TagName()
			switch string(name) {
			case "br", "col", "hr", "img", "input", "wbr": // hold nothing
			case "p", "li", "td", "th", "tr", "dt", "dd", "thead", "tbody", "tfoot": // are closed by the next
			default:
				open[string(name)]++
				depth++
				deepest = max(deepest, depth)
			}
		case nethtml.EndTagToken:
			if name, _ := z.TagName(); open[string(name)] > 0 {
				open[string(name)]--
				depth--
			}
		}
	}
}

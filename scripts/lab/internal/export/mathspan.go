package export

import (
	"regexp"
	"strconv"
	"strings"
)

// A mathSpan is a formula found in markdown.
type mathSpan struct {
	tex     string
	display bool
	raw     string // with its delimiters, as it was typed
}

// Private-use characters stand for formulas while markdown is rendered, which
// would otherwise take their underscores and stars for emphasis.
const (
	markOpen  = '\uE000'
	markClose = '\uE001'
)

var markPattern = regexp.MustCompile(`\x{E000}(0|[1-9]\d*)\x{E001}`)

// liftMath replaces the formulas of a markdown text by marks and returns them.
// The rules are Jupyter's: $$…$$, \\[…\\] and environments of LaTeX are set on their
// own, $…$ and \\(…\\) in the line, and none goes on behind an empty line; a dollar
// before a space or a digit ends no formula, \$ is a dollar, and code is left
// alone.
func liftMath(src string) (string, []mathSpan) {
	var out strings.Builder
	var spans []mathSpan
	src = strings.Map(func(r rune) rune {
		if r == markOpen || r == markClose {
			return -1
		}
		return r
	}, src)
	quotes := 0 // how many quotations the line is in
	end := 0    // of the paragraph
	for i := 0; i < len(src); {
		lineStart := i == 0 || src[i-1] == '\n'
		rest := src[i:]
		if lineStart {
			quotes = strings.Count(quoteMarks.FindString(rest), ">")
		}
		if i >= end {
			end = i + len(paragraph(rest))
		}
		here := src[i:max(i, end)]
		// lift puts a mark in the place of a formula, which takes n bytes of the rest.
		lift := func(n int, tex string, display bool) {
			out.WriteString(string(markOpen) + strconv.Itoa(len(spans)) + string(markClose))
			spans = append(spans, mathSpan{strings.TrimSpace(unquoted(tex, quotes)), display, rest[:n]})
			i += n
		}
		between := func(begins, ends string, display bool) bool {
			inside, begun := strings.CutPrefix(here, begins)
			if !begun {
				return false
			}
			n := strings.Index(inside, ends)
			if n >= 0 {
				lift(len(begins)+n+len(ends), inside[:n], display)
			}
			return n >= 0
		}
		switch {
		case lineStart && fence(rest) != "":
			n := fenceEnd(rest)
			out.WriteString(rest[:n])
			i += n
			continue
		case rest[0] == '`':
			n := codeSpan(rest)
			out.WriteString(rest[:n])
			i += n
			continue
		case between(`\\(`, `\\)`, false), between(`\\[`, `\\]`, true):
			continue
		case strings.HasPrefix(rest, `\$`), strings.HasPrefix(rest, `\\`):
			out.WriteString(rest[:2])
			i += 2
			continue
		case strings.HasPrefix(rest, "$$"):
			if !between("$$", "$$", true) {
				out.WriteString("$$")
				i += 2
			}
			continue
		case strings.HasPrefix(rest, environment):
			if n := environmentEnd(here); n > 0 {
				lift(n, rest[:n], true)
				continue
			}
		case rest[0] == '$':
			if n := inlineMath(here); n > 0 {
				lift(n, rest[1:n-1], false)
				continue
			}
		}
		out.WriteByte(rest[0])
		i++
	}
	return out.String(), spans
}

// quoteMarks are what the lines of a quotation begin with.
var quoteMarks = regexp.MustCompile(`^(?: {0,3}>)*`)

// unquoted is a piece of a quotation without the marks at the beginning of its lines.
func unquoted(s string, quotes int) string {
	if quotes == 0 || !strings.Contains(s, "\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	for k, line := range lines[1:] {
		for range quotes {
			if at := strings.IndexByte(line, '>'); at >= 0 && strings.TrimLeft(line[:at], " ") == "" {
				line = line[at+1:]
			}
		}
		lines[k+1] = line
	}
	return strings.Join(lines, "\n")
}

var emptyLine = regexp.MustCompile(`\n[ \t]*\n`)

// paragraph is a text up to the first empty line.
func paragraph(s string) string {
	if at := emptyLine.FindStringIndex(s); at != nil {
		return s[:at[0]]
	}
	return s
}

// fence returns the run of ` or ~ that opens a fenced block at the start of s.
func fence(s string) string {
	t := strings.TrimLeft(s, " ")
	if len(s)-len(t) > 3 || t == "" || t[0] != '`' && t[0] != '~' {
		return ""
	}
	n := len(t) - len(strings.TrimLeft(t, t[:1]))
	if n < 3 {
		return ""
	}
	return t[:n]
}

func fenceEnd(s string) int {
	open := fence(s)
	n := 0
	// Line by line: to split all that follows each block takes time that grows
	// with the square of their number.
	for line := range strings.Lines(s) {
		first := n == 0
		n += len(line)
		if f := fence(line); !first && strings.HasPrefix(f, open) && strings.TrimSpace(line) == f {
			break
		}
	}
	return n
}

// codeSpan is the length of the code span that s begins with, or of the run of
// backquotes that opens none.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	tick := s[:n]
	for i := n; ; {
		k := strings.Index(s[i:], tick)
		if k < 0 {
			return n
		}
		end := i + k + n
		if (end == len(s) || s[end] != '`') && s[i+k-1] != '`' {
			return end
		}
		for i = end; i < len(s) && s[i] == '`'; i++ {
		}
	}
}

// inlineMath is the length of the formula in dollars that s begins with.
func inlineMath(s string) int {
	if len(s) < 3 || strings.ContainsRune(" \t\n$", rune(s[1])) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '$':
			if strings.ContainsRune(" \t\n", rune(s[i-1])) || i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// environment begins the environments of LaTeX.
const environment = `\begin{`

var environmentName = regexp.MustCompile(`^\\begin\{([a-zA-Z]+\*?)\}`)

// environmentEnd is the length of the environment that s begins with.
func environmentEnd(s string) int {
	name := environmentName.FindStringSubmatch(s)
	if name == nil {
		return 0
	}
	end := `\end{` + name[1] + `}`
	if n := strings.Index(s, end); n >= 0 {
		return n + len(end)
	}
	return 0
}

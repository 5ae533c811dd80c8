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
}

// Private-use characters stand for formulas while markdown is rendered, which
// would otherwise take their underscores and stars for emphasis.
const (
	markOpen  = '\uE000'
	markClose = '\uE001'
)

var markPattern = regexp.MustCompile(`\x{E000}(0|[1-9]\d*)\x{E001}`)

// liftMath replaces the formulas of a markdown text by marks and returns them.
// The rules are Jupyter's: $$…$$ is set on its own, $…$ in the line; a dollar
// before a space or a digit ends no formula, \$ is a dollar, and code is left
// alone.
func liftMath(src string) (string, []mathSpan) {
	var out strings.Builder
	var spans []mathSpan
	lift := func(tex string, display bool) {
		out.WriteString(string(markOpen) + strconv.Itoa(len(spans)) + string(markClose))
		spans = append(spans, mathSpan{strings.TrimSpace(tex), display})
	}
	src = strings.Map(func(r rune) rune {
		if r == markOpen || r == markClose {
			return -1
		}
		return r
	}, src)
	for i := 0; i < len(src); {
		lineStart := i == 0 || src[i-1] == '\n'
		rest := src[i:]
		switch {
		case lineStart && fence(rest) != "":
			n := fenceEnd(rest)
			out.WriteString(rest[:n])
			i += n
		case rest[0] == '`':
			n := codeSpan(rest)
			out.WriteString(rest[:n])
			i += n
		case strings.HasPrefix(rest, `\$`), strings.HasPrefix(rest, `\\`):
			out.WriteString(rest[:2])
			i += 2
		case strings.HasPrefix(rest, "$$"):
			n := strings.Index(rest[2:], "$$")
			if n < 0 {
				out.WriteString("$$")
				i += 2
				break
			}
			lift(rest[2:2+n], true)
			i += n + 4
		case strings.HasPrefix(rest, `\begin{`):
			n := environment(rest)
			if n == 0 {
				out.WriteByte(rest[0])
				i++
				break
			}
			lift(rest[:n], true)
			i += n
		case rest[0] == '$':
			n := inlineMath(rest)
			if n == 0 {
				out.WriteByte('$')
				i++
				break
			}
			lift(rest[1:n-1], false)
			i += n
		default:
			out.WriteByte(rest[0])
			i++
		}
	}
	return out.String(), spans
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

func inlineMath(s string) int {
	if len(s) < 3 || strings.ContainsRune(" \t\n$", rune(s[1])) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n' && i+1 < len(s) && s[i+1] == '\n':
			return 0
		case s[i] == '$':
			if strings.ContainsRune(" \t\n", rune(s[i-1])) || i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

var beginEnvironment = regexp.MustCompile(`^\\begin\{((?:equation|align|gather|multline|alignat)\*?)\}`)

// environment is the length of the LaTeX environment that s begins with.
func environment(s string) int {
	m := beginEnvironment.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	end := `\end{` + m[1] + `}`
	if n := strings.Index(s, end); n >= 0 {
		return n + len(end)
	}
	return 0
}

package export

import (
	"fmt"
	"html"
	"strings"
	"sync"
	"unicode"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlightCell highlights the Go of a code cell. Lines for the kernel, which
// start with % or !, are marked as such and kept from the Go lexer.
func highlightCell(src string) string {
	var b strings.Builder
	var part []string
	flush := func() {
		if len(part) > 0 {
			b.WriteString(highlight(strings.Join(part, "\n"), "go") + "\n")
			part = nil
		}
	}
	for _, line := range strings.Split(src, "\n") {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			flush()
			b.WriteString(`<span class="magic">` + html.EscapeString(line) + "</span>\n")
			continue
		}
		part = append(part, line)
	}
	flush()
	return markUnseen(strings.TrimSuffix(b.String(), "\n"))
}

// markUnseen shows the characters in code, set as HTML, that cannot be seen but change
// what is seen or run: those that turn the direction of writing, those without a width,
// and control characters. Code can look like other code with them (CVE-2021-42574).
func markUnseen(set string) string {
	if strings.IndexFunc(set, unseen) < 0 {
		return set
	}
	var b strings.Builder
	for _, r := range set {
		if unseen(r) {
			fmt.Fprintf(&b, `<span class="unseen">U+%04X</span>`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unseen(r rune) bool {
	switch r {
	case '\n', '\t', '\r':
		return false
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u3164', '\uffa0', '\u2800': // fillers
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// lexerOf finds the lexer of a language, nil if there is none. Asking chroma takes
// a millisecond, and a page may ask thousands of times.
func lexerOf(language string) chroma.Lexer {
	if language == "" {
		return nil
	}
	if known, ok := lexerCache.Load(language); ok {
		return known.(chroma.Lexer)
	}
	lexer := lexers.Get(language)
	if lexer != nil {
		lexerCache.Store(language, lexer)
	}
	return lexer
}

var lexerCache sync.Map // of chroma.Lexer, by language

// highlight marks the tokens of code with a handful of classes: k keyword,
// t type, s string, n number, c comment, f function.
func highlight(src, language string) string {
	lexer := lexerOf(language)
	if lexer == nil {
		return html.EscapeString(src)
	}
	tokens, err := chroma.Tokenise(chroma.Coalesce(lexer), nil, src)
	if err != nil {
		return html.EscapeString(src)
	}
	var b strings.Builder
	for _, t := range tokens {
		class := tokenClass(t.Type)
		text := html.EscapeString(t.Value)
		if class == "" || strings.TrimSpace(t.Value) == "" {
			b.WriteString(text)
			continue
		}
		b.WriteString(`<span class="` + class + `">` + text + `</span>`)
	}
	// The lexer ends every text with a line break.
	out := b.String()
	if !strings.HasSuffix(src, "\n") {
		out = strings.TrimSuffix(out, "\n")
	}
	return out
}

func tokenClass(t chroma.TokenType) string {
	switch {
	case t == chroma.KeywordType:
		return "t"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "n"
	case t.InCategory(chroma.Comment):
		return "c"
	case t == chroma.NameFunction || t == chroma.NameBuiltin:
		return "f"
	}
	return ""
}

// statements divides code into parts between which a printed page may end: between
// statements, and not within one of a few lines. A part that follows an empty line begins
// with a line break, and the others joined by line breaks are the code.
func statements(code string) []string {
	lines := strings.Split(code, "\n")
	if len(lines) <= shortCode {
		return []string{code}
	}
	var parts []string
	for _, part := range divideCode(lines, 0) {
		parts = append(parts, strings.Join(part, "\n"))
	}
	return parts
}

// shortCode is how many lines of code stay on one page.
const shortCode = 12

// divideCode divides lines at the statements that are indented by up to depth, and parts
// that are still long at those that are indented further.
func divideCode(lines []string, depth int) [][]string {
	const least = 3 // lines of a part
	var parts [][]string
	begin, quoted := 0, false
	for i, line := range lines {
		if i-begin >= least && len(lines)-i >= least && !quoted && beginsStatement(lines, i, depth) {
			parts = append(parts, lines[begin:i])
			begin = i
		}
		quoted = quoted != (strings.Count(line, "`")%2 == 1)
	}
	parts = append(parts, lines[begin:])
	var all [][]string
	for _, part := range parts {
		if len(part) > shortCode && depth < 3 {
			all = append(all, divideCode(part, depth+1)...)
		} else {
			all = append(all, part)
		}
	}
	return all
}

// beginsStatement says whether a line begins a statement that is indented by up to depth;
// an empty line before it and a comment above it belong to it.
func beginsStatement(lines []string, i, depth int) bool {
	line := lines[i]
	if strings.TrimSpace(line) == "" {
		return i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && beginsStatement(lines[i:], 1, depth)
	}
	before := strings.TrimSpace(lines[i-1])
	if before == "" && i > 1 {
		return false // the empty line is where it begins
	}
	text := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, "\t"))
	if spaces := len(line) - len(strings.TrimLeft(line, " ")); spaces > 0 {
		indent = spaces / 4
	}
	switch {
	case indent > depth, strings.ContainsAny(text[:1], "})]."), strings.HasPrefix(before, "//"):
		return false
	case before != "" && strings.ContainsAny(before[len(before)-1:], "{([,+-*/|&=<:"):
		return false
	}
	return true
}

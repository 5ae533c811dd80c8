// Package texmath turns formulas into Typst's math: LaTeX flows in, the body of an equation in
// Typst's language flows out.
package texmath

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits keep a hostile formula from costing more than a page does.
const (
	maxLength = 10000 // bytes
	maxDepth  = 80    // groups and arguments within each other
	maxCells  = 1000  // of all tables, with those that rows leave out
)

// Typst returns tex as the body of a Typst equation, without the dollar signs. It understands
// the commands that MathJax knows and that are common in notebooks, and sets each as LaTeX
// does; any other command is an error, which names it.
//
// The result holds nothing but names from the tables of this package, single letters, numbers,
// punctuation and literals made by Quote. No LaTeX can therefore become code of Typst.
func Typst(tex string) (string, error) {
	if len(tex) > maxLength {
		return "", fmt.Errorf("is longer than %d bytes", maxLength)
	}
	if !utf8.ValidString(tex) {
		return "", errors.New("is not UTF-8")
	}
	if strings.TrimSpace(tex) == "" {
		return "", errors.New("is empty") // and has nothing that could be read aloud
	}
	p := &parser{in: tex}
	atoms, _, err := p.list("")
	if err != nil {
		return "", err
	}
	return p.join(atoms, false), nil
}

// Quote returns s as a string literal of Typst. Characters that cannot be set, such as
// control characters, become U+FFFD.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r >= 0x7f && r < 0xa0:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// A class is what TeX calls the kind of an atom, which decides the space around it.
type class int

const (
	ord class = iota
	op
	bin
	rel
	open
	shut
	punct
	inner
	space // not an atom: explicit space
	style // not an atom: a switch such as \displaystyle, up to the end of the group
)

type atom struct {
	src   string
	class class
}

type parser struct {
	in     string
	at     int
	depth  int
	cells  int    // of tables so far
	script bool   // in a superscript or subscript
	font   string // the alphabet of \mathrm and the like
}

// next returns the next token: a command with its backslash, a number, or one character; ""
// at the end.
func (p *parser) next() string {
	for p.at < len(p.in) {
		if p.in[p.at] == '%' { // a comment, up to the end of the line
			if n := strings.IndexByte(p.in[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.in)
			}
			continue
		}
		if strings.IndexByte(" \t\r\n", p.in[p.at]) < 0 {
			break
		}
		p.at++
	}
	rest := p.in[p.at:]
	if rest == "" {
		return ""
	}
	n := 1
	switch c := rest[0]; {
	case c == '\\':
		for n < len(rest) && isLetter(rest[n]) {
			n++
		}
		if n == 1 && len(rest) > 1 {
			_, k := utf8.DecodeRuneInString(rest[1:])
			n += k
		}
	case isDigit(c):
		for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.' && n+1 < len(rest) && isDigit(rest[n+1]) && strings.IndexByte(rest[:n], '.') < 0) {
			n++
		}
	case c >= utf8.RuneSelf:
		_, n = utf8.DecodeRuneInString(rest)
	}
	p.at += n
	return rest[:n]
}

func (p *parser) peek() string {
	at := p.at
	t := p.next()
	p.at = at
	return t
}

// take skips the next token if it is t.
func (p *parser) take(t string) bool {
	at := p.at
	if p.next() == t {
		return true
	}
	p.at = at
	return false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// list reads atoms up to one of the tokens in ends, which it takes and returns.
func (p *parser) list(ends ...string) ([]atom, string, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, "", errors.New("is nested too deeply")
	}
	font := p.font
	defer func() { p.depth--; p.font = font }()
	var atoms []atom
	for {
		t := p.next()
		for _, end := range ends {
			if t == end {
				return atoms, t, nil
			}
		}
		switch t {
		case "":
			return nil, "", fmt.Errorf("ends before %s", ends[0])
		case "}", `\right`, `\middle`, `\end`, "&", `\\`, `\cr`:
			return nil, "", fmt.Errorf("has %s in the wrong place", t)
		case `\nonumber`, `\notag`, `\relax`:
			continue
		case `\label`:
			if _, err := p.literal(); err != nil {
				return nil, "", err
			}
			continue
		}
		if f, ok := fontSwitches[t]; ok {
			p.font = f
			continue
		}
		a, err := p.atom(t)
		if err == nil && a.class < space {
			a, err = p.scripts(a)
		}
		if err != nil {
			return nil, "", err
		}
		atoms = append(atoms, a)
	}
}

// join writes atoms one after the other. Typst spaces them as TeX does, with two exceptions
// that join makes up for: it gives dots no space of their own, and drops the space between two
// atoms where LaTeX has explicit space between them. right says that the atoms follow an
// alignment point, where a sign is an operation, as in amsmath.
func (p *parser) join(atoms []atom, right bool) string {
	binaries(atoms, right)
	src := ""
	left, explicit, shuts := none, right, ""
	for len(atoms) > 0 && atoms[len(atoms)-1].class == style {
		atoms = atoms[:len(atoms)-1] // Typst has no style of nothing
	}
	for _, a := range atoms {
		switch a.class {
		case space:
			explicit = true
			src = adjoin(src, a.src)
			continue
		case style:
			src = adjoin(src, a.src+"(")
			shuts += ")"
			continue
		}
		if left != none && !p.script {
			if s := spacing(left, a.class); explicit || s == "thin" && (left == inner || a.class == inner) {
				src = adjoin(src, s)
				explicit = explicit || s != ""
			}
		}
		if a.class == bin && explicit {
			a.src = call("class", `"binary"`, a.src)
		}
		src = adjoin(src, a.src)
		left, explicit = a.class, false
	}
	return src + shuts
}

// adjoin puts t after s. Typst sets a space that stands next to a text, so that there is none
// but between names, and an empty text where the second name makes a text.
func adjoin(s, t string) string {
	if s == "" || t == "" || !isWord(s[len(s)-1]) || !isWord(t[0]) {
		return s + t
	}
	for _, f := range []string{"bold(", "italic(", "sans(", "mono("} {
		if strings.HasPrefix(t, f) {
			return s + `""` + t
		}
	}
	return s + " " + t
}

// none is the class at the start of a list.
const none class = -1

func isWord(c byte) bool { return isLetter(c) || isDigit(c) }

// binaries makes signs of the operations that have nothing to operate on, as in the TeXbook.
func binaries(atoms []atom, right bool) {
	last := -1
	left := none
	if right {
		left = ord
	}
	for i, a := range atoms {
		switch a.class {
		case space, style:
			continue
		case bin:
			if left == none || left == op || left == bin || left == rel || left == open || left == punct {
				atoms[i].class = ord
			}
		case rel, shut, punct:
			if last >= 0 && left == bin {
				atoms[last].class = ord
			}
		}
		last, left = i, atoms[i].class
	}
	if last >= 0 && left == bin {
		atoms[last].class = ord
	}
}

// spacing is the space between two atoms in the TeXbook's chapter 18.
func spacing(l, r class) string {
	switch {
	case l == open || r == shut || l == rel && r == rel:
		return ""
	case r == punct && l != inner:
		return ""
	case l == rel || r == rel:
		if l == punct {
			return "thin"
		}
		return "thick"
	case l == punct:
		return "thin"
	case l == bin || r == bin:
		return "med"
	case l == op && r != open, r == op:
		return "thin"
	case l == inner, r == inner:
		return "thin"
	}
	return ""
}

// scripts adds to a what stands above and below it at its right.
func (p *parser) scripts(a atom) (atom, error) {
	var sup, sub string
	base, primes, stacked := a.src, 0, ""
	for {
		var err error
		switch p.peek() {
		case "'":
			if p.next(); sup != "" {
				return a, errors.New("has a prime after a superscript; put it before")
			}
			primes++
			continue
		case `\limits`, `\nolimits`, `\displaylimits`:
			switch t := p.next(); {
			case a.class != op:
				return a, fmt.Errorf("has %s after what is not an operator", t)
			case t == `\limits`:
				stacked = "limits"
			case t == `\nolimits`:
				stacked = "scripts"
			}
			continue
		case "^":
			p.next()
			if sup != "" {
				return a, errors.New("has two superscripts; put braces around the first")
			}
			if sup, err = p.scriptArgument(); err != nil {
				return a, err
			}
			continue
		case "_":
			p.next()
			if sub != "" {
				return a, errors.New("has two subscripts; put braces around the first")
			}
			if sub, err = p.scriptArgument(); err != nil {
				return a, err
			}
			continue
		}
		break
	}
	if sup == "" && sub == "" && primes == 0 {
		return a, nil
	}
	if stacked != "" {
		base = stacked + "(" + base + ")"
	}
	args := []string{base}
	if sup != "" {
		args = append(args, "t:"+sup)
	}
	if sub != "" {
		args = append(args, "b:"+sub)
	}
	if primes > 0 {
		args = append(args, fmt.Sprintf("tr:primes(#%d)", primes))
	}
	a.src = call("attach", args...)
	return a, nil
}

func (p *parser) scriptArgument() (string, error) {
	script := p.script
	p.script = true
	s, err := p.argument()
	p.script = script
	return s, err
}

func call(name string, args ...string) string {
	return name + "(" + strings.Join(args, ",") + ")"
}

// argument reads a group or the one token that TeX takes in its place.
func (p *parser) argument() (string, error) {
	a, err := p.argumentAtom()
	return a.src, err
}

func (p *parser) argumentAtom() (atom, error) {
	if p.depth++; p.depth > maxDepth {
		return atom{}, errors.New("is nested too deeply")
	}
	defer func() { p.depth-- }()
	t := p.next()
	var a atom
	var err error
	switch {
	case t == "{":
		return p.group()
	case t == "" || t == "}" || t == "^" || t == "_" || t == "&" || t == `\\` || t == "'":
		return a, errors.New("lacks an argument")
	case isDigit(t[0]):
		p.at -= len(t) - 1 // as in TeX, one digit
		t = t[:1]
	}
	if _, ok := fontSwitches[t]; ok {
		return a, fmt.Errorf("has %s in the wrong place", t)
	}
	if isLetter(t[0]) || isDigit(t[0]) {
		return atom{p.letters(t), ord}, nil
	}
	if a, err = p.atom(t); err == nil && a.class == style {
		err = fmt.Errorf("has %s in the wrong place", t)
	}
	return a, err
}

// group reads up to the closing brace. It keeps the class of a single atom, for those who
// write \overset{!}{=}.
func (p *parser) group() (atom, error) {
	atoms, _, err := p.list("}")
	if err != nil {
		return atom{}, err
	}
	a := atom{p.join(atoms, false), ord}
	if len(atoms) == 1 && atoms[0].class < space {
		a.class = atoms[0].class
	}
	if a.src == "" {
		a.src = `""`
	}
	return a, nil
}

// option reads a [...], which may be missing or empty.
func (p *parser) option() (src string, given bool, err error) {
	if !p.take("[") {
		return "", false, nil
	}
	atoms, _, err := p.list("]")
	src = p.join(atoms, false)
	return src, src != "", err
}

// literal reads a braced argument that is a name.
func (p *parser) literal() (string, error) {
	if !p.take("{") {
		return "", errors.New("lacks a brace")
	}
	end := strings.IndexAny(p.in[p.at:], `{}\$`)
	if end < 0 || p.in[p.at+end] != '}' {
		return "", errors.New("has a name that is not plain")
	}
	s := p.in[p.at : p.at+end]
	p.at += end + 1
	return s, nil
}

// letters sets letters and digits in the alphabet of the group. Words are one literal, for
// Typst would set their letters as variables side by side.
func (p *parser) letters(t string) string {
	f := alphabets[p.font]
	switch {
	case p.font == "":
		return t
	case isDigit(t[0]):
		if f.digits {
			return fmt.Sprintf(f.letter, t)
		}
		return t
	case len(t) == 1:
		return fmt.Sprintf(f.letter, t)
	case f.word == "":
		return fmt.Sprintf(f.letter, strings.Join(strings.Split(t, ""), " "))
	}
	return fmt.Sprintf(f.word, Quote(t))
}

// inFont reads an argument in an alphabet.
func (p *parser) inFont(font string) (atom, error) {
	old := p.font
	p.font = font
	a, err := p.argumentAtom()
	p.font = old
	return a, err
}

func (p *parser) delimiter() (atom, error) {
	t := p.next()
	if t == "." {
		return atom{`""`, ord}, nil
	}
	if d, ok := delimiters[t]; ok {
		return d, nil
	}
	return atom{}, fmt.Errorf("has the delimiter %q, which is not supported", t)
}

// atom reads what the token t begins.
func (p *parser) atom(t string) (atom, error) {
	if a, ok := symbols[t]; ok {
		if p.font == "bold" && capitalGreek[t] { // the only symbols that alphabets change
			a.src = fmt.Sprintf(alphabets["bold"].letter, a.src)
		}
		return a, nil
	}
	if d, ok := delimiters[t]; ok {
		if strings.HasPrefix(d.src, "bar") { // a class of its own in Typst, with other spaces
			d.src = call("class", `"`+classNames[d.class]+`"`, d.src)
		}
		return d, nil
	}
	if f, ok := functions[t]; ok {
		var args []string
		for range f.args {
			a, err := p.argument()
			if err != nil {
				return atom{}, err
			}
			args = append(args, a)
		}
		return atom{fmt.Sprintf(f.format, call(f.name, args...)), ord}, nil
	}
	if f, ok := accents[t]; ok {
		a, err := p.argument()
		return atom{call(f, a, "size:#0pt"), ord}, err
	}
	if f, ok := fonts[t]; ok {
		return p.inFont(f)
	}
	if c, ok := classes[t]; ok {
		a, err := p.argument()
		return atom{call("class", `"`+c.name+`"`, a), c.class}, err
	}
	if s, ok := styles[t]; ok {
		return atom{s, style}, nil
	}
	if size, ok := sizes[strings.TrimRight(t, "lrm")]; ok {
		return p.sized(t, size)
	}
	if _, ok := texts[t]; ok {
		s, err := p.text(t)
		return atom{s, ord}, err
	}
	switch {
	case t == "":
		return atom{}, errors.New("ends too early")
	case isDigit(t[0]):
		return atom{p.letters(t), ord}, nil
	case isLetter(t[0]):
		for p.font != "" && p.at < len(p.in) && isWord(p.in[p.at]) {
			t += p.in[p.at : p.at+1]
			p.at++
		}
		return atom{p.letters(t), ord}, nil
	}
	switch t {
	case "{":
		a, err := p.group()
		if len(a.src) > 1 && a.src != `""` || a.class != ord {
			a.src = call("class", `"normal"`, a.src) // as in TeX, a group is an ordinary atom
		}
		return atom{a.src, ord}, err
	case "^", "_", "'":
		p.at -= len(t)
		return atom{`""`, ord}, nil
	case `\left`:
		return p.fenced()
	case `\sqrt`:
		n, given, err := p.option()
		if err != nil {
			return atom{}, err
		}
		x, err := p.argument()
		if given {
			return atom{call("root", n, x), ord}, err
		}
		return atom{call("sqrt", x), ord}, err
	case `\cfrac`:
		// The numerator may be moved with [l] or [r].
		if n, given, err := p.option(); err != nil || given {
			return atom{}, fmt.Errorf("has \\cfrac[%s], which is not supported", n)
		}
		a, err := p.argument()
		if err != nil {
			return atom{}, err
		}
		b, err := p.argument()
		return atom{"display(" + call("frac", call("display", a), call("display", b)) + ")", ord}, err
	case `\underbrace`, `\overbrace`:
		return p.brace(t)
	case `\overset`, `\underset`, `\stackrel`:
		return p.stacked(t)
	case `\xrightarrow`, `\xleftarrow`:
		return p.arrow(t)
	case `\operatorname`:
		return p.operator()
	case `\mathop`:
		a, err := p.argument()
		return atom{call("op", a, "limits:#true"), op}, err
	case `\not`:
		n := p.next()
		if s, ok := negated[n]; ok {
			return atom{s, rel}, nil
		}
		return atom{}, fmt.Errorf(`has \not%s, which is not known`, n)
	case `\substack`:
		if !p.take("{") {
			return atom{}, errors.New(`has \substack without a brace`)
		}
		rows, _, err := p.rows("}")
		if err != nil {
			return atom{}, err
		}
		return atom{table{cell: "script", gaps: "row-gap:#0.1em"}.typst(p, rows), ord}, nil
	case `\begin`:
		return p.environment()
	case `\newcommand`, `\renewcommand`, `\def`, `\let`, `\DeclareMathOperator`:
		return atom{}, fmt.Errorf("defines a command with %s, which is not supported", t)
	}
	return atom{}, fmt.Errorf("has %s, which is not known", t)
}

// sized reads the delimiter of a \big, \Bigl and the like.
func (p *parser) sized(t, size string) (atom, error) {
	if p.take("/") { // which Typst does not take for a delimiter
		return atom{call("class", `"normal"`, call("stretch", `\/`, "size:#"+size)), ord}, nil
	}
	d, err := p.delimiter()
	if err != nil {
		return d, err
	}
	switch t[len(t)-1] {
	case 'l':
		d.class = open
	case 'r':
		d.class = shut
	case 'm':
		d.class = rel
	default:
		d.class = ord
	}
	return atom{call("class", `"`+classNames[d.class]+`"`, call("lr", "size:#"+size, d.src)), d.class}, nil
}

// fenced reads what \left and \right enclose.
func (p *parser) fenced() (atom, error) {
	d, err := p.delimiter()
	if err != nil {
		return d, err
	}
	font := p.font
	p.font = ""
	defer func() { p.font = font }()
	src := d.src
	for {
		atoms, end, err := p.list(`\right`, `\middle`)
		if err != nil {
			return atom{}, err
		}
		body := p.join(atoms, false)
		if d, err = p.delimiter(); err != nil {
			return d, err
		}
		if end == `\middle` {
			d.src = call("class", `"normal"`, call("mid", d.src)) // mid alone would be a relation
		}
		src = adjoin(adjoin(src, body), d.src)
		if end == `\right` {
			return atom{"lr(" + src + ")", inner}, nil
		}
	}
}

// brace reads the argument of \underbrace or \overbrace, with what stands at the brace.
func (p *parser) brace(t string) (atom, error) {
	x, err := p.argument()
	if err != nil {
		return atom{}, err
	}
	mark := "_"
	if t == `\overbrace` {
		mark = "^"
	}
	args := []string{x}
	if p.take(mark) {
		note, err := p.scriptArgument()
		if err != nil {
			return atom{}, err
		}
		args = append(args, note)
	}
	return atom{call(t[1:], args...), ord}, nil
}

// stacked reads an \overset, \underset or \stackrel.
func (p *parser) stacked(t string) (atom, error) {
	note, err := p.scriptArgument()
	if err != nil {
		return atom{}, err
	}
	a, err := p.argumentAtom()
	if err != nil {
		return a, err
	}
	at := "t:"
	if t == `\underset` {
		at = "b:"
	}
	a.src = call("attach", call("limits", a.src), at+note)
	if t == `\stackrel` {
		a = atom{call("class", `"relation"`, a.src), rel}
	}
	return a, nil
}

// arrow reads an arrow as long as what stands at it.
func (p *parser) arrow(t string) (atom, error) {
	script := p.script
	p.script = true
	defer func() { p.script = script }()
	under, given, err := p.option()
	if err != nil {
		return atom{}, err
	}
	over, err := p.argument()
	if err != nil {
		return atom{}, err
	}
	name := "arrow.r"
	if t == `\xleftarrow` {
		name = "arrow.l"
	}
	args := []string{call("limits", call("stretch", name, "size:#(100%+1em)")), "t:" + over}
	if given {
		args = append(args, "b:"+under)
	}
	return atom{call("class", `"relation"`, call("attach", args...)), rel}, nil
}

// operator reads the name of an operator, where a hyphen is a hyphen.
func (p *parser) operator() (atom, error) {
	limits := p.take("*")
	at := p.at
	name, err := p.literal()
	src := Quote(strings.Join(strings.Fields(name), ""))
	if err != nil || strings.ContainsAny(name, "^_'&~#%") {
		p.at = at
		a, err := p.inFont("upright")
		if err != nil {
			return a, err
		}
		src = a.src
	}
	if limits {
		return atom{call("op", src, "limits:#true"), op}, nil
	}
	return atom{call("op", src), op}, nil
}

// text reads the argument of \text and its like. Its spaces count, and it may have formulas
// in it.
func (p *parser) text(t string) (string, error) {
	if !p.take("{") {
		return "", fmt.Errorf("has %s without a brace", t)
	}
	font := p.font
	p.font = ""
	defer func() { p.font = font }()
	if p.depth++; p.depth > maxDepth {
		return "", errors.New("is nested too deeply")
	}
	defer func() { p.depth-- }()
	var out strings.Builder
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			s := Quote(textMarks.Replace(plain.String()))
			if f := texts[t]; f != "" {
				s = call(f, s)
			}
			out.WriteString(s)
			plain.Reset()
		}
	}
	for level := 0; p.at < len(p.in); {
		r, n := utf8.DecodeRuneInString(p.in[p.at:])
		switch r {
		case '{':
			level++
		case '}':
			if level--; level < 0 {
				p.at++
				flush()
				if out.Len() == 0 {
					return `""`, nil
				}
				return out.String(), nil
			}
		case '~':
			plain.WriteRune('\u00a0')
		case '$':
			p.at++
			flush()
			atoms, _, err := p.list("$")
			if err != nil {
				return "", err
			}
			s := p.join(atoms, false)
			if s != "" {
				s = "inline(" + s + ")"
			}
			out.WriteString(s)
			continue
		case '\\':
			c := p.next()
			if texts[c] != "" || c == `\text` {
				flush()
				s, err := p.text(c)
				if err != nil {
					return "", err
				}
				out.WriteString(s)
				continue
			}
			s, ok := textEscapes[c]
			if !ok {
				return "", fmt.Errorf("has %s in a text", c)
			}
			plain.WriteString(s)
			continue
		case '%', '#', '&', '^', '_':
			return "", fmt.Errorf(`has %c in a text; write \%c`, r, r)
		case '\n', '\t', '\r', ' ':
			if s := plain.String(); !strings.HasSuffix(s, " ") {
				plain.WriteByte(' ')
			}
		default:
			plain.WriteRune(r)
		}
		p.at += n
	}
	return "", errors.New("has a text that does not end")
}

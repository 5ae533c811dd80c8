// Package pdftext adds to a PDF what Typst, which has written it, cannot: the text of formulas,
// and links to other PDFs. The bytes of a PDF flow in, and those of the changed one flow out.
package pdftext

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// WithText returns the PDF with two things added. A formula that is copied or searched for
// gives its LaTeX, which is its alternative text, instead of glyphs without their structure.
// A link to a PDF in a neighbouring folder, such as ../co395/05_intervals.pdf#a-heading, opens
// that file at the named destination, since many viewers do not resolve relative URIs.
//
// It reads the form of PDF that Typst writes, with one table of cross-references and plain
// objects; anything else is an error. The same PDF gives the same result.
func WithText(pdf []byte) ([]byte, error) {
	f, err := read(pdf)
	if err != nil {
		return nil, fmt.Errorf("PDF: %w", err)
	}
	for _, n := range f.order {
		if err := f.collect(n); err != nil {
			return nil, fmt.Errorf("PDF: object %d: %w", n, err)
		}
	}
	for _, n := range f.order {
		if marks := f.marks[n]; marks != nil {
			if err := f.page(n, marks); err != nil {
				return nil, fmt.Errorf("PDF: page in object %d: %w", n, err)
			}
		}
	}
	for _, formula := range f.formulas {
		if err := f.drop(formula); err != nil {
			return nil, fmt.Errorf("PDF: object %d: %w", formula.object, err)
		}
	}
	return f.write(), nil
}

// A file holds the objects of a PDF, from "1 0 obj" to "endobj".
type file struct {
	header  []byte
	objects map[int][]byte
	order   []int // numbers of objects as they stand in the file
	size    int
	trailer []byte

	formulas []*formula
	marks    map[int]map[int]*formula // by page and number of the marked content
	dropped  map[mark]bool
}

type mark struct{ page, mcid int }

// A formula is an element of the structure tree.
type formula struct {
	object  int
	alt     []byte // the string as it stands in the file
	written bool
}

const maxObjects = 5_000_000

func read(pdf []byte) (*file, error) {
	if !bytes.HasPrefix(pdf, []byte("%PDF-1.")) {
		return nil, errors.New("is none")
	}
	at := bytes.LastIndex(pdf, []byte("startxref"))
	if at < 0 {
		return nil, errors.New("has no end")
	}
	start, err := strconv.Atoi(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(pdf[at+len("startxref"):]), []byte("%%EOF")))))
	if err != nil || start < 0 || start >= at || !bytes.HasPrefix(pdf[start:], []byte("xref\n0 ")) {
		return nil, errors.New("has no plain table of cross-references")
	}
	head, rest, _ := bytes.Cut(pdf[start+len("xref\n0 "):at], []byte("\n"))
	size, err := strconv.Atoi(string(head))
	if err != nil || size < 1 || size > maxObjects || size*20 > len(rest) {
		return nil, errors.New("has a damaged table of cross-references")
	}
	f := &file{objects: map[int][]byte{}, marks: map[int]map[int]*formula{}, dropped: map[mark]bool{}, size: size, trailer: rest[size*20:]}
	t := bytes.TrimSpace(f.trailer)
	if !bytes.HasPrefix(t, []byte("trailer\n<<")) {
		return nil, errors.New("has no trailer")
	}
	keys, err := entries(t[len("trailer\n"):])
	if err != nil {
		return nil, err
	}
	for _, k := range []string{"Encrypt", "Prev", "XRefStm"} {
		if keys[k] != nil {
			return nil, fmt.Errorf("has a trailer with %s", k)
		}
	}
	var offsets []int
	numbers := map[int]int{}
	for n := range size {
		entry := string(rest[n*20 : n*20+18])
		if entry[17] == 'f' {
			continue
		}
		offset, err := strconv.Atoi(strings.TrimLeft(entry[:10], "0"))
		if err != nil || entry[10:] != " 00000 n" || offset < 0 || offset >= start || !bytes.HasPrefix(pdf[offset:], fmt.Appendf(nil, "%d 0 obj\n", n)) || numbers[offset] != 0 {
			return nil, fmt.Errorf("has no object %d where the table says", n)
		}
		offsets = append(offsets, offset)
		numbers[offset] = n
	}
	if len(offsets) == 0 {
		return nil, errors.New("has no objects")
	}
	slices.Sort(offsets)
	f.header = pdf[:offsets[0]]
	for i, offset := range offsets {
		end := start
		if i+1 < len(offsets) {
			end = offsets[i+1]
		}
		n := numbers[offset]
		o := bytes.TrimSpace(pdf[offset:end])
		if !bytes.HasSuffix(o, []byte("\nendobj")) {
			return nil, fmt.Errorf("has an object %d that does not end", n)
		}
		f.objects[n] = o
		f.order = append(f.order, n)
	}
	return f, nil
}

// write writes the objects with a new table of cross-references.
func (f *file) write() []byte {
	size := len(f.header) + len(f.trailer) + f.size*20 + 64
	for _, o := range f.objects {
		size += len(o) + 2
	}
	out := make([]byte, 0, size)
	out = append(out, f.header...)
	offsets := make([]int, f.size)
	for _, n := range f.order {
		offsets[n] = len(out)
		out = append(out, f.objects[n]...)
		out = append(out, "\n\n"...)
	}
	start := len(out)
	out = fmt.Appendf(out, "xref\n0 %d\n0000000000 65535 f\r\n", f.size)
	for _, offset := range offsets[1:] {
		if offset == 0 {
			out = append(out, "0000000000 65535 f\r\n"...)
		} else {
			out = fmt.Appendf(out, "%010d 00000 n\r\n", offset)
		}
	}
	out = append(out, f.trailer...)
	return fmt.Appendf(out, "startxref\n%d\n%%%%EOF", start)
}

// dictionary returns the entries of an object, and what follows them.
func dictionary(object []byte) (d map[string][]byte, rest []byte, err error) {
	from, to, err := value(object, bytes.IndexByte(object, '\n'))
	if err != nil {
		return nil, nil, err
	}
	d, err = entries(object[from:to])
	return d, object[to:], err
}

// collect takes down an object that is a formula, and mends one that is a link.
func (f *file) collect(n int) error {
	o := f.objects[n]
	if !bytes.Contains(o, []byte("/Formula")) && !bytes.Contains(o, []byte("/URI")) || bytes.HasSuffix(o, []byte("\nendstream\nendobj")) {
		return nil
	}
	d, _, err := dictionary(o)
	if err != nil {
		return err
	}
	switch {
	case string(d["S"]) == "/Formula" && len(d["Alt"]) > 0:
		it := &formula{object: n, alt: d["Alt"]}
		f.formulas = append(f.formulas, it)
		list, err := kids(d)
		for _, k := range list {
			if f.marks[k.mark.page] == nil {
				f.marks[k.mark.page] = map[int]*formula{}
			}
			f.marks[k.mark.page][k.mark.mcid] = it
		}
		return err
	case string(d["Subtype"]) == "/Link" && d["A"] != nil:
		action, err := entries(d["A"])
		if err != nil || string(action["S"]) != "/URI" {
			return err
		}
		if a := toFile(text(action["URI"])); a != "" {
			f.objects[n] = replace(o, d["A"], a)
		}
	}
	return nil
}

// A kid is what an element of the structure tree consists of.
type kid struct {
	item []byte
	mark mark // of marked content; of anything else the page is 0
}

func kids(element map[string][]byte) ([]kid, error) {
	page, _ := reference(element["Pg"])
	list, err := items(element["K"])
	var out []kid
	for _, item := range list {
		k := kid{item: item}
		if n, err := strconv.Atoi(string(item)); err == nil {
			k.mark = mark{page, n}
		} else if bytes.HasPrefix(item, []byte("<<")) {
			d, err := entries(item)
			if err != nil {
				return nil, err
			}
			p, _ := reference(d["Pg"])
			if n, err := strconv.Atoi(string(d["MCID"])); err == nil {
				k.mark = mark{p, n}
			}
		}
		out = append(out, k)
	}
	return out, err
}

// drop removes the marks from an element that page has joined to their first.
func (f *file) drop(it *formula) error {
	o := f.objects[it.object]
	d, _, err := dictionary(o)
	if err != nil {
		return err
	}
	list, err := kids(d)
	var kept [][]byte
	for _, k := range list {
		if !f.dropped[k.mark] {
			kept = append(kept, k.item)
		}
	}
	if len(kept) < len(list) {
		f.objects[it.object] = replace(o, d["K"], "["+string(bytes.Join(kept, []byte(" ")))+"]")
	}
	return err
}

// maxPage is how long the content of a page may be, far more than any page needs.
const maxPage = 64 << 20

// page rewrites the content of a page.
func (f *file) page(n int, marks map[int]*formula) error {
	d, _, err := dictionary(f.objects[n])
	if err != nil {
		return err
	}
	content, ok := reference(d["Contents"])
	if !ok || string(d["Type"]) != "/Page" {
		return errors.New("has no content")
	}
	o := f.objects[content]
	d, rest, err := dictionary(o)
	if err != nil {
		return err
	}
	stream, ok := bytes.CutPrefix(rest, []byte("\nstream\n"))
	length, err := strconv.Atoi(string(d["Length"]))
	if !ok || err != nil || length < 0 || length > len(stream) || string(d["Filter"]) != "/FlateDecode" || d["DecodeParms"] != nil {
		return errors.New("has a content in another form")
	}
	z, err := zlib.NewReader(bytes.NewReader(stream[:length]))
	if err != nil {
		return err
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxPage))
	if err != nil {
		return err
	}
	if len(plain) == maxPage {
		return errors.New("is too long")
	}
	plain, gone, err := withText(plain, marks)
	if err != nil {
		return err
	}
	for _, mcid := range gone {
		f.dropped[mark{n, mcid}] = true
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(plain) // a buffer takes all
	w.Close()
	head := replace(o[:len(o)-len(rest)], d["Length"], strconv.Itoa(packed.Len()))
	f.objects[content] = slices.Concat(head, []byte("\nstream\n"), packed.Bytes(), []byte("\nendstream\nendobj"))
	return nil
}

// A sequence is marked content that stands in no other.
type sequence struct {
	open, properties, shut []byte
	mcid                   int // -1: none, an artifact

	operators       string
	move, text, end []byte // the last cm, Tm and Q with their operands
}

// A run of glyphs, which Typst moves to its place by the matrix of all and not by that of
// the text.
var (
	run  = regexp.MustCompile(`^ q cm( cs)?( scn?)? BT( Tr)? Tf Tm T[jJ] ET Q$`)
	move = regexp.MustCompile(`^1 0 0 -1 (\S+ \S+) cm$`)
)

// moved returns the operator Tm that does what cm and Tm of a run do together, or nil if
// they are of another form.
func (s *sequence) moved() []byte {
	at := move.FindSubmatch(s.move)
	if at == nil || string(s.text) != "1 0 0 -1 0 0 Tm" || !run.MatchString(s.operators) {
		return nil
	}
	return fmt.Appendf(nil, "1 0 0 1 %s Tm", at[1])
}

// withText joins the marked content of each formula to one sequence, which has the text of
// the formula, and returns the numbers that are no longer used. Typst marks each run of
// glyphs, and the bars of fractions as artifacts between them.
func withText(content []byte, marks map[int]*formula) ([]byte, []int, error) {
	list, err := sequences(content)
	if err != nil {
		return nil, nil, err
	}
	var out []byte
	var gone []int
	rest := content
	put := func(old []byte, s ...[]byte) {
		at := offset(rest, old)
		out = append(out, rest[:at]...)
		for _, b := range s {
			out = append(out, b...)
		}
		rest = rest[at+len(old):]
	}
	for i := 0; i < len(list); i++ {
		it := marks[list[i].mcid]
		if it == nil {
			continue
		}
		last := i
		for j := i + 1; j < len(list) && (list[j].mcid < 0 || marks[list[j].mcid] == it); j++ {
			if list[j].mcid >= 0 {
				last = j
			}
		}
		alt := it.alt
		if it.written { // on the page before
			alt = []byte("()")
		}
		it.written = true
		p := list[i].properties
		put(p[len(p)-2:], []byte("/ActualText"), alt, []byte(">>"))
		for {
			// Poppler finds where the text stands from the glyphs, but takes all of them to be
			// in the system of coordinates that is in force at its end.
			if tm := list[i].moved(); tm != nil {
				put(list[i].move)
				put(list[i].text, tm)
			}
			if i == last {
				break
			}
			put(list[i].shut)
			if i++; list[i].mcid >= 0 {
				gone = append(gone, list[i].mcid)
			}
			put(list[i].open)
		}
		if strings.HasSuffix(list[last].operators, " Q") {
			put(list[last].end, list[last].shut, []byte(" Q"))
			put(list[last].shut)
		}
	}
	return append(out, rest...), gone, nil
}

func sequences(content []byte) ([]sequence, error) {
	var list []sequence
	var operands [][]byte
	depth := 0
	for at := 0; ; {
		from, to, err := value(content, at)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		token := content[from:to]
		at = to
		if c := token[0]; c == '/' || c == '(' || c == '<' || c == '[' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
			operands = append(operands, token)
			continue
		}
		switch string(token) {
		case "BI":
			return nil, errors.New("has an image in its content")
		case "BMC", "BDC":
			if depth++; depth > 1 {
				break
			}
			s := sequence{mcid: -1}
			if len(operands) == 0 {
				return nil, errors.New("has a mark without a name")
			}
			s.open = content[offset(content, operands[0]):to]
			if string(token) == "BDC" {
				if len(operands) != 2 || !bytes.HasPrefix(operands[1], []byte("<<")) {
					return nil, errors.New("has a mark in another form")
				}
				d, err := entries(operands[1])
				if err != nil {
					return nil, err
				}
				s.properties = operands[1]
				if n, err := strconv.Atoi(string(d["MCID"])); err == nil {
					s.mcid = n
				}
			}
			list = append(list, s)
		case "EMC":
			if depth--; depth < 0 {
				return nil, errors.New("ends a mark that was not begun")
			}
			if depth == 0 {
				list[len(list)-1].shut = token
			}
		default:
			if depth == 0 {
				break
			}
			s := &list[len(list)-1]
			s.operators += " " + string(token)
			whole := token
			if len(operands) > 0 {
				whole = content[offset(content, operands[0]):to]
			}
			switch string(token) {
			case "cm":
				s.move = whole
			case "Tm":
				s.text = whole
			case "Q":
				s.end = whole
			}
		}
		operands = operands[:0]
	}
	if depth != 0 {
		return nil, errors.New("has a mark that does not end")
	}
	return list, nil
}

// toFile is an action that opens another PDF, or "" if that is not where the link leads.
func toFile(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || path.IsAbs(u.Path) || path.Ext(u.Path) != ".pdf" {
		return ""
	}
	to := "[0/XYZ null null null]"
	if u.Fragment != "" {
		to = fmt.Sprintf("<%X>", u.Fragment)
	}
	wide := "FEFF"
	for _, c := range utf16.Encode([]rune(u.Path)) {
		wide += fmt.Sprintf("%04X", c)
	}
	return fmt.Sprintf("<</Type/Action/S/GoToR/F<</Type/Filespec/F<%X>/UF<%s>>>/D%s>>", u.Path, wide, to)
}

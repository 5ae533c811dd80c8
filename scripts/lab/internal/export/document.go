package export

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/texmath"
)

// A Document is a notebook, or a book of notebooks, in Typst's language. A compiler makes a
// PDF of it.
type Document struct {
	Title string
	// Files are main.typ and what it reads, by their names.
	Files map[string][]byte
	// Warnings list what was left out or not understood.
	Warnings []string
}

//go:embed house.typ
var houseStyle []byte

//go:embed house.tmTheme
var houseTheme []byte

// PrintOptions hold what the compiler reported about an earlier version of a document.
type PrintOptions struct {
	// Unknown are the pieces of text, most of them of one character, for which no font has
	// a glyph, the longest first. They are shown by the numbers of their characters, and a
	// warning names the cell of each.
	Unknown []string
}

// Print writes a notebook as a document of its own. Links to other notebooks lead to
// their PDFs. Its one error is the end of ctx.
func Print(ctx context.Context, s Source, o PrintOptions) (*Document, error) {
	d := newDocument()
	k := newTypst(ctx, d, s, o, "", 0, func(target, fragment string) string {
		if target == s.name()+".ipynb" {
			return "#" + fragment
		}
		return pageOf(s, target, fragment, ".pdf")
	})
	body := k.chapter()
	if err := ctx.Err(); err != nil {
		return nil, err // formulas are missing
	}
	d.Title, d.Warnings = k.title(), k.warnings
	w := k.writer.(*typstWriter)
	d.Files["main.typ"] = []byte("#import \"house.typ\" as house\n#show: house.single.with(" + w.quote(d.Title) + ")\n#{\n" + body + "}\n")
	return d, nil
}

// inChapter stands between the label of a chapter, none of which has it, and those of what
// is in it. Typst takes two places of one label that a link leads to for an error of the
// whole book.
const inChapter = "/"

// PrintBook writes all notebooks, in the order given, as one document: a title page,
// contents, a chapter for each notebook, a list of figures, and an index of terms. Its one
// error is the end of ctx.
func PrintBook(ctx context.Context, info BookInfo, sources []Source, o PrintOptions) (*Document, error) {
	d := newDocument()
	d.Title = info.Title
	sources, to := chaptersOf(sources, inChapter)
	var main, figures strings.Builder
	index := terms{}
	quote := (&typstWriter{}).quote
	fmt.Fprintf(&main, "#import \"house.typ\" as house\n#show: house.book.with(%s, subtitle: %s, imprint: (", quote(info.Title), quote(info.Subtitle))
	for _, line := range []string{info.Version, info.Date, info.Licence} {
		if line != "" {
			main.WriteString(quote(line) + ", ")
		}
	}
	cover := "none"
	if info.Cover != nil {
		d.Files["cover.png"] = info.Cover
		cover = `"cover.png"`
	}
	fmt.Fprintf(&main, "), cover: %s, cover-alt: %s)\n", cover, quote(info.CoverAlt))
	for i, s := range sources {
		k := newTypst(ctx, d, s, o, anchor(s)+inChapter, 1, to)
		body := k.chapter()
		if err := ctx.Err(); err != nil {
			return nil, err // formulas are missing
		}
		w := k.writer.(*typstWriter)
		if title := info.CourseTitle(s.Course); title != "" && (i == 0 || s.Course != sources[i-1].Course) {
			fmt.Fprintf(&main, "#house.part(%s);\n", quote(title))
		}
		file := fmt.Sprintf("chapter-%d.typ", i+1)
		d.Files[file] = []byte("#import \"house.typ\" as house\n#{\n" + body + "}\n")
		fmt.Fprintf(&main, "#house.chapter(%s, %s);\n#include %q;\n", quote(anchor(s)), w.quote(k.title()), file)
		if len(w.figures) > 0 {
			fmt.Fprintf(&figures, "(%s, %s, (%s,)),\n", quote(anchor(s)), w.quote(k.title()), strings.Join(w.figures, ", "))
		}
		index.add(w.terms)
		for _, text := range k.warnings {
			d.Warnings = append(d.Warnings, s.name()+": "+text)
		}
	}
	if figures.Len() > 0 {
		main.WriteString("#house.list-of-figures((\n" + figures.String() + "));\n")
	}
	if entries := index.entries(len(sources), proseOf(sources)); entries != "" {
		main.WriteString("#house.index-of-terms((\n" + entries + "));\n")
	}
	d.Files["main.typ"] = []byte(main.String())
	return d, nil
}

func newDocument() *Document {
	return &Document{Files: map[string][]byte{"house.typ": houseStyle, "house.tmTheme": houseTheme}}
}

// terms holds, for each term, where it is printed in bold and how it is spelled there. Its
// keys are the same for spellings that differ in capitals, hyphens or a possessive.
type terms map[string]*entryOfTerm

type entryOfTerm struct {
	labels    []string
	spellings map[string]int
	chapters  int
}

// A term is a piece of running text in bold, which is how the notebooks define what a
// word means.
type term struct{ text, label string }

func (t terms) add(found []term) {
	seen := map[string]bool{}
	for _, f := range found {
		text := strings.TrimSuffix(f.text, "'s")
		key := strings.ReplaceAll(strings.ToLower(text), "-", " ")
		if t[key] == nil {
			t[key] = &entryOfTerm{spellings: map[string]int{}}
		}
		t[key].labels = append(t[key].labels, f.label)
		t[key].spellings[text]++
		if !seen[key] {
			seen[key] = true
			t[key].chapters++
		}
	}
}

// isTerm reports whether something in bold may be a term. The beginning of a paragraph, such
// as "Hint.", a whole sentence, and a phrase in bold for emphasis are none.
func isTerm(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	words := strings.Fields(strings.ToLower(s))
	return (unicode.IsLetter(first) || unicode.IsDigit(first)) && (unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')') &&
		len(s) > 1 && len(words) <= 5 && strings.ContainsFunc(s, unicode.IsLetter) &&
		strings.ContainsFunc(words[len(words)-1], unicode.IsLetter) && // "option 1" is one of several
		!slices.Contains(numerals, words[0]) && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(phraseWords, w) })
}

// phraseWords occur in phrases that are bold for emphasis and not in names of things, of
// which "of" is the only small word: "curse of dimensionality".
var phraseWords = []string{"a", "all", "an", "any", "at", "both", "by", "each", "every", "for", "from", "in", "is", "it", "no", "nobody", "not", "on", "than", "the", "this", "to", "with", "within"}

// numerals begin a phrase that counts. Inside a term they may stand: "rule of three".
var numerals = []string{"one", "two", "three", "four", "several"}

var codeInProse = regexp.MustCompile("`[^`]*`")

// proseOf returns the markdown of notebooks without code, with single spaces.
func proseOf(sources []Source) string {
	var b strings.Builder
	for _, s := range sources {
		for _, c := range s.Notebook.Cells {
			if c.Type == "markdown" {
				b.WriteString(strings.Join(strings.Fields(codeInProse.ReplaceAllString(c.Source, " ")), " ") + "\n")
			}
		}
	}
	return b.String()
}

// entries returns the lines of the index in alphabetical order. Text in bold in more than a
// tenth of the chapters is a phrase that all of them use, and no term. A plural is listed
// with its singular. prose is where a term that is bold at the beginning of sentences alone
// may occur with a small letter, as it is then written.
func (t terms) entries(chapters int, prose string) string {
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if one := t[strings.TrimSuffix(key, "s")]; one != nil && one != t[key] {
			one.labels = append(one.labels, t[key].labels...)
			one.chapters += t[key].chapters
			delete(t, key)
		}
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(t)) {
		e := t[key]
		if e.chapters > max(chapters/10, 5) {
			continue
		}
		spelling := slices.MinFunc(slices.Collect(maps.Keys(e.spellings)), func(a, b string) int {
			return cmp.Compare(b, a) // small letters follow the capitals
		})
		first, size := utf8.DecodeRuneInString(spelling)
		if small := string(unicode.ToLower(first)) + spelling[size:]; regexp.MustCompile(`\b` + regexp.QuoteMeta(small) + `\b`).MatchString(prose) {
			spelling = small
		}
		labels := make([]string, len(e.labels))
		for i, l := range e.labels {
			labels[i] = texmath.Quote(l)
		}
		fmt.Fprintf(&b, "(%s, (%s,)),\n", texmath.Quote(spelling), strings.Join(labels, ", "))
	}
	return b.String()
}

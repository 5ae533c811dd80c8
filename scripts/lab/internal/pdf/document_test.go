package pdf

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	reader "rsc.io/pdf"
)

// The files in testdata were printed by Chromium 156 from the pages beside them, with
// the arguments that Print gives it. What is put together from them is read by another
// library than the one that writes it.

func first() *Part {
	return &Part{File: filepath.Join("testdata", "first.pdf"), Name: "lab3/01_first", Group: "Lab 3",
		Headings: []Heading{{1, "first", "First"}, {2, "two", "Two ½"}, {3, "deep", "Deep"}}}
}

func second() *Part {
	return &Part{File: filepath.Join("testdata", "second.pdf"), Name: "lab3/02_second", Group: "Lab 3",
		Headings: []Heading{{1, "second", "Second"}, {2, "there", "There"}}}
}

func front() *Part {
	return &Part{File: filepath.Join("testdata", "front.pdf"), Headings: []Heading{{1, "", "A book"}, {2, "contents", "Contents"}}}
}

func TestPlaces(t *testing.T) {
	pages, headings, err := first().Places()
	if want := map[string]int{"first": 1, "two": 2, "deep": 2}; err != nil || pages != 2 || !maps.Equal(headings, want) {
		t.Errorf("%d pages, headings on %v, want %v; error %v", pages, headings, want, err)
	}
	// Where the headings are not those that were printed, none has a place.
	other := first()
	other.Headings = other.Headings[1:]
	if pages, headings, err := other.Places(); err != nil || pages != 2 || len(headings) != 0 {
		t.Errorf("%d pages, headings on %v; error %v", pages, headings, err)
	}
}

// read writes a document and opens it.
func read(t *testing.T, d Document) *reader.Reader {
	t.Helper()
	target := filepath.Join(t.TempDir(), "a.pdf")
	if err := d.Write(target); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	r, err := reader.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// book is a document of all three files: two pages in front, two of first, one of second.
func book() Document {
	return Document{Title: "The book – all", Path: "book.pdf", Front: front(), Parts: []*Part{first(), second()}}
}

// pageOf tells on which page, from 1, a destination is. Pages have different numbers
// among the tags.
func pageOf(t *testing.T, r *reader.Reader, dest reader.Value) int {
	t.Helper()
	for i := range r.NumPage() {
		if dest.Index(0).Key("StructParents").Int64() == r.Page(i+1).V.Key("StructParents").Int64() {
			return i + 1
		}
	}
	t.Errorf("%v leads to no page", dest)
	return 0
}

func TestBookmarks(t *testing.T) {
	for _, c := range []struct {
		name     string
		document Document
		want     string
		shown    int64 // before a reader opens any
	}{
		{"book", book(), "Contents 2\nLab 3 3\n  First 3\n    Two ½ 4\n      Deep 4\n  Second 5\n    There 5\n", 4},
		{"alone", Document{Path: "lab3/01_first.pdf", Parts: []*Part{first()}}, "First 1\n  Two ½ 2\n    Deep 2\n", 2},
		{"no group", Document{Parts: []*Part{{File: first().File, Headings: first().Headings}}}, "First 1\n  Two ½ 2\n    Deep 2\n", 2},
		{"headings unknown", Document{Front: front(), Parts: []*Part{{File: first().File, Name: "a", Title: "A"}}}, "Contents 2\nA 3\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, c.document)
			var b strings.Builder
			var list func(item reader.Value, indent string)
			list = func(item reader.Value, indent string) {
				for ; !item.IsNull(); item = item.Key("Next") {
					fmt.Fprintf(&b, "%s%s %d\n", indent, item.Key("Title").Text(), pageOf(t, r, item.Key("Dest")))
					list(item.Key("First"), indent+"  ")
				}
			}
			top := r.Trailer().Key("Root").Key("Outlines")
			list(top.Key("First"), "")
			if b.String() != c.want {
				t.Errorf("got\n%swant\n%s", b.String(), c.want)
			}
			if got := top.Key("Count").Int64(); got != c.shown {
				t.Errorf("%d bookmarks are shown, want %d", got, c.shown)
			}
		})
	}
}

func TestPageNumbers(t *testing.T) {
	r := read(t, book())
	var got []string
	for i := range r.NumPage() {
		page := r.Page(i + 1)
		if page.V.Key("Resources").Key("Font").Key(numberFont).IsNull() {
			got = append(got, "-")
			continue
		}
		// The last piece of what the page draws is its number.
		contents := page.V.Key("Contents")
		b := make([]byte, 1000)
		n, _ := contents.Index(contents.Len() - 1).Reader().Read(b)
		_, text, _ := strings.Cut(string(b[:n]), "(")
		text, _, _ = strings.Cut(text, ")")
		got = append(got, text)
	}
	if want := []string{"-", "ii", "1", "2", "3"}; !slices.Equal(got, want) {
		t.Errorf("numbers %q, want %q", got, want)
	}
	labels := r.Trailer().Key("Root").Key("PageLabels").Key("Nums")
	if labels.Len() != 4 || labels.Index(1).Key("S").Name() != "r" || labels.Index(2).Int64() != 2 || labels.Index(3).Key("S").Name() != "D" {
		t.Errorf("labels %v", labels)
	}
}

func TestRoman(t *testing.T) {
	for n, want := range map[int]string{1: "i", 2: "ii", 4: "iv", 9: "ix", 14: "xiv", 40: "xl", 58: "lviii", 99: "xcix"} {
		if got := roman(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// links lists where the links of all pages lead.
func links(t *testing.T, r *reader.Reader) (list []string) {
	t.Helper()
	for i := range r.NumPage() {
		annotations := r.Page(i + 1).V.Key("Annots")
		for j := range annotations.Len() {
			a := annotations.Index(j)
			action := a.Key("A")
			switch {
			case !a.Key("Dest").IsNull():
				list = append(list, fmt.Sprint(i+1, " to ", pageOf(t, r, a.Key("Dest"))))
			case action.Key("S").Name() == "GoToR":
				list = append(list, fmt.Sprint(i+1, " to ", action.Key("F").Key("UF").Text(), " ", action.Key("D").RawString()))
			default:
				list = append(list, fmt.Sprint(i+1, " to ", action.Key("URI").RawString()))
			}
		}
	}
	return list
}

func TestLinks(t *testing.T) {
	got := links(t, read(t, book()))
	want := []string{
		"2 to 3", "2 to 4", "2 to 5", // the table of contents
		"3 to 4", "3 to 5", "3 to 5", "3 to https://go.dev/",
		"5 to uci/03_third.pdf a-part", "5 to 3", // a heading that is gone: its notebook
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	got = links(t, read(t, Document{Path: "lab3/02_second.pdf", Parts: []*Part{second()}}))
	if want := []string{"1 to ../uci/03_third.pdf a-part", "1 to 01_first.pdf gone"}; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// Links from other documents find headings by their names.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		document Document
		want     string
	}{
		{Document{Parts: []*Part{first()}}, "deep 2, first 1, two 2"},
		{book(), "lab3/01_first 3, lab3/01_first#deep 4, lab3/01_first#first 3, lab3/01_first#two 4, lab3/02_second 5, lab3/02_second#second 5, lab3/02_second#there 5"},
	} {
		r := read(t, c.document)
		names := r.Trailer().Key("Root").Key("Names").Key("Dests").Key("Names")
		var got []string
		for i := 0; i < names.Len(); i += 2 {
			got = append(got, fmt.Sprint(names.Index(i).RawString(), " ", pageOf(t, r, names.Index(i+1))))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("got %s\nwant %s", strings.Join(got, ", "), c.want)
		}
	}
}

// The tags of all parts are there, pages and links find theirs, and cells of tables the
// tags of their headers.
func TestTags(t *testing.T) {
	r := read(t, book())
	root := r.Trailer().Key("Root")
	if !root.Key("MarkInfo").Key("Marked").Bool() || root.Key("Lang").RawString() != "en" {
		t.Error("not marked as tagged, or without a language")
	}
	tree := root.Key("StructTreeRoot")
	kinds, ids, headers := map[string]int{}, map[string]int{}, []string{}
	var walk func(tag reader.Value)
	walk = func(tag reader.Value) {
		if s := tag.Key("S").Name(); s != "" {
			kinds[s]++
		}
		if id := tag.Key("ID"); !id.IsNull() {
			ids[id.RawString()]++
		}
		attributes := tag.Key("A")
		for i := range attributes.Len() {
			h := attributes.Index(i).Key("Headers")
			for j := range h.Len() {
				headers = append(headers, h.Index(j).RawString())
			}
		}
		kids := tag.Key("K")
		if kids.Kind() == reader.Dict {
			walk(kids)
		}
		for i := range kids.Len() {
			if kids.Index(i).Kind() == reader.Dict {
				walk(kids.Index(i))
			}
		}
	}
	walk(tree)
	for kind, want := range map[string]int{"Document": 1, "Part": 3, "H1": 3, "Table": 2, "TH": 3, "TD": 3, "Link": 9} {
		if kinds[kind] != want {
			t.Errorf("%d tags %s, want %d", kinds[kind], kind, want)
		}
	}
	if len(ids) != 3 || len(headers) != 3 {
		t.Errorf("headers %q, tags with names %v", headers, ids)
	}
	for _, h := range headers {
		if ids[h] != 1 {
			t.Errorf("%d tags are called %s", ids[h], h)
		}
	}
	names := tree.Key("IDTree").Key("Kids").Index(0).Key("Names")
	for i := 0; i < names.Len(); i += 2 {
		if name := names.Index(i).RawString(); names.Index(i+1).Key("ID").RawString() != name {
			t.Errorf("%s leads to the tag of another name", name)
		}
	}
	numbers := map[int64]reader.Value{}
	for i, list := 0, tree.Key("ParentTree").Key("Nums"); i < list.Len(); i += 2 {
		numbers[list.Index(i).Int64()] = list.Index(i + 1)
	}
	for i := range r.NumPage() {
		page := r.Page(i + 1).V
		if tags := numbers[page.Key("StructParents").Int64()]; tags.Kind() != reader.Array || tags.Len() == 0 {
			t.Errorf("page %d has no tags", i+1)
		}
		annotations := page.Key("Annots")
		for j := range annotations.Len() {
			if tag := numbers[annotations.Index(j).Key("StructParent").Int64()]; tag.Key("S").Name() != "Link" {
				t.Errorf("link %d of page %d has the tag %v", j, i+1, tag)
			}
		}
	}
}

func TestTitle(t *testing.T) {
	if got := read(t, book()).Trailer().Key("Info").Key("Title").Text(); got != "The book – all" {
		t.Errorf("title %q", got)
	}
}

func TestDamagedParts(t *testing.T) {
	whole, err := os.ReadFile(first().File)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		file []byte
	}{{"empty", nil}, {"nonsense", []byte("no PDF")}, {"half", whole[:len(whole)/2]}} {
		file := filepath.Join(dir, c.name+".pdf")
		if err := os.WriteFile(file, c.file, 0o600); err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(dir, "out.pdf")
		if err := (Document{Parts: []*Part{{File: file}}}).Write(target); err == nil || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if _, err := os.Stat(target); err == nil {
			t.Errorf("%s: a document was written", c.name)
		}
	}
	if err := (Document{}).Write(filepath.Join(dir, "out.pdf")); err == nil {
		t.Error("a document without pages was written")
	}
}

package pdftext

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst/typsttest"
)

// build writes a PDF in Typst's form: the page is object 1 and its content object 2.
func build(content string, objects ...string) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write([]byte(content))
	w.Close()
	objects = append([]string{
		"<</Type/Page/Contents 2 0 R>>",
		fmt.Sprintf("<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream", packed.Len(), packed.Bytes()),
	}, objects...)
	out := []byte("%PDF-1.7\n%\x80\x80\x80\x80\n\n")
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f\r\n", len(objects)+1)
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n\r\n", len(out))
		out = fmt.Appendf(out, "%d 0 obj\n%s\nendobj\n\n", i+1, o)
	}
	return fmt.Appendf(out, "%strailer\n<</Size %d/Root 3 0 R>>\nstartxref\n%d\n%%%%EOF", table, len(objects)+1, len(out))
}

// content is what a PDF has on its first page, and objects what else it has from object 3 on.
func content(t *testing.T, pdf []byte) (string, []string) {
	t.Helper()
	f, err := read(pdf)
	if err != nil {
		t.Fatal(err)
	}
	var objects []string
	for n := 3; n < f.size; n++ {
		_, o, _ := strings.Cut(string(f.objects[n]), "\n")
		objects = append(objects, strings.TrimSuffix(o, "\nendobj"))
	}
	return inflate(t, f.objects[2]), objects
}

func TestWithText(t *testing.T) {
	const formula = `<</S/Formula/Alt(\\frac56)/K[1 2 3]/Pg 1 0 R>>`
	for _, test := range []struct {
		name, content, object, wantContent, wantObject string
	}{
		{
			"glyphs and a bar become one sequence",
			"/Span<</MCID 0>>BDC\nq (a)Tj Q\nEMC/Span<</MCID 1>>BDC\nq (5)Tj Q\nEMC/Artifact<</Type/Layout>>BDC\nq S Q\nEMC/Span<</MCID 2>>BDC\nq (6)Tj Q\nEMC/Span<</MCID 4>>BDC\nq (b)Tj Q\nEMC",
			`<</S/Formula/Alt(\\frac56)/K[1 2]/Pg 1 0 R>>`,
			"/Span<</MCID 0>>BDC\nq (a)Tj Q\nEMC/Span<</MCID 1/ActualText(\\\\frac56)>>BDC\nq (5)Tj Q\n\nq S Q\n\nq (6)Tj EMC Q\n/Span<</MCID 4>>BDC\nq (b)Tj Q\nEMC",
			`<</S/Formula/Alt(\\frac56)/K[1]/Pg 1 0 R>>`,
		},
		{
			"a formula in parts has its text once",
			"/Span<</MCID 1>>BDC (1)Tj EMC /Span<</MCID 0>>BDC (2)Tj EMC /Span<</MCID 2>>BDC (3)Tj EMC /Span<</MCID 3>>BDC (4)Tj EMC",
			formula,
			"/Span<</MCID 1/ActualText(\\\\frac56)>>BDC (1)Tj EMC /Span<</MCID 0>>BDC (2)Tj EMC /Span<</MCID 2/ActualText()>>BDC (3)Tj   (4)Tj EMC",
			`<</S/Formula/Alt(\\frac56)/K[1 2]/Pg 1 0 R>>`,
		},
		{
			"runs are in one system of coordinates",
			"/Span<</MCID 1>>BDC\nq 1 0 0 -1 10 20.5 cm/c0 cs 0 scn\nBT 0 Tr/f0 11 Tf 1 0 0 -1 0 0 Tm(5)Tj\nET\nQ\nEMC/Span<</MCID 2>>BDC\nq 1 0 0 -1 30 40 cm\nBT/f0 11 Tf 1 0 0 -1 0 0 Tm[(6)1(7)]TJ\nET\nQ\nEMC/Span<</MCID 3>>BDC\nq 1 0 0 -1 30 40 cm 0 0 m S\nBT/f0 11 Tf 1 0 0 -1 0 0 Tm(8)Tj\nET\nQ\nEMC",
			formula,
			"/Span<</MCID 1/ActualText(\\\\frac56)>>BDC\nq /c0 cs 0 scn\nBT 0 Tr/f0 11 Tf 1 0 0 1 10 20.5 Tm(5)Tj\nET\nQ\n\nq \nBT/f0 11 Tf 1 0 0 1 30 40 Tm[(6)1(7)]TJ\nET\nQ\n\nq 1 0 0 -1 30 40 cm 0 0 m S\nBT/f0 11 Tf 1 0 0 -1 0 0 Tm(8)Tj\nET\nEMC Q\n",
			`<</S/Formula/Alt(\\frac56)/K[1]/Pg 1 0 R>>`,
		},
		{
			"an artifact at the end is no part",
			"/Span<</MCID 1>>BDC (1)Tj EMC /Artifact BMC S EMC",
			`<</S/Formula/Alt<FEFF0041>/K[<</Type/MCR/MCID 1/Pg 1 0 R>>]/Pg 7 0 R>>`,
			"/Span<</MCID 1/ActualText<FEFF0041>>>BDC (1)Tj EMC /Artifact BMC S EMC",
			`<</S/Formula/Alt<FEFF0041>/K[<</Type/MCR/MCID 1/Pg 1 0 R>>]/Pg 7 0 R>>`,
		},
		{
			"marks in strings are none",
			`/Span<</MCID 1>>BDC (EMC/Span<</MCID 2>>BDC \) \\)Tj EMC`,
			formula,
			`/Span<</MCID 1/ActualText(\\frac56)>>BDC (EMC/Span<</MCID 2>>BDC \) \\)Tj EMC`,
			formula,
		},
		{
			"marks within marks stay",
			`/Span<</MCID 1>>BDC /Span<</MCID 9>>BDC (1)Tj EMC EMC`,
			formula,
			`/Span<</MCID 1/ActualText(\\frac56)>>BDC /Span<</MCID 9>>BDC (1)Tj EMC EMC`,
			formula,
		},
		{
			"a link to a heading of a PDF",
			"",
			`<</Type/Annot/Subtype/Link/A<</Type/Action/S/URI/URI(../co395/05_intervals.pdf#a-heading)>>/F 4>>`,
			"",
			`<</Type/Annot/Subtype/Link/A<</Type/Action/S/GoToR/F<</Type/Filespec/F<2E2E2F636F3339352F30355F696E74657276616C732E706466>/UF<FEFF002E002E002F0063006F003300390035002F00300035005F0069006E00740065007200760061006C0073002E007000640066>>>/D<612D68656164696E67>>>/F 4>>`,
		},
		{
			"a link to a PDF, with an escape",
			"",
			`<</Subtype/Link/A<</S/URI/URI<252832292E706466>>>>>`, // %(2).pdf
			"",
			`<</Subtype/Link/A<</S/URI/URI<252832292E706466>>>>>`,
		},
		{
			"a link to a PDF",
			"",
			`<</Subtype/Link/A<</S/URI/URI(\(%C3%BC\).pdf)>>>>`,
			"",
			`<</Subtype/Link/A<</Type/Action/S/GoToR/F<</Type/Filespec/F<28C3BC292E706466>/UF<FEFF002800FC0029002E007000640066>>>/D[0/XYZ null null null]>>>>`,
		},
	} {
		out, err := WithText(build(test.content, test.object))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		gotContent, gotObjects := content(t, out)
		if gotContent != test.wantContent || gotObjects[0] != test.wantObject {
			t.Errorf("%s:\n got %s\nwant %s\n got %s\nwant %s", test.name, gotContent, test.wantContent, gotObjects[0], test.wantObject)
		}
		again, err := WithText(build(test.content, test.object))
		if err != nil || !bytes.Equal(out, again) {
			t.Errorf("%s: other bytes from the same, %v", test.name, err)
		}
	}
}

func TestOtherLinks(t *testing.T) {
	for _, uri := range []string{"https://example.org/a.pdf#b", "//example.org/a.pdf", "/a.pdf", "a.html#b", "mailto:a@b.pdf", "#a", "", "javascript:a.pdf", "file:a.pdf", "a.pdf?b"} {
		if a := toFile(uri); a != "" {
			t.Errorf("%s becomes %s", uri, a)
		}
	}
}

func TestNotUnderstood(t *testing.T) {
	good := build("/Span<</MCID 1>>BDC EMC", "<</S/Formula/Alt(x)/K[1]/Pg 1 0 R>>")
	if _, err := WithText(good); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{"%PDF-1.7", "%PDF-2.0", "is none"},
		{"startxref", "startxxxx", "no end"},
		{"xref\n0 4", "xref\n0 9", "damaged table"},
		{"xref\n0 4", "xxxx\n0 4", "no plain table"},
		{"/Root", "/Prev 1/Root", "Prev"},
		{"/Root", "/Encrypt 1 0 R/Root", "Encrypt"},
		{"3 0 obj", "4 0 obj", "no object 3"},
		{"0000000016 00000 n", "-000000016 00000 n", "no object 1"},
		{"[1]/Pg 1 0 R>>\nendobj", "[1]/Pg 1 0 R>>\nendxxx", "object 3 that does not end"},
		{"/Alt(x)", "/Alt(x ", "cannot be read"},
		{"/Contents 2 0 R", "/Contents 9 0 R", "cannot be read"},
		{"/Contents 2 0 R", "/Contents[2 0 R", "cannot be read"},
		{"/FlateDecode", "/RunLengthxx", "another form"},
		{"stream\nx", "stream\ny", "zlib"},
	} {
		bad := bytes.Replace(good, []byte(test.old), []byte(test.new), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s is not there", test.old)
		}
		if _, err := WithText(bad); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("with %s: %v; want an error with %q", test.new, err, test.want)
		}
	}
	for _, content := range []string{"EMC", "/Span<</MCID 1>>BDC", "BDC EMC", "/a BDC EMC", "1 2 3 BDC EMC", "(", "BI EI", "<<", "]", "/a<</MCID>>BDC EMC"} {
		if _, err := WithText(build(content, "<</S/Formula/Alt(x)/K[1]/Pg 1 0 R>>")); err == nil {
			t.Errorf("content %s is understood", content)
		}
	}
}

// Damaged files are errors or, where the damage is in what is not read, files.
func FuzzWithText(f *testing.F) {
	f.Add(build("/Span<</MCID 1>>BDC q (1)Tj Q EMC/Artifact<</T/L>>BDC S EMC/Span<</MCID 2>>BDC EMC", "<</S/Formula/Alt(x)/K[1 2 3 0 R]/Pg 1 0 R>>"))
	f.Add(build("", "<</Subtype/Link/A<</S/URI/URI(../a.pdf#b)>>>>"))
	f.Fuzz(func(t *testing.T, pdf []byte) {
		out, err := WithText(pdf)
		if err != nil {
			return
		}
		if len(out) > 10*len(pdf)+1000 {
			t.Fatalf("%d bytes become %d", len(pdf), len(out))
		}
		if _, err := read(out); err != nil {
			t.Fatal(err)
		}
	})
}

// The fuzzer seldom keeps a table right; damage within the objects goes deeper.
func TestDamaged(t *testing.T) {
	const content = "/Span<</MCID 1>>BDC q (1)Tj Q EMC/Artifact<</T/L>>BDC S EMC/Span<</MCID 2>>BDC EMC"
	objects := []string{"<</S/Formula/Alt(x)/K[1 2<</MCID 3/Pg 1 0 R>>3 0 R]/Pg 1 0 R>>", "<</Subtype/Link/A<</S/URI/URI(../a.pdf#b)>>>>"}
	r := rand.New(rand.NewPCG(1, 2))
	damage := func(s string) string {
		b := []byte(s)
		for range r.IntN(4) {
			at, n := r.IntN(len(b)), r.IntN(4)
			with := []string{"<<", ">>", "[", "]", "(", ")", "<", ">", "/", "R", " ", "9999999999999999999", "-1", "BDC", "EMC", "Q", "\\", "\x00", "1 0 R"}[r.IntN(19)]
			b = append(append(append([]byte{}, b[:at]...), with...), b[min(len(b), at+n):]...)
		}
		return string(b)
	}
	understood := 0
	for range 3000 {
		pdf := build(damage(content), damage(objects[0]), damage(objects[1]))
		out, err := WithText(pdf)
		if err != nil {
			continue
		}
		understood++
		if _, err := read(out); err != nil {
			t.Fatalf("%q: %v", pdf, err)
		}
	}
	if understood < 100 || understood > 2900 {
		t.Errorf("%d of 3000 damaged files were understood", understood)
	}
}

const document = `#set document(title: "Formulas")
#set page(width: 12cm, height: 9cm)
#set text(lang: "en")
= Formulas <a-heading>
The error is #math.equation(alt: "\\frac56\\alpha", $frac(5, 6) alpha$) of it.

#math.equation(block: true, alt: "\\sum_i \"é(\\)", $sum_i x_i$)
One that is in two lines, #math.equation(alt: "a+b", $a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h$), and a
#link("../other/file.pdf#a-heading")[link], #link("https://example.org/")[another], #link(<a-heading>)[a third].

#math.equation(block: true, alt: "\\overline{x}\\begin{pmatrix}1\\end{pmatrix}", $overline(x) mat(1, sqrt(2); 3, cancel(4))$)
#lorem(25) #math.equation(alt: "\\text{over two pages}", $a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h+ a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h + a + b + c + d + e + f + g + h$) end.
`

// compile makes the document's PDF with the real compiler.
func compile(t *testing.T) []byte {
	t.Helper()
	pdf, messages, err := typsttest.Compiler(t).Compile(t.Context(), map[string][]byte{"main.typ": []byte(document)}, typst.Options{})
	if err != nil || messages != "" {
		t.Fatalf("%v\n%s", err, messages)
	}
	return pdf
}

// Each formula of a PDF of Typst's has its text once, in its structure one part a page, and
// nothing but marks has changed.
func TestTypst(t *testing.T) {
	pdf := compile(t)
	before, err := read(pdf)
	if err != nil {
		t.Fatal(err)
	}
	out, err := WithText(pdf)
	if err != nil {
		t.Fatal(err)
	}
	f, err := read(out)
	if err != nil {
		t.Fatal(err)
	}
	formulas, pages, texts := 0, 0, map[string]int{}
	marks := regexp.MustCompile(`/(?:Span|Artifact)<<.*?>>BDC|/Artifact BMC|EMC|\s+`)
	places := regexp.MustCompile(`1 0 0 -1 ([0-9.]+ [0-9.]+) cm((?:/c[0-9]+ cs [0-9. ]+ scn)? BT 0 Tr/f[0-9]+ [0-9.]+ Tf )1 0 0 -1 0 0 Tm`) // of runs, in one matrix
	plain := func(content string) string {
		return marks.ReplaceAllString(places.ReplaceAllString(strings.ReplaceAll(content, "\n", " "), "${2}1 0 0 1 $1 Tm"), "")
	}
	for _, n := range f.order {
		d, _, _ := dictionary(f.objects[n]) // an array has no entries
		switch {
		case string(d["S"]) == "/Formula":
			formulas++
			k, err := items(d["K"])
			if err != nil || len(k) == 0 || len(k) > 2 || len(k) == 2 && !strings.Contains(string(d["Alt"]), "two pages") {
				t.Errorf("a formula has the parts %s, %v", d["K"], err)
			}
		case string(d["Type"]) == "/Page":
			pages++
			c, _ := reference(d["Contents"])
			old, now := inflate(t, before.objects[c]), inflate(t, f.objects[c])
			if plain(old) != plain(now) {
				t.Errorf("page %d has changed", pages)
			}
			for _, m := range regexp.MustCompile(`/ActualText([(<].*?[)>])>>BDC`).FindAllStringSubmatch(now, -1) {
				texts[m[1]]++
			}
		}
	}
	if formulas != 5 || pages < 2 || len(texts) != 6 {
		t.Errorf("%d formulas on %d pages have the texts %v", formulas, pages, texts)
	}
	for s, n := range texts {
		if n != 1 {
			t.Errorf("%d times %s", n, s)
		}
	}
	if n := bytes.Count(out, []byte("/S/GoToR")); n != 1 {
		t.Errorf("%d links to files", n)
	}
}

func inflate(t *testing.T, object []byte) string {
	_, stream, _ := bytes.Cut(object, []byte("\nstream\n"))
	z, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Poppler reads the LaTeX where the formula stands, and qpdf finds no error.
func TestReaders(t *testing.T) {
	for _, tool := range []string{"pdftotext", "qpdf"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("CI") == "" {
			t.Skipf("needs %s (Debian: apt-get install poppler-utils qpdf)", tool)
		}
	}
	out, err := WithText(compile(t))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, out, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("qpdf", "--check", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	text, err := exec.Command("pdftotext", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range []string{`The error is \frac56\alpha of it.`, `\sum_i "é(\)`, `One that is in two lines, a+b`, `\overline{x}\begin{pmatrix}1\end{pmatrix}`, `\text{over two pages}`} {
		if strings.Count(got, want) != 1 {
			t.Errorf("the text has no %s:\n%s", want, text)
		}
	}
	if strings.Contains(got, "𝑎") {
		t.Errorf("the text has glyphs of formulas:\n%s", text)
	}
}

package notebook

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// read parses a notebook of testdata.
func read(t *testing.T, name string) *Notebook {
	t.Helper()
	nb, err := Read(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func encoded(t *testing.T, nb *Notebook) []byte {
	t.Helper()
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// testdata/canonical.ipynb was written by nbformat 5.11 from raw.ipynb, with the
// changes that Canonicalise documents made by hand.
func TestCanonicalise(t *testing.T) {
	want, err := os.ReadFile("testdata/canonical.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb := read(t, "raw.ipynb")
	nb.Canonicalise()
	got := encoded(t, nb)
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s", got)
	}
	again, err := Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	again.Canonicalise()
	if !bytes.Equal(encoded(t, again), want) {
		t.Error("a second time changes something")
	}
}

// Authors write points and markers; nbgrader's schema 3 wants the rest.
func TestGradeMetadata(t *testing.T) {
	nb, err := Parse([]byte(`{"nbformat": 4, "cells": [
		{"cell_type": "code", "id": "solved", "source": "func f() {\n\t// BEGIN SOLUTION\n\t// END SOLUTION\n}"},
		{"cell_type": "code", "id": "checked", "metadata": {"nbgrader": {"points": 3}}, "source": "x"},
		{"cell_type": "code", "id": "other", "source": "x"},
		{"cell_type": "markdown", "id": "answer", "metadata": {"tags": ["answer"], "nbgrader": {"points": 2}}, "source": "x"},
		{"cell_type": "code", "id": "drawn", "metadata": {"tags": ["answer"], "nbgrader": {"points": 4}}, "source": "x"},
		{"cell_type": "markdown", "id": "text", "metadata": {"nbgrader": {"points": 2}}, "source": "x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	nb.Canonicalise()
	once := encoded(t, nb)
	for i, want := range []string{
		`{"cell_type":"code","grade":false,"grade_id":"solved","locked":false,"schema_version":3,"solution":true,"task":false}`,
		`{"cell_type":"code","grade":true,"grade_id":"checked","locked":true,"points":3,"schema_version":3,"solution":false,"task":false}`,
		"null",
		`{"cell_type":"markdown","grade":true,"grade_id":"answer","locked":false,"points":2,"schema_version":3,"solution":true,"task":false}`,
		`{"cell_type":"code","grade":true,"grade_id":"drawn","locked":false,"points":4,"schema_version":3,"solution":true,"task":false}`,
		`{"points":2}`,
	} {
		got, err := encode(nb.Cells[i].Metadata["nbgrader"])
		if err != nil || string(got) != want {
			t.Errorf("cell %d: %s, %v", i+1, got, err)
		}
	}
	again, err := Parse(once)
	if err != nil {
		t.Fatal(err)
	}
	if again.Canonicalise(); !bytes.Equal(encoded(t, again), once) {
		t.Error("a second time changes something")
	}
	if points, graded := again.Cells[1].Points(); points != 3 || !graded {
		t.Errorf("%d points, graded %v", points, graded)
	}
	for i, want := range []int{0, 0, 0, 2, 4, 0} {
		if points, graded := again.Cells[i].AnswerPoints(); points != want || graded != (want > 0) {
			t.Errorf("cell %d: %d points by hand, graded %v", i+1, points, graded)
		}
	}
	if _, graded := again.Cells[4].Points(); graded {
		t.Error("an answer in code is taken for a check")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, json, want string }{
		{"empty", "", "not a notebook"},
		{"cut short", `{"cells": [`, "not a notebook"},
		{"no JSON", `{"cells": <<<<<<< HEAD`, "not a notebook: byte 11:"},
		{"text after it", `{"nbformat": 4, "cells": []}` + "\n=======\n{}", "before byte 30"},
		{"a second notebook", `{"nbformat": 4, "cells": []}{"nbformat": 4, "cells": []}`, "before byte 29"},
		{"a cell that is null", `{"nbformat": 4, "cells": [null]}`, "cell 1 is neither"},
		{"an output that is null", `{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [null]}]}`, "cell 1: output 1 is null"},
		{"a line that is a number", `{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [{"data": {"text/plain": [1]}}]}]}`, "cell 1: output text/plain: a line is not a text"},
		{"old format", `{"nbformat": 3, "worksheets": []}`, "format 3"},
		{"peers in words", `{"nbformat": 4, "metadata": {"mllabs": {"peers": "yes"}}}`, "mllabs.peers is"},
		{"needs that are none", `{"nbformat": 4, "metadata": {"mllabs": ["letter"]}}`, "mllabs is"},
		{"hours", `{"nbformat": 4, "metadata": {"mllabs": {"minutes": 1.5}}}`, "mllabs.minutes is"},
		{"no time at all", `{"nbformat": 4, "metadata": {"mllabs": {"minutes": 0}}}`, "mllabs.minutes is"},
		{"after a name", `{"nbformat": 4, "metadata": {"mllabs": {"after": "lab3/01"}}}`, "mllabs.after is"},
		{"after what is no name", `{"nbformat": 4, "metadata": {"mllabs": {"after": ["lab3/01_x", 3]}}}`, "mllabs.after is"},
		{"a third edition", `{"nbformat": 4, "metadata": {"mllabs": {"edition": 3}}}`, "mllabs.edition is"},
		{"null cell", `{"nbformat": 4, "cells": [null]}`, "cell 1"},
		{"odd cell", `{"nbformat": 4, "cells": [{"cell_type": "heading"}]}`, "cell 1"},
		{"null output", `{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [null]}]}`, "output 1"},
		{"odd source", `{"nbformat": 4, "cells": [{"cell_type": "code", "source": 3}]}`, "list of lines"},
	} {
		if _, err := Parse([]byte(c.json)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}

func TestStripANSI(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[31mred\x1b[0m":                   "red",
		"\x1b[38;5;12mx\x1b[K":                 "x",
		"\x1b]8;;http://a\x07link\x1b]8;;\x07": "link",
		"\x1b(Bx":                              "x",
		"plain":                                "plain",
	} {
		if got := StripANSI(in); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}

func picture(t *testing.T, c color.Color, level png.CompressionLevel) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	for i := range 40 {
		img.Set(i, i, c)
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestCompare(t *testing.T) {
	stream := func(name, text string) *Output { return &Output{Type: "stream", Name: name, Text: text} }
	display := func(kind, mime, data string) *Output {
		return &Output{Type: "display_data", Data: map[string]any{mime: data}, Metadata: map[string]any{"mllabs": kind}}
	}
	red, redLarge, blue := picture(t, color.RGBA{255, 0, 0, 255}, png.BestCompression), picture(t, color.RGBA{255, 0, 0, 255}, png.NoCompression), picture(t, color.RGBA{0, 0, 255, 255}, png.BestCompression)
	if red == redLarge {
		t.Fatal("the two encodings are the same bytes")
	}
	embed := func(p string) string { return `<img alt="a" src="data:image/png;base64,` + p + `">` }
	for _, c := range []struct {
		name     string
		volatile bool
		old, new []*Output
		want     string // in the problem; "" for none
	}{
		{"same text", false, []*Output{stream("stdout", "a\nb\n")}, []*Output{stream("stdout", "a\nb\n")}, ""},
		{"other text", false, []*Output{stream("stdout", "a\nb\n")}, []*Output{stream("stdout", "a\nc\n")}, `line 2 is now "c", was "b"`},
		{"longer text", false, []*Output{stream("stdout", "a")}, []*Output{stream("stdout", "a\nb")}, `line 2 is now "b", was (nothing)`},
		{"other stream", false, []*Output{stream("stdout", "a")}, []*Output{stream("stderr", "a")}, "is a stream stderr"},
		{"one more", false, nil, []*Output{stream("stdout", "a")}, "1 outputs, were 0"},
		{"volatile text", true, []*Output{stream("stdout", "1 ms")}, []*Output{stream("stdout", "2 ms")}, ""},
		{"volatile, split text", true, []*Output{stream("stdout", "1 ms"), stream("stdout", "x")}, []*Output{stream("stdout", "2 ms")}, ""},
		{"volatile kind", true, []*Output{stream("stdout", "1 ms")}, []*Output{display("table", "text/html", "x")}, "kinds of outputs are [table], were [stdout]"},
		{"same pixels", false, []*Output{display("", "image/png", red)}, []*Output{display("", "image/png", redLarge)}, ""},
		{"other pixels", false, []*Output{display("", "image/png", red)}, []*Output{display("", "image/png", blue)}, "picture differs"},
		{"same pixels in HTML", false, []*Output{display("figure", "text/html", embed(red))}, []*Output{display("figure", "text/html", embed(redLarge))}, ""},
		{"other pixels in HTML", false, []*Output{display("figure", "text/html", embed(red))}, []*Output{display("figure", "text/html", embed(blue))}, "picture differs"},
		{"other HTML", false, []*Output{display("table", "text/html", "<b>1</b>")}, []*Output{display("table", "text/html", "<b>2</b>")}, "HTML line 1"},
		{"check now fails", false, []*Output{display("check", "text/plain", "x")}, []*Output{display("check-failed", "text/plain", "x")}, "is a check-failed, was a check"},
		{"other form", false, []*Output{display("", "text/plain", "x")}, []*Output{display("", "text/html", "x")}, "comes as [text/html]"},
		{"other error", false, []*Output{{Type: "error", EName: "E", EValue: "1"}}, []*Output{{Type: "error", EName: "E", EValue: "2"}}, `error is now "2"`},
	} {
		cell := func(out []*Output) *Notebook {
			nc := &Cell{Type: "code", ID: "the-id", Outputs: out, Metadata: map[string]any{}}
			if c.volatile {
				nc.Metadata["tags"] = []any{TagVolatile}
			}
			return &Notebook{Cells: []*Cell{{Type: "markdown"}, nc}}
		}
		ps := Compare(cell(c.old), cell(c.new))
		switch {
		case c.want == "" && len(ps) > 0:
			t.Errorf("%s: %v", c.name, ps)
		case c.want != "" && (len(ps) != 1 || !strings.Contains(ps[0].String(), c.want) || !strings.HasPrefix(ps[0].String(), "cell 2 (id the-id): ")):
			t.Errorf("%s: %v, want %q", c.name, ps, c.want)
		}
	}
	if ps := Compare(&Notebook{}, &Notebook{Cells: []*Cell{{}}}); len(ps) != 1 {
		t.Errorf("another number of cells: %v", ps)
	}
}

// Memory taken while a notebook is read grows as the notebook does, whichever of its
// texts is long: a list of lines that is put together line by line would take its square.
func TestReadingTakesMemoryInProportion(t *testing.T) {
	lines := func(n int) string {
		return "[" + strings.Repeat(`"a line of some thirty characters\n",`, n) + `"end"]`
	}
	for name, form := range map[string]string{
		"display": `{"cell_type":"code","execution_count":1,"id":"a","metadata":{},"source":[],"outputs":[{"output_type":"display_data","metadata":{},"data":{"text/html":%s}}]}`,
		"stream":  `{"cell_type":"code","execution_count":1,"id":"a","metadata":{},"source":[],"outputs":[{"output_type":"stream","name":"stdout","text":%s}]}`,
		"source":  `{"cell_type":"markdown","id":"a","metadata":{},"source":%s}`,
	} {
		t.Run(name, func(t *testing.T) {
			taken := func(n int) float64 {
				file := []byte(`{"cells":[` + fmt.Sprintf(form, lines(n)) + `],"metadata":{},"nbformat":4,"nbformat_minor":5}`)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				nb, err := Parse(file)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := nb.Encode(); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return float64(after.TotalAlloc - before.TotalAlloc)
			}
			taken(100) // what is made once
			if small, large := taken(2000), taken(16000); large > 12*small {
				t.Errorf("eight times the lines take %.1f times the memory", large/small)
			}
		})
	}
}

// Editors of Windows begin a text with a mark, or write it in UTF-16.
func TestParseOtherTexts(t *testing.T) {
	const text = `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
	for _, c := range text {
		little, big = append(little, byte(c), 0), append(big, 0, byte(c))
	}
	if _, err := Parse([]byte("\ufeff" + text)); err != nil {
		t.Errorf("with a byte-order mark: %v", err)
	}
	for _, b := range [][]byte{little, big, little[2:], big[2:]} {
		if _, err := Parse(b); err == nil || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%q…: error %v", b[:4], err)
		}
	}
}

// What Python's kernel writes and other programs save: numbers that JSON does not have, and lines
// that end otherwise.
func TestParseSourcesOfOthers(t *testing.T) {
	nb, err := ParseSources([]byte(`{"nbformat": 4, "cells": [{"cell_type": "code", "id": "a", "outputs": [{"data": {"x": [NaN, -Infinity, Infinity, "NaN \" NaN"]}}],
		"source": ["a := \"NaN\"\r\n", "b\r", "c"]}]}`))
	if err != nil || len(nb.Cells) != 1 || nb.Cells[0].Source != "a := \"NaN\"\nb\nc" {
		t.Errorf("%v, %+v", err, nb)
	}
	if _, err := ParseSources([]byte(`{"nbformat": 4, "cells": [nan]}`)); err == nil || !strings.Contains(err.Error(), "byte 28") {
		t.Errorf("nan in small letters: %v", err)
	}
}

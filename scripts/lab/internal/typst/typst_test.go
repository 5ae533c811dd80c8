package typst_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst/typsttest"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

const head = "#set document(title: \"T\", date: none)\n#set text(font: \"New Computer Modern\", lang: \"en\")\n"

func document(text string) map[string][]byte {
	return map[string][]byte{"main.typ": []byte(head + text)}
}

func TestCompile(t *testing.T) {
	c := typsttest.Compiler(t)
	first, messages, err := c.Compile(t.Context(), document("= A\ntext `code`"), typst.Options{})
	if err != nil || messages != "" || !bytes.HasPrefix(first, []byte("%PDF-")) {
		t.Fatalf("%.20q, %q, %v", first, messages, err)
	}
	again, _, err := c.Compile(t.Context(), document("= A\ntext `code`"), typst.Options{})
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("two PDFs of one document differ, %v", err)
	}
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text string
		options    typst.Options
		want       string // in the error; "": none
	}{
		{"a message", "#text(font: \"No Such\")[x]", typst.Options{}, ""},
		{"a rule of PDF/UA", "= A\n=== B", typst.Options{}, "heading level"},
		{"that rule is not asked for", "= A\n=== B", typst.Options{Untagged: true}, ""},
		{"no such function", "#nosuch()", typst.Options{}, "unknown variable"},
		{"a file elsewhere", "#read(" + `"` + strings.ReplaceAll(secret, `\`, `\\`) + `")`, typst.Options{}, "not found"},
		{"a file above", `#read("../fonts/mono.ttf")`, typst.Options{}, "escape"},
		{"a package", `#import "@preview/cetz:0.3.0"`, typst.Options{}, "@preview/cetz"},
		{"a character that no font has", "= A\n\ufffe", typst.Options{}, `no font can show "\ufffe"`},
		{"one that the document's fonts lack", "= A\n漢漢 字", typst.Options{}, `no font can show "漢 字"`},
		{"too little time", "= A", typst.Options{Limits: typst.Limits{Time: 1, Memory: 1 << 30}}, "time or memory"},
	} {
		_, messages, err := c.Compile(t.Context(), document(test.text), test.options)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %q, %v", test.name, messages, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.Compile(ctx, document("= A"), typst.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Documents that never end, or grow without end, are ended.
func TestLimits(t *testing.T) {
	c := typsttest.Compiler(t)
	for _, test := range []struct {
		name, text string
		limits     typst.Limits
	}{
		{"endless", "#for i in range(1000000000000) { if i < 0 [x] }", typst.Limits{Time: 3 * time.Second, Memory: 20 << 30}},
		{"large", "#let a = range(100000000).map(i => str(i))\n#a.len()", typst.Limits{Time: waits.Long, Memory: 300 << 20}},
	} {
		if _, _, err := c.Compile(t.Context(), document(test.text), typst.Options{Limits: test.limits}); !errors.Is(err, typst.ErrLimit) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestMake(t *testing.T) {
	c := typsttest.Compiler(t)
	never := "\U0010ffff"
	if _, _, err := c.Compile(t.Context(), document("= A\n"+never), typst.Options{SystemFonts: true}); err == nil {
		never = "\U000e0fff"
	}
	for _, test := range []struct {
		name  string
		text  func(unknown []string) string
		calls int
		note  string
		want  string // in the error
	}{
		{"plain", func([]string) string { return "= A" }, 1, "", ""},
		{"written otherwise", func(unknown []string) string {
			if slices.Contains(unknown, never) {
				return "= A\n[U+10FFFF]"
			}
			return "= A\n" + never
		}, 2, "", ""},
		{"not written otherwise", func([]string) string { return "= A\n" + never }, 2, "rule of PDF/UA", ""},
		{"a rule broken", func([]string) string { return "= A\n=== B" }, 1, "rule of PDF/UA", ""},
		{"no document", func([]string) string { return "#nosuch()" }, 1, "", "unknown variable"},
	} {
		calls := 0
		pdf, notes, err := c.Make(t.Context(), func(unknown []string) (map[string][]byte, error) {
			calls++
			return document(test.text(unknown)), nil
		})
		said := strings.Join(notes, "\n")
		if calls != test.calls || !strings.Contains(said, test.note) || (said == "") != (test.note == "") {
			t.Errorf("%s: written %d times, want %d; notes %q", test.name, calls, test.calls, notes)
		}
		if test.want == "" && (err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-"))) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	broken := errors.New("broken")
	if _, _, err := c.Make(t.Context(), func([]string) (map[string][]byte, error) { return nil, broken }); err != broken {
		t.Errorf("what cannot be written: %v", err)
	}
}

// Programs called typst that are none, or of another version.
func TestInstalled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for _, test := range []struct {
		name, script string
		found        bool
		want         string // in the error of what it makes
	}{
		{"of an old version", `echo "typst 0.11.0"`, false, ""},
		{"that fails", "exit 1", false, ""},
		{"that hangs", "exec sleep 1000", false, ""},
		{"that makes nothing", `[ "$1" != --version ] || echo "typst 0.15.9"`, true, "made no PDF"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "typst"), []byte("#!/bin/sh\n"+test.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		if strings.Contains(test.script, "sleep") {
			typst.SetPatience(t, 50*time.Millisecond)
		} else {
			typst.SetPatience(t, waits.Long)
		}
		c := typst.Installed(t.Context())
		if (c != nil) != test.found {
			t.Errorf("one %s: found %v", test.name, c != nil)
		}
		if c == nil {
			continue
		}
		if _, _, err := c.Compile(t.Context(), document("= A"), typst.Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("one %s: %v", test.name, err)
		}
	}
}

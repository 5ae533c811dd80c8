//go:build unix

package pdf

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A document as Chromium writes it: pages in a tree of two levels, named
// destinations, and a stream that looks like an object.
const chromiumPDF = `%PDF-1.4
1 0 obj
<</Title (x)>>
endobj
2 0 obj
<</Type /Page
/Parent 9 0 R>>
endobj
3 0 obj
<</Length 40>> stream
7 0 obj
<</Type /Pages
/Kids [2 0 R]>>
endstream
endobj
4 0 obj
<</Type /Page
/Parent 9 0 R>>
endobj
5 0 obj
<</Type /Page
/Parent 8 0 R>>
endobj
9 0 obj
<</Type /Pages
/Parent 8 0 R
/Kids [4 0 R 2 0 R]>>
endobj
8 0 obj
<</Type /Pages
/Count 3
/Kids [9 0 R 5 0 R]>>
endobj
10 0 obj
<</lab3-01_a [4 0 R /XYZ 59.25 773.8 0]
/lab3-02_b-part [5 0 R /XYZ 0 1 0]
/gone [77 0 R /XYZ 0 1 0]>>
endobj
%%EOF
`

func TestPages(t *testing.T) {
	n, anchors := Pages([]byte(chromiumPDF))
	if n != 3 || len(anchors) != 2 || anchors["lab3-01_a"] != 1 || anchors["lab3-02_b-part"] != 3 {
		t.Errorf("%d pages, %v", n, anchors)
	}
	if n, anchors := Pages([]byte("no PDF")); n != 0 || len(anchors) != 0 {
		t.Errorf("nonsense: %d pages, %v", n, anchors)
	}
}

// browser is a shell script in the place of a browser; $out is what it is asked
// to write.
func browser(t *testing.T, script string) Printer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	text := "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) out=${a#*=};; esac; done\n" + script
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Printer{Browser: path, Timeout: 5 * time.Second}
}

func TestPrint(t *testing.T) {
	whole := "printf '%%PDF-1.4 new %%%%EOF\\n' > \"$out\""
	for _, c := range []struct {
		name, script, want string // in the error; "" for none
		timeout            time.Duration
	}{
		{"fine", whole, "", 0},
		{"fails", "echo no display >&2; exit 3", "exit status 3: no display", 0},
		{"writes nothing", "echo oops", "wrote no whole PDF: oops", 0},
		{"cut short", "printf '%%PDF-1.4 ' > \"$out\"", "wrote no whole PDF", 0},
		{"hangs", "trap '' TERM INT; sleep 1000", "took longer than 100ms", 100 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := browser(t, c.script)
			if c.timeout > 0 {
				p.Timeout = c.timeout
			}
			dir := t.TempDir()
			target := filepath.Join(dir, "a.pdf")
			if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			err := p.Print(context.Background(), []byte("<p>page</p>"), target)
			b, readErr := os.ReadFile(target)
			if readErr != nil {
				t.Fatal(readErr)
			}
			switch {
			case c.want == "" && (err != nil || !strings.Contains(string(b), "new")):
				t.Errorf("error %v, file %q", err, b)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || string(b) != "old"):
				t.Errorf("error %v, file %q", err, b)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

func TestPrintInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := browser(t, "sleep 1000").Print(ctx, nil, filepath.Join(t.TempDir(), "a.pdf")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("CHROME", "")
	if os.Geteuid() != 0 { // root would look for apt-get, which is not on this PATH either
		t.Log("not root")
	}
	if path, err := Find(context.Background(), io.Discard); !errors.Is(err, ErrNoBrowser) && !strings.HasPrefix(path, "/Applications") {
		t.Errorf("%q, %v", path, err)
	}
	chromium := filepath.Join(dir, "chromium")
	if err := os.WriteFile(chromium, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := Find(context.Background(), io.Discard); err != nil || path != chromium {
		t.Errorf("%q, %v", path, err)
	}
	t.Setenv("CHROME", filepath.Join(dir, "nowhere"))
	if _, err := Find(context.Background(), io.Discard); err == nil || !strings.Contains(err.Error(), "CHROME=") {
		t.Errorf("a wrong CHROME: %v", err)
	}
}

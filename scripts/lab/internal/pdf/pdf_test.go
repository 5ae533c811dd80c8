//go:build unix

package pdf

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// browser is a shell script in the place of a browser; $out is what it is asked
// to write.
func browser(t *testing.T, script string) Printer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	text := "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) out=${a#*=};; esac; done\n" + script
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Printer{Browser: path}
}

func TestPrint(t *testing.T) {
	whole := "printf '%%PDF-1.4 new %%%%EOF\\n' > \"$out\""
	stuck := "the browser hangs"
	if runtime.GOOS != "linux" { // processor time is not known
		stuck = "took longer than 1s"
	}
	for _, c := range []struct {
		name, script, want string // in the error; "" for none
		limit              limit
	}{
		{"fine", whole, "", limit{}},
		{"fails", "echo no display >&2; exit 3", "exit status 3: no display", limit{}},
		{"writes nothing", "echo oops", "wrote no whole PDF: oops", limit{}},
		{"cut short", "printf '%%PDF-1.4 ' > \"$out\"", "wrote no whole PDF", limit{}},
		{"hangs", "trap '' TERM INT; sleep 1000", stuck, limit{time.Second, 500 * time.Millisecond, time.Millisecond}},
		{"never ends", "trap '' TERM INT; while :; do :; done", "longer than 300ms", limit{300 * time.Millisecond, time.Hour, time.Millisecond}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := browser(t, c.script)
			p.limit = c.limit
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

// A browser may be slow as long as it works.
func TestWatch(t *testing.T) {
	type at struct{ passed, used time.Duration }
	const s, m, h = time.Second, time.Minute, time.Hour
	for _, c := range []struct {
		name  string
		known bool
		looks []at
		want  string // in the error at the last look; "" for none
	}{
		{"fast", true, []at{{1 * s, 1 * s}, {3 * s, 3 * s}}, ""},
		{"slow: a twentieth of a processor for five hours", true, []at{{10 * m, 30 * s}, {20 * m, 60 * s}, {2 * h, 6 * m}, {5 * h, 15 * m}}, ""},
		{"a process ends with its times", true, []at{{1 * m, 50 * s}, {2 * m, 10 * s}, {10 * m, 50 * s}}, ""},
		{"hangs from the beginning", true, []at{{9 * m, 1 * s}, {10 * m, 3 * s}}, "hangs"},
		{"hangs later", true, []at{{10 * m, 5 * m}, {15 * m, 5 * m}, {20 * m, 5*m + 3*s}}, "hangs"},
		{"works without end", true, []at{{10 * m, 10 * m}, {22 * m, 21*m + s}}, "worked for longer than 21m0s"},
		{"times unknown", false, []at{{10 * m, 0}, {21 * m, 0}}, ""},
		{"times unknown, without end", false, []at{{10 * m, 0}, {22 * m, 0}}, "took longer than 21m0s"},
	} {
		start := time.Now()
		w := watch{limit: limitOf(1 << 20), start: start, since: start}
		for i, a := range c.looks {
			err := w.look(start.Add(a.passed), a.used, c.known)
			last := i == len(c.looks)-1
			if (err != nil) != (last && c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: after %v: error %v", c.name, a.passed, err)
			}
		}
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
	ctx := context.Background()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("CHROME", "")
	if _, err := Installed(); err == nil {
		t.Skip("a browser stands outside of PATH")
	}
	apt := "#!/bin/sh\nprintf '#!/bin/sh\\n' > " + dir + "/chromium\n/bin/chmod +x " + dir + "/chromium\n"
	if err := os.WriteFile(filepath.Join(dir, "apt-get"), []byte(apt), 0o755); err != nil {
		t.Fatal(err)
	}
	chromium := filepath.Join(dir, "chromium")
	// Root's machine is not changed unasked.
	no := func(_ context.Context, question string) bool {
		if !strings.Contains(question, "apt-get install -y --no-install-recommends chromium") {
			t.Errorf("the question is %q", question)
		}
		return false
	}
	for _, agree := range []func(context.Context, string) bool{nil, no} {
		if found, err := Find(ctx, agree, io.Discard); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), "apt-get install") {
			t.Errorf("without consent: %q, %v", found, err)
		}
		if _, err := os.Stat(chromium); err == nil {
			t.Fatal("a browser was installed without consent")
		}
	}
	yes := func(context.Context, string) bool { return true }
	path, err := Find(ctx, yes, io.Discard)
	if os.Geteuid() != 0 {
		if err == nil || !strings.Contains(err.Error(), "sudo apt-get") {
			t.Errorf("without rights: %q, %v", path, err)
		}
		if err := os.WriteFile(chromium, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	} else if err != nil || path != chromium {
		t.Errorf("with consent: %q, %v", path, err)
	}
	if path, err := Find(ctx, nil, io.Discard); err != nil || path != chromium {
		t.Errorf("%q, %v", path, err)
	}
	t.Setenv("CHROME", filepath.Join(dir, "nowhere"))
	if _, err := Find(ctx, yes, io.Discard); err == nil || !strings.Contains(err.Error(), "CHROME=") {
		t.Errorf("a wrong CHROME: %v", err)
	}
}

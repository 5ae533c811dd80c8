package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/chrome"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

const root = "../../../.."

// inCI says that a test may not be left out.
func inCI() bool { return os.Getenv("CI") != "" }

// engineFolder is the engine of course lab3, built once for all tests. The cache is kept, so
// that it takes two seconds when nothing has changed.
var engineFolder = sync.OnceValues(func() (string, error) {
	top, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(top, ".lab", "browser-test")
	opts := Options{Courses: []string{"lab3"}, Cache: filepath.Join(dir, "cache"), Quick: true, Log: os.Stderr}
	for _, name := range strings.Fields(*whichNotebooks + " " + *whichCopies) {
		if !strings.HasPrefix(name, "lab3") {
			opts.Courses = nil // all
		}
	}
	site := filepath.Join(dir, "site")
	_, err = Build(context.Background(), top, filepath.Join(site, "engine"), opts)
	err = errors.Join(err, slowCompiler(filepath.Join(site, "engine", "engine.js")))
	for _, name := range []string{"page.html", "page.js"} {
		text, readErr := os.ReadFile(filepath.Join("testdata", name))
		err = errors.Join(err, readErr, os.WriteFile(filepath.Join(site, name), text, 0o644))
	}
	return site, err
})

// slowCompiler lets the page's compiler take as long as it does on a busy machine.
func slowCompiler(file string) error {
	const limit = "const buildSeconds = 120;"
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte(limit)) {
		return fmt.Errorf("%s has no %q", file, limit)
	}
	text = bytes.Replace(text, []byte(limit), fmt.Appendf(nil, "const buildSeconds = %v;", waits.Long.Seconds()), 1)
	return os.WriteFile(file, text, 0o644)
}

// policy is what the engine needs (see doc.go).
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'"

// A tab is a page of a browser with the engine.
type tab struct {
	t         testing.TB
	ctx       context.Context
	described description
	// evaluate evaluates a promise.
	evaluate func(expression string, result any) error
}

// chromium is one browser for all tests, and closeChromium ends it.
var (
	closeChromium = func() {}
	chromium      = sync.OnceValues(func() (context.Context, error) {
		path, err := chrome.Installed()
		if err != nil {
			return nil, err
		}
		// Not named as package scratch names its folders: it removes those that stand empty.
		profile, err := os.MkdirTemp("", "chromium-of-tests-")
		if err != nil {
			return nil, err
		}
		options := append([]chromedp.ExecAllocatorOption{
			chromedp.ExecPath(path), chromedp.UserDataDir(profile),
			chromedp.Flag("headless", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
			chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
			chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-dev-shm-usage", true),
			// The tests' programs are small: to compile Go's compiler once more, for speed, would cost
			// a sixth of their processor time.
			chromedp.Flag("js-flags", "--wasm-tiering-budget=100000000"),
			chromedp.WSURLReadTimeout(waits.Long),
		}, sandboxOption()...)
		allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
		// DevTools say things that this version of the driver does not know.
		ctx, cancelBrowser := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
		closeChromium = func() {
			cancelBrowser()
			cancel()
			os.RemoveAll(profile)
		}
		return ctx, chromedp.Run(ctx)
	})
)

func TestMain(m *testing.M) {
	code := m.Run()
	closeChromium()
	os.Exit(code)
}

// open opens the test page, which has the engine of a course. The handler may change how
// files are served.
func open(t testing.TB, course string, handler func(http.Handler) http.Handler) *tab {
	t.Helper()
	browserOrSkip(t)
	p := openPage(t, serve(t, handler))
	p.described = call[description](p, "open_", course)
	return p
}

// browserOrSkip is the browser of all tests. A test that has none is skipped, but not in CI.
func browserOrSkip(t testing.TB) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes a browser and a minute")
	}
	browser, err := chromium()
	if errors.Is(err, chrome.ErrNone) && !inCI() {
		t.Skip("needs a browser: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return browser
}

// openPage opens a page and waits until its script is ready.
func openPage(t testing.TB, address string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browserOrSkip(t))
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx, evaluate: func(expression string, result any) error {
		ctx, cancel := context.WithTimeout(ctx, waits.Left(t))
		defer cancel()
		return chromedp.Run(ctx, chromedp.Evaluate(expression, result, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	}}
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*runtime.EventExceptionThrown); ok {
			t.Errorf("the page's console: %s", e.ExceptionDetails.Error())
		}
	})
	if err := chromedp.Run(ctx, chromedp.Navigate(address), chromedp.WaitReady("html.ready")); err != nil {
		t.Fatal(err)
	}
	return p
}

// serve serves the engine and the test page, and returns its address.
func serve(t testing.TB, handler func(http.Handler) http.Handler) string {
	t.Helper()
	site, err := engineFolder()
	if err != nil {
		t.Fatal(err)
	}
	plain := http.FileServer(http.Dir(site))
	var files http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// As lab site --serve sends it: workers have to do with it, too.
		w.Header().Set("Content-Security-Policy", policy)
		plain.ServeHTTP(w, r)
	})
	if handler != nil {
		files = handler(files)
	}
	return start(t, files) + "/page.html"
}

var origins sync.Map // that a server has had

// start starts a server until the end of the test, and returns its origin, which no server had before
// it. The system may give a port once more that is free again, but the tests' browser keeps what
// pages of an origin have stored: one would find what another test left.
func start(t testing.TB, handler http.Handler) (origin string) {
	for {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		if _, again := origins.LoadOrStore(server.URL, true); !again {
			return server.URL
		}
	}
}

// Of two thousand servers, each closed before the next one starts, some would get the port of an
// earlier one.
func TestOriginsDiffer(t *testing.T) {
	had := map[string]bool{}
	for range 200 {
		t.Run("", func(t *testing.T) {
			for range 10 {
				origin := start(t, http.NotFoundHandler())
				if had[origin] {
					t.Errorf("two servers had %s", origin)
				}
				had[origin] = true
			}
		})
	}
}

func sandboxOption() []chromedp.ExecAllocatorOption {
	if os.Geteuid() == 0 {
		return []chromedp.ExecAllocatorOption{chromedp.NoSandbox} // it does not work for root
	}
	return nil
}

// call calls a function of the page and waits for what it promises.
func call[T any](p *tab, function string, args ...any) T {
	p.t.Helper()
	list := make([]string, len(args))
	for i, a := range args {
		b, err := json.Marshal(a)
		if err != nil {
			p.t.Fatal(err)
		}
		list[i] = string(b)
	}
	var result T
	if err := p.evaluate(function+"("+strings.Join(list, ", ")+")", &result); err != nil {
		p.t.Fatalf("%s: %v", function, err)
	}
	return result
}

// What the engine takes and returns.
type (
	pageCell struct {
		ID       string `json:"id"`
		Source   string `json:"source"`
		Exercise bool   `json:"exercise"`
		Points   int    `json:"points"`
		Raises   bool   `json:"raises"`
	}
	buildResult struct {
		OK       bool
		Program  bool
		Problems []struct {
			Cell         string
			Line, Column int
			Text         string
		}
		Omitted []string
		Ended   string
		MS      float64
		Times   any
	}
	description struct{ Download, Cached, Memory float64 }
	place       struct {
		Cell string
		Line int
		Name string // of the function
	}
	runResult struct {
		Ended, Sentence string
		At              []place
		Scores          []struct{ Passed, Of int }
		MS, Bytes       float64
		Inputs, Told    int // how often the page was told that standard input is read, and of text
		Outputs         []struct {
			FD     int
			Text   string
			Bundle *struct {
				Data, Metadata map[string]any
				ID             string
			}
		}
	}
)

// text is what a run printed.
func (r runResult) text(fd int) string {
	var b strings.Builder
	for _, o := range r.Outputs {
		if o.Bundle == nil && o.FD == fd {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}

func cellsOf(nb *notebook.Notebook) []pageCell {
	var cells []pageCell
	for _, c := range nb.Cells {
		if c.Type == "code" {
			points, _ := c.Points()
			cells = append(cells, pageCell{c.ID, c.Source, c.IsSolution(), points, c.HasTag(notebook.TagRaises)})
		}
	}
	return cells
}

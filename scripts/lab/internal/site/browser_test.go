package site

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// These tests use the pages in a browser, with a stand-in for the engine.

// A tab is a page of a browser that remembers what went wrong in it.
type tab struct {
	*testing.T
	ctx     context.Context
	profile cdp.BrowserContextID

	mu       sync.Mutex
	errors   []string
	requests []string
}

// newTab opens a page in a browser that the test has to itself until it ends, in a new profile.
func newTab(t *testing.T) *tab {
	t.Helper()
	c := takeChromium(t)
	b := &tab{T: t}
	t.Cleanup(func() {
		var err error
		if b.ctx != nil {
			// Where the browser has lost a page, chromedp would wait for its end for ever.
			dropped := make(chan error, 1)
			go func() { dropped <- errors.Join(chromedp.Cancel(b.ctx), c.drop(b.profile)) }()
			select {
			case err = <-dropped:
			case <-time.After(time.Minute):
				err = errors.New("the browser does not close its page")
			}
		}
		// The next test gets no browser in which something may have gone wrong.
		if err != nil || t.Failed() {
			c.close()
		}
		chromiums <- c
	})
	for try := 1; ; try++ {
		err := b.open(c)
		if err == nil {
			break
		}
		t.Logf("%v; another one is taken", err)
		c.close()
		if try == 3 {
			t.Fatal("three browsers open no page")
		}
		if err := c.start(); err != nil {
			t.Fatal(err)
		}
	}
	chromedp.ListenTarget(b.ctx, b.listen)
	return b
}

// open opens a page in a new profile, and sees that it answers: now and then a browser that has
// just been started never does, which says nothing of the site.
func (b *tab) open(c *chromium) error {
	profile, page, err := c.profile()
	if err != nil {
		return err
	}
	ctx, cancel := chromedp.NewContext(c.ctx, chromedp.WithTargetID(page))
	opened := make(chan error, 1)
	go func() {
		opened <- chromedp.Run(ctx, log.Enable(), network.Enable(), chromedp.Navigate("about:blank"))
	}()
	select {
	case err = <-opened:
	case <-time.After(waits.Long / 6):
		err = errors.New("the browser opens no page")
	}
	if err != nil {
		go cancel() // which may wait for the page
		return err
	}
	b.profile, b.ctx = profile, ctx
	return nil
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			b.errors = append(b.errors, fmt.Sprint("console: ", e.Args[0].Value, e.Args[0].Description))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			b.errors = append(b.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// quiet wants no error so far, and no request but to this server.
func (b *tab) quiet(from string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.errors {
		if strings.Contains(e, "inline event handler") {
			continue // the policy says so of an output of these tests, before the list drops it
		}
		b.Errorf("the browser says %s", e)
	}
	for _, r := range b.requests {
		if !strings.HasPrefix(r, from) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
			b.Errorf("the page asked for %s", r)
		}
	}
	b.errors = nil
}

// kept waits until what the page has written to its store is there: transactions that write
// take place in the order in which they are made, this one after those of the page.
func (b *tab) kept() {
	b.Helper()
	if b.asyncJS(`new Promise((go) => {
		const opening = indexedDB.open("mllabs answers");
		opening.onerror = () => go(false);
		opening.onsuccess = () => {
			const last = opening.result.transaction("cells", "readwrite");
			last.objectStore("cells").count();
			last.onabort = () => go(false);
			last.oncomplete = () => { opening.result.close(); go(true); };
		};
	})`) != true {
		b.Fatal("the page's store takes nothing")
	}
}

// stored waits until the page's store has a cell with a text, of which it gives no event.
func (b *tab) stored(text string) {
	b.Helper()
	for end := time.Now().Add(waits.Left(b)); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if b.asyncJS(fmt.Sprintf(`new Promise((go) => {
			const opening = indexedDB.open("mllabs answers");
			opening.onupgradeneeded = () => opening.transaction.abort(); // the page makes it
			opening.onerror = () => go(false);
			opening.onsuccess = () => {
				opening.result.transaction("cells").objectStore("cells").getAll().onsuccess = ({ target: { result } }) => {
					opening.result.close();
					go(result.some((row) => row.text.includes(%q)));
				};
			};
		})`, text)) == true {
			return
		}
	}
	b.Fatalf("%q is never stored", text)
}

func (b *tab) do(actions ...chromedp.Action) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, waits.Left(b))
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// js evaluates an expression to a JSON value.
func (b *tab) js(expression string) any {
	b.Helper()
	var value any
	b.do(chromedp.Evaluate(expression, &value))
	return value
}

// asyncJS evaluates a promise.
func (b *tab) asyncJS(expression string) any {
	b.Helper()
	var value any
	b.do(chromedp.Evaluate(expression, &value, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value
}

// until waits until an expression is true.
func (b *tab) until(expression string) {
	b.Helper()
	var seen bool
	for deadline := time.Now().Add(waits.Left(b)); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		b.do(chromedp.Evaluate("Boolean("+expression+")", &seen))
		if seen {
			return
		}
	}
	b.picture("failed")
	b.Fatalf("never true: %s\nthe page says: %v", expression, b.js(`document.querySelector("#bar")?.innerText + " | " + document.querySelector(".run-note")?.innerText`))
}

func (b *tab) press(selector string) {
	b.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)?.offsetParent !== null", selector))
	b.js(fmt.Sprintf("document.querySelector(%q).click()", selector))
}

// key presses keys where the focus is.
func (b *tab) key(keys string, modifiers ...chromedp.KeyOption) {
	b.Helper()
	b.do(chromedp.KeyEvent(keys, modifiers...))
}

var shift, control = chromedp.KeyModifiers(8), chromedp.KeyModifiers(2)

// text is what an element shows.
func (b *tab) text(selector string) string {
	b.Helper()
	return fmt.Sprint(b.js(fmt.Sprintf("document.querySelector(%q)?.innerText ?? 'nothing'", selector)))
}

var pictures = flag.String("pictures", "", "keep screenshots in this `folder`, to be looked at")

// picture keeps a screenshot where -pictures says so.
func (b *tab) picture(name string) {
	dir := *pictures
	if dir == "" {
		return
	}
	var png []byte
	b.do(chromedp.FullScreenshot(&png, 100))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.Error(err)
	}
}

func (b *tab) size(width, height int64) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

// serve serves a folder.
func serve(t *testing.T, dir string) (url string) {
	t.Helper()
	server := httptest.NewServer(Handler(dir))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/"
}

var emptyLines = regexp.MustCompile(`\n\s*\n`)

// out is the output of a cell, ready when the cell is, without empty lines.
func (b *tab) out(cell string) string {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#cell-%[1]s").ariaBusy === "false" && document.querySelector("#cell-%[1]s .state").textContent`, cell))
	return emptyLines.ReplaceAllString(strings.TrimSpace(b.text("#cell-"+cell+" .out")), "\n")
}

// edit replaces what is in a cell, by the keyboard.
func (b *tab) edit(cell, text string) {
	b.Helper()
	b.js(`document.querySelector("#cell-` + cell + ` .cm-content").focus()`)
	b.key("a", control)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, text) }))
}

func TestRun(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	b.until(`document.querySelector("#bar .status").textContent.includes("28 MB")`)
	b.picture("notebook")

	// The first press asks. No is no.
	b.press("#cell-print button.main")
	b.until(`document.querySelector("dialog[open]")`)
	if text := b.text("dialog"); !strings.Contains(text, "28 MB") || !strings.Contains(text, "400 MB") {
		t.Errorf("the question is %q", text)
	}
	b.picture("question")
	b.press(`dialog button[value="no"]`)
	b.until(`!document.querySelector("dialog")`)
	if builds := b.js("window.engine.builds"); builds != 0.0 {
		t.Errorf("%v builds though the answer was no", builds)
	}
	b.press("#cell-print button.main")
	b.press(`dialog button[value="yes"]`)
	if got := b.out("print"); got != "a zebra <b>\ntoo" {
		t.Errorf("the output is %q", got)
	}
	if got := b.js(`[...document.querySelectorAll("#cell-print .out img")].map((i) => i.alt + " " + i.naturalWidth + " " + i.src.slice(0, 14)).join(", ")`); got != "A dot 1 data:image/png, A square 9 data:image/svg" {
		t.Errorf("the figures are %v", got)
	}

	// A display with an id replaces the earlier one, and nothing in HTML runs or loads.
	b.press("#cell-show button.main")
	if got := b.out("show"); got != "3 of 3\n7\ngo" {
		t.Errorf("the output is %q", got)
	}
	if got := b.js(`document.querySelector("#cell-show .out").innerHTML`); strings.ContainsAny(fmt.Sprint(got), "(") || strings.Contains(fmt.Sprint(got), "href") || strings.Contains(fmt.Sprint(got), "iframe") {
		t.Errorf("the output holds %v", got)
	}
	if b.js("window.ran ?? 0") != 0.0 {
		t.Error("a script of an output ran")
	}

	// A panic names its line; after a stop and a panic the next run works.
	b.press("#cell-panic button.main")
	if got := b.out("panic"); !strings.Contains(got, "index out of range") || !strings.Contains(got, "line 3") {
		t.Errorf("the panic is %q", got)
	}
	b.press("#cell-loop button.main")
	b.until(`document.querySelector("#cell-loop .state").textContent === "running"`)
	b.js(`[...document.querySelectorAll("#bar button")].find((x) => x.textContent === "Stop").click()`)
	if got := b.out("loop"); !strings.Contains(got, "Stopped") {
		t.Errorf("the stop is %q", got)
	}
	b.press("#cell-print button.main")
	if got := b.out("print"); !strings.Contains(got, "zebra") {
		t.Errorf("after a stop: %q", got)
	}

	// What does not compile is said at its line, a while after the last key, and in the cell
	// that needs it.
	b.edit("rate", "// Rate is wrong.\nfunc Rate(wrong, n int) float64 {\n\tNOT GO\n}")
	b.until(`document.querySelector("#cell-rate .problems").innerText.includes("line 3: syntax error")`)
	if b.js(`document.querySelectorAll("#cell-rate .cm-lint-marker-error").length`) != 1.0 {
		t.Error("the editor has no mark")
	}
	b.press("#cell-rate-check button.main")
	if got := b.out("rate-check"); !strings.Contains(got, "was not built") || !strings.Contains(got, "Exercise 1") {
		t.Errorf("the check says %q", got)
	}
	b.picture("problem")
	b.press("#cell-rate .problems button")
	if b.js(`document.activeElement.closest("#cell-rate") !== null`) != true {
		t.Error("the problem's button does not lead to its line")
	}

	// Some points, then all.
	b.edit("rate", "// Rate is one.\nfunc Rate(wrong, n int) float64 {\n\treturn 1\n}")
	b.press("#cell-rate-check button.main")
	b.until(`document.querySelector("#bar .points").textContent === "1.5 of 3 points"`)
	b.edit("rate", "// Rate is right.\nfunc Rate(wrong, n int) float64 {\n\treturn float64(wrong) / float64(n)\n}")
	b.until(`document.querySelector("#bar .points").textContent === "1.5 of 3 points" && document.querySelector("#bar .old:not([hidden]) summary").textContent === "1 before your last change"`)
	b.js(`[...document.querySelectorAll("#bar button")].find((x) => x.textContent === "Check all my work").click()`)
	b.until(`document.querySelector(".report")?.innerText.includes("Points so far: 3 of 3")`)
	if got := b.text(".report p"); !strings.Contains(got, "To hand in your work, choose Download my notebook") {
		t.Errorf("the report does not say how to hand in: %q", got)
	}
	b.picture("checked")

	// Answers, in code and in words, and points are kept over a reload, and the page gets
	// ready without being asked again.
	b.js(`document.querySelector("textarea").focus()`)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "My words.") }))
	b.stored("My words.")
	b.do(chromedp.Reload())
	b.until(`document.querySelector("#bar .status")?.textContent === "Ready"`)
	if got := b.text("#cell-rate .cm-content"); !strings.Contains(got, "Rate is right") {
		t.Errorf("after a reload the answer is %q", got)
	}
	if got := b.js(`document.querySelector("textarea").value`); got != "My words." {
		t.Errorf("after a reload the words are %q", got)
	}
	if got := b.text("#bar .points"); got != "3 of 3 points" {
		t.Errorf("after a reload: %q", got)
	}
	if b.js("window.engine.builds") == 0.0 {
		t.Error("nothing was built while the student reads")
	}
	cells, _ := json.Marshal(b.js("window.engine.cells.map(({ id, exercise, points, raises }) => [id, exercise, points, raises])"))
	if want := `[["imports",false,0,false],["print",false,0,false],["show",false,0,false],["loop",false,0,false],["panic",false,0,false],["rate",true,0,false],["rate-check",false,3,false]]`; string(cells) != want {
		t.Errorf("the engine was given %s", cells)
	}
	b.quiet(url)
}

// What is downloaded is a notebook with the answers, and can be uploaded elsewhere.
func TestDownloadAndUpload(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	folder := t.TempDir()
	b.do(cdpbrowser.SetDownloadBehavior(cdpbrowser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder).WithBrowserContextID(b.profile))
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.25 }")
	b.js(`document.querySelector("textarea").focus()`)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "In words.") }))
	b.js(`[...document.querySelectorAll("#bar button")].find((x) => x.textContent === "Download my notebook").click()`)
	file := filepath.Join(folder, "01_first.ipynb")
	nb := readNotebook(t, file)
	found := 0
	for _, c := range nb.Cells {
		if c.ID == "rate" && c.Source == "func Rate(wrong, n int) float64 { return 0.25 }" || c.ID == "answer" && c.Source == "In words." {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d of two answers are in the file", found)
	}
	// Into a page that has nothing of it, from an edition that began with a cell for the kernel.
	nb.Cells = slices.Insert(nb.Cells, 1, &notebook.Cell{Type: "code", ID: "setup", Source: "%noautoget\n!*rm -f go.work && go work init ."})
	old, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, file, string(old))
	b.js(`window.confirm = () => true; [...document.querySelectorAll("#bar button")].find((x) => x.textContent === "Reset everything").click()`)
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("YOUR CODE HERE") && document.querySelector("textarea").value === ""`)
	b.do(chromedp.SetUploadFiles(`#bar input[type="file"]`, []string{file}, chromedp.ByQuery))
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("return 0.25") && document.querySelector("textarea").value === "In words." && document.querySelector("#bar .status").textContent.includes("1 that this page has not was left out")`)
	for _, c := range []struct{ name, text, says string }{
		{"text.ipynb", "no notebook", "not JSON"},
		{"other.ipynb", `{"nbformat": 4, "cells": [{"id": "x", "cell_type": "code", "source": "y"}]}`, "another notebook"},
		{"old.ipynb", `{"nbformat": 3, "worksheets": []}`, "format 4"},
	} {
		put(t, filepath.Join(folder, c.name), c.text)
		b.do(chromedp.SetUploadFiles(`#bar input[type="file"]`, []string{filepath.Join(folder, c.name)}, chromedp.ByQuery))
		b.until(fmt.Sprintf(`document.querySelector("#bar .status").textContent.includes(%q)`, c.says))
	}
	b.quiet(url)
}

// A new version of a notebook takes the answers of cells that are as they were, and offers
// those of cells that have changed.
func TestNewVersion(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), filepath.Join(t.TempDir(), "site")
	write(t, p, dir, nil)
	url := serve(t, dir)
	b := newTab(t)
	load := func() {
		b.do(chromedp.Navigate(url + "lab/01_first.html"))
		b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	}
	load()
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.25 }")
	b.edit("print", "%%\n// fake: print mine")
	b.stored("return 0.25")
	b.stored("print mine")
	b.press("#cell-rate-check button.main")
	b.consent()
	b.until(`document.querySelector("#bar .points").textContent.endsWith("of 3 points")`)
	b.kept()

	worked := p.Path("notebooks", "lab", "01_first.ipynb")
	nb, err := notebook.Read(worked)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(nb.Cells, func(c *notebook.Cell) bool { return c.ID == "print" })
	first := nb.Cells[i].Source
	version := func(print string) {
		nb.Cells[i].Source = print
		save(t, nb, worked)
		save(t, exercise.Copy("lab/01_first", nb, exercise.Links{HasCopy: hasCopy(p)}), p.Path("notebooks", "lab", "exercises", "01_first.ipynb"))
		write(t, p, dir, nil)
		load()
	}
	version("%%\n// fake: print another")
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("return 0.25")`)
	if got := b.text("#cell-print .cm-content"); !strings.Contains(got, "another") {
		t.Errorf("the new cell is %q", got)
	}
	// Points are of the text and the packages that they were given for, and the page says so.
	again := `document.querySelector(".run-note").innerText.includes("press Check all my work")`
	if b.js(again) != true || b.text("#bar .points") != "3 points to get" {
		t.Errorf("in a new version there are %q, and the note is %q", b.text("#bar .points"), b.text(".run-note"))
	}
	b.press(".run-note button")
	b.until(`document.querySelector("#cell-print .cm-content").innerText.includes("mine")`)
	// Back in the first version the newest answer counts, not the one that was written in it,
	// and what was reset stays so.
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.75 }")
	b.stored("return 0.75")
	version(first)
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("return 0.75")`)
	b.js(`window.confirm = () => true; [...document.querySelectorAll("#bar button")].find((x) => x.textContent === "Reset everything").click()`)
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("YOUR CODE HERE")`)
	b.kept()
	load()
	b.until(`document.querySelector("#bar .status").textContent !== ""`) // answers are back
	if got := b.text("#cell-rate .cm-content"); !strings.Contains(got, "YOUR CODE HERE") {
		t.Errorf("after a reset the cell is %q", got)
	}
	b.quiet(url)
}

// A server that lets browsers keep a notebook's file joins no new text with an old check; an old page
// says that its notebook is another edition.
func TestKeptFiles(t *testing.T) {
	t.Parallel()
	p, dir := sample(t), filepath.Join(t.TempDir(), "site")
	write(t, p, dir, nil)
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		if strings.HasSuffix(r.URL.Path, ".ipynb") {
			w.Header().Set("Cache-Control", "max-age=600")
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b := newTab(t)
	load := func() {
		b.do(chromedp.Navigate(server.URL + "/lab/01_first.html"))
		b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	}
	load()
	worked := p.Path("notebooks", "lab", "01_first.ipynb")
	nb, err := notebook.Read(worked)
	if err != nil {
		t.Fatal(err)
	}
	nb.Cells[slices.IndexFunc(nb.Cells, func(c *notebook.Cell) bool { return c.ID == "print" })].Source = "%%\n// fake: print another"
	save(t, nb, worked)
	save(t, exercise.Copy("lab/01_first", nb, exercise.Links{HasCopy: hasCopy(p)}), p.Path("notebooks", "lab", "exercises", "01_first.ipynb"))
	write(t, p, dir, nil)
	load()
	if got := b.text("#cell-print .cm-content"); !strings.Contains(got, "another") {
		t.Errorf("on the new page the cell is %q", got)
	}
	said := b.asyncJS(fmt.Sprintf(`import([...document.querySelectorAll("script[src]")].map((s) => new URL("notebookfile.js", s.src)).find((u) => u.pathname.includes("assets")))
		.then((m) => m.fetchNotebook(new URL("01_first.ipynb", location.href), "%012d")).then(() => "it was taken", (e) => e.message)`, 0)) // of which nothing was kept
	if !strings.Contains(fmt.Sprint(said), "another edition") {
		t.Errorf("the file for an old page: %v", said)
	}
}

// An upload that would replace answers asks first, and a check that is locked stays.
func TestUploadAsks(t *testing.T) {
	t.Parallel()
	dir := plainSite.folder(t)
	url := serve(t, dir)
	nb, err := notebook.Read(filepath.Join(dir, "lab", "01_first.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		switch c.ID {
		case "rate":
			c.Source = "func Rate(wrong, n int) float64 { return 0.25 }"
		case "rate-check":
			c.Source = "%%\n// checks nothing"
		}
	}
	file := filepath.Join(t.TempDir(), "theirs.ipynb")
	save(t, nb, file)
	b := newTab(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.5 }")
	b.js(`window.asked = []; window.answer = false; window.confirm = (text) => { asked.push(text); return answer; }; 0`)
	b.do(chromedp.SetUploadFiles(`#bar input[type="file"]`, []string{file}, chromedp.ByQuery))
	b.until(`asked.length === 1`)
	if got := b.text("#cell-rate .cm-content"); !strings.Contains(got, "return 0.5") {
		t.Errorf("the answer was no, and the cell is %q", got)
	}
	b.js(`window.answer = true`)
	b.do(chromedp.SetUploadFiles(`#bar input[type="file"]`, []string{file}, chromedp.ByQuery))
	b.until(`document.querySelector("#bar .status").textContent.includes("1 cell taken")`)
	if got := b.text("#cell-rate .cm-content"); !strings.Contains(got, "return 0.25") {
		t.Errorf("the cell is %q", got)
	}
	if got := b.text("#cell-rate-check .cm-content"); !strings.Contains(got, "nbkit.Check") {
		t.Errorf("the check is %q", got)
	}
	if got := b.js("asked[1]"); !strings.Contains(fmt.Sprint(got), "one cell or answer") {
		t.Errorf("it asks %q", got)
	}
	b.quiet(url)
}

// What cannot be kept is said, once.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	// As with a full disk, the request goes well and the transaction does not.
	b.js(`{ const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (...row) {
		const request = put.apply(this, row), { transaction } = this;
		request.onsuccess = () => transaction.abort();
		return request;
	}; 0 }`)
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.5 }")
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.25 }")
	b.until(`document.querySelector(".run-note").innerText.includes("can no longer be kept here")`)
	time.Sleep(100 * time.Millisecond)
	if n := b.js(`document.querySelectorAll(".run-note p").length`); n != 1.0 {
		t.Errorf("it is said %v times", n)
	}
	b.quiet(url)
}

// The page says that an output was recorded.
func TestRecordedIsSaid(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	b.edit("print", "%%\n// fake: print six\n// fake: recorded")
	b.press("#cell-print button.main")
	b.press(`dialog button[value="yes"]`)
	if got := b.out("print"); !strings.HasPrefix(got, "six\nRecorded: there is no Python") {
		t.Errorf("it shows %q", got)
	}
	b.quiet(url)
}

// What another tab has made of a cell is kept beside what this one makes of it.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	load := func() {
		b.do(chromedp.Navigate(url + "lab/01_first.html"))
		b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	}
	load()
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.5 }")
	b.edit("print", "%%\n// fake: print mine")
	b.stored("return 0.5")
	b.stored("print mine")
	// The other tab writes to the same rows.
	other := `new Promise((resolve, reject) => { const o = indexedDB.open("mllabs answers"); o.onsuccess = () => {
		const t = o.result.transaction("cells", "readwrite"), rows = t.objectStore("cells");
		rows.getAll().onsuccess = ({ target: { result } }) => { for (const row of result) rows.put({ ...row, text: row.cell === "rate" ? "func Rate(wrong, n int) float64 { return 0.125 }" : row.text, at: Date.now() }); };
		t.oncomplete = () => { o.result.close(); resolve(1); };
		t.onabort = () => reject(t.error);
	}; })`
	b.asyncJS(other)
	b.edit("rate", "func Rate(wrong, n int) float64 { return 0.75 }")
	b.edit("print", "%%\n// fake: print mine, too")
	b.until(`document.querySelector(".run-note").innerText.includes("in another tab")`)
	b.stored("print mine, too")
	b.kept()
	if n := b.js(`document.querySelectorAll(".run-note p").length`); n != 1.0 {
		t.Errorf("there are %v notes, want that of one cell", n)
	}
	// Both are there after a reload, and can be exchanged.
	load()
	b.until(`document.querySelector(".run-note").innerText.includes("in another tab")`)
	b.press(".run-note button")
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("return 0.125")`)
	b.press(".run-note button")
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("return 0.75")`)
	b.press(".run-note button:last-child")
	b.kept()
	load()
	b.until(`document.querySelector("#cell-rate .cm-content").innerText.includes("return 0.75")`)
	if got := b.text(".run-note"); strings.Contains(got, "another tab") {
		t.Errorf("after it was settled the page says %q", got)
	}
	b.quiet(url)
}

// A score is of the cells as they were when their run began, and lasts.
func TestScoreOfWhatRan(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	b.js(`{ const run = engine.run.bind(engine); engine.run = async (...rest) => { const ended = await run(...rest); await new Promise((go) => { window.go = go; }); return ended; }; 0 }`)
	b.press("#cell-rate-check button.main")
	b.press(`dialog button[value="yes"]`)
	b.until("window.go")
	b.edit("rate", "func Rate(wrong, n int) float64 { return 2 }")
	b.js("go(), 0")
	b.until(`document.querySelector("#bar .old:not([hidden]) summary")?.textContent === "1 before your last change"`)
	for range 2 { // the first load may not write it away
		b.kept()
		b.do(chromedp.Reload())
		b.until(`document.querySelector("#bar .points")?.textContent === "1.5 of 3 points" && document.querySelector("#bar .old:not([hidden]) summary").textContent === "1 before your last change"`)
	}
	b.quiet(url)
}

// All of it can be done with the keyboard, and the focus is never caught.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	focus := func() string {
		return fmt.Sprint(b.js(`((e) => e.ariaLabel || e.innerText || e.id || e.localName)(document.activeElement)`))
	}
	b.key(kb.Tab)
	if got := focus(); got != "To the text" {
		t.Errorf("the first stop is %q", got)
	}
	var stops []string
	for range 60 {
		b.key(kb.Tab)
		if b.js(`document.activeElement.closest(".cm-editor") !== null`) == true {
			b.key(kb.Escape) // lets the next Tab out
		}
		stops = append(stops, focus())
	}
	all := strings.Join(stops, "\n")
	for _, want := range []string{"search", "Dark theme", "Run all", "Check all my work", "More", "Run Cell 3, Printing", "Your answer: Question 1", "Next"} {
		if !strings.Contains(all, want) {
			t.Errorf("Tab does not reach %q in\n%s", want, all)
		}
	}
	// Shift-Enter runs and goes on, the question is answered by Enter.
	b.js(`document.querySelector("#cell-print .cm-content").focus()`)
	b.key(kb.Enter, shift)
	b.until(`document.querySelector("dialog[open]") && document.activeElement.closest("dialog")`)
	b.js(`document.querySelector('dialog button[value="yes"]').focus()`)
	b.key(kb.Enter)
	if got := b.out("print"); !strings.Contains(got, "zebra") {
		t.Errorf("the output is %q", got)
	}
	b.until(`document.activeElement.closest("#cell-show")`)
	b.until(`document.querySelector("#bar [role=status]").textContent.includes("zebra")`) // is read aloud
	// Names are completed and explained.
	b.js(`document.querySelector("#cell-show .cm-content").focus()`)
	b.key(kb.End, control)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "\nm := mat.") }))
	b.key(" ", control)
	b.until(`document.querySelectorAll(".cm-tooltip-autocomplete li").length === 2`)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "New") }))
	b.until(`document.querySelector(".cm-tooltip-autocomplete .cm-completionLabel")?.textContent === "NewDense"`)
	b.js(`document.querySelector(".cm-tooltip-autocomplete li").dispatchEvent(new MouseEvent("mousedown", { bubbles: true }))`)
	b.until(`document.querySelector("#cell-show .cm-content").innerText.includes("m := mat.NewDense")`)
	b.key("i", control)
	b.until(`document.querySelector(".explained")?.innerText.includes("NewDense makes a matrix.")`)
	b.picture("explained")
	b.key(kb.Escape)
	b.until(`!document.querySelector(".explained")`)
	b.js(`document.activeElement.blur()`)
	// The slash searches, arrows walk, Escape leaves.
	b.js(`document.activeElement.blur()`)
	b.key("/")
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "quagga") }))
	b.until(`document.querySelectorAll("#found a").length === 1`)
	b.key(kb.ArrowDown)
	if got := focus(); !strings.Contains(got, "Printing") {
		t.Errorf("the arrow leads to %q", got)
	}
	b.key(kb.Escape)
	if b.js(`document.querySelector("#found").hidden && document.activeElement.id`) != "search" {
		t.Error("Escape does not close what was found")
	}
	b.quiet(url)
}

// Pages do not overflow, are dark if that is wanted, and read without a script and from a
// file.
func TestPagesInBrowser(t *testing.T) {
	t.Parallel()
	dir := workedSite.folder(t)
	url := serve(t, dir)
	b := newTab(t)
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		for _, name := range []string{"index.html", "lab/01_first.html", "lab/01_first.worked.html", "data/index.html", "data/synthetic.html", "data/car.html", "library.html"} {
			b.do(chromedp.Navigate(url + name))
			b.until(`document.readyState === "complete"`)
			if strings.HasSuffix(name, "first.html") {
				b.until(`document.querySelectorAll(".cm-editor").length === 7`)
			}
			if got := b.js(`document.documentElement.scrollWidth`).(float64); got > float64(width) {
				t.Errorf("%s is %v wide on a screen of %d", name, got, width)
			}
			b.picture(fmt.Sprintf("%s-%d", strings.NewReplacer("/", "-", ".html", "").Replace(name), width))
		}
	}
	background := `getComputedStyle(document.documentElement).backgroundColor`
	light := b.js(background)
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	dark := b.js(background)
	if light != "rgb(255, 255, 255)" || dark == light {
		t.Errorf("light is %v, dark %v", light, dark)
	}
	b.picture("dark-data")
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
	b.picture("dark-notebook")
	b.press("button.theme") // the other than the system's, which is kept
	b.do(chromedp.Reload())
	if got := b.js(background); got != light {
		t.Errorf("the theme that was chosen is not kept: %v", got)
	}
	b.quiet(url)

	b.do(chromedp.Navigate("file://" + filepath.ToSlash(dir) + "/lab/01_first.html"))
	b.until(`document.querySelector(".run-note")?.innerText.includes("lab site --serve")`)
	b.js(`document.querySelector("#search").focus()`)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "quagga") }))
	b.until(`document.querySelectorAll("#found a").length === 1`)
	b.mu.Lock()
	b.requests = nil
	b.mu.Unlock()
	b.quiet("file://")

	b.do(emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(url+"lab/01_first.html"))
	var body string
	b.do(chromedp.Text("main", &body, chromedp.ByQuery))
	for _, want := range []string{"With JavaScript", "nbkit.Check", "YOUR CODE HERE", "Write your answer here"} {
		if !strings.Contains(body, want) {
			t.Errorf("without JavaScript the page lacks %q", want)
		}
	}
	if strings.Contains(body, "Run all") {
		t.Error("without JavaScript there are buttons that do nothing")
	}
}

// A page that fetches the brotli form of a file by its name gets the file, as the engine does.
func TestBrotliByName(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.do(chromedp.Navigate(url + "index.html"))
	const equal = `Promise.all(["search-index.js", "search-index.js.br"].map((name) => fetch(name)))
		.then(async ([plain, br]) => br.headers.get("Content-Encoding") + " " + (await plain.text() === await br.text()))`
	if got := b.asyncJS(equal); got != "br true" {
		t.Errorf("coded and equal: %v", got)
	}
	b.quiet(url)
}

// What was read once can be read without a network.
func TestOffline(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(plainSite.folder(t)))
	defer server.Close()
	url := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/"
	b := newTab(t)
	page := url + "lab/02_second.html"
	b.do(chromedp.Navigate(page))
	b.until(`document.querySelectorAll(".cm-editor").length === 2`)
	b.until(`navigator.serviceWorker.controller`)
	// Assets of an earlier site are forgotten when this one's worker begins.
	b.asyncJS(`caches.open("mllabs pages").then((c) => c.put("../assets/000000000000/site.css", new Response("old")))`)
	b.asyncJS(`navigator.serviceWorker.getRegistration().then((r) => r.unregister())`)
	b.do(chromedp.Reload())
	b.until(`navigator.serviceWorker.controller`)
	b.do(chromedp.Reload())
	b.until(`document.querySelectorAll(".cm-editor").length === 2`)
	b.quiet(url)
	if got := fmt.Sprint(b.asyncJS(`caches.open("mllabs pages").then((c) => c.keys()).then((keys) => keys.filter((k) => k.url.endsWith("/site.css")).length)`)); got != "1" {
		t.Errorf("%s style sheets are kept", got)
	}
	server.Close()
	b.do(chromedp.Reload())
	b.until(`document.querySelectorAll(".cm-editor").length === 2`)
	b.press("#cell-last button.main")
	b.press(`dialog button[value="yes"]`)
	if got := b.out("last"); got != "last" {
		t.Errorf("without a network the output is %q", got)
	}
}

package lite

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/chrome"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

var siteDir = flag.String("site", "", "the folder that lab site --lite --out has written, with which TestKernel tries the kernel")

// Cells run in JupyterLab as GoNB's kernel would run them: declarations are kept, what does
// not compile is told by line and leaves no trace, and after an interrupt the next cell runs.
// Data files come with the site, and Shift-Tab shows a function's documentation.
func TestKernel(t *testing.T) {
	if *siteDir == "" {
		t.Skip("it takes minutes to make what -site names (CONTRIBUTING.md tells how)")
	}
	path, err := chrome.Installed()
	if err != nil {
		t.Fatal(err)
	}
	// The notebook is put beside those that the site has.
	files := http.FileServer(http.Dir(*siteDir))
	const notebook = `{"cells": [%s], "metadata": {"kernelspec": {"name": "gonb", "display_name": "Go", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}`
	const players = `import "github.com/mllabs-go/mllabs/datasets"\n%%\nframe, err := datasets.Load("hitters")\nfmt.Println(frame.Nrow(), err)`
	steps := []struct{ source, want string }{
		{`import "fmt"\n%%\nfmt.Println("six", 1+5)`, "six 6"},
		{`func f() int { return 7 }`, ""},
		{`func f() int {\n    retrun 8\n}`, "It does not compile: line 2:"},
		{`%%\nfmt.Println("still", f())`, "still 7"},
		{`%%\nfor {\n}`, "Stopped."}, // after an interrupt
		{`%%\nfmt.Println("again", f())`, "again 7"},
		{`%%\nvar p *int\nfmt.Println(*p)`, "(line 3)"},
		{players, "322 <nil>"},
	}
	const endless = 4
	var cells []string
	for i, s := range steps {
		cells = append(cells, fmt.Sprintf(`{"cell_type": "code", "id": "c%d", "source": "%s", "metadata": {}, "outputs": [], "execution_count": null}`, i, strings.ReplaceAll(s.source, `"`, `\"`)))
	}
	text := fmt.Sprintf(notebook, strings.Join(cells, ", "))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/lite/files/tried.ipynb":
			fmt.Fprint(w, text)
		case "/lite/api/contents/all.json":
			const common = `"format": null, "mimetype": null, "writable": true, "created": "2026-01-01T00:00:00Z", "last_modified": "2026-01-01T00:00:00Z", "content": null`
			list := fmt.Sprintf(`{"name": "tried.ipynb", "path": "tried.ipynb", "type": "notebook", "size": %d, %s}`, len(text), common)
			fmt.Fprintf(w, `{"name": "", "path": "", "type": "directory", "format": "json", "mimetype": null, "writable": true, "created": "2026-01-01T00:00:00Z", "last_modified": "2026-01-01T00:00:00Z", "size": null, "content": [%s]}`, list)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	if _, err := os.Stat(filepath.Join(*siteDir, "lite", "lab", "index.html")); err != nil {
		t.Fatal(err)
	}

	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Flag("headless", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WindowSize(1280, 1400)}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, waits.Left(t))
	defer cancel()
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page's console: %s", e.ExceptionDetails.Error())
		case *page.EventJavascriptDialogOpening: // whether to leave a notebook that has changed
			go chromedp.Run(ctx, page.HandleJavaScriptDialog(true))
		}
	})
	do := func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	js := func(expression string) (result any) {
		t.Helper()
		do(chromedp.Evaluate(expression, &result))
		return result
	}
	until := func(expression string) {
		t.Helper()
		for end := time.Now().Add(waits.Left(t)); js(expression) != true; time.Sleep(200 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never true: %s\nthe page says %v", expression, js(`document.body.innerText.slice(0, 2000)`))
			}
		}
	}
	open := func() {
		do(chromedp.Navigate(server.URL + "/lite/lab/index.html?path=tried.ipynb"))
		until(fmt.Sprintf(`document.querySelectorAll(".jp-Notebook .jp-CodeCell").length === %d`, len(steps)))
		until(`document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status === "idle"`)
	}
	open()
	cell := func(i int, of string) string {
		return fmt.Sprintf(`document.querySelectorAll(".jp-Notebook .jp-CodeCell")[%d].querySelector(%q)`, i, of)
	}
	run := func(i int, want string) {
		t.Helper()
		js(cell(i, ".cm-content") + ".focus()")
		do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2)))
		prompt := cell(i, ".jp-InputPrompt") + ".innerText"
		until(prompt + ` !== "[ ]:"`)
		if i == endless {
			time.Sleep(5 * time.Second)                        // it is being built, or runs
			do(chromedp.KeyEvent("i"), chromedp.KeyEvent("i")) // as JupyterLab's users interrupt
		}
		until(fmt.Sprintf(`/\[\d+\]/.test(%s)`, prompt))
		if got := fmt.Sprint(js(cell(i, ".jp-OutputArea") + ".innerText")); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("cell %d: %q, want %q", i, got, want)
		}
	}
	for i, s := range steps {
		run(i, s.want)
	}

	// The cursor goes behind Println.
	js(cell(0, ".cm-content") + ".focus()")
	do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(2)))
	for range len(`("six", 1+5)`) {
		do(chromedp.KeyEvent(kb.ArrowLeft))
	}
	do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(8)))
	until(`/func Println\(a \.\.\.any\)[^]*Println formats using/.test(document.querySelector(".jp-Tooltip")?.innerText)`)
}

package marking

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/chrome"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/gradebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/submission"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// Two people mark on a page each. Whatever the second does before the server's answer comes,
// the first's mark stands until the second has seen it and given theirs instead.
func TestTwoMarkers(t *testing.T) {
	program, err := chrome.Installed()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs a browser: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()), chromedp.Flag("headless", true), chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-quic", true), chromedp.NoFirstRun, chromedp.WindowSize(1000, 900)}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	browser, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	defer cancel()
	ctx, cancel := context.WithTimeout(browser, waits.Left(t))
	defer cancel()
	defer chromedp.Cancel(browser) // it writes into its folder until it has ended

	const (
		comment = `const e = cards[0].element, box = e.querySelector("textarea"); box.value = "mine"; box.dispatchEvent(new Event("change")); `
		two     = `cards[0].element.querySelector("button[value='2']").click(); `
	)
	for _, tc := range []struct {
		name, does string // on the second's page, before the server answers
		mine       string // what the note says of it
	}{
		{"points", two, "You gave 2 of 3, which is not kept yet."},
		{"a comment and then points", comment + two, "You gave 2 of 3 and the comment “mine”, which is not kept yet."},
		{"points and half a point more", two + `keys["+"](cards[0]); `, "You gave 2.5 of 3, which is not kept yet."},
		{"points and then the next task", comment + two + `open(1); `, "You gave 2 of 3 and the comment “mine”, which is not kept yet."},
		{"that, and there and back", two + `open(1); open(0); `, "You gave 2 of 3, which is not kept yet."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			book := &gradebook.Book{Students: []gradebook.Student{{Name: "Ada", Notebooks: []gradebook.Notebook{{Name: "lab3/01"}}}}}
			written := &book.Students[0].Notebooks[0].Written
			for i, cell := range []string{"why", "which"} {
				*written = append(*written, gradebook.Written{Cell: cell, Task: i + 1, Title: cell, Of: float64(3 - i), Answer: &submission.Text{Source: "15"}})
			}
			d := New(book, []Task{{Notebook: "lab3/01", Cell: "why"}, {Notebook: "lab3/01", Cell: "which"}}, func(gradebook.HandMark) error { return nil })
			server := httptest.NewServer(d)
			defer server.Close()
			js := func(script string) (result string) {
				t.Helper()
				if err := chromedp.Run(ctx, chromedp.Evaluate(script, &result, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) })); err != nil {
					t.Fatal(err)
				}
				return result
			}
			if err := chromedp.Run(ctx, chromedp.Navigate(server.URL+d.Path()), chromedp.WaitVisible("#answers article")); err != nil {
				t.Fatal(err)
			}
			if code, text, _ := ask(t, "POST", server.URL+d.Path()+"mark", `{"task":0,"answer":0,"marked":true,"points":1,"comment":"so","by":"Al"}`, map[string]string{"Content-Type": "application/json"}); code != 200 {
				t.Fatal(code, text)
			}
			stands := func(points float64, comment string) {
				t.Helper()
				if w := (*written)[0]; !w.Marked || w.Points != points || w.Comment != comment {
					t.Errorf("kept: %v and %q, want %v and %q", w.Points, w.Comment, points, comment)
				}
			}
			js(`(async () => { ` + tc.does + ` await sending; return ""; })()`)
			stands(1, "so")
			note := js(`open(0); cards[0].element.querySelector(".conflict")?.textContent || ""`)
			if !strings.Contains(note, "Al gave 1 of 3 and the comment “so” at ") || !strings.Contains(note, tc.mine) {
				t.Errorf("the note says %q", note)
			}
			if state := js(`byId("state").textContent`); !strings.HasPrefix(state, "1 of 1 answers to be marked here") {
				t.Errorf("the page says %q", state)
			}
			js(`(async () => { cards[0].element.querySelector(".conflict button").click(); await sending; return ""; })()`)
			var points float64
			fmt.Sscanf(tc.mine, "You gave %v of", &points)
			mine := ""
			if strings.Contains(tc.mine, "mine") {
				mine = "mine"
			}
			stands(points, mine)
			if left := js(`String(document.querySelectorAll(".conflict").length)`); left != "0" {
				t.Errorf("%s notes are left", left)
			}
		})
	}
}

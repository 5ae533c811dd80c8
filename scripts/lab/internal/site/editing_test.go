package site

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// notebook opens the page with the exercise.
func (b *tab) notebook(url string) {
	b.Helper()
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.until(`document.querySelectorAll(".cm-editor").length === 7`)
}

// consent is a press of Download and run.
func (b *tab) consent() {
	b.Helper()
	b.until(`document.querySelector("dialog[open]")`)
	b.press(`dialog button[value="yes"]`)
}

// enter presses Enter as a keyboard does. (chromedp sends a character besides the key, which the
// page cannot refuse.)
func (b *tab) enter() {
	b.Helper()
	for _, kind := range []input.KeyType{input.KeyDown, input.KeyUp} {
		e := input.DispatchKeyEvent(kind).WithKey("Enter").WithCode("Enter").WithWindowsVirtualKeyCode(13)
		if kind == input.KeyDown {
			e = e.WithText("\r")
		}
		b.do(e)
	}
}

// shot keeps a picture of what the window shows where -pictures says so.
func (b *tab) shot(name string) {
	b.Helper()
	if *pictures == "" {
		return
	}
	var png []byte
	b.do(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), png, 0o644); err != nil {
		b.Error(err)
	}
}

// A list of names opens by itself after a dot, and Enter ends the line unless somebody has
// moved in the list or asked for it by a key.
func TestCompletionOpensByItself(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	b.notebook(url)
	const list = `document.querySelectorAll(".cm-tooltip-autocomplete li").length`
	text := func() string {
		return b.js(`[...document.querySelectorAll("#cell-print .cm-line")].map((l) => l.textContent).join("\n")`).(string)
	}
	begin := func(code string) {
		b.js(`document.querySelector("#cell-print .cm-content").focus()`)
		b.key("a", control)
		b.key(kb.Backspace)
		b.until(`document.querySelectorAll("#cell-print .cm-line").length === 1`)
		b.key(code)
	}
	for _, c := range []struct{ name, code, want string }{
		{"a whole name", "x := mat.Dense", "x := mat.Dense\n"},
		{"a beginning", "x := mat.New", "x := mat.New\n"},
		{"a dot", "x := mat.", "x := mat.\n\t"},
	} {
		begin(c.code)
		b.until(list + ` > 0`)
		b.until(`(({ top, bottom, width }) => width > 50 && top >= document.querySelector("#cell-print .cm-line:last-child").getBoundingClientRect().bottom - 6 && bottom <= innerHeight)(document.querySelector(".cm-tooltip-autocomplete").getBoundingClientRect())`) // in sight
		b.picture("completion-" + strings.ReplaceAll(c.name, " ", "-"))
		b.enter()
		b.until(list + ` === 0`)
		if got := text(); got != c.want {
			t.Errorf("Enter after %s makes %q, want %q", c.name, got, c.want)
		}
	}
	// Moved in, Enter takes what is chosen.
	begin("x := mat.")
	b.until(list + ` === 2`)
	b.until(`(() => { window.seen ??= performance.now(); return performance.now() - seen > 100 })()`) // a list that has just opened takes no keys
	b.key(kb.ArrowDown)
	b.until(`document.querySelector(".cm-tooltip-autocomplete li[aria-selected]")`)
	b.key(kb.ArrowDown)
	b.enter()
	b.until(list + ` === 0`)
	if got := text(); got != "x := mat.NewDense" {
		t.Errorf("Enter takes %q", got)
	}
	// Asked for, the first is chosen at once.
	begin("x := mat.")
	b.until(list + ` === 2`)
	b.key(kb.Escape)
	b.until(list + ` === 0`)
	b.key(" ", control)
	b.until(`document.querySelector(".cm-tooltip-autocomplete li[aria-selected]")?.innerText.includes("Dense")`)
	b.accessible("a list of names")
	b.js(`delete window.seen`)
	b.until(`(() => { window.seen ??= performance.now(); return performance.now() - seen > 100 })()`)
	b.enter()
	b.until(list + ` === 0`)
	if got := text(); got != "x := mat.Dense" {
		t.Errorf("after Ctrl-Space, Enter takes %q", got)
	}
	// Tab indents, and after Escape it leaves.
	begin("x := mat.")
	b.until(list + ` === 2`)
	b.key(kb.Tab)
	if got := text(); !strings.Contains(got, "mat.") || !strings.Contains(got, "\t") || strings.Contains(got, "Dense") {
		t.Errorf("Tab makes %q", got)
	}
	begin("x := mat.")
	b.until(list + ` === 2`)
	b.key(kb.Escape)
	b.until(list + ` === 0`)
	b.key(kb.Tab)
	b.until(`!document.activeElement.closest("#cell-print .cm-editor")`)
	// Names without a dot, numbers and comments open nothing.
	for _, code := range []string{"x := ma", "x := 12.", "// the mat."} {
		begin(code)
		b.asyncJS(`new Promise((go) => setTimeout(() => go(0), 300))`)
		if n := b.js(list); n != 0.0 {
			t.Errorf("%q opens a list of %v", code, n)
		}
	}
	b.quiet(url)
}

// A first build takes long, and the page says so, also where a run waits for the build that
// began when the reader came back. Later ones are called by a word.
func TestFirstBuildIsSaid(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	const hold = `{ const build = engine.build.bind(engine); engine.build = async (...rest) => { await new Promise((go) => { window.go = go; }); return build(...rest); }; 0 }`
	const first = "the first time this takes up to half a minute, afterwards 2 to 4 s"
	status, state := `document.querySelector("#bar .status").textContent`, `document.querySelector("#cell-print .state").textContent`
	b.notebook(url)
	b.js(hold)
	b.press("#cell-print button.main")
	b.consent()
	b.until(state + ` === "building; ` + first + `"`)
	b.until(status + ` === "Building; ` + first + `"`)
	b.until(`document.querySelector("#bar [role=status]").textContent.includes("half a minute")`)
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		b.picture(fmt.Sprint("first-build-", width))
	}
	b.accessible("a first build")
	b.js("go(), 0")
	b.out("print")
	b.js("window.go = undefined, 0")
	b.press("#cell-print button.main")
	b.until(state + ` === "building"`)
	b.until(status + ` === "Building"`)
	b.until("window.go")
	b.js("go(), 0")
	b.out("print")
	// Back again, the page builds by itself, and a run waits for that.
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(`Object.defineProperty(window, "engine", { set(e) { Object.defineProperty(window, "engine", { value: e }); const engine = e; ` + hold[1:len(hold)-3] + ` } , configurable: true });`).Do(ctx)
		return err
	}))
	b.notebook(url)
	b.until(status + ` === "Building; ` + first + `"`)
	b.press("#cell-print button.main")
	b.until(state + ` === "waiting for the build; ` + first + `"`)
	b.quiet(url)
}

// A check is called so, its state is green only when all cases have passed, and a line leads
// from the cell of an exercise to its check until that has been used.
func TestCheckIsNoRun(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	b.notebook(url)
	state := func(cell string) string {
		return fmt.Sprint(b.js(`((e) => e.className + ": " + e.textContent.replace(/[\d.]+ s$/, "TIME"))(document.querySelector("#cell-` + cell + ` .state"))`))
	}
	if got := b.js(`((e) => e.textContent + "; " + e.ariaLabel)(document.querySelector("#cell-rate-check button.main"))`); got != "Check; Check Cell 7, Exercise 1: Rate (3 points)" {
		t.Errorf("the check's button is %q", got)
	}
	if got := b.js(`document.querySelector("#cell-rate button.main").textContent`); got != "Run" {
		t.Errorf("the exercise's button is %q", got)
	}
	b.edit("rate", "// Rate is one.\nfunc Rate(wrong, n int) float64 {\n\treturn 1\n}")
	b.press("#cell-rate button.main")
	b.consent()
	b.until(`document.querySelector("#cell-rate .advice")?.innerText === "It ran. The check below tests whether it is right."`)
	if got := state("rate"); got != "state : ran, TIME" {
		t.Errorf("the exercise's state is %q", got)
	}
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		b.picture(fmt.Sprint("advice-", width))
	}
	b.press("#cell-rate .advice button")
	b.until(`document.activeElement.closest("#cell-rate-check")`)
	b.press("#cell-rate-check button.main")
	b.out("rate-check")
	if got := state("rate-check"); got != "state bad: 1.5 of 3 points, a case failed, TIME" {
		t.Errorf("with a case that fails: %q", got)
	}
	b.until(`document.querySelector("#cell-rate .advice").hidden`)
	b.until(`document.querySelector("#bar [role=status]").textContent.includes("1.5 of 3 points, a case failed")`)
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		b.picture(fmt.Sprint("verdict-", width))
	}
	b.accessible("a case failed")
	b.edit("rate", "// Rate is right.\nfunc Rate(wrong, n int) float64 {\n\treturn float64(wrong) / float64(n)\n}")
	b.press("#cell-rate-check button.main")
	b.out("rate-check")
	if got := state("rate-check"); got != "state good: 3 of 3 points, TIME" {
		t.Errorf("with all cases: %q", got)
	}
	b.press("#cell-rate button.main")
	b.out("rate")
	if b.js(`document.querySelector("#cell-rate .advice").hidden`) != true {
		t.Error("the line stands there though the check has been used")
	}
	// Back again, the check says what it was, and the line stays away.
	b.kept()
	b.notebook(url)
	b.until(`document.querySelector("#bar .status")?.textContent === "Ready"`)
	if got := state("rate-check"); got != "state good: 3 of 3 points" {
		t.Errorf("back again: %q", got)
	}
	b.press("#cell-rate button.main")
	b.out("rate")
	if b.js(`document.querySelector("#cell-rate .advice").hidden`) != true {
		t.Error("back again, the line stands there though the check has been used")
	}
	b.quiet(url)
}

// A reset can be undone, for a cell and for everything, until something is edited again.
func TestResetIsUndone(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	b.notebook(url)
	const mine = "func Rate(wrong, n int) float64 { return 0.25 }"
	has := func(part string) {
		b.until(fmt.Sprintf(`document.querySelector("#cell-rate .cm-content").innerText.includes(%q)`, part))
	}
	shown := func(name string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#cell-rate button")].find((e) => e.textContent === %q && !e.hidden)`, name)
	}
	b.edit("rate", mine)
	b.js(shown("Reset") + `.click()`)
	has("YOUR CODE HERE")
	b.until(shown("Undo"))
	b.until(`document.querySelector("#bar [role=status]").textContent.includes("The button Undo")`)
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		b.picture(fmt.Sprint("undo-", width))
	}
	b.accessible("after a reset")
	b.js(shown("Undo") + `.click()`)
	has("return 0.25")
	b.until("!" + shown("Undo"))
	b.until(`document.activeElement.closest("#cell-rate .cm-editor")`)
	// An edit takes the offer away.
	b.js(shown("Reset") + `.click()`)
	has("YOUR CODE HERE")
	b.key("x")
	b.until("!" + shown("Undo") + " && " + shown("Reset"))

	// Everything: code, words and points.
	b.edit("rate", "// Rate is right.\nfunc Rate(wrong, n int) float64 {\n\treturn float64(wrong) / float64(n)\n}")
	b.press("#cell-rate-check button.main")
	b.consent()
	b.until(`document.querySelector("#bar .points").textContent === "3 of 3 points"`)
	b.js(`document.querySelector("textarea").focus()`)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error { return insert(ctx, "My words.") }))
	all := func(name string) {
		b.js(fmt.Sprintf(`window.confirm = () => true; [...document.querySelectorAll("#bar button")].find((e) => e.textContent === %q).click()`, name))
	}
	undo := `[...document.querySelectorAll("#bar button")].find((e) => e.textContent === "Undo" && !e.hidden)`
	all("Reset everything")
	has("YOUR CODE HERE")
	b.until(`document.querySelector("textarea").value === "" && document.querySelector("#bar .points").textContent === "3 points to get"`)
	b.until(undo)
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		b.picture(fmt.Sprint("undo-all-", width))
	}
	b.js(undo + `.click()`)
	has("float64(wrong)")
	b.until(`document.querySelector("textarea").value === "My words." && document.querySelector("#bar .points").textContent === "3 of 3 points"`)
	b.until("!" + undo)
	all("Reset everything")
	b.until(undo)
	b.js(`document.querySelector("textarea").focus()`)
	b.key("x")
	b.until("!" + undo)
	// What was wrong with the other text is not said of this one.
	b.edit("rate", "func Rate(wrong, n int) float64 {\n\tNOT GO\n}")
	b.until(`!document.querySelector("#cell-rate .problems").hidden`)
	if got := b.js(shown("Reset") + `.click(), document.querySelector("#cell-rate .problems").hidden`); got != true {
		t.Error("after a reset the page tells problems of the text before")
	}
	// What was undone is kept.
	b.edit("rate", mine)
	b.js(shown("Reset") + `.click()`)
	b.js(shown("Undo") + `.click()`)
	b.kept()
	b.notebook(url)
	has("return 0.25")
	b.quiet(url)
}

// Points are of before a change only where the check can depend on what has changed, and a
// link leads to each such check.
func TestWhichPointsAreOld(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	b.notebook(url)
	old := `document.querySelector("#bar .old:not([hidden]) summary")?.textContent === "1 before your last change"`
	state := func() string { return b.text("#cell-rate-check .state") }
	b.edit("rate", "// Rate is right.\nfunc Rate(wrong, n int) float64 {\n\treturn float64(wrong) / float64(n)\n}")
	b.press("#cell-rate-check button.main")
	b.consent()
	b.until(`document.querySelector("#bar .points").textContent === "3 of 3 points"`)
	b.edit("print", "func Other() int { return 1 }\n%%\nRate(1, 2)")
	if b.js(old) != false || !strings.HasPrefix(state(), "3 of 3 points, 0") {
		t.Errorf("after a change elsewhere the check says %q", state())
	}
	b.edit("rate", "// Rate is right.\nfunc Rate(wrong, n int) float64 {\n\treturn float64(wrong) / float64(n) + 0*helped\n}")
	b.until(old)
	if got := b.js(`((e) => e.className + ": " + e.textContent)(document.querySelector("#cell-rate-check .state"))`); got != "state : 3 of 3 points, before your last change" {
		t.Errorf("after a change of the exercise the check says %q", got)
	}
	b.press("#bar .old summary")
	for _, width := range []int64{390, 1280} {
		b.size(width, 844)
		b.picture(fmt.Sprint("old-", width))
	}
	b.accessible("a menu of checks")
	b.press("#bar .old .menu button")
	b.until(`document.activeElement.closest("#cell-rate-check") && !document.querySelector("#bar .old").open`)
	b.press("#cell-rate-check button.main")
	b.until("!(" + old + ")")
	// What the exercise names counts, wherever it stands.
	b.edit("show", "const (\n\thelped = 0.0\n)\n%%\n// fake: print 1")
	b.until(old)
	b.press("#cell-rate-check button.main")
	b.until("!(" + old + ")")
	b.edit("show", "const (\n\thelped = 0.0\n)\n%%\n// fake: print 2")
	if b.js(old) != false {
		t.Error("a change of another cell's body makes points old")
	}
	b.kept()
	b.notebook(url)
	b.until(`document.querySelector("#bar .points")?.textContent === "3 of 3 points"`)
	if b.js(old) != false {
		t.Error("back again, points are old")
	}
	b.quiet(url)
}

// What a cell can depend on, by the forms that Go's declarations have.
func TestStateOfACell(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.notebook(url)
	for _, c := range []struct {
		name, first, second string // another cell, before and after a change
		use                 string
		changes             bool
	}{
		{"a function", "func F() int { return 1 }", "func F() int { return 2 }", "%%\nF()", true},
		{"a function that is not named", "func F() int { return 1 }", "func F() int { return 2 }", "%%\nG()", false},
		{"a method", "func (m *M) Fit() int { return 1 }", "func (m *M) Fit() int { return 2 }", "%%\nx.Fit()", true},
		{"a generic function", "func F[T any](x T) int { return 1 }", "func F[T any](x T) int { return 2 }", "%%\nF(1)", true},
		{"several variables", "var a, b = 1, 2", "var a, b = 1, 3", "%%\nb++", true},
		{"a group", "type (\n\tA int\n\tB int\n)", "type (\n\tA int\n\tB string\n)", "%%\nvar x B", true},
		{"what another names", "const n = 1", "const n = 2", "func F() int { return G() }\nfunc G() int { return n }\n%%\nF()", true},
		{"a body", "const n = 1\n%%\nn", "const n = 1\n%%\nn + 1", "%%\nn", false},
		{"an import", "import \"math\"", "import \"math/rand\"", "%%\n1", true},
		{"what does something", "var _ = f(1)", "var _ = f(2)", "%%\n1", true},
		{"another alphabet", "func größe() int { return 1 }", "func größe() int { return 2 }", "%%\ngröße()", true},
		{"a word of a text", "func is() int { return 1 }", "func is() int { return 2 }", "%%\nhint(\"what is a half?\", `it is`)", false},
		{"a word of a comment", "func is() int { return 1 }", "func is() int { return 2 }", "%%\n/* it\nis */ x // is it?", false},
		{"between texts", "func is() int { return 1 }", "func is() int { return 2 }", "%%\nhint(\"http://a\", is(), \"b\")", true},
		{"between quotes in texts", "func is() int { return 1 }", "func is() int { return 2 }", "%%\nhint(\"\\\"\", '\"', is(), `\"\\`, \"\")", true},
	} {
		got := b.asyncJS(fmt.Sprintf(`import(new URL(document.body.dataset.assets + "reach.js", location.href)).then(({ stateOf }) => {
			const of = (other) => stateOf([{ id: "own", source: %q }, { id: "between", source: "func G() int { return n }" }, { id: "other", source: other }], "own");
			return of(%q) !== of(%q);
		})`, c.use, c.first, c.second))
		if got != c.changes {
			t.Errorf("%s: that the state changes is %v", c.name, got)
		}
	}
	if got := b.asyncJS(`import(new URL(document.body.dataset.assets + "reach.js", location.href)).then(({ stateOf }) => ["%%\n1", "%%\n2"].map((source) => stateOf([{ id: "own", source }], "own"))).then(([one, two]) => one !== two)`); got != true {
		t.Error("the state does not change with the cell itself")
	}
	b.quiet(url)
}

// A link to a line brings it into sight, below the bar.
func TestLineIsInSight(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	for _, size := range [][2]int64{{1280, 600}, {390, 600}} {
		b.size(size[0], size[1])
		b.notebook(url)
		b.edit("rate", "// Rate is wrong.\nfunc Rate(wrong, n int) float64 {\n\tNOT GO\n"+strings.Repeat("\t// more\n", 60)+"}")
		b.js(`document.querySelector("#cell-rate-check button.main").scrollIntoView(), 0`)
		b.press("#cell-rate button.main")
		b.consent()
		b.until(`document.querySelector("#cell-rate .problems button")`)
		for _, from := range []string{"#cell-rate-check", "#cell-print"} { // from below and from above
			b.js(`document.querySelector("` + from + `").scrollIntoView(), 0`)
			b.js(`new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))), 0`)
			b.press("#cell-rate .problems button")
			const seen = `(() => {
				const line = document.querySelectorAll("#cell-rate .cm-line"), at = [...line].find((l) => l.textContent.includes("NOT GO"));
				const bar = document.querySelector("#bar").getBoundingClientRect(), box = at?.getBoundingClientRect();
				return box && box.top >= bar.bottom && box.bottom <= innerHeight;
			})()`
			b.until(seen)
			b.until(`document.activeElement.closest("#cell-rate .cm-editor")`)
		}
		b.js(`document.querySelector("#cell-rate-check").scrollIntoView(), 0`)
		b.press("#cell-rate .problems button")
		b.asyncJS(`new Promise((go) => setTimeout(() => go(0), 300))`)
		b.shot(fmt.Sprint("line-", size[0]))
		b.js(`localStorage.clear(), 0`)
		b.js(`window.confirm = () => true; [...document.querySelectorAll("#bar button")].find((x) => x.textContent === "Reset everything").click()`)
		b.kept()
	}
	b.quiet(url)
}

// Shift-Enter goes on to the next cell, but not from one that does not compile.
func TestShiftEnterStaysAtAMistake(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	b.size(1280, 900)
	b.notebook(url)
	at := func(cell string) {
		b.Helper()
		b.until(`document.activeElement.closest("#cell-` + cell + ` .cm-editor")`)
	}
	// As handed out, it goes on at once.
	b.js(`document.querySelector("#cell-print .cm-content").focus()`)
	b.key(kb.Enter, shift)
	b.consent()
	b.out("print")
	// A change that compiles: when that is known.
	b.edit("print", "%%\n// fake: print mine")
	b.key(kb.Enter, shift)
	at("show")
	b.out("print")
	// A mistake, whether it is known before or only by this run.
	for _, known := range []bool{false, true} {
		b.edit("print", fmt.Sprintf("%%%%\nNOT GO %v", known))
		if known {
			b.until(`document.querySelector("#cell-print .problems").innerText.includes("line 2")`)
			b.until(`document.querySelector("#bar .status").textContent === "Ready"`)
		}
		b.key(kb.Enter, shift)
		b.until(`document.querySelector("#cell-print .state").textContent === "does not compile"`)
		b.asyncJS(`new Promise((go) => setTimeout(() => go(0), 100))`)
		at("print")
	}
	// Who has gone elsewhere meanwhile is not taken away.
	b.js(`{ const build = engine.build.bind(engine); engine.build = async (...rest) => { await new Promise((go) => { window.go = go; }); return build(...rest); }; 0 }`)
	b.edit("print", "%%\n// fake: print again")
	b.key(kb.Enter, shift)
	b.until("window.go")
	b.js(`document.querySelector("textarea").focus()`)
	b.js("go(), 0")
	b.out("print")
	b.until(`document.activeElement.localName === "textarea"`)
	b.quiet(url)
}

// On a telephone nothing sticks out, also with a menu open, and nothing shows through the bar.
func TestNarrow(t *testing.T) {
	t.Parallel()
	url := serve(t, plainSite.folder(t))
	b := newTab(t)
	// What reaches beyond the window and lies in nothing that scrolls or hides it.
	const out = `[...document.querySelectorAll("body *")].filter((e) => {
		const box = e.getBoundingClientRect();
		if (box.width < 2 || box.height < 2 || box.right <= %[1]d + 0.5 && box.left >= -0.5) return false;
		for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) if (getComputedStyle(up).overflowX !== "visible") return false;
		return !e.closest(".skip, .unseen-label");
	}).map((e) => e.localName + "." + e.className).join(", ")`
	for _, width := range []int64{390, 500} {
		b.do(emulation.SetDeviceMetricsOverride(width, 700, 3, true), emulation.SetTouchEmulationEnabled(true))
		b.notebook(url)
		b.edit("rate", "// Rate is wrong.\nfunc Rate(wrong, n int) float64 {\n\tNOT GO\n}")
		b.press("#cell-rate-check button.main")
		b.consent()
		b.out("rate-check")
		b.edit("rate", "// Rate is one.\nfunc Rate(wrong, n int) float64 {\n\treturn 1\n}")
		b.press("#cell-rate-check button.main")
		b.until(`document.querySelector("#bar .points").textContent === "1.5 of 3 points"`)
		b.edit("rate", "// Rate is wrong.\nfunc Rate(wrong, n int) float64 {\n\tNOT GO\n}")
		b.until(`document.querySelector("#cell-rate .cm-lint-marker-error")`)
		for _, menu := range []string{"", ".more:not(.old)", ".old"} {
			b.js(fmt.Sprintf(`document.querySelectorAll("#bar details").forEach((d) => { d.open = %q !== "" && d.matches(%[1]q || "x"); }), 0`, menu))
			if wide := b.js(`Math.max(document.documentElement.scrollWidth, innerWidth)`); wide != float64(width) {
				t.Errorf("at %d pixels with %q open the page is %v wide", width, menu, wide)
			}
			if got := b.js(fmt.Sprintf(out, width)); got != "" {
				t.Errorf("at %d pixels with %q open these stick out: %v", width, menu, got)
			}
			b.shot(fmt.Sprintf("narrow-%d%s", width, strings.NewReplacer(".", "-", ":not", "", "(", "", ")", "").Replace(menu)))
		}
		b.js(`document.querySelectorAll("#bar details").forEach((d) => { d.open = false; }), 0`)
		// With each line of the cell behind the bar, the bar is on top everywhere.
		for _, line := range []string{".cm-lint-marker-error", ".cm-line", ".cm-lineNumbers"} {
			got := b.js(fmt.Sprintf(`(() => {
				const bar = document.querySelector("#bar"), e = document.querySelector("#cell-rate %s");
				scrollBy({ top: e.getBoundingClientRect().top - 12, behavior: "instant" });
				const box = bar.getBoundingClientRect(), mark = e.getBoundingClientRect();
				if (box.top !== 0 || mark.top > box.bottom) return "the mark is not behind the bar: " + box.top + ", " + mark.top;
				const found = [];
				for (let x = box.left + 1; x < box.right; x += 3) for (let y = 3; y < box.bottom - 2; y += 5) {
					const top = document.elementFromPoint(x, y);
					if (!bar.contains(top) && (x > box.left + 6 && x < box.right - 6 || y > 6)) found.push(top?.className);
				}
				return found.join(", ");
			})()`, line))
			if got != "" {
				t.Errorf("at %d pixels above the bar lies %v", width, got)
			}
		}
		b.shot(fmt.Sprint("narrow-bar-", width))
		b.accessible("on a telephone")
		b.js(`localStorage.clear(), 0`)
	}
	b.quiet(url)
}

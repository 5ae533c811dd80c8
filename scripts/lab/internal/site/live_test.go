package site

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/browser"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/live"
)

// liveModule is the one that pages get, built once and kept for later runs of the tests.
var liveModule = sync.OnceValues(func() (m LiveModule, err error) {
	root, err := filepath.Abs("../../../..")
	if err == nil {
		m.Wasm, m.Exec, err = browser.Live(context.Background(), root, browser.Options{Cache: filepath.Join(root, ".lab", "browser-test", "cache")})
	}
	return m, err
})

// playground is a page with a figure of each kind.
func playground(t *testing.T) (b *tab, url string) {
	t.Helper()
	return newTab(t), serve(t, playSite.folder(t))
}

// at scrolls to a figure and waits until it moves.
func (b *tab) at(kind string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector('[data-figure=%s]')`, kind))
	b.js(fmt.Sprintf(`document.querySelector('[data-figure=%s]').scrollIntoView({block: "center"})`, kind))
	b.until(fmt.Sprintf(`document.querySelector('[data-figure=%s].moves, [data-figure=%[1]s].failed')`, kind))
	if text := b.text(fmt.Sprintf("[data-figure=%s].failed", kind)); text != "nothing" {
		b.Fatal(text)
	}
	b.js(fmt.Sprintf(`document.querySelector('[data-figure=%s] .plane').scrollIntoView({block: "center"})`, kind)) // it has grown
}

// Each figure shows something, says a number, and asks nobody outside.
func TestLiveFigures(t *testing.T) {
	t.Parallel()
	b, url := playground(t)
	for _, size := range [][2]int64{{1280, 900}, {390, 800}} {
		b.size(size[0], size[1])
		b.do(chromedp.Navigate(url + "lab/01_first.html"))
		for _, kind := range []string{"neighbors", "tree", "forest", "adaboost", "svm", "network", "kmeans", "regression", "descent"} {
			b.at(kind)
			at := fmt.Sprintf("[data-figure=%s] ", kind)
			if n := b.js(fmt.Sprintf(`document.querySelectorAll(%q).length`, at+".points path")); n == 0.0 {
				t.Errorf("%s has no points", kind)
			}
			if text := b.text(at + ".live-facts"); text == "" || text == "nothing" {
				t.Errorf("%s says nothing", kind)
			}
			if size[0] == 390 {
				b.picture("live-" + kind + "-390")
			}
		}
		if over := b.js("document.documentElement.scrollWidth - innerWidth"); over != 0.0 {
			t.Errorf("at %d pixels the page is %v wider than the window", size[0], over)
		}
		b.picture(fmt.Sprintf("live-%d", size[0]))
		b.accessible(fmt.Sprint("at ", size[0], " pixels"))
	}
	b.size(1280, 900)
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	b.picture("live-dark")
	b.accessible("dark")
	b.do(chromedp.Navigate(url))
	b.at("forest")
	b.picture("live-front")
	b.accessible("the front page")
	b.quiet(url)
}

// The module in the page gives the map that the library gives here, for every kind.
func TestLiveMapsAreTheLibrarys(t *testing.T) {
	t.Parallel()
	b, url := playground(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.at("tree")
	samples, err := live.Samples()
	if err != nil {
		t.Fatal(err)
	}
	assets := b.js(`document.body.dataset.assets`)
	for _, c := range []struct {
		figure, sample string
		settings       live.Settings
	}{
		{"neighbors", "multi", live.Settings{Neighbors: 7, Weights: "gaussian"}},
		{"tree", "petals", live.Settings{MaxDepth: 5}},
		{"forest", "multi", live.Settings{Estimators: 10, Seed: 1}},
		{"adaboost", "binary", live.Settings{Rounds: 15, MaxDepth: 1}},
		{"svm", "clouds", live.Settings{C: 5, Gamma: 1}},
		{"network", "moons", live.Settings{Hidden: 8, Layers: 2, Epochs: 20, LearningRate: 0.01, Seed: 1}},
		{"kmeans", "groups", live.Settings{Centres: [][2]float64{{5, 0}, {6, 0}, {6, 1}}}},
	} {
		s := samples[c.sample]
		r := live.Request{Figure: c.figure, Points: s.Points, Classes: len(s.Classes), Window: s.Window, Resolution: 150, Settings: c.settings}
		want, err := live.Figure(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		got := b.asyncJS(fmt.Sprintf(`import(new URL(%q + "live/model.js", location.href)).then(({ Model }) => {
			window.model ??= new Model(new URL(%q + "live/", location.href));
			return window.model.ask(%s).then((answer) => answer.map);
		})`, assets, assets, text))
		if got != want.Map || len(want.Map) != 150*150 {
			t.Errorf("the map of %s is another in the page", c.figure)
		}
	}
	b.quiet(url)
}

// Points are moved, added, relabelled and removed by mouse, by touch and by keyboard.
func TestLivePointsAreMoved(t *testing.T) {
	t.Parallel()
	b, url := playground(t)
	b.size(1280, 900)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	const at = "[data-figure=tree] "
	b.at("tree")
	shape := func(i int) string {
		return fmt.Sprint(b.js(fmt.Sprintf(`document.querySelectorAll(%q)[%d]?.getAttribute("d")`, at+".points path", i)))
	}
	count := func() int {
		return int(b.js(fmt.Sprintf(`document.querySelectorAll(%q).length`, at+".points path")).(float64))
	}
	middle := func(i int) (x, y float64) {
		box := b.js(fmt.Sprintf(`(() => { const r = document.querySelectorAll(%q)[%d].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, at+".points path", i)).([]any)
		return box[0].(float64), box[1].(float64)
	}
	says := func() string { return b.text(at + "[role=status]") }
	begun := count()

	// By mouse: a drag, and without one a press on the point and another where it goes.
	first := shape(0)
	x, y := middle(0)
	b.do(chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonLeft), chromedp.MouseEvent(input.MouseMoved, x+20, y+15, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, x+40, y+30, chromedp.ButtonLeft), chromedp.MouseEvent(input.MouseReleased, x+40, y+30, chromedp.ButtonLeft))
	if moved, _ := middle(0); moved < x+35 || moved > x+45 || shape(0) == first {
		t.Errorf("a drag by 40 pixels moves the point from %v to %v", x, moved)
	}
	tools := func(value string) { b.press(fmt.Sprintf("%sinput[value=%s]", at, value)) }
	place := func() (x, y float64) { // of no point
		return b.js(fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().x + 60`, at+".frame")).(float64), b.js(fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().bottom - 6`, at+".frame")).(float64)
	}
	// A press on an empty place moves nothing, neither after a drag nor when a key has chosen a
	// point, however the focus came here. After a press on a point, one press moves it there.
	px, py := place()
	all := func() string {
		return fmt.Sprint(b.js(fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.getAttribute("d")).join()`, at+".points path")))
	}
	still := all()
	empty := func(after string) {
		t.Helper()
		b.do(chromedp.MouseClickXY(px, py))
		if all() != still {
			t.Errorf("a press on an empty place moves a point, %s", after)
		}
	}
	empty("after a drag")
	b.key(kb.Tab)
	b.js(fmt.Sprintf(`document.querySelector(%q).focus()`, at+"svg"))
	b.key("n")
	empty("after a key")
	x, y = middle(0)
	b.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(px+80, py))
	if mx, my := middle(0); mx < px+77 || mx > px+83 || my < py-3 || my > py+3 {
		t.Errorf("a press on a point and one at %v, %v move it to %v, %v", px+80, py, mx, my)
	}
	still = all()
	empty("after it was moved by presses")
	tools("add")
	b.do(chromedp.MouseClickXY(px, py))
	if count() != begun+1 || !strings.Contains(says(), "class 0") {
		t.Errorf("a press adds %d points and says %q", count()-begun, says())
	}
	b.press(at + "input[value='2']") // the third class
	tools("relabel")
	added := shape(begun)
	b.do(chromedp.MouseClickXY(px, py))
	if shape(begun) == added || !strings.Contains(says(), "class 2") {
		t.Errorf("relabelled, the point says %q", says())
	}
	tools("remove")
	b.do(chromedp.MouseClickXY(px, py))
	if count() != begun {
		t.Errorf("removed, there are %d points, want %d", count(), begun)
	}

	// By touch.
	tools("move")
	x, y = middle(0)
	touch := func(kind input.TouchType, points ...*input.TouchPoint) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error { return input.DispatchTouchEvent(kind, points).Do(ctx) })
	}
	b.js(`addEventListener("pointerdown", (e) => { window.pressedBy = e.pointerType; }, { capture: true })`)
	b.do(touch(input.TouchStart, &input.TouchPoint{X: x, Y: y}), touch(input.TouchMove, &input.TouchPoint{X: x - 15, Y: y - 20}),
		touch(input.TouchMove, &input.TouchPoint{X: x - 30, Y: y - 40}), touch(input.TouchEnd))
	if mx, my := middle(0); mx > x-25 || my > y-35 {
		t.Errorf("a finger moves the point by %v, %v", mx-x, my-y)
	}
	if by := b.js("window.pressedBy"); by != "touch" {
		t.Errorf("the finger is a %v", by)
	}

	// By keyboard.
	b.js(fmt.Sprintf(`document.querySelector(%q).focus()`, at+"svg"))
	x, _ = middle(1)
	b.key("p")
	b.key("n")
	b.key("n")
	chosen := says()
	b.key(kb.ArrowRight, shift)
	if mx, _ := middle(1); mx < x+20 || !strings.Contains(chosen, "Point 2") {
		t.Errorf("the key moves the point from %v to %v; it said %q, then %q", x, mx, chosen, says())
	}
	b.key("2")
	if !strings.Contains(says(), "class 2") {
		t.Errorf("after the key 2 it says %q", says())
	}
	b.key("a")
	if count() != begun+1 {
		t.Errorf("the key A makes %d points of %d", count(), begun)
	}
	b.key(kb.Delete)
	if count() != begun {
		t.Errorf("the key Delete leaves %d points of %d", count(), begun)
	}

	// All as it was.
	b.js(fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.textContent === "Reset").click()`, at+"button"))
	b.until(fmt.Sprintf(`document.querySelectorAll(%q)[0].getAttribute("d") === %q`, at+".points path", first))
	b.quiet(url)
}

// A model that fails is said to, and keeps nobody from going on: what was moved stays, and
// the next change is computed.
func TestLiveModelFails(t *testing.T) {
	t.Parallel()
	b, url := playground(t)
	b.size(1280, 900)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(`{ window.workers = []; const Plain = Worker; window.Worker = class extends Plain { constructor(...rest) { super(...rest); workers.push(this); } }; }`).Do(ctx)
		return err
	}), chromedp.Navigate(url+"lab/01_first.html"))
	const at = "[data-figure=tree] "
	b.at("tree")
	b.js(fmt.Sprintf(`document.querySelector(%q).focus()`, at+"svg"))
	b.key("n")
	b.key(kb.ArrowRight, shift)
	b.until(fmt.Sprintf(`document.querySelector(%q).innerText.includes("training error")`, at+".live-facts"))
	place := func() any {
		return b.js(fmt.Sprintf(`[...document.querySelectorAll(%q)].map((e) => e.getAttribute("d")).join()`, at+".points path"))
	}
	moved := place()
	for _, fail := range []string{
		`workers.at(-1).onerror({ message: "out of memory" })`,
		`workers.at(-1).onmessage({ data: { id: 0, broken: "out of memory" } })`,
	} {
		// The failure comes while an answer is on its way.
		b.js(`{ const worker = workers.at(-1); worker.postMessage = () => setTimeout(() => { ` + fail + `; }); 0 }`)
		b.key(kb.ArrowRight)
		b.until(fmt.Sprintf(`document.querySelector(%q).innerText.includes("out of memory")`, at+".live-facts"))
		further := place()
		if further == moved {
			t.Error("the point was not moved")
		}
		b.key(kb.ArrowLeft)
		b.until(fmt.Sprintf(`document.querySelector(%q).innerText.includes("training error")`, at+".live-facts"))
		if place() != moved {
			t.Errorf("after a failure the point is at %v, want %v", place(), moved)
		}
	}
	b.quiet(url)
}

// What could not be fetched is said, and fetched when the reader tries again.
func TestLiveTryAgain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"content.json", "live.wasm.gz"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir() // of its own, for files are taken away
			if err := os.CopyFS(dir, os.DirFS(playSite.folder(t))); err != nil {
				t.Fatal(err)
			}
			b, url := newTab(t), serve(t, dir)
			found, err := filepath.Glob(filepath.Join(dir, "assets", "*", "live", name+"*")) // with its compressed forms
			if err != nil || len(found) == 0 {
				t.Fatalf("%q, %v", found, err)
			}
			const away = ".away"
			for _, file := range found {
				if err := os.Rename(file, file+away); err != nil {
					t.Fatal(err)
				}
			}
			b.do(chromedp.Navigate(url + "lab/01_first.html"))
			b.js(`document.querySelector("[data-figure=tree]").scrollIntoView({block: "center"})`)
			b.until(`document.querySelector("[data-figure=tree].failed button")`)
			if text := b.text("[data-figure=tree].failed"); !strings.Contains(text, "404") {
				t.Errorf("it says %q", text)
			}
			for _, file := range found {
				if err := os.Rename(file+away, file); err != nil {
					t.Fatal(err)
				}
			}
			b.press("[data-figure=tree].failed button")
			b.until(`document.querySelector("[data-figure=tree].moves")`)
		})
	}
}

// Figures stand after what a notebook says of them, else at the end; a page that was made
// without them has none.
func TestLivePlaces(t *testing.T) {
	t.Parallel()
	p := sample(t)
	for _, c := range []struct {
		heading, want string
		with          bool
	}{{"## Play with it", "Play with it,live,after", true}, {"## Another thing", "Another thing,after,Play with it here,live", true}, {"## Play with it", "Play with it,after", false}} {
		nb := worked("lab", "02_second", markdown("play", c.heading+"\n\nChange it."), markdown("after", "Some text that comes after."))
		nb.Canonicalise()
		save(t, nb, p.Path("notebooks", "lab", "02_second.ipynb"))
		save(t, exercise.Copy("lab/02_second", nb, exercise.Links{HasCopy: func(string) bool { return true }}), p.Path("notebooks", "lab", "exercises", "02_second.ipynb"))
		dir := filepath.Join(t.TempDir(), "site")
		write(t, p, dir, func(o *Options) {
			if c.with {
				o.Live = func(context.Context) (LiveModule, error) {
					return LiveModule{Wasm: []byte("wasm"), Exec: []byte("exec")}, nil
				}
			}
		})
		text, err := os.ReadFile(filepath.Join(dir, "lab", "02_second.html"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		marks := map[string]string{">Play with it<": "Play with it", ">Another thing<": "Another thing", ">Play with it here<": "Play with it here", `data-figure="tree"`: "live", "that comes after": "after"}
		_, main, _ := strings.Cut(string(text), "About 02_second</h1>")
		for at := range main {
			for mark, name := range marks {
				if strings.HasPrefix(main[at:], mark) {
					got = append(got, name)
				}
			}
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("under %q stand %q, want %q", c.heading, got, c.want)
		}
	}
}

// k-means steps to its end, and a network trains by itself.
func TestLiveFiguresGoOn(t *testing.T) {
	t.Parallel()
	b, url := playground(t)
	b.do(chromedp.Navigate(url + "lab/01_first.html"))
	b.at("kmeans")
	facts := `[data-figure=kmeans] .live-facts dd`
	b.until(fmt.Sprintf(`document.querySelector(%q).textContent === "2530.2"`, facts))
	step := `[...document.querySelectorAll("[data-figure=kmeans] button")].find((e) => e.textContent === "Step").click()`
	for _, want := range []string{"410.4", "179.8", "172.9"} { // as the notebook prints them
		b.js(step)
		b.until(fmt.Sprintf(`document.querySelector(%q).textContent === %q`, facts, want))
	}
	b.js(step)
	b.until(`document.querySelector("[data-figure=kmeans] [role=status]").textContent === "No centre moves any more."`)
	b.at("network")
	b.js(`[...document.querySelectorAll("[data-figure=network] button")].find((e) => e.textContent === "Play").click()`)
	b.until(`Number(document.querySelector("[data-figure=network] .live-facts div:nth-child(2) dd").textContent) > 20`)
	b.js(`[...document.querySelectorAll("[data-figure=network] button")].find((e) => e.textContent === "Pause").click()`)
	b.quiet(url)
}

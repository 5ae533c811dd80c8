package browser

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/chromedp"
)

// A visitor notes what is asked for, and may answer in other ways than a plain server.
type visitor struct {
	mu    sync.Mutex
	asked []string
	next  http.Handler
	serve func(w http.ResponseWriter, r *http.Request, next http.Handler)
}

func (v *visitor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	v.asked = append(v.asked, r.URL.Path)
	v.mu.Unlock()
	v.serve(w, r, v.next)
}

// large are the files asked for since the last call that the engine is made of.
func (v *visitor) large() (list []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, path := range v.asked {
		if strings.Contains(path, ".wasm") || strings.Contains(path, ".pack") {
			list = append(list, path)
		}
	}
	v.asked = nil
	return list
}

func encoded(ending, encoding string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, ending) {
			w.Header().Set("Content-Encoding", encoding)
		}
		next.ServeHTTP(w, r)
	}
}

func plain(w http.ResponseWriter, r *http.Request, next http.Handler) { next.ServeHTTP(w, r) }

// knows makes of any browser one that takes brotli and gzip apart for scripts, or does not.
// Brotli is taken apart by the server then, which a script hands it to: not every Chromium can.
func knows(t *testing.T, br, gz bool) func(http.Handler) http.Handler {
	known := fmt.Sprintf("({ brotli: %v, gzip: %v })[form]", br, gz)
	form := changed(t, map[string][2]string{"store.js": {"Boolean(new DecompressionStream(form))", known}})
	stream := changed(t, map[string][2]string{"store.js": {"rest.pipeThrough(new DecompressionStream(form))", `rest.pipeThrough((() => {
		if (form !== "brotli") return new DecompressionStream(form);
		const parts = [];
		return new TransformStream({
			transform(part) { parts.push(part); },
			async flush(to) {
				const response = await fetch("/unpacked", { method: "POST", body: new Blob(parts) });
				to.enqueue(new Uint8Array(await response.arrayBuffer()));
			},
		});
	})())`}})
	return func(next http.Handler) http.Handler {
		next = form(stream(next))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/unpacked" {
				next.ServeHTTP(w, r)
				return
			}
			// The browser reads no answer before all has been sent.
			packed, err := io.ReadAll(r.Body)
			if err == nil {
				_, err = io.Copy(w, brotli.NewReader(bytes.NewReader(packed)))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// Files come as the server can send them and the browser can take them apart, and once: a
// second visit fetches none.
func TestFetch(t *testing.T) {
	for _, c := range []struct {
		name, ending string // with which all large files are asked for
		serve        func(http.ResponseWriter, *http.Request, http.Handler)
		brotli, gzip bool // what the browser knows
	}{
		{"a server that says br of .br", ".br", encoded(".br", "br"), false, true},
		{"a plain server and a browser that knows brotli", ".br", plain, true, true},
		{"a plain server", ".gz", plain, false, true},
		{"a server that says gzip of .gz", ".gz", encoded(".gz", "gzip"), false, true},
		{"a plain server and a browser that knows neither", "", plain, false, false},
	} {
		v := &visitor{serve: c.serve}
		p := open(t, "lab3", func(next http.Handler) http.Handler {
			v.next = knows(t, c.brotli, c.gzip)(next)
			return v
		})
		if v.large() != nil {
			t.Errorf("%s: something is fetched before load", c.name)
		}
		// More than a site's visitors fetch: tests compress for speed.
		least, most := 20e6, 60e6
		if c.ending == "" {
			least, most = 100e6, 200e6
		}
		if p.described.Download < least || p.described.Download > most || p.described.Cached != 0 {
			t.Errorf("%s: a first visit is described as %+v", c.name, p.described)
		}
		loaded := call[struct {
			Progress  struct{ Loaded, Total float64 }
			Described description
		}](p, "load")
		asked := v.large()
		if len(asked) != 6 || slices.ContainsFunc(asked, func(path string) bool {
			return !strings.HasSuffix(path, ".wasm"+c.ending) && !strings.HasSuffix(path, ".pack"+c.ending)
		}) {
			t.Errorf("%s: asked for %v", c.name, asked)
		}
		if pr := loaded.Progress; pr.Total != p.described.Download || pr.Loaded < pr.Total*0.999 {
			t.Errorf("%s: progress ends with %+v", c.name, pr)
		}
		if d := loaded.Described; d.Download != 0 || d.Cached != p.described.Download {
			t.Errorf("%s: then it is described as %+v", c.name, d)
		}
		if err := chromedp.Run(p.ctx, chromedp.Reload(), chromedp.WaitReady("html.ready")); err != nil {
			t.Fatal(err)
		}
		call[any](p, "open_", "lab3")
		call[any](p, "load")
		built := call[buildResult](p, "build", []pageCell{{ID: "a", Source: "%%\nfmt.Println(1)"}})
		if r := call[runResult](p, "run", "a", nil); !built.OK || r.text(1) != "1\n" {
			t.Errorf("%s: the second visit's program gives %v, %+v", c.name, built.Problems, r)
		}
		if asked := v.large(); asked != nil {
			t.Errorf("%s: a second visit asks for %v", c.name, asked)
		}
	}
}

// Of a file that was being kept when its worker ended, Firefox keeps what had come. It is fetched
// again.
func TestHalfIsNotKept(t *testing.T) {
	v := &visitor{serve: func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		w.Header().Set("Cache-Control", "no-store") // what is fetched again is asked for
		next.ServeHTTP(w, r)
	}}
	p := open(t, "", func(next http.Handler) http.Handler { v.next = next; return v })
	call[any](p, "load")
	asked := v.large()
	at := slices.IndexFunc(asked, func(path string) bool { return strings.Contains(path, "/compile-") })
	if at < 0 {
		t.Fatalf("asked for %v", asked)
	}
	kept := strings.TrimSuffix(asked[at], path.Ext(asked[at]))
	var whole bool
	if err := p.evaluate(fmt.Sprintf(`caches.open("mllabs-engine").then(async (cache) => {
		const whole = await cache.delete(%q);
		await cache.put(%q, new Response("half"));
		return whole;
	})`, kept+"?whole", kept), &whole); err != nil || !whole {
		t.Fatalf("%s is kept whole: %v, %v", kept, whole, err)
	}
	if err := chromedp.Run(p.ctx, chromedp.Reload(), chromedp.WaitReady("html.ready")); err != nil {
		t.Fatal(err)
	}
	if d := call[description](p, "open_", ""); d.Download == 0 || d.Cached == 0 {
		t.Errorf("it is described as %+v", d)
	}
	call[any](p, "load")
	if again := v.large(); !slices.Equal(again, asked[at:at+1]) {
		t.Errorf("the next visit asks for %v", again)
	}
	built := call[buildResult](p, "build", []pageCell{{ID: "a", Source: "%%\nfmt.Println(1)"}})
	if r := call[runResult](p, "run", "a", nil); !built.OK || r.text(1) != "1\n" {
		t.Errorf("then the program gives %v, %+v", built.Problems, r)
	}
}

// What cannot be fetched is said.
func TestFetchFails(t *testing.T) {
	p := open(t, "lab3", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "link-") {
				http.Error(w, "no", http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	// Nothing is damaged, and it is not the browser's fault.
	if said := call[string](p, "loadFails"); !strings.Contains(said, "503") || strings.Contains(said, "damaged") {
		t.Errorf("it says %q", said)
	}
}

// A tool that cannot be started is said to be, and the next build works. So does a run whose
// worker, which was to be ready for it, could not be started.
func TestToolFails(t *testing.T) {
	var tool, program sync.Once
	p := open(t, "", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			failed := false
			for name, once := range map[string]*sync.Once{"/tool.js": &tool, "/program.js": &program} {
				if strings.HasSuffix(r.URL.Path, name) {
					once.Do(func() { failed = true })
				}
			}
			if failed {
				http.Error(w, "no", http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	cells := []pageCell{{ID: "a", Source: "%%\nfmt.Println(1)"}}
	if said := call[string](p, "buildFails", cells); !strings.Contains(said, "cannot be started") {
		t.Errorf("it says %q", said)
	}
	built := call[buildResult](p, "build", cells)
	time.Sleep(time.Second) // until the worker has failed
	if r := call[runResult](p, "run", "a", nil); !built.OK || r.text(1) != "1\n" {
		t.Errorf("then the program gives %v, %+v", built.Problems, r)
	}
}

// What Firefox gets, workers that compile a tool and run it once, works in any browser, and gets
// over what a browser short of memory does: it cannot make a worker, or ends one. Each fault
// meets the worker that is made for the compiler of the next build, ahead of it.
func TestToolsOfOneRun(t *testing.T) {
	faults := make(chan string, 2) // of the workers that are made next
	scripts := changed(t, map[string][2]string{
		"loading.js": {`!navigator.userAgent.includes("Firefox")`, "false"},
		"tools.js": {"let tools, packs, options;", `let tools, packs, options;
			const faults = {
				"cannot be made": () => { throw new Error("no memory"); },
				"is ended": (worker) => setTimeout(() => worker.dispatchEvent(new Event("error")), 50),
				"is ended when it is ready": (worker) => worker.addEventListener("message", () => setTimeout(() => worker.dispatchEvent(new Event("error"))), { once: true }),
				"cannot compile": (worker) => { worker.postMessage = ({ id }) => setTimeout(() => worker.onmessage({ data: { id, error: "no memory" } }), 50); },
			};
			globalThis.Worker = class extends Worker {
				constructor(...rest) {
					super(...rest);
					const ask = new XMLHttpRequest();
					ask.open("GET", "/fault", false);
					ask.send();
					faults[ask.responseText]?.(this);
				}
			};`},
	})
	p := open(t, "", func(next http.Handler) http.Handler {
		next = scripts(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/fault" {
				select {
				case fault := <-faults:
					io.WriteString(w, fault)
				default:
				}
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	call[any](p, "load")
	before := "has no fault"
	for i, next := range []string{"is ended", "is ended when it is ready", "cannot compile", "cannot be made", ""} {
		if i > 0 {
			faults <- "" // in place of the one before
		}
		faults <- next
		built := call[buildResult](p, "build", []pageCell{{ID: "a", Source: fmt.Sprintf("%%%%\nfmt.Println(%d)", i)}})
		if r := call[runResult](p, "run", "a", nil); !built.OK || r.text(1) != fmt.Sprintln(i) {
			t.Errorf("after a worker that %s, a build gives %v, %+v", before, built.Problems, r)
		}
		time.Sleep(500 * time.Millisecond) // what is prepared fails meanwhile
		if len(faults) > 0 {
			t.Fatalf("no worker was made that %s", next)
		}
		before = next
	}
}

// A tool that came damaged is said to be, when it is compiled for the first time, and is not
// kept: the next visit fetches it again.
func TestDamagedToolOfOneRun(t *testing.T) {
	var once sync.Once
	asOneRun := changed(t, map[string][2]string{"loading.js": {`!navigator.userAgent.includes("Firefox")`, "false"}})
	p := open(t, "", func(next http.Handler) http.Handler {
		next = asOneRun(knows(t, false, true)(next))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			damaged := false
			if path := r.URL.Path; strings.Contains(path, "/compile-") && strings.HasSuffix(path, ".gz") {
				once.Do(func() { damaged = true })
			}
			if !damaged {
				next.ServeHTTP(w, r)
				return
			}
			sent := httptest.NewRecorder()
			next.ServeHTTP(sent, r)
			packed, err := gzip.NewReader(sent.Body)
			if err != nil {
				t.Error(err)
				return
			}
			tool, err := io.ReadAll(packed)
			if err != nil {
				t.Error(err)
				return
			}
			clear(tool[len(tool)/2:])
			again := gzip.NewWriter(w)
			again.Write(tool)
			again.Close()
		})
	})
	if said := call[string](p, "loadFails"); !strings.Contains(said, "damaged") || !strings.Contains(said, "Reload the page.") {
		t.Errorf("it says %q", said)
	}
	if err := chromedp.Run(p.ctx, chromedp.Reload(), chromedp.WaitReady("html.ready")); err != nil {
		t.Fatal(err)
	}
	call[any](p, "open_", "")
	built := call[buildResult](p, "build", []pageCell{{ID: "a", Source: "%%\nfmt.Println(1)"}})
	if r := call[runResult](p, "run", "a", nil); !built.OK || r.text(1) != "1\n" {
		t.Errorf("the next visit gives %v, %+v", built.Problems, r)
	}
}

// changed serves scripts, by name, with one text instead of another.
func changed(t *testing.T, scripts map[string][2]string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change, ok := scripts[path.Base(r.URL.Path)]
			if !ok {
				next.ServeHTTP(w, r)
				return
			}
			r.Header.Del("If-Modified-Since") // the answer has to have a body
			sent := httptest.NewRecorder()
			next.ServeHTTP(sent, r)
			if strings.Count(sent.Body.String(), change[0]) != 1 {
				t.Errorf("%s does not have %q once", r.URL.Path, change[0])
			}
			for name, values := range sent.Header() {
				if name != "Content-Length" {
					w.Header()[name] = values
				}
			}
			io.WriteString(w, strings.Replace(sent.Body.String(), change[0], change[1], 1))
		})
	}
}

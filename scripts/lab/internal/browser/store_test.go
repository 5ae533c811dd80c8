package browser

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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

// Files come as the server can send them, and once: a second visit fetches none.
func TestFetch(t *testing.T) {
	for _, c := range []struct {
		name, ending string // with which all large files are asked for
		serve        func(http.ResponseWriter, *http.Request, http.Handler)
	}{
		{"a server that knows brotli", ".br", encoded(".br", "br")},
		{"a plain server", ".gz", func(w http.ResponseWriter, r *http.Request, next http.Handler) { next.ServeHTTP(w, r) }},
		{"a server that says gzip of .gz", ".gz", encoded(".gz", "gzip")},
	} {
		v := &visitor{serve: c.serve}
		p := open(t, "lab3", func(next http.Handler) http.Handler { v.next = next; return v })
		if v.large() != nil {
			t.Errorf("%s: something is fetched before load", c.name)
		}
		// More than a site's visitors fetch: tests compress for speed.
		if p.described.Download < 20e6 || p.described.Download > 60e6 || p.described.Cached != 0 {
			t.Errorf("%s: a first visit is described as %+v", c.name, p.described)
		}
		loaded := call[struct {
			Progress  struct{ Loaded, Total float64 }
			Described description
		}](p, "load")
		asked := v.large()
		if len(asked) != 6 || slices.ContainsFunc(asked, func(path string) bool { return !strings.HasSuffix(path, c.ending) }) {
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
	if r := call[runResult](p, "run", "a", map[string]any{"seconds": 10}); !built.OK || r.text(1) != "1\n" {
		t.Errorf("then the program gives %v, %+v", built.Problems, r)
	}
}

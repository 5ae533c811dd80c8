package site

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/compress"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a page of text ", 500)
	br, err := compress.Brotli([]byte(text), compress.Small)
	if err != nil {
		t.Fatal(err)
	}
	gz, err := compress.Gzip([]byte(text), compress.Small)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"index.html": text, "index.html.br": string(br), "index.html.gz": string(gz),
		"sub/index.html": "below", "go.wasm": "\x00asm", "a.ipynb": "{}", "b.otf": "x", "c.js": "1",
		"../secret": "s",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	t.Cleanup(func() { os.Remove(filepath.Join(dir, "..", "secret")) })
	for _, c := range []struct {
		method, path, accept, ranges string
		status                       int
		kind, coding                 string
		body                         []byte
	}{
		{"GET", "/", "", "", 200, "text/html; charset=utf-8", "", []byte(text)},
		{"GET", "/", "gzip, deflate, br", "", 200, "text/html; charset=utf-8", "br", br},
		{"GET", "/index.html", "gzip", "", 200, "text/html; charset=utf-8", "gzip", gz},
		{"GET", "/index.html", "br;q=0, gzip;q=0.5", "", 200, "text/html; charset=utf-8", "gzip", gz},
		{"GET", "/index.html", "br", "bytes=0-5", 206, "text/html; charset=utf-8", "", []byte("a page")},
		{"GET", "/index.html.br", "gzip, br", "", 200, "text/html; charset=utf-8", "br", br},
		{"GET", "/index.html.br", "gzip", "", 200, "application/octet-stream", "", br},
		{"GET", "/index.html.br", "br;q=0", "", 200, "application/octet-stream", "", br},
		{"GET", "/index.html.br", "br", "bytes=0-5", 206, "application/octet-stream", "", br[:6]},
		{"GET", "/index.html.gz", "gzip, br", "", 200, "application/gzip", "", gz},
		{"GET", "/none.br", "br", "", 404, "text/plain; charset=utf-8", "", []byte("404 page not found\n")},
		{"HEAD", "/index.html", "br", "", 200, "text/html; charset=utf-8", "br", nil},
		{"GET", "/sub", "", "", 301, "", "", nil},
		{"GET", "/sub/", "", "", 200, "text/html; charset=utf-8", "", []byte("below")},
		{"GET", "/go.wasm", "br", "", 200, "application/wasm", "", []byte("\x00asm")},
		{"GET", "/a.ipynb", "", "", 200, "application/x-ipynb+json", "", []byte("{}")},
		{"GET", "/b.otf", "", "", 200, "font/otf", "", []byte("x")},
		{"GET", "/c.js", "", "", 200, "text/javascript; charset=utf-8", "", []byte("1")},
		{"GET", "/none", "", "", 404, "text/plain; charset=utf-8", "", []byte("404 page not found\n")},
		{"GET", "/../secret", "", "", 404, "text/plain; charset=utf-8", "", []byte("404 page not found\n")},
		{"GET", "/%2e%2e/secret", "", "", 404, "text/plain; charset=utf-8", "", []byte("404 page not found\n")},
		{"GET", "/sub/..%2f..%2fsecret", "", "", 404, "text/plain; charset=utf-8", "", []byte("404 page not found\n")},
		{"POST", "/", "", "", 405, "text/plain; charset=utf-8", "", []byte("files are for reading\n")},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Accept-Encoding", c.accept)
		if c.ranges != "" {
			r.Header.Set("Range", c.ranges)
		}
		w := httptest.NewRecorder()
		Handler(dir).ServeHTTP(w, r)
		if h := w.Header(); w.Code != c.status || h.Get("Content-Type") != c.kind || h.Get("Content-Encoding") != c.coding || !bytes.Equal(w.Body.Bytes(), c.body) {
			t.Errorf("%s %s (%s): %d, %q, coded %q, %d bytes", c.method, c.path, c.accept, w.Code, h.Get("Content-Type"), h.Get("Content-Encoding"), w.Body.Len())
		}
		active := c.kind == "text/html; charset=utf-8" || c.kind == "text/javascript; charset=utf-8"
		if got := w.Header().Get("Content-Security-Policy"); (got == contentPolicy) != active {
			t.Errorf("%s %s: the policy is %q", c.method, c.path, got)
		}
	}
}

// A server can be asked and ended, and only this machine reaches it. Where the usual address
// is taken it says so.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "index.html"), "hello")
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	usual := taken.Addr().String()
	try := func(asked bool) string {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		at, ended := make(chan string, 1), make(chan error, 1)
		go func() {
			ended <- serveAt(ctx, dir, "", usual, func(url string, got bool) {
				if got != asked {
					t.Errorf("%s is served, and it is the usual address: %v", url, got)
				}
				at <- url
			})
		}()
		url := <-at
		if !strings.HasPrefix(url, "http://localhost:") {
			t.Errorf("the address is %s", url)
		}
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Error(response.Status)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		return url
	}
	_, port, err := net.SplitHostPort(usual)
	if err != nil {
		t.Fatal(err)
	}
	if url := try(false); strings.Contains(url, ":"+port+"/") {
		t.Errorf("an address that is taken is served: %s", url)
	}
	taken.Close()
	if url := try(true); !strings.Contains(url, ":"+port+"/") {
		t.Errorf("served is %s, want port %s", url, port)
	}
	if err := Serve(context.Background(), dir, "no address", func(string, bool) {}); err == nil {
		t.Error("a server listens at no address")
	}
}

package site

import (
	"cmp"
	"context"
	"errors"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DefaultAddress can be reached from this machine only. Its port is always the same,
// because browsers keep answers by the address, port included.
const DefaultAddress = "localhost:8686"

// Serve serves the folder of a site at an address until ctx ends: "" is DefaultAddress, or
// a free port of localhost where that is taken. It tells listening where that is, and
// whether it is what was asked for.
func Serve(ctx context.Context, dir, address string, listening func(url string, asked bool)) error {
	return serveAt(ctx, dir, address, DefaultAddress, listening)
}

func serveAt(ctx context.Context, dir, address, usual string, listening func(url string, asked bool)) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cmp.Or(address, usual))
	asked := err == nil
	if !asked && address == "" {
		listener, err = new(net.ListenConfig).Listen(ctx, "tcp", "localhost:0")
	}
	if err != nil {
		return err
	}
	server := &http.Server{Handler: Handler(dir), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ctx.Done():
			server.Close()
		case <-ended:
		}
	}()
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() || ip.IsLoopback() {
		host = "localhost" // browsers take it for secure
	}
	listening("http://"+net.JoinHostPort(host, port)+"/", asked)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// types are those that a machine's own table may not know, or know otherwise.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".json": "application/json", ".ipynb": "application/x-ipynb+json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png",
	".otf": "font/otf", ".ttf": "font/ttf", ".pdf": "application/pdf", ".br": "application/octet-stream", ".gz": "application/gzip",
}

// active are the endings of files that may run something: a worker has the policy that its
// script was sent with, not that of its page.
var active = []string{".html", ".js", ".mjs", ".svg"}

// Handler serves the files of a folder, in a compressed form where there is one and the
// browser takes it. Folders are not listed.
func Handler(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "files are for reading", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if !filepath.IsLocal(filepath.FromSlash(name)) && name != "" {
			http.NotFound(w, r)
			return
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			if !strings.HasSuffix(r.URL.Path, "/") {
				// As seen from the page, so that it cannot lead to another host.
				w.Header().Set("Location", path.Base(name)+"/")
				w.WriteHeader(http.StatusMovedPermanently)
				return
			}
			file = filepath.Join(file, "index.html")
		}
		open, coding := chosenForm(file, r.Header)
		if coding == "br" {
			file = strings.TrimSuffix(file, ".br")
		}
		kind := cmp.Or(types[filepath.Ext(file)], mime.TypeByExtension(filepath.Ext(file)), "application/octet-stream")
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("X-Content-Type-Options", "nosniff")
		if slices.Contains(active, filepath.Ext(file)) {
			h.Set("Content-Security-Policy", contentPolicy)
		}
		h.Set("Cache-Control", "no-cache") // is asked about, and not sent again
		h.Add("Vary", "Accept-Encoding")
		if coding != "" {
			h.Set("Content-Encoding", coding)
		}
		f, err := os.Open(open)
		if err != nil {
			h.Del("Content-Encoding")
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			h.Del("Content-Encoding")
			http.NotFound(w, r)
			return
		}
		h.Set("Etag", strconv.Quote(strconv.FormatInt(info.ModTime().UnixNano(), 36)+"-"+strconv.FormatInt(info.Size(), 36)+"-"+filepath.Ext(open)))
		http.ServeContent(w, r, "", info.ModTime(), f)
	})
}

// chosenForm is the form of a file that is sent to answer a request, and how that is coded.
// Scripts of the site fetch brotli forms by their names (the engine's store.js): a browser that
// takes brotli then has to be told that it is.
func chosenForm(file string, request http.Header) (open, coding string) {
	if request.Get("Range") != "" {
		return file, ""
	}
	for _, form := range []struct{ coding, ending string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !takes(request.Values("Accept-Encoding"), form.coding) {
			continue
		}
		if form.coding == "br" && filepath.Ext(file) == form.ending {
			return file, form.coding
		}
		if _, err := os.Stat(file + form.ending); err == nil {
			return file + form.ending, form.coding
		}
	}
	return file, ""
}

// takes says whether a header of the request names a coding without refusing it.
func takes(accepted []string, coding string) bool {
	return slices.ContainsFunc(accepted, func(list string) bool {
		for part := range strings.SplitSeq(list, ",") {
			name, weight, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(name), coding) {
				q, found := strings.CutPrefix(strings.TrimSpace(weight), "q=")
				value, err := strconv.ParseFloat(q, 64)
				return !found || err != nil || value > 0
			}
		}
		return false
	})
}

package lite

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// engine is a folder as package browser writes it and package site compresses it.
func engine(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json":    `{"go": "go1.26", "scripts": "scripts-01234567", "courses": {"": ["standard"], "lab3": ["standard", "lab3"]}, "packs": {"standard": {}, "lab3": {}}}`,
		"manifest.json.gz": "x", "manifest.json.br": "x",
		"engine.js": "export class Engine {}", "engine.js.gz": "x", "engine.js.br": "x",
		"link-0.wasm": "raw", "link-0.wasm.gz": "packed", "link-0.wasm.br": "packed",
		"probe-0.txt": "probe", "probe-0.txt.gz": "x", "probe-0.txt.br": "x",
		"scripts-01234567/a.js": "a", "scripts-01234567/a.js.gz": "x",
		"scripts-old/a.js": "another engine's",
	} {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What pip wants of a wheel: https://packaging.python.org/specifications/binary-distribution-format.
func TestWheel(t *testing.T) {
	dir := engine(t)
	for _, c := range []struct {
		engine string
		holds  []string // of the engine
	}{
		{"", nil},
		{dir, []string{"engine.js", "link-0.wasm.gz", "manifest.json", "scripts-01234567/a.js"}},
	} {
		data, err := Wheel(c.engine)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Wheel(c.engine); err != nil || !bytes.Equal(data, again) {
			t.Errorf("another wheel the second time (%v)", err)
		}
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range r.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name] = string(text)
		}
		if last := r.File[len(r.File)-1].Name; last != info+"RECORD" {
			t.Errorf("the last file is %s", last)
		}
		lines := strings.Split(strings.TrimSpace(files[info+"RECORD"]), "\n")
		if len(lines) != len(files) {
			t.Errorf("%d lines in RECORD of %d files", len(lines), len(files))
		}
		for _, line := range lines[:len(lines)-1] {
			name, rest, _ := strings.Cut(line, ",")
			sum := sha256.Sum256([]byte(files[name]))
			if want := fmt.Sprintf("sha256=%s,%d", base64.RawURLEncoding.EncodeToString(sum[:]), len(files[name])); rest != want {
				t.Errorf("RECORD says %s of %s, want %s", rest, name, want)
			}
		}
		for _, name := range []string{info + "METADATA", info + "WHEEL", extensions + "package.json", extensions + "install.json", extensions + "static/remoteEntry.js"} {
			if files[name] == "" {
				t.Errorf("there is no %s", name)
			}
		}
		var holds []string
		for name := range files {
			if of, ok := strings.CutPrefix(name, extensions+"static/engine/"); ok {
				holds = append(holds, of)
			}
		}
		slices.Sort(holds)
		if !slices.Equal(holds, c.holds) {
			t.Errorf("of the engine it holds %q, want %q", holds, c.holds)
		}
		if c.engine == "" {
			continue
		}
		var manifest struct{ Courses map[string][]string }
		if err := json.Unmarshal([]byte(files[extensions+"static/engine/manifest.json"]), &manifest); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(manifest.Courses[""], []string{"lab3", "standard"}) || len(manifest.Courses["lab3"]) != 2 {
			t.Errorf("a notebook of no course gets %q", manifest.Courses)
		}
	}
}

func TestNoEngine(t *testing.T) {
	empty, damaged, other := t.TempDir(), t.TempDir(), t.TempDir()
	for dir, text := range map[string]string{damaged: "{", other: "{}"} {
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{empty, damaged, other} {
		if _, err := Wheel(dir); err == nil || !strings.Contains(err.Error(), "the engine in the wheel") {
			t.Errorf("%v", err)
		}
	}
}

// What JupyterLite has written is kept, but for the kernel and where the engine is.
func TestSettle(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jupyter-lite.json")
	for _, c := range []struct{ text, says string }{
		{`{"jupyter-config-data": {"baseUrl": "./", "defaultKernelName": "python"}}`, ""},
		{`{"other": 1}`, "not what this version of JupyterLite writes"},
		{`{`, "unexpected end"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := settle(file, "../engine/")
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.text, err)
			}
			if left, _ := os.ReadFile(file); string(left) != c.text {
				t.Errorf("%s became %s", c.text, left)
			}
			continue
		}
		got, _ := os.ReadFile(file)
		for _, want := range []string{`"baseUrl": "./"`, `"defaultKernelName": "gonb"`, `"engine": "../engine/"`} {
			if !strings.Contains(string(got), want) {
				t.Errorf("%s lacks %s", got, want)
			}
		}
	}
}

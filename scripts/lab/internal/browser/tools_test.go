package browser

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The installed Go's sources look as what is laid over them expects it.
func TestLaidOver(t *testing.T) {
	g, version, err := newGoCommand(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	for tool, list := range changes {
		for _, c := range list {
			paths, err := fs.Glob(os.DirFS(g.commands()), c.files)
			if err != nil {
				t.Fatal(err)
			}
			folders := map[string]bool{} // whether a file of theirs has changed
			for _, path := range paths {
				source, err := os.ReadFile(filepath.Join(g.commands(), path))
				if err != nil {
					t.Fatal(err)
				}
				folder := filepath.Dir(path)
				folders[folder] = folders[folder] || !bytes.Equal(c.to(source), source)
			}
			if len(folders) == 0 {
				t.Errorf("%s: %s has no %s", tool, version, c.files)
			}
			for folder, changed := range folders {
				if changed == (filepath.Base(folder) == "wasm") {
					t.Errorf("%s, %s of %s: changed is %v", tool, folder, version, changed)
				}
			}
		}
	}
}

// So do those of package syscall.
func TestPrinting(t *testing.T) {
	g, version, err := newGoCommand(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := g.printing()
	if err != nil || len(texts) != 2 {
		t.Errorf("%d files are laid over those of %s: %v", len(texts), version, err)
	}
}

// What another version of Go may have in place of what is cut stays as it is.
func TestLaidOverOtherSources(t *testing.T) {
	config := func(body string) string { return "package ssa\n\nfunc NewConfig(arch string) {\n" + body + "\n}\n" }
	for _, tc := range []struct {
		name, source, want string // want "": the source
		to                 func([]byte) []byte
	}{
		{"other processors", config("switch arch {\ncase \"arm\":\n\tarm()\ncase \"wasm\":\n\twasm()\ndefault:\n\tno()\n}"),
			config("switch arch {\ncase \"wasm\":\n\twasm()\ndefault:\n\tno()\n}"), wasmOnly},
		{"a switch of something else", config("switch buildcfg.GOOS {\ncase \"js\":\n\tjs()\ndefault:\n}"), "", wasmOnly},
		{"a switch without a tag", config("switch {\ncase arch == \"arm\":\n\tarm()\ndefault:\n}"), "", wasmOnly},
		{"names in place of texts", config("switch arch {\ncase arm:\n\tarm()\ndefault:\n}"), "", wasmOnly},
		{"an empty switch", config("switch arch {\n}"), "", wasmOnly},
		{"no body", "package ssa\n\nfunc NewConfig(arch string)\n", "", wasmOnly},
		{"syntax of the future", config("switch arch ??"), "", wasmOnly},
		{"a processor", "package arm\n\nvar Link = obj.LinkArch{\n\tArch: sys.ArchARM,\n\tInit: buildop,\n}\n", "package arm\n\nvar Link = obj.LinkArch{\n\tArch: sys.ArchARM,\n\t}\n", withoutAssembler},
		{"wasm", "package wasm\n\nvar Link = obj.LinkArch{\n\tArch: sys.ArchWasm,\n\tInit: instinit,\n}\n", "", withoutAssembler},
		{"an assembler's syntax of the future", "package arm\n\nvar Link = obj.LinkArch{ ?? }\n", "", withoutAssembler},
	} {
		want := tc.want
		if want == "" {
			want = tc.source
		}
		if got := string(tc.to([]byte(tc.source))); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want)
		}
	}
}

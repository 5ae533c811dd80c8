package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/archives"
)

// A kernel is a folder as GoNB's, with two modules beside it that its cells use. One of
// them brings a third along.
type kernel struct {
	t           *testing.T
	dir, module string
	goroot      string // Go, but that each call of the go command is noted
}

func courseMod(folder string) string {
	return "module example.org/course\n\ngo 1.26\n\nrequire example.org/library v0.0.0\n\nreplace example.org/library => ../" + folder + "\n"
}

func newKernel(t *testing.T) kernel {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the kernel's Go is a shell script")
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	home := strings.TrimSpace(string(out))
	t.Setenv("GOFLAGS", archives.GOFLAGS)
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("GOWORK", "")
	t.Setenv("GODEBUG", "")
	top := t.TempDir()
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Join(top, "proxy")))
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOENV", filepath.Join(top, "env"))
	// Its files are for reading only, but for "go clean".
	t.Setenv("GOMODCACHE", filepath.Join(top, "modules"))
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		serve(t, filepath.Join(top, "proxy"), "example.com/third", version, "module example.com/third\n\ngo 1.21\n",
			map[string]string{"third.go": "package third\n\nconst Version = \"" + version + "\"\n"})
	}
	t.Cleanup(func() { exec.Command("go", "clean", "-modcache").Run() })
	k := kernel{t, filepath.Join(top, "kernel"), filepath.Join(top, "module"), filepath.Join(top, "goroot")}
	for name, text := range map[string]string{
		"kernel/go.mod":              "module cell\n\ngo 1.26\n",
		"kernel/go.work":             "go 1.26\n\nuse (\n\t.\n\t../module\n\t../course\n)\n",
		"course/go.mod":              courseMod("library"),
		"library/go.mod":             "module example.org/library\n\ngo 1.26\n",
		"library/library.go":         "package library\n\nconst Version = 1\n",
		"library2/go.mod":            "module example.org/library\n\ngo 1.26\n",
		"library2/library.go":        "package library\n\nconst Version = 2\n",
		"module/go.mod":              "module example.org/m\n\ngo 1.26\n",
		"module/area/area.go":        "package area\n\nimport \"example.org/m/internal/pi\"\n\nfunc Of(r int) int { return r * r * pi.Pi }\n",
		"module/internal/pi/pi.go":   "package pi\n\nconst Pi = 3\n",
		"module/words/words.go":      "package words\n\nimport _ \"embed\"\n\n//go:embed all/hello.txt\nvar Hello string\n",
		"module/words/all/hello.txt": "hello",
		"goroot/bin/go":              "#!/bin/sh\necho \"$1\" >> " + filepath.Join(top, "calls") + "\nexec '" + filepath.Join(home, "bin", "go") + "' \"$@\"\n",
	} {
		k.write(filepath.Join(top, filepath.FromSlash(name)), text)
	}
	if err := errors.Join(os.Chmod(filepath.Join(k.goroot, "bin", "go"), 0o755), os.Symlink(filepath.Join(home, "pkg"), filepath.Join(k.goroot, "pkg"))); err != nil {
		t.Fatal(err)
	}
	return k
}

// write writes a file as it might have been written a while ago.
func (k kernel) write(path, text string) {
	k.t.Helper()
	old := time.Now().Add(-time.Hour)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	err = errors.Join(err, os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, old, old.Add(time.Duration(len(text))*time.Second)))
	if err := errors.Join(err, os.Chtimes(filepath.Dir(path), old, old)); err != nil {
		k.t.Fatal(err)
	}
}

// folder makes a folder, and those above it, as it might have been made a while ago.
func (k kernel) folder(path string) {
	k.t.Helper()
	k.write(filepath.Join(path, "x"), "")
	if err := os.Remove(filepath.Join(path, "x")); err != nil {
		k.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for ; path != k.module; path = filepath.Dir(path) {
		if err := os.Chtimes(path, old, old); err != nil {
			k.t.Fatal(err)
		}
	}
}

// link makes path a link, in the place of another.
func (k kernel) link(path, to string) {
	k.t.Helper()
	os.Remove(path)
	if err := os.Symlink(to, path); err != nil {
		k.t.Fatal(err)
	}
}

// serve puts a module on the file server, whose go.mod is as given.
func serve(t *testing.T, proxy, path, version, gomod string, files map[string]string) {
	t.Helper()
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	files["go.mod"] = gomod
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(path + "@" + version + "/" + name)
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	err := os.MkdirAll(at, 0o755)
	for suffix, text := range map[string]string{".info": `{"Version": "` + version + `"}`, ".mod": gomod, ".zip": archive.String()} {
		err = errors.Join(err, os.WriteFile(filepath.Join(at, version+suffix), []byte(text), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// get has the kernel's go.mod ask for a version of the module that is served.
func (k kernel) get(version string) {
	k.t.Helper()
	cmd := exec.Command(filepath.Join(k.goroot, "bin", "go"), "get", "example.com/third@"+version)
	cmd.Dir = k.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		k.t.Fatalf("%v\n%s", err, out)
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"go.mod", "go.sum", "go.work.sum"} {
		os.Chtimes(filepath.Join(k.dir, name), old, old)
	}
}

// walkTrees prints the files of a package's embedded tree.
const walkTrees = `fs.WalkDir(trees.All, ".", func(path string, d fs.DirEntry, err error) error {
	if !d.IsDir() {
		fmt.Println(d.Name())
	}
	return err
})`

// cell builds a cell and runs it, and tells whether the go command was called.
func (k kernel) cell(imports, statements string) (output string, asked bool, err error) {
	k.t.Helper()
	k.write(filepath.Join(k.dir, source), "package main\n\nimport (\n"+imports+"\n)\n\nfunc main() {\n"+statements+"\n}\n")
	target, calls := filepath.Join(k.dir, "program"), filepath.Join(filepath.Dir(k.dir), "calls")
	os.Remove(calls)
	err = build(k.dir, k.goroot, target)
	_, missing := os.Stat(calls)
	if err != nil {
		return "", missing == nil, err
	}
	out, err := exec.Command(target).CombinedOutput()
	return string(out), missing == nil, err
}

// The programs do what those of the go command do: their output is worked by hand.
// It is asked when it may know something new.
func TestBuild(t *testing.T) {
	k := newKernel(t)
	const fmtArea = `"fmt"; "example.org/m/area"`
	file := func(name string) string { return filepath.Join(k.module, filepath.FromSlash(name)) }
	for _, step := range []struct {
		name                string
		before              func()
		imports, statements string
		want                string
		asked               bool
	}{
		{"the first cell", nil, `"fmt"`, `fmt.Println(1)`, "1\n", true},
		{"the next", nil, `"fmt"`, `fmt.Println(2)`, "2\n", false},
		{"a package of the first's", nil, `"fmt"; "strconv"`, `fmt.Println(strconv.Itoa(3))`, "3\n", false},
		{"a new package", nil, fmtArea, `fmt.Println(area.Of(2))`, "12\n", true},
		{"again", nil, fmtArea, `fmt.Println(area.Of(3))`, "27\n", false},
		{"no import", nil, ``, ``, "", false},
		{"a package has changed", func() { k.write(file("internal/pi/pi.go"), "package pi\n\nconst Pi = 10\n") }, fmtArea, `fmt.Println(area.Of(3))`, "90\n", true},
		{"a file is new", func() {
			k.write(file("area/init.go"), "package area\n\nimport \"fmt\"\n\nfunc init() { fmt.Println(\"area\") }\n")
		}, fmtArea, `fmt.Println(area.Of(1))`, "area\n10\n", true},
		{"a file is gone", func() { os.Remove(file("area/init.go")) }, fmtArea, `fmt.Println(area.Of(1))`, "10\n", true},
		{"a package with an embedded file", nil, `"fmt"; "example.org/m/words"`, `fmt.Println(words.Hello)`, "hello\n", true},
		{"the embedded file has changed", func() { k.write(file("words/all/hello.txt"), "good morning") }, `"fmt"; "example.org/m/words"`, `fmt.Println(words.Hello)`, "good morning\n", true},
		{"a package of a module that another brings along", nil, `"fmt"; "example.org/library"`, `fmt.Println(library.Version)`, "1\n", true},
		{"it has changed", func() { k.write(file("../library/library.go"), "package library\n\nconst Version = 11\n") }, `"fmt"; "example.org/library"`, `fmt.Println(library.Version)`, "11\n", true},
		{"the other brings another version", func() { k.write(file("../course/go.mod"), courseMod("library2")) }, `"fmt"; "example.org/library"`, `fmt.Println(library.Version)`, "2\n", true},
		{"unsafe", nil, `"fmt"; "unsafe"`, `fmt.Println(unsafe.Sizeof(int32(0)))`, "4\n", false},
		{"another setting", func() { t.Setenv("GOAMD64", "v1") }, `"fmt"`, `fmt.Println(4)`, "4\n", true},
		{"another file of the same size and time", func() { k.write(file("../library2/library.go"), "package library\n\nconst Version = 7\n") }, `"fmt"; "example.org/library"`, `fmt.Println(library.Version)`, "7\n", true},
		{"a package that a link leads to", func() { k.link(file("linked"), "area") }, `"fmt"; area "example.org/m/linked"`, `fmt.Println(area.Of(1))`, "10\n", true},
		{"the link leads to another, of the same size and time", func() {
			k.write(file("area2/area.go"), "package area\n\nimport \"example.org/m/internal/pi\"\n\nfunc Of(r int) int { return r + r * pi.Pi }\n")
			k.link(file("linked"), "area2")
		}, `"fmt"; area "example.org/m/linked"`, `fmt.Println(area.Of(1))`, "11\n", true},
		{"an embedded tree with an empty folder", func() {
			k.write(file("trees/trees.go"), "package trees\n\nimport \"embed\"\n\n//go:embed all\nvar All embed.FS\n")
			k.write(file("trees/all/a"), "a")
			k.folder(file("trees/all/more/and/more"))
		}, `"fmt"; "io/fs"; "example.org/m/trees"`, walkTrees, "a\n", true},
		{"a file in the empty folder", func() { k.write(file("trees/all/more/and/more/b"), "b") }, `"fmt"; "io/fs"; "example.org/m/trees"`, walkTrees, "a\nb\n", true},
		{"what Jupyter saves beside a package", func() { k.write(file("area/notebook.ipynb"), "{}") }, fmtArea, `fmt.Println(area.Of(1))`, "10\n", false},
		{"a module of a file server", func() { k.get("v1.0.0") }, `"fmt"; "example.com/third"`, `fmt.Println(third.Version)`, "v1.0.0\n", true},
		{"its version is raised", func() { k.get("v1.1.0") }, `"fmt"; "example.com/third"`, `fmt.Println(third.Version)`, "v1.1.0\n", true},
		{"a setting of go env -w", func() { k.write(os.Getenv("GOENV"), "GOAMD64=v1\n") }, `"fmt"`, `fmt.Println(5)`, "5\n", true},
		{"another Go in the same place", func() { k.write(filepath.Join(k.goroot, "VERSION"), "another\n") }, `"fmt"`, `fmt.Println(6)`, "6\n", true},
		{"a go.work that is nearer", func() { k.write(filepath.Join(k.dir, "..", "go.work"), "go 1.26\n") }, `"fmt"`, `fmt.Println(7)`, "7\n", true},
		{"an older go.mod", func() {
			k.write(filepath.Join(k.dir, "go.mod"), "module cell\n\ngo 1.21\n\nrequire example.com/third v1.1.0\n")
		}, `"fmt"`,
			// The loop variable of Go 1.21 is one for all rounds.
			`var f []func() int; for i := 0; i < 2; i++ { f = append(f, func() int { return i }) }; fmt.Println(f[0]())`, "2\n", true},
		{"and kept", nil, `"fmt"`, `var f []func() int; for i := 0; i < 2; i++ { f = append(f, func() int { return i }) }; fmt.Println(f[0](), 0)`, "2 0\n", false},
	} {
		if step.before != nil {
			step.before()
		}
		got, asked, err := k.cell(step.imports, step.statements)
		if err != nil || got != step.want || asked != step.asked {
			t.Errorf("%s: output %q, the go command was asked: %v, error %v; want %q, %v", step.name, got, asked, err, step.want, step.asked)
		}
	}
}

// A program that is not to be run is compiled, but not linked.
func TestNotRun(t *testing.T) {
	k := newKernel(t)
	t.Setenv(notRun, "1")
	target := filepath.Join(k.dir, "program")
	for _, c := range []struct {
		name, body string
		good       bool
	}{
		{"the first", "", true}, // the go command compiles it
		{"the next", "_ = 1", true},
		{"what does not compile", "var unused int", false},
	} {
		k.write(filepath.Join(k.dir, source), "package main\n\nfunc main() {\n"+c.body+"\n}\n")
		if err := build(k.dir, k.goroot, target); (err == nil) != c.good {
			t.Errorf("%s: error %v, want none: %v", c.name, err, c.good)
		}
		if _, err := os.Stat(target); err == nil {
			t.Errorf("%s: it was linked", c.name)
		}
	}
}

// What build cannot do, or what has an error, is left to the go command; the program
// before stays as it is.
func TestNotBuilt(t *testing.T) {
	k := newKernel(t)
	if _, _, err := k.cell(`"fmt"; "example.org/m/area"`, `fmt.Println(area.Of(1))`); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(k.dir, "program"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                string
		set, to             string
		imports, statements string
	}{
		{"an unknown name", "", "", `"fmt"`, `fmt.Println(x)`},
		{"no Go", "", "", `"fmt"`, `}`},
		{"no such package", "", "", `"example.org/m/volume"`, ``},
		{"an internal package, which is in the program before", "", "", `_ "example.org/m/internal/pi"`, ``},
		{"C", "", "", `"C"`, ``},
		{"files to embed", "", "", `_ "embed"`, ``},
		{"a setting of the runtime", "", "", `"fmt"`, "//go:debug panicnil=1\nfmt.Println(1)"},
		{"what the program is made of", "", "", `_ "runtime/debug"`, ``},
		{"other flags", "GOFLAGS", "-race", `"fmt"`, `fmt.Println(1)`},
		{"C is allowed", "CGO_ENABLED", "1", `"fmt"`, `fmt.Println(1)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.set != "" {
				t.Setenv(c.set, c.to)
			}
			if out, _, err := k.cell(c.imports, c.statements); err == nil {
				t.Errorf("it was built and printed %q", out)
			}
			if after, err := os.ReadFile(filepath.Join(k.dir, "program")); err != nil || string(after) != string(before) {
				t.Errorf("the program before is gone: %v", err)
			}
		})
	}
	k.write(filepath.Join(k.dir, "other.go"), "package main\n")
	if _, _, err := k.cell(`"fmt"`, `fmt.Println(1)`); !errors.Is(err, errOther) {
		t.Errorf("with a second file: %v", err)
	}
}

// A file that was saved just now may have been read before it was.
func TestNothingKeptOfWhatChanges(t *testing.T) {
	k := newKernel(t)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(k.module, "area", "area.go"), later, later); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if out, asked, err := k.cell(`"fmt"; "example.org/m/area"`, `fmt.Println(area.Of(1))`); out != "3\n" || !asked || err != nil {
			t.Errorf("%q, asked %v, %v", out, asked, err)
		}
	}
}

// A damaged file is as good as none, and so is one that names archives which are gone.
func TestKeptIsDamaged(t *testing.T) {
	k := newKernel(t)
	file := filepath.Join(k.dir, keptName)
	for _, damage := range []func(string) string{
		func(string) string { return "{" },
		func(s string) string { return strings.ReplaceAll(s, "-d\"", "-gone\"") },
		func(s string) string { return s },
	} {
		if _, _, err := k.cell(`"fmt"`, `fmt.Println(1)`); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k.write(file, damage(string(b)))
		out, asked, err := k.cell(`"fmt"`, `fmt.Println(2)`)
		if out != "2\n" || err != nil || asked != (damage(string(b)) != string(b)) {
			t.Errorf("%q, asked %v, %v", out, asked, err)
		}
	}
}

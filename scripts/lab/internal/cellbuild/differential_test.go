package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	steps = flag.Int("steps", 12, "steps of TestLikeGo")
	seed  = flag.Uint64("seed", 1, "seed of TestLikeGo")
)

// After each of a random sequence of edits, renames, and changes of versions and of the
// environment, the two programs that build makes print what those of the go command do, and
// there is none where the go command makes none. What changes keeps its size and, but
// for a few, its time.
//
//	go test ./scripts/lab/internal/cellbuild -run TestLikeGo -steps 500 -timeout 1h
func TestLikeGo(t *testing.T) {
	k := newKernel(t)
	r := rand.New(rand.NewPCG(*seed, 0))
	m := func(name string) string { return filepath.Join(k.module, filepath.FromSlash(name)) }
	k.write(m("trees/trees.go"), "package trees\n\nimport \"embed\"\n\n//go:embed all\nvar All embed.FS\n")
	k.write(m("trees/all/a"), "a")
	k.folder(m("trees/all/more"))
	k.link(m("linked"), "area")
	k.get("v1.0.0")
	digit := func() string { return fmt.Sprint(1 + r.IntN(9)) }
	toggle := func(path, text string) {
		if os.Remove(path) != nil {
			k.write(path, text)
		}
	}
	goVersion := "1.26"
	edits := []func() string{
		func() string { k.write(m("internal/pi/pi.go"), "package pi\n\nconst Pi = "+digit()+"\n"); return "pi" },
		func() string {
			k.write(m("area/area.go"), "package area\n\nimport \"example.org/m/internal/pi\"\n\nfunc Of(r int) int { return r * "+digit()+" * pi.Pi }\n")
			return "area"
		},
		func() string {
			k.write(m("area2/area.go"), "package area\n\nfunc Of(r int) int { return r + "+digit()+" }\n")
			k.link(m("linked"), []string{"area", "area2"}[r.IntN(2)])
			return "the link"
		},
		func() string {
			toggle(m("area/init.go"), "package area\n\nfunc init() { println("+digit()+") }\n")
			return "a file with an init"
		},
		func() string {
			toggle(m("area/broken.go"), "package area\n\nfunc Broken() int { return none }\n")
			return "a file that does not compile"
		},
		func() string {
			for _, names := range [][2]string{{"words.go", "renamed.go"}, {"renamed.go", "words.go"}} {
				if os.Rename(m("words/"+names[0]), m("words/"+names[1])) == nil {
					break
				}
			}
			return "a file's name"
		},
		func() string {
			for _, names := range [][2]string{{"third_windows.go", "third.go"}, {"third.go", "third_windows.go"}} {
				if os.Rename(m("system/"+names[0]), m("system/"+names[1])) == nil {
					return "a file's system"
				}
			}
			k.write(m("system/system.go"), "package system\n\nvar Names []string\n")
			k.write(m("system/third.go"), "package system\n\nfunc init() { Names = append(Names, \"third\") }\n")
			return "a file's system"
		},
		func() string { k.write(m("words/all/hello.txt"), "hell"+digit()); return "an embedded file" },
		func() string { toggle(m("trees/all/more/b"), "b"); return "a file in an embedded tree" },
		func() string {
			k.write(m("../library/library.go"), "package library\n\nconst Version = "+digit()+"\n")
			return "the library"
		},
		func() string {
			k.write(m("../course/go.mod"), courseMod([]string{"library", "library2"}[r.IntN(2)]))
			return "which library"
		},
		func() string { k.get([]string{"v1.0.0", "v1.1.0"}[r.IntN(2)]); return "the third module's version" },
		func() string {
			old := goVersion
			goVersion = []string{"1.21", "1.26"}[r.IntN(2)]
			text, err := os.ReadFile(filepath.Join(k.dir, "go.mod"))
			if err != nil {
				t.Fatal(err)
			}
			k.write(filepath.Join(k.dir, "go.mod"), strings.Replace(string(text), "go "+old, "go "+goVersion, 1))
			return "the language"
		},
		func() string { os.Setenv("GOAMD64", []string{"v1", "v2"}[r.IntN(2)]); return "GOAMD64" },
		func() string {
			k.write(os.Getenv("GOENV"), "GOAMD64="+[]string{"v1", "v3"}[r.IntN(2)]+"\n")
			return "go env -w"
		},
		func() string {
			os.Setenv("GODEBUG", []string{"", "panicnil=1"}[r.IntN(2)])
			return "GODEBUG"
		},
		func() string {
			now := time.Now()
			os.Chtimes(m("area/area.go"), now, now)
			return "only a time"
		},
		func() string { return "nothing" },
	}
	for _, name := range []string{"GOAMD64", "GODEBUG"} { // as they were, at the end
		t.Setenv(name, os.Getenv(name))
	}
	cells := [][2]string{
		{`"fmt"`, `fmt.Println(1)`},
		{`"fmt"; "example.org/m/area"`, `fmt.Println(area.Of(1))`},
		{`"fmt"; area "example.org/m/linked"`, `fmt.Println(area.Of(1))`},
		{`"fmt"; "example.org/m/words"`, `fmt.Println(words.Hello)`},
		{`"fmt"; "io/fs"; "example.org/m/trees"`, walkTrees},
		{`"fmt"; "example.org/library"; "example.com/third"`, `fmt.Println(library.Version, third.Version)`},
		{`"example.com/third"`, `println(third.Version)`},
		{`"fmt"; "example.org/m/system"`, `fmt.Println(system.Names)`},
		{`"fmt"`, `var f []func() int; for i := 0; i < 2; i++ { f = append(f, func() int { return i }) }; fmt.Println(f[0]())`},
		{``, `defer func() { println(recover() == nil) }(); panic(nil)`},
		{`"fmt"`, "//go:debug panicnil=1\nfmt.Println(2)"},
		{`"fmt"; "runtime/debug"`, `_, ok := debug.ReadBuildInfo(); fmt.Println(ok)`},
		{`"fmt"`, `fmt.Println(none)`},
	}
	edits[6]() // there is such a package
	// A cell that imports all, so that those after it are of known packages.
	if _, _, err := k.cell(`_ "fmt"; _ "io/fs"; _ "example.org/m/area"; _ "example.org/m/linked"; _ "example.org/m/words"; _ "example.org/m/trees"; _ "example.org/m/system"; _ "example.org/library"; _ "example.com/third"`, ``); err != nil {
		t.Fatal(err)
	}
	alone, quick := 0, 0
	for step := range *steps {
		what := edits[r.IntN(len(edits))]()
		for range 2 {
			c := cells[r.IntN(len(cells))]
			got, asked, err := k.cell(c[0], c[1])
			switch {
			case err != nil: // as the kernel's script then does
				alone++
				got = k.byGo()
			case !asked:
				quick++
			}
			if want := k.byGo(); got != want {
				t.Fatalf("step %d, after %s: %s prints %q, that of the go command %q", step, what, c[1], got, want)
			}
		}
	}
	t.Logf("%d steps, %d built without asking the go command, %d left to it", *steps, quick, alone)
	if quick == 0 {
		t.Error("nothing was built without asking")
	}
}

// byGo is what the go command's program of the cell prints, or that there is none.
func (k kernel) byGo() string {
	target := filepath.Join(k.dir, "program.exe")
	cmd := exec.Command(filepath.Join(k.goroot, "bin", "go"), "build", "-o", target)
	cmd.Dir = k.dir
	if cmd.Run() != nil {
		return "no program"
	}
	defer os.Remove(target)
	out, _ := exec.Command(target).CombinedOutput()
	return string(out)
}

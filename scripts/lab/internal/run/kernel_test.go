//go:build unix

package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/waits"
)

// realTools are the tools of this checkout. Where they have not been set up the
// test is skipped, but not with CI set.
func realTools(t *testing.T) *setup.Tools {
	t.Helper()
	if testing.Short() {
		t.Skip("starts kernels")
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CI") == "" && !(project.Exists(p.Lab("kernel.stamp")) && project.Exists(p.Lab("python.json"))) {
		t.Skip("needs the kernel; go run ./scripts/lab setup sets it up")
	}
	tools, err := setup.Run(context.Background(), p, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// codeNotebook is a notebook whose second cell has the statements given.
func codeNotebook(t *testing.T, imports, statements string) []byte {
	t.Helper()
	cell := func(source string) map[string]any {
		return map[string]any{"cell_type": "code", "metadata": map[string]any{}, "source": source, "outputs": []any{}, "execution_count": nil}
	}
	b, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": []any{
		cell("%noautoget\nimport (\n" + imports + "\n)"), cell("%%\n" + statements),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What a cell does to a real kernel. Where a limit is to be reached, the cell
// would otherwise go on for hours.
func TestKernel(t *testing.T) {
	tools := realTools(t)
	dir := t.TempDir()
	child := filepath.Join(dir, "child")
	childDies := func(t *testing.T, _ string) {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux tells a process's environment")
		}
		b, err := os.ReadFile(child)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(string(b))
		if err != nil {
			t.Fatal(err)
		}
		dies(t, pid)
	}
	for _, c := range []struct {
		name, imports, statements string
		want                      string // the kind of the error, "" for none
		check                     func(t *testing.T, output string)
	}{
		{"much text", `"fmt"; "strings"`, "for { fmt.Println(strings.Repeat(\"x\", 1000)) }", "output", nil},
		{"a large figure", `"strings"; "github.com/janpfeifer/gonb/gonbui"`, "gonbui.DisplayHTML(strings.Repeat(\"x\", 17<<20))\nselect {}", "output", nil},
		{"input", `"io"; "syscall"`, "buf := make([]byte, 1)\nif _, err := syscall.Read(0, buf); err == nil { panic(io.EOF) }\nselect {}", "input", nil},
		{"an endless loop", `"fmt"`, "for i := 0; ; i++ { if i < 0 { fmt.Println(i) } }", "timeout", nil},
		{"an endless wait", `"fmt"; "time"`, "fmt.Println(1)\ntime.Sleep(time.Hour)", "timeout", nil},
		{"much waiting and some work", `"fmt"; "time"`, `for begin := time.Now(); time.Since(begin) < 5*time.Second; {
	time.Sleep(100 * time.Millisecond)
	for worked := time.Now(); time.Since(worked) < 20*time.Millisecond; {}
}
fmt.Println("the end")`, "", func(t *testing.T, output string) {
			if output != "the end\n" {
				t.Errorf("output %q", output)
			}
		}},
		{"many lines", `"fmt"`, "for i := range 100000 { fmt.Println(i) }", "", func(t *testing.T, output string) {
			if n := strings.Count(output, "\n"); n != 100000 || !strings.HasSuffix(output, "\n99999\n") {
				t.Errorf("%d of 100000 lines came", n)
			}
		}},
		{"a child that leaves", `"fmt"; "os"; "os/exec"; "syscall"`, `cmd := exec.Command("sleep", "1000")
cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
if err := cmd.Start(); err != nil { panic(err) }
if err := os.WriteFile("` + child + `", []byte(fmt.Sprint(cmd.Process.Pid)), 0o600); err != nil { panic(err) }`, "", childDies},
		{"a child that leaves and forgets", `"fmt"; "os"; "os/exec"; "syscall"`, `cmd := exec.Command("sleep", "1000")
cmd.Env = []string{}
cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
if err := cmd.Start(); err != nil { panic(err) }
if err := os.WriteFile("` + child + `", []byte(fmt.Sprint(cmd.Process.Pid)), 0o600); err != nil { panic(err) }`, "", childDies},
		{"a program that becomes another", `"os"; "syscall"`, `if err := syscall.Exec("/bin/true", []string{"true"}, os.Environ()); err != nil { panic(err) }`, "left", nil},
		{"a raw exit", `"syscall"`, `syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)`, "left", nil},
		{"a return", `"fmt"; "os"`, "// It ends here.\nfmt.Fprint(os.Stderr, \"e\")\nfmt.Println(1)\nif len(os.Args) > 0 { return }\nfmt.Println(2)", "", func(t *testing.T, output string) {
			if output != "e1\n" && output != "1\ne" {
				t.Errorf("output %q", output)
			}
		}},
		{"a home", `"fmt"; "os"`, `h, _ := os.UserHomeDir(); c, _ := os.UserCacheDir(); fmt.Println(h, c)`, "", func(t *testing.T, output string) {
			if output != "mllabs/.lab/home mllabs/.lab/home/.cache\n" {
				t.Errorf("home and cache are %q", output)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := codeNotebook(t, c.imports, c.statements)
			if strings.Contains(c.imports, "gonbui") {
				file = []byte(strings.Replace(string(file), `%noautoget\n`, `%noautoget\n!*rm -f go.work && go work init . `+tools.Project.Path("notebooks")+`\n`, 1))
			}
			limit := waits.Long
			if c.want == "timeout" || strings.Contains(c.name, "waiting") {
				limit = 3 * time.Second // of work that is measured, so on any machine
			}
			res, err := Notebook(context.Background(), tools, filepath.Join(dir, "n.ipynb"), file, Options{Timeout: limit})
			var cell *CellError
			if c.want != "" {
				if !errors.As(err, &cell) || cell.Kind != c.want || cell.Index != 1 || cell.Partial == nil {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			output := ""
			for _, o := range res.Cells[1].Outputs {
				output += o.Text
			}
			c.check(t, output)
		})
	}
}

// A package that takes seconds to be imported, and that a run has no use for, is not.
func TestRunnerImports(t *testing.T) {
	tools := realTools(t)
	dir := t.TempDir()
	imported := filepath.Join(dir, "imported")
	slow := "open(" + strconv.Quote(imported) + ", 'w').close()\ndef is_valid_syntax(*_): return True\n"
	if err := os.WriteFile(filepath.Join(dir, "rfc3987_syntax.py"), []byte(slow), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Notebook(context.Background(), tools, filepath.Join(dir, "n.ipynb"), codeNotebook(t, `"fmt"`, `fmt.Println(1)`), Options{Env: []string{"PYTHONPATH=" + dir}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(imported); err == nil {
		t.Error("rfc3987_syntax was imported")
	}
}

// A cell whose time is over is told as that, also where the end of its kernel is noticed
// before the runner itself has ended, as it is on a busy machine.
func TestTimeoutIsToldOnce(t *testing.T) {
	tools := realTools(t)
	whole := runner
	defer func() { runner = whole }()
	const start = `if __name__ == "__main__":`
	runner = bytes.Replace(whole, []byte(start), []byte("at_once = kill_kernel\n\n\ndef kill_kernel():\n    at_once()\n    time.sleep(5)\n\n\n"+start), 1)
	if bytes.Equal(runner, whole) {
		t.Fatal("the runner starts in another way")
	}
	file := codeNotebook(t, `"fmt"`, "for i := 0; ; i++ { if i < 0 { fmt.Println(i) } }")
	_, err := Notebook(t.Context(), tools, filepath.Join(t.TempDir(), "n.ipynb"), file, Options{Timeout: 2 * time.Second})
	if err == nil || !strings.Contains(err.Error(), "cell 2 (id cell-02) took longer than 2s") {
		t.Errorf("error %v", err)
	}
}

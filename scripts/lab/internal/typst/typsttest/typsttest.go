// Package typsttest finds the compiler of PDFs for tests.
package typsttest

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
)

// Compiler returns Typst on PATH, or that of the checkout's private environment. If there is
// none, the test is skipped, or fails in continuous integration.
func Compiler(t testing.TB) *typst.Compiler {
	t.Helper()
	if c := typst.Installed(t.Context()); c != nil {
		return c
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Find(wd)
	if err != nil {
		t.Fatal(err)
	}
	python := p.Lab("typst", "bin", "python")
	if runtime.GOOS == "windows" {
		python = p.Lab("typst", "Scripts", "python.exe")
	}
	if exec.Command(python, "-c", "import typst").Run() == nil {
		return typst.Python(python)
	}
	const why = "there is no Typst; go run ./scripts/lab reports installs it into .lab/typst"
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
	return nil
}

package command

import (
	"context"
	"fmt"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/key"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/printing"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/typst"
)

// newPrinter finds Typst on PATH, or installs it into .lab.
func (e *env) newPrinter(ctx context.Context) (*printing.Printer, error) {
	if c := typst.Installed(ctx); c != nil {
		return &printing.Printer{Compiler: c}, nil
	}
	python, err := setup.Typst(ctx, e.Project, setup.Options{Log: e.out})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w\nPDFs are made by Typst. The tool installs it into .lab, which needs Python 3.9 or newer and, the first time, a network; or install typst %s and add it to PATH. With --html, only pages are written", err, typst.Version)
	}
	return &printing.Printer{Compiler: typst.Python(python)}, nil
}

// printKey returns the key of the page and the PDF of a notebook, which are the same on every
// machine.
func (e *env) printKey(s export.Source) (string, error) {
	made, err := s.Key()
	if err != nil {
		return "", err
	}
	tool, err := e.keys().Packages(project.Module + "/scripts/lab/internal/printing")
	return key.Of(made, tool), err
}

package cellcode

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
)

// runLimit is the longest that one cell may take.
const runLimit = 2 * time.Minute

// A Score is what the check of a graded cell reported.
type Score struct {
	Title                 string
	Passed, Of, Unwritten int
	Failed                []string // what the failed cases say
}

// A Binary is a program that was built.
type Binary struct{ root, path, dir string }

// Build compiles the program into an empty folder of the caller's, with the packages of
// the checkout at root.
func (p *Program) Build(ctx context.Context, root, dir string) (*Binary, error) {
	b := &Binary{root: root, path: filepath.Join(dir, "cells"), dir: dir}
	files := []string{filepath.Join(dir, "main.go"), filepath.Join(dir, "harness.go")}
	if err := errors.Join(os.WriteFile(files[0], p.Main, 0o600), os.WriteFile(files[1], p.Harness, 0o600)); err != nil {
		return nil, err
	}
	// As the kernel builds cells, so that no package is compiled in two ways.
	cmd := process.Command(ctx, "go", append([]string{"build", "-ldflags=-s", "-tags=minimal", "-o", b.path}, files...)...)
	cmd.Dir = filepath.Join(root, "notebooks") // the module whose packages a cell imports
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED="+cmp.Or(os.Getenv("CGO_ENABLED"), "0"))
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && len(out) > 0:
		return nil, errors.New(inCells(withoutPackage(out)))
	case err != nil:
		return nil, err
	}
	return b, nil
}

// Run runs the body of a cell, numbered from 0, and returns the scores that its checks
// reported and what else it printed.
func (b *Binary) Run(ctx context.Context, cell int) (scores []Score, printed string, err error) {
	limited, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	cmd := process.Command(limited, b.path, strconv.Itoa(cell))
	cmd.Dir = b.root
	// The program is no part of a kernel's session, whoever started the tool.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GONB_") })
	cmd.Env = append(cmd.Env, "MLLABS_FIGURES="+filepath.Join(b.dir, "figures"))
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case limited.Err() != nil:
		return nil, "", fmt.Errorf("takes longer than %v", runLimit)
	}
	var rest []string
	for line := range bytes.Lines(out) {
		if score, ok := bytes.CutPrefix(line, []byte("\x1fscore ")); ok {
			var s Score
			if json.Unmarshal(score, &s) == nil {
				scores = append(scores, s)
				continue
			}
		}
		rest = append(rest, string(line))
	}
	return scores, inCells(strings.TrimSpace(strings.Join(rest, ""))), err
}

package bench

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/process"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

//go:embed cells.py
var cellsScript []byte

// CellTimes are the seconds that the kernel takes before a notebook's cells run: what
// a reader waits for, besides the work of the cell itself.
type CellTimes struct {
	Name    string
	Seconds []float64 // of the cells with a program, in order
	Failed  int       // cells that do not compile
}

// Median is the time of a warm cell; the first ones, which may have packages to
// compile, hardly move it.
func (c CellTimes) Median() float64 { return quantile(c.Seconds, 0.5) }

// quantile is the smallest value that at least the share p of all does not exceed;
// NaN of none.
func quantile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

// BareCells measures cells that print a number.
func BareCells(ctx context.Context, tools *setup.Tools) (CellTimes, error) {
	sources := []string{`import "fmt"`}
	for i := range 9 {
		sources = append(sources, fmt.Sprintf("%%%%\nfmt.Println(%d)", i))
	}
	return cellTimes(ctx, tools, "fmt alone", tools.Project.Path("notebooks"), sources)
}

// NotebookCells measures the cells of a notebook. Their programs are ended as soon as
// they have begun.
func NotebookCells(ctx context.Context, tools *setup.Tools, nb project.Notebook) (CellTimes, error) {
	parsed, err := notebook.Read(nb.Path)
	if err != nil {
		return CellTimes{}, err
	}
	var sources []string
	for _, c := range parsed.Cells {
		if c.Type == "code" {
			sources = append(sources, c.Source)
		}
	}
	return cellTimes(ctx, tools, nb.Name(), filepath.Dir(nb.Path), sources)
}

func cellTimes(ctx context.Context, tools *setup.Tools, name, folder string, sources []string) (CellTimes, error) {
	c := CellTimes{Name: name}
	dir, err := scratch.New("cells")
	if err != nil {
		return c, err
	}
	defer dir.Remove()
	script := filepath.Join(dir.Path, "cells.py")
	if err := os.WriteFile(script, cellsScript, 0o600); err != nil {
		return c, err
	}
	input, err := json.Marshal(sources)
	if err != nil {
		return c, err
	}
	mark := "MLLABS_RUN=" + dir.Path
	defer process.KillMarked(mark)
	cmd := process.Command(ctx, tools.Python, script, folder)
	cmd.Env = append(tools.Env(setup.DirRuns), "TMPDIR="+dir.Path, "MLLABS_FIGURES="+filepath.Join(dir.Path, "figures"), mark)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		return c, fmt.Errorf("%s: %w: %s", name, err, lines[len(lines)-1])
	}
	for answers := json.NewDecoder(&out); answers.More(); {
		var answer any
		if err := answers.Decode(&answer); err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		switch answer := answer.(type) {
		case float64:
			c.Seconds = append(c.Seconds, answer)
		case string:
			c.Failed++
		}
	}
	return c, nil
}

// Line is a row of the table under [CellsHeading]; bare are the cells to compare with.
func (c CellTimes) Line(bare CellTimes) string {
	line := fmt.Sprintf("%-32s %5d", c.Name, len(c.Seconds))
	if len(c.Seconds) > 0 {
		line += fmt.Sprintf(" %8.2f %8.2f %8.2f %10.1f", c.Median(), quantile(c.Seconds, 0.9), slices.Max(c.Seconds), c.Median()/bare.Median())
	}
	if c.Failed > 0 {
		line += fmt.Sprintf("  (%d did not compile)", c.Failed)
	}
	return line
}

// CellsHeading stands over the rows.
var CellsHeading = fmt.Sprintf("%-32s %5s %8s %8s %8s %10s", "seconds to compile a cell", "cells", "median", "90%", "longest", "x fmt")

//go:build !js

package cell

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

// A Shown is what the body of a cell has put out. Its outputs are whole only if the body has
// Ended.
type Shown struct {
	Outputs []*notebook.Output
	Ended   bool
}

// Show runs the bodies of cells, by number, one after the other in one process, and returns
// what each that was begun has put out, and under -1 what was put out before. The job adds to the
// program's environment and to what it may read, and holds its limits. A process that ends early
// is no error: the bodies that it did not come to are missing.
func (b *Binary) Show(ctx context.Context, runner sandbox.Runner, cells []int, job sandbox.Job) (map[int]*Shown, sandbox.Result, error) {
	word := rand.Text()
	job.Path = b.path
	job.Args = []string{"show", word}
	for _, c := range cells {
		job.Args = append(job.Args, strconv.Itoa(c))
	}
	job.Env = append(b.chain.environment(), job.Env...)
	r, err := runner.Run(ctx, job)
	if err != nil {
		return nil, r, err
	}
	return recorded(r.Output, word), r, nil
}

// recorded reads the output of a program that records what it displays: after a zero byte
// and the word, a line of JSON says which cell has begun or ended, or holds a display;
// everything else is printed text. A display takes the place of the earlier one with its ID.
func recorded(output []byte, word string) map[int]*Shown {
	shown := map[int]*Shown{}
	before := &Shown{} // what package variables and init functions put out
	current := before
	byID := map[string]*notebook.Output{}
	for i, part := range bytes.Split(output, []byte("\x00"+word)) {
		text := part
		if i > 0 {
			var line []byte
			line, text, _ = bytes.Cut(part, []byte("\n"))
			var r struct {
				Begun, Ended   *int
				Data, Metadata map[string]any
				ID             string
			}
			switch err := json.Unmarshal(line, &r); {
			case err != nil: // the process was killed while it wrote
			case r.Begun != nil:
				current = &Shown{}
				clear(byID)
				shown[*r.Begun] = current
			case r.Ended != nil:
				current.Ended = true
			default:
				o := &notebook.Output{Type: "display_data", Data: r.Data, Metadata: r.Metadata}
				if old := byID[r.ID]; r.ID != "" && old != nil {
					*old = *o
					break
				}
				byID[r.ID] = o
				current.Outputs = append(current.Outputs, o)
			}
		}
		if len(text) > 0 {
			current.Outputs = append(current.Outputs, &notebook.Output{Type: "stream", Name: "stdout", Text: strings.ToValidUTF8(string(text), "�")})
		}
	}
	if len(before.Outputs) > 0 {
		shown[-1] = before
	}
	return shown
}

// NeedsKernel says why the cells of a notebook cannot be run as one program, "" if they can: a
// cell is meant to fail, or asks the kernel for more than to compile and run Go, or declares
// again what an earlier cell has declared. The two lines with which notebooks
// began before the kernel knew the checkout ask for what a [Toolchain] does anyway.
func NeedsKernel(nb *notebook.Notebook) string {
	for i, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		if c.HasTag(notebook.TagRaises) {
			return fmt.Sprintf("cell %d is meant to fail", i+1)
		}
		for line := range strings.Lines(c.Source) {
			line = strings.TrimRight(line, "\r\n ")
			switch {
			case !strings.HasPrefix(line, "%") && !strings.HasPrefix(line, "!"):
			case line == "%%", line == "%main", line == "%noautoget", strings.HasPrefix(line, "!*rm -f go.work && go work init "):
			default:
				return fmt.Sprintf("cell %d has the line %s", i+1, line)
			}
		}
	}
	page := NewPage(ReadPage(nb), -1)
	for i := range nb.Cells {
		if again := page.declaredAgain(i); len(again) > 0 {
			return fmt.Sprintf("cell %d declares again what cell %d, or one above it, declares", again[0]+1, i+1)
		}
	}
	return ""
}

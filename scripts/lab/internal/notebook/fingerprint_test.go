package notebook

import (
	"errors"
	"testing"
)

func run2() *Notebook {
	nb := good()
	nb.Cells[0].Source = "# A title\n\nText."
	nb.Canonicalise()
	return nb
}

// What is a change of the cells or of their outputs, and what is none.
func TestStamp(t *testing.T) {
	last := func(nb *Notebook) *Cell { return nb.Cells[len(nb.Cells)-1] }
	two := 2
	for _, c := range []struct {
		name    string
		change  func(*Notebook)
		current bool
	}{
		{"nothing", func(*Notebook) {}, true},
		{"markdown", func(nb *Notebook) { nb.Cells[0].Source = "# Another" }, true},
		{"a new markdown cell", func(nb *Notebook) { nb.Cells = append(nb.Cells, &Cell{Type: "markdown", Source: "x"}) }, true},
		{"an empty code cell", func(nb *Notebook) { nb.Cells = append(nb.Cells, &Cell{Type: "code", Source: " \n"}) }, true},
		{"a tag", func(nb *Notebook) { last(nb).Metadata = map[string]any{"tags": []any{"x"}} }, true},
		{"counts", func(nb *Notebook) { last(nb).ExecutionCount = &two }, true},
		{"a line break at the end", func(nb *Notebook) { last(nb).Source += "\n" }, true},
		{"line ends of Windows", func(nb *Notebook) { last(nb).Source = "%%\r\nnbkit.Show(f, \"f\", \"alt\")" }, true},
		{"other metadata", func(nb *Notebook) { nb.Metadata["mllabs"].(map[string]any)["data"] = []any{"letter"} }, true},
		{"code", func(nb *Notebook) { last(nb).Source += " // x" }, false},
		{"a new code cell", func(nb *Notebook) { nb.Cells = append(nb.Cells, &Cell{Type: "code", Source: "x"}) }, false},
		{"a cell less", func(nb *Notebook) { nb.Cells = nb.Cells[:2] }, false},
		{"cells in another order", func(nb *Notebook) { nb.Cells[1], nb.Cells[2] = nb.Cells[2], nb.Cells[1] }, false},
		{"outputs cleared", func(nb *Notebook) { last(nb).Outputs = nil }, false},
		{"another output", func(nb *Notebook) { last(nb).Outputs[0].Data["text/plain"] = "other" }, false},
		{"an output moved", func(nb *Notebook) { nb.Cells[1].Outputs, last(nb).Outputs = last(nb).Outputs, nil }, false},
		{"another fingerprint", func(nb *Notebook) { nb.Metadata["mllabs"].(map[string]any)["fingerprint"] = "sha256:0" }, false},
	} {
		nb := run2()
		if err := nb.Stamp(); err != nil {
			t.Fatal(err)
		}
		// Through a file, as another call of the tool would see it.
		read := func(nb *Notebook) *Notebook {
			t.Helper()
			got, err := Parse(encoded(t, nb))
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		nb = read(nb)
		c.change(nb)
		if has, current := read(nb).Stamped(); !has || current != c.current {
			t.Errorf("%s: has a fingerprint %t, current %t", c.name, has, current)
		}
	}
}

func TestStampNeedsARun(t *testing.T) {
	if err := good().Stamp(); !errors.Is(err, ErrNotRun) {
		t.Errorf("error %v", err)
	}
	if has, current := run2().Stamped(); has || current {
		t.Error("stamped from the beginning")
	}
}

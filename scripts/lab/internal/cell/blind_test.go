//go:build !js

package cell

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
)

// What is left of a check. Oracle: written out by hand.
func TestBlind(t *testing.T) {
	for _, c := range []struct{ name, source, want, wrong string }{
		{"a case", "%%\nnbkit.Check(\"F\", nbkit.Call(\"name\", 7, F, 1, x))", "%%\nnbkit.Check(\"\", nbkit.Call(\"\", \"\", F, 1, x))", ""},
		{"with all that belongs to it", "%%\nnbkit.Check(\"F\",\n\tnbkit.Call(\"a\", []int{1}, F).Within(1e-3).\n\t\tWithHint(\"look\" + more),\n)", "%%\nnbkit.Check(\"\",\n\tnbkit.Call(\"\", \"\", F),\n)", ""},
		{"what was made for it", "%%\nwant := 7\na, b := 1, 2\nnbkit.Check(\"F\", nbkit.Call(\"a\", want, F, a), nbkit.Call(\"b\", b, F, a))",
			"%%\na := 1\nnbkit.Check(\"\", nbkit.Call(\"\", \"\", F, a), nbkit.Call(\"\", \"\", F, a))", ""},
		{"comments", "%%\n// it is 7\nnbkit.Check(\"F\", // why 7\n\tnbkit.Call(\"a\", /* 7 */ 7, F))", "%%\n\nnbkit.Check(\"\", \n\tnbkit.Call(\"\",  \"\", F))", ""},
		{"the top stays", "func g() int { return F() }\n%%\nnbkit.Check(\"F\", nbkit.Call(\"a\", 7, g))", "func g() int { return F() }\n%%\nnbkit.Check(\"\", nbkit.Call(\"\", \"\", g))", ""},
		{"a function on the spot", "%%\nnbkit.Check(\"F\", nbkit.Call(\"a\", 7, func() int {\n\treturn F(2)\n}))", "%%\nnbkit.Check(\"\", nbkit.Call(\"\", \"\", func() int {\n\treturn F(2)\n}))", ""},
		{"a case of another kind", "%%\n\nnbkit.Check(\"F\", nbkit.Case{Name: \"a\", Want: 7})", "", "line 3: a case that is no nbkit.Call"},
		{"a list of cases", "%%\nnbkit.Check(\"F\", cases...)", "", "line 2: a case that is no nbkit.Call"},
		{"a case made elsewhere", "func c() nbkit.Case { return nbkit.Call(\"a\", 7, F) }\n%%\nnbkit.Check(\"F\", c())", "", "outside of nbkit.Check"},
		{"no check", "%%\nF()", "", "nothing calls nbkit.Check"},
		{"no body", "func F() {}", "", "no body"},
	} {
		got, err := Blind(c.source)
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
		case c.wrong == "" && (err != nil || got != c.want):
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// Every check of the notebooks can be asked for answers alone.
func TestBlindNotebooks(t *testing.T) {
	all, err := project.Project{Root: root}.Notebooks()
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	for _, file := range all {
		nb, err := notebook.Read(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range nb.Cells {
			if _, graded := c.Points(); !graded || c.Type != "code" {
				continue
			}
			checks++
			if _, err := Blind(c.Source); err != nil {
				t.Errorf("%s, cell %s: %v", file.Name(), c.ID, err)
			}
		}
	}
	if checks < 200 {
		t.Errorf("only %d checks were found", checks)
	}
}

// The file of a program that answers holds nothing of what cases expect, nor, when it is sealed, of
// what they call with: whatever an answer does to its own process, it finds nothing there. The same
// program with its check holds all, which shows that the search would find it.
func TestBlindProgramKnowsNothing(t *testing.T) {
	nb := cells("import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\nfunc Twice(x float64) float64 { return 2 * x }",
		"%%\nnbkit.Check(\"Title of the secret\", nbkit.Call(\"name of the secret\", 246913.578024, Twice, 123456.789012).Within(0.000912345).WithHint(\"hint of the secret\"))")
	nb.Cells[1].Metadata = map[string]any{"nbgrader": map[string]any{"points": json.Number("2")}}
	number := func(x float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)) }
	secrets := [][]byte{[]byte("of the secret"), number(246913.578024), number(0.000912345)}
	input := number(123456.789012)
	var given []string
	for _, c := range []struct {
		how                       string
		step                      func() error
		knowsExpected, knowsInput bool
	}{
		{"whole", func() error { return nil }, true, true},
		{"blind", func() (err error) {
			nb.Cells[1].Source, err = Blind(nb.Cells[1].Source)
			return err
		}, false, true},
		{"sealed", func() error {
			p, err := Compose(nb)
			if err != nil {
				return err
			}
			chain, err := Prepare(context.Background(), root, p.Imports())
			if err != nil {
				return err
			}
			sealer, err := chain.Sealer(context.Background(), p)
			if err != nil {
				return err
			}
			nb.Cells[1].Source, given, err = sealer.Seal(1, nb.Cells[1].Source)
			return err
		}, false, false},
	} {
		if err := c.step(); err != nil {
			t.Fatalf("%s: %v", c.how, err)
		}
		b, err := build(t, nb)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(b.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if bytes.Contains(file, s) != c.knowsExpected {
				t.Errorf("%s: %q stands in the program: %v", c.how, s, !c.knowsExpected)
			}
		}
		if bytes.Contains(file, input) != c.knowsInput {
			t.Errorf("%s: what the case calls with stands in the program: %v", c.how, !c.knowsInput)
		}
		o, err := b.Run(context.Background(), runner, 1, CheckTime(1), given...)
		if err != nil || len(o.Checks) != 1 || len(o.Checks[0].Answers) != 1 || math.Float64frombits(o.Checks[0].Answers[0].Value.Bits) != 2*123456.789012 {
			t.Errorf("%s: %+v, %v", c.how, o, err)
		}
		if slices.ContainsFunc(secrets, func(s []byte) bool { return bytes.Contains(o.Result.Report, s) }) != c.knowsExpected {
			t.Errorf("%s: the report is %s", c.how, o.Result.Report)
		}
	}
}

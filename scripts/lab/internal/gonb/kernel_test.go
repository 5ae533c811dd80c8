//go:build unix

package gonb_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

//go:embed testdata/client.py
var client string

// A step is cells that are run together, until they end or until an output has the text of Interrupt.
type step struct {
	Run       []string `json:"run"`
	Stop      bool     `json:"stop"` // at an error
	Interrupt string   `json:"interrupt,omitempty"`
}

// An outcome is what came of a cell.
type outcome struct {
	Status   string      `json:"status"`
	Outputs  [][2]string `json:"outputs"` // stream, "display" or "error", and text
	Messages int         `json:"messages"`
	Name     string      `json:"name"`
	Value    string      `json:"value"`
}

// String shows the outcome in a line, with texts as they are.
func (o outcome) String() string {
	words := []string{o.Status}
	for _, out := range o.Outputs {
		words = append(words, out[0]+":"+strings.ReplaceAll(strings.TrimSuffix(out[1], "\n"), "\n", "|"))
	}
	return strings.Join(words, " ")
}

// tools are those of this checkout. Where they have not been set up the test is skipped, but not with
// CI set.
func tools(t *testing.T) *setup.Tools {
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
	tools, err := setup.Run(t.Context(), p, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// run runs steps in one kernel and returns their outcomes, with the most memory that the kernel had, in
// bytes, 0 if the system does not say.
func run(t *testing.T, tools *setup.Tools, steps []step) (outcomes [][]outcome, peak int) {
	t.Helper()
	in, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tools.Python, "-c", client)
	cmd.Dir, cmd.Stdin = t.TempDir(), bytes.NewReader(in)
	cmd.Env = append(tools.Env(setup.DirPeople), "TMPDIR="+t.TempDir(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var got struct {
		Steps [][]outcome
		Peak  int
	}
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return got.Steps, got.Peak
}

// What students of other kernels take for granted, through Jupyter's own client. Each line of want
// stands for a cell: its status and outputs in their order, as a regular expression.
func TestKernelLikeOthers(t *testing.T) {
	tools := tools(t)
	for _, c := range []struct {
		what  string
		steps []step
		want  []string
	}{
		{"an error ends the queue", []step{
			{Run: []string{"%%\nfmt.Println(wrong)", "%%\nfmt.Println(2)"}, Stop: true},
			{Run: []string{"%%\nfmt.Println(wrong)", "%%\nfmt.Println(2)"}},
		}, []string{`error .*`, `aborted`, `error .*`, `ok stdout:2`}},
		{"an interrupt ends the queue", []step{
			{Run: []string{"%%\nfmt.Println(\"begun\")\nfor {}", "%%\nfmt.Println(2)", "%%\nfor {}"}, Interrupt: "begun"},
			{Run: []string{"%%\nfmt.Println(4)"}},
		}, []string{`error stdout:begun .*`, `aborted`, `aborted`, `ok stdout:4`}},
		{"cells that were merged", []step{
			{Run: []string{"func f() int { return 1 }\n\n%%\nfmt.Println(f())\n%%\nfmt.Println(2)", "%%\nfmt.Println(f())"}},
		}, []string{`ok stdout:1\|2`, `ok stdout:1`}},
		{"text and displays in their order", []step{
			{Run: []string{"import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\n%%\nfor i := range 3 {\n\tfmt.Println(\"before\", i)\n\tnbkit.Check(fmt.Sprint(i), nbkit.Call(\"\", 1, func() int { return 1 }))\n\tfmt.Println(\"after\", i)\n}"}},
		}, []string{`ok stdout:before 0 display:.* stdout:after 0\|before 1 display:.* stdout:after 1\|before 2 display:.* stdout:after 2`}},
		{"a declaration that fails is not kept", []step{
			{Run: []string{
				"func f() int { return 5 }\n\nvar x = []int{}[f()]", "%%\nfmt.Println(1)",
				"import \"os\"\n\nvar x = func() int { os.Exit(0); return 1 }()\n\n%%\nfmt.Println(x)", "%%\nfmt.Println(2)",
			}},
			{Run: []string{"var x = func() int { fmt.Println(\"begun\"); for {} }()\n\n%%\nfmt.Println(x)"}, Interrupt: "begun"},
			{Run: []string{"func g() int { return 5 }\n\n%%\nfmt.Println([]int{}[g()])", "%%\nfmt.Println(g())"}},
			// One that did not fail when it was declared.
			{Run: []string{"import \"os\"\n\nvar y = func() int { if _, err := os.Stat(\"stop\"); err == nil { panic(err) }; return 1 }()", "!touch stop", "%%\nfmt.Println(3)", "!rm stop", "%%\nfmt.Println(y)"}},
		}, []string{
			`error error:panic: .*the declarations of this cell are not kept\.`, `ok stdout:1`,
			`error error:A package variable .*the declarations of this cell are not kept\.`, `ok stdout:2`,
			`error stdout:begun .*interrupt.*the declarations of this cell are not kept\.`,
			`error .*`, `ok stdout:5`,
			`ok`, `ok`, `error .*an earlier cell did not come to its end\..*`, `ok`, `ok stdout:1`,
		}},
		{"a cell that only declares runs nothing", []step{
			{Run: []string{
				"var x = func() int { fmt.Println(\"made\"); return 1 }()", "func f() int { return x }", "func f() int { return 1.5 }",
				"var x = func() int { fmt.Println(\"made\"); return 1 }()", "%%\nfmt.Println(f())",
			}},
		}, []string{`ok stdout:made`, `ok`, `error .*1\.5.*`, `ok stdout:made`, `ok stdout:made\|1`}},
		{"an error is shown once, as text", []step{
			{Run: []string{
				"%%\nx := wrong\nfmt.Println(x)", "fmt.Println(1)", "func f(xs []int) int {\n\treturn xs[len(xs)]\n}\n\n%%\nfmt.Println(f(nil))",
				"import \"os\"\n\n%%\nfmt.Println(1)\nos.Exit(3)", "import \"strings\"\n\n%%\nfmt.Println(strings.Repeat(\"a\", -1))",
			}},
			{Run: []string{"%%\nfmt.Println(\"begun\")\nfor {}"}, Interrupt: "begun"},
		}, []string{
			`error error:Cell\[2\]: Line 2\|    x := wrong\|         \^\|undefined: wrong`,
			`error error:Cell\[3\]: Line 1\|    fmt\.Println\(1\)\|    \^\|expected declaration, found fmt\|Statements belong below a line with %%, so write %% above the first of them\.`,
			`error error:panic: runtime error: index out of range \[0\] with length 0\|Cell\[4\]: Line 2, in f\|    return xs\[len\(xs\)\]\|Cell\[4\]: Line 6\|    fmt\.Println\(f\(nil\)\)`,
			`error stdout:1 error:exit status 3: the program ended itself, for instance with os\.Exit or log\.Fatal`,
			`error error:panic: strings: negative Repeat count\|Cell\[6\]: Line 4\|.*\|Functions of packages:\|    strings\.Repeat  \S+:\d+`,
			`error stdout:begun error:interrupted \(signal: interrupt\)`,
		}},
		// In a folder outside of the checkout. The first cell of a notebook for an older kernel changes nothing.
		{"the checkout is known", []step{
			{Run: []string{
				"import (\n\t\"github.com/mllabs-go/mllabs/datasets\"\n\t\"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n)\n\n%%\nfmt.Println(nbkit.Must(datasets.LoadDataset(\"iris\")).Len())",
				"%noautoget\n!*rm -f go.work && go work init . \"$(dirname \"$(go -C \"${MLLABS_ROOT:-$GONB_DIR}\" env GOWORK)\")/notebooks\"",
				"%%\nfmt.Println(nbkit.Must(datasets.LoadDataset(\"iris\")).Len())", "import \"example.com/nowhere\"\n\n%%\nnowhere.F()",
			}},
		}, []string{`ok stdout:150`, `ok`, `ok stdout:150`, `error .*no required module provides package example\.com/nowhere.*`}},
		{"ends and input say what they do", []step{
			{Run: []string{
				"import \"os\"\n\n%%\nfmt.Println(1)\nos.Exit(0)\nfmt.Println(2)", "%%\nif len(os.Args) > 0 { return }",
				"%%\nvar s string\nfmt.Print(\"Name? \")\nfmt.Scan(&s)\nfmt.Println(s)",
				"import \"os/exec\"\n\n%%\ncmd := exec.Command(\"sleep\", \"5\")\ncmd.Stdout = os.Stdout\nfmt.Println(cmd.Start())",
			}},
		}, []string{
			`ok stdout:1 stderr:The program ended before the end of the cell.*os\.Exit\(0\).*`, `ok`, `ok stdout:Name\? typed`,
			`ok stdout:<nil> stderr:.*goes on in the background.*`,
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			steps := append([]step{{Run: []string{"import \"fmt\""}}}, c.steps...)
			outcomes, _ := run(t, tools, steps)
			var got []outcome
			for _, cells := range outcomes[1:] {
				got = append(got, cells...)
			}
			if len(got) != len(c.want) {
				t.Fatalf("%d cells, want %d", len(got), len(c.want))
			}
			for i, want := range c.want {
				if line := got[i].String(); !regexp.MustCompile("^(?:" + want + ")$").MatchString(line) {
					t.Errorf("cell %d: %s\nwant %s", i+1, line, want)
				}
			}
		})
	}
}

// A cell shows a million characters, in few messages, and says how much there was; the kernel keeps
// nothing.
func TestMuchOutput(t *testing.T) {
	tools := tools(t)
	const lines = 100_000
	print := fmt.Sprintf("%%%%\nfor i := range %d { fmt.Println(\"line\", i, \"of a loop that prints\") }", lines)
	endless := "%%\nfor i := 0; ; i++ { fmt.Println(i) }"
	outcomes, peak := run(t, tools, []step{
		{Run: []string{"import \"fmt\""}},
		{Run: []string{"%%\nfor i := range 20_000 { fmt.Println(i) }", print}},
		{Run: []string{endless}, Interrupt: "more than 1 MB"},
		{Run: []string{"%%\nfmt.Println(1)"}},
	})
	all, most := outcomes[1][0], outcomes[1][1]
	if text := all.Outputs[0][1]; len(all.Outputs) != 1 || strings.Count(text, "\n") != 20_000 || !strings.HasSuffix(text, "\n19999\n") {
		t.Errorf("20,000 lines: %d outputs, %d lines", len(all.Outputs), strings.Count(text, "\n"))
	}
	if most.Messages > lines/100 {
		t.Errorf("%d lines came in %d messages", lines, most.Messages)
	}
	if len(most.Outputs) != 2 || len(most.Outputs[0][1]) != 1<<20 || !regexp.MustCompile(`This cell printed 3\.1 MB\. What is not shown is in /\S+/output-\d+\.txt, until the kernel ends\.`).MatchString(most.Outputs[1][1]) {
		t.Errorf("%d lines: %d outputs, the first has %d characters, the last is %q", lines, len(most.Outputs), len(most.Outputs[0][1]), most.Outputs[len(most.Outputs)-1][1])
	}
	if cell := outcomes[2][0]; cell.Status != "error" || len(cell.Outputs[0][1]) != 1<<20 {
		t.Errorf("an endless loop: status %s, %d characters", cell.Status, len(cell.Outputs[0][1]))
	}
	if got := outcomes[3][0].String(); got != "ok stdout:1" {
		t.Errorf("afterwards: %s", got)
	}
	if peak > 100<<20 {
		t.Errorf("the kernel took %d MB", peak>>20)
	}
}

package browser

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What an editor completes and explains. The packages are made up; the oracle is what Go
// would allow at the place, which | marks.
func TestCompletion(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if inCI() {
			t.Fatal(err)
		}
		t.Skip("needs Node (Debian: apt-get install nodejs)")
	}
	type question struct {
		Text     string   `json:"text"`
		Others   []string `json:"others"` // the cells above
		Complete string   `json:"complete"`
		Explain  string   `json:"explain"`
	}
	const none = "none"
	questions := []question{
		{Text: "math.|", Complete: "Pi Sqrt", Explain: none},
		{Text: "math.Sq|", Complete: "Pi Sqrt", Explain: none}, // the editor sifts by what was begun
		{Text: "x := math.Sq|rt(2)", Explain: "func Sqrt(x float64) float64: Sqrt is the square root."},
		{Text: "x := math|.Sqrt(2)", Explain: "package math // math: Package math has functions."},
		{Text: "m := mat.NewDense(2, 2, nil)\nm.|", Complete: "At T"},
		{Text: "m.|", Others: []string{"var m = mat.NewDense(2, 2, nil)"}, Complete: "At T"},
		{Text: "m.|", Others: []string{"func f(m *mat.Dense, k int) {"}, Complete: "At T"},
		{Text: "func f(m, n *mat.Dense) {\n\tm.|", Complete: "At T"},
		{Text: "c := mat.Config{Depth: 2}\nc.|", Complete: "Depth Fit"},
		{Text: "m, err := mat.Config{Depth: 2}.Fit(ds)\nm.|", Complete: "At T"},
		{Text: "m := nbkit.Must(mat.Config{Depth: 2}.Fit(ds))\nm.A|t(1, 2)", Explain: "func (m *Dense) At(i, j int) float64: At is an element."},
		{Text: "unknown.|", Complete: none, Explain: none},
		{Text: "1.|", Complete: none, Explain: none},
		{Text: "f().|", Complete: none, Explain: none},
		{Text: "s := \"math.|", Complete: none},
		{Text: "s := \"a\" + math.|", Complete: "Pi Sqrt"},
		{Text: "math := mat.NewDense(1, 1, nil)\nmath.|", Complete: "At T"}, // a variable hides the package
		{Text: "Dis|", Others: []string{"// Distances are those from q.\nfunc Distances(X *mat.Dense, q []float64) []float64 {\n}"}, Complete: "+Distances"},
		{Text: "y := Dist|ances(X, q)", Others: []string{"// Distances are those\n// from q.\nfunc Distances(X *mat.Dense, q []float64) []float64 {\n}"}, Explain: "func Distances(X *mat.Dense, q []float64) []float64: Distances are those\nfrom q."},
		{Text: "nearest := 1\nnea|", Complete: "+nearest"},
		{Text: "ma|", Complete: "+mat +math +map +make"},
		{Text: "|", Explain: none},
		{Text: "a $^ ( [|", Explain: none},
	}
	ask, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs("web/names.js")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`import { readFileSync } from "node:fs";
const { Names } = await import("data:text/javascript," + encodeURIComponent(readFileSync(%q, "utf8")));
const packages = [
	{ path: "math", name: "math", doc: "Package math has functions.", names: [{ name: "Pi", kind: "const", sig: "const Pi" }, { name: "Sqrt", kind: "func", sig: "func Sqrt(x float64) float64", doc: "Sqrt is the square root." }] },
	{ path: "fake/mat", name: "mat", doc: "", names: [
		{ name: "NewDense", kind: "func", sig: "func NewDense(r, c int, data []float64) *Dense", type: "mat.Dense" }, { name: "Dense", kind: "type", sig: "type Dense struct", type: "mat.Dense" },
		{ name: "At", kind: "method", of: "Dense", sig: "func (m *Dense) At(i, j int) float64", doc: "At is an element." }, { name: "T", kind: "method", of: "Dense", sig: "func (m *Dense) T() Matrix", type: "mat.Matrix" },
		{ name: "Config", kind: "type", sig: "type Config struct", type: "mat.Config" }, { name: "Depth", kind: "field", of: "Config", sig: "Depth int" }, { name: "Fit", kind: "method", of: "Config", sig: "func (c Config) Fit(ds) (*Dense, error)", type: "mat.Dense" },
	] },
];
console.log(JSON.stringify(%s.map(({ text, others }) => {
	const at = text.indexOf("|"), whole = text.replace("|", ""), names = new Names(packages, () => others ?? []);
	const c = names.complete(whole.slice(0, at)), d = names.describe(whole, at);
	return { complete: c ? c.options.map((o) => o.label) : ["none"], explain: d ? d.sig + (d.doc ? ": " + d.doc : "") : "none" };
})));`, module, ask)
	cmd := exec.Command(node, "--input-type=module", "-")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var answers []struct {
		Complete []string
		Explain  string
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, q := range questions {
		got := strings.Join(answers[i].Complete, " ")
		for _, want := range strings.Fields(q.Complete) {
			if name, among := strings.CutPrefix(want, "+"); among && !strings.Contains(" "+got+" ", " "+name+" ") {
				t.Errorf("%q is completed by %s, without %s", q.Text, got, name)
			} else if !among && got != q.Complete {
				t.Errorf("%q is completed by %s, want %s", q.Text, got, q.Complete)
			}
		}
		if q.Explain != "" && answers[i].Explain != q.Explain {
			t.Errorf("%q is explained by %q, want %q", q.Text, answers[i].Explain, q.Explain)
		}
	}
}

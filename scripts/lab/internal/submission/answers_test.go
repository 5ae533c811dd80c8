package submission

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/exercise"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

const (
	rate = "func Rate(predicted, y []int) float64 { return 1 }"
	mean = "type Rates []float64\n\nfunc (r Rates) Mean() float64 { return 2 }"
	stub = "func Rate(predicted, y []int) float64 {\n\tpanic(nbkit.NotImplemented(\"Rate\"))\n}"
)

// Oracle: the cells are written so that it is plain which of them answers.
func TestAnswers(t *testing.T) {
	worked, err := notebook.Read("../exercise/testdata/rates.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	exercises, problems := exercise.Find(worked)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	worked.Cells = append(worked.Cells, &notebook.Cell{Type: "code", ID: "given", Source: "var folds = 3"})
	course := NewCourse(worked, exercises, nil)
	for _, tc := range []struct {
		name  string
		cells string // "id: source", parted by lines of ---; a ! before the id makes it markdown
		want  string
		notes string // in the notes
	}{
		{"by id", "rate: " + rate + "\n---\nmean: " + mean, "rate=" + rate + " mean=" + mean, ""},
		{"of an edition that began with lines for the kernel", "setup: %noautoget\n!*rm -f go.work && go work init .\n---\nrate: " + rate + "\n---\nmean: " + mean, "rate=" + rate + " mean=" + mean, ""},
		{"reordered", "mean: " + mean + "\n---\nrate: " + rate, "rate=" + rate + " mean=" + mean, ""},
		{"by name, ids lost", ": " + rate + "\n---\n: " + mean, "rate=" + rate + " mean=" + mean, ""},
		{"by name, in another cell, stub left", "rate: " + stub + "\n---\nx1: " + rate, "rate=" + rate, "exercise 2"},
		{"stub after the answer", "x1: " + rate + "\n---\nrate: " + stub, "rate=" + rate, ""},
		{"answered twice", "rate: func Rate() {}\n---\nx1: " + rate, "rate=" + rate, "answered 2 times"},
		{"no Go", "rate: func Rate( {", "rate=func Rate( {", ""},
		{"nothing", "", "", "exercise 1"},
		{"an answer in markdown", "!rate: " + rate, "", "exercise 1"},
		{"a helper in a cell of its own", "rate: " + rate + "\n---\nx1: import \"slices\"\n\n// why\nfunc helper() int { return 3 }\n%%\nos.Exit(0)",
			"rate=" + rate + " +import \"slices\"\n\nfunc helper() int { return 3 }", ""},
		{"a helper in a given cell, which is changed", "rate: " + rate + "\n---\nmean-check: func meanOf(r Rates) float64 { return 9 }\nfunc helper() {}",
			"rate=" + rate + " +func meanOf(r Rates) float64 { return 9 } +func helper() {}", ""},
		{"two helpers of a name", "x1: func helper() int { return 1 }\n---\nx2: func helper() int { return 2 }\n---\nx3: func other() {}",
			" +func helper() int { return 2 } +func other() {}", ""},
		{"init and what is called nothing", "x1: func init() { panic(1) }\nvar _ = 1\nvar a = 1", " +var _ = 1 +var a = 1", ""},
		{"a draft, and a stub that was made a comment", "x1: func Rate() {}\n---\nrate: // panic(nbkit.NotImplemented(\"Rate\"))\n" + rate,
			"rate=// panic(nbkit.NotImplemented(\"Rate\"))\n" + rate, "answered 2 times"},
		{"a helper beside one that is of no use", "x1: import (\n\t\"time\"\n)\nfunc helper() {}\n\nfunc now() { time.Now() }",
			" +import (\n\t\"time\"\n)\n\nfunc helper() {} +import (\n\t\"time\"\n)\n\nfunc now() { time.Now() }", ""},
		{"a helper in a group with a given name", "x1: var (\n\tfolds = 1\n\thelper = 2\n)", " +var (\n\tfolds = 1\n\thelper = 2\n)", ""},
		{"a given name", "x1: var folds = 1", "", ""},
		{"what an exercise asks for, in two cells", "x1: type Rates []float64\n---\nmean: func (r Rates) Mean() float64 { return 2 }",
			"mean=func (r Rates) Mean() float64 { return 2 } +type Rates []float64", ""},
		{"larger than a cell may be", "x1: func helper() {}\n//" + strings.Repeat("x", 1<<16), "", ""},
	} {
		handed := &notebook.Notebook{}
		for part := range strings.SplitSeq(tc.cells, "\n---\n") {
			id, source, _ := strings.Cut(part, ": ")
			cell := &notebook.Cell{Type: "code", ID: id, Source: source}
			if md, ok := strings.CutPrefix(id, "!"); ok {
				cell.Type, cell.ID = "markdown", md
			}
			handed.Cells = append(handed.Cells, cell)
		}
		a := course.Answers(handed)
		var got []string
		for _, id := range []string{"rate", "mean"} {
			if s, ok := a.ByID[id]; ok {
				got = append(got, id+"="+s)
			}
		}
		text := strings.Join(got, " ")
		for _, x := range a.Extra {
			text += " +" + x
		}
		if text != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, text, tc.want)
		}
		if notes := fmt.Sprint(a.Notes); !strings.Contains(notes, tc.notes) {
			t.Errorf("%s: notes %s, want %q in them", tc.name, notes, tc.notes)
		}
	}
}

// What is handed in may be any text at all.
func FuzzAnswers(f *testing.F) {
	worked, err := notebook.Read("../exercise/testdata/rates.ipynb")
	if err != nil {
		f.Fatal(err)
	}
	exercises, _ := exercise.Find(worked)
	course := NewCourse(worked, exercises, nil)
	f.Add(rate)
	f.Add("import \"x\"\nvar a, b = 1, 2\n%%\nfor {}")
	f.Add("func (r Rates) Mean() {}\n//line x:1\nfunc (r *Rates[int]) X() {}")
	f.Fuzz(func(t *testing.T, source string) {
		a := course.Answers(&notebook.Notebook{Cells: []*notebook.Cell{{Type: "code", ID: "rate", Source: source}, {Type: "code", ID: "x", Source: source}}})
		if _, ok := a.ByID["rate"]; !ok {
			t.Errorf("a cell with the id was lost: %q", source)
		}
	})
}

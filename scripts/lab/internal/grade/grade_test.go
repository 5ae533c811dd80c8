package grade

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/sandbox"
)

const root = "../../../.." // the checkout that programs are compiled in

// neighbours is the grader of testdata/neighbours.ipynb, which is the code of lab3/01 on
// the day when the marks below were read off its cases: Distances (2 points, which NearestRows uses),
// NearestRows (3, which NearestNeighboursPredict uses), NearestNeighboursPredict (5) and
// Standardise (3).
var neighbours = sync.OnceValues(func() (*Grader, error) {
	nb, err := notebook.Read("testdata/neighbours.ipynb")
	if err != nil {
		return nil, err
	}
	runner, err := sandbox.Find(context.Background())
	if err != nil {
		if os.Getenv("CI") != "" {
			return nil, err
		}
		runner = sandbox.Unsafe() // the marks are the same
	}
	return New(context.Background(), counting{runner}, root, nb, nil)
})

// counting counts the runs that compute for seconds, as those do that never end: the others
// take milliseconds of a processor on any machine.
type counting struct{ sandbox.Runner }

var (
	long  atomic.Int32
	ended sync.Map // how the last of them ended, by number
)

func (c counting) Run(ctx context.Context, job sandbox.Job) (sandbox.Result, error) {
	res, err := c.Runner.Run(ctx, job)
	if res.CPU > 5*time.Second {
		ended.Store(long.Add(1), fmt.Sprint(res.Ended, " ", res.Signal, " ", res.Code, " after ", res.CPU, " of ", job.Limits.CPU, ", ", res.Wall, " by the clock"))
	}
	return res, err
}

// Right answers, written otherwise than the worked ones.
const (
	distances = `func Distances(X *mat.Dense, q []float64) []float64 {
	n, d := X.Dims()
	out := make([]float64, 0, n)
	for i := 0; i < n; i++ {
		sum := 0.0
		for j := 0; j < d; j++ {
			sum += math.Pow(X.At(i, j)-q[j], 2)
		}
		out = append(out, math.Sqrt(sum))
	}
	return out
}`
	nearest = `func NearestRows(X *mat.Dense, q []float64, k int) []int {
	d := Distances(X, q)
	rows := make([]int, len(d))
	for i := range rows {
		rows[i] = i
	}
	sort.SliceStable(rows, func(a, b int) bool { return d[rows[a]] < d[rows[b]] })
	if k > len(rows) {
		k = len(rows)
	}
	return rows[:k]
}`
	predict = `func NearestNeighboursPredict(trainX *mat.Dense, trainY []int, testX *mat.Dense, neighbours int) []int {
	n, _ := testX.Dims()
	var all []int
	for i := 0; i < n; i++ {
		labels := []int{}
		for _, r := range NearestRows(trainX, testX.RawRowView(i), neighbours) {
			labels = append(labels, trainY[r])
		}
		all = append(all, lab3.Vote(labels, nil))
	}
	return all
}`
	standardise = `func Standardise(train, X *mat.Dense) *mat.Dense {
	var z mat.Dense
	z.Apply(func(i, j int, v float64) float64 {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, train), nil)
		return (v - mean) / sd
	}, X)
	return &z
}`
)

func perfect() map[string]string {
	return map[string]string{"distances": distances, "nearest-rows": nearest, "predict": predict, "standardise": standardise}
}

// with is perfect answers with some replaced.
func with(pairs ...string) map[string]string {
	m := perfect()
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// instead is an answer with another body.
func instead(id, body string) string {
	head, _, _ := strings.Cut(perfect()[id], "\n")
	return head + " " + body + "\n}"
}

func TestGrade(t *testing.T) {
	g, err := neighbours()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		byID   map[string]string
		extra  []string
		points string // of each exercise
		states string
		says   string // in some Why or error
	}{
		{name: "perfect", byID: perfect(), points: "2 3 5 3"},
		{name: "half", byID: map[string]string{"distances": distances, "nearest-rows": strings.Replace(nearest, "<", ">", 1)}, points: "2 0 0 0"},
		{name: "some cases", byID: with("nearest-rows", strings.Replace(nearest, "sort.SliceStable(rows, func(a, b int) bool { return d[rows[a]] < d[rows[b]] })", "sort.SliceStable(rows, func(a, b int) bool { return d[rows[a]]-float64(rows[a])/100 < d[rows[b]]-float64(rows[b])/100 })", 1)), points: "2 1.5 5 3"},
		{name: "the worst answer does not spoil the others", byID: with("distances", strings.Replace(distances, "math.Sqrt(sum)", "sum", 1)), points: "0 3 5 3"},
		{name: "the first does not compile", byID: with("distances", strings.Replace(distances, "sum := 0.0", "summ := 0.0", 1)), points: "0 3 5 3",
			states: "does not compile, scored, scored, scored", says: "line 5 of your cell: declared and not used: summ"},
		{name: "the first is no Go", byID: with("distances", "func Distances( {"), points: "0 3 5 3", says: "line 1 of your cell: expected"},
		{name: "none is Go", byID: map[string]string{"distances": "x", "nearest-rows": "(", "predict": "\x00", "standardise": "`"}, points: "0 0 0 0",
			states: "does not compile, does not compile, does not compile, does not compile"},
		{name: "panic", byID: with("distances", instead("distances", `panic("oh")`)), points: "0 3 5 3", states: "scored, scored, scored, scored", says: "panic: oh, in Distances, line 1 of its cell"},
		{name: "panic in a variable", byID: with("distances", distances+"\nvar x = func() int { panic(\"oh\") }()"), points: "0 3 5 3",
			states: "stopped, scored, scored, scored", says: "The program ended outside the cases of the check, by a panic."},
		{name: "panic in init", byID: with("standardise", standardise+"\nfunc init() { panic(1) }"), points: "2 3 5 0", states: "scored, scored, scored, stopped"},
		{name: "panic in the kernel's init", byID: with("standardise", standardise+"\nfunc init_x() { panic(1) }"), points: "2 3 5 0", states: "scored, scored, scored, stopped"},
		{name: "os.Exit in init", byID: with("distances", distances+"\nfunc init_x() { os.Exit(0) }"), points: "0 3 5 3",
			states: "not allowed, scored, scored, scored", says: "line 13 of your cell: package os is not allowed in an answer"},
		{name: "syscall.Exec", byID: with("predict", "import \"syscall\"\n"+predict+"\nvar _ = syscall.Exec(\"/bin/true\", nil, nil)"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "what is imported and not used does not matter", byID: with("predict", "import (\n\t\"os\"\n\tu \"unsafe\"\n)\n"+predict), points: "2 3 5 3"},
		{name: "a blank import", byID: with("predict", "import _ \"net/http/pprof\"\n"+predict), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "under another name", byID: with("predict", "import floats \"os\"\n"+predict+"\nfunc exit() { floats.Exit(0) }"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "a dot import", byID: with("predict", "import . \"os\"\n"+predict+"\nfunc exit() { Exit(0) }"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "a dot import that is allowed", byID: with("distances", "import . \"math\"\n"+strings.ReplaceAll(distances, "math.", "")), points: "2 3 5 3"},
		{name: "an import of its own", byID: with("distances", "import m \"math\"\n"+strings.ReplaceAll(distances, "math.", "m.")), points: "2 3 5 3"},
		{name: "a package of the course that the notebook imports", byID: with("standardise", standardise+"\nvar vote = lab3.Vote"), points: "2 3 5 3"},
		{name: "a package of the library that has the answer", byID: with("standardise", standardise+"\nvar config neighbors.Config"), points: "2 3 5 0", states: "scored, scored, scored, not allowed"},
		{name: "what the course makes of the library", byID: with("predict", predict+"\nvar tree = lab3.FromModel"), points: "2 3 0 3",
			states: "scored, scored, not allowed, scored", says: "lab3.FromModel is not allowed in an answer"},
		{name: "the clock and the log", byID: with("distances", strings.Replace(distances, "{\n", "{\n\tdefer log.Println(time.Now())\n", 1)), points: "2 3 5 3"},
		{name: "another name for a type", byID: with("predict", predict+"\ntype N = Neighbour\nfunc (N) Is(error) bool { return true }"), points: "2 3 5 3"},
		{name: "the solutions", byID: with("predict", "import \"github.com/mllabs-go/mllabs/notebooks/lab3/solutions\"\n"+predict+"\nvar _ = solutions.X"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "a local variable called os", byID: with("distances", strings.Replace(distances, "sum := 0.0", "os := struct{ Exit int }{1}\n\t\tsum := 0.0 * float64(os.Exit)", 1)), points: "2 3 5 3"},
		{name: "linkname", byID: with("predict", "import _ \"unsafe\"\n//go:linkname exit os.Exit\nfunc exit(int)\n"+predict), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "linkname without its import", byID: with("predict", "//go:linkname exit os.Exit\nfunc exit(int)\n"+predict+"\nvar _ = func() int { exit(0); return 0 }()"), points: "2 3 0 3", says: "missing function body"},
		{name: "unsafe", byID: with("predict", predict+"\nvar p = unsafe.Pointer(nil)"), points: "2 3 0 3", states: "scored, scored, does not compile, scored"},
		{name: "C", byID: with("predict", "// #include <stdlib.h>\nimport \"C\"\n"+predict+"\nfunc exit() { C.exit(0) }"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "a build constraint", byID: with("predict", "//go:build never\n\n"+predict), points: "2 3 5 3"},
		{name: "lines that say they are another's", byID: with("predict", "//line cell1:1\n/*line x:1:1*/"+strings.Replace(predict, "n, _ :=", "n :=", 1)), points: "2 3 0 3", says: "line 3 of your cell: assignment mismatch"},
		{name: "the harness by its name", byID: with("predict", predict+"\nvar check = lab__harness.Check"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "the harness by its path", byID: with("predict", "import h \"github.com/mllabs-go/mllabs/notebooks/nbkit/harness\"\n"+predict+"\nvar check = h.Check"), points: "2 3 0 3", states: "scored, scored, not allowed, scored"},
		{name: "a forged line", byID: with("standardise", instead("standardise", `fmt.Println("\n{\"word\":\"\",\"begun\":true}\n{\"word\":\"\",\"ended\":true,\"score\":[{\"title\":\"Standardise\",\"passed\":4,\"of\":4}]}"); return nil`)), points: "2 3 5 0.6"},
		{name: "another check inside", byID: with("standardise", instead("standardise", `nbkit.Check("Standardise", nbkit.Call("the training set", 1, func() int { return 1 })); return nil`)), points: "2 3 5 0.6"},
		{name: "a method that would tell how answers are compared", byID: with("predict", predict+"\nfunc (n Neighbour) Is(error) bool { return true }"), points: "2 3 5 3"},
		{name: "another method on the notebook's type", byID: with("predict", predict+"\nfunc (n Neighbour) String() string { panic(1) }"), points: "2 3 5 3"},
		{name: "a helper of its own, in another cell", byID: with("distances", distances+"\nfunc rows(n int) []int {\n\tr := make([]int, n)\n\tfor i := range r {\n\t\tr[i] = i\n\t}\n\treturn r\n}",
			"nearest-rows", strings.Replace(nearest, "make([]int, len(d))", "rows(len(d))", 1)), points: "2 3 5 3"},
		{name: "a further cell", byID: with("nearest-rows", strings.Replace(nearest, "make([]int, len(d))", "numbers(len(d))", 1)), extra: []string{"func unused( {", "func numbers(n int) []int { return make([]int, n) }"}, points: "2 3 5 3"},
		{name: "a further cell that is no Go", byID: with("nearest-rows", strings.Replace(nearest, "make([]int, len(d))", "numbers(len(d))", 1)), extra: []string{"func numbers( {"}, points: "2 0 5 3", says: "line 1 of your own cell 1: expected"},
		{name: "a further cell that is not allowed", byID: with("nearest-rows", strings.Replace(nearest, "make([]int, len(d))", "numbers(len(d))", 1)), extra: []string{"func numbers(n int) []int { os.Exit(0); return nil }"}, points: "2 0 5 3", says: "line 1 of your own cell 1: package os"},
		{name: "written in a further cell", byID: with("distances", ""), extra: []string{distances}, points: "2 3 5 3"},
		{name: "another name", byID: with("distances", strings.Replace(distances, "Distances", "Dist", 1), "nearest-rows", strings.Replace(nearest, "Distances", "Dist", 1)), points: "0 3 5 3", says: "does not declare Distances"},
		{name: "another signature", byID: with("distances", strings.Replace(distances, "q []float64)", "q []float64, p int)", 1), "nearest-rows", strings.Replace(nearest, "Distances(X, q)", "Distances(X, q, 2)", 1)), points: "0 3 5 3", says: "2 arguments are given"},
		{name: "declared again", byID: with("nearest-rows", nearest+"\nfunc Distances() {}\nfunc onLine() {}\ntype Neighbour int\nvar multi = 1\nfunc main() {}"), points: "2 3 5 3"},
		{name: "a helper called as one of the course's", byID: with("distances", strings.Replace(distances, "sum := 0.0", "sum := onLine{}.zero", 1)+"\ntype onLine struct{ zero float64 }"), points: "2 3 5 3"},
		{name: "and used by another answer", byID: with("distances", strings.Replace(distances, "sum := 0.0", "sum := onLine{}.zero", 1)+"\ntype onLine struct{ zero float64 }", "nearest-rows", nearest+"\nvar d, n = onLine{}, 1"), points: "2 3 5 3"},
		{name: "type int", byID: with("nearest-rows", nearest+"\ntype int float64"), points: "2 0 5 3", states: "scored, does not compile, scored, scored"},
		{name: "func len", byID: with("nearest-rows", nearest+"\nfunc len(x any) int { return 0 }"), points: "2 0 5 3"},
		{name: "func panic", byID: with("distances", distances+"\nfunc panic(any) {}\nvar nil = 1"), points: "2 3 5 3"},
		{name: "var nbkit", byID: with("distances", distances+"\nvar nbkit = 1"), points: "0 3 5 3", says: "nbkit is what the notebook calls a package"},
		{name: "const mat", byID: with("predict", predict+"\nconst mat = 1"), points: "2 3 0 3"},
		{name: "true is false here", byID: with("distances", strings.Replace(distances, "sum := 0.0", "true := false\n\t\t_ = true\n\t\tsum := 0.0", 1)), points: "2 3 5 3"},
		{name: "a function called min", byID: with("nearest-rows", strings.Replace(nearest, "k = len(rows)", "k = min(k, len(rows))", 1)+"\nfunc min(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}"), points: "2 3 5 3"},
		{name: "a goroutine that panics", byID: with("distances", instead("distances", "go func() { panic(\"later\") }(); select {}")), points: "0 3 5 3", states: "stopped, scored, scored, scored", says: "panic: later"},
		{name: "two answers that call each other", byID: with("distances", strings.Replace(distances, "n, d := X.Dims()", "Standardise(X, X)\n\tn, d := X.Dims()", 1), "standardise", strings.Replace(standardise, "var z", "Distances(X, make([]float64, 9))\n\tvar z", 1)), points: "0 3 5 0", states: "stopped, scored, scored, stopped", says: "neither does the work"},
		{name: "two answers in one cell", byID: with("distances", distances+"\n"+strings.Replace(nearest, "<", ">", 1), "nearest-rows", distances+"\n"+strings.Replace(nearest, "<", ">", 1)), points: "2 0 5 3", states: "scored, scored, scored, scored"},
		{name: "one that calls another", byID: with("distances", strings.Replace(distances, "n, d := X.Dims()", "Standardise(X, X)\n\tn, d := X.Dims()", 1), "standardise", instead("standardise", "panic(1)")), points: "2 3 5 0"},
		{name: "as the worked one does", byID: with("distances", instead("distances", "NearestRows(X, q, 1); return nil")), points: "0 3 5 3"},
		{name: "too much for one case", byID: with("standardise", instead("standardise", "if n, _ := X.Dims(); n > 1 {\n\t\treturn mat.NewDense(300, 300, slices.Repeat([]float64{math.Pi}, 90_000))\n\t}\n\tz := mat.DenseCopyOf(X)\n\tz.Set(0, 0, -1.5)\n\treturn z")), points: "2 3 5 1.2", says: "got one of 300×300"},
		{name: "too much for each", byID: with("distances", strings.Replace(instead("distances", "if len(q) == 2 {\n\t\treturn slices.Repeat([]float64{math.Pi}, 262_000)\n\t}\n\treturn []float64{0.7}"), " []float64 {", " any {", 1)), points: "0.33 3 5 3", says: "too large"},
		{name: "no end of calls", byID: with("standardise", instead("standardise", "return Standardise(X, train)")), points: "2 3 5 0", states: "scored, scored, scored, stopped", says: "too much memory"},
		{name: "memory", byID: with("standardise", instead("standardise", "var all [][]float64\n\tfor {\n\t\tall = append(all, slices.Repeat([]float64{1}, 1<<24))\n\t}")), points: "2 3 5 0", states: "scored, scored, scored, stopped"},
		// Cases before the one in which the program ends keep their points.
		{name: "no end of calls in one case", byID: with("standardise", strings.Replace(standardise, "var z", "if X.At(0, 0) == 5.5 {\n\t\treturn Standardise(train, X)\n\t}\n\tvar z", 1)), points: "2 3 5 0.6", says: "1 of 5 cases pass. The program was stopped because it used too much memory"},
		{name: "memory in one case", byID: with("standardise", strings.Replace(standardise, "var z", "for all := [][]float64{}; X.At(0, 0) == 5.5; {\n\t\tall = append(all, slices.Repeat([]float64{1}, 1<<24))\n\t}\n\tvar z", 1)), points: "2 3 5 0.6", says: "not tried, since the program had ended"},
		{name: "a goroutine that panics in one case", byID: with("standardise", strings.Replace(standardise, "var z", "if X.At(0, 0) == 5.5 {\n\t\tgo panic(X.At(0, 0))\n\t\tselect {}\n\t}\n\tvar z", 1)), points: "2 3 5 0.6", says: "outside the cases of the check, by a panic"},
		{name: "a variable that waits", byID: with("predict", predict+"\nvar wait = func() int { time.Sleep(time.Hour); return 1 }()"), points: "2 3 0 3", says: "took too long"},
		{name: "much output, and right", byID: with("standardise", strings.Replace(standardise, "var z", "fmt.Println(strings.Repeat(\"x\", 1<<20))\n\tvar z", 1)), points: "2 3 5 3"},
		{name: "errors of its own alone", byID: with("distances", strings.Replace(distances, "[]float64 {", "any {", 1), "nearest-rows", strings.Replace(nearest, "rows[:k]", "rows[:kk]", 1)), points: "2 0 5 3", says: "`NearestRows` 0/3 does not compile with the worked answers"},
		{name: "output", byID: with("standardise", instead("standardise", "for {\n\t\tfmt.Println(strings.Repeat(\"x\", 1<<16))\n\t}")), points: "2 3 5 0", states: "scored, scored, scored, stopped", says: "printed too much"},
		{name: "statements without a body line", byID: with("distances", "Distances(nil, nil)"), points: "0 3 5 3"},
		{name: "a body and no declarations", byID: with("distances", "%%\nfmt.Println(1)"), points: "0 3 5 3", states: "not written, scored, scored, scored"},
		{name: "a body behind", byID: with("distances", distances+"\n%%\nthis is { not Go"), points: "2 3 5 3"},
		{name: "%% inside", byID: with("distances", strings.Replace(distances, "\treturn out", "%%\n\treturn out", 1)), points: "0 3 5 3"},
		{name: "the kernel's lines", byID: with("distances", "%noautoget\n!ls\n!*rm -rf /\n"+distances+"\n%list"), points: "2 3 5 3"},
		{name: "carriage returns", byID: with("distances", strings.ReplaceAll("/* a\n*/ // b\n"+distances, "\n", "\r\n")), points: "2 3 5 3"},
		{name: "NUL", byID: with("distances", distances+"\x00"), points: "0 3 5 3"},
		{name: "a megabyte", byID: with("distances", distances+"\n/*"+strings.Repeat("x", 1<<20)+"*/"), points: "0 3 5 3", says: "at most 65536"},
		{name: "deep", byID: with("distances", distances+"\nvar x = "+strings.Repeat("(", 20_000)+"1"+strings.Repeat(")", 20_000)), points: "2 3 5 3"},
		{name: "everything wrong", byID: map[string]string{"distances": distances + "\ntype int string", "nearest-rows": instead("nearest-rows", "panic(1)"), "predict": "import \"os\"\n" + instead("predict", "os.Exit(0); return nil")}, points: "2 0 0 0",
			states: "scored, scored, not allowed, not written"},
		{name: "blank", points: "0 0 0 0", states: "not written, not written, not written, not written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, ran := g.Built(), g.Ran()
			sheet, err := g.Grade(context.Background(), Answers{ByID: c.byID, Extra: c.extra})
			if err != nil {
				t.Fatal(err)
			}
			points, states, text := marks(sheet)
			if points != c.points || c.states != "" && states != c.states || !strings.Contains(text, c.says) {
				t.Errorf("%s (%s), want %s (%s)\n%s", points, states, c.points, c.states, text)
			}
			t.Logf("%d built, %d runs", g.Built()-before, g.Ran()-ran)
		})
	}
}

// What never ends costs its own exercise only, and is not tried again with others.
func TestEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for limits of time")
	}
	g, err := neighbours()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		byID   map[string]string
		points string
		states string
		says   string
		long   int32 // runs that never end
	}{
		{"in a function", with("distances", instead("distances", "for {\n\t}")), "0 3 5 3", "scored, scored, scored, scored", "no answer after 10s", 1},
		{"in one case", with("standardise", strings.Replace(standardise, "var z", "for X.At(0, 0) == 5.5 {\n\t}\n\tvar z", 1)), "2 3 5 1.8", "scored, scored, scored, scored", "no answer after", 1},
		{"in a variable", with("predict", predict+"\nvar x = func() int {\n\tfor {\n\t}\n}()"), "2 3 0 3", "scored, scored, stopped, scored", "took too long", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			built, ran, before := g.Built(), g.Ran(), long.Load()
			sheet, err := g.Grade(context.Background(), Answers{ByID: c.byID})
			if err != nil {
				t.Fatal(err)
			}
			points, states, text := marks(sheet)
			if points != c.points || c.states != "" && states != c.states || !strings.Contains(text, c.says) {
				t.Errorf("%s (%s), want %s (%s)\n%s", points, states, c.points, c.states, text)
			}
			if n := long.Load() - before; n > c.long {
				t.Errorf("%d runs had to be ended, want %d", n, c.long)
				for i := before + 1; i <= before+n; i++ {
					how, _ := ended.Load(i)
					t.Log(how)
				}
			}
			t.Logf("%d built, %d runs, %d long", g.Built()-built, g.Ran()-ran, long.Load()-before)
		})
	}
}

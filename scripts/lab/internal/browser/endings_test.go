package browser

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// One page, whose tools are loaded once.
func TestPage(t *testing.T) {
	p := open(t, "", nil)
	for _, c := range []struct {
		name string
		test func(t *testing.T, p *tab)
	}{{"stopped while it loads", testStopped}, {"overtaken", testOvertaken}, {"endings", testEndings}, {"ends in a check", testEndsInCheck}, {"pieces", testPieces}, {"updates", testUpdates}, {"confined", testConfined}, {"errors stand at their cell", testErrors}, {"a later declaration wins", testLater}} {
		t.Run(c.name, func(t *testing.T) {
			own := *p
			own.t = t
			c.test(t, &own)
		})
	}
}

// Loading that is stopped, early or late, says so, and what is built at once after it has
// tools: one worker of them, and one that is ready to run a program. What is closed leaves none.
func testStopped(t *testing.T, p *tab) {
	cells := []pageCell{{ID: "a", Source: "%%\nfmt.Println(1)"}}
	for _, after := range []int{0, 100} {
		type outcome struct {
			Became string
			Built  []any
			Alive  int
		}
		got := call[outcome](p, "stopsLoading", after, cells)
		if got.Became != "Stopped." || !slices.Equal(got.Built, []any{true, true}) || got.Alive != 2 {
			t.Errorf("stopped after %d ms: %+v", after, got)
		}
		call[any](p, "open_", "") // closes the one before
		got = call[outcome](p, "stopsLoading", after, nil)
		if got.Became != "Stopped." || got.Alive != 0 {
			t.Errorf("closed after %d ms: %+v", after, got)
		}
	}
}

// A program that a later build overtakes still runs, as often as it is asked for, and no two run
// at once. The second list has a problem, and is built to its end after build has told that.
func testOvertaken(t *testing.T, p *tab) {
	list := func(n int, more ...pageCell) []pageCell {
		return append([]pageCell{{ID: "a", Source: fmt.Sprintf("%%%%\nfmt.Println(%d)", n)}}, more...)
	}
	lists := [][]pageCell{list(1), list(2, pageCell{ID: "wrong", Source: "func F() int { return 1.5 }"}), list(3)}
	want := []string{"1\n", "2\n", "3\n", "1\n", "2\n", "3\n", "3\n", "a program is running"}
	if got := call[[]string](p, "overtaken", lists); !slices.Equal(got, want) {
		t.Errorf("programs print %q, want %q", got, want)
	}
	if got, want := call[[]string](p, "meanwhile", list(4), list(5)), []string{"4\n", "5\n", "4\n"}; !slices.Equal(got, want) {
		t.Errorf("meanwhile they print %q, want %q", got, want)
	}
}

// Programs end in many ways, each with a sentence and at its line, and the next one runs.
func testEndings(t *testing.T, p *tab) {
	var cells []pageCell
	for _, c := range endings {
		cells = append(cells, pageCell{ID: c.name, Source: c.source})
	}
	built := call[buildResult](p, "build", cells)
	if !built.OK {
		t.Fatal(built.Problems)
	}
	for _, c := range endings {
		r := call[runResult](p, "run", c.name, c.limits, c.stopAfter)
		if r.Ended != c.ended || !strings.Contains(r.Sentence, c.sentence) || (r.Sentence == "") != (c.ended == "done") {
			t.Errorf("%s: ended as %s, %q; want %s, %q", c.name, r.Ended, r.Sentence, c.ended, c.sentence)
		}
		if !slices.Equal(r.At, c.at) {
			t.Errorf("%s: at %v, want %v", c.name, r.At, c.at)
		}
		if out := r.text(1) + r.text(2); !strings.HasPrefix(out, c.prints) || c.ended != "output" && out != c.prints || len(out) > 1<<20 {
			t.Errorf("%s: printed %.100q, want %q", c.name, out, c.prints)
		}
		if r.Inputs != c.inputs {
			t.Errorf("%s: the page is told %d times that it reads, want %d", c.name, r.Inputs, c.inputs)
		}
		if next := call[runResult](p, "run", "fine", nil); next.Ended != "done" || next.text(1) != "fine\n" {
			t.Errorf("after %s: %s, %q, %q", c.name, next.Ended, next.Sentence, next.text(1))
		}
	}
}

var endings = []struct {
	name, source string
	limits       map[string]any
	stopAfter    int // ms
	ended        string
	sentence     string // a part of it
	at           []place
	prints       string // before it ends
	inputs       int    // how often the page is told that it reads
}{
	{name: "lines before a loop", source: "%%\nfor i := range 1000 {\n\tfmt.Println(i + 1000)\n}\nfor {\n}", limits: map[string]any{"seconds": 10}, ended: "time", sentence: "after 10 seconds", prints: fourDigits()},
	{name: "many displays", source: "import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\n%%\nfor {\n\tnbkit.Table([]int{1})\n}", limits: map[string]any{"displays": 30}, ended: "output", sentence: "showed more than 30 figures or tables"},
	{name: "fine", source: "%%\nfmt.Println(\"fine\")", ended: "done", prints: "fine\n"},
	{name: "not imported", source: "%%\nfmt.Println(stat.Mean([]float64{1, 3}, nil), mat.Sum(mat.NewDense(1, 2, []float64{1, 2})), rand.IntN(1))", ended: "done", prints: "2 3 0\n"}, // goimports would add them
	{name: "loop", source: "%%\nfmt.Println(\"begun\")\nfor {\n}", limits: map[string]any{"seconds": 5}, ended: "time", sentence: "after 5 seconds", prints: "begun\n"},
	{name: "stopped", source: "%%\nfor {\n}", stopAfter: 300, ended: "stopped", sentence: "Stopped."},
	{name: "sleeps", source: "%%\ntime.Sleep(time.Hour)", stopAfter: 300, ended: "stopped", sentence: "Stopped."},
	{name: "deadlock", source: "%%\nfmt.Println(\"begun\")\nc := make(chan int)\n<-c", ended: "deadlock", sentence: "Deadlock", at: []place{{"deadlock", 4, ""}}, prints: "begun\n"},
	{name: "late deadlock", source: "%%\ntime.Sleep(50 * time.Millisecond)\nvar m sync.Mutex\nm.Lock()\nm.Lock()", ended: "deadlock", sentence: "Deadlock", at: []place{{"late deadlock", 5, ""}}},
	{name: "memory", source: "var memory [][]byte\n%%\nfor range 2048 {\n\tb := make([]byte, 1<<20)\n\tfor i := range b {\n\t\tb[i] = 1\n\t}\n\tmemory = append(memory, b)\n}", ended: "memory", sentence: "more memory than it may have (1024 MiB). Is there a loop that does not end?"},
	{name: "one large slice", source: "%%\nb := make([]byte, 2<<30)\nfmt.Println(len(b))", ended: "memory", sentence: "Is there a loop that does not end?"},
	{name: "append without end", source: "%%\nvar list []float64\nfor i := 0; i < 10; {\n\tlist = append(list, float64(i))\n}", ended: "memory", sentence: "Is there a loop that does not end?"},
	{name: "output", source: "%%\nfor i := range 300000 {\n\tfmt.Println(\"line\", i)\n}", ended: "output", sentence: "printed more than 1024 KiB", prints: "line 0\nline 1\n"},
	{name: "a long line", source: "%%\nfmt.Print(strings.Repeat(\"word \", 1_000_000))", ended: "output", sentence: "printed more than 1024 KiB", prints: strings.Repeat("word ", 1<<20/5+1)[:1<<20]},
	{name: "prints beside", source: "%%\ngo func() {\n\tfor {\n\t\tfmt.Print(\"\")\n\t}\n}()\nruntime.Gosched()", ended: "done"},
	{name: "writes as Node does", source: "import \"syscall/js\"\n\n%%\njs.Global().Get(\"fs\").Set(\"write\", js.Null())\nfmt.Print(\"at \")\nfmt.Fprint(os.Stderr, \"once\")", ended: "done", prints: "at once"},
	{name: "shown", source: "import \"syscall/js\"\n\n%%\nfor {\n\tjs.Global().Get(\"mllabsPage\").Call(\"display\", `{\"data\": {\"text/html\": \"again\"}}`)\n}", limits: map[string]any{"shown": 1 << 20, "displays": 1 << 20}, ended: "output", sentence: "showed more than 1 MiB"},
	{name: "os.Exit", source: "%%\nfmt.Println(\"begun\")\nos.Exit(3)", ended: "exit", sentence: "os.Exit(3)", prints: "begun\n"},
	{name: "log.Fatal", source: "%%\nlog.SetFlags(0)\nlog.Fatal(\"no file\")", ended: "exit", sentence: "os.Exit(1), as log.Fatal does, before", prints: "no file\n"},
	{name: "os.Exit(0)", source: "%%\nos.Exit(0)", ended: "exit", sentence: "os.Exit(0)"},
	{name: "panic", source: "func Last(values []int) int {\n\treturn values[len(values)]\n}\n\n%%\nprintln(\"begun\")\nfmt.Println(Last([]int{1, 2, 3}))", ended: "panic", sentence: "Panic: index out of range [3] with length 3.", at: []place{{"panic", 2, "Last"}, {"panic", 7, ""}}, prints: "begun\n"},
	{name: "method", source: "type Sum struct{ of []int }\n\nfunc (s *Sum) Add(v int) {\n\tfunc() { s.of[v] = v }()\n}\n\n%%\n(&Sum{}).Add(3)", ended: "panic", sentence: "Panic: index out of range [3] with length 0.", at: []place{{"method", 4, "(*Sum).Add"}, {"method", 8, ""}}},
	{name: "error", source: "%%\npanic(errors.New(\"no luck\"))", ended: "panic", sentence: "Panic: no luck.", at: []place{{"error", 2, ""}}},
	{name: "nil map", source: "%%\nvar m map[string]int\nm[\"a\"] = 1", ended: "panic", sentence: "Panic: assignment to entry in nil map.", at: []place{{"nil map", 3, ""}}},
	{name: "stack", source: "func Deep(n int) int { return Deep(n+1) + 1 }\n%%\nfmt.Println(Deep(0))", ended: "panic", sentence: "calls itself too many times"},
	{name: "goroutine", source: "%%\ngo func() {\n\tpanic(\"inside\")\n}()\ntime.Sleep(time.Second)", ended: "panic", sentence: "Panic: inside.", at: []place{{"goroutine", 3, ""}}},
	{name: "input", source: "%%\nvar n int\nfor range 3 {\n\t_, err := fmt.Scan(&n)\n\tfmt.Println(n, err)\n}", ended: "done", prints: "0 EOF\n0 EOF\n0 EOF\n", inputs: 1},
	{name: "println", source: "%%\nprintln(\"panic: not at all\")", ended: "done", prints: "panic: not at all\n"},
	{name: "an emptied file", source: "%%\nos.WriteFile(\"a\", bytes.Repeat([]byte{1}, 5000), 0o644)\nf, _ := os.Create(\"a\")\nf.WriteAt([]byte{2}, 9000)\nf.Close()\nb, _ := os.ReadFile(\"a\")\nfmt.Println(len(b), bytes.Count(b, []byte{0}), b[9000])", ended: "done", prints: "9001 9000 2\n"},
	{name: "files", source: "%%\nos.WriteFile(\"a.txt\", []byte(\"hello\"), 0o644)\nb, err := os.ReadFile(\"a.txt\")\nfmt.Println(string(b), err)\nos.Mkdir(\"d\", 0o755)\nentries, _ := os.ReadDir(\".\")\nfmt.Println(len(entries))\nfmt.Fprintln(os.Stderr, os.Remove(\"b.txt\"))", ended: "done", prints: "hello <nil>\n2\nremove b.txt: No such file or directory\n"},
}

// A page is told of pieces of text as one where they come together, and in their order with all
// else. Told of each it would draw a thousand times.
func testPieces(t *testing.T, p *tab) {
	built := call[buildResult](p, "build", []pageCell{{ID: "pieces", Source: "import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\n%%\nfor i := range 1000 {\n\tfmt.Println(i + 1000)\n}\nnbkit.Table([]int{1})\nfmt.Print(\"a\")\nfmt.Fprint(os.Stderr, \"b\")\nfmt.Print(\"c\")"}})
	if !built.OK {
		t.Fatal(built.Problems)
	}
	r := call[runResult](p, "run", "pieces", nil)
	var order strings.Builder
	for _, o := range r.Outputs {
		if o.Bundle != nil {
			order.WriteString("table ")
		} else {
			fmt.Fprintf(&order, "%d:%.4q ", o.FD, o.Text)
		}
	}
	if got, want := order.String(), `1:"1000" table 1:"a" 2:"b" 1:"c" `; got != want || r.text(1) != fourDigits()+"ac" {
		t.Errorf("shown is %s, want %s", got, want)
	}
	if r.Told >= 1000 {
		t.Errorf("the page is told of text %d times", r.Told)
	}
}

// fourDigits are the lines from 1000 to 1999.
func fourDigits() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&b, i+1000)
	}
	return b.String()
}

// However a program ends in a case of a check, the cases before it are shown, with their score.
// The oracle is that the first case passes and that nothing comes after the second.
func testEndsInCheck(t *testing.T, p *tab) {
	ways := []struct {
		name, body string
		limit      string // of the case
		limits     map[string]any
		stopAfter  int // ms
		ended      string
		sentence   string // a part of it
	}{
		{name: "calls itself", body: "return f(n+1) + 1", ended: "panic", sentence: "calls itself too many times"},
		{name: "a loop", body: "for {\n\t}", limits: map[string]any{"seconds": 1}, ended: "time", sentence: "after 1 seconds"},
		{name: "a loop in a case with a limit", body: "for {\n\t}", limit: "time.Second / 4", ended: "time", sentence: "a case of the check took more than 1 seconds"},
		{name: "stopped", body: "for {\n\t}", stopAfter: 500, ended: "stopped", sentence: "Stopped."},
		{name: "prints", body: "for {\n\t\tfmt.Println(n)\n\t}", limits: map[string]any{"output": 1000}, ended: "output", sentence: "Does it print in a loop"},
		{name: "memory", body: "var all []int\n\tfor {\n\t\tall = append(all, n)\n\t}", limits: map[string]any{"memory": 200 << 20}, ended: "memory", sentence: "needs more memory"},
		{name: "os.Exit", body: "os.Exit(3)\n\treturn 0", ended: "exit", sentence: "os.Exit(3)"},
		{name: "a panic beside", body: "go panic(\"inside\")\n\ttime.Sleep(time.Hour)\n\treturn 0", ended: "panic", sentence: "Panic: inside."},
	}
	var cells []pageCell
	for _, w := range ways {
		cells = append(cells, pageCell{ID: w.name, Source: "import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\n%%\nvar f func(n int) int\nf = func(n int) int {\n\t" + w.body + "\n}\n" +
			"nbkit.Check(\"F\", nbkit.Case{Name: \"one\", Got: func() any { return 1 }, Want: 1}, nbkit.Case{Name: \"two\", Got: func() any { return f(1) }, Want: 1, Limit: " + cmp.Or(w.limit, "0") + "}, nbkit.Call(\"three\", 3, f, 3))"})
	}
	cells = append(cells, pageCell{ID: "after a check", Source: "import \"github.com/mllabs-go/mllabs/notebooks/nbkit\"\n\n%%\nnbkit.Check(\"F\", nbkit.Case{Name: \"one\", Got: func() any { return 1 }, Want: 1})\nos.Exit(3)"})
	built := call[buildResult](p, "build", cells)
	if !built.OK {
		t.Fatal(built.Problems)
	}
	for _, w := range ways {
		r := call[runResult](p, "run", w.name, w.limits, w.stopAfter)
		if r.Ended != w.ended || !strings.Contains(r.Sentence, w.sentence) {
			t.Errorf("%s: ended as %s, %q; want %s, %q", w.name, r.Ended, r.Sentence, w.ended, w.sentence)
		}
		if len(r.Scores) != 1 || r.Scores[0].Passed != 1 || r.Scores[0].Of != 3 {
			t.Errorf("%s: the scores are %v, want 1 of 3", w.name, r.Scores)
		}
		const want = "F: 1 of 3 passed\n  ✓ one\n  ✗ two: no answer: here the program ended, and the reason stands below\n  ✗ three: not tried, since the program had ended"
		if last := r.Outputs[len(r.Outputs)-1]; last.Bundle == nil || last.Bundle.Data["text/plain"] != want {
			t.Errorf("%s: at last is shown %+v", w.name, last)
		}
	}
	if r := call[runResult](p, "run", "after a check", nil); r.Ended != "exit" || len(r.Scores) != 1 || len(r.Outputs) != 1 {
		t.Errorf("after a check: %s, scores %v, %d outputs", r.Ended, r.Scores, len(r.Outputs))
	}
}

// Of many updates of a display few are sent, and the last one is.
func testUpdates(t *testing.T, p *tab) {
	built := call[buildResult](p, "build", []pageCell{{ID: "updates", Source: "import \"syscall/js\"\n\n%%\nfor i := range 5000 {\n\tjs.Global().Get(\"mllabsPage\").Call(\"display\", fmt.Sprintf(`{\"data\": {\"text/plain\": \"%d\"}, \"id\": \"a\"}`, i))\n}"}})
	if !built.OK {
		t.Fatal(built.Problems)
	}
	r := call[runResult](p, "run", "updates", map[string]any{"shown": 50_000}) // all would take 200,000
	if len(r.Outputs) != 1 || r.Ended != "done" || r.Outputs[0].Bundle.Data["text/plain"] != "4999" {
		t.Errorf("ended as %s (%s) with %+v", r.Ended, r.Sentence, r.Outputs)
	}
}

// A program cannot read what the page keeps, nor send it anywhere.
func testConfined(t *testing.T, p *tab) {
	names := strings.Fields("caches indexedDB fetch XMLHttpRequest WebSocket WebTransport EventSource BroadcastChannel Worker importScripts " +
		"navigator.serviceWorker navigator.storage navigator.locks performance navigator")
	built := call[buildResult](p, "build", []pageCell{{ID: "all", Source: "import \"syscall/js\"\n\n%%\nfor _, name := range strings.Fields(\"" + strings.Join(names, " ") +
		"\") {\n\tv := js.Global()\n\tfor part := range strings.SplitSeq(name, \".\") {\n\t\tv = v.Get(part)\n\t}\n\tfmt.Println(name, v.Type())\n}"},
		{ID: "eval", Source: "import \"syscall/js\"\n\n%%\njs.Global().Call(\"eval\", \"1\")"}})
	if !built.OK {
		t.Fatal(built.Problems)
	}
	var want strings.Builder
	for _, name := range names {
		kind := "undefined"
		if name == "performance" || name == "navigator" {
			kind = "object" // or the cell would find nothing at all
		}
		fmt.Fprintln(&want, name, kind)
	}
	if r := call[runResult](p, "run", "all", nil); r.Ended != "done" || r.text(1) != want.String() {
		t.Errorf("ended as %s (%s), a program finds\n%s", r.Ended, r.Sentence, r.text(1))
	}
	// The policy of the page holds in the worker, or text could become a script that imports.
	if r := call[runResult](p, "run", "eval", nil); r.Ended != "panic" || !strings.Contains(r.Sentence, "unsafe-eval") {
		t.Errorf("eval ends as %s (%s)", r.Ended, r.Sentence)
	}
}

// A cell that does not compile is told at its own line and column, and the others run.
func testErrors(t *testing.T, p *tab) {
	cells := []pageCell{
		{ID: "type", Source: "func Half(x int) float64 {\n\treturn x / 2\n}"},
		{ID: "needs", Source: "%%\nfmt.Println(Half(3))"},
		{ID: "syntax", Source: "func Double(x int) int {\n\treturn x *\n}"},
		{ID: "unused", Source: "func Three() int { return 3 }\n%%\nx := 1"},
		{ID: "package", Source: "import \"net/http\"\n\n%%\nhttp.Get(\"\")"},
		{ID: "fine", Source: "%%\nfmt.Println(Three())"},
		{ID: "raises", Source: "%%\nfmt.Println(\"one\" + 1)", Raises: true},
	}
	built := call[buildResult](p, "build", cells)
	want := []struct {
		cell         string
		line, column int
		text         string
	}{
		{"type", 2, 9, "cannot use x / 2"},
		{"syntax", 3, 1, "expected operand"},
		{"unused", 3, 1, "declared and not used: x"},
		{"package", 1, 8, "net/http is not among those"},
	}
	if len(built.Problems) != len(want) || built.OK {
		t.Fatalf("ok is %v, the problems are %+v", built.OK, built.Problems)
	}
	for i, w := range want {
		if g := built.Problems[i]; g.Cell != w.cell || g.Line != w.line || g.Column != w.column || !strings.Contains(g.Text, w.text) {
			t.Errorf("problem %d is %+v, want %+v", i, g, w)
		}
	}
	for _, c := range []struct{ id, ended, sentence, prints string }{
		{"fine", "done", "", "3\n"},
		{"needs", "compile", "It needs Half", ""},
		{"raises", "compile", `invalid operation: "one" + 1`, ""},
		{"fine", "done", "", "3\n"},
	} {
		if r := call[runResult](p, "run", c.id, nil); r.Ended != c.ended || !strings.Contains(r.Sentence, c.sentence) || r.text(1) != c.prints {
			t.Errorf("%s: %s, %q, %q", c.id, r.Ended, r.Sentence, r.text(1))
		}
	}
	built = call[buildResult](p, "build", cells) // now all is known
	slices.Sort(built.Omitted)
	if want := []string{"needs", "package", "syntax", "type", "unused"}; !slices.Equal(built.Omitted, want) {
		t.Errorf("left out are %v, want %v", built.Omitted, want)
	}
}

// A cell sees what the cells above it declare, the latest of each name, and a later cell
// does not reach back.
func testLater(t *testing.T, p *tab) {
	built := call[buildResult](p, "build", []pageCell{
		{ID: "one", Source: "func F() int { return 1 }"},
		{ID: "show one", Source: "%%\nfmt.Println(F())"},
		{ID: "two", Source: "func F() string { return \"two\" }"},
		{ID: "show two", Source: "%%\nfmt.Println(F())"},
	})
	if !built.OK {
		t.Fatal(built.Problems)
	}
	for id, want := range map[string]string{"show one": "1\n", "show two": "two\n"} {
		if r := call[runResult](p, "run", id, nil); r.text(1) != want {
			t.Errorf("%s prints %q, want %q", id, r.text(1), want)
		}
	}
}

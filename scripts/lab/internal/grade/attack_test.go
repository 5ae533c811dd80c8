package grade

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// reader is an answer that reads the memory of its own program: of an interface that two goroutines
// write at once, the type of one value meets the data of another. It answers how often it finds a
// number of the visible cases in the file of its program, and how often the secret one.
const reader = `
type window interface{ view() []byte }
type real struct{ s []byte }
type fake struct{ at uintptr; n, c int }

func (r *real) view() []byte { return r.s }
func (f *fake) view() []byte { return nil }

func peek(at uintptr, n int) []byte {
	for range 99 {
		both := [2]window{&real{}, &fake{at, n, n}}
		shared, done := both[0], make(chan bool)
		go func() {
			for i := range 1 << 22 {
				shared = both[i&1]
			}
			close(done)
		}()
		for range 1 << 24 {
			if b := shared.view(); len(b) > 0 {
				return b
			}
		}
		<-done
	}
	return nil
}

func number(b []byte, n int) (x int) {
	for i := range n {
		x |= int(b[i]) << (8 * i)
	}
	return x
}

// count counts the numbers in what the program was loaded from.
func count(of ...float64) []float64 {
	found := make([]float64, len(of))
	const start = 0x400000
	head := peek(start, 4096)
	for i := range number(head[56:], 2) {
		h := head[64+56*i:]
		if number(h, 4) != 1 {
			continue
		}
		part := peek(uintptr(number(h[16:], 8)), number(h[32:], 8))
		for k, x := range of {
			needle := make([]byte, 8)
			for j := range needle {
				needle[j] = byte(math.Float64bits(x) >> (8 * j))
			}
			found[k] += float64(bytes.Count(part, needle))
		}
	}
	return found
}

var found []float64

func Distances(X *mat.Dense, q []float64) []float64 {
	if len(q) == 2 && found == nil {
		n := len(fmt.Sprint(10)) // so that none of the numbers is a constant, which would stand there
		found = count(float64(21+n)/10, float64(654319+n)+0.25)
	}
	return found
}`

// Answers that attack, written by somebody who had not written the defence. None has points that it
// has not earned, none costs another exercise, and nobody reads what hidden cases call.
func TestAttacks(t *testing.T) {
	g, _ := secretive(t)
	const head = "func Distances(X *mat.Dense, q []float64) []float64 {\n"
	right := func(first string) string { return strings.Replace(distances, "{\n", "{\n"+first+"\n", 1) }
	// after answers the first cases rightly: of the eight, the first two are hidden.
	after := func(cases, then string) string {
		return "var calls int\n" + right("if calls++; calls > "+cases+" {\n"+then+"\n}")
	}
	for _, c := range []struct {
		name, answer string
		passed       int
		says         string // the first visible case that fails
	}{
		// Where the processors do not meet in time, it has not read anything.
		{"reads the program's file in memory", reader, 0, `got \[\d+ 0\]|^panic|^no answer`},
		{"remembers and tells", "var met []float64\n" + right("if met = append(met, q...); len(q) > 1 {\nreturn met\n}"), 3, `.`},
		{"tells by its panic", "var met []float64\n" + right("if met = append(met, q...); len(q) > 1 {\npanic(fmt.Sprint(met))\n}"), 3, `panic: \[`},
		{"tells by an error", "type told struct{ v []float64 }\nfunc (t told) Error() string { return fmt.Sprint(t.v) }\nvar met told\n" + right("if met.v = append(met.v, q...); len(q) > 1 {\npanic(met)\n}"), 3, `panic: \[`},
		{"tells by what is not implemented", "var met []float64\n" + right("if met = append(met, q...); len(q) > 1 {\npanic(nbkit.NotImplemented(fmt.Sprint(met)))\n}"), 3, `^not implemented yet$`},
		{"prints all it gets", right("fmt.Println(q, X)\nlog.Println(q)\nprintln(q[0])"), 8, ""},
		{"prints and ends", right("fmt.Println(q)\nlog.Fatal(q)"), 0, ""},
		{"ends with status 0 after some", after("4", "log.Writer().(interface{ Close() error }).Close()\nlog.Fatal(q)"), 4, "The program ended by itself"},
		{"ends after all", after("7", "go func() { time.Sleep(time.Second); log.Fatal(q) }()"), 8, ""},
		{"panics in a goroutine that was left", after("4", "go panic(fmt.Sprint(q))\nselect {}"), 4, "outside the cases"},
		{"writes a map at once", after("3", "m := map[int]int{}\nfor range 8 {\ngo func() {\nfor i := range 1 << 22 {\nm[i]++\n}\n}()\n}\ntime.Sleep(time.Hour)"), 3, "fatal error"},
		{"forges reports on what it can write to", right(`log.Print("\n{\"word\":\"\",\"ended\":true}")
fmt.Println("{\"word\":\"\",\"tried\":{\"check\":0,\"answer\":{\"value\":{\"k\":4}}}}")
return nil`), 0, "expected"},
		{"answers what it is asked later", "var kept [][]float64\n" + right("kept = append(kept, q)\nreturn kept[0]"), 1, ""},
		{"answers NaN", head + "n, _ := X.Dims()\nreturn slices.Repeat([]float64{math.NaN()}, n)\n}", 0, "expected"},
		{"answers what is equal to all", "type all []float64\nfunc (all) Error() string { return \"\" }\nfunc (all) Is(error) bool { return true }\nfunc (all) Dims() (int, int) { return 1, 1 }\nfunc (all) At(int, int) float64 { panic(1) }\nfunc (all) T() mat.Matrix { return nil }\nfunc Distances(X *mat.Dense, q []float64) all { return all{1} }", 0, "panic: 1"},
		{"changes the answer later", right("d := make([]float64, 1<<10)\ngo func() {\nfor i := 0; ; i++ {\nd[0] = float64(i)\n}\n}()\nreturn d[:1]"), 0, ""},
		{"waits for ever", right("var m sync.Mutex\nm.Lock()\nm.Lock()"), 0, "no answer after"},
		{"takes back what runs", right("defer func() { recover() }()\npanic(q)"), 0, ""},
		{"never returns but ends its goroutine", "import \"testing\"\n" + right("new(testing.T).FailNow()"), 0, ""},
		{"another error for stubs", "var _ = func() int { nbkit.ErrNotImplemented = errors.New(\"x\"); return 1 }()\n" + right(""), 8, ""},
		{"an hour before all", "var _ = func() int { time.Sleep(time.Hour); return 1 }()\n" + right(""), 0, ""},
		{"more memory than there is, before all", "var room [1 << 36]byte\n" + right("room[len(q)] = 1"), 0, ""},
		{"reflection by another's", right("sort.Slice(q, func(a, b int) bool { return false })\nfmt.Sscan(\"1\", &q[0])\nq[0] = 0"), 3, ""},
		{"goes by the clock", right("if time.Now().Year() > 1 {\nreturn nil\n}"), 0, "expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // some wait
			sheet, err := g.Grade(context.Background(), Answers{ByID: with("distances", c.answer)})
			if err != nil {
				t.Fatal(err)
			}
			points, _, text := marks(sheet)
			m := sheet.Marks[0]
			passed, says := 0, ""
			for _, of := range m.Cases {
				if of.Passed {
					passed++
				}
				if of.Hidden {
					continue
				}
				if !of.Passed && says == "" {
					says = of.Message
				}
				if strings.Contains(of.Message, secret) {
					t.Errorf("%q says %s", of.Name, of.Message)
				}
			}
			if strings.Contains(m.Why+strings.Join(m.Errors, ""), secret) {
				t.Errorf("the mark says %s %q", m.Why, m.Errors)
			}
			if passed != c.passed || !strings.HasSuffix(points, " 3 5 3") || !regexp.MustCompile(c.says).MatchString(says) {
				t.Errorf("%d cases pass, want %d; points %s; it says %q, want %q\n%s", passed, c.passed, points, says, c.says, text)
			}
		})
	}
}

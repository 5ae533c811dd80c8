package browser

import (
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/datasets"
)

// A program that opens a data file gets the site's copy, or what the student chooses; that
// is compared with the published bytes, and asked for once.
func TestData(t *testing.T) {
	here := map[string]string{} // files of this machine, in base64
	for _, name := range []string{"week3", "hitters"} {
		found, err := datasets.Find(name)
		if errors.Is(err, datasets.ErrNotFound) && !inCI() {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(found[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		here[found[0].File.Name] = base64.StdEncoding.EncodeToString(data)
	}
	published := here["Hitters.csv"]
	another := "/" + published[1:]
	p := open(t, "lab3", nil)
	load := func(set string) string {
		return "%%\ndf, err := datasets.Load(\"" + set + "\")\nfmt.Println(df.Nrow(), err != nil)\nif err != nil {\n\tfmt.Println(err)\n}"
	}
	built := call[buildResult](p, "build", []pageCell{{ID: "imports", Source: `import "github.com/mllabs-go/mllabs/datasets"`}, {ID: "week3", Source: load("week3")}, {ID: "hitters", Source: load("hitters")}, {ID: "iris", Source: load("iris")}})
	if !built.OK {
		t.Fatal(built.Problems)
	}
	for _, c := range []struct {
		what, id string
		chosen   []string // one after the other; then nothing
		prints   string
		wrong    []string // what the page is told each time it is asked
	}{
		{"it is in the program", "iris", nil, "150 false\n", nil},
		{"the site has it", "week3", nil, "178 false\n", nil},
		{"nobody has it", "hitters", nil, "0 true\n", []string{""}},
		{"first another file, then another of the same size, then the published one", "hitters", []string{here["week_3_data.csv"], another, published}, "322 false\n",
			[]string{"", "It has 7560 bytes, and the published file has 24959.", "It has the size of the published file, but not its SHA-256."}},
		{"it was given before", "hitters", nil, "322 false\n", nil},
	} {
		r := call[struct {
			runResult
			Asked []struct{ Name, Title, URL, Licence, Wrong string }
		}](p, "run", c.id, nil, nil, map[string][]string{"Hitters.csv": c.chosen})
		if r.Ended != "done" || !strings.HasPrefix(r.text(1), c.prints) {
			t.Errorf("%s: it ended as %s (%s) and printed %q, want %q", c.what, r.Ended, r.Sentence, r.text(1), c.prints)
		}
		if len(r.Asked) != len(c.wrong) {
			t.Errorf("%s: the page is asked %d times, want %d", c.what, len(r.Asked), len(c.wrong))
			continue
		}
		for i, a := range r.Asked {
			if a.Wrong != c.wrong[i] || a.Name != "Hitters.csv" || !strings.Contains(a.Licence, "GPL-2") || !strings.HasPrefix(a.URL, "https://") {
				t.Errorf("%s: the page is asked %+v, want %q", c.what, a, c.wrong[i])
			}
		}
	}
}

// Waiting for a student's file takes none of the program's time, however many wait. What
// computes meanwhile, or asks again and again, is ended, and the question with it.
func TestTimeOfQuestions(t *testing.T) {
	const opens = "\n\tos.Open(os.Getenv(\"MLLABS_DATASETS\") + \"/Hitters.csv\")\n"
	both := "var both sync.WaitGroup\nfor range 2 {\n\tboth.Go(func() {" + opens + "\t})\n}\nboth.Wait()\n"
	p := open(t, "lab3", nil)
	cells := []pageCell{
		{ID: "one", Source: "%%" + opens + "fmt.Println(\"one\")"},
		{ID: "two", Source: "%%\n" + both + "fmt.Println(\"two\")"},
		{ID: "computes", Source: "%%\ngo func() {" + opens + "}()\ntime.Sleep(50 * time.Millisecond)\nfor {\n}"},
		{ID: "asks for ever", Source: "%%\nfor {" + opens + "}"},
	}
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	const never = 1e8 // ms until the student answers
	for _, c := range []struct {
		id        string
		seconds   float64
		stopAfter any
		after     float64
		ended     string
		prints    string
		aborted   int
	}{
		{"one", 2, nil, 4000, "done", "one\n", 0},
		{"two", 2, nil, 4000, "done", "two\n", 0},
		{"computes", 2, nil, never, "time", "", 1},
		{"asks for ever", 2, nil, 0, "time", "", 0},
		{"one", 2, 3000, never, "stopped", "", 1},
		{"two", 2, 3000, never, "stopped", "", 1},
	} {
		r := call[struct {
			runResult
			Asked   []any
			Aborted int
		}](p, "run", c.id, map[string]any{"seconds": c.seconds}, c.stopAfter, nil, c.after)
		if r.Ended != c.ended || r.text(1) != c.prints {
			t.Errorf("%s, answered after %v ms: it ended as %s (%s) and printed %q; want %s, %q", c.id, c.after, r.Ended, r.Sentence, r.text(1), c.ended, c.prints)
		}
		if len(r.Asked) != 1 || r.Aborted != c.aborted {
			t.Errorf("%s, answered after %v ms: the student is asked %d times, want 1; %d questions are void, want %d", c.id, c.after, len(r.Asked), r.Aborted, c.aborted)
		}
	}
}

// The oracle is what the licences say: whoever names the source may give a file on, but not
// where trade or changes are excluded.
func TestMayBeGiven(t *testing.T) {
	for licence, want := range map[string]bool{
		"CC BY 4.0":    true,
		"CC BY-SA 4.0": true,
		"MIT":          true,
		"course material: CC BY-SA 4.0; values from UCI Adult: CC BY 4.0": true,
		"code: CC BY 4.0; data: CC BY-NC 4.0":                             false,
		"CC BY-NC 4.0":                                                    false,
		"CC BY-ND 4.0":                                                    false,
		"unknown":                                                         false,
		"":                                                                false,
	} {
		if got := mayBeGiven(licence); got != want {
			t.Errorf("%q: %v", licence, got)
		}
	}
}

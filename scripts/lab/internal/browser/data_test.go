package browser

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
)

// setOf returns the data set whose file is requested, "" for other requests.
func setOf(r *http.Request) string {
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	for _, set := range datasets.Names() {
		if strings.HasPrefix(name, set+"-") {
			return set
		}
	}
	return ""
}

// A program that opens a data file gets the site's copy, which the page fetches once. A
// failed fetch is repeated in the next run. The oracle is the catalogue's number of rows.
func TestData(t *testing.T) {
	var mu sync.Mutex
	fetched, refuses := map[string]int{}, true
	p := open(t, "lab3", func(files http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			set := setOf(r)
			mu.Lock()
			fetched[set]++
			refused := set == "ecoli" && refuses
			mu.Unlock()
			if refused {
				http.Error(w, "later", http.StatusServiceUnavailable)
				return
			}
			files.ServeHTTP(w, r)
		})
	})
	cells := []pageCell{{ID: "imports", Source: `import "github.com/mllabs-go/mllabs/datasets"`}}
	for _, set := range datasets.All() {
		cells = append(cells, pageCell{ID: set.Name, Source: fmt.Sprintf("%%%%\ndf, err := datasets.Load(%q)\nfmt.Println(df.Nrow(), err != nil)", set.Name)})
	}
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	prints := func(set, want string, times int) {
		t.Helper()
		r := call[runResult](p, "run", set)
		mu.Lock()
		defer mu.Unlock()
		if r.Ended != "done" || r.text(1) != want || fetched[set] != times {
			t.Errorf("%s: it ended as %s (%s) and printed %q, want %q; its file was fetched %d times, want %d", set, r.Ended, r.Sentence, r.text(1), want, fetched[set], times)
		}
	}
	prints("ecoli", "0 true\n", 1)
	mu.Lock()
	fetched["ecoli"], refuses = 0, false
	mu.Unlock()
	for _, set := range datasets.All() {
		times := len(set.Files)
		if from, err := datasets.Available(set.Name); err != nil {
			t.Fatal(err)
		} else if from == datasets.FromEmbedded {
			times = 0 // compiled into the program
		}
		for range 2 {
			prints(set.Name, fmt.Sprintf("%d false\n", set.Rows()), times)
		}
	}
}

// Waiting for data files does not count towards a program's time limit, but computing or
// reopening files does. A program that waits can be stopped.
func TestTimeOfFiles(t *testing.T) {
	const late, never = "hitters ecoli week3", "wdbc breast mushroom"
	p := open(t, "lab3", func(files http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch set := setOf(r); {
			case set == "":
			case strings.Contains(late, set):
				time.Sleep(12 * time.Second)
			case strings.Contains(never, set):
				<-r.Context().Done()
			}
			files.ServeHTTP(w, r)
		})
	})
	opens := func(file string) string {
		return fmt.Sprintf("os.Open(os.Getenv(\"MLLABS_DATASETS\") + \"/%s\")\n", file)
	}
	both := func(a, b string) string {
		return "var both sync.WaitGroup\nboth.Go(func() {\n" + opens(a) + "})\nboth.Go(func() {\n" + opens(b) + "})\nboth.Wait()\n"
	}
	cells := []pageCell{
		{ID: "one", Source: "%%\n" + opens("Hitters.csv") + "fmt.Println(\"one\")"},
		{ID: "two", Source: "%%\n" + both("ecoli.data", "week_3_data.csv") + "fmt.Println(\"two\")"},
		{ID: "computes", Source: "%%\ngo func() {\n" + opens("wdbc.data") + "}()\ntime.Sleep(50 * time.Millisecond)\nfor {\n}"},
		{ID: "for ever", Source: "%%\nfor {\n" + opens("letter-recognition.data") + "}"},
		{ID: "never", Source: "%%\n" + opens("wdbc.data") + "fmt.Println(\"never\")"},
		{ID: "never two", Source: "%%\n" + both("breast-cancer-wisconsin.data", "agaricus-lepiota.data") + "fmt.Println(\"never\")"},
	}
	if built := call[buildResult](p, "build", cells); !built.OK {
		t.Fatal(built.Problems)
	}
	for _, c := range []struct {
		id        string
		seconds   int // less than it waits, and enough for the rest on a busy machine
		stopAfter any
		ended     string
		prints    string
	}{
		{"one", 10, nil, "done", "one\n"},
		{"two", 10, nil, "done", "two\n"},
		{"computes", 2, nil, "time", ""},
		{"for ever", 2, nil, "time", ""},
		{"never", 10, 12_000, "stopped", ""},
		{"never two", 10, 12_000, "stopped", ""},
	} {
		r := call[runResult](p, "run", c.id, map[string]any{"seconds": c.seconds}, c.stopAfter)
		if r.Ended != c.ended || r.text(1) != c.prints {
			t.Errorf("%s: it ended as %s (%s) and printed %q; want %s, %q", c.id, r.Ended, r.Sentence, r.text(1), c.ended, c.prints)
		}
	}
}

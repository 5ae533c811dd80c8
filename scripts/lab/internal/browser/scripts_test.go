package browser

import (
	"net/http"
	"slices"
	"testing"
)

// openScripts opens a page that has single scripts of the engine, without the engine.
func openScripts(t *testing.T) *tab {
	t.Helper()
	return openPage(t, serveScripts(t))
}

// serveScripts serves that page, and returns its address.
func serveScripts(t *testing.T) string {
	files := http.NewServeMux()
	files.Handle("/web/", http.FileServerFS(web))
	files.Handle("/", http.FileServer(http.Dir("testdata")))
	return start(t, files) + "/scripts.html"
}

// A step of a program that is timed: at some millisecond, what the page tells the clock.
func step(at int, what ...any) []any { return append([]any{at}, what...) }

// The time of a program is what passes while it works, or while the page works for nobody.
// The oracle is sums by hand; the clock is given a time that is made up.
func TestClock(t *testing.T) {
	p := openScripts(t)
	for _, c := range []struct {
		name    string
		seconds float64
		steps   [][]any
		want    any // when the program is ended, in ms
	}{
		{"nothing is waited for", 10, nil, 10_000.},
		{"a wait of 50 s after 4", 10, [][]any{step(4000, "wait"), step(4000, "idle", true), step(54_000, "waited"), step(54_000, "idle", false)}, 60_000.},
		{"waits do not begin the time anew", 2, [][]any{step(1000, "wait"), step(1000, "idle", true), step(5000, "waited"), step(5000, "idle", false),
			step(5500, "wait"), step(5500, "idle", true), step(9500, "waited"), step(9500, "idle", false)}, 10_000.},
		{"two waits that overlap", 10, [][]any{step(1000, "wait"), step(1000, "wait"), step(1000, "idle", true), step(20_000, "waited"), step(20_000, "idle", false),
			step(20_500, "idle", true), step(30_000, "waited"), step(30_000, "idle", false)}, 38_500.},
		{"it computes while something is on its way", 10, [][]any{step(1000, "wait")}, 10_000.},
		{"it goes on while something is on its way, and for ever", 10, [][]any{step(1000, "wait"), step(1000, "idle", true), step(31_000, "idle", false)}, 40_000.},
		{"it sleeps, and nothing is on its way", 10, [][]any{step(1000, "idle", true)}, 10_000.},
		{"a thousand answers that are there at once", 10, thousandAnswers(), 10_000.},
		{"a part that takes too long", 10, [][]any{step(1000, "part", 3)}, 4000.},
		{"parts that end in time", 10, [][]any{step(1000, "part", 3), step(3000, "part", 3), step(5000, "part")}, 10_000.},
		{"a part that may take longer than is left", 10, [][]any{step(8000, "part", 3)}, 10_000.},
		{"a wait of 20 s in a part", 10, [][]any{step(1000, "part", 3), step(2000, "wait"), step(2000, "idle", true), step(22_000, "waited")}, 24_000.},
		{"a part begins in a wait", 10, [][]any{step(1000, "wait"), step(1000, "idle", true), step(2000, "part", 3), step(22_000, "waited")}, 25_000.},
		{"a part after it has ended", 10, [][]any{step(1000, "stop"), step(2000, "part", 3)}, nil},
		{"it has ended before", 10, [][]any{step(3000, "stop")}, nil},
		{"it has ended while something was on its way", 10, [][]any{step(3000, "wait"), step(3000, "idle", true), step(4000, "stop"), step(5000, "waited")}, nil},
	} {
		if got := call[any](p, "clockEnds", c.seconds, c.steps); got != c.want {
			t.Errorf("%s: it is ended at %v, want %v", c.name, got, c.want)
		}
	}
}

func thousandAnswers() (steps [][]any) {
	for i := range 1000 {
		at := 5 * i
		steps = append(steps, step(at, "wait"), step(at, "waited"), step(at, "idle", true), step(at+5, "idle", false))
	}
	return steps
}

// A file that is on its way is waited for by all who open it, and brought once; one that
// cannot be had is not there, and not asked for again.
func TestLentFiles(t *testing.T) {
	p := openScripts(t)
	got := call[struct {
		First, Again, Asked []string
		Awaited             int
	}](p, "opens", []string{"a", "a", "b", "none", "none"}, map[string]any{"a": "text of a", "b": "", "none": nil})
	want := []string{"text of a", "text of a", "", "ENOENT", "ENOENT"}
	if !slices.Equal(got.First, want) || !slices.Equal(got.Again, want) {
		t.Errorf("they read %q, then %q; want %q", got.First, got.Again, want)
	}
	if !slices.Equal(got.Asked, []string{"a", "b", "none"}) || got.Awaited != 0 {
		t.Errorf("asked for are %q, and %d are still awaited", got.Asked, got.Awaited)
	}
}

// A package is read when it is opened, by each who opens it.
func TestReadWhenOpened(t *testing.T) {
	p := openScripts(t)
	got := call[struct {
		Texts               []string
		Byte                string
		Before, Times, Size int
	}](p, "reads", "a package", 2, 3)
	if !slices.Equal(got.Texts, []string{"a package", "a package"}) || got.Byte != "a" || got.Before != 0 || got.Times != 2 || got.Size != 9 {
		t.Errorf("%+v", got)
	}
}

// A file is fetched once. After a failure it is fetched again the next time it is needed.
func TestFiles(t *testing.T) {
	p := openScripts(t)
	got := call[struct{ Came, Fetched []string }](p, "files", []string{"a", "a", "b", "b", "b"}, map[string]any{"a": []any{"aaa"}, "b": []any{nil, "bbb"}})
	if !slices.Equal(got.Came, []string{"aaa", "aaa", "the server says 503", "bbb", "bbb"}) || !slices.Equal(got.Fetched, []string{"a", "b", "b"}) {
		t.Errorf("%+v", got)
	}
}

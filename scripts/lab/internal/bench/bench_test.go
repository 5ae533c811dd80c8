package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/datasets"
	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/peers"
)

func TestMain(m *testing.M) {
	if os.Getenv("BENCH_TEST_WORKER") != "" {
		// Our side's process, as the tests below start it.
		if err := flowers.serve(os.Stdin, os.Stdout); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// flowers is a workload on data that are always at hand: on iris one test tells
// setosa from the rest, so that a tree of depth 1 is right about two classes of
// the three.
var flowers = Workload{Name: "flowers", Key: "tree", Peer: "scikit-learn", Bar: 1, Aim: 2,
	data: func() (train, test *mlcore.Dataset, err error) {
		ds, err := datasets.LoadDataset("iris")
		return ds, ds, err
	},
	prepare: fitting(mlcore.LearnClassifier(tree.Config{MaxDepth: 1}.FitClassifier)),
}

const flowersScore = 100. / 150

func TestWorkloadsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range Workloads() {
		if seen[w.Name] || w.Name == "" || w.Peer == "" || w.prepare == nil || w.Bar <= 0 || w.Aim < w.Bar || (w.data == nil) == (w.files == nil && w.share == nil) {
			t.Errorf("workload %+v", w)
		}
		seen[w.Name] = true
		if !strings.Contains(peers.BenchScript, `"`+w.Key+`":`) {
			t.Errorf("%s: the peer's script does not know %q", w.Name, w.Key)
		}
	}
}

func TestWorkerAnswersEachLine(t *testing.T) {
	var out bytes.Buffer
	if err := flowers.serve(strings.NewReader("run\nrun\n"), &out); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&out)
	for range 2 {
		var a turn
		if err := d.Decode(&a); err != nil || a.Score != flowersScore || a.Seconds <= 0 || a.Error != "" {
			t.Errorf("turn %+v (%v)", a, err)
		}
	}
	var e end
	if err := d.Decode(&e); err != nil || e.Versions["go"] == "" {
		t.Errorf("end %+v (%v)", e, err)
	}
	if err := Work("no such work", 0, nil, nil); err == nil {
		t.Error("an unknown workload: no error")
	}
}

// fakePython answers like the peer's script, with three given times.
func fakePython(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func measure(t *testing.T, python string) (Result, error) {
	t.Setenv("BENCH_TEST_WORKER", "1")
	return Measure(context.Background(), flowers, Options{Self: []string{os.Args[0]}, Python: python, Runs: 3})
}

func TestMeasureTakesMediansInTurn(t *testing.T) {
	r, err := measure(t, fakePython(t, `n=0
while read line; do n=$((n+1)); echo "{\"seconds\": $((n*10)), \"score\": 0.5}"; done
echo '{"peak_bytes": 1048576, "versions": {"pandas": "9"}}'`))
	if err != nil {
		t.Fatal(err)
	}
	// The first turn, of 10 seconds, does not count: the median of 20, 30, 40.
	if r.PeerSeconds != 30 || r.PeerScore != 0.5 || r.PeerPeak != 1<<20 || r.Versions["pandas"] != "9" || r.Score != flowersScore {
		t.Errorf("result %+v", r)
	}
	if want := r.PeerSeconds / r.Seconds; r.Ratio != want {
		t.Errorf("ratio %v, want %v", r.Ratio, want)
	}
}

// On one thread the processor's time counts, whatever the clock says.
func TestMeasureOnOneThread(t *testing.T) {
	t.Setenv("BENCH_TEST_WORKER", "1")
	python := fakePython(t, `manifest=$3
grep -q '"threads":1,' "$manifest" || { echo '{"unavailable": "more than one thread"}'; exit; }
while read line; do echo '{"seconds": 900, "cpu": 8, "score": 0.5}'; done
echo '{"peak_bytes": 1048576, "versions": {}}'`)
	r, err := Measure(context.Background(), flowers, Options{Self: []string{os.Args[0]}, Python: python, Runs: 2, OneThread: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.PeerSeconds != 8 || r.Bar != 1 || r.Aim != 2 {
		t.Errorf("result %+v; want 8 seconds of the peer's, bar 1, aim 2", r)
	}
}

// Both sides get the number of threads that is asked for: the worker's processors are
// those of its own process, the peer reads them in the manifest.
func TestMeasureOnThreads(t *testing.T) {
	t.Setenv("BENCH_TEST_WORKER", "1")
	for _, threads := range []int{0, 1, 16} {
		python := fakePython(t, fmt.Sprintf(`grep -q '"threads":%d,' "$3" || { echo '{"unavailable": "another number of threads"}'; exit; }
while read line; do echo '{"seconds": 900, "score": 0.5}'; done
echo '{"peak_bytes": 1048576, "versions": {}}'`, cmp.Or(threads, Threads)))
		r, err := Measure(context.Background(), flowers, Options{Self: []string{os.Args[0]}, Python: python, Runs: 1, Threads: threads})
		if err != nil || r.PeerSeconds != 900 {
			t.Errorf("%d threads: result %+v, error %v", threads, r, err)
		}
		if got := flowers.on(threads).processors(); got != cmp.Or(threads, Threads) {
			t.Errorf("%d threads: our side has %d", threads, got)
		}
	}
}

// Work of minutes runs once and is counted at once.
func TestMeasureOnce(t *testing.T) {
	t.Setenv("BENCH_TEST_WORKER", "1")
	long := flowers
	long.once = true
	// This peer takes 10 s for its first run, if it was asked before whether it is ready.
	r, err := Measure(context.Background(), long, Options{Self: []string{os.Args[0]}, Runs: 3, Python: fakePython(t, `asked=0
while read line; do
	if [ "$line" = ready ]; then asked=1; echo '{}'; else echo "{\"seconds\": $((asked*10)), \"score\": 0.5}"; asked=5; fi
done
echo '{"peak_bytes": 1048576, "versions": {}}'`)})
	if err != nil || r.PeerSeconds != 10 || r.Runs != 1 || r.Seconds <= 0 {
		t.Errorf("result %+v, error %v", r, err)
	}
	r, err = Measure(context.Background(), long, Options{Self: []string{os.Args[0]}, Python: fakePython(t, `echo '{"unavailable": "No module named pandas"}'`)})
	if !errors.Is(err, peers.ErrUnavailable) || r.Seconds <= 0 || r.PeerSeconds != 0 {
		t.Errorf("without a peer: result %+v, error %v", r, err)
	}
}

// The side without assembly takes its turns too, and has to give the same score.
func TestMeasureWithoutAssembly(t *testing.T) {
	t.Setenv("BENCH_TEST_WORKER", "1")
	side := func(score string) []string {
		return []string{fakePython(t, `while read line; do echo "{\"seconds\": 7, \"score\": `+score+`}"; done; echo '{"peak_bytes": 1}'`)}
	}
	r, err := Measure(context.Background(), flowers, Options{Self: []string{os.Args[0]}, Plain: side("0.6666666666666666"), Runs: 2})
	if !errors.Is(err, peers.ErrUnavailable) || r.Plain != 7 || r.Score != flowersScore {
		t.Errorf("result %+v, error %v; want 7 seconds without assembly", r, err)
	}
	if _, err = Measure(context.Background(), flowers, Options{Self: []string{os.Args[0]}, Plain: side("0.5"), Runs: 2}); err == nil || !strings.Contains(err.Error(), "the same to the last bit") {
		t.Errorf("scores that differ: %v", err)
	}
}

func TestMeasureWithoutPeer(t *testing.T) {
	for name, python := range map[string]string{
		"no Python":     "",
		"no pandas":     fakePython(t, `echo '{"unavailable": "No module named pandas"}'`),
		"no such thing": filepath.Join(t.TempDir(), "python"),
	} {
		r, err := measure(t, python)
		if name == "no such thing" {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if !errors.Is(err, peers.ErrUnavailable) || r.Seconds <= 0 || r.Ratio != 0 {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
}

func TestMeasureReportsWhatThePeerSays(t *testing.T) {
	_, err := measure(t, fakePython(t, `echo "Traceback" >&2; echo "MemoryError: too large" >&2; exit 1`))
	if err == nil || !strings.Contains(err.Error(), "MemoryError: too large") {
		t.Errorf("error %v", err)
	}
}

func TestMedian(t *testing.T) {
	for _, tc := range []struct {
		v    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{5, 1, 3}, 3}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(tc.v); got != tc.want {
			t.Errorf("median of %v: %v, want %v", tc.v, got, tc.want)
		}
	}
}

func TestExportIsReadBackWhole(t *testing.T) {
	dir := t.TempDir()
	w := Workload{Key: "tree", data: func() (train, test *mlcore.Dataset, err error) {
		train, test, err = continuous(100_000)
		return train.Subset([]int{0, 1, 2}), test.Subset([]int{0}), err
	}}
	path, err := w.export(dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil || m.Arrays["train_X"][0] != 3 || m.Arrays["train_X"][1] != 20 {
		t.Errorf("manifest %s (%v)", data, err)
	}
	for name, shape := range m.Arrays {
		size := int64(8)
		for _, n := range shape {
			size *= int64(n)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() != size {
			t.Errorf("%s: %v, want %d bytes", name, err, size)
		}
	}
}

func TestTable(t *testing.T) {
	text := Markdown([]Result{
		{Workload: "a", Peer: "p", Seconds: 0.01, PeerSeconds: 0.05, Plain: 0.03, Ratio: 5, Bar: 4, Aim: 8, Score: 0.9, PeerScore: 0.91, PeakBytes: 3 << 20, PeerPeak: 9 << 20, Versions: map[string]string{"go": "go1.26", "pandas": "3"}},
		{Workload: "b", Peer: "p", Seconds: 2, Bar: 1, Aim: 2, Score: 45221},
	}, Options{}, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{}, "bench --markdown scripts/bench.md` on"},
		{Options{Threads: 16}, "bench --threads 16 --markdown"},
		{Options{Threads: 16}, ", 16 threads.\n"},
		{Options{OneThread: true}, ", CPU time on 1 thread.\n"},
		{Options{OneThread: true, Purego: true}, "bench --purego --markdown scripts/bench-purego.md` on"},
		{Options{OneThread: true, Purego: true}, ", mlcore without assembly, CPU time on 1 thread.\n"},
	} {
		if text := Markdown(nil, c.o, time.Now()); !strings.Contains(text, c.says) {
			t.Errorf("table of %+v lacks %q:\n%s", c.o, c.says, text)
		}
	}
	for _, want := range []string{"20 November 2026", "2 threads", "3.00 times as long (geometric mean, rows: 1)", "go 1.26, pandas 3", "| a | p | 10 ms | 50 ms | 5.00 | 4 | 8 | 0.9000 | 0.9100 | 3 MiB | 9 MiB | 3.0 | 30 ms |", "| b | p | 2 s | - | - | 1 | 2 | 45221 | - | - | - | - | - |", "5.00 beside the other libraries"} {
		if !strings.Contains(text, want) {
			t.Errorf("table lacks %q:\n%s", want, text)
		}
	}
}

// What is written is read again, and what is not such a table is refused.
func TestParseMarkdown(t *testing.T) {
	text := Markdown([]Result{
		{Workload: "a", Peer: "p", Seconds: 0.01, PeerSeconds: 0.05, Plain: 0.03, Ratio: 5, Bar: 4, Aim: 8, Score: 0.9, PeerScore: 0.91, PeakBytes: 3 << 20, PeerPeak: 9 << 20, Versions: map[string]string{"go": "go1.26"}},
		{Workload: "b", Peer: "q", Seconds: 2, Bar: 1, Aim: 2, Score: 45221},
	}, Options{}, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	r, err := ParseMarkdown(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []ReportRow{
		{"a", "p", "10 ms", "50 ms", 5, "0.9000", "0.9100", "3 MiB", "9 MiB"},
		{"b", "q", "2 s", "-", 0, "45221", "-", "-", "-"},
	}
	if !slices.Equal(r.Rows, want) || !strings.Contains(r.Made, "20 November 2026") || r.Versions != "Versions: go 1.26." || !strings.Contains(r.Means, "5.00 beside") {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ text, says string }{
		{"", "no rows"},
		{"| a | b |\n", "line 1 of the times: 2 columns, fewer than 11"},
		{strings.Replace(text, "| 5.00 |", "| fast |", 1), `the ratio is "fast"`},
		{strings.Replace(text, "| 5.00 |", "| -1 |", 1), `the ratio is "-1"`},
	} {
		if _, err := ParseMarkdown(c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// By hand: the root of 2 times 8 is 4, that of 4 times 9 is 6.
func TestMeans(t *testing.T) {
	for _, tc := range []struct {
		results []Result
		want    string
	}{
		{nil, ""},
		{[]Result{{Peer: "scikit-learn"}}, ""},
		{[]Result{
			{Peer: "scikit-learn", Ratio: 2}, {Peer: "scikit-learn, dense or sparse", Ratio: 8}, {Peer: "scikit-learn with Intel's extension", Ratio: 3},
			{Peer: "YDF", Ratio: 4}, {Peer: "pandas", Ratio: 9},
		}, "Geometric means of the ratios: 4.00 beside scikit-learn (rows: 2), 3.00 beside Intel's extension (rows: 1), 6.00 beside the other libraries (rows: 2)."},
	} {
		if got := Means(tc.results); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// By hand: of 1 to 10 the median is the 5th, and nine tenths do not exceed the 9th.
func TestCellLine(t *testing.T) {
	bare := CellTimes{Name: "fmt alone", Seconds: []float64{2}}
	c := CellTimes{Name: "c/n", Seconds: []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, Failed: 2}
	if got, want := strings.Join(strings.Fields(c.Line(bare)), " "), "c/n 10 5.00 9.00 10.00 2.5 (2 did not compile)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := strings.TrimSpace((CellTimes{Name: "empty"}).Line(bare)); !strings.HasSuffix(got, " 0") {
		t.Errorf("without a program: %q", got)
	}
}

package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/notebook"
)

// BenchmarkPage measures once what doc.go tells, with the machine as it is:
// go test -run '^$' -bench Page -benchtime 1x -v
func BenchmarkPage(t *testing.B) {
	nb, err := notebook.Read(filepath.Join(root, "notebooks", "lab3", "exercises", "01_nearest_neighbours.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, "lab3", nil)
	t.Logf("described as %+v", p.described)
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("load %s", load)
	begun := time.Now()
	var most atomic.Int64
	go func() {
		for t.Context().Err() == nil {
			memory, _ := renderer()
			most.Store(max(most.Load(), int64(memory)))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	_, used := renderer()
	step := func(what string) {
		memory, now := renderer()
		t.Logf("%-28s %6.2f s, %5.2f s of a processor, the page has %d MB, had at most %d", what, time.Since(begun).Seconds(), now-used, memory>>20, most.Swap(0)>>20)
		begun, used = time.Now(), now
	}
	call[any](p, "load")
	step("tools loaded")
	cells := cellsOf(nb)
	change := func(from, to string) {
		for i := range cells {
			cells[i].Source = strings.ReplaceAll(cells[i].Source, from, to)
		}
	}
	run := func(what, id string) {
		built := call[buildResult](p, "build", cells)
		r := call[runResult](p, "run", id, nil)
		step(what)
		t.Logf("    %v, %d problems, %s in %.0f ms, %.0f MB", built.Times, len(built.Problems), r.Ended, r.MS, r.Bytes/1e6)
	}
	run("first build and run", "data-figure")
	run("unchanged", "distances-check")
	change("panic(nbkit.NotImplemented(\"Distances\"))", "return nil")
	run("edit", "distances-check")
	change("return nil", "return []float64{1}")
	run("another edit", "distances-check")
	change("return []float64{1}", "return 1")
	built := call[buildResult](p, "build", cells)
	step("compile error")
	t.Logf("    %+v, left %v, %v", built.Problems, built.Omitted, built.Times)
	change("return 1\n", "return []float64{}\n")
	run("after it", "distances-check")
}

// renderer is what the page's process, that of the browser's renderers with the most memory,
// has of memory in bytes, and the seconds of a processor that it has used.
func renderer() (memory int, seconds float64) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if !strings.Contains(string(line), "--type=renderer") {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(dir, "smaps_rollup"))
		for l := range strings.Lines(string(text)) {
			f := strings.Fields(l)
			if len(f) < 2 || f[0] != "Pss:" {
				continue
			}
			if kb, _ := strconv.Atoi(f[1]); kb<<10 > memory {
				memory = kb << 10
				stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
				numbers := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
				user, _ := strconv.Atoi(numbers[11])
				system, _ := strconv.Atoi(numbers[12])
				seconds = float64(user+system) / 100
			}
		}
	}
	return memory, seconds
}

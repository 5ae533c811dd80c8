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

// BROWSER_MEASURE=1 measures what doc.go tells, with the machine as it is.
func TestMeasure(t *testing.T) {
	if os.Getenv("BROWSER_MEASURE") == "" {
		t.Skip("BROWSER_MEASURE is not set")
	}
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
		for {
			most.Store(max(most.Load(), int64(resident())))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	step := func(what string) {
		t.Logf("%-28s %6.2f s, the page has %d MB, had at most %d", what, time.Since(begun).Seconds(), resident()>>20, most.Swap(0)>>20)
		begun = time.Now()
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
	t.Logf("    %+v, left %v, %v", built.Problems, built.Left, built.Times)
	change("return 1\n", "return []float64{}\n")
	run("after it", "distances-check")
	time.Sleep(5 * time.Second)
	begun = time.Now()
	step("five seconds later")
}

// resident is the memory of the browser's largest renderer in bytes.
func resident() (most int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if !strings.Contains(string(line), "--type=renderer") {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(dir, "smaps_rollup"))
		for l := range strings.Lines(string(text)) {
			if f := strings.Fields(l); len(f) > 1 && f[0] == "Pss:" {
				if kb, _ := strconv.Atoi(f[1]); kb<<10 > most {
					most = kb << 10
				}
			}
		}
	}
	return most
}

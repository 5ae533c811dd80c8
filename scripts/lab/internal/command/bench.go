//go:build !handout && !light

package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/notebooks/atomicfile"
	"github.com/mllabs-go/mllabs/notebooks/peers"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/bench"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/project"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/scratch"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/setup"
)

var benchCommand = command{
	name:  "bench",
	short: "time the library beside scikit-learn and its like",
	long: `
Runs each workload in turn on our side and on the peer library's, on the same data
and settings and with two threads (--threads), five counted runs each after one that is not
counted, and prints the medians, the ratio, both scores and both peak memories.
The UCI experiment, which takes the peer minutes, runs once.
The peers are installed privately into .lab/bench; where there is no Python for
them, our side runs alone. Nothing else should run meanwhile.

--purego measures the library without its assembly, as it is built for other processors
and for a browser: both sides on one thread, by CPU time, which other work
on the machine hardly changes. The bar is then 1 and the aim 2, in every row. Rows of
Intel's extension, which is written for one kind of processor, are left out.

--one-thread gives each side one thread and takes CPU time for the clock's, so that a
machine that does other work too can be measured on; bars and aims are those of --purego.

--ours leaves the peers out: it prints what the library's assembly gains on this
processor, and needs Go alone. Nobody has measured a Mac yet: if you have one, please send
the table in (--markdown FILE).

--search N draws N workloads, an estimator and a shape of data each (rows, columns,
classes, zeros, copies, rank, few values, scales), and measures them as --one-thread
does. It names those on which the peer is more than twice as fast; with any, the exit
code is 1. --seed S draws others.

--only cell measures notebooks instead: how long the kernel takes to compile each
cell, as a reader waits for it, beside a cell with fmt alone.

--growth measures instead how time and memory grow with rows, columns, classes and
threads, for the notebook cits5508/10_growth, which reads FILE from
notebooks/cits5508/growth.json. It takes about ten minutes and wants the peers; FILE
is written at the end, whole or not at all.`,
	run: func(fs *flag.FlagSet) func(context.Context, *env, []string) error {
		var b benchmark
		fs.StringVar(&b.only, "only", "", "run the workloads whose names hold this `text`; cell: measure notebooks")
		fs.StringVar(&b.json, "json", "", "write the results to this file as JSON")
		fs.StringVar(&b.markdown, "markdown", "", "write the results to this file as a table")
		fs.StringVar(&b.growth, "growth", "", "measure growth, and write it to this `file` as JSON")
		fs.BoolVar(&b.purego, "purego", false, "measure the library without assembly, on one thread")
		fs.IntVar(&b.runs, "runs", 5, "counted runs on each side")
		fs.StringVar(&b.worker, "worker", "", "be our side's process of one workload (used by bench itself)")
		fs.IntVar(&b.threads, "threads", 0, "processors that each side may use; 0 means two")
		fs.IntVar(&b.search, "search", 0, "draw so many workloads, to find slow ones")
		fs.Uint64Var(&b.seed, "seed", 1, "of --search")
		fs.BoolVar(&b.ours, "ours", false, "leave the peers out")
		fs.BoolVar(&b.oneThread, "one-thread", false, "one thread on each side, by CPU time")
		return b.run
	},
}

type benchmark struct {
	only, json, markdown, growth, worker string
	runs, threads, search                int
	seed                                 uint64
	purego, oneThread, ours              bool
}

func (b *benchmark) run(ctx context.Context, e *env, args []string) error {
	if len(args) > 0 {
		return usagef("bench takes no arguments, got %q; --only NAME picks workloads", args)
	}
	if b.runs < 1 {
		return usagef("--runs %d: at least one run must count", b.runs)
	}
	if b.threads < 0 {
		return usagef("--threads %d: each side needs at least one", b.threads)
	}
	if b.threads > 0 && (b.oneThread || b.purego || b.growth != "") {
		return usagef("--threads %d: --one-thread, --purego and --growth have their own numbers of threads", b.threads)
	}
	if b.worker != "" {
		return bench.Work(b.worker, b.threads, os.Stdin, e.out)
	}
	if b.growth != "" {
		return b.measureGrowth(ctx, e)
	}
	picked := b.pick()
	if b.search < 0 {
		return usagef("--search %d: at least one workload has to be drawn", b.search)
	}
	if b.search > 0 {
		if b.only != "" || b.purego || b.ours || b.threads > 0 {
			return usagef("--search draws its own workloads, and measures both sides on one thread: leave out --only, --purego, --ours and --threads")
		}
		picked, b.oneThread = bench.Drawn(b.seed, b.search), true
	}
	if b.only == cells {
		return b.cells(ctx, e)
	}
	if len(picked) == 0 {
		return usagef("no workload's name holds %q; there are:\n  %s", b.only, strings.Join(workloadNames(), "\n  "))
	}
	o, err := b.options(ctx, e)
	if err != nil {
		return err
	}
	if b.ours && b.purego {
		return usagef("--ours compares the library with itself without assembly: leave out --purego")
	}
	folder, err := scratch.New("purego")
	if err != nil {
		return err
	}
	defer folder.Remove()
	plain := filepath.Join(folder.Path, "lab")
	if err := e.goTool(ctx, "build", "-tags", "purego", "-o", plain, project.Module+"/scripts/lab/internal/tool"); err != nil {
		return fmt.Errorf("build without assembly: %w", err)
	}
	o.Threads, o.OneThread = b.threads, b.oneThread || b.purego
	worker := []string{"bench", "--threads", strconv.Itoa(o.Threads), "--worker"}
	if o.OneThread {
		worker[2] = "1"
	}
	if o.Plain = append([]string{plain}, worker...); b.purego {
		o.Self, o.Plain, o.Purego = o.Plain, nil, true
	} else {
		o.Self = append(o.Self[:1:1], worker...)
	}
	var results []bench.Result
	for i, w := range picked {
		r, err := bench.Measure(ctx, w, o)
		if errors.Is(err, peers.ErrUnavailable) {
			if o.Python != "" {
				e.say("no comparison: %v", err)
			}
		} else if err != nil {
			return err
		}
		e.say("[%d/%d] %s", i+1, len(picked), r.Line())
		results = append(results, r)
	}
	for _, sentence := range []string{bench.Means(results), bench.Gain(results)} {
		if sentence != "" {
			e.say("%s", sentence)
		}
	}
	if err := b.write(results, o); err != nil || b.search == 0 {
		return err
	}
	return slowOnes(results)
}

// slowOnes is an error that names the workloads that a search has found.
func slowOnes(results []bench.Result) error {
	var slow []string
	for _, r := range results {
		if r.Ratio > 0 && r.Ratio < bench.TooSlow {
			slow = append(slow, fmt.Sprintf("%s: ratio %.2f", r.Workload, r.Ratio))
		}
	}
	if len(slow) == 0 {
		return nil
	}
	return fmt.Errorf("on %d of %d drawn workloads the peer is more than twice as fast:\n  %s", len(slow), len(results), strings.Join(slow, "\n  "))
}

// options say how to measure: our side is this program again.
func (b *benchmark) options(ctx context.Context, e *env) (bench.Options, error) {
	self, err := os.Executable()
	o := bench.Options{Self: []string{self, "bench", "--worker"}, Runs: b.runs}
	if err == nil && !b.ours {
		o.Python = e.peerPython(ctx)
	}
	return o, err
}

// measureGrowth writes a file that holds everything or, after an error, is as it was.
func (b *benchmark) measureGrowth(ctx context.Context, e *env) error {
	if b.only != "" || b.json != "" || b.markdown != "" || b.purego || b.ours {
		return usagef("--growth measures all of its points and writes a file of its own: leave out --only, --json, --markdown, --purego and --ours")
	}
	path := filepath.Clean(b.growth)
	if err := atomicfile.CanWrite(path); err != nil {
		return err
	}
	o, err := b.options(ctx, e)
	if err != nil {
		return err
	}
	if o.Python == "" {
		return fmt.Errorf("%s is not written: growth is measured beside the peers: %w", path, peers.ErrUnavailable)
	}
	g, err := bench.MeasureGrowth(ctx, o, func(i, of int, line string) { e.say("[%d/%d] %s", i, of, line) })
	if err != nil {
		return fmt.Errorf("%s is not written: %w", path, err)
	}
	data, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return fmt.Errorf("growth: %w", err)
	}
	return atomicfile.Write(path, append(data, '\n'))
}

// cells is what --only calls the cells of notebooks.
const cells = "cell"

// cells prints a table of the times that the notebooks' cells take to be compiled. A
// notebook that cannot be measured is named; that is no failure of a benchmark.
func (b *benchmark) cells(ctx context.Context, e *env) error {
	tools, err := e.setUp(ctx, "auto")
	if err != nil {
		return err
	}
	nbs, err := e.Resolve(nil)
	if err != nil {
		return err
	}
	bare, err := bench.BareCells(ctx, tools)
	if err != nil {
		return err
	}
	e.say("%s", bench.CellsHeading)
	e.say("%s", bare.Line(bare))
	for _, nb := range nbs {
		times, err := bench.NotebookCells(ctx, tools, nb)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			e.say("%s: not measured: %v", nb.Name(), err)
			continue
		}
		e.say("%s", times.Line(bare))
	}
	return nil
}

// peerPython is the interpreter of the peers, "" where there is none.
func (e *env) peerPython(ctx context.Context) string {
	python, err := setup.BenchPeers(ctx, e.Project, setup.Options{Log: e.out})
	if err != nil {
		e.say("our side alone: %v", err)
		return ""
	}
	return python
}

func (b *benchmark) pick() (picked []bench.Workload) {
	for _, w := range bench.Workloads() {
		if (b.purego || b.ours) && w.BesideIntel() {
			continue
		}
		if strings.Contains(strings.ToLower(w.Name), strings.ToLower(b.only)) {
			picked = append(picked, w)
		}
	}
	return picked
}

func workloadNames() (names []string) {
	for _, w := range bench.Workloads() {
		names = append(names, w.Name)
	}
	return names
}

func (b *benchmark) write(results []bench.Result, o bench.Options) error {
	if b.json != "" {
		data, err := json.MarshalIndent(results, "", "  ")
		if err != nil {
			return fmt.Errorf("results: %w", err)
		}
		if err := atomicfile.Write(filepath.Clean(b.json), append(data, '\n')); err != nil {
			return err
		}
	}
	if b.markdown != "" {
		return atomicfile.Write(filepath.Clean(b.markdown), []byte(bench.Markdown(results, o, time.Now())))
	}
	return nil
}

package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"
)

// A turn is a worker's answer to one line "run": the seconds that the work took, by the
// clock and of the processor, and its score.
type turn struct {
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
	Score   float64 `json:"score"`
	Error   string  `json:"error,omitempty"`
}

// taken is the time that counts.
func (t turn) taken(processor bool) float64 {
	if processor {
		return t.CPU
	}
	return t.Seconds
}

// An end is a worker's answer to the end of its input.
type end struct {
	PeakBytes int64             `json:"peak_bytes"`
	Versions  map[string]string `json:"versions,omitempty"`
}

// Work is our side's process: it prepares a workload for so many threads (0: as many as
// the workload says), answers every line "run" of in with one run and "ready" with
// nothing, and at the end tells its peak memory. The peer's script keeps to the same words.
func Work(name string, threads int, in io.Reader, out io.Writer) error {
	for _, w := range append(Workloads(), growthWorkloads()...) {
		if w.Name == name {
			return w.on(threads).serve(in, out)
		}
	}
	if w, found := drawnAs(name); found {
		return w.on(threads).serve(in, out)
	}
	return fmt.Errorf("no workload is called %q", name)
}

func (w Workload) serve(in io.Reader, out io.Writer) error {
	runtime.GOMAXPROCS(w.processors())
	answer := json.NewEncoder(out)
	work, err := w.ready()
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if lines.Text() == "ready" {
			if err := answer.Encode(turn{}); err != nil {
				return err
			}
			continue
		}
		runtime.GC()
		start, used := time.Now(), processorSeconds()
		score, err := work()
		t := turn{Seconds: time.Since(start).Seconds(), CPU: processorSeconds() - used}
		if err == nil {
			t.Score, err = score()
		}
		if err != nil {
			t.Error = err.Error()
		}
		if err := answer.Encode(t); err != nil {
			return err
		}
	}
	return answer.Encode(end{PeakBytes: peakBytes(), Versions: map[string]string{"go": runtime.Version()}})
}

func (w Workload) ready() (func() (scored, error), error) {
	if w.data == nil {
		return w.prepare(nil, nil)
	}
	train, test, err := w.data()
	if err != nil {
		return nil, err
	}
	return w.prepare(train, test)
}

// peakBytes is the most memory that this process ever had resident, 0 where the
// system does not tell.
func peakBytes() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, found := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if !found || len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kib * 1024
}

package bench

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"
)

// Markdown writes results as a table with the machine, the versions, the date and how
// they were measured above it.
func Markdown(results []Result, o Options, when time.Time) string {
	var b strings.Builder
	flags, threads := "", fmt.Sprintf("%d threads", cmp.Or(o.Threads, Threads))
	file, without := "bench.md", " Without assembly is\n"+
		"what the library takes as it is built for other processors and for a browser, on this one."
	switch {
	case o.Purego:
		flags, threads = "--purego ", "mlcore without assembly, CPU time on 1 thread"
		file, without = "bench-purego.md", ""
	case o.OneThread:
		flags, threads = "--one-thread ", "CPU time on 1 thread"
	case o.Threads != 0:
		flags = fmt.Sprintf("--threads %d ", o.Threads)
	}
	fmt.Fprintf(&b, "# Times beside the peers\n\nMade by `go run ./scripts/lab bench %s--markdown scripts/%s` on %s; %s, %s.\n", flags, file, when.Format("2 January 2006"), machine(), threads)
	if v := versions(results); v != "" {
		fmt.Fprintf(&b, "Versions: %s.\n", v)
	}
	fmt.Fprintf(&b, "Times are medians of runs taken in turn; the ratio is the peer's over ours.%s The\nmemory's ratio is the peer's peak over ours.\n\n", without)
	b.WriteString("| workload | peer | mlcore | peer's | ratio | bar | aim | score | peer's | peak memory | peer's | memory's ratio | without assembly |\n")
	b.WriteString("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r.cells(), " | "))
	}
	if means := Means(results); means != "" {
		fmt.Fprintf(&b, "\n%s\n", means)
	}
	if gain := Gain(results); gain != "" {
		fmt.Fprintf(&b, "\n%s\n", gain)
	}
	return b.String()
}

// Gain says in a sentence the geometric mean of what the assembly gains, "" where that
// was not measured.
func Gain(results []Result) string {
	logs, rows := 0.0, 0
	for _, r := range results {
		if r.Plain > 0 {
			logs += math.Log(r.Plain / r.Seconds)
			rows++
		}
	}
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf("Without assembly the library takes %.2f times as long (geometric mean, rows: %d).", math.Exp(logs/float64(rows)), rows)
}

// Kinds are the kinds of peers.
var Kinds = []string{"scikit-learn", "Intel's extension", "the other libraries"}

// KindOf is the place of a peer in [Kinds].
func KindOf(peer string) int {
	switch {
	case strings.HasSuffix(peer, Kinds[1]):
		return 1
	case strings.HasPrefix(peer, Kinds[0]):
		return 0
	}
	return 2
}

// Means says in a sentence the geometric mean of the ratios beside each kind of peer, ""
// where there was none.
func Means(results []Result) string {
	logs, rows := make([]float64, len(Kinds)), make([]int, len(Kinds))
	for _, r := range results {
		if r.Ratio == 0 {
			continue
		}
		k := KindOf(r.Peer)
		logs[k] += math.Log(r.Ratio)
		rows[k]++
	}
	var parts []string
	for k, kind := range Kinds {
		if rows[k] > 0 {
			parts = append(parts, fmt.Sprintf("%.2f beside %s (rows: %d)", math.Exp(logs[k]/float64(rows[k])), kind, rows[k]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Geometric means of the ratios: " + strings.Join(parts, ", ") + "."
}

func (r Result) cells() []string {
	peers, ratio, plain, peersScore, peersPeak, lighter := "-", "-", "-", "-", "-", "-"
	if r.Ratio > 0 {
		peers, ratio, peersScore, peersPeak = seconds(r.PeerSeconds), fmt.Sprintf("%.2f", r.Ratio), score(r.PeerScore), mebibytes(r.PeerPeak)
	}
	if r.Plain > 0 {
		plain = seconds(r.Plain)
	}
	if r.PeakBytes > 0 && r.PeerPeak > 0 {
		lighter = fmt.Sprintf("%.1f", float64(r.PeerPeak)/float64(r.PeakBytes))
	}
	return []string{r.Workload, r.Peer, seconds(r.Seconds), peers, ratio, number(r.Bar), number(r.Aim), score(r.Score), peersScore, mebibytes(r.PeakBytes), peersPeak, lighter, plain}
}

// Line is a result in one line of text.
func (r Result) Line() string {
	if r.Ratio == 0 {
		line := fmt.Sprintf("%s: %s, score %s, %s", r.Workload, seconds(r.Seconds), score(r.Score), mebibytes(r.PeakBytes))
		if r.Plain > 0 {
			line += fmt.Sprintf("; without assembly %s, %.2f times as long", seconds(r.Plain), r.Plain/r.Seconds)
		}
		return line
	}
	verdict := "BELOW THE BAR of " + number(r.Bar)
	switch {
	case r.Bar == 0:
		verdict = "no bar"
	case r.Ratio >= r.Aim:
		verdict = "reaches the aim of " + number(r.Aim)
	case r.Ratio >= r.Bar:
		verdict = "reaches the bar of " + number(r.Bar)
	}
	line := fmt.Sprintf("%s: %s against %s of %s, ratio %.2f, %s; scores %s and %s; peak %s and %s", r.Workload,
		seconds(r.Seconds), seconds(r.PeerSeconds), r.Peer, r.Ratio, verdict, score(r.Score), score(r.PeerScore), mebibytes(r.PeakBytes), mebibytes(r.PeerPeak))
	if r.Plain > 0 {
		line += "; without assembly " + seconds(r.Plain)
	}
	return line
}

func number(v float64) string { return fmt.Sprintf("%g", v) }

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.3g ms", s*1000)
	}
	return fmt.Sprintf("%.3g s", s)
}

func score(s float64) string {
	if s > 1 {
		return fmt.Sprintf("%.0f", s)
	}
	return fmt.Sprintf("%.4f", s)
}

func mebibytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// versions lists what ran, each once, in a fixed order.
func versions(results []Result) string {
	var list []string
	for _, name := range []string{"go", "python", "numpy", "pandas", "scikit-learn", "scikit-learn-intelex", "xgboost", "lightgbm", "catboost", "ydf", "onnxruntime"} {
		for _, r := range results {
			if v, ok := r.Versions[name]; ok {
				list = append(list, name+" "+strings.TrimPrefix(v, "go"))
				break
			}
		}
	}
	return strings.Join(list, ", ")
}

// machine is the processor's name where the system tells it.
func machine() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			if name, model, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(model)
			}
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

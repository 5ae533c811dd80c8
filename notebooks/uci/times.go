package uci

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// A measuredTime is the processor time of an algorithm on one repeat, which is five folds, of a set.
type measuredTime struct {
	Set       Set       `json:"set"`
	Algorithm Algorithm `json:"algorithm"`
	Seconds   float64   `json:"seconds"`
}

// times is what "go test ./notebooks/uci -run TestCommittedTimes -update" writes.
//
//go:embed times.json
var times []byte

// measuredTimes returns the times of this folder's times.json, which were measured once, with the
// stated settings and a single worker. They are processor time of the whole program, so that
// other programs on the machine count little.
var measuredTimes = sync.OnceValues(func() ([]measuredTime, error) {
	var list []measuredTime
	return list, json.Unmarshal(times, &list)
})

// TimeTable is the table of the committed times: the seconds of the whole experiment, ten repeats, by algorithm and set, and
// their sums.
func TimeTable() [][]string { return timeTable(must(measuredTimes())) }

func timeTable(list []measuredTime) [][]string {
	const repeats = 10
	table := [][]string{append(append([]string{"seconds"}, setNames()...), "all")}
	seconds := func(take func(t measuredTime) bool) string {
		sum := 0.0
		for _, t := range list {
			if take(t) {
				sum += repeats * t.Seconds
			}
		}
		return fmt.Sprintf("%.2f", sum)
	}
	row := func(name string, own func(a Algorithm) bool) {
		line := []string{name}
		for _, s := range Sets() {
			line = append(line, seconds(func(t measuredTime) bool { return t.Set == s && own(t.Algorithm) }))
		}
		table = append(table, append(line, seconds(func(t measuredTime) bool { return own(t.Algorithm) })))
	}
	for _, r := range Rows() {
		row(string(r), func(a Algorithm) bool { return a == r || r == KNN && a.neighbours() })
	}
	row("all", func(Algorithm) bool { return true })
	return table
}

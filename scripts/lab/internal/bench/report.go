package bench

import (
	"fmt"
	"strconv"
	"strings"
)

// A Report is what a file of [Markdown] says.
type Report struct {
	// Made says with what, when and on which machine, Versions what ran.
	Made, Versions string
	Rows           []ReportRow
	Means          string
}

// A ReportRow is a workload beside its peer. Times and sizes are as they were written.
type ReportRow struct {
	Workload, Peer   string
	Time, PeerTime   string
	Ratio            float64 // the peer's time over ours; 0 without a peer
	Score, PeerScore string
	Peak, PeerPeak   string
}

// columns are the first ones of the table that [Markdown] writes; what is behind them is for
// readers.
const columns = 11

// ParseMarkdown reads what [Markdown] has written.
func ParseMarkdown(text string) (*Report, error) {
	r := &Report{}
	heading := false
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "Made by "):
			r.Made = line
		case strings.HasPrefix(line, "Versions: "):
			r.Versions = line
		case strings.HasPrefix(line, "Geometric means "):
			r.Means = line
		case strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			if len(cells) < columns {
				return nil, fmt.Errorf("line %d of the times: %d columns, fewer than %d; lab bench --markdown writes the file", n+1, len(cells), columns)
			}
			if !heading || strings.HasPrefix(cells[0], "---") {
				heading = true
				continue
			}
			row := ReportRow{Workload: cells[0], Peer: cells[1], Time: cells[2], PeerTime: cells[3], Score: cells[7], PeerScore: cells[8], Peak: cells[9], PeerPeak: cells[10]}
			if cells[4] != "-" {
				var err error
				if row.Ratio, err = strconv.ParseFloat(cells[4], 64); err != nil || !(row.Ratio > 0) {
					return nil, fmt.Errorf("line %d of the times: the ratio is %q", n+1, cells[4])
				}
			}
			r.Rows = append(r.Rows, row)
		}
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("the times have no rows; lab bench --markdown writes the file")
	}
	return r, nil
}

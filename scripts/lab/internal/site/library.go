package site

import (
	"cmp"
	"context"
	"html/template"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/scripts/lab/internal/bench"
	"github.com/mllabs-go/mllabs/scripts/lab/internal/export"
)

// A Library is what the page for Go programmers shows of mlcore.
type Library struct {
	// Program is the source of an example, as it stands in a file.
	Program string
	// Times are those of the library beside its peers.
	Times *bench.Report
}

const libraryPage = "library.html"

// A comparison is the library beside one kind of peer, the largest ratio first.
type comparison struct {
	Peers string
	Rows  []bench.ReportRow
}

// Part is the length of a ratio's bar, as part of the longest.
func (c comparison) Part(ratio float64) float64 { return ratio / c.Rows[0].Ratio }

// writeLibrary writes the page for Go programmers.
func (b *builder) writeLibrary(ctx context.Context) error {
	if b.Library == nil {
		return nil
	}
	program, err := export.Piece(ctx, b.Root, "```go\n"+strings.TrimSpace(b.Library.Program)+"\n```\n")
	if err != nil {
		return err
	}
	get, err := export.Piece(ctx, b.Root, "```\ngo get github.com/mllabs-go/mllabs\n```\n")
	if err != nil {
		return err
	}
	data := struct {
		Get, Program          template.HTML
		Made, Versions, Means string
		Comparisons           []comparison
	}{Get: template.HTML(get), Program: template.HTML(program)}
	if t := b.Library.Times; t != nil {
		data.Made, data.Versions, data.Means = strings.ReplaceAll(t.Made, "`", ""), t.Versions, t.Means
		for k, kind := range bench.Kinds {
			c := comparison{Peers: kind}
			for _, r := range t.Rows {
				if r.Ratio > 0 && bench.KindOf(r.Peer) == k {
					c.Rows = append(c.Rows, r)
				}
			}
			if len(c.Rows) > 0 {
				slices.SortStableFunc(c.Rows, func(a, b bench.ReportRow) int { return cmp.Compare(b.Ratio, a.Ratio) })
				data.Comparisons = append(data.Comparisons, c)
			}
		}
	}
	const title, about = "The library", "mlcore for Go programmers: a whole program, what one can rely on, and times beside other libraries."
	b.search.add(section{Page: libraryPage, Title: title, Text: about})
	return b.writePage(libraryPage, "library", title, about, data)
}

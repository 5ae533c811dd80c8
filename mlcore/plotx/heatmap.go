package plotx

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"gonum.org/v1/gonum/mat"
)

// SearchMap draws the table of a grid search over two settings: the first one's
// values from the top, the second's from left to right, in each cell the mean of the
// first scorer in the given fmt verb such as "%.3f". The better a cell's score, the
// darker the cell; the best has a frame.
func SearchMap[C any](title, verb string, table []modelsel.Row[C]) (*Panel, error) {
	if len(table) == 0 {
		return nil, fmt.Errorf("plotx: search map %q: %w: no candidates", title, mlcore.ErrEmpty)
	}
	var values [2][]string
	for i, row := range table {
		if len(row.Params) != 2 {
			return nil, fmt.Errorf("plotx: search map %q: %w: candidate %d has %d settings; a map is for 2", title, mlcore.ErrShape, i, len(row.Params))
		}
		if len(row.Scores) == 0 {
			return nil, fmt.Errorf("plotx: search map %q: %w: candidate %d has no scores", title, mlcore.ErrEmpty, i)
		}
		for a, p := range row.Params {
			if !slices.Contains(values[a], p.Value) {
				values[a] = append(values[a], p.Value)
			}
		}
	}
	r, c := len(values[0]), len(values[1])
	if r*c != len(table) {
		return nil, fmt.Errorf("plotx: search map %q: %w: %d candidates do not fill a grid of %d×%d", title, mlcore.ErrShape, len(table), r, c)
	}
	means := mat.NewDense(r, c, slices.Repeat([]float64{math.NaN()}, r*c))
	best := cell{-1, -1}
	for _, row := range table {
		at := cell{slices.Index(values[0], row.Params[0].Value), slices.Index(values[1], row.Params[1].Value)}
		means.Set(at.row, at.column, row.Scores[0].Mean())
		if row.Rank == 1 && best.row < 0 {
			best = at
		}
	}
	if err := mlcore.CheckMatrix(means, false); err != nil {
		return nil, fmt.Errorf("plotx: search map %q: two candidates in one cell, or %w", title, err)
	}
	// Scores of a search lie close together: shades run from the worst to the
	// best, not from 0 as in Matrix.
	first := table[0]
	from, to := mat.Min(means), mat.Max(means)
	if first.Scores[0].LowerIsBetter {
		from, to = to, from
	}
	shade := func(_ int, v float64) float64 {
		if from == to {
			return 0
		}
		return (v - from) / (to - from)
	}
	return cellTable(title, first.Params[1].Name, first.Params[0].Name, values[1], values[0], cells{means, verb, shade, &best}), nil
}

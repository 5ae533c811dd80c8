package plotx

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A SearchRow is a row of the table that [SearchMap] draws, such as a modelsel.Row: one
// candidate of a search.
type SearchRow interface {
	// Settings returns the names of the settings that the search varies, and the
	// candidate's values in words.
	Settings() (names, values []string)
	// Result returns the candidate's mean score, NaN if it has none, whether a lower score
	// is better, and the candidate's rank, which is 1 for the best.
	Result() (score float64, lowerIsBetter bool, rank int)
}

// SearchMap draws the table of a grid search over two settings: the first one's
// values from the top, the second's from left to right, in each cell the mean of the
// first scorer in the given fmt verb such as "%.3f". The better a cell's score, the
// darker the cell; the best has a frame.
func SearchMap[R SearchRow](title, verb string, table []R) (*Panel, error) {
	if len(table) == 0 {
		return nil, fmt.Errorf("plotx: search map %q: %w: no candidates", title, mlcore.ErrEmpty)
	}
	var values [2][]string
	for i, row := range table {
		names, own := row.Settings()
		if len(names) != 2 || len(own) != 2 {
			return nil, fmt.Errorf("plotx: search map %q: %w: candidate %d has %d settings; a map is for 2", title, mlcore.ErrShape, i, len(names))
		}
		if score, _, _ := row.Result(); math.IsNaN(score) {
			return nil, fmt.Errorf("plotx: search map %q: %w: candidate %d has no score", title, mlcore.ErrEmpty, i)
		}
		for a, v := range own {
			if !slices.Contains(values[a], v) {
				values[a] = append(values[a], v)
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
		_, own := row.Settings()
		score, _, rank := row.Result()
		at := cell{slices.Index(values[0], own[0]), slices.Index(values[1], own[1])}
		means.Set(at.row, at.column, score)
		if rank == 1 && best.row < 0 {
			best = at
		}
	}
	if err := mlcore.CheckMatrix(means, false); err != nil {
		return nil, fmt.Errorf("plotx: search map %q: two candidates in one cell, or %w", title, err)
	}
	// Scores of a search lie close together: shades run from the worst to the
	// best, not from 0 as in Matrix.
	from, to := mat.Min(means), mat.Max(means)
	if _, lowerIsBetter, _ := table[0].Result(); lowerIsBetter {
		from, to = to, from
	}
	shade := func(_ int, v float64) float64 {
		if from == to {
			return 0
		}
		return (v - from) / (to - from)
	}
	names, _ := table[0].Settings()
	return cellTable(title, names[1], names[0], values[1], values[0], cells{means, verb, shade, &best}), nil
}

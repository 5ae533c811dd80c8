package bench

import (
	"context"
	"path/filepath"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/notebooks/uci"
)

// uciSeed decides the folds of the UCI experiment on both sides.
const uciSeed = 1

// A uciSet tells the peer's script of one set of the UCI experiment. Its arrays are
// <set>_X, <set>_y and <set>_folds, which has a row a repeat with the fold that
// tests each row.
type uciSet struct {
	Set        uci.Set `json:"set"`
	Folds      int     `json:"folds"`
	Levels     []int   `json:"levels"` // 0 for a number, to be cut into intervals
	Intervals  int     `json:"intervals"`
	HasNumbers bool    `json:"has_numbers"`
	Trees      int     `json:"trees"`
	TreeShare  float64 `json:"tree_share"`
	Rounds     int     `json:"rounds"`
	Bags       int     `json:"bags"`
	BagShare   float64 `json:"bag_share"`
	Neighbours int     `json:"neighbours"`
}

// runUCI does the whole experiment, reading of the files included. Its score is the
// mean accuracy over algorithms and sets.
func runUCI(e uci.Experiment) func(_, _ *mlcore.Dataset) (func() (scored, error), error) {
	return func(_, _ *mlcore.Dataset) (func() (scored, error), error) {
		return func() (scored, error) {
			r, err := e.Run(context.Background())
			if err != nil {
				return nil, err
			}
			return func() (float64, error) {
				sum := 0.0
				for _, c := range r.Cells {
					sum += c.Mean / 100
				}
				return sum / float64(len(r.Cells)), nil
			}, nil
		}, nil
	}
}

// shareUCI hands the peer's script the sets, the folds and the numbers of members.
func shareUCI(m *manifest, dir string) error {
	const folds, repeats = 5, 10
	e := uci.Experiment{Folds: folds, Repeats: repeats, Seed: uciSeed}
	for _, s := range uci.Sets() {
		ds, err := s.Load()
		if err != nil {
			return err
		}
		n, d := ds.X.Dims()
		testedBy := make([]int64, 0, repeats*n)
		for r := range repeats {
			cut, err := e.Split(s, ds, r)
			if err != nil {
				return err
			}
			row := make([]int64, n)
			for f, fold := range cut.All() {
				for _, i := range fold.Test {
					row[i] = int64(f)
				}
			}
			testedBy = append(testedBy, row...)
		}
		for _, a := range []struct {
			name   string
			shape  []int
			values any
		}{
			{"_X", []int{n, d}, ds.X.RawMatrix().Data},
			{"_y", []int{n}, int64s(ds.Y)},
			{"_folds", []int{repeats, n}, testedBy},
		} {
			m.Arrays[string(s)+a.name] = a.shape
			if err := writeArray(filepath.Join(dir, string(s)+a.name), a.values); err != nil {
				return err
			}
		}
		c := uci.DefaultSettings(s)
		m.UCI = append(m.UCI, uciSet{
			Set: s, Folds: folds, Levels: ds.Levels(), Intervals: uci.Intervals, HasNumbers: s.HasNumbers(),
			Trees: c.Trees, TreeShare: c.TreeShare, Rounds: c.Rounds, Bags: c.Bags, BagShare: c.BagShare, Neighbours: c.Neighbours,
		})
	}
	return nil
}

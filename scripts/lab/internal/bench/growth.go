package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"time"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/ensemble"
	"github.com/mllabs-go/mllabs/mlcore/tree"
	"github.com/mllabs-go/mllabs/notebooks/peers"
)

// growthWorkloads are the cases of [peers.GrowthGrid] as workloads, in its order.
func growthWorkloads() (all []Workload) {
	for _, c := range peers.GrowthGrid() {
		all = append(all, growing(c))
	}
	return all
}

// growing is the workload of a case. What takes seconds on the peer's side runs three
// times, what takes a minute once.
func growing(c peers.GrowthCase) Workload {
	w := Workload{
		Name: "growth: " + c.String(), Peer: c.Peer, threads: c.Threads, trees: peers.GrowthTrees,
		data: madeUp{rows: c.Rows, columns: c.Columns, classes: c.Classes, queries: peers.GrowthQueries}.make,
	}
	cart := mlcore.LearnClassifier(tree.Config{Workers: c.Threads}.FitClassifier)
	if c.Work == peers.CART || c.Work == peers.Forest {
		w.once = c.Rows >= 1_000_000
		if c.Rows >= 100_000 {
			w.most = 3
		}
	}
	switch c.Work {
	case peers.CART:
		w.Key, w.prepare = "tree", fitting(cart)
	case peers.Forest:
		w.Key = "forest"
		w.prepare = fitting(mlcore.LearnClassifier(ensemble.ForestConfig{Estimators: peers.GrowthTrees, Workers: c.Threads}.FitClassifier))
	case peers.Boosting:
		w.Key, w.prepare = "lightgbm", boostingOf(peers.GrowthTrees, c.Threads)
	case peers.Prediction:
		w.Key, w.prepare = "tree-predict", predicting(cart)
	}
	return w
}

// MeasureGrowth measures each case of [peers.GrowthGrid], one after the other, and tells
// of each that is done. Without a peer for a case that wants one it is an error: half of
// a comparison is not kept.
func MeasureGrowth(ctx context.Context, o Options, done func(i, of int, line string)) (*peers.Growth, error) {
	return measureGrowth(ctx, peers.GrowthGrid(), growing, o, done)
}

func measureGrowth(ctx context.Context, grid []peers.GrowthCase, workload func(peers.GrowthCase) Workload, o Options, done func(i, of int, line string)) (*peers.Growth, error) {
	g := &peers.Growth{Machine: machine(), Processors: runtime.NumCPU(), Versions: map[string]string{}}
	for i, c := range grid {
		side, alone := o, c.LeftOut != ""
		if alone {
			side.Python = ""
		}
		r, err := Measure(ctx, workload(c), side)
		if err != nil && !(alone && errors.Is(err, peers.ErrUnavailable)) {
			return nil, fmt.Errorf("%v: %w", c, err)
		}
		maps.Copy(g.Versions, r.Versions)
		g.Points = append(g.Points, peers.GrowthPoint{GrowthCase: c, Runs: r.Runs, Seconds: r.Seconds, PeerSeconds: r.PeerSeconds, Score: r.Score,
			PeerScore: r.PeerScore, PeakBytes: r.PeakBytes, PeerPeakBytes: r.PeerPeak})
		done(i+1, len(grid), r.Line())
	}
	g.Measured = time.Now().Format("2 January 2006")
	return g, nil
}

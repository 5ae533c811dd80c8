package co395

import (
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/neighbors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Twenty rows of each of two values, whose classes they are: any distance finds seven
// neighbours of the same value, so every error rate is 0.
func TestCompareCodes(t *testing.T) {
	ds := &mlcore.Dataset{X: mat.NewDense(40, 1, nil), Y: make([]int, 40),
		Columns: []mlcore.Column{{Name: "size", Levels: []string{"small", "large"}}}, ClassNames: []string{"a", "b"}}
	for i := 20; i < 40; i++ {
		ds.X.Set(i, 0, 1)
		ds.Y[i] = 1
	}
	var alphabetical, given atomic.Int32
	got := CompareCodes(func(levels map[string][]string) *mlcore.Dataset {
		if levels == nil {
			alphabetical.Add(1)
		} else if len(levels["size"]) == 2 {
			given.Add(1)
		}
		return ds
	}, map[string][]string{"size": {"small", "large"}})
	if alphabetical.Load() != 1 || given.Load() != 12 {
		t.Errorf("coded %d times in alphabetical and %d times in another order", alphabetical.Load(), given.Load())
	}
	for _, want := range []string{"Hamming 0.0000, L1 by meaning 0.0000", "L1 in random orders: mean 0.0000, from 0.0000 to 0.0000"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// Across the clouds the centres are four standard deviations apart, so the best boundary
// errs with the probability of a normal number below -2, which is 0.0228.
func TestStretched(t *testing.T) {
	five := neighbors.Config{Neighbors: 5}
	test := MakeStretched(500, 0)
	if got := stat.Mean(FreshErrors(byShape(five), thin, test, 20), nil); got < 0.01 || got > 0.035 {
		t.Errorf("error rate %.4f by shape, want about 0.0228", got)
	}
	if got := CompareStretched(five, 20, 500); !strings.Contains(got, "Mahalanobis has the lower error rate") {
		t.Error(got)
	}
	if maps := StretchedMaps(five); len(maps) != 2 {
		t.Errorf("%d maps", len(maps))
	}
}

// All 100 samples are neighbours: half of them are of either class, so that all points
// get class 0, and half of the new samples are of class 1. With 20 wrong labels all points
// get one class, too.
func TestVotesOfAll(t *testing.T) {
	errors, differ := ErrorAndDisagreement([]float64{100}, 20, 500)
	if errors.Y[0] != 0.5 || errors.Err[0] != 0 || differ.Y[0] != 0 {
		t.Errorf("error %v ± %v, disagreement %v; want 0.5 ± 0 and 0", errors.Y, errors.Err, differ.Y)
	}
	if curve := VoteCurve("all", []float64{100}, neighbors.Config{}); curve.Name != "all" || curve.Y[0] != 0.5 {
		t.Errorf("%s: %v, want 0.5", curve.Name, curve.Y)
	}
	rows := CleanAndNoisy([]string{"one", "all"}, neighbors.Config{Neighbors: 1}, neighbors.Config{Neighbors: 100})
	if len(rows) != 2 || rows[1] != (noisyRates{"all", 0.5, 0.5, 0}) {
		t.Errorf("%+v, want 0.5 for all", rows)
	}
	// A single neighbour has the wrong label one time in five.
	if one := rows[0]; one.Vote != "one" || math.Abs(one.Noisy-(0.8*one.Clean+0.2*(1-one.Clean))) > 0.02 {
		t.Errorf("%+v, want about 0.2 + 0.6 of the clean error", one)
	}
}

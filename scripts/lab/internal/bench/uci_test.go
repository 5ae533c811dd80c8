package bench

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"github.com/mllabs-go/mllabs/notebooks/uci"
)

// Both sides work on the same folds.
func TestUCIFoldsAreShared(t *testing.T) {
	for _, s := range uci.Sets() {
		datasetstest.Load(t, s.Name())
	}
	dir, m := t.TempDir(), manifest{Arrays: map[string][]int{}}
	if err := shareUCI(&m, dir); err != nil {
		t.Fatal(err)
	}
	if len(m.UCI) != 5 || len(m.Arrays) != 15 {
		t.Fatalf("%d sets, %d arrays", len(m.UCI), len(m.Arrays))
	}
	f, err := os.Open(filepath.Join(dir, "E_folds"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	testedBy := make([]int64, 10*336)
	if err := binary.Read(f, binary.LittleEndian, testedBy); err != nil {
		t.Fatal(err)
	}
	ds, err := uci.Ecoli.Load()
	if err != nil {
		t.Fatal(err)
	}
	var folds *modelsel.Folds
	if folds, err = (uci.Experiment{Seed: uciSeed}).Split(uci.Ecoli, ds, 9); err != nil {
		t.Fatal(err)
	}
	for k, fold := range folds.All() {
		for _, i := range fold.Test {
			if testedBy[9*336+i] != int64(k) {
				t.Fatalf("row %d is tested by fold %d, not %d", i, testedBy[9*336+i], k)
			}
		}
	}
}

// The score is the mean accuracy over the cells.
func TestUCIScore(t *testing.T) {
	e := uci.Experiment{Folds: 2, Repeats: 1, Only: func(s uci.Set, a uci.Algorithm) bool {
		return s == uci.Car && (a == uci.ID3 || a == uci.NaiveBayes)
	}}
	work, err := runUCI(e)(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	score, err := work()
	if err != nil {
		t.Fatal(err)
	}
	got, _ := score()
	r, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := (r.Cells[0].Mean + r.Cells[1].Mean) / 200; len(r.Cells) != 2 || math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
}

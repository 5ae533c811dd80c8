package uci

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "compute results.json again and write it")

// The committed runs are what the code computes: all of the small sets, the first of ten
// cuts of the large ones. With -update they are computed and written.
func TestCommittedRuns(t *testing.T) {
	if *update {
		writeRuns(t)
		return
	}
	runs, err := Committed()
	if err != nil {
		t.Fatal(err)
	}
	same := func(name string, got, want Cell) {
		n := len(got.Accuracies)
		if n == 0 || n > len(want.Accuracies) || !slices.Equal(got.Accuracies, want.Accuracies[:n]) {
			t.Errorf("%s: %v, results.json has %v; run this test with -update", name, got.Accuracies, want.Accuracies)
		}
	}
	for _, s := range Sets() {
		large := s == Mushroom || s == Letter
		if large && testing.Short() {
			continue
		}
		load(t, s)
		e := Experiment{Seed: 1, Only: func(other Set, _ Algorithm) bool { return other == s }}
		if large {
			e.Repeats = 1
		}
		for _, c := range mustRun(t, e).Cells {
			want, _ := runs.Stated.Cell(s, c.Algorithm)
			same(string(s)+"/"+string(c.Algorithm), c, want)
		}
	}
	for _, v := range Variants() {
		want, ok := runs.Variants[v.Name]
		if !ok {
			t.Errorf("%s is not in results.json; run this test with -update", v.Name)
		}
		large := v.Set == Mushroom || v.Set == Letter
		if large && testing.Short() {
			continue
		}
		load(t, v.Set)
		e := v.Experiment(1)
		if large || v.Algorithm == AdaBoost {
			e.Repeats = 1
		}
		same(v.Name, cellOf(t, e), want)
	}
	if len(runs.Variants) != len(Variants()) {
		t.Errorf("results.json has %d variants, there are %d; run this test with -update", len(runs.Variants), len(Variants()))
	}
}

func writeRuns(t *testing.T) {
	runs := Runs{Stated: mustRun(t, Experiment{Seed: 1}), Variants: map[string]Cell{}}
	for _, v := range Variants() {
		c, err := v.Run(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		runs.Variants[v.Name] = c
		t.Logf("%s: %.3f ± %.3f", v.Name, c.Mean, c.SD)
	}
	data, err := json.MarshalIndent(runs, "", " ")
	if err == nil {
		err = os.WriteFile("results.json", append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

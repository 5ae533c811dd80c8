package uci

import (
	"context"
	"testing"

	"github.com/mllabs-go/mllabs/datasets/datasetstest"
)

// One repeat of each set with all algorithms, on one worker.
func BenchmarkExperiment(b *testing.B) {
	for _, s := range Sets() {
		b.Run(s.Name(), func(b *testing.B) {
			datasetstest.Load(b, s.Name())
			e := Experiment{Repeats: 1, Workers: 1, Only: func(other Set, _ Algorithm) bool { return other == s }}
			for b.Loop() {
				if _, err := e.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// One fold of Letter, by algorithm: most of the experiment's time.
func BenchmarkLetter(b *testing.B) {
	datasetstest.Load(b, Letter.Name())
	ds, err := Letter.Load()
	if err != nil {
		b.Fatal(err)
	}
	folds, err := Experiment{}.Split(Letter, ds, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, a := range Algorithms() {
		if !a.Runs(Letter) {
			continue
		}
		b.Run(string(a), func(b *testing.B) {
			e := Experiment{Only: func(_ Set, other Algorithm) bool { return a == other }, Settings: DefaultSettings}
			for b.Loop() {
				if _, err := e.fold(job{place{Letter, 0, 0}, ds, folds.At(0)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

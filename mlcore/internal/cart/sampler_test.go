package cart

import (
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
)

// The oracle draws as the documentation says, by math/rand/v2: a shuffle that ends when
// there are as many as wanted, but not before one of them varies. Those that are known
// to be constant are drawn and left out.
func TestSampler(t *testing.T) {
	for trial := range 500 {
		var (
			rng        = mlcore.NewRand(2, uint64(trial))
			d          = 1 + rng.IntN(70)
			want, most = 1 + rng.IntN(d), 1 + rng.IntN(6)
			all        = rng.Perm(d)
			varies     = make([]bool, d)
			fixed      uint64
		)
		for j := range varies {
			varies[j] = rng.IntN(1+trial%7) == 0
			if !varies[j] && j < 64 && rng.IntN(2) == 0 {
				fixed |= 1 << j
			}
		}
		var f sampler
		f.reset(Config{Features: all, MaxFeatures: want, Seed: uint64(trial)})
		oracle, shuffled := mlcore.NewRand(uint64(trial)), slices.Clone(all)
		for node := range 4 {
			var expected []int
			found := false
			for drawn := 0; drawn < d && (drawn < want || !found); drawn++ {
				k := drawn + oracle.IntN(d-drawn)
				shuffled[drawn], shuffled[k] = shuffled[k], shuffled[drawn]
				if j := shuffled[drawn]; j >= 64 || fixed>>j&1 == 0 {
					expected = append(expected, j)
					found = found || varies[j]
				}
			}
			if got := drain(t, &f, most, fixed, varies); !slices.Equal(got, expected) {
				t.Fatalf("trial %d, node %d: %v, want %v", trial, node, got, expected)
			}
		}
	}
}

// By hand: RandomCandidates draws so many features and no more, each of which may come
// again; where nothing is drawn, all come in their order.
func TestSamplerOfOtherKinds(t *testing.T) {
	varies := make([]bool, 5)
	var f sampler
	f.reset(Config{Features: []int{1, 4}, RandomCandidates: 9, Seed: 3})
	oracle := mlcore.NewRand(3)
	var want []int
	for range 9 {
		want = append(want, []int{1, 4}[oracle.IntN(2)])
	}
	if got := drain(t, &f, 1, 0, varies); !slices.Equal(got, want) {
		t.Errorf("candidates: %v, want %v", got, want)
	}
	f.reset(Config{Features: []int{0, 2, 3, 4}})
	if got := drain(t, &f, 3, 1<<3, varies); !slices.Equal(got, []int{0, 2, 4}) {
		t.Errorf("all: %v, want 0, 2 and 4", got)
	}
}

// drain takes features, at most so many at a time, until there are no more.
func drain(t *testing.T, f *sampler, most int, fixed uint64, varies []bool) (taken []int) {
	t.Helper()
	f.start(fixed)
	found := false
	for feats := f.take(most, false); len(feats) > 0; feats = f.take(most, found) {
		if len(feats) > most {
			t.Fatalf("%d features, at most %d are wanted", len(feats), most)
		}
		taken = append(taken, feats...)
		for _, j := range feats {
			found = found || varies[j]
		}
	}
	return taken
}

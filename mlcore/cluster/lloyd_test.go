package cluster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTopTwo: whatever the guesses, the best is the first of the greatest scores, as
// slices.Max and slices.Index find it, and the runner-up has the greatest of the others.
func TestTopTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		score := make([]float64, 2+r.IntN(6))
		for k := range score {
			score[k] = float64(r.IntN(4))
		}
		want := slices.Index(score, slices.Max(score))
		others := slices.Clone(score)
		others[want] = math.Inf(-1)
		for guess := range score {
			for rival := range score {
				if rival == guess {
					continue
				}
				best, second, most, runnerUp := topTwo(slices.Clone(score), guess, rival)
				if best != want || most != score[want] || second == best || score[second] != slices.Max(others) || runnerUp != score[second] {
					t.Fatalf("%v with guesses %d and %d: %d with %v and %d with %v", score, guess, rival, best, most, second, runnerUp)
				}
			}
		}
	}
}

package order

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPartition compares with sorted numbers.
func TestPartition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		make func(i int) float64
	}{
		{"normal", func(int) float64 { return rng.NormFloat64() }},
		{"few values", func(int) float64 { return float64(rng.IntN(3)) }},
		{"all alike", func(int) float64 { return 7 }},
		{"sorted", func(i int) float64 { return float64(i) }},
		{"sorted down", func(i int) float64 { return -float64(i) }},
		{"infinite", func(int) float64 { return math.Inf(rng.IntN(3) - 1) }},
	} {
		for _, n := range []int{1, 2, 3, 4, 10, 101, 1000} {
			v := make([]float64, n)
			for i := range v {
				v[i] = c.make(i)
			}
			want := slices.Sorted(slices.Values(v))
			for _, k := range []int{0, n / 3, n / 2, n - 1} {
				t.Run(fmt.Sprintf("%s/%d of %d", c.name, k, n), func(t *testing.T) {
					got := slices.Clone(v)
					Partition(got, k)
					if got[k] != want[k] {
						t.Fatalf("place %d holds %v, want %v", k, got[k], want[k])
					}
					if slices.Max(got[:k+1]) != want[k] || slices.Min(got[k:]) != want[k] {
						t.Fatal("a number stands on the wrong side")
					}
					slices.Sort(got)
					if !slices.Equal(got, want) {
						t.Fatal("numbers were lost")
					}
				})
			}
		}
	}
}

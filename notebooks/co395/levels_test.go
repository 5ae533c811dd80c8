package co395

import (
	"slices"
	"testing"
)

// Each of the six orders of three levels comes up about as often as another: 100 times in
// 600, with a standard deviation of the root of 600·5/36, which is 9.1.
func TestShuffled(t *testing.T) {
	levels := map[string][]string{"safety": {"low", "med", "high"}, "doors": {"2", "4"}}
	orders := map[string]int{}
	for seed := range uint64(600) {
		s := shuffled(levels, seed)
		if len(s) != 2 || len(s["doors"]) != 2 {
			t.Fatalf("seed %d: %v", seed, s)
		}
		key := ""
		for _, v := range s["safety"] {
			key += v[:1]
		}
		orders[key]++
		if again := shuffled(levels, seed); !slices.Equal(again["safety"], s["safety"]) {
			t.Fatalf("seed %d: %v, then %v", seed, s, again)
		}
	}
	if len(orders) != 6 {
		t.Fatalf("orders %v", orders)
	}
	for key, n := range orders {
		if n < 55 || n > 145 {
			t.Errorf("order %s came up %d times of 600", key, n)
		}
	}
	if !slices.Equal(levels["safety"], []string{"low", "med", "high"}) {
		t.Errorf("the levels have changed: %v", levels)
	}
}

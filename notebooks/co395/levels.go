package co395

import (
	"maps"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// shuffled returns the levels of each column in a random order: codes without a meaning.
// The lists that it is given stay as they are.
func shuffled(levels map[string][]string, seed uint64) map[string][]string {
	rng, orders := mlcore.NewRand(seed), map[string][]string{}
	for _, column := range slices.Sorted(maps.Keys(levels)) {
		own := slices.Clone(levels[column])
		rng.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
		orders[column] = own
	}
	return orders
}

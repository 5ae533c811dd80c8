package mlcore

import "math/rand/v2"

// NewRand returns the random stream of (seed, path). Streams of different paths
// are independent, so that tree 7 of a forest draws the same numbers whether it
// is grown first, last or by another worker:
//
//	rng := mlcore.NewRand(seed, uint64(tree))
//
// The generator is PCG-DXSM; its two words of state come from the seed and the
// path through SplitMix64 (Steele, Lea & Flood, 2014, "Fast splittable
// pseudorandom number generators").
func NewRand(seed uint64, path ...uint64) *rand.Rand {
	s := DeriveSeed(seed, path...)
	return rand.New(rand.NewPCG(s, splitmix(s)))
}

// DeriveSeed returns the seed of the sub-stream (seed, path), for handing to a
// learner that takes a seed of its own.
func DeriveSeed(seed uint64, path ...uint64) uint64 {
	s := splitmix(seed)
	for _, p := range path {
		s = splitmix(s ^ splitmix(p+0x632be59bd9b4e019))
	}
	return s
}

func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

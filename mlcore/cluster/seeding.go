package cluster

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// seed draws the first K centres.
func (t *table) seed(K int, init Init, rng *rand.Rand, team *par.Team) []float64 {
	var rows []int
	if init == RandomRows {
		rows = t.randomRows(K, rng)
	} else {
		rows = t.plusPlus(K, rng, team)
	}
	centres := make([]float64, 0, K*t.d)
	for _, i := range rows {
		centres = append(centres, t.row(i)...)
	}
	return centres
}

// randomRows draws K different rows with probabilities in proportion to their weights:
// those of the K greatest log(u)/w, with u uniform (Efraimidis & Spirakis, 2006,
// "Weighted random sampling with a reservoir").
func (t *table) randomRows(K int, rng *rand.Rand) []int {
	keys, rows := make([]float64, t.n), make([]int, t.n)
	for i := range rows {
		rows[i] = i
		keys[i] = -rng.ExpFloat64() / given.Weight(t.w, i)
	}
	sort.SliceStable(rows, func(a, b int) bool { return keys[rows[a]] > keys[rows[b]] })
	return rows[:K]
}

// plusPlus draws K rows as [PlusPlus] says.
func (t *table) plusPlus(K int, rng *rand.Rand, team *par.Team) []int {
	trials := 2 + int(log(float64(K)))
	share := make([]float64, t.n) // what a row's probability is in proportion to
	for i := range share {
		share[i] = given.Weight(t.w, i)
	}
	rows := []int{draw(share, rng)}
	distance := make([]float64, t.n) // squared, from the nearest centre so far
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	t.shorten(distance, rows[0], distance, team)
	best, tried := make([]float64, t.n), make([]float64, t.n)
	for len(rows) < K {
		for i, v := range distance {
			share[i] = float64(given.Weight(t.w, i) * v)
		}
		chosen, least := -1, math.Inf(1)
		for range trials {
			candidate := draw(share, rng)
			if sum := t.shorten(tried, candidate, distance, team); sum < least {
				chosen, least = candidate, sum
				best, tried = tried, best
			}
		}
		rows = append(rows, chosen)
		distance, best = best, distance
	}
	return rows
}

// shorten sets out to the lesser, for each row, of old and of the squared distance from
// row c, and returns the weighted sum.
func (t *table) shorten(out []float64, c int, old []float64, team *par.Team) float64 {
	centre := t.row(c)
	blocks := (t.n + block - 1) / block
	sums := make([]float64, blocks)
	team.Do(blocks, func(_, b int) {
		for i := b * block; i < min(t.n, (b+1)*block); i++ {
			v := old[i]
			if v > 0 {
				v = min(v, squaredDistance(t.row(i), centre))
			}
			out[i] = v
			sums[b] += float64(given.Weight(t.w, i) * v)
		}
	})
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total
}

// draw draws a row with a probability in proportion to its share; where all are 0, as
// when there are fewer different rows than centres, each with the same.
func draw(share []float64, rng *rand.Rand) int {
	total := 0.0
	for _, v := range share {
		total += v
	}
	u := rng.Float64()
	if total == 0 {
		return int(u * float64(len(share)))
	}
	left := float64(u * total)
	last := 0
	for i, v := range share {
		if v == 0 {
			continue
		}
		if last = i; left < v {
			return i
		}
		left -= v
	}
	return last
}

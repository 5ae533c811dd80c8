package cluster

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/kernel"
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
	rows := []int{draw(share, sum(share), rng)}
	all := t.tiles(team)
	distance := make([]float64, t.n) // squared, from the nearest centre so far
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	t.shorten([][]float64{distance}, rows, distance, all, team)
	candidates, tried := make([]int, trials), make([][]float64, trials)
	for k := range tried {
		tried[k] = make([]float64, t.n)
	}
	for len(rows) < K {
		for i, v := range distance {
			share[i] = float64(given.Weight(t.w, i) * v)
		}
		total := sum(share)
		for k := range candidates {
			candidates[k] = draw(share, total, rng)
		}
		best, left := 0, t.shorten(tried, candidates, distance, all, team)
		for k, v := range left {
			if v < left[best] {
				best = k
			}
		}
		rows = append(rows, candidates[best])
		distance, tried[best] = tried[best], distance
	}
	return rows
}

// A tiles is the rows in tiles of a few, which fit in a processor's caches, with a row for
// each of their columns.
type tiles struct {
	width int // divides block
	of    []kernel.Matrix
}

func (t *table) tiles(team *par.Team) tiles {
	width := block
	for width > 16 && width*t.d > 1<<16 {
		width /= 2
	}
	all := tiles{width, make([]kernel.Matrix, (t.n+width-1)/width)}
	team.Chunks(t.n, width, func(b, lo, hi int) {
		all.of[b] = kernel.Matrix{Data: make([]float64, (hi-lo)*t.d), Rows: t.d, Cols: hi - lo}
		kernel.Transpose(all.of[b], kernel.Matrix{Data: t.x[lo*t.d : hi*t.d], Rows: hi - lo, Cols: t.d})
	})
	return all
}

// shorten sets out, for each of rows, to the lesser of old and of the squared distances from
// it, and returns the weighted sums. All rows are held against a tile while it is at hand.
func (t *table) shorten(out [][]float64, rows []int, old []float64, all tiles, team *par.Team) []float64 {
	blocks := (t.n + block - 1) / block
	sums := kernel.Matrix{Data: make([]float64, len(rows)*blocks), Rows: len(rows), Cols: blocks}
	team.Chunks(t.n, block, func(b, lo, hi int) {
		var room [block]float64
		for ; lo < hi; lo += all.width {
			tile := all.of[lo/all.width]
			distance, old := room[:tile.Cols], old[lo:][:tile.Cols]
			for k, c := range rows {
				kernel.SquaredDistances(distance, t.row(c), tile, 0)
				left, out := sums.Row(k)[b], out[k][lo:][:tile.Cols]
				for i, v := range old {
					if v > 0 {
						v = min(v, distance[i])
					}
					out[i] = v
					left += float64(given.Weight(t.w, lo+i) * v)
				}
				sums.Row(k)[b] = left
			}
		}
	})
	left := make([]float64, len(rows))
	for k := range left {
		left[k] = sum(sums.Row(k))
	}
	return left
}

func sum(v []float64) float64 {
	total := 0.0
	for _, x := range v {
		total += x
	}
	return total
}

// draw draws a row with a probability in proportion to its share of the total; where that
// is 0, as when there are fewer different rows than centres, each with the same.
func draw(share []float64, total float64, rng *rand.Rand) int {
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

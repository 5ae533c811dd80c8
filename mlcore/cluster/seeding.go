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
	columns := t.columns(team)
	distance := make([]float64, t.n) // squared, from the nearest centre so far
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	t.shorten(distance, rows[0], distance, columns, team)
	best, tried := make([]float64, t.n), make([]float64, t.n)
	for len(rows) < K {
		for i, v := range distance {
			share[i] = float64(given.Weight(t.w, i) * v)
		}
		chosen, least, total := -1, math.Inf(1), sum(share)
		for range trials {
			candidate := draw(share, total, rng)
			if left := t.shorten(tried, candidate, distance, columns, team); left < least {
				chosen, least = candidate, left
				best, tried = tried, best
			}
		}
		rows = append(rows, chosen)
		distance, best = best, distance
	}
	return rows
}

// columns returns the rows, block by block, with a row for each of their columns.
func (t *table) columns(team *par.Team) []kernel.Matrix {
	columns := make([]kernel.Matrix, (t.n+block-1)/block)
	team.Chunks(t.n, block, func(b, lo, hi int) {
		columns[b] = kernel.Matrix{Data: make([]float64, (hi-lo)*t.d), Rows: t.d, Cols: hi - lo}
		kernel.Transpose(columns[b], kernel.Matrix{Data: t.x[lo*t.d : hi*t.d], Rows: hi - lo, Cols: t.d})
	})
	return columns
}

// shorten sets out to the lesser, for each row, of old and of the squared distance from
// row c, and returns the weighted sum.
func (t *table) shorten(out []float64, c int, old []float64, columns []kernel.Matrix, team *par.Team) float64 {
	sums := make([]float64, len(columns))
	team.Chunks(t.n, block, func(b, lo, hi int) {
		var room [block]float64
		distance := room[:hi-lo]
		kernel.SquaredDistances(distance, t.row(c), columns[b], 0)
		left := 0.0
		for i := lo; i < hi; i++ {
			v := old[i]
			if v > 0 {
				v = min(v, distance[i-lo])
			}
			out[i] = v
			left += float64(given.Weight(t.w, i) * v)
		}
		sums[b] = left
	})
	return sum(sums)
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

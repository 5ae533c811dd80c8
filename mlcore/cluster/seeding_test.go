package cluster

import (
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"gonum.org/v1/gonum/mat"
)

// A row is the first to be drawn with a probability in proportion to its weight, within
// five standard deviations of a binomial share.
func TestRandomRowsByWeight(t *testing.T) {
	w := []float64{1, 2, 5}
	rows := newTable(mat.NewDense(3, 1, []float64{0, 1, 2}), w, nil)
	const draws = 20_000
	counts := make([]float64, 3)
	rng := mlcore.NewRand(1)
	for range draws {
		counts[rows.randomRows(2, rng)[0]]++
	}
	for i, wi := range w {
		want := wi / 8
		if got := counts[i] / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
			t.Errorf("row %d comes first with %v, want %v", i, got, want)
		}
	}
}

// Greedy k-means++ against its definition (Arthur & Vassilvitskii, 2007, section 3): the
// first centre is a row with a probability in proportion to its weight w, and each
// candidate for the next a row with one in proportion to w D², where D is its distance
// from the nearest centre so far; of 2 + log K candidates the one is taken that leaves
// the least Σ w D², the first on a tie. The probabilities of all sequences are added up
// here over all candidates, and counts are within five standard deviations of them, and three draws.
func TestPlusPlusByDefinition(t *testing.T) {
	x := []float64{0, 1, 3, 7, 12, 12.5}
	for _, w := range [][]float64{nil, {1, 2, 0.5, 3, 0.25, 4}} {
		for _, tc := range []struct{ K, candidates int }{{2, 2}, {3, 3}} {
			want := map[[3]int]float64{}
			sequences(want, x, w, nil, tc.K, tc.candidates, 1)
			draws := 20_000
			if testing.Short() {
				draws = 5000
			}
			counts := map[[3]int]float64{}
			data := newTable(mat.NewDense(len(x), 1, slices.Clone(x)), w, nil)
			rng := mlcore.NewRand(3)
			for range draws {
				counts[key(data.plusPlus(tc.K, rng, nil))]++
			}
			total := 0.0
			for rows, p := range want {
				total += p
				if got := counts[rows] / float64(draws); math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/float64(draws))+3/float64(draws) {
					t.Errorf("weights %v, rows %v in this order have the share %v, want %v", w, rows[:tc.K], got, p)
				}
			}
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("the probabilities add up to %v", total)
			}
			for rows := range counts {
				if want[rows] == 0 {
					t.Errorf("weights %v: rows %v were drawn, which cannot be", w, rows[:tc.K])
				}
			}
		}
	}
}

// key is a sequence of at most three rows.
func key(rows []int) [3]int {
	k := [3]int{-1, -1, -1}
	copy(k[:], rows)
	return k
}

// sequences adds to want the probability of each sequence of K rows that begins with
// these, whose own probability is p.
func sequences(want map[[3]int]float64, x, w []float64, rows []int, K, candidates int, p float64) {
	if len(rows) == K {
		want[key(rows)] += p
		return
	}
	// What a row's probability is in proportion to, with one more centre or none.
	shares := func(more ...int) (share []float64, total float64) {
		share = make([]float64, len(x))
		for i := range x {
			least := math.Inf(1)
			for _, c := range append(slices.Clone(rows), more...) {
				least = min(least, (x[i]-x[c])*(x[i]-x[c]))
			}
			if math.IsInf(least, 1) {
				least = 1
			}
			if share[i] = least; w != nil {
				share[i] *= w[i]
			}
			total += share[i]
		}
		return share, total
	}
	share, total := shares()
	next := func(row int, p float64) {
		sequences(want, x, w, append(slices.Clone(rows), row), K, candidates, p)
	}
	if len(rows) == 0 {
		for i, s := range share {
			next(i, p*s/total)
		}
		return
	}
	left := make([]float64, len(x))
	for i := range left {
		_, left[i] = shares(i)
	}
	// try is all that the candidates can be, of which best is the best so far.
	var try func(n, best int, p float64)
	try = func(n, best int, p float64) {
		if n == 0 {
			next(best, p)
			return
		}
		for i, s := range share {
			if s == 0 {
				continue
			}
			if best < 0 || left[i] < left[best] {
				try(n-1, i, p*s/total)
			} else {
				try(n-1, best, p*s/total)
			}
		}
	}
	try(candidates, -1, p)
}

// A row without a share is never drawn, not even where rounding makes the total greater than
// the sum of the shares, and where all shares are 0, each row is drawn: within five standard
// deviations of a binomial share of a quarter.
func TestDraw(t *testing.T) {
	const draws = 4000
	rng := mlcore.NewRand(7)
	for range draws {
		if i := draw([]float64{0, 1, 0}, 1.5, rng); i != 1 {
			t.Fatalf("row %d was drawn, which has no share", i)
		}
	}
	counts := make([]float64, 4)
	for range draws {
		counts[draw(make([]float64, 4), 0, rng)]++
	}
	for i, n := range counts {
		if got := n / draws; math.Abs(got-0.25) > 5*math.Sqrt(0.25*0.75/draws) {
			t.Errorf("of shares that are 0, row %d was drawn with %v, want 1/4", i, got)
		}
	}
}

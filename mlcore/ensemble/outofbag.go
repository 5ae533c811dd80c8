package ensemble

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore/internal/flattree"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
)

// OutOfBag is what the trees of a forest, or the members of a bag, predict for the training
// rows that they were fitted without: an estimate of the error on new data for which no rows
// are set aside (Breiman, 1996, "Out-of-bag estimation").
type OutOfBag struct {
	// Score is the weighted accuracy over the rows that at least one tree or member left
	// out; NaN where there are none.
	Score float64
	// Votes is how many trees or members left out each row.
	Votes []int
	// Proba is n×K: the mean probabilities, or shares of votes under HardVoting, of
	// those; a row of NaN where there are none.
	Proba *mat.Dense
}

// OutOfBagRegression is [OutOfBag] for regression.
type OutOfBagRegression struct {
	// Score is R², 1 - Σ w(y-ŷ)² / Σ w(y-ȳ)², over the rows that at least one
	// tree left out; NaN where there are none, they are all equal, or their squares
	// overflow.
	Score float64
	// Votes is how many trees left out each row.
	Votes []int
	// Prediction is the mean of those trees; NaN where there are none.
	Prediction []float64
}

// OutOfBag returns what was kept under [ForestConfig.OutOfBag], or nil. Its
// contents must not be changed. It is not part of the serialised forms.
func (f *Forest) OutOfBag() *OutOfBag { return f.oob }

// OutOfBag returns what was kept under [ForestConfig.OutOfBag], or nil. Its
// contents must not be changed. It is not part of the serialised forms.
func (f *RegressionForest) OutOfBag() *OutOfBagRegression { return f.oob }

// A bag remembers which rows each tree was grown on, a bit for each.
type bag struct {
	words int
	bits  []uint64
}

// newBag is of members that are fitted to n rows, nil where nobody asks.
func newBag(asked bool, members, n int) *bag {
	if !asked {
		return nil
	}
	words := (n + 63) / 64
	return &bag{words, make([]uint64, words*members)}
}

func (b *bag) record(t int, copies []int32) {
	if b == nil {
		return
	}
	for i, k := range copies {
		if k > 0 {
			b.take(t, i)
		}
	}
}

// take notes that member t is fitted to a row.
func (b *bag) take(t, row int) { b.bits[t*b.words+row/64] |= 1 << (row % 64) }

func (b *bag) left(t, row int) bool { return b.bits[t*b.words+row/64]>>(row%64)&1 == 0 }

// eachLeft calls f for each of n rows with each of the trees that left it out, in
// the order of the trees, and returns how many these are. Runs of rows are looked
// at in parallel.
func (b *bag) eachLeft(n, trees, workers int, f func(t, row int)) []int {
	votes := make([]int, n)
	par.Sure(par.Chunks(n, blockRows(n, workers), workers, func(lo, hi int) error {
		for t := range trees {
			for i := lo; i < hi; i++ {
				if b.left(t, i) {
					votes[i]++
					f(t, i)
				}
			}
		}
		return nil
	}))
	return votes
}

func (f *Forest) outOfBag(b *bag, X *mat.Dense, y []int, w []float64, workers int) {
	n := len(y)
	o := &OutOfBag{Proba: mat.NewDense(n, f.classes, nil)}
	add := (*flattree.Classifier).AddProba
	if f.vote {
		add = (*flattree.Classifier).AddVotes
	}
	o.Votes = b.eachLeft(n, len(f.trees), workers, func(t, row int) { add(f.trees[t], o.Proba, X, row, row+1) })
	o.judge(y, w)
	f.oob = o
}

// judge turns sums over the members into means, and scores them.
func (o *OutOfBag) judge(y []int, w []float64) {
	classes := argmaxRows(o.Proba)
	right, all := 0.0, 0.0
	for i := range y {
		row := o.Proba.RawRowView(i)
		for k := range row {
			row[k] /= float64(o.Votes[i]) // 0/0 is NaN
		}
		if o.Votes[i] == 0 {
			continue
		}
		wi := given.Weight(w, i)
		all += wi
		if classes[i] == y[i] {
			right += wi
		}
	}
	o.Score = right / all
}

func (f *RegressionForest) outOfBag(b *bag, X *mat.Dense, y, w []float64, workers int) {
	n := len(y)
	o := &OutOfBagRegression{Prediction: make([]float64, n)}
	o.Votes = b.eachLeft(n, len(f.trees), workers, func(t, row int) { f.trees[t].AddValues(o.Prediction, X, row, row+1) })
	o.judge(y, w)
	f.oob = o
}

// judge turns sums over the members into means, and scores them.
func (o *OutOfBagRegression) judge(y, w []float64) {
	var rows []int // that some member left out
	for i := range y {
		o.Prediction[i] /= float64(o.Votes[i])
		if o.Votes[i] > 0 && given.Weight(w, i) > 0 {
			rows = append(rows, i)
		}
	}
	o.Score = math.NaN()
	if rows != nil {
		if score, err := metrics.R2(given.Pick(y, rows), given.Pick(o.Prediction, rows), given.Pick(w, rows)); err == nil {
			o.Score = score
		}
	}
}

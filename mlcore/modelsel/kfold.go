package modelsel

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// DefaultFolds is the number of folds where none is given.
const DefaultFolds = 5

// KFold divides the rows into folds of equal size, within one row; each fold tests
// one of them and trains on the others. Without Shuffle the rows are cut where they
// stand, which for rows sorted by class leaves classes out of training.
type KFold struct {
	// Folds is k; 0 means [DefaultFolds], otherwise 2 to the number of rows.
	Folds int
	// Shuffle draws the rows of a fold at random, from Seed, which is an error
	// without it.
	Shuffle bool
	Seed    uint64
}

// Split returns the folds. Rows within a part are in ascending order.
func (s KFold) Split(rows Rows) (*Folds, error) {
	if err := cmp.Or(rows.check(), checkSeed(s.Shuffle, s.Seed)); err != nil {
		return nil, err
	}
	k, err := foldCount(s.Folds, rows.N)
	if err != nil {
		return nil, err
	}
	order := ascending(rows.N)
	if s.Shuffle {
		shuffle(order, mlcore.NewRand(s.Seed))
	}
	folds := make([]Fold, k)
	for i := range folds {
		// The first n mod k folds are one row larger.
		size := rows.N / k
		if i < rows.N%k {
			size++
		}
		folds[i].Test = order[:size:size]
		slices.Sort(folds[i].Test)
		order = order[size:]
	}
	return &Folds{rows.N, folds}, nil
}

// checkSeed refuses a seed of which nothing is drawn.
func checkSeed(draws bool, seed uint64) error {
	if !draws && seed != 0 {
		return configError("Seed is %d, but nothing is drawn; shuffle, or leave it", seed)
	}
	return nil
}

// Shuffled implements [Shuffler].
func (s KFold) Shuffled(seed uint64) Splitter {
	s.Shuffle, s.Seed = true, seed
	return s
}

// StratifiedKFold is [KFold] with the classes spread evenly: sizes of folds, and
// the rows of each class in them, are equal within one. Which codes the classes have
// does not matter.
type StratifiedKFold struct {
	// Folds is k; 0 means [DefaultFolds], otherwise 2 to the number of rows.
	Folds int
	// Shuffle draws the rows of a fold at random, from Seed, which is an error
	// without it. Otherwise the first rows of each class go to the first fold and
	// so on.
	Shuffle bool
	Seed    uint64
	// AllowRare accepts classes with fewer rows than folds, which some folds then
	// do not test, and some perhaps do not see in training. It is an error
	// otherwise.
	AllowRare bool
}

// Split returns the folds. Rows within a part are in ascending order.
func (s StratifiedKFold) Split(rows Rows) (*Folds, error) {
	if err := cmp.Or(rows.check(), checkSeed(s.Shuffle, s.Seed)); err != nil {
		return nil, err
	}
	k, err := foldCount(s.Folds, rows.N)
	if err != nil {
		return nil, err
	}
	if err := rows.checkLabels(); err != nil {
		return nil, err
	}
	classes, numbers := given.Strata(rows.Labels)
	folds := make([]Fold, k)
	dealt := 0
	for c, members := range classes {
		if len(members) < k && !s.AllowRare {
			return nil, configError("class %d has %d rows, fewer than the %d folds; use fewer folds or set AllowRare", rows.Labels[members[0]], len(members), k)
		}
		if s.Shuffle {
			shuffle(members, mlcore.NewRand(s.Seed, uint64(numbers[c])))
		}
		// Were all rows dealt like cards, class by class, fold i would get those
		// whose number leaves the rest i: that keeps both kinds of balance. The
		// class then goes out in runs of these sizes.
		end := dealt + len(members)
		for i := range folds {
			size := congruent(end, i, k) - congruent(dealt, i, k)
			folds[i].Test = append(folds[i].Test, members[:size]...)
			members = members[size:]
		}
		dealt = end
	}
	for i := range folds {
		slices.Sort(folds[i].Test)
	}
	return &Folds{rows.N, folds}, nil
}

// Shuffled implements [Shuffler].
func (s StratifiedKFold) Shuffled(seed uint64) Splitter {
	s.Shuffle, s.Seed = true, seed
	return s
}

// congruent counts the numbers below end that leave the rest i when divided by k.
func congruent(end, i, k int) int { return (end - i + k - 1) / k }

// checkLabels refuses rows without classes.
func (r Rows) checkLabels() error {
	if r.Labels == nil {
		return configError("stratified splits need class labels; use KFold or ShuffleSplit for regression")
	}
	return nil
}

// LeaveOneOut tests every row alone, after training on all the others.
type LeaveOneOut struct{}

// Split returns a fold a row. At least two rows are needed.
func (LeaveOneOut) Split(rows Rows) (*Folds, error) {
	if err := rows.check(); err != nil {
		return nil, err
	}
	if rows.N == 1 {
		return nil, configError("leave-one-out needs at least 2 rows")
	}
	return KFold{Folds: rows.N}.Split(rows)
}

func foldCount(k, n int) (int, error) {
	if k == 0 {
		k = DefaultFolds
	}
	if k < 2 {
		return 0, configError("Folds is %d; at least 2", k)
	}
	if k > n {
		return 0, configError("%d folds of %d rows; no more folds than rows", k, n)
	}
	return k, nil
}

func ascending(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

func shuffle(v []int, rng *rand.Rand) {
	rng.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
}

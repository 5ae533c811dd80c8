package modelsel

import (
	"cmp"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
)

// GroupKFold keeps the rows of a group together: no group is in both the training
// and the test rows of a fold. Each group in turn, the largest first, goes to the
// fold with the fewest rows so far; ties go to the smaller group number and the
// lower fold.
type GroupKFold struct {
	// Folds is k; 0 means [DefaultFolds], otherwise 2 to the number of groups.
	Folds int
	// Shuffle takes the groups in random order, from Seed, which is an error
	// without it, instead of by size: folds then differ more in size.
	Shuffle bool
	Seed    uint64
}

// Split returns the folds. Rows within a part are in ascending order.
func (s GroupKFold) Split(rows Rows) (*Folds, error) {
	if err := cmp.Or(rows.check(), checkSeed(s.Shuffle, s.Seed)); err != nil {
		return nil, err
	}
	if rows.Groups == nil {
		return nil, configError("GroupKFold needs groups; set Groups")
	}
	names := slices.Compact(slices.Sorted(slices.Values(rows.Groups)))
	members := make([][]int, len(names))
	for r, name := range rows.Groups {
		g, _ := slices.BinarySearch(names, name)
		members[g] = append(members[g], r)
	}
	k, err := foldCount(s.Folds, rows.N)
	if err != nil {
		return nil, err
	}
	if k > len(names) {
		return nil, configError("%d folds of %d groups; no more folds than groups", k, len(names))
	}
	order := ascending(len(names))
	if s.Shuffle {
		shuffle(order, mlcore.NewRand(s.Seed))
	} else {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(members[b]), len(members[a])) })
	}
	folds := make([]Fold, k)
	for _, g := range order {
		least := 0
		for i := range folds {
			if len(folds[i].Test) < len(folds[least].Test) {
				least = i
			}
		}
		folds[least].Test = append(folds[least].Test, members[g]...)
	}
	for i := range folds {
		slices.Sort(folds[i].Test)
	}
	return &Folds{rows.N, folds}, nil
}

// Shuffled implements [Shuffler].
func (s GroupKFold) Shuffled(seed uint64) Splitter {
	s.Shuffle, s.Seed = true, seed
	return s
}

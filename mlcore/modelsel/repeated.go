package modelsel

import "github.com/mllabs-go/mllabs/mlcore"

// Repeated splits several times over, shuffled anew each time: 10 times 5-fold
// cross-validation is
//
//	Repeated{Splitter: StratifiedKFold{Folds: 5}, Times: 10}
//
// and the five times 2-fold of Dietterich's test Repeated{KFold{Folds: 2}, 5, seed}.
type Repeated struct {
	// Splitter is what to repeat; nil means StratifiedKFold{} for classes and KFold{}
	// for numbers, as in [Options]. Its own seed is not used.
	Splitter Shuffler
	// Times is the number of repeats, at least 1; 0 means 10.
	Times int
	// Seed and the number of the repeat decide its folds.
	Seed uint64
}

// Split returns the folds of the first repeat, then those of the second, and so
// on.
func (s Repeated) Split(rows Rows) (*Folds, error) {
	times := s.Times
	if times == 0 {
		times = 10
	}
	if times < 0 || times > maxSplits {
		return nil, configError("Times is %d; it is 1 to %d", times, maxSplits)
	}
	inner := s.Splitter
	if inner == nil {
		inner = defaultSplitter(rows)
	}
	all := &Folds{n: rows.N}
	for t := range times {
		f, err := inner.Shuffled(mlcore.DeriveSeed(s.Seed, uint64(t))).Split(rows)
		if err != nil {
			return nil, err
		}
		all.folds = append(all.folds, f.folds...)
	}
	return all, nil
}

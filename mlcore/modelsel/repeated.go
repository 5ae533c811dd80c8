package modelsel

import "github.com/mllabs-go/mllabs/mlcore"

// Repeated splits several times over, shuffled anew each time: 10 times 5-fold
// cross-validation is
//
//	Repeated{Splitter: StratifiedKFold{Folds: 5}, Repeats: 10}
//
// and the five times 2-fold of Dietterich's test Repeated{KFold{Folds: 2}, 5, seed}.
type Repeated struct {
	// Splitter is what to repeat; nil means StratifiedKFold{} for classes and KFold{}
	// for numbers, as in [Options]. Repeated sets its Seed, so that a Seed there is
	// an error, and so is a setting that keeps the order of the rows.
	Splitter Shuffler
	// Repeats is the number of repeats, at least 1; 0 means 10.
	Repeats int
	// Seed and the number of the repeat decide its folds.
	Seed uint64
}

// Split returns the folds of the first repeat, then those of the second, and so
// on.
func (s Repeated) Split(rows Rows) (*Folds, error) {
	times := s.Repeats
	if times == 0 {
		times = 10
	}
	if times < 0 || times > maxSplits {
		return nil, configError("Repeats is %d; it is 1 to %d", times, maxSplits)
	}
	inner := s.Splitter
	if inner == nil {
		inner = defaultSplitter(rows)
	}
	if own, ok := inner.(interface {
		drawn() (seed uint64, draws bool)
	}); ok {
		switch seed, draws := own.drawn(); {
		case seed != 0:
			return nil, configError("the Seed of the %T is set; use that of Repeated, which decides all folds", inner)
		case !draws:
			return nil, configError("a %T in order is the same each time", inner)
		}
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

// drawn returns the seed of a splitter, and whether repeats of it differ.
func (s KFold) drawn() (uint64, bool)                  { return s.Seed, true }
func (s StratifiedKFold) drawn() (uint64, bool)        { return s.Seed, true }
func (s GroupKFold) drawn() (uint64, bool)             { return s.Seed, true }
func (s ShuffleSplit) drawn() (uint64, bool)           { return s.Seed, true }
func (s StratifiedShuffleSplit) drawn() (uint64, bool) { return s.Seed, true }
func (s TrainTestSplit) drawn() (uint64, bool)         { return s.Seed, !s.NoShuffle }

package uci

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/modelsel"
	"golang.org/x/sync/errgroup"
)

// An Experiment is repeated k-fold cross-validation of algorithms on sets. The
// zero value is the report's: 10 times 5-fold, all algorithms, all sets.
type Experiment struct {
	// Folds is k, at least 2; 0 means 5.
	Folds int
	// Repeats is how often the rows are shuffled and cut anew; 0 means 10.
	Repeats int
	// Seed decides the folds and, with the set, the algorithm, the repeat and
	// the fold, each learner's draws.
	Seed uint64
	// Only says which pairs of set and algorithm take part; nil means all that
	// the report has.
	Only func(Set, Algorithm) bool
	// Settings of the algorithms on a set; nil means [DefaultSettings].
	Settings func(Set) Settings
	// Splitter, where not nil, makes the folds of each repeat, in place of
	// shuffled folds.
	Splitter func(s Set, repeat int) modelsel.Splitter
	// WholeFile learns what [Set.Prepare] learns, Ecoli's intervals and Breast's commonest
	// values, from all rows of the file, those that are tested included.
	WholeFile bool
	// Workers is the greatest number of folds at a time; 0 is one a processor.
	// The result does not depend on it.
	Workers int
	// Known are folds of an earlier run of the same experiment, which are not
	// computed again.
	Known []Fold
	// Done, where not nil, is called with every fold that was computed, by one
	// goroutine at a time and in no particular order. Its error ends the
	// experiment.
	Done func(Fold) error
	// Progress, where not nil, is called after every fold, the known ones
	// included, with how many there are so far, by one goroutine at a time.
	Progress func(done, total int)
}

// A Fold is what the algorithms reached on one fold of one set.
type Fold struct {
	Set    Set `json:"set"`
	Repeat int `json:"repeat"`
	Fold   int `json:"fold"`
	// Rows is the number of test rows, Right how many of them each algorithm
	// predicted rightly.
	Rows  int               `json:"rows"`
	Right map[Algorithm]int `json:"right"`
}

type place struct {
	set          Set
	repeat, fold int
}

func (p place) String() string {
	return fmt.Sprintf("%s, repeat %d, fold %d", p.set.Name(), p.repeat, p.fold)
}

func (e *Experiment) ready() error {
	if e.Folds == 0 {
		e.Folds = modelsel.DefaultFolds
	}
	if e.Repeats == 0 {
		e.Repeats = 10
	}
	if e.Workers == 0 {
		e.Workers = runtime.GOMAXPROCS(0)
	}
	if e.Settings == nil {
		e.Settings = DefaultSettings
	}
	switch {
	case e.Folds < 2:
		return fmt.Errorf("uci: %w: Folds is %d; at least 2", mlcore.ErrConfig, e.Folds)
	case e.Repeats < 1:
		return fmt.Errorf("uci: %w: Repeats is %d; at least 1", mlcore.ErrConfig, e.Repeats)
	case e.Workers < 1:
		return fmt.Errorf("uci: %w: Workers is %d; at least 1", mlcore.ErrConfig, e.Workers)
	}
	return nil
}

// algorithms lists those that take part on a set, in order.
func (e *Experiment) algorithms(s Set) []Algorithm {
	var list []Algorithm
	for _, a := range Algorithms() {
		if a.Runs(s) && (e.Only == nil || e.Only(s, a)) {
			list = append(list, a)
		}
	}
	return list
}

// Split returns the folds of a repeat of a set, which all algorithms share. The
// training rows are in random order, unless Splitter makes the folds: files that
// are sorted by class would otherwise decide for k-NN which of equally near rows
// come first.
func (e Experiment) Split(s Set, ds *mlcore.Dataset, repeat int) (*modelsel.Folds, error) {
	if err := e.ready(); err != nil {
		return nil, err
	}
	seed := mlcore.DeriveSeed(e.Seed, s.number(), uint64(repeat))
	var splitter modelsel.Splitter = modelsel.KFold{Folds: e.Folds, Shuffle: true, Seed: seed}
	if e.Splitter != nil {
		splitter = e.Splitter(s, repeat)
	}
	folds, err := splitter.Split(modelsel.Rows{N: ds.Len(), Labels: ds.Y})
	if err == nil && (folds == nil || folds.Rows() != ds.Len()) {
		err = fmt.Errorf("%w: the splitter did not split the %d rows that it was given", mlcore.ErrConfig, ds.Len())
	}
	if err == nil && folds.Len() != e.Folds {
		err = fmt.Errorf("%w: the splitter makes %d folds, not %d", mlcore.ErrConfig, folds.Len(), e.Folds)
	}
	if err == nil && e.Splitter == nil {
		folds, err = inOrder(folds, mlcore.NewRand(seed, 1).Perm(ds.Len()))
	}
	if err != nil {
		return nil, fmt.Errorf("uci: %s: %w", s.Name(), err)
	}
	return folds, nil
}

// inOrder returns folds with their training rows in the given order.
func inOrder(folds *modelsel.Folds, order []int) (*modelsel.Folds, error) {
	list := make([]modelsel.Fold, folds.Len())
	for f := range list {
		list[f].Test = folds.At(f).Test
		tested := make([]bool, len(order))
		for _, r := range list[f].Test {
			tested[r] = true
		}
		list[f].Train = make([]int, 0, len(order)-len(list[f].Test))
		for _, r := range order {
			if !tested[r] {
				list[f].Train = append(list[f].Train, r)
			}
		}
	}
	return modelsel.NewFolds(len(order), list)
}

// Run does the experiment. When ctx is done it stops after the folds at hand, with
// the error of ctx.
func (e Experiment) Run(ctx context.Context) (*Result, error) {
	if err := e.ready(); err != nil {
		return nil, err
	}
	found, err := e.compute(ctx, 0, 1)
	if err != nil {
		return nil, err
	}
	return e.collect(found), nil
}

// RunPart does one of several equal parts of the experiment, which other processes or
// machines may do at the same time, and returns its folds in the order of their sets,
// repeats and numbers. Part is 0 to parts-1. [Experiment.Merge] makes the result of the
// folds of all parts.
func (e Experiment) RunPart(ctx context.Context, part, parts int) ([]Fold, error) {
	if err := e.ready(); err != nil {
		return nil, err
	}
	if parts < 1 || part < 0 || part >= parts {
		return nil, fmt.Errorf("uci: %w: there is no part %d of %d; parts count from 0", mlcore.ErrConfig, part, parts)
	}
	found, err := e.compute(ctx, part, parts)
	if err != nil {
		return nil, err
	}
	folds := make([]Fold, 0, len(found))
	for _, at := range e.places(part, parts) {
		folds = append(folds, found[at])
	}
	return folds, nil
}

// Merge returns the result of an experiment whose folds are all done. It reads no data. A
// fold that is missing is an error that names it; one that is given twice has to be equal.
func (e Experiment) Merge(folds []Fold) (*Result, error) {
	if err := e.ready(); err != nil {
		return nil, err
	}
	found := make(map[place]Fold, len(folds))
	for _, f := range folds {
		if err := e.check(f); err != nil {
			return nil, err
		}
		at := place{f.Set, f.Repeat, f.Fold}
		if other, twice := found[at]; twice && (other.Rows != f.Rows || !maps.Equal(other.Right, f.Right)) {
			return nil, fmt.Errorf("uci: %w: two different results of %v", mlcore.ErrConfig, at)
		}
		found[at] = f
	}
	all := e.places(0, 1)
	if len(all) == 0 {
		return nil, errNothing
	}
	missing := slices.DeleteFunc(slices.Clone(all), func(at place) bool { _, ok := found[at]; return ok })
	if len(missing) > 0 {
		return nil, fmt.Errorf("uci: %w: %d of %d folds are missing, the first of them %v", mlcore.ErrConfig, len(missing), len(all), missing[0])
	}
	return e.collect(found), nil
}

var errNothing = fmt.Errorf("uci: %w: no algorithm is to run on any set", mlcore.ErrConfig)

// places lists the folds of a part of the experiment. Each part has as many of every
// repeat as the others, give or take one, so that all take about as long.
func (e *Experiment) places(part, parts int) []place {
	var list []place
	n := 0
	for _, s := range bySize() {
		if len(e.algorithms(s)) == 0 {
			continue
		}
		for r := range e.Repeats {
			for f := range e.Folds {
				if n%parts == part {
					list = append(list, place{s, r, f})
				}
				n++
			}
		}
	}
	return list
}

// compute does the folds of a part of the experiment, but those that are known.
func (e *Experiment) compute(ctx context.Context, part, parts int) (map[place]Fold, error) {
	known, err := e.known()
	if err != nil {
		return nil, err
	}
	places := e.places(part, parts)
	if len(e.places(0, 1)) == 0 {
		return nil, errNothing
	}
	found := make(map[place]Fold, len(places))
	toDo := map[Set][]place{}
	for _, at := range places {
		if f, done := known[at]; done {
			found[at] = f
		} else {
			toDo[at.set] = append(toDo[at.set], at)
		}
	}
	var jobs []job
	for _, s := range bySize() {
		own, err := e.jobs(s, toDo[s])
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, own...)
	}
	var mu sync.Mutex
	if e.Progress != nil {
		e.Progress(len(found), len(places))
	}
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(e.Workers)
	for _, j := range jobs {
		workers.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			f, err := e.fold(j)
			if err != nil {
				return fmt.Errorf("uci: %v: %w", j.place, err)
			}
			mu.Lock()
			defer mu.Unlock()
			found[j.place] = f
			if e.Done != nil {
				if err := e.Done(f); err != nil {
					return err
				}
			}
			if e.Progress != nil {
				e.Progress(len(found), len(places))
			}
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	return found, nil
}

// bySize lists the sets with the largest first, so that no worker is left with a
// long fold at the end.
func bySize() []Set { return []Set{Letter, Mushroom, Car, Breast, Ecoli} }

// known checks and indexes the folds of an earlier run.
func (e *Experiment) known() (map[place]Fold, error) {
	found := make(map[place]Fold, len(e.Known))
	for _, f := range e.Known {
		if err := e.check(f); err != nil {
			return nil, err
		}
		found[place{f.Set, f.Repeat, f.Fold}] = f
	}
	return found, nil
}

func (e *Experiment) check(f Fold) error {
	if f.Set.Name() == "" || f.Repeat < 0 || f.Repeat >= e.Repeats || f.Fold < 0 || f.Fold >= e.Folds || f.Rows < 1 {
		return fmt.Errorf("uci: %w: the known fold %+v is none of this experiment", mlcore.ErrConfig, f)
	}
	algorithms := e.algorithms(f.Set)
	for _, a := range algorithms {
		if right, ok := f.Right[a]; !ok || right < 0 || right > f.Rows {
			return fmt.Errorf("uci: %w: the known fold %+v has no good count for %s", mlcore.ErrConfig, f, a)
		}
	}
	if len(algorithms) != len(f.Right) {
		return fmt.Errorf("uci: %w: the known fold %+v is of other algorithms", mlcore.ErrConfig, f)
	}
	return nil
}

type job struct {
	place
	ds   *mlcore.Dataset
	rows modelsel.Fold
}

// jobs makes the jobs of folds of a set, which are in order.
func (e *Experiment) jobs(s Set, places []place) ([]job, error) {
	if len(places) == 0 {
		return nil, nil
	}
	ds, err := s.Load()
	if err != nil {
		return nil, err
	}
	var folds *modelsel.Folds
	jobs := make([]job, 0, len(places))
	for i, at := range places {
		if i == 0 || at.repeat != places[i-1].repeat {
			if folds, err = e.Split(s, ds, at.repeat); err != nil {
				return nil, err
			}
		}
		jobs = append(jobs, job{at, ds, folds.At(at.fold)})
	}
	return jobs, nil
}

func (e *Experiment) prepare(j job) (*Prepared, error) {
	if !e.WholeFile {
		return j.set.Prepare(j.ds, j.rows)
	}
	all := make([]int, j.ds.Len())
	for i := range all {
		all[i] = i
	}
	whole, err := j.set.Prepare(j.ds, modelsel.Fold{Train: all, Test: all})
	if err != nil {
		return nil, err
	}
	cut := func(v View) View { return View{v.Train.Subset(j.rows.Train), v.Train.Subset(j.rows.Test)} }
	p := &Prepared{Categories: cut(whole.Categories)}
	if whole.Numbers != nil {
		numbers := cut(*whole.Numbers)
		p.Numbers = &numbers
	}
	return p, nil
}

// fold runs the algorithms on one fold.
func (e *Experiment) fold(j job) (Fold, error) {
	f := Fold{Set: j.set, Repeat: j.repeat, Fold: j.fold, Rows: len(j.rows.Test), Right: map[Algorithm]int{}}
	p, err := e.prepare(j)
	if err != nil {
		return f, err
	}
	settings := e.Settings(j.set)
	for _, a := range e.algorithms(j.set) {
		v := p.Categories
		if a.numeric() || a.growsTrees() && settings.NumericTrees && p.Numbers != nil {
			v = *p.Numbers
		}
		if a == RandomForest && settings.SeesTest {
			v.Train = together(v)
		}
		seed := mlcore.DeriveSeed(e.Seed, j.set.number(), uint64(j.repeat), uint64(j.fold), a.number())
		learn, err := settings.Learner(a, seed)
		if err != nil {
			return f, err
		}
		m, err := learn(v.Train)
		if err != nil {
			return f, fmt.Errorf("%s: %w", a, err)
		}
		predicted, err := m.Predict(v.Test.X)
		if err != nil {
			return f, fmt.Errorf("%s: %w", a, err)
		}
		right := 0
		for i, k := range predicted {
			if k == v.Test.Y[i] {
				right++
			}
		}
		f.Right[a] = right
	}
	return f, nil
}

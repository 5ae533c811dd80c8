package modelsel

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/report"
	"gonum.org/v1/gonum/mat"
)

// A Target is what a row is labelled with: a class code or a real number.
type Target interface{ int | float64 }

// A Model is what [mlcore.Classifier] (of int) and [mlcore.Regressor] (of float64)
// have in common.
type Model[Y Target] interface {
	Predict(X mat.Matrix) ([]Y, error)
}

// Options are common to all functions that cross-validate. The zero value is
// 5-fold cross-validation of the accuracy or, for numbers, of R².
type Options struct {
	// Splitter makes the folds; nil means StratifiedKFold{Shuffle: true} for
	// classes and KFold{Shuffle: true} for numbers.
	Splitter Splitter
	// Scorers judge the predictions; nil means Accuracy or R2. Where one score has
	// to decide, it is that of the first scorer.
	Scorers []Scorer
	// Groups holds the group of each row, for a splitter that keeps groups
	// together; the other splitters of this package refuse it.
	Groups []int
	// TrainScores scores the training rows too.
	TrainScores bool
	// Context, where not nil, stops the work between two fits when it is done; the
	// error is then the context's.
	Context context.Context
	// Workers is the greatest number of fits at a time; 0 means one per
	// processor. Where there are many, give the learner one worker of its own.
	Workers int
	// Progress, where not nil, is called after every fit, with no losses.
	Progress func(mlcore.Progress) error
}

// labels returns what the rows of a Dataset are labelled with.
func labels[Y Target](ds *mlcore.Dataset) []Y {
	var y []Y
	switch y := any(&y).(type) {
	case *[]int:
		*y = ds.Y
	case *[]float64:
		*y = ds.Target
	}
	return y
}

// problem is checked data, folds and scorers.
type problem[Y Target] struct {
	ds      *mlcore.Dataset
	groups  []int
	folds   *Folds
	scorers []Scorer
	inner   bool // of training rows of an outer fold
}

func newProblem[Y Target](ds *mlcore.Dataset, opt Options) (*problem[Y], error) {
	if ds == nil {
		return nil, fmt.Errorf("modelsel: %w: the Dataset is nil", mlcore.ErrEmpty)
	}
	if err := ds.Validate(); err != nil {
		return nil, fmt.Errorf("modelsel: %w", err)
	}
	isClasses := classes[Y]()
	switch {
	case isClasses && ds.Y == nil:
		return nil, fmt.Errorf("modelsel: %s%w: the model is a classifier and the Dataset has no class labels in Y", given.Prefix(ds.Name), mlcore.ErrLabel)
	case !isClasses && ds.Target == nil:
		return nil, fmt.Errorf("modelsel: %s%w: the model is a regressor and the Dataset has no numbers in Target", given.Prefix(ds.Name), mlcore.ErrLabel)
	}
	p := &problem[Y]{ds: ds, groups: opt.Groups, scorers: opt.Scorers}
	if len(p.scorers) == 0 {
		p.scorers = []Scorer{R2}
		if isClasses {
			p.scorers = []Scorer{Accuracy}
		}
	}
	for _, s := range p.scorers {
		if err := s.check(isClasses); err != nil {
			return nil, err
		}
	}
	var err error
	p.folds, err = p.split(opt.Splitter)
	return p, err
}

// classes reports whether models predict classes, not numbers.
func classes[Y Target]() bool {
	var y Y
	_, is := any(y).(int)
	return is
}

// split asks the splitter, or the default one, for folds.
func (p *problem[Y]) split(s Splitter) (*Folds, error) {
	var codes []int
	if classes[Y]() {
		codes = p.ds.Y
	}
	rows := Rows{N: len(labels[Y](p.ds)), Labels: codes, Groups: p.groups}
	if s == nil {
		s = defaultSplitter(rows)
	}
	if p.groups != nil && parts(s) {
		return nil, configError("there are Groups, and a %T parts the rows of a group; use GroupKFold, for inner folds too, or leave Groups out", s)
	}
	folds, err := s.Split(rows)
	if err != nil {
		return nil, err
	}
	if folds == nil || folds.n != rows.N {
		return nil, configError("the splitter did not split the %d rows that it was given", rows.N)
	}
	return folds, nil
}

// defaultSplitter is what a nil Splitter stands for.
func defaultSplitter(rows Rows) Shuffler {
	if rows.Labels != nil {
		return StratifiedKFold{Shuffle: true}
	}
	return KFold{Shuffle: true}
}

// foldError says in which fold err arose. Learners name rows of what they were
// given; where X holds a NaN that may be to blame, its place in X is added.
func (p *problem[Y]) foldError(i int, err error) error {
	if p.inner {
		return fmt.Errorf("inner fold %d: %w", i, err)
	}
	if errors.Is(err, mlcore.ErrNonFinite) {
		if nan := mlcore.CheckMatrix(p.ds.X, false); nan != nil {
			return fmt.Errorf("modelsel: fold %d: %w (in all of X: %v)", i, err, nan)
		}
	}
	return fmt.Errorf("modelsel: fold %d: %w", i, err)
}

// progress counts fits. It is safe for concurrent use.
type progress struct {
	mu   sync.Mutex
	done int
	ctx  context.Context
	told *report.Reporter
}

func newProgress(total int, opt Options) *progress {
	return &progress{ctx: opt.Context, told: report.To(opt.Progress, "modelsel", 1, total)}
}

// stopped returns the context's error once it is done.
func (p *progress) stopped() error {
	if p.ctx == nil {
		return nil
	}
	return p.ctx.Err()
}

func (p *progress) tick() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	return p.told.Step(0, p.done, report.NoLosses)
}

var errNoTrain = configError("there is no function that fits a model; give the FitClassifier or FitRegressor method of a configuration")

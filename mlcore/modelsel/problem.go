package modelsel

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"gonum.org/v1/gonum/mat"
)

// A Target is what a row is labelled with: a class code or a real number.
type Target interface{ int | float64 }

// A Model is what [mlcore.Classifier] (of int) and [mlcore.Regressor] (of float64)
// have in common.
type Model[Y Target] interface {
	Predict(X mat.Matrix) ([]Y, error)
}

// Options are common to all that cross-validates. The zero value is 5-fold
// cross-validation of the accuracy or, for numbers, of R².
type Options struct {
	// Splitter makes the folds; nil means StratifiedKFold{Shuffle: true} for
	// classes and KFold{Shuffle: true} for numbers.
	Splitter Splitter
	// Scorers judge the predictions; nil means Accuracy or R2. Where one score has
	// to decide, it is the first's.
	Scorers []Scorer
	// Groups holds the group of each row, for a splitter that asks for it.
	Groups []int
	// Classes is K, which matters to scorers of probabilities; 0 means 1 + the
	// largest label.
	Classes int
	// TrainScores scores the training rows too.
	TrainScores bool
	// Context, where not nil, stops the work between two fits when it is done; the
	// error is then the context's.
	Context context.Context
	// Workers is the greatest number of fits at a time; 0 is one a processor.
	// Where there are many, give the learner one worker of its own.
	Workers int
	// Progress, where not nil, is called after every fit with how many are done, by
	// one goroutine at a time.
	Progress func(done, total int)
}

// part is some rows of the data.
type part[Y Target] struct {
	X *mat.Dense
	y []Y
	w []float64
}

func (p part[Y]) rows(rows []int) part[Y] {
	return part[Y]{given.Subset(p.X, rows), given.Pick(p.y, rows), given.Pick(p.w, rows)}
}

// problem is checked data, folds and scorers.
type problem[Y Target] struct {
	part[Y]
	groups  []int
	folds   *Folds
	scorers []Scorer
	classes int
	inner   bool // of training rows of an outer fold
}

func newProblem[Y Target](X mat.Matrix, y []Y, w []float64, opt Options) (*problem[Y], error) {
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("modelsel: %w", err)
	}
	n, _ := X.Dims()
	labels, isClasses := any(y).([]int)
	err := mlcore.CheckWeights(w, n)
	if isClasses && err == nil {
		err = mlcore.CheckLabels(labels, n, opt.Classes)
	} else if err == nil {
		err = mlcore.CheckTargets(any(y).([]float64), n)
	}
	if err != nil {
		return nil, fmt.Errorf("modelsel: %w", err)
	}
	if opt.Classes < 0 {
		return nil, configError("Classes is %d", opt.Classes)
	}
	p := &problem[Y]{part: part[Y]{y: y, w: w}, groups: opt.Groups, scorers: opt.Scorers, classes: opt.Classes}
	if p.classes == 0 && isClasses {
		p.classes = mlcore.CountClasses(labels)
	}
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
	if p.folds, err = p.split(opt.Splitter); err != nil {
		return nil, err
	}
	if dense, ok := X.(*mat.Dense); ok {
		p.X = dense
	} else {
		p.X = mat.DenseCopyOf(X)
	}
	return p, nil
}

// split asks the splitter, or the default one, for folds.
func (p *problem[Y]) split(s Splitter) (*Folds, error) {
	labels, isClasses := any(p.y).([]int)
	switch {
	case s != nil:
	case isClasses:
		s = StratifiedKFold{Shuffle: true}
	default:
		s = KFold{Shuffle: true}
	}
	folds, err := s.Split(Rows{N: len(p.y), Labels: labels, Groups: p.groups})
	if err != nil {
		return nil, err
	}
	if folds == nil || folds.n != len(p.y) {
		return nil, configError("the splitter did not split the %d rows that it was given", len(p.y))
	}
	return folds, nil
}

// foldError says in which fold err arose. Learners name rows of what they were
// given; where X holds a NaN that may be to blame, its place in X is added.
func (p *problem[Y]) foldError(i int, err error) error {
	if p.inner {
		return fmt.Errorf("inner fold %d: %w", i, err)
	}
	if errors.Is(err, mlcore.ErrNonFinite) {
		if nan := mlcore.CheckMatrix(p.X, false); nan != nil {
			return fmt.Errorf("modelsel: fold %d: %w (in all of X: %v)", i, err, nan)
		}
	}
	return fmt.Errorf("modelsel: fold %d: %w", i, err)
}

// progress counts fits. It is safe for concurrent use.
type progress struct {
	mu          sync.Mutex
	done, total int
	ctx         context.Context
	report      func(done, total int)
}

func newProgress(total int, opt Options) *progress {
	return &progress{total: total, ctx: opt.Context, report: opt.Progress}
}

// stopped returns the context's error once it is done.
func (p *progress) stopped() error {
	if p.ctx == nil {
		return nil
	}
	return p.ctx.Err()
}

func (p *progress) tick() {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.report(p.done, p.total)
}

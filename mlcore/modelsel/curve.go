package modelsel

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A Curve holds scores of the training and the test rows along something that
// varies.
type Curve struct {
	// Scorer names the score, that of the first scorer.
	Scorer string
	// X holds the numbers of training rows, or the values of the setting.
	X []float64
	// Points holds for each of X the scores, Train and Test, of every fold.
	Points []Scores
}

// Axes returns X and the name of the Scorer, the axes of the curve, which package plotx
// draws.
func (c *Curve) Axes() (x []float64, scorer string) { return c.X, c.Scorer }

// Test returns means and standard deviations of the test scores along X.
func (c *Curve) Test() (means, sds []float64) {
	return along(c.Points, func(s Scores) []float64 { return s.Test })
}

// Train returns means and standard deviations of the training scores along X, or nil if
// there are none, as along a threshold.
func (c *Curve) Train() (means, sds []float64) {
	if len(c.Points) == 0 || c.Points[0].Train == nil {
		return nil, nil
	}
	return along(c.Points, func(s Scores) []float64 { return s.Train })
}

func along(points []Scores, of func(Scores) []float64) (means, sds []float64) {
	for _, p := range points {
		means, sds = append(means, mean(of(p))), append(sds, sd(of(p)))
	}
	return means, sds
}

// LearningCurveOptions are the options of [LearningCurve].
type LearningCurveOptions struct {
	Options
	// TrainSizes are shares of the training rows to fit to, above 0 up to 1; nil means 0.1,
	// 0.325, 0.55, 0.775 and 1. They are taken of the smallest training set, so
	// that all folds fit to equally many rows, rounded down to one row or more.
	TrainSizes []float64
	// NoShuffle takes the first rows of each training set as they stand, as
	// scikit-learn's learning_curve does unless told to shuffle. Otherwise the
	// training rows of each fold are shuffled from Seed, which is an error with
	// NoShuffle; each share then holds the smaller ones.
	NoShuffle bool
	Seed      uint64
}

// LearningCurve cross-validates on more and more of the training rows: how much
// would more data help? The arguments are those of [CrossValidate].
func LearningCurve[Y Target, M Model[Y]](train func(ds *mlcore.Dataset) (M, error), ds *mlcore.Dataset, opt LearningCurveOptions) (*Curve, error) {
	if train == nil {
		return nil, errNoTrain
	}
	if err := checkSeed(!opt.NoShuffle, opt.Seed); err != nil {
		return nil, err
	}
	p, err := newProblem[Y](ds, opt.Options)
	if err != nil {
		return nil, err
	}
	sizes, err := curveSizes(opt.TrainSizes, p.folds)
	if err != nil {
		return nil, err
	}
	k := p.folds.Len()
	c := &Curve{Scorer: p.scorers[0].Name}
	scores := make([][]Scores, len(sizes))
	for s, size := range sizes {
		c.X = append(c.X, float64(size))
		scores[s] = newScores(p.scorers, k, true)
	}
	done := newProgress(k*len(sizes), opt.Options)
	err = par.Do(k, opt.Workers, func(i int) error {
		fold := p.folds.At(i)
		rows := append([]int(nil), fold.Train...)
		if !opt.NoShuffle {
			shuffle(rows, mlcore.NewRand(opt.Seed, uint64(i)))
		}
		test := ds.Subset(fold.Test)
		for s, size := range sizes {
			if err := done.stopped(); err != nil {
				return p.foldError(i, err)
			}
			d := &foldData{train: ds.Subset(rows[:size]), test: test}
			if _, err := evaluate(train, d, p, scores[s], i); err != nil {
				return p.foldError(i, err)
			}
			if err := done.tick(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range scores {
		c.Points = append(c.Points, s[0])
	}
	return c, nil
}

// curveSizes turns shares into numbers of training rows that every fold has.
func curveSizes(shares []float64, folds *Folds) ([]int, error) {
	if shares == nil {
		shares = []float64{0.1, 0.325, 0.55, 0.775, 1}
	}
	if len(shares) == 0 {
		return nil, fmt.Errorf("modelsel: %w: no shares to fit to", mlcore.ErrEmpty)
	}
	least := folds.n
	for i := range folds.Len() {
		least = min(least, folds.trainRows(i))
	}
	sizes := make([]int, len(shares))
	for s, share := range shares {
		if !(share > 0 && share <= 1) {
			return nil, configError("TrainSizes[%d] is %v; above 0 up to 1", s, share)
		}
		sizes[s] = max(1, int(float64(share*float64(least))+1e-9))
	}
	return sizes, nil
}

// ValidationCurve cross-validates for each value of one setting: where does a model
// underfit, where does it overfit? train fits with the value:
//
//	func(depth int, ds *mlcore.Dataset) (*tree.Classifier, error) {
//		return tree.Config{MaxDepth: depth}.FitClassifier(ds)
//	}
func ValidationCurve[V int | float64, Y Target, M Model[Y]](train func(value V, ds *mlcore.Dataset) (M, error), values []V, ds *mlcore.Dataset, opt Options) (*Curve, error) {
	opt.TrainScores = true
	candidates := make([]Candidate[V], len(values))
	for i, v := range values {
		candidates[i] = Candidate[V]{v, []Param{{"value", fmt.Sprint(v)}}}
	}
	r, err := Search(train, candidates, ds, SearchOptions{Options: opt, NoRefit: true})
	if err != nil {
		return nil, err
	}
	c := &Curve{}
	for _, row := range r.Table {
		c.Scorer = row.Scores[0].Scorer
		c.X = append(c.X, float64(row.Config))
		c.Points = append(c.Points, row.Scores[0])
	}
	return c, nil
}

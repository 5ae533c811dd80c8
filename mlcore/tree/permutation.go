package tree

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/metrics"
)

// maxDraws keeps a mistyped number from running for ever.
const maxDraws = 1 << 24

// A Permutation says how permutation importances are taken: how much a model's
// score falls when a column of X is shuffled among the rows (Breiman, 2001,
// section 10). It works with any model. On data that the model has not seen, it
// says more than the impurity importances do.
type Permutation struct {
	// Repeats is the number of shuffles of each column; 0 means 5.
	Repeats int
	// Seed starts the shuffles.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	// The model has to be safe for concurrent use unless it is 1.
	Workers int
}

// Importances are the falls of a score, by column.
type Importances struct {
	// Score is the model's on the data as they are: the weighted accuracy, or R²
	// for regression, which is NaN where all targets are equal.
	Score float64
	// Mean and SD are those of the falls over the repeats; SD divides by their
	// number, as scikit-learn's does.
	Mean, SD []float64
	// Falls holds the fall of each repeat, [column][repeat].
	Falls [][]float64
}

// Classifier takes the importances for a classifier on X (n×d), class codes y
// (n) and sample weights w (n, or nil). Rows of weight 0 are left out, and their values are
// not shuffled among the others.
func (p Permutation) Classifier(m mlcore.Classifier, X mat.Matrix, y []int, w []float64) (*Importances, error) {
	n, err := p.check(m, X, w)
	if err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, n, 0); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	if rows := given.Weighted(w, n); len(rows) < n {
		X, y, w, n = given.Subset(X, rows), given.Pick(y, rows), given.Pick(w, rows), len(rows)
	}
	return p.run(X, func(X mat.Matrix) (float64, error) {
		guess, err := m.Predict(X)
		if err == nil {
			err = checkAnswers(len(guess), n)
		}
		if err != nil {
			return 0, err
		}
		right, all := 0.0, 0.0
		for i, k := range guess {
			wi := given.Weight(w, i)
			all += wi
			if k == y[i] {
				right += wi
			}
		}
		return right / all, nil
	})
}

// Regressor takes the importances for a regressor on X (n×d), targets y (n) and
// sample weights w (n, or nil), as [Permutation.Classifier] does.
func (p Permutation) Regressor(m mlcore.Regressor, X mat.Matrix, y, w []float64) (*Importances, error) {
	n, err := p.check(m, X, w)
	if err != nil {
		return nil, err
	}
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	if rows := given.Weighted(w, n); len(rows) < n {
		X, y, w, n = given.Subset(X, rows), given.Pick(y, rows), given.Pick(w, rows), len(rows)
	}
	return p.run(X, func(X mat.Matrix) (float64, error) {
		guess, err := m.Predict(X)
		if err == nil {
			err = checkAnswers(len(guess), n)
		}
		if err != nil {
			return 0, err
		}
		return metrics.R2(y, guess, w)
	})
}

func (p Permutation) check(m interface{ NumFeatures() int }, X mat.Matrix, w []float64) (int, error) {
	if p.Repeats < 0 || p.Repeats > maxDraws {
		return 0, fmt.Errorf("tree: %w: Repeats is %d; it is 0 to %d", mlcore.ErrConfig, p.Repeats, maxDraws)
	}
	if given.IsNil(m) {
		return 0, fmt.Errorf("tree: %w", mlcore.ErrNotFitted)
	}
	if err := mlcore.CheckFeatures(X, m.NumFeatures()); err != nil {
		return 0, fmt.Errorf("tree: %w", err)
	}
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return 0, fmt.Errorf("tree: %w", err)
	}
	n, _ := X.Dims()
	if err := mlcore.CheckWeights(w, n); err != nil {
		return 0, fmt.Errorf("tree: %w", err)
	}
	return n, nil
}

// checkAnswers refuses those of a model for other than n rows.
func checkAnswers(answers, n int) error {
	if answers != n {
		return fmt.Errorf("tree: %w: the model answered for %d of %d rows", mlcore.ErrShape, answers, n)
	}
	return nil
}

func (p Permutation) run(X mat.Matrix, score func(mat.Matrix) (float64, error)) (im *Importances, err error) {
	defer par.Recover(&err) // of a model that another wrote
	repeats := p.Repeats
	if repeats == 0 {
		repeats = 5
	}
	base, err := score(X)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	im = &Importances{Score: base, Mean: make([]float64, d), SD: make([]float64, d), Falls: make([][]float64, d)}
	err = par.Do(d, p.Workers, func(j int) error {
		shuffled, col := mat.DenseCopyOf(X), mat.Col(nil, j, X)
		falls := make([]float64, repeats)
		for r := range falls {
			rng := mlcore.NewRand(p.Seed, uint64(j), uint64(r))
			own := slices.Clone(col)
			rng.Shuffle(n, func(a, b int) { own[a], own[b] = own[b], own[a] })
			shuffled.SetCol(j, own)
			s, err := score(shuffled)
			if err != nil {
				return err
			}
			falls[r] = base - s
			im.Mean[j] += falls[r] / float64(repeats)
		}
		for _, f := range falls {
			im.SD[j] += (f - im.Mean[j]) * (f - im.Mean[j]) / float64(repeats)
		}
		im.SD[j] = math.Sqrt(im.SD[j])
		im.Falls[j] = falls
		return nil
	})
	if err != nil {
		return nil, err
	}
	return im, nil
}

package modelsel

import (
	"fmt"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
)

// CorrectedResampledT tests whether two learners differ in the first score of two
// cross-validations, repeated ones above all, by [sigtest.CorrectedResampledT]: the t
// test of the differences a - b, fold by fold, corrected for training rows that
// overlap. The ratio of test rows to training rows is that of the folds.
//
// Both results have to be of the same score and of the same folds, which two calls
// with the same splitter and seed on the same rows make. Otherwise the error wraps
// [mlcore.ErrConfig], since the differences of unlike folds are not paired.
func CorrectedResampledT(a, b *Result, alt sigtest.Alternative) (sigtest.Result, error) {
	ratio, err := pairedRatio(a, b)
	if err != nil {
		return sigtest.Result{}, err
	}
	r, err := sigtest.CorrectedResampledT(a.Scores[0].Test, b.Scores[0].Test, ratio, alt)
	if err != nil {
		return r, fmt.Errorf("modelsel: %w", err)
	}
	return r, nil
}

// BayesianCorrelatedT returns what is believed of the mean difference a - b of the first
// score of two cross-validations, by [sigtest.BayesianCorrelatedT]. What
// [CorrectedResampledT] asks of the two results is asked here too.
func BayesianCorrelatedT(a, b *Result) (sigtest.DifferencePosterior, error) {
	ratio, err := pairedRatio(a, b)
	if err != nil {
		return sigtest.DifferencePosterior{}, err
	}
	p, err := sigtest.BayesianCorrelatedT(a.Scores[0].Test, b.Scores[0].Test, ratio)
	if err != nil {
		return p, fmt.Errorf("modelsel: %w", err)
	}
	return p, nil
}

// pairedRatio returns the number of test rows over that of training rows of two results
// on the same folds.
func pairedRatio(a, b *Result) (float64, error) {
	for i, r := range []*Result{a, b} {
		if r == nil || r.Folds == nil || len(r.Scores) == 0 {
			return 0, fmt.Errorf("modelsel: %w: the %s result is not one of a cross-validation", mlcore.ErrEmpty, []string{"first", "second"}[i])
		}
	}
	if x, y := a.Scores[0].Scorer, b.Scores[0].Scorer; x != y {
		return 0, configError("the results are of other scores, %s and %s; give both runs the same first Scorer", x, y)
	}
	if why := a.Folds.differ(b.Folds); why != "" {
		return 0, configError("the results are of other folds (%s), so their differences are not paired; give both runs the same Splitter and seed, and the same rows", why)
	}
	train, test := 0, 0
	for i := range a.Folds.Len() {
		train, test = train+a.TrainRows[i], test+a.TestRows[i]
	}
	return float64(test) / float64(train), nil
}

// differ says in what f and g are not the same folds of the same number of rows, or "".
func (f *Folds) differ(g *Folds) string {
	switch {
	case f == g:
		return ""
	case f.n != g.n:
		return fmt.Sprintf("of %d and of %d rows", f.n, g.n)
	case f.Len() != g.Len():
		return fmt.Sprintf("%d and %d of them", f.Len(), g.Len())
	}
	for i := range f.folds {
		x, y := f.At(i), g.At(i)
		if !slices.Equal(x.Test, y.Test) {
			return fmt.Sprintf("fold %d tests other rows", i)
		}
		if !slices.Equal(x.Train, y.Train) {
			return fmt.Sprintf("fold %d trains on other rows", i)
		}
	}
	return ""
}

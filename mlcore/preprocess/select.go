package preprocess

import (
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
)

// A Score says how a [SelectConfig] judges how much a column, by itself, has to do with
// the target.
type Score int

const (
	// FScore is the F statistic of numeric columns: with class labels that of a
	// one-way analysis of variance between the classes, with numbers to predict that
	// of a regression on the column. It is the default.
	FScore Score = iota
	// ChiSquared compares the sums of a column in each class with the sums that the
	// sizes of the classes let one expect. It is for counts and shares in numeric
	// columns, none below 0, and class labels.
	ChiSquared
	// MutualInformation is how many nats of information about the target a column
	// holds, whatever the form of the relation. If both are categories, as class
	// labels are, it is computed from their joint frequencies; if one or both are
	// numbers, it is estimated from the distances to the nearest neighbours (Ross,
	// 2014, "Mutual information between discrete and continuous data sets"; Kraskov,
	// Stögbauer & Grassberger, 2004, "Estimating mutual information"). An estimate
	// below 0 counts as 0. It has no p-values.
	MutualInformation
)

// SelectConfig keeps those columns that have, each by itself, most to do with the
// target: class labels or numbers to predict, and class labels where a Dataset has both.
// Columns that are not judged are handed on. The zero value keeps the 10 numeric columns
// of the greatest F, all where there are fewer.
//
// A column that is constant scores 0, with a p-value of 1. Among equal scores the column
// that stands first is kept first. At most one of K, Share and FDR is set.
type SelectConfig struct {
	// Score says how columns are judged.
	Score Score
	// K is the number of judged columns that are kept; 0 means 10, or all where there
	// are fewer, unless Share or FDR is set.
	K int
	// Share is the share of the judged columns that is kept, above 0 and at most 1,
	// rounded, at least one column.
	Share float64
	// FDR keeps the columns that the procedure of Benjamini and Hochberg finds with a
	// false discovery rate of at most this, above 0 and below 1. Where it finds none,
	// the error wraps [mlcore.ErrColumn]. It cannot be set for MutualInformation.
	FDR float64
	// Neighbors is k of MutualInformation's estimates; 0 means 3.
	Neighbors int
	// Seed starts the draws of the tiny noise, 1e-10 times the standard deviation, that
	// sets equal numbers apart before MutualInformation looks for neighbours.
	Seed uint64
	// Columns names those to judge; nil means all numeric ones, for MutualInformation
	// all.
	Columns []string
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// defaultKept and defaultNeighbors are scikit-learn's too.
const (
	defaultKept      = 10
	defaultNeighbors = 3
)

func (c SelectConfig) check() error {
	rules := 0
	for _, set := range []bool{c.K != 0, c.Share != 0, c.FDR != 0} {
		if set {
			rules++
		}
	}
	switch {
	case c.Score < FScore || c.Score > MutualInformation:
		return configError("no such Score: %d", int(c.Score))
	case rules > 1:
		return configError("K is %d, Share %v and FDR %v; set one of them", c.K, c.Share, c.FDR)
	case c.K < 0:
		return configError("K is %d; it is at least 1", c.K)
	case !(c.Share >= 0 && c.Share <= 1):
		return configError("Share is %v; it is above 0 and at most 1", c.Share)
	case !(c.FDR >= 0 && c.FDR < 1):
		return configError("FDR is %v; it is above 0 and below 1", c.FDR)
	case c.FDR != 0 && c.Score == MutualInformation:
		return configError("MutualInformation has no p-values for FDR; set K or Share")
	case c.Neighbors < 0:
		return configError("Neighbors is %d; it is at least 1", c.Neighbors)
	case c.Score != MutualInformation && (c.Neighbors != 0 || c.Seed != 0):
		return configError("Neighbors and Seed are for MutualInformation")
	}
	return nil
}

// Fit judges the columns on the training rows.
func (c SelectConfig) Fit(train *mlcore.Dataset) (*Selection, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	kind := numeric
	if c.Score == MutualInformation {
		kind = anyColumn
	}
	judged, err := start(train, c.Columns, kind)
	if err != nil {
		return nil, err
	}
	if len(judged) == 0 {
		return nil, dataError(train, mlcore.ErrColumn, "no numeric column to judge")
	}
	if c.K > len(judged) {
		return nil, configError("K is %d of %d columns", c.K, len(judged))
	}
	scores, pValues, err := c.judge(train, judged)
	if err != nil {
		return nil, err
	}
	chosen, err := c.choose(train, scores, pValues)
	if err != nil {
		return nil, err
	}
	m := &Selection{judged: judged, scores: scores, pValues: pValues}
	for j := range train.Columns {
		p, is := slices.BinarySearch(judged, j)
		if !is || chosen[p] {
			m.kept = append(m.kept, j)
		}
	}
	m.subset = newSubset(train.Columns, m.kept)
	return m, nil
}

// FitStep is Fit for a pipeline.
func (c SelectConfig) FitStep(train *mlcore.Dataset) (FittedStep, error) {
	return fitStep(c.Fit, train)
}

// judge returns the scores of the given columns, and their p-values where there are any.
func (c SelectConfig) judge(train *mlcore.Dataset, judged []int) (scores, pValues []float64, err error) {
	if train.Y == nil && train.Target == nil {
		return nil, nil, dataError(train, mlcore.ErrLabel, "there is nothing to judge columns by, neither labels in Y nor numbers in Target")
	}
	var score func(j int, values []float64) (score, pValue float64, err error)
	switch {
	case c.Score == MutualInformation:
		m, err := c.newInformation(train)
		if err != nil {
			return nil, nil, err
		}
		score = func(j int, _ []float64) (float64, float64, error) { v, err := m.about(j); return v, 0, err }
	case c.Score == ChiSquared && train.Y == nil:
		return nil, nil, dataError(train, mlcore.ErrLabel, "ChiSquared needs class labels in Y")
	case c.Score == ChiSquared:
		score = func(j int, _ []float64) (float64, float64, error) { return chiSquared(train, j) }
	case train.Y != nil:
		score = func(_ int, values []float64) (float64, float64, error) { return analysisOfVariance(train, values) }
	default:
		return regressionScores(train, judged, c.Workers)
	}
	scores, pValues = make([]float64, len(judged)), make([]float64, len(judged))
	judge := func(p int, values []float64) error {
		j := judged[p]
		if i := slices.IndexFunc(values, func(v float64) bool { return v != v }); i >= 0 && !train.Columns[j].Categorical() {
			return missingValue(train, i, j)
		}
		var err error
		scores[p], pValues[p], err = score(j, values)
		return err
	}
	if c.Score == MutualInformation { // whose columns are worth a goroutine each
		err = par.Do(len(judged), c.Workers, func(p int) error { return judge(p, column(train, judged[p])) })
	} else {
		err = eachColumn(train, judged, c.Workers, judge)
	}
	if c.Score == MutualInformation {
		pValues = nil
	}
	return scores, pValues, err
}

// choose says of each judged column whether it is kept.
func (c SelectConfig) choose(train *mlcore.Dataset, scores, pValues []float64) ([]bool, error) {
	if c.FDR != 0 {
		found, err := sigtest.BenjaminiHochberg(pValues, c.FDR)
		if err != nil {
			return nil, fmt.Errorf("preprocess: %w", err)
		}
		if !slices.Contains(found.Rejected, true) {
			return nil, dataError(train, mlcore.ErrColumn, "no column is found at a false discovery rate of %v; the least p-value of %d is %.3g", c.FDR, len(pValues), slices.Min(pValues))
		}
		return found.Rejected, nil
	}
	k := min(defaultKept, len(scores))
	switch {
	case c.K != 0:
		k = c.K
	case c.Share != 0:
		k = max(1, int(math.Round(float64(c.Share*float64(len(scores))))))
	}
	order := make([]int, len(scores))
	for p := range order {
		order[p] = p
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	chosen := make([]bool, len(scores))
	for _, p := range order[:k] {
		chosen[p] = true
	}
	return chosen, nil
}

// A Selection is a fitted [SelectConfig].
type Selection struct {
	subset
	judged          []int
	scores, pValues []float64 // of the judged columns
}

// Scores returns the score of each column that came in, NaN for one that was not
// judged.
func (m *Selection) Scores() []float64 { return m.spread(m.scores) }

// PValues returns the p-value of each column that came in, NaN for one that was not
// judged. It is nil for [MutualInformation].
func (m *Selection) PValues() []float64 {
	if m.pValues == nil {
		return nil
	}
	return m.spread(m.pValues)
}

func (m *Selection) spread(v []float64) []float64 {
	out := slices.Repeat([]float64{math.NaN()}, len(m.in))
	for p, j := range m.judged {
		out[j] = v[p]
	}
	return out
}

package ensemble

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// BaggingConfig fits any learner to many samples of the rows and lets the
// results vote or average (Breiman, 1996, "Bagging predictors"). Rows are
// copied, so learners need not heed weights.
type BaggingConfig struct {
	// Members is the number of models; 0 means 10.
	Members int
	// Learner fits the members of FitClassifier, RegressorLearner those of
	// FitRegressor.
	Learner          mlcore.ClassifierLearner
	RegressorLearner mlcore.RegressorLearner
	// LearnerFor and RegressorLearnerFor, where not nil, replace them by one
	// made for the columns that a member gets, ascending: needed with Features
	// where the learner is told about columns, such as their levels.
	LearnerFor          func(columns []int) mlcore.ClassifierLearner
	RegressorLearnerFor func(columns []int) mlcore.RegressorLearner
	// Sampling is how rows are drawn; Default is WithReplacement.
	Sampling Sampling
	// SampleShare is the share of the rows that is drawn, rounded, at least one
	// row; 0 means 1.
	SampleShare float64
	// Features, where positive, is the number of columns drawn for each member.
	Features int
	// Vote makes Predict count one vote a member even where all of them
	// estimate probabilities; otherwise these are averaged.
	Vote bool
	// Classes is K; 0 means 1 + the largest label.
	Classes int
	// Seed starts the random draws.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 is one a processor.
	Workers int
}

func (c BaggingConfig) ready(d int) (BaggingConfig, error) {
	if c.Members == 0 {
		c.Members = 10
	}
	if c.SampleShare == 0 {
		c.SampleShare = 1
	}
	if c.Sampling == Default {
		c.Sampling = WithReplacement
	}
	switch {
	case c.Members < 0 || c.Members > maxMembers:
		return c, configError("Members is %d; it is 0 to %d", c.Members, maxMembers)
	case c.Sampling < WithReplacement || c.Sampling > AllRows:
		return c, configError("no such Sampling: %d", int(c.Sampling))
	case !(c.SampleShare > 0 && c.SampleShare <= 1):
		return c, configError("SampleShare is %v; it is a share above 0 and up to 1", c.SampleShare)
	case c.Features < 0 || c.Features > d:
		return c, configError("Features is %d, X has %d columns", c.Features, d)
	case c.Classes < 0:
		return c, configError("Classes is %d", c.Classes)
	}
	return c, nil
}

// A resample is what one member is fitted to.
type resample struct {
	X       *mat.Dense
	rows    []int
	w       []float64 // nil: all 1
	columns []int     // nil: all
}

// resample draws for member t. Rows of weight 0 are never drawn.
func (c BaggingConfig) resample(t int, X *mat.Dense, w []float64) resample {
	n, d := X.Dims()
	usable := given.Weighted(w, n)
	rng := mlcore.NewRand(c.Seed, uint64(t))
	copies := make([]int32, len(usable))
	if !draw(rng, c.Sampling, c.SampleShare, copies) {
		for i := range copies {
			copies[i] = 1
		}
	}
	var r resample
	for i, k := range copies {
		for range k {
			r.rows = append(r.rows, usable[i])
		}
	}
	if c.Features > 0 {
		r.columns = choose(rng, d, c.Features)
		d = c.Features
	}
	r.X = mat.NewDense(len(r.rows), d, nil)
	for k, i := range r.rows {
		pickColumns(r.X.RawRowView(k), X.RawRowView(i), r.columns)
	}
	r.w = given.Pick(w, r.rows)
	return r
}

func pickColumns(dst, row []float64, columns []int) {
	if columns == nil {
		copy(dst, row)
		return
	}
	for k, j := range columns {
		dst[k] = row[j]
	}
}

func selectColumns(X *mat.Dense, columns []int) *mat.Dense {
	if columns == nil {
		return X
	}
	n, _ := X.Dims()
	s := mat.NewDense(n, len(columns), nil)
	for i := range n {
		pickColumns(s.RawRowView(i), X.RawRowView(i), columns)
	}
	return s
}

// FitClassifier fits the members on X (n×d), class codes y (n) and sample
// weights w (n, or nil), which are handed to the learner. A member whose sample
// lacks the highest classes is told nothing of them: set the learner's own
// Classes where it has to know K.
func (c BaggingConfig) FitClassifier(X mat.Matrix, y []int, w []float64) (*Bagging, error) {
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	n, d := X.Dims()
	c, err := c.ready(d)
	if err != nil {
		return nil, err
	}
	if c.Learner == nil && c.LearnerFor == nil {
		return nil, configError("bagging needs a Learner")
	}
	if err := mlcore.CheckLabels(y, n, c.Classes); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	m := &Bagging{features: d, classes: c.Classes, vote: c.Vote, members: make([]mlcore.Classifier, c.Members), columns: make([][]int, c.Members)}
	if m.classes == 0 {
		m.classes = mlcore.CountClasses(y)
	}
	x := given.Dense(X)
	err = par.Do(c.Members, c.Workers, func(t int) error {
		r := c.resample(t, x, w)
		labels := make([]int, len(r.rows))
		for k, i := range r.rows {
			labels[k] = y[i]
		}
		learner := c.Learner
		if c.LearnerFor != nil {
			learner = c.LearnerFor(allOr(r.columns, d))
		}
		member, err := learner(r.X, labels, r.w)
		if err != nil {
			return memberError(t, x, err)
		}
		if member.NumClasses() > m.classes {
			return fmt.Errorf("ensemble: member %d: %w: it has %d classes, the data %d", t, mlcore.ErrLabel, member.NumClasses(), m.classes)
		}
		m.members[t], m.columns[t] = member, r.columns
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// memberError is the error of member t. A member that refuses NaN names the row
// of its own sample, which tells the caller nothing; the first NaN of X does.
func memberError(t int, X mat.Matrix, err error) error {
	if errors.Is(err, mlcore.ErrNonFinite) {
		if nan := mlcore.CheckMatrix(X, false); nan != nil {
			err = nan
		}
	}
	return fmt.Errorf("ensemble: member %d: %w", t, err)
}

func allOr(columns []int, d int) []int {
	if columns != nil {
		return columns
	}
	all := make([]int, d)
	for j := range all {
		all[j] = j
	}
	return all
}

// FitRegressor fits the members on X (n×d), targets y (n) and sample weights w
// (n, or nil).
func (c BaggingConfig) FitRegressor(X mat.Matrix, y, w []float64) (*BaggingRegressor, error) {
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	n, d := X.Dims()
	c, err := c.ready(d)
	if err != nil {
		return nil, err
	}
	if c.RegressorLearner == nil && c.RegressorLearnerFor == nil {
		return nil, configError("bagging needs a RegressorLearner")
	}
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	m := &BaggingRegressor{features: d, members: make([]mlcore.Regressor, c.Members), columns: make([][]int, c.Members)}
	x := given.Dense(X)
	err = par.Do(c.Members, c.Workers, func(t int) error {
		r := c.resample(t, x, w)
		targets := make([]float64, len(r.rows))
		for k, i := range r.rows {
			targets[k] = y[i]
		}
		learner := c.RegressorLearner
		if c.RegressorLearnerFor != nil {
			learner = c.RegressorLearnerFor(allOr(r.columns, d))
		}
		member, err := learner(r.X, targets, r.w)
		if err != nil {
			return memberError(t, x, err)
		}
		m.members[t], m.columns[t] = member, r.columns
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A Bagging is a fitted bag of classifiers. It is immutable and, where its
// members are, safe for concurrent use.
type Bagging struct {
	features, classes int
	vote              bool
	members           []mlcore.Classifier
	columns           [][]int // of each member; nil: all
}

// A BaggingRegressor is a fitted bag of regressors. It is immutable and, where
// its members are, safe for concurrent use.
type BaggingRegressor struct {
	features int
	members  []mlcore.Regressor
	columns  [][]int
}

var (
	_ mlcore.ProbClassifier = (*Bagging)(nil)
	_ mlcore.Regressor      = (*BaggingRegressor)(nil)
)

// NumFeatures is the number of columns that the bag was fitted with.
func (m *Bagging) NumFeatures() int { return m.features }

// NumClasses is K: predictions are in 0..K-1.
func (m *Bagging) NumClasses() int { return m.classes }

// Members returns the members in the order of their random streams.
func (m *Bagging) Members() []mlcore.Classifier {
	return append([]mlcore.Classifier(nil), m.members...)
}

// Predict returns for each row of X the class with the highest mean
// probability where all members estimate them and Vote is not set, else the one
// with most votes; the lowest such on a tie.
func (m *Bagging) Predict(X mat.Matrix) ([]int, error) {
	p, err := m.PredictProba(X)
	if err != nil {
		return nil, err
	}
	return argmaxRows(p), nil
}

// PredictProba returns an n×K matrix of what Predict compares: mean
// probabilities, or shares of the votes.
func (m *Bagging) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return poll(X, m.features, m.classes, m.members, m.columns, nil, !m.vote)
}

// poll averages what members say of X: with soft their probabilities, where all
// of them estimate such, else their votes.
func poll(X mat.Matrix, features, classes int, members []mlcore.Classifier, columns [][]int, weights []float64, soft bool) (*mat.Dense, error) {
	if err := mlcore.CheckFeatures(X, features); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	for _, member := range members {
		if _, ok := member.(mlcore.ProbClassifier); !ok {
			soft = false
		}
	}
	x := given.Dense(X)
	n, _ := x.Dims()
	p, sum := mat.NewDense(n, classes, nil), 0.0
	for t, member := range members {
		w := given.Weight(weights, t)
		sum += w
		var own *mat.Dense
		view := x
		if columns != nil {
			view = selectColumns(x, columns[t])
		}
		if soft {
			var err error
			if own, err = member.(mlcore.ProbClassifier).PredictProba(view); err != nil {
				return nil, fmt.Errorf("ensemble: member %d: %w", t, err)
			}
			for i := range n {
				row := p.RawRowView(i)
				for k, v := range own.RawRowView(i) {
					row[k] += float64(w * v)
				}
			}
			continue
		}
		guess, err := member.Predict(view)
		if err != nil {
			return nil, fmt.Errorf("ensemble: member %d: %w", t, err)
		}
		for i, k := range guess {
			p.RawRowView(i)[k] += w
		}
	}
	for i := range n {
		row := p.RawRowView(i)
		for k := range row {
			row[k] /= sum
		}
	}
	return p, nil
}

// NumFeatures is the number of columns that the bag was fitted with.
func (m *BaggingRegressor) NumFeatures() int { return m.features }

// Members returns the members in the order of their random streams.
func (m *BaggingRegressor) Members() []mlcore.Regressor {
	return append([]mlcore.Regressor(nil), m.members...)
}

// Predict returns for each row of X the mean of the members' predictions.
func (m *BaggingRegressor) Predict(X mat.Matrix) ([]float64, error) {
	return average(X, m.features, m.members, m.columns, nil)
}

func average(X mat.Matrix, features int, members []mlcore.Regressor, columns [][]int, weights []float64) ([]float64, error) {
	if err := mlcore.CheckFeatures(X, features); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	x := given.Dense(X)
	n, _ := x.Dims()
	mean, sum := make([]float64, n), 0.0
	for t, member := range members {
		w := given.Weight(weights, t)
		sum += w
		view := x
		if columns != nil {
			view = selectColumns(x, columns[t])
		}
		own, err := member.Predict(view)
		if err != nil {
			return nil, fmt.Errorf("ensemble: member %d: %w", t, err)
		}
		for i, v := range own {
			mean[i] += float64(w * v)
		}
	}
	for i := range mean {
		mean[i] /= sum
	}
	return mean, nil
}

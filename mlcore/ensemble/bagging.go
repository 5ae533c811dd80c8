package ensemble

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/given"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// BaggingConfig fits any learner to many samples of the rows and lets the
// results vote or average (Breiman, 1996, "Bagging predictors"). Rows are copied, so
// learners need not take weights.
type BaggingConfig struct {
	// Estimators is the number of models; 0 means 10.
	Estimators int
	// Learner fits the members of FitClassifier, RegressorLearner those of
	// FitRegressor; the other one is an error. It is given a Dataset of the rows
	// and columns that were drawn, with the names of all levels and classes.
	Learner          mlcore.ClassifierLearner
	RegressorLearner mlcore.RegressorLearner
	// Sampling is how rows are drawn; Default is WithReplacement.
	Sampling Sampling
	// Subsample is the share of the rows that is drawn, rounded, at least one
	// row; 0 means 1.
	Subsample float64
	// FeaturesPerEstimator, where positive, is the number of columns drawn for each member.
	FeaturesPerEstimator int
	// Voting is by default SoftVoting where all members estimate probabilities, and
	// HardVoting otherwise. It is for classification only.
	Voting VotingRule
	// OutOfBag keeps, for each training row, the prediction of the members that were
	// fitted without it; see [Bagging.OutOfBag]. Rows of weight 0 do not count in its
	// score.
	OutOfBag bool
	// Seed starts the random draws.
	Seed uint64
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

// anyColumns: what the members cannot use they refuse themselves.
var anyColumns = fitted.Takes{Package: "ensemble", Categories: true, Numbers: true, Missing: true}

// ready fills in defaults, or says which setting is out of range for d columns.
func (c BaggingConfig) ready(d int) (BaggingConfig, error) {
	if c.Estimators == 0 {
		c.Estimators = 10
	}
	if err := readySampling(&c.Sampling, &c.Subsample); err != nil {
		return c, err
	}
	switch {
	case c.Estimators < 0 || c.Estimators > maxMembers:
		return c, configError("Estimators is %d; it is 0 to %d", c.Estimators, maxMembers)
	case c.FeaturesPerEstimator < 0 || c.FeaturesPerEstimator > d:
		return c, configError("FeaturesPerEstimator is %d, X has %d columns", c.FeaturesPerEstimator, d)
	case c.OutOfBag && c.Sampling == AllRows:
		return c, configError("OutOfBag needs members that leave rows out; choose another Sampling")
	}
	return c, nil
}

// resample draws rows and columns for member t, and notes the rows in b; columns is nil for
// all. Rows of weight 0 are never drawn.
func (c BaggingConfig) resample(t int, ds *mlcore.Dataset, b *bag) (sample *mlcore.Dataset, columns []int) {
	usable := given.Weighted(ds.Weights, ds.Len())
	rng := mlcore.NewRand(c.Seed, uint64(t))
	copies := make([]int32, len(usable))
	if !draw(rng, c.Sampling, c.Subsample, copies) {
		for i := range copies {
			copies[i] = 1
		}
	}
	var rows []int
	for i, k := range copies {
		for range k {
			rows = append(rows, usable[i])
		}
		if b != nil && k > 0 {
			b.take(t, usable[i])
		}
	}
	sample = ds.Subset(rows)
	if c.FeaturesPerEstimator > 0 {
		columns = choose(rng, ds.NumFeatures(), c.FeaturesPerEstimator)
		sample.X, sample.Columns = selectColumns(sample.X, columns), given.Pick(ds.Columns, columns)
	}
	return sample, columns
}

// selectColumns returns the given columns of X, all of them for nil.
func selectColumns(X *mat.Dense, columns []int) *mat.Dense {
	if columns == nil {
		return X
	}
	n, _ := X.Dims()
	s := mat.NewDense(n, len(columns), nil)
	for i := range n {
		dst, row := s.RawRowView(i), X.RawRowView(i)
		for k, j := range columns {
			dst[k] = row[j]
		}
	}
	return s
}

// FitClassifier fits the members to samples of a Dataset; its sample weights are
// handed to the learner. The model carries the names of columns and classes.
func (c BaggingConfig) FitClassifier(ds *mlcore.Dataset) (*Bagging, error) {
	switch {
	case c.Learner == nil:
		return nil, configError("bagging needs a Learner")
	case c.RegressorLearner != nil:
		return nil, configError("RegressorLearner is for regression; set Learner alone")
	}
	if err := c.Voting.check(false); err != nil {
		return nil, err
	}
	return fitted.Classifier(ds, anyColumns, func(ds *mlcore.Dataset) (*Bagging, error) {
		members, columns, b, err := fitMembers(c, ds, func(sample *mlcore.Dataset) (mlcore.Classifier, error) {
			m, err := c.Learner(sample)
			if err == nil && m != nil && m.NumClasses() > ds.NumClasses() {
				err = fmt.Errorf("%w: it has %d classes, the data %d", mlcore.ErrLabel, m.NumClasses(), ds.NumClasses())
			}
			return m, err
		})
		if err == nil {
			err = c.Voting.checkSoft(members)
		}
		if err != nil {
			return nil, err
		}
		m := &Bagging{features: ds.NumFeatures(), classes: ds.NumClasses(), vote: c.Voting == HardVoting, members: members, columns: columns}
		return m, m.outOfBag(b, ds)
	})
}

// FitRegressor fits the members to samples of a Dataset; see
// [BaggingConfig.FitClassifier].
func (c BaggingConfig) FitRegressor(ds *mlcore.Dataset) (*BaggingRegressor, error) {
	switch {
	case c.RegressorLearner == nil:
		return nil, configError("bagging needs a RegressorLearner")
	case c.Learner != nil:
		return nil, configError("Learner is for classification; set RegressorLearner alone")
	}
	if err := c.Voting.check(true); err != nil {
		return nil, err
	}
	return fitted.Regressor(ds, anyColumns, func(ds *mlcore.Dataset) (*BaggingRegressor, error) {
		members, columns, b, err := fitMembers(c, ds, c.RegressorLearner)
		if err != nil {
			return nil, err
		}
		m := &BaggingRegressor{features: ds.NumFeatures(), members: members, columns: columns}
		return m, m.outOfBag(b, ds)
	})
}

// fitMembers fits each member to a sample of its own, and returns their columns and, for
// OutOfBag, their rows too.
func fitMembers[M any](c BaggingConfig, ds *mlcore.Dataset, learn func(sample *mlcore.Dataset) (M, error)) ([]M, [][]int, *bag, error) {
	c, err := c.ready(ds.NumFeatures())
	if err != nil {
		return nil, nil, nil, err
	}
	members, columns, b := make([]M, c.Estimators), make([][]int, c.Estimators), newBag(c.OutOfBag, c.Estimators, ds.Len())
	err = par.Do(c.Estimators, c.Workers, func(t int) error {
		sample, chosen := c.resample(t, ds, b)
		member, err := fitted.Made(learn(sample))
		if err != nil {
			return memberError(t, ds, err)
		}
		members[t], columns[t] = member, chosen
		return nil
	})
	return members, columns, b, err
}

// leftOut returns the rows that member t was fitted without, as its columns show them.
func (b *bag) leftOut(t int, ds *mlcore.Dataset, columns []int) (rows []int, X *mat.Dense) {
	for i := range ds.Len() {
		if b.left(t, i) {
			rows = append(rows, i)
		}
	}
	if rows == nil {
		return nil, nil
	}
	return rows, selectColumns(given.Subset(ds.X, rows), columns)
}

// outOfBag keeps what the members say of the rows that they were fitted without.
func (m *Bagging) outOfBag(b *bag, ds *mlcore.Dataset) error {
	if b == nil {
		return nil
	}
	soft := !m.vote && allEstimate(m.members)
	o := &OutOfBag{Votes: make([]int, ds.Len()), Proba: mat.NewDense(ds.Len(), m.classes, nil)}
	for t, member := range m.members {
		rows, X := b.leftOut(t, ds, m.columns[t])
		if rows == nil {
			continue
		}
		said, err := opinion(member, X, m.classes, soft)
		if err != nil {
			return memberError(t, ds, err)
		}
		for at, i := range rows {
			o.Votes[i]++
			row := o.Proba.RawRowView(i)
			for k, v := range said.RawRowView(at) {
				row[k] += v
			}
		}
	}
	o.judge(ds.Y, ds.Weights)
	m.oob = o
	return nil
}

// outOfBag keeps what the members say of the rows that they were fitted without.
func (m *BaggingRegressor) outOfBag(b *bag, ds *mlcore.Dataset) error {
	if b == nil {
		return nil
	}
	o := &OutOfBagRegression{Votes: make([]int, ds.Len()), Prediction: make([]float64, ds.Len())}
	for t, member := range m.members {
		rows, X := b.leftOut(t, ds, m.columns[t])
		if rows == nil {
			continue
		}
		said, err := fitted.Numbers(member, X)
		if err != nil {
			return memberError(t, ds, err)
		}
		for at, i := range rows {
			o.Votes[i]++
			o.Prediction[i] += said[at]
		}
	}
	o.judge(ds.Target, ds.Weights)
	m.oob = o
	return nil
}

// memberError is the error of member t. A member that refuses a missing value names
// the row of its own sample, which tells the caller nothing; the first one of ds does.
func memberError(t int, ds *mlcore.Dataset, err error) error {
	if errors.Is(err, mlcore.ErrNonFinite) {
		if missing := fitted.CheckMissing(ds); missing != nil {
			err = missing
		}
	}
	return fmt.Errorf("ensemble: member %d: %w", t, err)
}

type described = fitted.Model

// A Bagging is a fitted bag of classifiers. It is immutable and, where its
// members are, safe for concurrent use.
type Bagging struct {
	described
	features, classes int
	vote              bool
	members           []mlcore.Classifier
	columns           [][]int // of each member; nil: all
	oob               *OutOfBag
}

// A BaggingRegressor is a fitted bag of regressors. It is immutable and, where
// its members are, safe for concurrent use.
type BaggingRegressor struct {
	described
	features int
	members  []mlcore.Regressor
	columns  [][]int
	oob      *OutOfBagRegression
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

// OutOfBag returns what was kept under [BaggingConfig.OutOfBag], or nil. Its
// contents must not be changed. It is not part of the serialised forms.
func (m *Bagging) OutOfBag() *OutOfBag { return m.oob }

// OutOfBag returns what was kept under [BaggingConfig.OutOfBag], or nil. Its
// contents must not be changed. It is not part of the serialised forms.
func (m *BaggingRegressor) OutOfBag() *OutOfBagRegression { return m.oob }

// Predict returns for each row of X the class with the highest mean probability where
// all members estimate them and Voting is not HardVoting, else the one with most
// votes; the lowest on a tie. [mlcore.Classifier] says what it does not check in X.
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
	soft = soft && allEstimate(members)
	x, err := checkedDense(X, features)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	p := mat.NewDense(n, classes, nil)
	sum, err := ask(x, members, columns, weights, func(member mlcore.Classifier, view *mat.Dense, w float64) error {
		own, err := opinion(member, view, classes, soft)
		if err != nil {
			return err
		}
		for i := range n {
			row := p.RawRowView(i)
			for k, v := range own.RawRowView(i) {
				row[k] += float64(w * v)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.Apply(func(_, _ int, v float64) float64 { return v / sum }, p)
	return p, nil
}

// allEstimate reports whether all members estimate probabilities.
func allEstimate(members []mlcore.Classifier) bool {
	for _, member := range members {
		if _, err := fitted.Estimator(member); err != nil {
			return false
		}
	}
	return true
}

// opinion returns the probabilities that a member gives the classes or, unless soft, 1 for
// the one that it predicts.
func opinion(member mlcore.Classifier, X *mat.Dense, classes int, soft bool) (*mat.Dense, error) {
	if soft {
		return fitted.Probabilities(member.(mlcore.ProbClassifier), X, classes)
	}
	guess, err := fitted.Labels(member, X, classes)
	if err != nil {
		return nil, err
	}
	p := mat.NewDense(len(guess), classes, nil)
	for i, k := range guess {
		p.Set(i, k, 1)
	}
	return p, nil
}

// checkedDense validates X for prediction by members that say themselves whether
// NaN is good.
func checkedDense(X mat.Matrix, features int) (*mat.Dense, error) {
	if err := checkInput(X, features, nil, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	return given.Dense(X), nil
}

// unitOf is a power of two that brings weights near 1 whose products with what members say
// might leave the range of float64, and else 1: only the ratios of weights matter.
func unitOf(weights []float64) float64 {
	if weights == nil {
		return 1
	}
	_, exponent := math.Frexp(floats.Sum(weights))
	if exponent > -200 && exponent < 200 {
		return 1
	}
	return math.Ldexp(1, min(-exponent, 1023))
}

// ask calls f for each member, in order, with the columns of x that it takes and
// with its weight in their unit, and returns the sum of these weights.
func ask[M any](x *mat.Dense, members []M, columns [][]int, weights []float64, f func(member M, view *mat.Dense, w float64) error) (float64, error) {
	unit, sum := unitOf(weights), 0.0
	for t, member := range members {
		w := float64(given.Weight(weights, t) * unit)
		sum += w
		view := x
		if columns != nil {
			view = selectColumns(x, columns[t])
		}
		if err := f(member, view, w); err != nil {
			return 0, fmt.Errorf("ensemble: member %d: %w", t, err)
		}
	}
	return sum, nil
}

// NumFeatures is the number of columns that the bag was fitted with.
func (m *BaggingRegressor) NumFeatures() int { return m.features }

// Members returns the members in the order of their random streams.
func (m *BaggingRegressor) Members() []mlcore.Regressor {
	return append([]mlcore.Regressor(nil), m.members...)
}

// Predict returns for each row of X the mean of the members' predictions.
// [mlcore.Regressor] says what it does not check in X.
func (m *BaggingRegressor) Predict(X mat.Matrix) ([]float64, error) {
	return average(X, m.features, m.members, m.columns, nil)
}

// average is the mean of what members predict of X.
func average(X mat.Matrix, features int, members []mlcore.Regressor, columns [][]int, weights []float64) ([]float64, error) {
	x, err := checkedDense(X, features)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	mean := make([]float64, n)
	sum, err := ask(x, members, columns, weights, func(member mlcore.Regressor, view *mat.Dense, w float64) error {
		own, err := fitted.Numbers(member, view)
		if err != nil {
			return err
		}
		for i, v := range own {
			mean[i] += float64(w * v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range mean {
		mean[i] /= sum
	}
	return mean, nil
}

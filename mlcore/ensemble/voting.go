package ensemble

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/fitted"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// A VotingRule says how the answers of several classifiers become one.
type VotingRule int

const (
	// DefaultVoting is the rule that a configuration documents.
	DefaultVoting VotingRule = iota
	// HardVoting gives each classifier one vote; the lowest class wins a tie.
	HardVoting
	// SoftVoting averages class probabilities, which every classifier has to
	// estimate.
	SoftVoting
)

// check says whether a configuration may have the rule.
func (v VotingRule) check(regression bool) error {
	switch {
	case v < DefaultVoting || v > SoftVoting:
		return configError("no such Voting: %d", int(v))
	case v != DefaultVoting && regression:
		return configError("Voting is for classification")
	}
	return nil
}

// checkSoft refuses members without probabilities where the rule averages these.
func (v VotingRule) checkSoft(members []mlcore.Classifier) error {
	if v == SoftVoting {
		for t, m := range members {
			if _, err := fitted.Estimator(m); err != nil {
				return configError("SoftVoting needs class probabilities; member %d, a %T, has none: use HardVoting, or fit it by calibration.Config, which adds them to any learner of scores", t, m)
			}
		}
	}
	return nil
}

// VotingConfig fits different learners to the same rows and lets them vote or
// average.
type VotingConfig struct {
	// Learners fit the members of FitClassifier, RegressorLearners those of
	// FitRegressor; the others are an error.
	Learners          []mlcore.ClassifierLearner
	RegressorLearners []mlcore.RegressorLearner
	// Weights are those of the members; nil: all are equal.
	Weights []float64
	// Voting is HardVoting unless set, as in scikit-learn. It is for
	// classification only.
	Voting VotingRule
	// Workers is the greatest number of goroutines; 0 means one per processor.
	Workers int
}

func (c VotingConfig) check(regression bool) error {
	members, others := len(c.Learners), len(c.RegressorLearners)
	if regression {
		members, others = others, members
	}
	switch {
	case others > 0 && regression:
		return configError("Learners are for classification; set RegressorLearners alone")
	case others > 0:
		return configError("RegressorLearners are for regression; set Learners alone")
	case members == 0:
		return configError("voting needs at least one learner")
	}
	if err := c.Voting.check(regression); err != nil {
		return err
	}
	if c.Weights == nil {
		return nil
	}
	if len(c.Weights) != members {
		return configError("Weights has %d entries for %d members", len(c.Weights), members)
	}
	sum := 0.0
	for t, v := range c.Weights {
		if v-v != 0 || v < 0 {
			return configError("Weights[%d] is %v; weights of members are finite and not negative", t, v)
		}
		sum += v
	}
	if sum <= 0 || math.IsInf(sum, 1) {
		return configError("Weights sum to %v", sum)
	}
	return nil
}

// FitClassifier fits every learner to a Dataset. The model carries the names of
// columns and classes.
func (c VotingConfig) FitClassifier(ds *mlcore.Dataset) (*Voting, error) {
	if err := c.check(false); err != nil {
		return nil, err
	}
	return fitted.Classifier(ds, anyColumns, func(ds *mlcore.Dataset) (*Voting, error) {
		members, err := fitAll(ds, c.Learners, c.Workers)
		if err != nil {
			return nil, err
		}
		if err := c.Voting.checkSoft(members); err != nil {
			return nil, err
		}
		for t, m := range members {
			if m.NumClasses() > ds.NumClasses() {
				return nil, fmt.Errorf("ensemble: member %d: %w: it has %d classes, the data %d", t, mlcore.ErrLabel, m.NumClasses(), ds.NumClasses())
			}
		}
		return &Voting{features: ds.NumFeatures(), classes: ds.NumClasses(), soft: c.Voting == SoftVoting, weights: slices.Clone(c.Weights), members: members}, nil
	})
}

// FitRegressor fits every learner to a Dataset; see [VotingConfig.FitClassifier].
func (c VotingConfig) FitRegressor(ds *mlcore.Dataset) (*VotingRegressor, error) {
	if err := c.check(true); err != nil {
		return nil, err
	}
	return fitted.Regressor(ds, anyColumns, func(ds *mlcore.Dataset) (*VotingRegressor, error) {
		members, err := fitAll(ds, c.RegressorLearners, c.Workers)
		if err != nil {
			return nil, err
		}
		return &VotingRegressor{features: ds.NumFeatures(), weights: slices.Clone(c.Weights), members: members}, nil
	})
}

// fitAll fits each of the learners to the same Dataset.
func fitAll[M interface{ NumFeatures() int }, L ~func(ds *mlcore.Dataset) (M, error)](ds *mlcore.Dataset, learners []L, workers int) ([]M, error) {
	members := make([]M, len(learners))
	err := par.Do(len(learners), workers, func(t int) error {
		if learners[t] == nil {
			return configError("learner %d is nil", t)
		}
		m, err := fitted.Made(learners[t](ds))
		if err != nil {
			return fmt.Errorf("ensemble: member %d: %w", t, err)
		}
		members[t] = m
		return nil
	})
	return members, err
}

// A Voting is a fitted committee of classifiers. It is immutable and, where its
// members are, safe for concurrent use.
type Voting struct {
	described
	features, classes int
	soft              bool
	weights           []float64
	members           []mlcore.Classifier
}

// A VotingRegressor is a fitted committee of regressors, which predicts their
// weighted mean. It is immutable and, where its members are, safe for
// concurrent use.
type VotingRegressor struct {
	described
	features int
	weights  []float64
	members  []mlcore.Regressor
}

var (
	_ mlcore.ProbClassifier = (*Voting)(nil)
	_ mlcore.Regressor      = (*VotingRegressor)(nil)
)

// NumFeatures is the number of columns that the members were fitted with.
func (m *Voting) NumFeatures() int { return m.features }

// NumClasses is K: predictions are in 0..K-1.
func (m *Voting) NumClasses() int { return m.classes }

// Members returns the members in the order of the learners.
func (m *Voting) Members() []mlcore.Classifier { return append([]mlcore.Classifier(nil), m.members...) }

// Predict returns for each row of X the class with the greatest weight of votes or, under
// SoftVoting, of probability; the lowest on a tie. [mlcore.Classifier] says what it does
// not check in X.
func (m *Voting) Predict(X mat.Matrix) ([]int, error) {
	p, err := m.PredictProba(X)
	if err != nil {
		return nil, err
	}
	return argmaxRows(p), nil
}

// PredictProba returns an n×K matrix of what Predict compares: shares of the
// votes or, under SoftVoting, mean probabilities.
func (m *Voting) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return poll(X, m.features, m.classes, m.members, nil, m.weights, m.soft)
}

// NumFeatures is the number of columns that the members were fitted with.
func (m *VotingRegressor) NumFeatures() int { return m.features }

// Members returns the members in the order of the learners.
func (m *VotingRegressor) Members() []mlcore.Regressor {
	return append([]mlcore.Regressor(nil), m.members...)
}

// Predict returns for each row of X the weighted mean of the members' predictions.
// [mlcore.Regressor] says what it does not check in X.
func (m *VotingRegressor) Predict(X mat.Matrix) ([]float64, error) {
	return average(X, m.features, m.members, nil, m.weights)
}

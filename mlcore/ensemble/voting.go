package ensemble

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/par"
)

// VotingConfig fits different learners to the same rows and lets them vote or
// average.
type VotingConfig struct {
	// Learners fit the members of FitClassifier, RegressorLearners those of
	// FitRegressor.
	Learners          []mlcore.ClassifierLearner
	RegressorLearners []mlcore.RegressorLearner
	// Weights are those of the members; nil: all are equal.
	Weights []float64
	// Soft averages class probabilities, which every member then has to
	// estimate. Otherwise each member has one vote.
	Soft bool
	// Workers is the greatest number of goroutines; 0 is one a processor.
	Workers int
}

func (c VotingConfig) check(members int) error {
	if members == 0 {
		return configError("voting needs at least one learner")
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

// FitClassifier fits every learner on X (n×d), class codes y (n) and sample
// weights w (n, or nil).
func (c VotingConfig) FitClassifier(X mat.Matrix, y []int, w []float64) (*Voting, error) {
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	n, d := X.Dims()
	if err := c.check(len(c.Learners)); err != nil {
		return nil, err
	}
	if err := mlcore.CheckLabels(y, n, 0); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	m := &Voting{features: d, soft: c.Soft, weights: append([]float64(nil), c.Weights...), members: make([]mlcore.Classifier, len(c.Learners))}
	err := par.Do(len(c.Learners), c.Workers, func(t int) error {
		member, err := c.Learners[t](X, y, w)
		if err != nil {
			return fmt.Errorf("ensemble: member %d: %w", t, err)
		}
		if _, ok := member.(mlcore.ProbClassifier); c.Soft && !ok {
			return configError("Soft needs class probabilities; member %d, a %T, has none", t, member)
		}
		m.members[t] = member
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, member := range m.members {
		m.classes = max(m.classes, member.NumClasses())
	}
	return m, nil
}

// FitRegressor fits every learner on X (n×d), targets y (n) and sample weights w
// (n, or nil).
func (c VotingConfig) FitRegressor(X mat.Matrix, y, w []float64) (*VotingRegressor, error) {
	if err := mlcore.CheckMatrix(X, true); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	n, d := X.Dims()
	if err := c.check(len(c.RegressorLearners)); err != nil {
		return nil, err
	}
	if c.Soft {
		return nil, configError("Soft is for classification")
	}
	if err := mlcore.CheckTargets(y, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	if err := mlcore.CheckWeights(w, n); err != nil {
		return nil, fmt.Errorf("ensemble: %w", err)
	}
	m := &VotingRegressor{features: d, weights: append([]float64(nil), c.Weights...), members: make([]mlcore.Regressor, len(c.RegressorLearners))}
	err := par.Do(len(c.RegressorLearners), c.Workers, func(t int) error {
		member, err := c.RegressorLearners[t](X, y, w)
		if err != nil {
			return fmt.Errorf("ensemble: member %d: %w", t, err)
		}
		m.members[t] = member
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A Voting is a fitted committee of classifiers. It is immutable and, where its
// members are, safe for concurrent use.
type Voting struct {
	features, classes int
	soft              bool
	weights           []float64
	members           []mlcore.Classifier
}

// A VotingRegressor is a fitted committee of regressors, which predicts their
// weighted mean. It is immutable and, where its members are, safe for
// concurrent use.
type VotingRegressor struct {
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

// Predict returns for each row of X the class with the greatest weight of votes
// or, under Soft, of probability; the lowest such on a tie.
func (m *Voting) Predict(X mat.Matrix) ([]int, error) {
	p, err := m.PredictProba(X)
	if err != nil {
		return nil, err
	}
	return argmaxRows(p), nil
}

// PredictProba returns an n×K matrix of what Predict compares: shares of the
// votes or, under Soft, mean probabilities.
func (m *Voting) PredictProba(X mat.Matrix) (*mat.Dense, error) {
	return poll(X, m.features, m.classes, m.members, nil, m.weights, m.soft)
}

// NumFeatures is the number of columns that the members were fitted with.
func (m *VotingRegressor) NumFeatures() int { return m.features }

// Members returns the members in the order of the learners.
func (m *VotingRegressor) Members() []mlcore.Regressor {
	return append([]mlcore.Regressor(nil), m.members...)
}

// Predict returns for each row of X the weighted mean of the members'
// predictions.
func (m *VotingRegressor) Predict(X mat.Matrix) ([]float64, error) {
	return average(X, m.features, m.members, nil, m.weights)
}

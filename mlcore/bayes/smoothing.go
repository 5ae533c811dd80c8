package bayes

import (
	"fmt"

	"github.com/mllabs-go/mllabs/mlcore"
)

// A Smoothing says how counts become probabilities that are not 0. With n rows of
// a class that have a value, n_v rows of the class, and L values that the
// attribute can have, it is one of
//
//   - [Laplace], the zero value: (n + 1) / (n_v + L);
//   - [Lidstone](alpha): (n + alpha) / (n_v + alpha L);
//   - [AttributeCount]: (n + 1) / (n_v + k) with k the number of attributes.
type Smoothing struct {
	rule  smoothingRule
	alpha float64
}

type smoothingRule int

const (
	laplace smoothingRule = iota
	lidstone
	attributeCount
)

var (
	// Laplace counts one more row of each value: (n + 1) / (n_v + L). It is the
	// default.
	Laplace = Smoothing{}

	// AttributeCount is (n + 1) / (n_v + k) with k the number of attributes,
	// that is of columns of X, as in a report on six algorithms and five UCI
	// sets (M. Khoshpasand, 2020, "Machine Learning Programming Assignment",
	// equation 6). These shares do not sum to 1 over the values of an attribute
	// unless it has k of them; class probabilities still sum to 1. For
	// [CategoricalConfig] only.
	AttributeCount = Smoothing{rule: attributeCount}
)

// Lidstone counts alpha more rows of each value: (n + alpha) / (n_v + alpha L).
// Alpha is finite and not negative; scikit-learn calls it by the same name.
// Lidstone(0) does not smooth: what was never seen in a class is impossible there.
func Lidstone(alpha float64) Smoothing { return Smoothing{rule: lidstone, alpha: alpha} }

// String names the smoothing.
func (s Smoothing) String() string {
	switch s.rule {
	case laplace:
		return "Laplace"
	case lidstone:
		return fmt.Sprintf("Lidstone(%v)", s.alpha)
	}
	return "AttributeCount"
}

// terms returns what is added to the count of a value and to the count of its
// class, for a column of L values of d columns.
func (s Smoothing) terms(L, d int) (value, class float64) {
	switch s.rule {
	case laplace:
		return 1, float64(L)
	case lidstone:
		return s.alpha, float64(s.alpha * float64(L))
	}
	return 1, float64(d)
}

func (s Smoothing) check() error {
	if a := s.alpha; a-a != 0 || a < 0 {
		return fmt.Errorf("bayes: %w: Lidstone's alpha is %v; it is finite and not negative", mlcore.ErrConfig, a)
	}
	return nil
}

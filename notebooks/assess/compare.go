package assess

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mllabs-go/mllabs/mlcore/sigtest"
)

// level is the p-value below which a comparison calls a difference real.
const level = 0.05

// A Comparison says whether two models differ by more than the choice of folds
// explains.
type Comparison struct {
	First, Second string // names
	Errors        [2]float64
	// Difference is the first mean error rate less the second.
	Difference float64
	// T is the corrected statistic, DF its degrees of freedom, P the two-sided
	// p-value. Where every fold has the same difference there is no T, and P is 1 for
	// a difference of 0 and NaN for any other.
	T, DF, P float64
}

// Compare compares two models by their scores on the same folds, with the t test of
// Nadeau and Bengio (2003), which allows for training sets that overlap; for
// repeated cross-validation this is the test of Bouckaert and Frank (2004). It
// panics if the scores are not of the same folds.
func Compare(nameA string, a Scores, nameB string, b Scores) Comparison {
	if !a.sameFolds(b) {
		panic(errors.New("assess.Compare: the scores belong to different folds; use the same data, folds, repeats and seed for both"))
	}
	c := Comparison{First: nameA, Second: nameB, Errors: [2]float64{a.Mean(), b.Mean()},
		Difference: a.Mean() - b.Mean(), P: 1}
	if slices.Equal(a.Errors, b.Errors) {
		return c
	}
	r, err := sigtest.CorrectedResampledT(a.Errors, b.Errors, 1/float64(a.Folds-1), sigtest.TwoSided)
	if errors.Is(err, sigtest.ErrDegenerate) {
		c.P = math.NaN()
		return c
	}
	must(err)
	c.T, c.DF, c.P = r.Statistic, r.DF, r.PValue
	return c
}

// String is the verdict in words, with the figures that it rests on.
func (c Comparison) String() string {
	s := fmt.Sprintf("%s %.4f, %s %.4f", c.First, c.Errors[0], c.Second, c.Errors[1])
	switch {
	case c.P == 1 && c.DF == 0:
		return s + ": the same error rate on every fold."
	case math.IsNaN(c.P):
		return s + ": the same difference on every fold, which leaves no spread to judge it by."
	}
	freedom := "degrees"
	if c.DF == 1 {
		freedom = "degree"
	}
	statistic := math.Round(100*c.T)/100 + 0 // the sum turns -0 into 0
	s += fmt.Sprintf(": a difference of %.4f; corrected t = %.2f with %.0f %s of freedom, %s. ",
		math.Abs(c.Difference), statistic, c.DF, freedom, pValue(c.P))
	if c.P >= level {
		return s + "These folds do not show a difference."
	}
	better := c.First
	if c.Difference > 0 {
		better = c.Second
	}
	return s + better + " has the lower error rate."
}

func pValue(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.3f", p)
}

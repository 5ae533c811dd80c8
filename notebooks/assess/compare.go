package assess

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
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
	// Lower and Upper are the ends of the 95 % interval of Difference that belongs to
	// the test; both are Difference where there is no T.
	Lower, Upper float64
	// Independent says that the values came from data sets drawn independently of each
	// other, so that the test is the paired t test without a correction.
	Independent bool
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
	ratio := 1 / float64(a.Folds-1)
	c.judge(a.Errors, b.Errors, math.Sqrt(1+float64(len(a.Errors))*ratio), func() (sigtest.Result, error) {
		return sigtest.CorrectedResampledT(a.Errors, b.Errors, ratio, sigtest.TwoSided)
	})
	return c
}

// ComparePairs compares two models by their error rates a and b on the same data sets,
// which were drawn independently of each other, with the paired t test. For the folds
// of a cross-validation, whose training sets overlap, there is [Compare]. It panics if
// the numbers of values differ or are below two.
func ComparePairs(nameA string, a []float64, nameB string, b []float64) Comparison {
	if len(a) != len(b) || len(a) < 2 {
		panic(fmt.Errorf("assess.ComparePairs: %d and %d values; pairs are needed, and at least two", len(a), len(b)))
	}
	meanA, meanB := Scores{Errors: a}.Mean(), Scores{Errors: b}.Mean()
	c := Comparison{First: nameA, Second: nameB, Errors: [2]float64{meanA, meanB},
		Difference: meanA - meanB, P: 1, Independent: true}
	c.judge(a, b, 1, func() (sigtest.Result, error) { return sigtest.PairedT(a, b, sigtest.TwoSided) })
	return c
}

// judge fills in the test, and the interval that belongs to it: the plain standard error
// of the mean difference is widened by the given factor.
func (c *Comparison) judge(a, b []float64, factor float64, test func() (sigtest.Result, error)) {
	c.Lower, c.Upper = c.Difference, c.Difference
	if slices.Equal(a, b) {
		return
	}
	r, err := test()
	if errors.Is(err, sigtest.ErrDegenerate) {
		c.P = math.NaN()
		return
	}
	must(err)
	c.T, c.DF, c.P = r.Statistic, r.DF, r.PValue
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	half := distuv.StudentsT{Sigma: 1, Nu: r.DF}.Quantile(0.975) * factor * stat.StdErr(stat.StdDev(d, nil), float64(len(d)))
	c.Lower, c.Upper = c.Difference-half, c.Difference+half
}

// Verdicts judges the comparisons of one page together and says the results in words, a
// paragraph each: the error rates, how large the difference is, and its 95 % interval.
// The p-values of several comparisons are corrected by [sigtest.Holm], so that with a
// chance of 95 % none of them calls a difference shown where there is none. The intervals
// are not corrected: each is one of 95 % by itself. Where no difference is shown, the
// interval says which differences these results leave open.
func Verdicts(all ...Comparison) string {
	adjusted, tested := make([]float64, len(all)), 0
	var p []float64
	for i, c := range all {
		if adjusted[i] = c.P; c.tested() {
			p = append(p, c.P)
		}
	}
	if len(p) > 1 {
		holm, err := sigtest.Holm(p, level)
		must(err)
		for i, c := range all {
			if c.tested() {
				adjusted[i], tested = holm.Adjusted[tested], tested+1
			}
		}
	}
	lines := make([]string, len(all))
	for i, c := range all {
		lines[i] = c.verdict(adjusted[i])
	}
	if len(p) > 1 {
		lines = append(lines, fmt.Sprintf("(The p-values are corrected together by Holm, for %d comparisons; each interval is one of 95 %% by itself.)", len(p)))
	}
	return strings.Join(lines, "\n")
}

// tested says whether there is a t test; without one p is 1 or NaN.
func (c Comparison) tested() bool { return c.DF > 0 }

func (c Comparison) verdict(p float64) string {
	if !c.tested() {
		return c.String()
	}
	name := "corrected t"
	if c.Independent {
		name = "t"
	}
	s := fmt.Sprintf("%s %.4f, %s %.4f: %s less %s is %.4f, 95 %% interval %.4f to %.4f (%s = %.2f, df = %.0f, %s). ",
		c.First, c.Errors[0], c.Second, c.Errors[1], c.First, c.Second, c.Difference+0, c.Lower, c.Upper,
		name, math.Round(100*c.T)/100+0, c.DF, pValue(p))
	if p >= level {
		return s + "No difference is shown, but any difference inside the interval is still possible."
	}
	better := c.First
	if c.Difference > 0 {
		better = c.Second
	}
	return s + better + " has the lower error rate."
}

// String is the verdict in words, with the figures that it rests on, as if it were the
// only one of its page. [Verdicts] judges several together and has the intervals.
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

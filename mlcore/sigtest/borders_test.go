package sigtest_test

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/mat"
)

// The least that each test takes, by hand. Of 1 against 2 and 4 the pooled variance is 2,
// t = -2/sqrt(3), and with one degree of freedom P(|T| > t) = 1 - 2/π arctan t; of 1
// against 2, 4 and 6 it is 4, t = -3/sqrt(16/3), and with two 1 - t/sqrt(2+t²).
func TestSmallestSamples(t *testing.T) {
	one, other := []float64{1}, []float64{3}
	result := must[sigtest.Result](t)
	t1, t2 := 2/math.Sqrt(3), 3/math.Sqrt(16./3)
	for _, c := range []struct {
		name string
		got  sigtest.Result
		want sigtest.Result
	}{
		{"two-sample of 1 and 2", result(sigtest.TwoSampleT(one, []float64{2, 4}, sigtest.TwoSided)), sigtest.Result{Statistic: -t1, PValue: 1 - 2/math.Pi*math.Atan(t1), DF: 1, N: 3}},
		{"two-sample of 1 and 3", result(sigtest.TwoSampleT(one, []float64{2, 4, 6}, sigtest.TwoSided)), sigtest.Result{Statistic: -t2, PValue: 1 - t2/math.Sqrt(2+t2*t2), DF: 2, N: 4}},
		{"Welch of constants", result(sigtest.WelchT([]float64{1, 1}, []float64{1, 1, 1}, sigtest.TwoSided)), sigtest.Result{PValue: 1, DF: 3, N: 5}},
		// t = 1 of the differences 0 and 2.
		{"paired", result(sigtest.PairedT([]float64{1, 3}, []float64{1, 1}, sigtest.TwoSided)), sigtest.Result{Statistic: 1, PValue: 0.5, DF: 1, N: 2}},
		{"sign", result(sigtest.SignTest(one, other, sigtest.TwoSided)), sigtest.Result{PValue: 1, N: 1}},
		{"randomisation", result(sigtest.PermutationConfig{}.Paired(one, other)), sigtest.Result{Statistic: -2, PValue: 1, N: 1}},
		{"Wilcoxon", result(sigtest.WilcoxonConfig{}.Test(one, other)), sigtest.Result{PValue: 1, N: 1}},
	} {
		if c.got.N != c.want.N {
			t.Errorf("%s: N is %d, want %d", c.name, c.got.N, c.want.N)
		}
		near(t, c.name+" statistic", c.got.Statistic, c.want.Statistic, 1e-12)
		near(t, c.name+" p", c.got.PValue, c.want.PValue, 1e-12)
		near(t, c.name+" df", c.got.DF, c.want.DF, 1e-12)
	}
	interval := must[sigtest.Interval](t)(sigtest.BootstrapConfig{}.Interval([]float64{1, 3}))
	if interval.Lower != 1 || interval.Upper != 3 {
		t.Errorf("a bootstrap of two values: %v", interval)
	}
	// Both data sets prefer the second model: ranks 2 and 1, χ² = 12·2/6 · (1/4 + 1/4).
	r := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(mat.NewDense(2, 2, []float64{1, 2, 3, 4})))
	near(t, "chi-squared of 2 by 2", r.ChiSquared.Statistic, 2, 1e-12)
	// Table 5(a) of Demšar, 2006, has 2.343 for three models.
	within(t, "critical difference on one data set", must[float64](t)(sigtest.CriticalDifference(0.05, 3, 1)), 2.343*math.Sqrt2, 1e-3)
}

func TestNumbersOfResults(t *testing.T) {
	var a, b sigtest.Scores5x2
	for i := range a {
		a[i] = [2]float64{0.8, 0.7 + float64(i)/50}
		b[i] = [2]float64{0.7, 0.75}
	}
	result := must[sigtest.Result](t)
	for _, got := range []sigtest.Result{
		result(sigtest.FiveByTwoT(a, b, sigtest.TwoSided)), result(sigtest.FiveByTwoF(a, b)),
		result(sigtest.WelchT([]float64{1, 2, 4}, []float64{3, 4, 5, 6, 7, 9, 11}, sigtest.TwoSided)),
	} {
		if got.N != 10 {
			t.Errorf("%s: N is %d, want 10", got.Method, got.N)
		}
	}
}

// What decides when p-values are exact is documented, and Method says how it went.
func TestDefaultModes(t *testing.T) {
	sample := func(n int) (a, b []float64) {
		a, b = make([]float64, n), make([]float64, n)
		for i := range a {
			a[i] = float64(i+1) * float64(1-i%2*2)
		}
		return a, b
	}
	tied := func(n int) (a, b []float64) { a, b = sample(n); a[1] = 1; return a, b }
	zero := func(n int) (a, b []float64) { a, b = sample(n); a[1] = 0; return a, b }
	for _, c := range []struct {
		name string
		data func(int) ([]float64, []float64)
		n    int
		want string
	}{
		{"ties", tied, 13, "exact"}, {"ties", tied, 14, "normal"}, {"a zero", zero, 13, "exact"}, {"a zero", zero, 14, "normal"},
		{"neither", sample, 14, "exact"}, {"neither", sample, 50, "exact"}, {"neither", sample, 51, "normal"},
	} {
		a, b := c.data(c.n)
		got := must[sigtest.Result](t)(sigtest.WilcoxonConfig{}.Test(a, b))
		if !strings.HasSuffix(got.Method, c.want) {
			t.Errorf("Wilcoxon of %d pairs with %s: %s, want %s", c.n, c.name, got.Method, c.want)
		}
	}
	for n, want := range map[int]string{16: "exact", 17: "9999 random switches"} {
		a, b := sample(n)
		if got := must[sigtest.Result](t)(sigtest.PermutationConfig{}.Paired(a, b)); !strings.Contains(got.Method, want) {
			t.Errorf("randomisation of %d pairs: %s, want %s", n, got.Method, want)
		}
	}
	a, b := sample(500)
	if _, err := (sigtest.WilcoxonConfig{Mode: sigtest.Exact}).Test(a, b); err != nil {
		t.Errorf("500 pairs: %v", err)
	}
	a, b = sample(5)
	if _, err := (sigtest.PermutationConfig{ExactUpTo: 24}).Paired(a, b); err != nil {
		t.Errorf("ExactUpTo 24: %v", err)
	}
	if _, err := (sigtest.PermutationConfig{ExactUpTo: 25}).Paired(a, b); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("ExactUpTo 25: %v", err)
	}
}

// Of more than 64 pairs each sign is drawn: the 65th and the last are as free as the
// first. With one difference of 1000 among 129 of ±1, which sum to -1, the mean is reached
// if the large one is positive and at least 64 of the others are: 1/2 P(X >= 64), which is
// 1/4 + C(129,64)/2^130.
func TestRandomSwitchesOfManyPairs(t *testing.T) {
	free := new(big.Float).SetInt(new(big.Int).Binomial(129, 64))
	share, _ := free.SetMantExp(free, -130).Float64()
	want := 0.25 + share
	const resamples = 20000
	for _, at := range []int{0, 63, 64, 65, 127, 128, 129} {
		a, b := make([]float64, 130), make([]float64, 130)
		for i, next := 0, -1.0; i < len(a); i++ {
			if i == at {
				a[i] = 1000
				continue
			}
			a[i] = next
			next = -next
		}
		got := must[sigtest.Result](t)(sigtest.PermutationConfig{Alternative: sigtest.Greater, Resamples: resamples, Seed: 3}.Paired(a, b))
		within(t, "p", got.PValue, want, 4*math.Sqrt(want*(1-want)/resamples))
	}
}

// The range of two standard normal numbers is |X - Y|, whose median is sqrt(2) times the
// third quartile of either; none is below 0.
func TestStudentizedRangeEnds(t *testing.T) {
	quantile := must[float64](t)
	near(t, "median of two", quantile(sigtest.StudentizedRangeQuantile(0.5, 2)), math.Sqrt2*0.674489750196081743, 1e-9)
	if q := quantile(sigtest.StudentizedRangeQuantile(0, 3)); q != 0 {
		t.Errorf("the least is %v", q)
	}
}

// Where N data sets all give one order to four models the chance of it is (1/4!)^(N-1).
func TestFriedmanFullAgreementOfFour(t *testing.T) {
	X := mat.NewDense(3, 4, nil)
	for i := range 3 {
		X.SetRow(i, []float64{0.9, 0.7, 0.8, 0.6})
	}
	r := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(X))
	near(t, "p", r.ImanDavenport.PValue, 1./(24*24), 1e-12)
}

// By hand: on 40 data sets two models take turns in front of a third, average ranks 1.5,
// 1.5 and 3; the critical difference is 2.343 sqrt(12/240) = .52. A model alone is no
// group.
func TestNemenyiGroupsHaveTwo(t *testing.T) {
	X := mat.NewDense(40, 3, nil)
	for i := range 40 {
		X.SetRow(i, []float64{float64(2 + i%2), float64(3 - i%2), 1})
	}
	n := must[*sigtest.Nemenyi](t)(must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(X)).Nemenyi(0.05))
	if want := [][]int{{0, 1}}; !reflect.DeepEqual(n.Groups, want) {
		t.Errorf("groups %v, want %v", n.Groups, want)
	}
}

// A p-value that equals its critical value is significant: 1/32 is .0625/2 and 1/16 to the
// last bit.
func TestPValuesAtTheirCriticalValues(t *testing.T) {
	for _, c := range []struct {
		name   string
		adjust func([]float64, float64) (sigtest.Adjustment, error)
		p      []float64
	}{
		{"Bonferroni", sigtest.Bonferroni, []float64{1. / 32, 1. / 32}},
		{"Holm", sigtest.Holm, []float64{1. / 32, 1. / 16}},
		{"Benjamini-Hochberg", sigtest.BenjaminiHochberg, []float64{1. / 16, 1. / 16}},
	} {
		got := must[sigtest.Adjustment](t)(c.adjust(c.p, 1./16))
		if !got.Rejected[0] || !got.Rejected[1] {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// At no mistakes and at nothing else the ends of Wilson's interval are 0 and 1, by
// algebra: (z²/2n - z²/2n) and (1 + z²/2n + z²/2n)/(1 + z²/n).
func TestWilsonEnds(t *testing.T) {
	for n := 1; n <= 300; n++ {
		for _, level := range []float64{0.5, 0.9, 0.95, 0.99} {
			none := must[sigtest.Interval](t)(sigtest.WilsonInterval(0, n, level))
			all := must[sigtest.Interval](t)(sigtest.WilsonInterval(n, n, level))
			if none.Lower != 0 || all.Upper != 1 {
				t.Fatalf("%d at level %v: lower %v and upper %v", n, level, none.Lower, all.Upper)
			}
		}
	}
}

func TestRefusalsAtTheBorders(t *testing.T) {
	ok := []float64{1, 2, 4}
	a := []float64{0.3, 0.4, 0.7, 0.9, 1.1}
	b := []float64{0.2, 0.3, 0.6, 0.8, 1.0}
	r := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(demsar()))
	sum := func(w []float64) (float64, error) { return w[0] + 3*w[len(w)-1], nil }
	_, _, first := sigtest.Discordant([]int{1, 2}, []int{1}, []int{1, 2})
	for name, c := range map[string]struct{ err, want error }{
		"a ratio of 0":             {failed(sigtest.CorrectedResampledT(ok, []float64{3, 1, 1}, 0, sigtest.TwoSided)), mlcore.ErrConfig},
		"rounding times a ratio":   {failed(sigtest.CorrectedResampledT(a, b, 1e12, sigtest.TwoSided)), sigtest.ErrDegenerate},
		"one data set":             {failed(sigtest.FriedmanConfig{}.Test(mat.NewDense(1, 3, ok))), mlcore.ErrShape},
		"control -1":               {failed(r.VersusControl(-1)), mlcore.ErrConfig},
		"an error rate below 0":    {failed(sigtest.NormalInterval(-0.1, 50, 0.95)), mlcore.ErrConfig},
		"predictions of the first": {first, mlcore.ErrShape},
		"a p-value below 0":        {failed(sigtest.Holm([]float64{-0.1, 0.5}, 0.05)), mlcore.ErrConfig},
		"bootstrap kind -1":        {failed(sigtest.BootstrapConfig{Kind: -1}.Interval(ok)), mlcore.ErrConfig},
		"one resample":             {failed(sigtest.BootstrapConfig{Resamples: 1}.Interval(ok)), mlcore.ErrConfig},
		"a score that is nil":      {failed(sigtest.BootstrapConfig{}.Score(3, nil)), mlcore.ErrConfig},
		"a score of one example":   {failed(sigtest.BootstrapConfig{}.Score(1, sum)), mlcore.ErrShape},
		"a score of two":           {failed(sigtest.BootstrapConfig{}.Score(2, sum)), nil},
		"two resamples":            {failed(sigtest.BootstrapConfig{Resamples: 2}.Interval(ok)), nil},
		"a chance below 0":         {failed(sigtest.StudentizedRangeQuantile(-0.1, 3)), mlcore.ErrConfig},
		"a range of 10001":         {failed(sigtest.StudentizedRangeQuantile(0.5, 10001)), mlcore.ErrConfig},
		"alpha 0":                  {failed(sigtest.Holm([]float64{0.5}, 0)), mlcore.ErrConfig},
		"alpha -1":                 {failed(sigtest.Holm([]float64{0.5}, -1)), mlcore.ErrConfig},
		"zeros -1":                 {failed(sigtest.WilcoxonConfig{Zeros: -1}.Test(ok, ok)), mlcore.ErrConfig},
		"mode 3":                   {failed(sigtest.WilcoxonConfig{Mode: 3}.Test(ok, ok)), mlcore.ErrConfig},
		"a correction of Exact":    {failed(sigtest.WilcoxonConfig{Mode: sigtest.Exact, Correction: true}.Test(ok, ok)), mlcore.ErrConfig},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

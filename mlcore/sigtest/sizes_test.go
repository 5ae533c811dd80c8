package sigtest_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
)

// The oracles are baycomp, statsmodels and scipy; scripts/oracles/sigtest_sizes.py made the
// file, which holds their versions.
type sizeAnswers struct {
	Correlated []struct {
		A        []float64  `json:"a"`
		B        []float64  `json:"b"`
		Ratio    float64    `json:"ratio"`
		Mean     float64    `json:"mean"`
		Scale    float64    `json:"scale"`
		Interval [2]float64 `json:"interval"`
		D        [3]float64 `json:"d"`
		Ropes    []struct {
			Rope      float64    `json:"rope"`
			Below     float64    `json:"below"`
			Within    float64    `json:"within"`
			Above     float64    `json:"above"`
			Plain     [2]float64 `json:"plain"`
			Corrected [2]float64 `json:"corrected"`
		} `json:"ropes"`
	} `json:"correlated"`
	Betas []struct {
		K        int        `json:"k"`
		N        int        `json:"n"`
		Prior    [2]float64 `json:"prior"`
		Level    float64    `json:"level"`
		Interval [2]float64 `json:"interval"`
	} `json:"betas"`
	Less []struct {
		First  [2]float64 `json:"first"`
		Second [2]float64 `json:"second"`
		P      float64    `json:"p"`
	} `json:"less"`
	Tables []struct {
		Cells    [4]int     `json:"cells"`
		Level    float64    `json:"level"`
		Newcombe [2]float64 `json:"newcombe"`
	} `json:"tables"`
	Odds []struct {
		B        int         `json:"b"`
		C        int         `json:"c"`
		Level    float64     `json:"level"`
		Interval [2]*float64 `json:"interval"`
	} `json:"odds"`
}

func sizes(t *testing.T) sizeAnswers {
	t.Helper()
	return oracle.Load[sizeAnswers](t, "testdata/peers_sizes.json")
}

func TestCorrelatedAgainstBaycomp(t *testing.T) {
	o := sizes(t)
	if len(o.Correlated) != 6 {
		t.Fatalf("%d pairs of samples", len(o.Correlated))
	}
	for i, c := range o.Correlated {
		p := must[sigtest.DifferencePosterior](t)(sigtest.BayesianCorrelatedT(c.A, c.B, c.Ratio))
		name := func(s string) string { return fmt.Sprintf("samples %d, %s", i, s) }
		within(t, name("mean"), p.Mean, c.Mean, 1e-15)
		near(t, name("scale"), p.Scale, c.Scale, 1e-12)
		if p.N != len(c.A) || p.DF != float64(len(c.A)-1) {
			t.Errorf("%s: %+v", name("posterior"), p)
		}
		interval := must[sigtest.Interval](t)(p.Interval(0.95))
		within(t, name("lower"), interval.Lower, c.Interval[0], 1e-11)
		within(t, name("upper"), interval.Upper, c.Interval[1], 1e-11)
		for _, r := range c.Ropes {
			got := must[sigtest.RopeProbabilities](t)(p.Rope(r.Rope))
			near(t, name("below"), got.Below, r.Below, 1e-9)
			within(t, name("within"), got.Within, r.Within, 1e-11)
			near(t, name("above"), got.Above, r.Above, 1e-9)
			if sum := got.Below + got.Within + got.Above; math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: the three add up to %v", name("ROPE"), sum)
			}
			plain := must[sigtest.Result](t)(sigtest.PairedTOST(c.A, c.B, -r.Rope, r.Rope))
			corrected := must[sigtest.Result](t)(sigtest.CorrectedResampledTOST(c.A, c.B, c.Ratio, -r.Rope, r.Rope))
			near(t, name("TOST statistic"), plain.Statistic, r.Plain[0], 1e-9)
			near(t, name("TOST p"), plain.PValue, r.Plain[1], 1e-9)
			near(t, name("corrected TOST statistic"), corrected.Statistic, r.Corrected[0], 1e-9)
			near(t, name("corrected TOST p"), corrected.PValue, r.Corrected[1], 1e-9)
		}
		// The posterior has the numbers of the test: the package's own promise.
		result := must[sigtest.Result](t)(sigtest.CorrectedResampledT(c.A, c.B, c.Ratio, sigtest.Greater))
		zero := must[sigtest.RopeProbabilities](t)(p.Rope(0))
		near(t, name("P(below 0)"), zero.Below, result.PValue, 1e-12)
		if zero.Within != 0 {
			t.Errorf("%s: %v within a region of no width", name("ROPE"), zero.Within)
		}
		d := must[sigtest.Interval](t)(sigtest.PairedCohenD(c.A, c.B, 0.95))
		within(t, name("d"), d.Estimate, c.D[0], 1e-12*math.Abs(c.D[0]))
		within(t, name("d lower"), d.Lower, c.D[1], 1e-8*(1+math.Abs(c.D[1])))
		within(t, name("d upper"), d.Upper, c.D[2], 1e-8*(1+math.Abs(c.D[2])))
		turned := must[sigtest.Interval](t)(sigtest.PairedCohenD(c.B, c.A, 0.95))
		within(t, name("d of second less first"), turned.Lower, -d.Upper, 1e-11*(1+math.Abs(d.Upper)))
	}
}

// Differences 1, 2, 3, by hand: mean 2, s² = 1, standard error 1/sqrt(3), and with a ratio
// of 2/3 just 1. A t with two degrees of freedom has P(T > t) = 1/2 - t/(2 sqrt(2+t²)).
func TestEquivalenceByHand(t *testing.T) {
	a, b := []float64{2, 3, 5}, []float64{1, 1, 2}
	upper := func(t float64) float64 { return 0.5 - t/(2*math.Sqrt(2+t*t)) }
	for _, c := range []struct {
		low, high, statistic, p float64
		side                    sigtest.Alternative
	}{
		{-5, 6, -4, upper(4), sigtest.Less},
		{-1, 9, 3, upper(3), sigtest.Greater},
		{-1, 1, 1, 1 - upper(1), sigtest.Less},
		{3, 9, -1, 1 - upper(1), sigtest.Greater},
	} {
		got := must[sigtest.Result](t)(sigtest.CorrectedResampledTOST(a, b, 2./3, c.low, c.high))
		within(t, "statistic", got.Statistic, c.statistic, 1e-12)
		within(t, "p", got.PValue, c.p, 1e-12)
		if got.Alternative != c.side || got.DF != 2 || got.N != 3 {
			t.Errorf("%v to %v: %v", c.low, c.high, got)
		}
		got = must[sigtest.Result](t)(sigtest.PairedTOST(a, b, c.low, c.high))
		within(t, "plain statistic", got.Statistic, c.statistic*math.Sqrt(3), 1e-12)
	}
	p := must[sigtest.DifferencePosterior](t)(sigtest.BayesianCorrelatedT(a, b, 2./3))
	got := must[sigtest.RopeProbabilities](t)(p.Rope(1))
	within(t, "below", got.Below, upper(3), 1e-12)
	within(t, "above", got.Above, 1-upper(1), 1e-12)
	if s := p.String() + got.String(); !strings.Contains(s, "mean = 2") || !strings.Contains(s, "P(above 1)") {
		t.Error(s)
	}
	// The quantile of p = .9 with two degrees of freedom is (2p-1)/sqrt(2p(1-p)).
	q := 0.8 / math.Sqrt(2*0.9*0.1)
	interval := must[sigtest.Interval](t)(p.Interval(0.8))
	within(t, "lower", interval.Lower, 2-q, 1e-12)
	within(t, "upper", interval.Upper, 2+q, 1e-12)
}

func TestBetaAgainstScipy(t *testing.T) {
	o := sizes(t)
	if len(o.Betas) < 90 || len(o.Less) != 10 {
		t.Fatalf("%d intervals, %d comparisons", len(o.Betas), len(o.Less))
	}
	for _, c := range o.Betas {
		prior := sigtest.Beta{A: c.Prior[0], B: c.Prior[1]}
		got := must[sigtest.Interval](t)(sigtest.CredibleInterval(c.K, c.N, prior, c.Level))
		name := fmt.Sprintf("%d of %d, %v, %v", c.K, c.N, prior, c.Level)
		// scipy itself is 1.5e-8 off for 3 of a billion: see TestBetaByHand.
		near(t, name+" lower", got.Lower, c.Interval[0], 3e-8)
		near(t, name+" upper", got.Upper, c.Interval[1], 3e-8)
		posterior := must[sigtest.Beta](t)(prior.Posterior(c.K, c.N))
		near(t, name+" quantile", must[float64](t)(posterior.Quantile((1-c.Level)/2)), c.Interval[0], 1e-8)
		if got.Upper < 0.999 {
			near(t, name+" above", 1-must[float64](t)(posterior.Below(got.Upper)), (1-c.Level)/2, 1e-6)
		}
		near(t, name+" mean", posterior.Mean(), (c.Prior[0]+float64(c.K))/(c.Prior[0]+c.Prior[1]+float64(c.N)), 1e-14)
	}
	for _, c := range o.Less {
		first, second := sigtest.Beta{A: c.First[0], B: c.First[1]}, sigtest.Beta{A: c.Second[0], B: c.Second[1]}
		name := fmt.Sprintf("%v below %v", first, second)
		within(t, name, must[float64](t)(sigtest.ProbabilityLess(first, second)), c.P, 1e-10)
		within(t, "not "+name, must[float64](t)(sigtest.ProbabilityLess(second, first)), 1-c.P, 1e-10)
	}
	for _, c := range []struct {
		got  sigtest.Beta
		want string
	}{{sigtest.Jeffreys(), "Beta(0.5, 0.5)"}, {sigtest.Uniform(), "Beta(1, 1)"}} {
		if c.got.String() != c.want {
			t.Errorf("%v, want %s", c.got, c.want)
		}
	}
}

// By hand: Beta(1, n) has P(X < x) = 1 - (1-x)^n, and P(X < Y) for Beta(1, m) and
// Beta(1, n) is m/(m+n). The arcsine law, Beta(1/2, 1/2), has 2/π asin(sqrt(x)).
func TestBetaByHand(t *testing.T) {
	for _, n := range []float64{1, 7, 1e3, 1e9} {
		d := sigtest.Beta{A: 1, B: n}
		near(t, "median", must[float64](t)(d.Quantile(0.5)), -math.Expm1(-math.Ln2/n), 1e-11)
		near(t, "below", must[float64](t)(d.Below(1/n)), -math.Expm1(n*math.Log1p(-1/n)), 1e-11)
		within(t, "less", must[float64](t)(sigtest.ProbabilityLess(d, sigtest.Beta{A: 1, B: 3 * n})), 0.25, 1e-11)
	}
	for _, x := range []float64{1e-20, 0.01, 0.5, 0.9} {
		near(t, "arcsine", must[float64](t)(sigtest.Jeffreys().Below(x)), 2/math.Pi*math.Asin(math.Sqrt(x)), 1e-12)
	}
	for _, c := range []struct{ p, want float64 }{{0, 0}, {1, 1}} {
		if got := must[float64](t)(sigtest.Jeffreys().Quantile(c.p)); got != c.want {
			t.Errorf("quantile of %v: %v", c.p, got)
		}
		if got := must[float64](t)(sigtest.Uniform().Below(c.want*3 - 1)); got != c.want {
			t.Errorf("below %v: %v", c.want*3-1, got)
		}
	}
	// Of Beta(4, 1e9-2), P(X >= x) is the sum of four binomial terms, which Python's
	// decimal module added up to 50 digits.
	many := must[sigtest.Interval](t)(sigtest.CredibleInterval(3, 1_000_000_000, sigtest.Uniform(), 0.5))
	near(t, "3 of a billion", many.Upper, 5.10942747462497e-09, 1e-12)
	// No data leave the prior.
	if got := must[sigtest.Beta](t)(sigtest.Uniform().Posterior(0, 0)); got != sigtest.Uniform() {
		t.Errorf("no data: %v", got)
	}
}

// At a billion examples the interval of Clopper and Pearson is the normal one to many
// digits, corrected by half an example (a normal approximation of the binomial).
func TestExactIntervalOfManyExamples(t *testing.T) {
	const n, z = 1_000_000_000, 1.959963984540054
	for _, k := range []int{n / 2, n / 10, 3} {
		got := must[sigtest.Interval](t)(sigtest.ExactInterval(k, n, 0.95))
		if k == 3 {
			// scipy.stats.poisson's limits of 3: chi-squared quantiles over 2.
			within(t, "lower", got.Lower*n, 0.6186721, 1e-6)
			within(t, "upper", got.Upper*n, 8.7672731, 1e-6)
			continue
		}
		e := float64(k) / n
		half := z*math.Sqrt(e*(1-e)/n) + 0.5/n
		within(t, "lower", got.Lower, e-half, 2e-9)
		within(t, "upper", got.Upper, e+half, 2e-9)
	}
}

// TestMoreThanCountable: continued fractions take the root of the number of examples.
func TestMoreThanCountable(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("no int is above 2^40 where it has 32 bits")
	}
	n := math.MaxInt - 2
	for name, err := range map[string]error{
		"exact interval": failed(sigtest.ExactInterval(1, n, 0.95)),
		"posterior":      failed(sigtest.Uniform().Posterior(1, n)),
		"odds ratio":     failed(sigtest.DiscordantOddsRatio(n, 2, 0.95)),
	} {
		if !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%s of 2^63-3 examples: %v", name, err)
		}
	}
}

// Newcombe's method 10 was written out on statsmodels' Wilson intervals.
func TestNewcombeAgainstStatsmodels(t *testing.T) {
	o := sizes(t)
	if len(o.Tables) != 24 {
		t.Fatalf("%d tables", len(o.Tables))
	}
	for _, c := range o.Tables {
		counts := sigtest.PairedCounts{BothWrong: c.Cells[0], OnlyFirstWrong: c.Cells[1], OnlySecondWrong: c.Cells[2], BothRight: c.Cells[3]}
		got := must[sigtest.Interval](t)(sigtest.NewcombeInterval(counts, c.Level))
		within(t, fmt.Sprint(c.Cells, " lower"), got.Lower, c.Newcombe[0], 1e-11)
		within(t, fmt.Sprint(c.Cells, " upper"), got.Upper, c.Newcombe[1], 1e-11)
		if want := float64(c.Cells[1]-c.Cells[2]) / float64(counts.N()); math.Abs(got.Estimate-want) > 1e-15 || got.N != counts.N() {
			t.Errorf("%v: %v", c.Cells, got)
		}
	}
}

// The interval of Cavo et al., 2012 (complete response before and after consolidation
// therapy), that the tests of the R package contingencytables have from chapter 8 of
// Fagerland, Lydersen & Laake, 2017, "Statistical Analysis of Contingency Tables".
func TestNewcombePublished(t *testing.T) {
	counts := sigtest.PairedCounts{BothWrong: 59, OnlyFirstWrong: 6, OnlySecondWrong: 16, BothRight: 80}
	got := must[sigtest.Interval](t)(sigtest.NewcombeInterval(counts, 0.95))
	within(t, "difference", got.Estimate, -0.0621, 0.00005)
	within(t, "lower", got.Lower, -0.1186, 0.00005)
	within(t, "upper", got.Upper, -0.0046, 0.00005)
}

func TestDiscordantOddsRatioAgainstScipy(t *testing.T) {
	o := sizes(t)
	if len(o.Odds) != 16 {
		t.Fatalf("%d odds ratios", len(o.Odds))
	}
	for _, c := range o.Odds {
		got := must[sigtest.Interval](t)(sigtest.DiscordantOddsRatio(c.B, c.C, c.Level))
		name := fmt.Sprintf("%d : %d", c.B, c.C)
		near(t, name+" lower", got.Lower, *c.Interval[0], 1e-9)
		if c.Interval[1] == nil {
			if !math.IsInf(got.Upper, 1) || !math.IsInf(got.Estimate, 1) {
				t.Errorf("%s: %v", name, got)
			}
		} else {
			near(t, name+" upper", got.Upper, *c.Interval[1], 1e-9)
			near(t, name, got.Estimate, float64(c.B)/float64(c.C), 1e-15)
		}
		exact := must[sigtest.Result](t)(sigtest.McNemarExact(c.B, c.C, sigtest.TwoSided))
		if outside := got.Lower > 1 || got.Upper < 1; outside != (exact.PValue < 1-c.Level) {
			t.Errorf("%s: %v and %v", name, got, exact)
		}
	}
}

// Counted by hand.
func TestCountPairs(t *testing.T) {
	y := []int{0, 1, 2, 0, 1, 2, 5}
	first := []int{0, 1, 2, 1, 1, 0, 9}
	second := []int{0, 0, 2, 1, 2, 2, 8}
	got := must[sigtest.PairedCounts](t)(sigtest.CountPairs(y, first, second))
	if want := (sigtest.PairedCounts{BothWrong: 2, OnlyFirstWrong: 1, OnlySecondWrong: 2, BothRight: 2}); got != want || got.N() != 7 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// d of differences 0 and 2 is 1/sqrt(2). Its interval at level 0.5, where t = 1 has one
// degree of freedom, was made by scipy 1.17.1, scipy.stats.nct. Very large d have almost
// all of their uncertainty from the deviation: with 4 degrees of freedom the ends are d
// times the roots of chi-squared quantiles over 4.
func TestPairedCohenDEnds(t *testing.T) {
	got := must[sigtest.Interval](t)(sigtest.PairedCohenD([]float64{1, 3}, []float64{1, 1}, 0.5))
	near(t, "d", got.Estimate, math.Sqrt(0.5), 1e-12)
	within(t, "d lower", got.Lower, 0, 1e-9)
	near(t, "d upper", got.Upper, 1.1077977027777517, 1e-9)
	a, b := []float64{1, 1.00001, 1.00002, 1.00001, 1}, make([]float64, 5)
	big := must[sigtest.Interval](t)(sigtest.PairedCohenD(a, b, 0.95))
	near(t, "lower", big.Lower/big.Estimate, math.Sqrt(0.48441855708793/4), 1e-4)
	near(t, "upper", big.Upper/big.Estimate, math.Sqrt(11.14328678101/4), 1e-4)
}

func TestSizesRefuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	a, b, ones := []float64{1, 2, 4}, []float64{1, 1, 1}, []float64{0, 1, 3}
	posterior := must[sigtest.DifferencePosterior](t)(sigtest.BayesianCorrelatedT(a, b, 0.5))
	counts := sigtest.PairedCounts{BothWrong: 1, OnlyFirstWrong: 2, OnlySecondWrong: 3, BothRight: 4}
	for i, c := range []struct{ err, want error }{
		{failed(sigtest.BayesianCorrelatedT(a, a, 0.5)), sigtest.ErrDegenerate},
		{failed(sigtest.BayesianCorrelatedT(a, ones, 0.5)), sigtest.ErrDegenerate},
		{failed(sigtest.BayesianCorrelatedT(a, b[:2], 0.5)), mlcore.ErrShape},
		{failed(sigtest.BayesianCorrelatedT(a[:1], b[:1], 0.5)), mlcore.ErrShape},
		{failed(sigtest.BayesianCorrelatedT(nil, nil, 0.5)), mlcore.ErrEmpty},
		{failed(sigtest.BayesianCorrelatedT([]float64{1, nan, 3}, b, 0.5)), mlcore.ErrNonFinite},
		{failed(sigtest.BayesianCorrelatedT([]float64{1e308, 1, 2}, []float64{-1e308, 2, 1}, 0.5)), mlcore.ErrNonFinite},
		{failed(sigtest.BayesianCorrelatedT(a, b, 0)), mlcore.ErrConfig},
		{failed(sigtest.BayesianCorrelatedT(a, b, nan)), mlcore.ErrNonFinite},
		{failed(posterior.Rope(-0.1)), mlcore.ErrConfig},
		{failed(posterior.Rope(nan)), mlcore.ErrNonFinite},
		{failed(posterior.Interval(95)), mlcore.ErrConfig},
		{failed(sigtest.DifferencePosterior{}.Rope(0.1)), mlcore.ErrConfig},
		{failed(sigtest.DifferencePosterior{Mean: nan, Scale: 1, DF: 2}.Interval(0.9)), mlcore.ErrNonFinite},
		{failed(sigtest.PairedTOST(a, b, 1, 1)), mlcore.ErrConfig},
		{failed(sigtest.PairedTOST(a, b, nan, 1)), mlcore.ErrNonFinite},
		{failed(sigtest.PairedTOST(a, b, -1, inf)), mlcore.ErrNonFinite},
		{failed(sigtest.PairedTOST(a, a, -1, 1)), sigtest.ErrDegenerate},
		{failed(sigtest.PairedTOST(a, b[:1], -1, 1)), mlcore.ErrShape},
		{failed(sigtest.CorrectedResampledTOST(a, b, -1, -1, 1)), mlcore.ErrConfig},
		{failed(sigtest.CorrectedResampledTOST(a, []float64{1, 1, inf}, 0.1, -1, 1)), mlcore.ErrNonFinite},
		{failed(sigtest.Beta{}.Posterior(1, 2)), mlcore.ErrConfig},
		{failed(sigtest.Beta{A: nan, B: 1}.Posterior(1, 2)), mlcore.ErrNonFinite},
		{failed(sigtest.Beta{A: 0.05, B: 1}.Quantile(0.5)), mlcore.ErrConfig},
		{failed(sigtest.Uniform().Posterior(3, 2)), mlcore.ErrConfig},
		{failed(sigtest.Uniform().Posterior(1, 0)), mlcore.ErrEmpty},
		{failed(sigtest.Uniform().Quantile(1.5)), mlcore.ErrConfig},
		{failed(sigtest.Uniform().Quantile(nan)), mlcore.ErrConfig},
		{failed(sigtest.Uniform().Below(nan)), mlcore.ErrNonFinite},
		{failed(sigtest.Beta{A: -1, B: 1}.Below(0.5)), mlcore.ErrConfig},
		{failed(sigtest.CredibleInterval(0, 0, sigtest.Jeffreys(), 0.95)), mlcore.ErrEmpty},
		{failed(sigtest.CredibleInterval(3, 2, sigtest.Jeffreys(), 0.95)), mlcore.ErrConfig},
		{failed(sigtest.CredibleInterval(1, 2, sigtest.Beta{}, 0.95)), mlcore.ErrConfig},
		{failed(sigtest.CredibleInterval(1, 2, sigtest.Jeffreys(), 1)), mlcore.ErrConfig},
		{failed(sigtest.ProbabilityLess(sigtest.Beta{}, sigtest.Uniform())), mlcore.ErrConfig},
		{failed(sigtest.ProbabilityLess(sigtest.Uniform(), sigtest.Beta{A: inf, B: 1})), mlcore.ErrNonFinite},
		{failed(sigtest.NewcombeInterval(counts, 0)), mlcore.ErrConfig},
		{failed(sigtest.NewcombeInterval(sigtest.PairedCounts{}, 0.95)), mlcore.ErrEmpty},
		{failed(sigtest.NewcombeInterval(sigtest.PairedCounts{BothWrong: -1, BothRight: 3}, 0.95)), mlcore.ErrConfig},
		{failed(sigtest.NewcombeInterval(sigtest.PairedCounts{BothWrong: math.MaxInt, BothRight: 3}, 0.95)), mlcore.ErrConfig},
		{failed(sigtest.CountPairs([]int{1}, nil, nil)), mlcore.ErrShape},
		{failed(sigtest.CountPairs(nil, nil, nil)), mlcore.ErrEmpty},
		{failed(sigtest.DiscordantOddsRatio(0, 0, 0.95)), sigtest.ErrDegenerate},
		{failed(sigtest.DiscordantOddsRatio(-1, 2, 0.95)), mlcore.ErrConfig},
		{failed(sigtest.DiscordantOddsRatio(1, 2, nan)), mlcore.ErrConfig},
		{failed(sigtest.PairedCohenD(a, a, 0.95)), sigtest.ErrDegenerate},
		{failed(sigtest.PairedCohenD(a, ones, 0.95)), sigtest.ErrDegenerate},
		{failed(sigtest.PairedCohenD(a, b, -1)), mlcore.ErrConfig},
		{failed(sigtest.PairedCohenD(a, []float64{nan, 1, 2}, 0.95)), mlcore.ErrNonFinite},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("refusal %d: %v, want %v", i, c.err, c.want)
		}
	}
}

// Whatever finite numbers come in, probabilities add up, ends are in order, and nothing is
// NaN. Sizes reach to where squares overflow and underflow.
func TestSizesNeverNaN(t *testing.T) {
	rng := mlcore.NewRand(2)
	answers := 0
	for round := range 300 {
		n := 2 + rng.IntN(10)
		a, b := make([]float64, n), make([]float64, n)
		size := math.Pow(10, float64([]int{0, 0, -300, 300, 308, -160, 160}[round%7]))
		for i := range a {
			a[i], b[i] = size*(rng.Float64()-0.5), size*float64(rng.IntN(3)-1)/3
		}
		if p, err := sigtest.BayesianCorrelatedT(a, b, 0.3); err == nil {
			answers++
			for _, width := range []float64{0, 0.1 * size, 1e300} {
				got, err := p.Rope(width)
				if err != nil || !(math.Abs(got.Below+got.Within+got.Above-1) < 1e-12) {
					t.Fatalf("%v: %v, %v", p, got, err)
				}
			}
			if i, err := p.Interval(0.95); err == nil && !(i.Lower <= i.Upper) {
				t.Fatalf("%v: %v", p, i)
			}
		}
		for _, test := range []func() (sigtest.Result, error){
			func() (sigtest.Result, error) { return sigtest.PairedTOST(a, b, -0.1*size, 0.2*size) },
			func() (sigtest.Result, error) { return sigtest.CorrectedResampledTOST(a, b, 0.2, -1e-300, 1e308) },
		} {
			if got, err := test(); err == nil && !(got.PValue >= 0 && got.PValue <= 1 && got.Statistic-got.Statistic == 0) {
				t.Fatalf("%v and %v: %v", a, b, got)
			}
		}
		if d, err := sigtest.PairedCohenD(a, b, 0.95); err == nil && !(d.Lower <= d.Estimate && d.Estimate <= d.Upper) {
			t.Fatalf("%v and %v: %v", a, b, d)
		}
	}
	if answers < 100 {
		t.Errorf("only %d answers", answers)
	}
}

// failed returns the error of a call.
func failed(_ any, err error) error { return err }

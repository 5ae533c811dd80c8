package sigtest_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/mat"
)

// within compares with a printed number: to half a unit of its last digit.
func within(t *testing.T, what string, got, printed, half float64) {
	t.Helper()
	if !(math.Abs(got-printed) <= half) {
		t.Errorf("%s: got %v, printed %v", what, got, printed)
	}
}

// The oracle is CO395: error .22 on n = 50.
func TestCourseInterval(t *testing.T) {
	got := must[sigtest.Interval](t)(sigtest.NormalInterval(0.22, 50, 0.95))
	within(t, "lower", got.Lower, 0.105, 5e-4)
	within(t, "upper", got.Upper, 0.335, 5e-4)
	half := 1.96 * math.Sqrt(0.22*0.78/50)
	within(t, "lower by the formula", got.Lower, 0.22-half, 1e-5)
	within(t, "upper by the formula", got.Upper, 0.22+half, 1e-5)
}

// The oracle is CO395's rule, 0.05 i/M for the i-th smallest of M, on the 15
// p-values in section 3.2 of Benjamini & Hochberg, 1995, who find four significant
// where Bonferroni finds three. They are given here out of order.
func TestCourseBenjaminiHochberg(t *testing.T) {
	sorted := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	m := len(sorted)
	p := make([]float64, m)
	place := func(i int) int { return (7*i + 3) % m }
	for i, v := range sorted {
		p[place(i)] = v
	}
	adjustment := must[sigtest.Adjustment](t)
	bh, holm, bonferroni := adjustment(sigtest.BenjaminiHochberg(p, 0.05)), adjustment(sigtest.Holm(p, 0.05)), adjustment(sigtest.Bonferroni(p, 0.05))
	for i := range sorted {
		j, rank := place(i), float64(i+1)
		within(t, "BH critical", bh.Critical[j], 0.05*rank/15, 1e-15)
		within(t, "Holm critical", holm.Critical[j], 0.05/(15-rank+1), 1e-15)
		within(t, "Bonferroni critical", bonferroni.Critical[j], 0.05/15, 1e-15)
		within(t, "Bonferroni adjusted", bonferroni.Adjusted[j], min(1, 15*sorted[i]), 1e-15)
		if bh.Rejected[j] != (i < 4) || holm.Rejected[j] != (i < 3) || bonferroni.Rejected[j] != (i < 3) {
			t.Errorf("p-value %v: significant by BH %v, Holm %v, Bonferroni %v", sorted[i], bh.Rejected[j], holm.Rejected[j], bonferroni.Rejected[j])
		}
	}
}

// The oracle is the step-up rule: .04 exceeds .05 * 2/3 but .05 does not exceed
// .05, so all are significant; Holm stops at once, since .04 > .05/3.
func TestStepUpAndStepDown(t *testing.T) {
	p := []float64{0.05, 0.04, 0.045}
	bh := must[sigtest.Adjustment](t)(sigtest.BenjaminiHochberg(p, 0.05))
	holm := must[sigtest.Adjustment](t)(sigtest.Holm(p, 0.05))
	if !slices.Equal(bh.Rejected, []bool{true, true, true}) || !slices.Equal(holm.Rejected, []bool{false, false, false}) {
		t.Errorf("BH %v, Holm %v", bh.Rejected, holm.Rejected)
	}
	// Step-down: .01 <= .05/3, .03 > .05/2, and .04 <= .05 comes too late.
	holm = must[sigtest.Adjustment](t)(sigtest.Holm([]float64{0.04, 0.01, 0.03}, 0.05))
	if !slices.Equal(holm.Rejected, []bool{false, true, false}) {
		t.Errorf("Holm %v", holm.Rejected)
	}
}

// The oracle is R: t.test on Student's sleep data.
func TestSleepData(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	result := must[sigtest.Result](t)
	for _, c := range []struct {
		got               sigtest.Result
		statistic, df, p  float64
		halfDF, halfOfOne float64
	}{
		{result(sigtest.PairedT(a, b, sigtest.TwoSided)), -4.0621, 9, 0.002833, 0, 5e-7},
		{result(sigtest.WelchT(a, b, sigtest.TwoSided)), -1.8608, 17.776, 0.07939, 5e-4, 5e-6},
		{result(sigtest.TwoSampleT(a, b, sigtest.TwoSided)), -1.8608, 18, 0.07919, 0, 5e-6},
	} {
		within(t, c.got.Method+" t", c.got.Statistic, c.statistic, 5e-5)
		within(t, c.got.Method+" df", c.got.DF, c.df, c.halfDF)
		within(t, c.got.Method+" p", c.got.PValue, c.p, c.halfOfOne)
	}
}

// The oracle is R: mcnemar.test and binom.test. The first table is the approval
// ratings of Agresti's "Categorical Data Analysis".
func TestMcNemarInR(t *testing.T) {
	result := must[sigtest.Result](t)
	got := result(sigtest.McNemar(86, 150, false))
	within(t, "approval", got.Statistic, 17.3559, 5e-5)
	within(t, "its p", got.PValue, 3.099e-05, 5e-9)
	got = result(sigtest.McNemar(46, 9, true))
	within(t, "corrected", got.Statistic, 23.564, 5e-4)
	within(t, "its p", got.PValue, 1.208499116e-06, 5e-16)
	within(t, "plain", result(sigtest.McNemar(46, 9, false)).Statistic, 24.89090909, 5e-9)
	within(t, "exact p", result(sigtest.McNemarExact(46, 9, sigtest.TwoSided)).PValue, 4.336383137e-07, 5e-17)
}

// The oracle is R's example of wilcox.test: depression scores from Hollander &
// Wolfe, 1973, "Nonparametric Statistical Methods".
func TestDepressionData(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	got := must[sigtest.Result](t)(sigtest.WilcoxonConfig{Alternative: sigtest.Greater}.Test(x, y))
	within(t, "V", got.Statistic, 40, 0)
	within(t, "p", got.PValue, 0.01953, 5e-6)
}

// The AUC, in thousandths, of C4.5 plain and with tuned minimal leaf size: Table 2
// of Demšar, 2006, who splits zeros and finds R+ = 93 and R- = 12.
func TestDemsarWilcoxon(t *testing.T) {
	plain := []float64{763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957}
	tuned := []float64{768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978}
	for side, want := range map[sigtest.Alternative]float64{sigtest.TwoSided: 12, sigtest.Greater: 93, sigtest.Less: 93} {
		got := must[sigtest.Result](t)(sigtest.WilcoxonConfig{Zeros: sigtest.ZSplit, Alternative: side}.Test(tuned, plain))
		within(t, side.String(), got.Statistic, want, 0)
		if got.N != 14 {
			t.Errorf("N is %d", got.N)
		}
	}
}

// demsar holds the ranks in Table 6 of Demšar, 2006: 14 data sets by C4.5, C4.5+m,
// C4.5+cf, C4.5+m+cf.
func demsar() *mat.Dense {
	return mat.NewDense(14, 4, []float64{
		4, 3, 2, 1,
		1, 2, 3, 4,
		4, 1, 2, 3,
		4, 1, 3, 2,
		4, 2, 3, 1,
		1, 2.5, 4, 2.5,
		3, 2, 4, 1,
		2.5, 2.5, 4, 1,
		4, 3, 2, 1,
		2.5, 2.5, 2.5, 2.5,
		4, 2.5, 1, 2.5,
		3, 2, 4, 1,
		4, 1, 2, 3,
		3, 1, 4, 2,
	})
}

// The oracle is the worked example in section 3.2.2 of Demšar, 2006, which does
// not correct for ties.
func TestDemsarFriedman(t *testing.T) {
	r := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{LowerIsBetter: true, NoTieCorrection: true}.Test(demsar()))
	for j, want := range []float64{3.143, 2, 2.893, 1.964} {
		within(t, fmt.Sprint("rank of ", j), r.AverageRanks[j], want, 5e-4)
	}
	within(t, "chi-squared", r.ChiSquared.Statistic, 9.28, 5e-3)
	within(t, "F", r.ImanDavenport.Statistic, 3.69, 5e-3)
	if r.ImanDavenport.DF != 3 || r.ImanDavenport.DF2 != 39 || r.ChiSquared.DF != 3 || r.ChiSquared.N != 14 {
		t.Errorf("%v; %v", r.ChiSquared, r.ImanDavenport)
	}
	if r.ImanDavenport.PValue > 0.05 {
		t.Errorf("F is not significant: %v", r.ImanDavenport)
	}
	five := must[*sigtest.Nemenyi](t)(r.Nemenyi(0.05))
	within(t, "CD at 5%", five.CriticalDifference, 1.25, 5e-3)
	// No pair is 1.25 apart: one bar over all.
	if fmt.Sprint(five.Order) != "[3 1 2 0]" || fmt.Sprint(five.Groups) != "[[3 1 2 0]]" {
		t.Errorf("order %v, groups %v", five.Order, five.Groups)
	}
	// At 10% C4.5 differs from both tuned for leaf size; C4.5+cf from none.
	ten := must[*sigtest.Nemenyi](t)(r.Nemenyi(0.1))
	within(t, "CD at 10%", ten.CriticalDifference, 1.12, 5e-3)
	if fmt.Sprint(ten.Groups) != "[[3 1 2] [2 0]]" {
		t.Errorf("groups %v", ten.Groups)
	}
	// Holm's and Hochberg's procedures start from these, C4.5 the control.
	z := must[[]sigtest.Result](t)(r.VersusControl(0))
	for j, want := range [][2]float64{{0, 1}, {2.343, 0.019}, {0.512, 0.607}, {2.416, 0.016}} {
		within(t, fmt.Sprint("z of ", j), z[j].Statistic, want[0], 1e-3)
		within(t, fmt.Sprint("p of ", j), z[j].PValue, want[1], 2e-3)
	}
	p := []float64{z[1].PValue, z[2].PValue, z[3].PValue}
	holm := must[sigtest.Adjustment](t)(sigtest.Holm(p, 0.05))
	if !slices.Equal(holm.Rejected, []bool{true, false, true}) {
		t.Errorf("Holm %v", holm.Rejected)
	}
}

// The oracle is Table 5(a) of Demšar, 2006, whose third decimals come from
// rounded quantiles.
func TestDemsarTable(t *testing.T) {
	for alpha, row := range map[float64][]float64{
		0.05: {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164},
		0.10: {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920},
	} {
		for i, want := range row {
			q := must[float64](t)(sigtest.StudentizedRangeQuantile(1-alpha, i+2))
			within(t, fmt.Sprintf("k %d at %v", i+2, alpha), q/math.Sqrt2, want, 1.2e-3)
		}
	}
}

// For two models the range is |Z1 - Z2|, normal with variance 2: the oracle is
// erf, out to the end of the permitted probabilities.
func TestStudentizedRangeOfTwo(t *testing.T) {
	near(t, "0", must[float64](t)(sigtest.StudentizedRangeQuantile(0, 2)), 0, 0)
	for _, p := range []float64{1e-6, 0.3, 0.95, 1 - 1e-6, 1 - 1e-9} {
		near(t, fmt.Sprint(p), must[float64](t)(sigtest.StudentizedRangeQuantile(p, 2)), 2*math.Erfinv(p), 1e-7)
	}
}

// The oracles are the formulas: repetitions that differ by (u+1, u-1) have
// variance 2, so t = (u+1)/sqrt(2) and F = (u²+1)/2; and the critical values that
// the papers print, t(5) = 2.571 and F(10, 5) = 4.74 at the 5% level.
func TestFiveByTwoCriticalValues(t *testing.T) {
	scores := func(u float64) (a, b sigtest.Scores5x2) {
		for i := range a {
			a[i], b[i] = [2]float64{u + 1, u - 1}, [2]float64{}
		}
		return a, b
	}
	a, b := scores(2.571*math.Sqrt2 - 1)
	got := must[sigtest.Result](t)(sigtest.FiveByTwoT(a, b, sigtest.TwoSided))
	near(t, "t", got.Statistic, 2.571, 1e-12)
	within(t, "p of t", got.PValue, 0.05, 5e-5)
	a, b = scores(math.Sqrt(2*4.74 - 1))
	got = must[sigtest.Result](t)(sigtest.FiveByTwoF(a, b))
	near(t, "F", got.Statistic, 4.74, 1e-12)
	within(t, "p of F", got.PValue, 0.05, 2e-4)
	if got.DF != 10 || got.DF2 != 5 {
		t.Errorf("degrees of freedom %v, %v", got.DF, got.DF2)
	}
}

// The oracle is arithmetic: differences 1 and 3 have mean 2 and variance 2, so
// with ratio 1/2 t = 2 / sqrt((1/2 + 1/2) 2); with one degree of freedom t is
// Cauchy's.
func TestCorrectedResampledByHand(t *testing.T) {
	got := must[sigtest.Result](t)(sigtest.CorrectedResampledT([]float64{5, 6}, []float64{4, 3}, 0.5, sigtest.TwoSided))
	near(t, "t", got.Statistic, math.Sqrt2, 1e-14)
	near(t, "p", got.PValue, 1-2/math.Pi*math.Atan(math.Sqrt2), 1e-12)
}

// On 0-1 losses every differing pair counts the same, so the exact randomisation
// test, McNemar's and the sign test are one: the binomial distribution.
func TestRandomisationIsBinomialOnLosses(t *testing.T) {
	y := make([]int, 40)
	first, second := make([]int, 40), make([]int, 40)
	for i := range 3 {
		first[i] = 1
	}
	for i := range 12 {
		second[39-i] = 1
	}
	first[20], second[20] = 1, 1
	a, b := must[[]float64](t)(sigtest.Losses(y, first)), must[[]float64](t)(sigtest.Losses(y, second))
	onlyFirst, onlySecond, err := sigtest.Discordant(y, first, second)
	if err != nil || onlyFirst != 3 || onlySecond != 12 {
		t.Fatalf("%d and %d, %v", onlyFirst, onlySecond, err)
	}
	// P(X <= 3) of 15 throws: (1 + 15 + 105 + 455) / 2^15.
	less := 576. / 32768
	for side, want := range map[sigtest.Alternative]float64{sigtest.Less: less, sigtest.TwoSided: 2 * less, sigtest.Greater: 1 - 121./32768} {
		result := must[sigtest.Result](t)
		exact := result(sigtest.PermutationConfig{Alternative: side}.Paired(a, b))
		near(t, "randomisation", exact.PValue, want, 1e-12)
		near(t, "its statistic", exact.Statistic, -9./40, 1e-14)
		near(t, "McNemar", result(sigtest.McNemarExact(onlyFirst, onlySecond, side)).PValue, want, 1e-12)
		near(t, "sign", result(sigtest.SignTest(a, b, side)).PValue, want, 1e-12)
		// The standard error of a share of 40,000 is below .0025.
		random := result(sigtest.PermutationConfig{Alternative: side, ExactUpTo: -1, Resamples: 40000, Seed: 5}.Paired(a, b))
		within(t, "random switches", random.PValue, want, 4*math.Sqrt(want*(1-want)/40000)+1e-4)
	}
}

// The oracle is p = (b+1)/(m+1): with 70 pairs that all favour one side no random
// switch is as extreme (chance 2^-69 each), so b = 0.
func TestRandomSwitchesCountTheObserved(t *testing.T) {
	a, b := make([]float64, 70), make([]float64, 70)
	for i := range a {
		a[i] = 1
	}
	got := must[sigtest.Result](t)(sigtest.PermutationConfig{Resamples: 999}.Paired(a, b))
	near(t, "p", got.PValue, 1./1000, 1e-15)
	got = must[sigtest.Result](t)(sigtest.PermutationConfig{Resamples: 999, Alternative: sigtest.Less}.Paired(a, b))
	near(t, "p of the other side", got.PValue, 1, 0)
}

// Rounding must not decide which sums tie: the oracle is the same data in whole
// tenths, whose sums are exact. Of the 2^7 signs of 1 to 7, whose sum is even from
// -28 to 28, those that reach ±14 are counted in whole numbers.
func TestRandomisationSeesTiesThroughRounding(t *testing.T) {
	tenths := []float64{1, 2, 3, 4, 5, 6, -7}
	count := 0
	for signs := range 1 << 7 {
		sum := 0
		for i := range 7 {
			sum += (i + 1) * (1 - 2*(signs>>i&1))
		}
		if sum >= 14 || sum <= -14 {
			count++
		}
	}
	d := make([]float64, 7)
	for i := range d {
		d[i] = tenths[i] / 10
	}
	result := must[sigtest.Result](t)
	near(t, "whole", result(sigtest.PermutationConfig{}.Paired(tenths, make([]float64, 7))).PValue, float64(count)/128, 0)
	near(t, "tenths", result(sigtest.PermutationConfig{}.Paired(d, make([]float64, 7))).PValue, float64(count)/128, 0)
}

func TestSameSeedSameAnswerWhateverTheWorkers(t *testing.T) {
	a, b := make([]float64, 60), make([]float64, 60)
	for i := range a {
		a[i], b[i] = float64(i*i%17), float64(i*7%19)
	}
	before := [][]float64{slices.Clone(a), slices.Clone(b)}
	seen := map[float64]bool{}
	for seed := range uint64(4) {
		p1 := must[sigtest.Result](t)(sigtest.PermutationConfig{Seed: seed, Resamples: 2000, Workers: 1}.Paired(a, b))
		p3 := must[sigtest.Result](t)(sigtest.PermutationConfig{Seed: seed, Resamples: 2000, Workers: 3}.Paired(a, b))
		i1 := must[sigtest.Interval](t)(sigtest.BootstrapConfig{Seed: seed, Resamples: 2000, Workers: 1, Kind: sigtest.BCa}.Interval(a))
		i3 := must[sigtest.Interval](t)(sigtest.BootstrapConfig{Seed: seed, Resamples: 2000, Workers: 3, Kind: sigtest.BCa}.Interval(a))
		if p1 != p3 || i1 != i3 {
			t.Errorf("seed %d: %v and %v, %v and %v", seed, p1, p3, i1, i3)
		}
		seen[p1.PValue] = true
	}
	if len(seen) < 2 {
		t.Error("the seed does not matter")
	}
	if !slices.Equal(a, before[0]) || !slices.Equal(b, before[1]) {
		t.Error("the samples were changed")
	}
}

// The oracle is symmetry: swapping the samples swaps Greater and Less.
func TestAlternativesSwap(t *testing.T) {
	a, b := []float64{3, 5, 1, 7, 6.5, 2}, []float64{2, 6.2, 0.7, 3, 4, 1.4}
	tests := map[string]func(a, b []float64, alt sigtest.Alternative) (sigtest.Result, error){
		"two-sample": sigtest.TwoSampleT, "Welch": sigtest.WelchT, "paired": sigtest.PairedT, "sign": sigtest.SignTest,
		"Wilcoxon": func(a, b []float64, alt sigtest.Alternative) (sigtest.Result, error) {
			return sigtest.WilcoxonConfig{Alternative: alt}.Test(a, b)
		},
		"randomisation": func(a, b []float64, alt sigtest.Alternative) (sigtest.Result, error) {
			return sigtest.PermutationConfig{Alternative: alt}.Paired(a, b)
		},
	}
	for name, test := range tests {
		greater, less := must[sigtest.Result](t)(test(a, b, sigtest.Greater)), must[sigtest.Result](t)(test(b, a, sigtest.Less))
		near(t, name, less.PValue, greater.PValue, 1e-12)
		if greater.PValue > 0.5 {
			t.Errorf("%s: a is larger, yet p is %v", name, greater.PValue)
		}
	}
}

// TestMcNemarExactOfManyExamples: of 2m examples of which each model gets m wrong, the
// chance of m and more is 1/2 and half of (2m over m)/4^m, which by Stirling's series is
// (1 - 1/(8m) + 1/(128m²))/sqrt(πm). At 5 standard deviations the chance is scipy's
// (binomtest).
func TestMcNemarExactOfManyExamples(t *testing.T) {
	result := must[sigtest.Result](t)
	for _, n := range []float64{1e3, 1e6, 1e9, 1e12} {
		if n > math.MaxInt/2 {
			continue // an int has 32 bits here
		}
		m := int(n)
		want := 0.5 + (1-1/(8*n)+1/(128*n*n))/math.Sqrt(math.Pi*n)/2
		for _, side := range []sigtest.Alternative{sigtest.Greater, sigtest.Less} {
			near(t, fmt.Sprintf("%d and %d, %v", m, m, side), result(sigtest.McNemarExact(m, m, side)).PValue, want, 1e-11)
		}
		near(t, "two-sided", result(sigtest.McNemarExact(m, m, sigtest.TwoSided)).PValue, 1, 0)
	}
	near(t, "5 deviations", result(sigtest.McNemarExact(10_000_000, 9_977_640, sigtest.Greater)).PValue, 2.830724151035096e-07, 1e-11)
	if _, err := sigtest.McNemarExact(math.MaxInt, 1, sigtest.TwoSided); !errors.Is(err, mlcore.ErrConfig) {
		t.Errorf("counts that have no sum: %v", err)
	}
}

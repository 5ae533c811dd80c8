package sigtest_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/mat"
)

// every holds all tests of two samples, by name.
func every(a, b []float64, alt sigtest.Alternative) map[string]func() (sigtest.Result, error) {
	out := map[string]func() (sigtest.Result, error){
		"two-sample":    func() (sigtest.Result, error) { return sigtest.TwoSampleT(a, b, alt) },
		"Welch":         func() (sigtest.Result, error) { return sigtest.WelchT(a, b, alt) },
		"paired":        func() (sigtest.Result, error) { return sigtest.PairedT(a, b, alt) },
		"corrected":     func() (sigtest.Result, error) { return sigtest.CorrectedResampledT(a, b, 0.25, alt) },
		"sign":          func() (sigtest.Result, error) { return sigtest.SignTest(a, b, alt) },
		"randomisation": func() (sigtest.Result, error) { return sigtest.PermutationConfig{Alternative: alt}.Paired(a, b) },
		"random switches": func() (sigtest.Result, error) {
			return sigtest.PermutationConfig{Alternative: alt, ExactUpTo: -1, Resamples: 99}.Paired(a, b)
		},
	}
	for _, zeros := range []sigtest.ZeroMethod{sigtest.Wilcox, sigtest.Pratt, sigtest.ZSplit} {
		for _, mode := range []sigtest.WilcoxonMode{sigtest.Auto, sigtest.Exact, sigtest.Normal} {
			out[fmt.Sprint("Wilcoxon ", zeros, " ", mode)] = func() (sigtest.Result, error) {
				return sigtest.WilcoxonConfig{Alternative: alt, Zeros: zeros, Mode: mode}.Test(a, b)
			}
		}
	}
	return out
}

// The oracle is the package's rule: no difference at all is p = 1.
func TestNoDifference(t *testing.T) {
	for _, v := range [][]float64{{0.9, 0.9, 0.9, 0.9}, {0, 0, 0}} {
		for _, side := range sides {
			for name, test := range every(v, v, side) {
				got, err := test()
				if err != nil || got.PValue != 1 {
					t.Errorf("%s of %v with itself, %v: %v, %v", name, v, side, got, err)
				}
			}
		}
	}
	var same sigtest.Scores5x2
	for i := range same {
		same[i] = [2]float64{0.8, 0.7}
	}
	for _, side := range sides {
		if got, err := sigtest.FiveByTwoT(same, same, side); err != nil || got.PValue != 1 {
			t.Errorf("5x2cv t: %v, %v", got, err)
		}
		if got, err := sigtest.McNemarExact(0, 0, side); err != nil || got.PValue != 1 {
			t.Errorf("McNemar exact: %v, %v", got, err)
		}
	}
	if got, err := sigtest.FiveByTwoF(same, same); err != nil || got.PValue != 1 || got.Statistic != 0 {
		t.Errorf("5x2cv F: %v, %v", got, err)
	}
	for _, n := range []int{0, 6} {
		for _, correction := range []bool{false, true} {
			if got, err := sigtest.McNemar(n, n, correction); err != nil || got.PValue != 1 || got.Statistic != 0 {
				t.Errorf("McNemar of %d and %d: %v, %v", n, n, got, err)
			}
		}
	}
	r, err := sigtest.FriedmanConfig{}.Test(mat.NewDense(3, 4, []float64{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}))
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []sigtest.Result{r.ChiSquared, r.ImanDavenport} {
		if got.Statistic != 0 || got.PValue != 1 {
			t.Errorf("all ties: %v", got)
		}
	}
	if r.AverageRanks[0] != 2.5 {
		t.Errorf("ranks %v", r.AverageRanks)
	}
}

// The oracle is symmetry: R+ = R- is as central as can be, p = 1, and a continuity
// correction has nothing to correct.
func TestBalancedRanks(t *testing.T) {
	a, b := []float64{2, 1, 5, 3}, []float64{1, 2, 3, 5}
	for _, c := range []sigtest.WilcoxonConfig{{Mode: sigtest.Exact}, {Mode: sigtest.Normal}, {Mode: sigtest.Normal, Correction: true}} {
		got, err := c.Test(a, b)
		if err != nil || got.PValue != 1 || got.Statistic != 5 {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}

// Every difference is .1 but for rounding: no t exists. Rank and randomisation
// tests answer: five pairs all one way are two of 2^5.
func TestConstantDifference(t *testing.T) {
	a := []float64{0.3, 0.4, 0.7, 0.9, 1.1}
	b := []float64{0.2, 0.3, 0.6, 0.8, 1.0}
	tests := every(a, b, sigtest.TwoSided)
	for _, name := range []string{"paired", "corrected"} {
		if got, err := tests[name](); !errors.Is(err, sigtest.ErrDegenerate) || !errors.Is(err, mlcore.ErrConfig) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"sign", "randomisation", "Wilcoxon wilcox exact"} {
		got, err := tests[name]()
		if err != nil || math.Abs(got.PValue-1./16) > 1e-12 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	ones, twos := []float64{1, 1, 1}, []float64{2, 2}
	if _, err := sigtest.TwoSampleT(ones, twos, sigtest.TwoSided); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("two-sample: %v", err)
	}
	if _, err := sigtest.WelchT(ones, twos, sigtest.TwoSided); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("Welch: %v", err)
	}
	var x, y sigtest.Scores5x2
	for i := range x {
		x[i] = [2]float64{0.3 + float64(i)/10, 0.9}
		y[i] = [2]float64{0.2 + float64(i)/10, 0.8}
	}
	if _, err := sigtest.FiveByTwoT(x, y, sigtest.TwoSided); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("5x2cv t: %v", err)
	}
	if _, err := sigtest.FiveByTwoF(x, y); !errors.Is(err, sigtest.ErrDegenerate) {
		t.Errorf("5x2cv F: %v", err)
	}
	for _, kind := range []sigtest.BootstrapKind{sigtest.Percentile, sigtest.BCa} {
		if _, err := (sigtest.BootstrapConfig{Kind: kind}).Interval(make([]float64, 30)); !errors.Is(err, sigtest.ErrDegenerate) {
			t.Errorf("bootstrap: %v", err)
		}
	}
}

// Where N data sets all give one order to k models, F is infinite and the chance
// of it is (1/k!)^(N-1): all must repeat the first. With two models that tie in
// every row there are 3 orders of three.
func TestFriedmanFullAgreement(t *testing.T) {
	for _, c := range []struct {
		row  []float64
		want float64
	}{{[]float64{0.9, 0.7, 0.8}, 1. / 216}, {[]float64{0.9, 0.9, 0.8}, 1. / 27}} {
		X := mat.NewDense(4, 3, nil)
		for i := range 4 {
			X.SetRow(i, c.row)
		}
		r := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(X))
		if !math.IsInf(r.ImanDavenport.Statistic, 1) {
			t.Errorf("%v: %v", c.row, r.ImanDavenport)
		}
		near(t, "p", r.ImanDavenport.PValue, c.want, 1e-12)
		near(t, "chi-squared", r.ChiSquared.Statistic, 8, 1e-12)
	}
}

func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ok := []float64{1, 2, 4}
	for _, c := range []struct {
		name string
		a, b []float64
		want error
	}{
		{"both empty", nil, nil, mlcore.ErrEmpty},
		{"NaN", []float64{1, nan, 3}, ok, mlcore.ErrNonFinite},
		{"infinity", ok, []float64{1, 2, inf}, mlcore.ErrNonFinite},
	} {
		for name, test := range every(c.a, c.b, sigtest.TwoSided) {
			if got, err := test(); !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v, %v", name, c.name, got, err)
			}
		}
	}
	for name, test := range every(ok, ok[:2], sigtest.TwoSided) {
		if name == "two-sample" || name == "Welch" {
			continue
		}
		if got, err := test(); !errors.Is(err, mlcore.ErrShape) {
			t.Errorf("%s of 3 and 2 rows: %v, %v", name, got, err)
		}
	}
	for _, alt := range []sigtest.Alternative{-1, 3} {
		for name, test := range every(ok, []float64{3, 1, 1}, alt) {
			if got, err := test(); !errors.Is(err, mlcore.ErrConfig) {
				t.Errorf("%s, %v: %v, %v", name, alt, got, err)
			}
		}
	}
	one := []float64{1}
	_, short := sigtest.PairedT(one, one, sigtest.TwoSided)
	_, shortWelch := sigtest.WelchT(one, ok, sigtest.TwoSided)
	_, shortTwo := sigtest.TwoSampleT(one, one, sigtest.TwoSided)
	_, ratio := sigtest.CorrectedResampledT(ok, one, -1, sigtest.TwoSided)
	_, ratioNaN := sigtest.CorrectedResampledT(ok, ok, nan, sigtest.TwoSided)
	_, level := sigtest.NormalInterval(0.2, 50, 95)
	_, levelNaN := sigtest.WilsonInterval(2, 50, nan)
	_, rate := sigtest.NormalInterval(22, 50, 0.95)
	_, rateNaN := sigtest.NormalInterval(nan, 50, 0.95)
	_, nothing := sigtest.NormalInterval(0.2, 0, 0.95)
	_, many := sigtest.ExactInterval(51, 50, 0.95)
	_, negative := sigtest.WilsonInterval(-1, 50, 0.95)
	_, none := sigtest.ExactInterval(0, 0, 0.95)
	_, counts := sigtest.McNemar(-1, 3, true)
	_, countsExact := sigtest.McNemarExact(3, -1, sigtest.TwoSided)
	_, _, discordant := sigtest.Discordant([]int{1, 2}, []int{1, 2}, []int{1})
	_, _, discordantNone := sigtest.Discordant(nil, nil, nil)
	_, losses := sigtest.Losses([]int{1}, nil)
	_, lossesNone := sigtest.Losses(nil, nil)
	_, resamples := sigtest.BootstrapConfig{Resamples: -5}.Interval(ok)
	_, absurd := sigtest.BootstrapConfig{Resamples: math.MaxInt}.Interval(ok)
	_, absurdSwitches := sigtest.PermutationConfig{Resamples: math.MaxInt}.Paired(ok, ok)
	_, kind := sigtest.BootstrapConfig{Kind: 9}.Interval(ok)
	_, boot := sigtest.BootstrapConfig{}.Interval(one)
	_, switches := sigtest.PermutationConfig{Resamples: -5}.Paired(ok, ok)
	_, upTo := sigtest.PermutationConfig{ExactUpTo: 60}.Paired(ok, ok)
	_, zeros := sigtest.WilcoxonConfig{Zeros: 4}.Test(ok, ok)
	_, mode := sigtest.WilcoxonConfig{Mode: -1}.Test(ok, ok)
	long := make([]float64, 501)
	for i := range long {
		long[i] = float64(i + 1)
	}
	_, exact := sigtest.WilcoxonConfig{Mode: sigtest.Exact}.Test(long, make([]float64, 501))
	_, matrix := sigtest.FriedmanConfig{}.Test(nil)
	_, narrow := sigtest.FriedmanConfig{}.Test(mat.NewDense(3, 1, []float64{1, 2, 3}))
	_, matrixNaN := sigtest.FriedmanConfig{}.Test(mat.NewDense(2, 2, []float64{1, 2, nan, 3}))
	r := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(demsar()))
	_, control := r.VersusControl(4)
	_, alpha := r.Nemenyi(1)
	_, k := sigtest.CriticalDifference(0.05, 1, 10)
	_, sets := sigtest.CriticalDifference(0.05, 3, 0)
	_, tail := sigtest.StudentizedRangeQuantile(1, 3)
	_, p := sigtest.Holm([]float64{0.5, 1.5}, 0.05)
	_, pNaN := sigtest.BenjaminiHochberg([]float64{nan}, 0.05)
	_, pNone := sigtest.Bonferroni(nil, 0.05)
	_, pAlpha := sigtest.Holm(ok, nan)
	_, five := sigtest.FiveByTwoT(sigtest.Scores5x2{{nan}}, sigtest.Scores5x2{}, sigtest.TwoSided)
	_, fiveF := sigtest.FiveByTwoF(sigtest.Scores5x2{}, sigtest.Scores5x2{{inf}})
	_, fiveAlt := sigtest.FiveByTwoT(sigtest.Scores5x2{}, sigtest.Scores5x2{}, 7)
	_, exactLevel := sigtest.ExactInterval(3, 50, 0)
	_, bootLevel := sigtest.BootstrapConfig{Level: 2}.Interval(ok)
	_, side := sigtest.McNemarExact(3, 4, 5)
	huge, negated := []float64{1e308, 1, 2}, []float64{-1e308, 2, 1}
	_, apart := sigtest.WilcoxonConfig{}.Test(huge, negated)
	_, apartSwitched := sigtest.PermutationConfig{}.Paired(huge, negated)
	_, apartT := sigtest.PairedT(huge, negated, sigtest.TwoSided)
	_, apartF := sigtest.FiveByTwoF(sigtest.Scores5x2{{1e308, 0}}, sigtest.Scores5x2{{-1e308, 1}})
	// One loss in a thousand is so skewed that BCa's levels turn round this far out.
	rare := make([]float64, 1000)
	rare[0] = 1
	_, pole := sigtest.BootstrapConfig{Kind: sigtest.BCa, Level: 1 - 2e-10, Resamples: 500}.Interval(rare)
	wide := []float64{-1.7e308, 1.7e308, 1.7e308}
	_, wideBCa := sigtest.BootstrapConfig{Kind: sigtest.BCa}.Interval(wide)
	// Any two can be added, all of them cannot.
	large := []float64{8e307, 8e307, 8e307, 7e307}
	_, largeBCa := sigtest.BootstrapConfig{Kind: sigtest.BCa}.Interval(large)
	_, largePercentile := sigtest.BootstrapConfig{}.Interval(large)
	for i, c := range []struct{ err, want error }{
		{exactLevel, mlcore.ErrConfig}, {absurd, mlcore.ErrConfig}, {absurdSwitches, mlcore.ErrConfig}, {bootLevel, mlcore.ErrConfig}, {side, mlcore.ErrConfig},
		{apart, mlcore.ErrNonFinite}, {apartSwitched, mlcore.ErrNonFinite}, {apartT, mlcore.ErrNonFinite}, {apartF, mlcore.ErrNonFinite},
		{pole, sigtest.ErrDegenerate}, {largeBCa, mlcore.ErrNonFinite}, {wideBCa, mlcore.ErrNonFinite}, {largePercentile, mlcore.ErrNonFinite},
		{short, mlcore.ErrShape}, {shortWelch, mlcore.ErrShape}, {shortTwo, mlcore.ErrShape},
		{ratio, mlcore.ErrConfig}, {ratioNaN, mlcore.ErrNonFinite},
		{level, mlcore.ErrConfig}, {levelNaN, mlcore.ErrConfig}, {rate, mlcore.ErrConfig}, {rateNaN, mlcore.ErrNonFinite}, {nothing, mlcore.ErrEmpty},
		{many, mlcore.ErrConfig}, {negative, mlcore.ErrConfig}, {none, mlcore.ErrEmpty},
		{counts, mlcore.ErrConfig}, {countsExact, mlcore.ErrConfig},
		{discordant, mlcore.ErrShape}, {discordantNone, mlcore.ErrEmpty}, {losses, mlcore.ErrShape}, {lossesNone, mlcore.ErrEmpty},
		{resamples, mlcore.ErrConfig}, {kind, mlcore.ErrConfig}, {boot, mlcore.ErrShape},
		{switches, mlcore.ErrConfig}, {upTo, mlcore.ErrConfig},
		{zeros, mlcore.ErrConfig}, {mode, mlcore.ErrConfig}, {exact, mlcore.ErrConfig},
		{matrix, mlcore.ErrEmpty}, {narrow, mlcore.ErrShape}, {matrixNaN, mlcore.ErrNonFinite},
		{control, mlcore.ErrConfig}, {alpha, mlcore.ErrConfig}, {k, mlcore.ErrConfig}, {sets, mlcore.ErrEmpty}, {tail, mlcore.ErrConfig},
		{p, mlcore.ErrConfig}, {pNaN, mlcore.ErrNonFinite}, {pNone, mlcore.ErrEmpty}, {pAlpha, mlcore.ErrConfig},
		{five, mlcore.ErrNonFinite}, {fiveF, mlcore.ErrNonFinite}, {fiveAlt, mlcore.ErrConfig},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("refusal %d: %v, want %v", i, c.err, c.want)
		}
	}
}

// Whatever finite numbers come in, an answer is a probability and a finite
// statistic, or an error. Sizes reach to where squares overflow and underflow.
func TestNeverNaN(t *testing.T) {
	rng := mlcore.NewRand(1)
	answers := 0
	for round := range 400 {
		n := 2 + rng.IntN(12)
		a, b := make([]float64, n), make([]float64, n)
		size := math.Pow(10, float64([]int{0, 0, -300, 300, 308, -160, 160}[round%7]))
		levels := 1 + rng.IntN(5)
		for i := range a {
			a[i], b[i] = size*float64(rng.IntN(levels)-1)/3, size*float64(rng.IntN(levels)-1)/3
		}
		for _, side := range sides {
			for name, test := range every(a, b, side) {
				got, err := test()
				if err != nil {
					continue
				}
				answers++
				if !(got.PValue >= 0 && got.PValue <= 1) || math.IsNaN(got.Statistic) || math.IsInf(got.Statistic, 0) {
					t.Fatalf("%s, %v of %v and %v: %v", name, side, a, b, got)
				}
			}
		}
		for _, kind := range []sigtest.BootstrapKind{sigtest.Percentile, sigtest.BCa} {
			got, err := sigtest.BootstrapConfig{Kind: kind, Resamples: 200}.Interval(a)
			if err == nil && !(got.Lower <= got.Upper && got.Upper-got.Upper == 0 && got.Lower-got.Lower == 0) {
				t.Fatalf("%v bootstrap of %v: %v", kind, a, got)
			}
		}
	}
	if answers < 10000 {
		t.Errorf("only %d answers", answers)
	}
}

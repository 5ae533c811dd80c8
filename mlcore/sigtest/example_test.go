package sigtest_test

import (
	"fmt"
	"log"

	"github.com/mllabs-go/mllabs/mlcore/metrics"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/mat"
)

// An error of 22% on 50 examples, three ways.
func ExampleNormalInterval() {
	normal, err := sigtest.NormalInterval(0.22, 50, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	wilson, err := sigtest.WilsonInterval(11, 50, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	exact, err := sigtest.ExactInterval(11, 50, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(normal)
	fmt.Println(wilson)
	fmt.Println(exact)
	// Output:
	// 0.22 [0.1052, 0.3348] (95% normal approximation, n = 50)
	// 0.22 [0.1275, 0.3524] (95% Wilson score, n = 50)
	// 0.22 [0.1153, 0.3596] (95% Clopper-Pearson, n = 50)
}

// No mistake in 20 does not mean that there never will be one.
func ExampleExactInterval() {
	i, err := sigtest.ExactInterval(0, 20, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("[%.0f, %.3f]\n", i.Lower, i.Upper)
	// Output: [0, 0.168]
}

func ExampleBootstrapConfig() {
	y := []int{0, 1, 1, 0, 2, 2, 1, 0, 1, 2, 0, 0}
	predicted := []int{0, 1, 0, 0, 2, 1, 1, 0, 1, 2, 2, 0}
	losses, err := sigtest.Losses(y, predicted)
	if err != nil {
		log.Fatal(err)
	}
	i, err := sigtest.BootstrapConfig{Seed: 1}.Interval(losses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(i)
	// Output: 0.25 [0, 0.5] (95% percentile bootstrap, n = 12)
}

// Two models on the same 12 examples: the first errs once, the second seven times.
func ExamplePermutationConfig() {
	first := []float64{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}
	second := []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0}
	r, err := sigtest.PermutationConfig{}.Paired(first, second)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output: randomisation test, exact: statistic = -0.5, n = 12, p = 0.07031 (two-sided)
}

func ExampleMcNemar() {
	r, err := sigtest.McNemar(12, 30, true)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output: McNemar chi-squared, continuity correction: statistic = 6.881, df = 1, n = 42, p = 0.008712 (two-sided)
}

// Ten results of twice 5-fold cross-validation: the plain paired t test finds a
// difference, the corrected one is not sure.
func ExampleCorrectedResampledT() {
	a := []float64{0.91, 0.93, 0.90, 0.94, 0.92, 0.92, 0.95, 0.91, 0.93, 0.90}
	b := []float64{0.90, 0.91, 0.91, 0.92, 0.92, 0.90, 0.93, 0.92, 0.92, 0.89}
	plain, err := sigtest.PairedT(a, b, sigtest.TwoSided)
	if err != nil {
		log.Fatal(err)
	}
	corrected, err := sigtest.CorrectedResampledT(a, b, 1./4, sigtest.TwoSided)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plain)
	fmt.Println(corrected)
	// Output:
	// paired t: statistic = 2.377, df = 9, n = 10, p = 0.04142 (two-sided)
	// corrected resampled t: statistic = 1.271, df = 9, n = 10, p = 0.2357 (two-sided)
}

func ExampleWilcoxonConfig() {
	// Accuracies in tenths of a per cent, on eight data sets.
	a := []float64{912, 745, 880, 663, 951, 820, 777, 690}
	b := []float64{905, 730, 884, 640, 949, 799, 781, 672}
	r, err := sigtest.WilcoxonConfig{Zeros: sigtest.Pratt, Mode: sigtest.Exact}.Test(a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output: Wilcoxon signed-rank, pratt, exact: statistic = 5, n = 8, p = 0.07812 (two-sided)
}

// The error rates of four models on six data sets.
func ExampleFriedmanConfig() {
	errors := mat.NewDense(6, 4, []float64{
		.10, .12, .15, .21,
		.05, .04, .08, .09,
		.22, .25, .24, .31,
		.17, .18, .20, .19,
		.02, .03, .05, .06,
		.30, .33, .36, .40,
	})
	r, err := sigtest.FriedmanConfig{LowerIsBetter: true}.Test(errors)
	if err != nil {
		log.Fatal(err)
	}
	n, err := r.Nemenyi(0.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.ImanDavenport)
	fmt.Printf("average ranks %.3f\n", r.AverageRanks)
	fmt.Printf("critical difference %.3f, groups %v\n", n.CriticalDifference, n.Groups)
	// Output:
	// Iman-Davenport F: statistic = 21.47, df = 3, 15, n = 6, p = 1.103e-05 (two-sided)
	// average ranks [1.167 2.000 3.000 3.833]
	// critical difference 1.915, groups [[0 1 2] [1 2 3]]
}

func ExampleBenjaminiHochberg() {
	p := []float64{0.041, 0.001, 0.30, 0.012, 0.025}
	bh, err := sigtest.BenjaminiHochberg(p, 0.05)
	if err != nil {
		log.Fatal(err)
	}
	holm, err := sigtest.Holm(p, 0.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("critical %.2f\n", bh.Critical)
	fmt.Println("BH  ", bh.Rejected)
	fmt.Println("Holm", holm.Rejected)
	// Output:
	// critical [0.04 0.01 0.05 0.02 0.03]
	// BH   [false true false true true]
	// Holm [false true false true false]
}

// How sure is an area under the ROC curve that was measured on twelve examples? Classes
// keep their numbers in each resample.
func ExampleBootstrapScore() {
	y := []int{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}
	p := []float64{.1, .2, .15, .6, .3, .4, .25, .9, .8, .35, .7, .5}
	c := sigtest.BootstrapConfig{Kind: sigtest.BCa, Strata: y, Seed: 1}
	interval, err := sigtest.BootstrapScore(c, y, p, metrics.ROCAUC)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(interval)
	// Output: 0.9143 [0.5714, 1] (95% BCa bootstrap, n = 12)
}

// Two models judged on the same examples.
func ExampleBootstrapDifference() {
	truth := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	first := []float64{1.1, 2.2, 2.9, 4.3, 4.8, 6.1, 7.2, 7.7}
	second := []float64{1.5, 2.1, 3.6, 3.2, 5.5, 6.9, 6.4, 8.1}
	interval, err := sigtest.BootstrapDifference(sigtest.BootstrapConfig{Seed: 1}, truth, first, second, metrics.MAE)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(interval)
	// Output: -0.325 [-0.525, -0.1119] (95% percentile bootstrap, n = 8)
}

// Two models on the folds of a 10-fold cross-validation: the first errs more by two
// thirds of a percentage point, and by how much does it in truth?
func ExampleBayesianCorrelatedT() {
	first := []float64{0.112, 0.098, 0.105, 0.121, 0.109, 0.117, 0.101, 0.125, 0.093, 0.108}
	second := []float64{0.104, 0.095, 0.094, 0.110, 0.108, 0.106, 0.099, 0.109, 0.094, 0.103}
	posterior, err := sigtest.BayesianCorrelatedT(first, second, 1./9)
	if err != nil {
		log.Fatal(err)
	}
	rope, err := posterior.Rope(0.01)
	if err != nil {
		log.Fatal(err)
	}
	interval, err := posterior.Interval(0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rope)
	fmt.Println(interval)
	// Output:
	// P(below -0.01) = 5.044e-05, P(within) = 0.8872, P(above 0.01) = 0.1127
	// 0.0067 [0.000964, 0.01244] (95% Bayesian correlated t, credible, n = 10)
}

// Are the two equivalent, where a difference of up to two percentage points is of no
// account?
func ExampleCorrectedResampledTOST() {
	first := []float64{0.112, 0.098, 0.105, 0.121, 0.109, 0.117, 0.101, 0.125, 0.093, 0.108}
	second := []float64{0.104, 0.095, 0.094, 0.110, 0.108, 0.106, 0.099, 0.109, 0.094, 0.103}
	r, err := sigtest.CorrectedResampledTOST(first, second, 1./9, -0.02, 0.02)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output:
	// corrected resampled TOST: statistic = -5.245, df = 9, n = 10, p = 0.0002655 (less)
}

func ExampleCredibleInterval() {
	i, err := sigtest.CredibleInterval(11, 50, sigtest.Jeffreys(), 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(i)
	// Output:
	// 0.22 [0.1229, 0.3484] (95% credible, prior Beta(0.5, 0.5), n = 50)
}

// On the same 200 rows both models err on 20, the first alone on 14, the second alone on 5.
func ExampleNewcombeInterval() {
	counts := sigtest.PairedCounts{BothWrong: 20, OnlyFirstWrong: 14, OnlySecondWrong: 5, BothRight: 161}
	difference, err := sigtest.NewcombeInterval(counts, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	odds, err := sigtest.DiscordantOddsRatio(counts.OnlyFirstWrong, counts.OnlySecondWrong, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(difference)
	fmt.Println(odds)
	// Output:
	// 0.045 [0.00112, 0.09102] (95% Newcombe paired, n = 200)
	// 2.8 [0.953, 9.933] (95% exact odds ratio, n = 19)
}

package sigtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mllabs-go/mllabs/mlcore/internal/oracle"
	"github.com/mllabs-go/mllabs/mlcore/sigtest"
	"gonum.org/v1/gonum/mat"
)

// The oracle is scipy; scripts/oracles/sigtest.py made the file, which
// holds versions. An answer is statistic, p-value and degrees of freedom.
type answers struct {
	Intervals []struct {
		K      int        `json:"k"`
		N      int        `json:"n"`
		Level  float64    `json:"level"`
		Wilson [2]float64 `json:"wilson"`
		Exact  [2]float64 `json:"exact"`
		Normal [2]float64 `json:"normal"`
	} `json:"intervals"`
	Bootstraps []struct {
		Name   string     `json:"name"`
		Values []float64  `json:"values"`
		Kind   string     `json:"kind"`
		Level  float64    `json:"level"`
		CI     [2]float64 `json:"ci"`
		Error  float64    `json:"error"`
	} `json:"bootstraps"`
	Paired []struct {
		Name  string                           `json:"name"`
		A     []float64                        `json:"a"`
		B     []float64                        `json:"b"`
		Sides map[string]map[string][3]float64 `json:"sides"`
	} `json:"paired"`
	Unpaired []struct {
		A     []float64                        `json:"a"`
		B     []float64                        `json:"b"`
		Sides map[string]map[string][3]float64 `json:"sides"`
	} `json:"unpaired"`
	McNemar []struct {
		B         int                `json:"b"`
		C         int                `json:"c"`
		Plain     [2]float64         `json:"plain"`
		Corrected [2]float64         `json:"corrected"`
		Exact     map[string]float64 `json:"exact"`
	} `json:"mcnemar"`
	FiveByTwo []struct {
		A  sigtest.Scores5x2  `json:"a"`
		B  sigtest.Scores5x2  `json:"b"`
		T  float64            `json:"t"`
		TP map[string]float64 `json:"t_p"`
		F  float64            `json:"f"`
		FP float64            `json:"f_p"`
	} `json:"five_by_two"`
	Friedman []struct {
		Scores  [][]float64 `json:"scores"`
		Chi     [2]float64  `json:"chi"`
		F       [2]float64  `json:"f"`
		Ranks   []float64   `json:"ranks"`
		Control []float64   `json:"control"`
		Nemenyi [][]float64 `json:"nemenyi"`
	} `json:"friedman"`
	StudentizedRange []struct {
		K int     `json:"k"`
		P float64 `json:"p"`
		Q float64 `json:"q"`
	} `json:"studentized_range"`
	Multiple []struct {
		P    []float64 `json:"p"`
		BH   []float64 `json:"bh"`
		Holm []float64 `json:"holm"`
	} `json:"multiple"`
}

var sides = []sigtest.Alternative{sigtest.TwoSided, sigtest.Greater, sigtest.Less}

func scipy(t *testing.T) answers {
	t.Helper()
	return oracle.Load[answers](t, "testdata/peers.json")
}

// near compares within a relative tolerance, and below 1e-300 not at all.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)+1e-300) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestIntervalsAgainstScipy(t *testing.T) {
	o := scipy(t)
	if len(o.Intervals) < 100 {
		t.Fatalf("only %d intervals", len(o.Intervals))
	}
	interval := must[sigtest.Interval](t)
	for _, c := range o.Intervals {
		name := fmt.Sprintf("%d of %d at %v", c.K, c.N, c.Level)
		check := func(kind string, got sigtest.Interval, want [2]float64) {
			t.Helper()
			for _, e := range [][2]float64{{got.Lower, want[0]}, {got.Upper, want[1]}} {
				if math.Abs(e[0]-e[1]) > 1e-11 {
					t.Errorf("%s %s: [%v, %v], want %v", kind, name, got.Lower, got.Upper, want)
				}
			}
			if got.N != c.N || got.Level != c.Level || got.Estimate != float64(c.K)/float64(c.N) {
				t.Errorf("%s %s: %+v", kind, name, got)
			}
		}
		check("Wilson", interval(sigtest.WilsonInterval(c.K, c.N, c.Level)), c.Wilson)
		check("exact", interval(sigtest.ExactInterval(c.K, c.N, c.Level)), c.Exact)
		check("normal", interval(sigtest.NormalInterval(float64(c.K)/float64(c.N), c.N, c.Level)), c.Normal)
	}
}

// Draws differ, so ends agree within the simulation error of 60,000 resamples:
// a quantile at level .025 has a standard error of about .017 of the mean's.
func TestBootstrapAgainstScipy(t *testing.T) {
	kinds := map[string]sigtest.BootstrapKind{"percentile": sigtest.Percentile, "BCa": sigtest.BCa}
	o := scipy(t)
	if len(o.Bootstraps) != 12 {
		t.Fatalf("%d bootstraps", len(o.Bootstraps))
	}
	for _, c := range o.Bootstraps {
		got := must[sigtest.Interval](t)(sigtest.BootstrapConfig{Level: c.Level, Kind: kinds[c.Kind], Resamples: 60000, Seed: 3}.Interval(c.Values))
		tolerance := 0.04 * c.Error
		if c.Name == "losses" {
			// Means are whole numbers of mistakes, so a quantile is right or wrong by
			// a whole one.
			tolerance = 1e-9
		}
		if math.Abs(got.Lower-c.CI[0]) > tolerance || math.Abs(got.Upper-c.CI[1]) > tolerance {
			t.Errorf("%s %s %v: [%v, %v], want %v within %v", c.Name, c.Kind, c.Level, got.Lower, got.Upper, c.CI, tolerance)
		}
	}
}

func TestPairedAgainstScipy(t *testing.T) {
	zeros := map[string]sigtest.ZeroMethod{"wilcox": sigtest.Wilcox, "pratt": sigtest.Pratt, "zsplit": sigtest.ZSplit}
	for _, c := range scipy(t).Paired {
		for _, side := range sides {
			answers := c.Sides[side.String()]
			if len(answers) < 12 {
				t.Fatalf("%s, %v: %d answers", c.Name, side, len(answers))
			}
			for test, want := range answers {
				var got sigtest.Result
				var err error
				words := strings.Fields(test)
				switch words[0] {
				case "two-sample":
					got, err = sigtest.TwoSampleT(c.A, c.B, side)
				case "welch":
					got, err = sigtest.WelchT(c.A, c.B, side)
				case "paired":
					got, err = sigtest.PairedT(c.A, c.B, side)
				case "corrected":
					ratio := 0.25
					if words[1] != "0.250000" {
						ratio = 1. / 9
					}
					got, err = sigtest.CorrectedResampledT(c.A, c.B, ratio, side)
				case "sign":
					got, err = sigtest.SignTest(c.A, c.B, side)
				case "permutation":
					got, err = sigtest.PermutationConfig{Alternative: side}.Paired(c.A, c.B)
				case "wilcoxon":
					config := sigtest.WilcoxonConfig{Alternative: side, Zeros: zeros[words[1]]}
					switch {
					case test == "wilcoxon exact" || words[2] == "auto": // by itself
					case words[2] == "normal":
						config.Mode, config.Correction = sigtest.Normal, words[3] == "True"
					default:
						config.Mode = sigtest.Exact
					}
					got, err = config.Test(c.A, c.B)
				default:
					t.Fatalf("no test called %q", test)
				}
				name := fmt.Sprintf("%s, %s, %v", c.Name, test, side)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				near(t, name+" statistic", got.Statistic, want[0], 1e-10)
				near(t, name+" p", got.PValue, want[1], 1e-9)
				near(t, name+" df", got.DF, want[2], 1e-12)
			}
		}
	}
}

func TestUnpairedAgainstScipy(t *testing.T) {
	tests := map[string]func(a, b []float64, alt sigtest.Alternative) (sigtest.Result, error){
		"two-sample": sigtest.TwoSampleT, "welch": sigtest.WelchT,
	}
	o := scipy(t).Unpaired
	if len(o) != 4 {
		t.Fatalf("%d pairs of samples", len(o))
	}
	for _, c := range o {
		for _, side := range sides {
			for test, run := range tests {
				want, ok := c.Sides[side.String()][test]
				if !ok {
					t.Fatalf("no answer of %s, %v", test, side)
				}
				name := fmt.Sprintf("%s of %d and %d, %v", test, len(c.A), len(c.B), side)
				got := must[sigtest.Result](t)(run(c.A, c.B, side))
				near(t, name+" statistic", got.Statistic, want[0], 1e-10)
				near(t, name+" p", got.PValue, want[1], 1e-9)
				near(t, name+" df", got.DF, want[2], 1e-10)
			}
		}
	}
}

func TestMcNemarAgainstScipy(t *testing.T) {
	result := must[sigtest.Result](t)
	for _, c := range scipy(t).McNemar {
		name := fmt.Sprintf("%d, %d", c.B, c.C)
		plain, corrected := result(sigtest.McNemar(c.B, c.C, false)), result(sigtest.McNemar(c.B, c.C, true))
		near(t, name+" plain", plain.Statistic, c.Plain[0], 1e-12)
		near(t, name+" plain p", plain.PValue, c.Plain[1], 1e-10)
		near(t, name+" corrected", corrected.Statistic, c.Corrected[0], 1e-12)
		near(t, name+" corrected p", corrected.PValue, c.Corrected[1], 1e-10)
		for _, side := range sides {
			near(t, name+" exact "+side.String(), result(sigtest.McNemarExact(c.B, c.C, side)).PValue, c.Exact[side.String()], 1e-10)
		}
	}
}

func TestFiveByTwoAgainstScipy(t *testing.T) {
	result := must[sigtest.Result](t)
	for i, c := range scipy(t).FiveByTwo {
		for _, side := range sides {
			got := result(sigtest.FiveByTwoT(c.A, c.B, side))
			near(t, fmt.Sprint(i, " t"), got.Statistic, c.T, 1e-10)
			near(t, fmt.Sprint(i, " p of t, ", side), got.PValue, c.TP[side.String()], 1e-9)
		}
		got := result(sigtest.FiveByTwoF(c.A, c.B))
		near(t, fmt.Sprint(i, " F"), got.Statistic, c.F, 1e-10)
		near(t, fmt.Sprint(i, " p of F"), got.PValue, c.FP, 1e-9)
	}
}

func TestFriedmanAgainstScipy(t *testing.T) {
	for _, c := range scipy(t).Friedman {
		n, k := len(c.Scores), len(c.Scores[0])
		scores := mat.NewDense(n, k, nil)
		for i, row := range c.Scores {
			scores.SetRow(i, row)
		}
		losses := mat.NewDense(n, k, nil)
		losses.Scale(-1, scores)
		got := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{}.Test(scores))
		flipped := must[*sigtest.FriedmanResult](t)(sigtest.FriedmanConfig{LowerIsBetter: true}.Test(losses))
		name := fmt.Sprintf("%d×%d", n, k)
		near(t, name+" chi-squared", got.ChiSquared.Statistic, c.Chi[0], 1e-11)
		near(t, name+" its p", got.ChiSquared.PValue, c.Chi[1], 1e-9)
		near(t, name+" F", got.ImanDavenport.Statistic, c.F[0], 1e-10)
		near(t, name+" its p", got.ImanDavenport.PValue, c.F[1], 1e-9)
		control := must[[]sigtest.Result](t)(got.VersusControl(0))
		nemenyi := must[*sigtest.Nemenyi](t)(got.Nemenyi(0.05))
		for j, rank := range c.Ranks {
			near(t, name+" rank", got.AverageRanks[j], rank, 1e-13)
			near(t, name+" rank by losses", flipped.AverageRanks[j], rank, 1e-13)
			near(t, name+" against control", control[j].PValue, c.Control[j], 1e-9)
			for i := range k {
				// scipy integrates to about 1e-10.
				if math.Abs(nemenyi.P.At(i, j)-c.Nemenyi[i][j]) > 1e-8 {
					t.Errorf("%s: Nemenyi p of %d and %d is %v, want %v", name, i, j, nemenyi.P.At(i, j), c.Nemenyi[i][j])
				}
			}
		}
	}
}

func TestStudentizedRangeAgainstScipy(t *testing.T) {
	o := scipy(t)
	if len(o.StudentizedRange) < 80 {
		t.Fatalf("only %d quantiles", len(o.StudentizedRange))
	}
	for _, c := range o.StudentizedRange {
		got := must[float64](t)(sigtest.StudentizedRangeQuantile(c.P, c.K))
		near(t, fmt.Sprintf("k %d, p %v", c.K, c.P), got, c.Q, 1e-7)
	}
}

func TestMultipleAgainstScipy(t *testing.T) {
	adjustment := must[sigtest.Adjustment](t)
	for _, c := range scipy(t).Multiple {
		bh, holm := adjustment(sigtest.BenjaminiHochberg(c.P, 0.05)), adjustment(sigtest.Holm(c.P, 0.05))
		for i := range c.P {
			near(t, fmt.Sprint("BH ", i), bh.Adjusted[i], c.BH[i], 1e-12)
			near(t, fmt.Sprint("Holm ", i), holm.Adjusted[i], c.Holm[i], 1e-12)
			if bh.Rejected[i] != (c.BH[i] <= 0.05) || holm.Rejected[i] != (c.Holm[i] <= 0.05) {
				t.Errorf("%v: p-value %d: rejected %v, %v, want %v, %v", c.P, i, bh.Rejected[i], holm.Rejected[i], c.BH[i] <= 0.05, c.Holm[i] <= 0.05)
			}
		}
	}
}

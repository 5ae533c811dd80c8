package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
	"github.com/mllabs-go/mllabs/mlcore/internal/elementary"
	"gonum.org/v1/gonum/mat"
)

// FriedmanConfig describes a Friedman test. The zero value ranks the highest
// score first and corrects for ties.
type FriedmanConfig struct {
	// LowerIsBetter gives rank 1 to the lowest score: for errors and losses.
	LowerIsBetter bool
	// NoTieCorrection leaves out the division by 1 - (sum of t³-t)/(N k(k²-1)),
	// as Demšar's paper does; scipy and R correct.
	NoTieCorrection bool
}

// FriedmanResult holds average ranks and the tests of whether they differ.
type FriedmanResult struct {
	// ChiSquared is Friedman's test, with k-1 degrees of freedom.
	ChiSquared Result
	// ImanDavenport is the less conservative F test computed from ChiSquared,
	// with k-1 and (k-1)(N-1) degrees of freedom. Where all data sets rank the
	// models alike, Statistic is +Inf and PValue the chance of that,
	// (orders of the ranks)^-(N-1).
	ImanDavenport Result
	// AverageRanks holds a rank for each model; one that is the best everywhere
	// has 1.
	AverageRanks []float64
	// DataSets is N, Models is k.
	DataSets, Models int
}

// Test asks whether k models (columns) are equally good on N data sets (rows),
// by their ranks within each row, from 1 for the best; ties share the mean rank.
// Scores tie if they are equal to the last bit, so round computed ones first.
// With average ranks R(j),
//
//	chi² = 12 N / (k(k+1)) · sum of (R(j) - (k+1)/2)²
//	F    = (N-1) chi² / (N(k-1) - chi²)
//
// (Friedman, 1937, JASA 32; Iman & Davenport, 1980, Communications in Statistics
// A9; Demšar, 2006, JMLR 7, section 3.2.2.) The chi-squared approximation needs
// N > 10 and k > 5. At least two models and two data sets are needed. If all
// models tie on every data set, both statistics are 0 and p is 1.
func (c FriedmanConfig) Test(scores mat.Matrix) (*FriedmanResult, error) {
	if err := mlcore.CheckMatrix(scores, false); err != nil {
		return nil, err
	}
	n, k := scores.Dims()
	if n < 2 || k < 2 {
		return nil, fmt.Errorf("%w: scores are %d×%d; at least 2 data sets (rows) and 2 models (columns) are needed", mlcore.ErrShape, n, k)
	}
	N, K := float64(n), float64(k)
	out := &FriedmanResult{AverageRanks: make([]float64, k), DataSets: n, Models: k}
	ties, orders := 0.0, 0.0
	row := make([]float64, k)
	for i := range n {
		mat.Row(row, i, scores)
		if !c.LowerIsBetter {
			for j := range row {
				row[j] = -row[j]
			}
		}
		ranks, t := midranks(row)
		ties += t
		for j, r := range ranks {
			out.AverageRanks[j] += r
		}
		orders = logOrders(ranks)
	}
	squares := 0.0
	for j := range out.AverageRanks {
		out.AverageRanks[j] /= N
		d := out.AverageRanks[j] - float64((K+1)/2)
		squares += float64(d * d)
	}
	chi := 12 * N / (K * (K + 1)) * squares
	if share := ties / (N * tieTerm(k)); !c.NoTieCorrection && share < 1 {
		chi /= 1 - share
	}
	out.ChiSquared = Result{Method: "Friedman chi-squared", Statistic: chi, PValue: 1, DF: K - 1, N: n}
	out.ImanDavenport = Result{Method: "Iman-Davenport F", PValue: 1, DF: K - 1, DF2: (K - 1) * (N - 1), N: n}
	if chi > 0 {
		out.ChiSquared.PValue = chiSquaredUpper(chi, K-1)
		f := &out.ImanDavenport
		if rest := float64(N*(K-1)) - chi; rest > 1e-12*N*(K-1) {
			f.Statistic = (N - 1) * chi / rest
			f.PValue = fUpper(f.Statistic, f.DF, f.DF2)
		} else {
			f.Statistic = math.Inf(1)
			f.PValue = elementary.Exp(-(N - 1) * orders)
		}
	}
	return out, nil
}

// Ranks returns AverageRanks and DataSets, which package plotx draws.
func (r *FriedmanResult) Ranks() (average []float64, dataSets int) {
	return r.AverageRanks, r.DataSets
}

// logOrders returns the logarithm of the number of different orders of ranks.
func logOrders(ranks []float64) float64 {
	count := make([]int, 2*len(ranks)+1)
	for _, r := range ranks {
		count[int(2*r)]++
	}
	l, _ := math.Lgamma(float64(len(ranks) + 1))
	for _, c := range count {
		g, _ := math.Lgamma(float64(c + 1))
		l -= g
	}
	return l
}

// VersusControl compares every model's average rank with that of the model
// control: z = (R(control) - R(j)) / sqrt(k(k+1)/(6N)), two-sided by the normal
// distribution (Demšar, 2006, section 3.2.2). A positive z means that model j is
// the better one. Result j is for model j; the control's own has z = 0, p = 1.
// The p-values of the others must be adjusted, for instance by [Holm].
func (r *FriedmanResult) VersusControl(control int) ([]Result, error) {
	if control < 0 || control >= r.Models {
		return nil, fmt.Errorf("%w: control %d of %d models, counted from 0", mlcore.ErrConfig, control, r.Models)
	}
	out := make([]Result, r.Models)
	for j := range out {
		z := (r.AverageRanks[control] - r.AverageRanks[j]) / rankError(r.Models, r.DataSets)
		out[j] = Result{Method: "average rank against control", Statistic: z, PValue: min(1, 2*normalUpper(math.Abs(z))), N: r.DataSets}
	}
	return out, nil
}

// rankError returns the standard error of the difference of two average ranks.
func rankError(k, n int) float64 {
	return math.Sqrt(float64(k) * float64(k+1) / (6 * float64(n)))
}

package modelsel

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mllabs-go/mllabs/mlcore/internal/given"
)

// Scores holds what one scorer says of the folds.
type Scores struct {
	// Scorer is its name.
	Scorer string
	// LowerIsBetter is the scorer's.
	LowerIsBetter bool
	// Test holds one score per fold. So does Train, which is nil where it was not
	// asked for.
	Test, Train []float64
}

// Mean is the mean of the test scores over the folds.
func (s Scores) Mean() float64 { return mean(s.Test) }

// SD is the standard deviation of the test scores, with the divisor k-1, and 0 for
// one fold. scikit-learn's std divides by k.
func (s Scores) SD() float64 { return sd(s.Test) }

// SE is the standard error of the mean, SD/√k, as if the folds were independent:
// their training rows overlap, so it is too small to compare learners by
// ([CorrectedResampledT] allows for that).
func (s Scores) SE() float64 { return s.SD() / math.Sqrt(float64(len(s.Test))) }

// Better says whether the mean of s is better than that of other by more than the
// rounding of sums: the same fold scores in another order are equally good.
func (s Scores) Better(other Scores) bool { return s.better(s.Mean(), other.Mean()) }

func (s Scores) better(a, b float64) bool {
	if s.LowerIsBetter {
		a, b = -a, -b
	}
	return a-b > 1e-12*max(math.Abs(a), math.Abs(b))
}

// TrainMean and TrainSD are those of the training scores, 0 where there are none.
func (s Scores) TrainMean() float64 { return mean(s.Train) }

// TrainSD is the standard deviation of the training scores.
func (s Scores) TrainSD() float64 { return sd(s.Train) }

// Result is what a cross-validation found.
type Result struct {
	// Scores holds an entry for each scorer.
	Scores []Scores
	// Folds are the folds that were judged.
	Folds *Folds
	// TrainRows and TestRows are the numbers of rows of each fold.
	TrainRows, TestRows []int
	// Times holds the time that each fold took. It differs from run to run;
	// nothing else does.
	Times []FoldTime
}

// FoldTime is the time that one fold took.
type FoldTime struct {
	// Fit is the time to fit, Score that to predict and score.
	Fit, Score time.Duration
}

// Mean is the mean of the first scorer's test scores, 0 in a zero value.
func (r *Result) Mean() float64 { return r.first().Mean() }

// SD is the standard deviation of the first scorer's test scores; see [Scores.SD].
func (r *Result) SD() float64 { return r.first().SD() }

// first are the scores of the first scorer, none in a zero value.
func (r *Result) first() Scores {
	if len(r.Scores) == 0 {
		return Scores{}
	}
	return r.Scores[0]
}

// String writes one line per scorer: mean ± standard deviation.
func (r *Result) String() string { return describe(r.Scores) }

func describe(scores []Scores) string {
	var b strings.Builder
	for _, s := range scores {
		fmt.Fprintf(&b, "%s %.4f ± %.4f over %d folds", s.Scorer, s.Mean(), s.SD(), len(s.Test))
		if s.Train != nil {
			fmt.Fprintf(&b, " (training %.4f ± %.4f)", s.TrainMean(), s.TrainSD())
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func mean(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return given.Mean(v, nil)
}

func sd(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	m, n := mean(v), float64(len(v)-1)
	sum, most := 0.0, 0.0
	for _, x := range v {
		sum += float64((x - m) * (x - m))
		most = max(most, math.Abs(x-m))
	}
	if sum >= 0x1p-900 && sum <= math.MaxFloat64 || most == 0 || math.IsInf(most, 1) {
		return math.Sqrt(sum / n)
	}
	sum = 0 // of scores such as squared errors in a small unit, whose squares underflow
	for _, x := range v {
		share := (x - m) / most
		sum += float64(share * share)
	}
	return float64(most * math.Sqrt(sum/n))
}

// newScores makes room for the scores of k folds.
func newScores(scorers []Scorer, k int, train bool) []Scores {
	scores := make([]Scores, len(scorers))
	for i, s := range scorers {
		scores[i] = Scores{Scorer: s.Name, LowerIsBetter: s.LowerIsBetter, Test: make([]float64, k)}
		if train {
			scores[i].Train = make([]float64, k)
		}
	}
	return scores
}

func newResult(scorers []Scorer, k int, train bool) Result {
	return Result{Scores: newScores(scorers, k, train), TrainRows: make([]int, k), TestRows: make([]int, k), Times: make([]FoldTime, k)}
}

package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// PairedCounts is the table of two models on the same test rows.
type PairedCounts struct {
	// BothWrong, OnlyFirstWrong, OnlySecondWrong and BothRight are numbers of rows.
	BothWrong, OnlyFirstWrong, OnlySecondWrong, BothRight int
}

// CountPairs fills the table from labels and the predictions of two models. [Discordant]
// returns the two counts of it that McNemar's test looks at.
func CountPairs(y, first, second []int) (PairedCounts, error) {
	b, c, err := Discordant(y, first, second)
	if err != nil {
		return PairedCounts{}, err
	}
	out := PairedCounts{OnlyFirstWrong: b, OnlySecondWrong: c}
	for i := range y {
		if first[i] != y[i] && second[i] != y[i] {
			out.BothWrong++
		}
	}
	out.BothRight = len(y) - out.BothWrong - b - c
	return out, nil
}

// N is the number of rows.
func (c PairedCounts) N() int {
	return c.BothWrong + c.OnlyFirstWrong + c.OnlySecondWrong + c.BothRight
}

func (c PairedCounts) check() error {
	sum := 0
	for _, v := range [4]int{c.BothWrong, c.OnlyFirstWrong, c.OnlySecondWrong, c.BothRight} {
		if v < 0 {
			return fmt.Errorf("%w: counts %+v; none is below 0", mlcore.ErrConfig, c)
		}
		if sum > math.MaxInt-v {
			return fmt.Errorf("%w: counts %+v have no sum", mlcore.ErrConfig, c)
		}
		sum += v
	}
	if sum == 0 {
		return fmt.Errorf("%w: no rows in the table", mlcore.ErrEmpty)
	}
	return nil
}

// NewcombeInterval returns the interval for the difference of the error rates of two
// models on the same test rows, first less second: method 10 of Newcombe, 1998, Statistics
// in Medicine 17, pages 2635 to 2650. Wilson's intervals (l1, u1) and (l2, u2) of the two
// rates p1 and p2 are put together with the correlation φ of the mistakes:
//
//	lower = p1-p2 - sqrt((p1-l1)² - 2φ(p1-l1)(u2-p2) + (u2-p2)²)
//	upper = p1-p2 + sqrt((u1-p1)² - 2φ(u1-p1)(p2-l2) + (p2-l2)²)
//
// φ is (ad - bc) / sqrt((a+b)(c+d)(a+c)(b+d)) for the counts a to d in the order of
// [PairedCounts]; a numerator above 0 is first made smaller by n/2, but not below 0, and φ
// is 0 where a model has no mistake or nothing but mistakes. The interval has a width also
// where no row is discordant.
func NewcombeInterval(counts PairedCounts, level float64) (Interval, error) {
	if err := counts.check(); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	n := counts.N()
	first, err := WilsonInterval(counts.BothWrong+counts.OnlyFirstWrong, n, level)
	if err != nil {
		return Interval{}, err
	}
	second, err := WilsonInterval(counts.BothWrong+counts.OnlySecondWrong, n, level)
	if err != nil {
		return Interval{}, err
	}
	phi := counts.correlation()
	difference := (float64(counts.OnlyFirstWrong) - float64(counts.OnlySecondWrong)) / float64(n)
	part := func(x, y float64) float64 {
		return math.Sqrt(max(0, float64(x*x)-float64(2*phi*x*y)+float64(y*y)))
	}
	return Interval{
		Method: "Newcombe paired", Estimate: difference, Level: level, N: n,
		Lower: max(-1, difference-part(first.Estimate-first.Lower, second.Upper-second.Estimate)),
		Upper: min(1, difference+part(first.Upper-first.Estimate, second.Estimate-second.Lower)),
	}, nil
}

// correlation is Newcombe's φ. Shares of rows, not counts: products of counts overflow.
func (c PairedCounts) correlation() float64 {
	n := float64(c.N())
	both, first, second, none := float64(c.BothWrong)/n, float64(c.OnlyFirstWrong)/n, float64(c.OnlySecondWrong)/n, float64(c.BothRight)/n
	square := float64((both+first)*(second+none)) * float64((both+second)*(first+none))
	if square == 0 {
		return 0
	}
	numerator := float64(both*none) - float64(first*second)
	if numerator > 0 {
		numerator = max(0, numerator-1/(2*n))
	}
	return numerator / math.Sqrt(square)
}

// DiscordantOddsRatio returns how many times more often the first of two models is alone
// in its mistake than the second, b/c for the counts of [Discordant], with its exact
// interval: the odds p/(1-p) at the ends of the interval of Clopper and Pearson for p =
// b/(b+c) (the conditional odds ratio of matched pairs; Agresti, 2013, "Categorical Data
// Analysis", section 11.1). It agrees with [McNemarExact]: where 1 is outside, p is below
// 1-level. N is b+c.
//
// Without a row that only the second gets wrong, Estimate and Upper are +Inf. Without any
// such row for either the ratio does not exist and the error wraps [ErrDegenerate].
func DiscordantOddsRatio(onlyFirstWrong, onlySecondWrong int, level float64) (Interval, error) {
	if err := checkDiscordant(onlyFirstWrong, onlySecondWrong); err != nil {
		return Interval{}, err
	}
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	n := onlyFirstWrong + onlySecondWrong
	if n == 0 {
		return Interval{}, fmt.Errorf("%w: no discordant rows; the odds ratio is 0/0", ErrDegenerate)
	}
	if int64(n) > largestBeta {
		return Interval{}, fmt.Errorf("%w: %d discordant rows; at most 2^40", mlcore.ErrConfig, n)
	}
	b, c, tail := float64(onlyFirstWrong), float64(onlySecondWrong), float64((1-level)/2)
	out := Interval{Method: "exact odds ratio", Estimate: b / c, Upper: math.Inf(1), Level: level, N: n}
	if onlyFirstWrong > 0 {
		p, q := betaLower(b, c+1, tail)
		out.Lower = p / q
	}
	if onlySecondWrong > 0 {
		p, q := betaUpper(b+1, c, tail)
		out.Upper = p / q
	}
	return out, nil
}

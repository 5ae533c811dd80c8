package sigtest

import (
	"fmt"
	"math"

	"github.com/mllabs-go/mllabs/mlcore"
)

// Discordant counts the examples that only one of two models gets wrong, which
// is all that McNemar's test looks at.
func Discordant(y, first, second []int) (onlyFirstWrong, onlySecondWrong int, err error) {
	if len(first) != len(y) || len(second) != len(y) {
		return 0, 0, fmt.Errorf("%w: %d labels, %d and %d predictions", mlcore.ErrShape, len(y), len(first), len(second))
	}
	if len(y) == 0 {
		return 0, 0, fmt.Errorf("%w: no labels", mlcore.ErrEmpty)
	}
	for i, c := range y {
		switch {
		case first[i] != c && second[i] == c:
			onlyFirstWrong++
		case first[i] == c && second[i] != c:
			onlySecondWrong++
		}
	}
	return onlyFirstWrong, onlySecondWrong, nil
}

// McNemar is McNemar's chi-squared test with 1 degree of freedom on the counts of
// [Discordant], b and c: (b-c)²/(b+c), or with continuity correction
// (|b-c|-1)²/(b+c), as Dietterich recommends. It is two-sided. Use
// [McNemarExact] where b+c is below about 25.
//
// If b = c, the statistic is 0 and p is 1, with or without correction (R's
// convention), also where both are 0. N is b+c.
func McNemar(onlyFirstWrong, onlySecondWrong int, correction bool) (Result, error) {
	if err := checkDiscordant(onlyFirstWrong, onlySecondWrong); err != nil {
		return Result{}, err
	}
	b, c := float64(onlyFirstWrong), float64(onlySecondWrong)
	out := Result{Method: "McNemar chi-squared", PValue: 1, DF: 1, N: onlyFirstWrong + onlySecondWrong}
	distance := max(b-c, c-b)
	if correction {
		out.Method += ", continuity correction"
		distance--
	}
	if distance > 0 {
		out.Statistic = distance * distance / (b + c)
		out.PValue = chiSquaredUpper(out.Statistic, 1)
	}
	return out, nil
}

// McNemarExact is McNemar's test by the binomial distribution: if the models were
// equally good, each of the b+c examples that only one gets wrong would be a
// mistake of either model with probability 1/2. [Greater] asks whether the first
// model errs more. Statistic is b, N is b+c; without such examples p is 1.
func McNemarExact(onlyFirstWrong, onlySecondWrong int, alt Alternative) (Result, error) {
	if err := alt.check(); err != nil {
		return Result{}, err
	}
	if err := checkDiscordant(onlyFirstWrong, onlySecondWrong); err != nil {
		return Result{}, err
	}
	n := onlyFirstWrong + onlySecondWrong
	return Result{
		Method: "McNemar, exact binomial", Alternative: alt,
		Statistic: float64(onlyFirstWrong), PValue: alt.pick(fairTails(onlyFirstWrong, n)), N: n,
	}, nil
}

func checkDiscordant(b, c int) error {
	if b < 0 || c < 0 {
		return fmt.Errorf("%w: counts %d and %d", mlcore.ErrConfig, b, c)
	}
	if b > math.MaxInt-c {
		return fmt.Errorf("%w: counts %d and %d have no sum", mlcore.ErrConfig, b, c)
	}
	return nil
}
